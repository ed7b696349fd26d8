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

// OvertimeApproval is the decision about somebody's overtime of one date. It goes when the
// work of the date changes, or of the week where the company has a weekly rule.
type OvertimeApproval struct{ ent.Schema }

// Mixin of the OvertimeApproval. The use case decides who writes.
func (OvertimeApproval) Mixin() []ent.Mixin {
	return []ent.Mixin{
		Owned{Access: viewer.Access{Resource: "attendance", Owner: "user_id", ReadOnly: true}}, Audited{Name: "overtime_approval"},
	}
}

// Fields of the OvertimeApproval.
func (OvertimeApproval) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.String("date").Immutable().MaxLen(10).SchemaType(date).Annotations(entgql.Type("Date"), entgql.OrderField("DATE")).
			Comment("local date of the work"),
		field.Bool("approved").Comment("false where it was refused"),
		field.Int("seconds").Comment("of overtime that were approved; 0 where it was refused"),
		field.String("note").Optional().Nillable().MaxLen(1000).Annotations(unfiltered(), personal()),
		field.Int("decided_by").Annotations(hidden()),
		field.Time("decided_at").SchemaType(instant).Annotations(unfiltered()),
	}
}

// Edges of the OvertimeApproval.
func (OvertimeApproval) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable()}
}

// Indexes of the OvertimeApproval.
func (OvertimeApproval) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "date").Unique(), index.Fields("company_id", "date")}
}

// Annotations of the OvertimeApproval.
func (OvertimeApproval) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), about("user_id"), mentions("decided_by")}
}
