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

// Task is a piece of work. Its creator, its assignees, and those who have one of them in
// scope see and change it.
type Task struct{ ent.Schema }

// Mixin of the Task.
func (Task) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "task", Owner: "creator_id", Task: "id"}}, Audited{Name: "task"}}
}

// Fields of the Task.
func (Task) Fields() []ent.Field {
	return []ent.Field{
		field.Int("version").Default(1).Annotations(unfiltered()).Comment("counts its changes; an update may say which it is based on"),
		field.Int("creator_id").Immutable().Annotations(hidden()),
		field.String("title").NotEmpty().MaxRuneLen(200).Comment("need not be unique"),
		field.String("description").Optional().Nillable().MaxRuneLen(5000).SchemaType(long).Annotations(unfiltered()),
		field.Enum("status").Values("open", "in_progress", "done", "cancelled").Default("open"),
		field.Enum("priority").Values("low", "normal", "high", "urgent").Default("normal"),
		field.Int("project_id").Optional().Nillable().Annotations(hidden()),
		field.Int("category_id").Optional().Nillable().Annotations(hidden()),
		field.Time("start_at").Optional().Nillable().SchemaType(instant).Annotations(entgql.OrderField("START_AT")).Comment("when work is to begin"),
		field.Time("due_at").Optional().Nillable().SchemaType(instant).Annotations(entgql.OrderField("DUE_AT")).Comment("when it is to be done"),
		field.Time("completed_at").Optional().Nillable().SchemaType(instant).Comment("when it was done; null while it is not"),
		field.Float("latitude").Optional().Nillable().Annotations(entgql.Type("Coordinate"), unfiltered()).Comment("of the place of work, degrees, WGS 84"),
		field.Float("longitude").Optional().Nillable().Annotations(entgql.Type("Coordinate"), unfiltered()).Comment("of the place of work, degrees, WGS 84"),
		field.Int("tracked_seconds").Default(0).Annotations(hidden(), unaudited()).Comment("sum of the time entries that have ended"),
		field.Int("timers").Default(0).Annotations(hidden(), unaudited()).Comment("time entries on it that run"),
		field.Int64("timers_started").Default(0).Annotations(hidden(), unaudited()).
			Comment("sum of the starts of those that run, in seconds since 1970: with timers and tracked_seconds it makes the sum at any instant"),
		field.Int("entry_count").Default(0).Annotations(hidden(), unaudited()).Comment("time entries on it, running ones too; a task with any stays"),
		field.String("recurrence").Optional().Nillable().MaxLen(500).Annotations(unfiltered()).
			Comment("when it is copied: a rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=MO; null for a task that is not"),
		field.String("recurs_on").Optional().Nillable().MaxLen(10).SchemaType(date).Annotations(entgql.Type("Date"), unfiltered(), unaudited()).
			Comment("local date of the company on which the next copy is made; null where no more are"),
		field.Int("copy_of_id").Optional().Nillable().Immutable().Annotations(hidden()),
		field.String("copied_on").Optional().Nillable().Immutable().MaxLen(10).SchemaType(date).Annotations(entgql.Type("Date"), unfiltered()).
			Comment("local date for which it was copied; null for a task that is no copy"),
		field.Time("created_at").Immutable().SchemaType(instant).Annotations(entgql.OrderField("CREATED_AT")),
		field.Time("updated_at").SchemaType(instant).Annotations(entgql.OrderField("UPDATED_AT"), unaudited()),
		field.Time("deleted_at").Optional().Nillable().SchemaType(instant).Annotations(hidden()).Comment("since when nobody sees it; it is purged 30 days later"),
	}
}

// Edges of the Task.
func (Task) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("creator", User.Type).Field("creator_id").Unique().Required().Immutable(),
		edge.To("project", Project.Type).Field("project_id").Unique().Annotations(entsql.OnDelete(entsql.NoAction)),
		edge.To("category", TaskCategory.Type).Field("category_id").Unique().Annotations(entsql.OnDelete(entsql.NoAction)),
		edge.To("assignees", User.Type).Through("task_assignees", TaskAssignee.Type).Comment("who is to do it, by name"),
		edge.To("copies", Task.Type).Annotations(hidden(), entsql.OnDelete(entsql.NoAction)).
			From("copy_of").Field("copy_of_id").Unique().Immutable().Annotations(unfiltered()).
			Comment("the recurring task that it was copied from; null for others, and where the viewer does not see that one"),
		edge.From("images", TaskImage.Type).Ref("task").Annotations(unfiltered()).Comment("pictures, the oldest first"),
		edge.From("checklist", TaskChecklistItem.Type).Ref("task").Annotations(unfiltered()).Comment("what is to be done, in order"),
		edge.From("comments", TaskComment.Type).Ref("task").Annotations(unfiltered()).Comment("the oldest first"),
		edge.From("attachments", TaskAttachment.Type).Ref("task").Annotations(unfiltered()).Comment("files, the oldest first"),
	}
}

// Indexes of the Task.
func (Task) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("company_id", "deleted_at", "created_at"), // pages and their totals
		index.Fields("company_id", "deleted_at", "status", "created_at"),
		index.Fields("company_id", "due_at"),
		index.Fields("company_id", "project_id", "created_at"),
		index.Fields("company_id", "category_id", "created_at"),
		index.Fields("creator_id", "created_at"),
		index.Fields("copy_of_id", "copied_on").Unique(),
		index.Fields("recurs_on"),
		index.Fields("deleted_at"),
	}
}

// Annotations of the Task.
func (Task) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), about("creator_id"), Facts{ByHand: true}}
}
