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

// PlannedDay says which shifts a user works on one date, whatever else plans for it: a
// change, a swap, or a day off.
type PlannedDay struct{ ent.Schema }

// Mixin of the PlannedDay.
func (PlannedDay) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "shift", Owner: "user_id"}}, Audited{Name: "planned_day"}}
}

// Fields of the PlannedDay.
func (PlannedDay) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.String("date").Immutable().MaxLen(10).SchemaType(date).Annotations(entgql.Type("Date"), entgql.OrderField("DATE")).
			Comment("local date"),
		field.Ints("shift_ids").SchemaType(text).Annotations(hidden()).Comment("none is a day off"),
	}
}

// Edges of the PlannedDay.
func (PlannedDay) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable()}
}

// Indexes of the PlannedDay.
func (PlannedDay) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "date").Unique(), index.Fields("company_id", "date")}
}

// Annotations of the PlannedDay.
func (PlannedDay) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), about("user_id")}
}
