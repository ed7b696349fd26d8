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

// ReportSchedule has a report made for a person after each week or month, of what they may
// read then, and has them told where it is.
type ReportSchedule struct{ ent.Schema }

// Mixin of the ReportSchedule.
func (ReportSchedule) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "report", Owner: "user_id", People: true}}, Audited{Name: "report_schedule"}}
}

// Fields of the ReportSchedule.
func (ReportSchedule) Fields() []ent.Field {
	fields := append([]ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.Int("created_by").Immutable().Annotations(hidden()),
	}, asked()...)
	return append(fields,
		field.Enum("every").Values("week", "month").Comment("after which a report of it is made"),
		field.Bool("active").Default(true).Comment("false while none is made"),
		field.Time("due_at").SchemaType(instant).Annotations(entgql.OrderField("DUE_AT"), unaudited()).
			Comment("when the next report is made, of the week or month before"),
		field.Time("made_at").Optional().Nillable().SchemaType(instant).Annotations(unfiltered(), unaudited()).Comment("when the last report was asked for; null before"),
		field.Time("created_at").Immutable().SchemaType(instant).Annotations(entgql.OrderField("CREATED_AT")),
	)
}

// Edges of the ReportSchedule.
func (ReportSchedule) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().Comment("who gets the reports")}
}

// Indexes of the ReportSchedule.
func (ReportSchedule) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("company_id", "user_id", "created_at"),
		index.Fields("active", "due_at"),
	}
}

// Annotations of the ReportSchedule.
func (ReportSchedule) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entgql.RelayConnection(), entgql.QueryField(), erased("user_id"), mentions("created_by"), mentions("subject_id"),
	}
}
