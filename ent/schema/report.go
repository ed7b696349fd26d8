package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// Report is a file of what somebody may read, which a job makes and which is deleted with
// the row. Those who see the row besides its owner do not get the file.
type Report struct{ ent.Schema }

// Mixin of the Report: use cases and jobs alone write rows.
func (Report) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "report", Owner: "user_id", ReadOnly: true, People: true}}, Audited{Name: "report"}}
}

// Fields of the Report.
func (Report) Fields() []ent.Field {
	fields := append([]ent.Field{field.Int("user_id").Immutable().Annotations(hidden())}, asked()...)
	return append(fields,
		field.String("from_date").Immutable().MaxLen(10).SchemaType(date).Annotations(entgql.MapsTo("from"), entgql.Type("Date"), unfiltered()).
			Comment("first local date of the company"),
		field.String("to_date").Immutable().MaxLen(10).SchemaType(date).Annotations(entgql.MapsTo("to"), entgql.Type("Date"), unfiltered()).
			Comment("last local date; the one before from where the period is empty"),
		field.String("language").Immutable().MaxLen(10).Annotations(unfiltered()).Comment("of the texts in the file: id or en"),
		field.String("timezone").Immutable().MaxLen(64).Annotations(unfiltered()).Comment("IANA name, of the company when it was asked for"),
		field.Bool("byte_order_mark").Default(false).Immutable().Annotations(unfiltered()).Comment("a CSV file begins with one"),
		field.Enum("status").Values("queued", "running", "done", "failed", "cancelled").Default("queued").Annotations(unaudited()),
		field.Int("progress").Default(0).Annotations(unfiltered(), unaudited()).Comment("per cent of the work that is done"),
		field.Int("rows").Optional().Nillable().Annotations(unfiltered(), unaudited()).Comment("rows of the table, without its header; null until it is done"),
		field.Int("size").Optional().Nillable().Annotations(unfiltered(), unaudited()).Comment("bytes of the file; null until it is done"),
		field.String("failure").Optional().Nillable().MaxLen(64).Annotations(unfiltered(), unaudited()).Comment("code of the error of a report that failed"),
		field.Bytes("key").Optional().Nillable().MaxLen(32).SchemaType(digest).Annotations(hidden(), unaudited()).
			Comment("SHA-256 of who asked for what, by which asking again finds it; null once another one may be made"),
		field.String("reach").Optional().Nillable().SchemaType(long).Annotations(hidden(), unaudited()).
			Comment("JSON: the scope and the businesses that it was made with, which its reader must still have"),
		field.Int("job_id").Optional().Nillable().Annotations(hidden(), unaudited()).Comment("job that makes the file"),
		field.Int("file_id").Optional().Nillable().Annotations(hidden(), unaudited(), storedFile()).Comment("null until it is made"),
		field.String("object").Optional().Nillable().MaxLen(100).Annotations(hidden(), unaudited()).Comment("name of the file in the store"),
		field.Int("schedule_id").Optional().Nillable().Immutable().Annotations(hidden()).Comment("the ReportSchedule that asked for it"),
		field.Time("created_at").Immutable().SchemaType(instant).Annotations(entgql.OrderField("CREATED_AT")),
		field.Time("finished_at").Optional().Nillable().SchemaType(instant).Annotations(unfiltered(), unaudited()).Comment("when it was done, failed or cancelled"),
		field.Time("expires_at").SchemaType(instant).Annotations(unfiltered(), unaudited()).Comment("when it is deleted"),
	)
}

// asked returns the columns that say what a report shows.
func asked() []ent.Field {
	return []ent.Field{
		field.Enum("kind").Values("task", "attendance", "timesheet", "overtime", "leave", "ticket").Immutable(),
		field.Enum("format").Values("xlsx", "pdf", "csv").Immutable(),
		field.Int("subject_id").Optional().Nillable().Immutable().Annotations(entgql.MapsTo("subjectId"), entgql.Type("ID"), unfiltered()).
			Comment("the one person whom it is about; null for everybody whom its owner reads"),
		field.Int("project_id").Optional().Nillable().Immutable().Annotations(entgql.MapsTo("projectId"), entgql.Type("ID"), unfiltered()).
			Comment("the one project whose tasks it shows; null for all"),
	}
}

// Edges of the Report.
func (Report) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().Comment("who asked for it, and alone gets it")}
}

// Indexes of the Report.
func (Report) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("key").Unique(),
		index.Fields("company_id", "user_id", "created_at"),
		index.Fields("company_id", "created_at"),
		index.Fields("status", "created_at"),
		index.Fields("schedule_id"),
		index.Fields("file_id"),
		index.Fields("expires_at"),
	}
}

// Annotations of the Report.
func (Report) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), erased("user_id"), mentions("subject_id")}
}
