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

// AllowedPlace is one work site of the set at which a person, whoever works a shift or
// holds a designation, or whoever works in a business or below it, may clock in: exactly
// one of the four. Who has no set may clock in at every site of the company.
type AllowedPlace struct{ ent.Schema }

// Mixin of the AllowedPlace.
func (AllowedPlace) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "organization"}}, Audited{Name: "allowed_place"}}
}

// Fields of the AllowedPlace.
func (AllowedPlace) Fields() []ent.Field {
	return []ent.Field{
		field.Enum("of").Values("user", "shift", "designation", "business").Immutable().Comment("whose set it is"),
		field.Int("address_id").Immutable().Annotations(hidden()),
		field.Int("user_id").Optional().Nillable().Immutable().Annotations(hidden()),
		field.Int("shift_id").Optional().Nillable().Immutable().Annotations(hidden()),
		field.Int("designation_id").Optional().Nillable().Immutable().Annotations(hidden()),
		field.Int("business_id").Optional().Nillable().Immutable().Annotations(hidden()),
	}
}

// Edges of the AllowedPlace. A site stays while it is in a set: a set without it would
// allow more.
func (AllowedPlace) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("address", Address.Type).Field("address_id").Unique().Required().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)),
		edge.To("user", User.Type).Field("user_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)).
			Comment("the person whose set it is; null for another set"),
		edge.To("shift", Shift.Type).Field("shift_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)).
			Comment("the shift whose set it is; null for another set"),
		edge.To("designation", Designation.Type).Field("designation_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)).
			Comment("the designation whose set it is; null for another set"),
		edge.To("business", Business.Type).Field("business_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)).
			Comment("the business whose set it is; null for another set"),
	}
}

// Indexes of the AllowedPlace.
func (AllowedPlace) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id", "address_id").Unique(),
		index.Fields("shift_id", "address_id").Unique(),
		index.Fields("designation_id", "address_id").Unique(),
		index.Fields("business_id", "address_id").Unique(),
		index.Fields("company_id", "business_id"), // whether any business has a set
	}
}

// Annotations of the AllowedPlace.
func (AllowedPlace) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), erased("user_id")}
}
