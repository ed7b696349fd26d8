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

// RotationAssignment gives a user a rotation for a period.
type RotationAssignment struct{ ent.Schema }

// Mixin of the RotationAssignment.
func (RotationAssignment) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "shift", Owner: "user_id"}}, Audited{Name: "rotation_assignment"}}
}

// Fields of the RotationAssignment.
func (RotationAssignment) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.Int("rotation_id").Immutable().Annotations(hidden()),
		field.String("starts_on").Immutable().MaxLen(10).SchemaType(date).Annotations(entgql.Type("Date"), unfiltered()).Comment("first local date"),
		field.String("ends_on").Optional().Nillable().MaxLen(10).SchemaType(date).
			Annotations(entgql.Type("Date"), unfiltered()).Comment("last local date; null means open-ended"),
		field.Int("first_day").Immutable().Default(1).Min(1).Annotations(unfiltered()).Comment("the day of the sequence that falls on starts_on"),
	}
}

// Edges of the RotationAssignment.
func (RotationAssignment) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
		edge.To("rotation", Rotation.Type).Field("rotation_id").Unique().Required().Immutable(),
	}
}

// Indexes of the RotationAssignment.
func (RotationAssignment) Indexes() []ent.Index {
	return []ent.Index{index.Fields("company_id", "user_id", "starts_on")}
}

// Annotations of the RotationAssignment.
func (RotationAssignment) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), about("user_id")}
}
