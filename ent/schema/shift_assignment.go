package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// ShiftAssignment gives a user a shift on some days of a period.
type ShiftAssignment struct{ ent.Schema }

// Mixin of the ShiftAssignment.
func (ShiftAssignment) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "shift", Owner: "user_id"}}, Audited{Name: "shift_assignment"}}
}

// Fields of the ShiftAssignment.
func (ShiftAssignment) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.Int("shift_id").Immutable().Annotations(hidden()),
		field.String("starts_on").MaxLen(10).SchemaType(date).
			Annotations(entgql.Type("Date"), unfiltered()).Comment("first local date"),
		field.String("ends_on").Optional().Nillable().MaxLen(10).SchemaType(date).
			Annotations(entgql.Type("Date"), unfiltered()).Comment("last local date; null means open-ended"),
		field.Ints("weekdays").SchemaType(map[string]string{dialect.MySQL: "varchar(32)", dialect.SQLite: "text"}).
			Comment("ISO weekdays, 1 is Monday"),
		field.Int("every_weeks").Default(1).Min(1).Max(8).Annotations(unfiltered()).Comment("every how many weeks, counted from the week of starts_on"),
	}
}

// Edges of the ShiftAssignment.
func (ShiftAssignment) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
		edge.To("shift", Shift.Type).Field("shift_id").Unique().Required().Immutable(),
	}
}

// Indexes of the ShiftAssignment.
func (ShiftAssignment) Indexes() []ent.Index {
	return []ent.Index{index.Fields("company_id", "user_id", "starts_on")}
}

// Annotations of the ShiftAssignment.
func (ShiftAssignment) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), about("user_id")}
}
