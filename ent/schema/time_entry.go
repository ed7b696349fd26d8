package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// TimeEntry is time that somebody booked on a task: an interval, one that runs, none yet, or
// the correction of another entry by signed seconds.
type TimeEntry struct{ ent.Schema }

// Mixin of the TimeEntry: use cases alone write rows.
func (TimeEntry) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "time", Owner: "user_id", ReadOnly: true}}, Audited{Name: "time_entry"}}
}

// Fields of the TimeEntry.
func (TimeEntry) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(entgql.MapsTo("userId"), entgql.Type("ID"), unfiltered()).Comment("whose time it is"),
		field.Int("task_id").Optional().Annotations(entgql.MapsTo("taskId"), entgql.Type("ID"), unfiltered()).Comment("what was worked on; every entry has one"),
		field.Int("project_id").Optional().Nillable().Annotations(hidden()),
		field.Int("category_id").Optional().Nillable().Annotations(hidden()),
		field.Int("address_id").Optional().Nillable().Annotations(hidden()),
		field.Enum("kind").Values("timer", "booked", "correction").Immutable().
			Comment("timer: it was started; booked: it was entered with its end, or without time; correction: of another entry, without an interval"),
		field.Time("started_at").Optional().Nillable().SchemaType(instant).Annotations(entgql.OrderField("STARTED_AT")).
			Comment("null for a correction, and while no time is booked"),
		field.Time("ended_at").Optional().Nillable().SchemaType(instant).Comment("null while it runs, and without an interval"),
		field.Int("seconds").Default(0).Comment("from the start to the end; of a correction those that it adds, which may be negative; 0 while it runs"),
		field.String("date").MaxLen(10).SchemaType(date).Annotations(entgql.Type("Date"), entgql.OrderField("DATE")).
			Comment("local date of the start; without an interval the one that it counts on"),
		field.String("last_date").MaxLen(10).SchemaType(date).Annotations(hidden(), unaudited()).
			Comment("local date of the last second; 9998-12-31 while it runs"),
		field.String("timezone").MaxLen(64).Annotations(unfiltered()).Comment("IANA name, of the person when the time was booked; its days are those of this zone"),
		field.Int("slot").Optional().Nillable().Annotations(hidden(), unaudited()).
			Comment("which of the person's running timers it is, from 1; null for one that does not run: unique with the person"),
		field.String("note").Optional().Nillable().MaxRuneLen(5000).SchemaType(long).Annotations(unfiltered(), personal()),
		field.Strings("tags").Optional().SchemaType(text).Annotations(unfiltered(), personal()).Comment("in alphabetical order"),
		field.Float("latitude").Optional().Nillable().Annotations(entgql.Type("Coordinate"), unfiltered(), personal()).
			Comment("where it was booked, degrees, WGS 84"),
		field.Float("longitude").Optional().Nillable().Annotations(entgql.Type("Coordinate"), unfiltered(), personal()).
			Comment("where it was booked, degrees, WGS 84"),
		field.Int("corrects_id").Optional().Nillable().Immutable().Annotations(hidden()),
		field.Time("long_at").Optional().Nillable().SchemaType(instant).
			Comment("when it was found to run longer than the company's entryLimitMinutes; null for others"),
		field.Time("created_at").Immutable().SchemaType(instant).Annotations(entgql.OrderField("CREATED_AT")),
		field.Time("updated_at").SchemaType(instant).Annotations(unfiltered(), unaudited()),
	}
}

// Edges of the TimeEntry. A reader need not see the task.
func (TimeEntry) Edges() []ent.Edge {
	none := entsql.OnDelete(entsql.NoAction)
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
		edge.To("task", Task.Type).Field("task_id").Unique().Annotations(none, unfiltered()).
			Comment("null where the viewer does not see it"),
		edge.To("project", Project.Type).Field("project_id").Unique().Annotations(none).Comment("as it was when the time was booked"),
		edge.To("category", TaskCategory.Type).Field("category_id").Unique().Annotations(none).Comment("as it was when the time was booked"),
		edge.To("address", Address.Type).Field("address_id").Unique().Annotations(none).
			Comment("where the person was clocked in when it was booked; null where they were not"),
		edge.To("corrections", TimeEntry.Type).Annotations(hidden(), none).
			From("corrects").Field("corrects_id").Unique().Immutable().Annotations(unfiltered()).Comment("the entry that this one corrects; null for others"),
	}
}

// Indexes of the TimeEntry.
func (TimeEntry) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id", "slot").Unique(),
		index.Fields("slot", "started_at"),
		index.Fields("company_id", "user_id", "date"),
		index.Fields("company_id", "user_id", "last_date"),
		index.Fields("company_id", "date"),
		index.Fields("company_id", "last_date"),
		index.Fields("task_id", "date"),
		index.Fields("project_id", "date"),
		index.Fields("category_id"),
		index.Fields("address_id"),
		index.Fields("corrects_id"),
	}
}

// Annotations of the TimeEntry.
func (TimeEntry) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField("timeEntries"), about("user_id"), Facts{ByHand: true}}
}
