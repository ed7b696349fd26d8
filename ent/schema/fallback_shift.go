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

// FallbackShift is the shift of a user, a designation or a business, one of the three,
// on dates for which nothing else plans one.
type FallbackShift struct{ ent.Schema }

// Mixin of the FallbackShift.
func (FallbackShift) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "shift", Owner: "user_id"}}, Audited{Name: "fallback_shift"}}
}

// Fields of the FallbackShift.
func (FallbackShift) Fields() []ent.Field {
	return []ent.Field{
		field.Int("shift_id").Annotations(hidden()),
		field.Int("user_id").Optional().Nillable().Immutable().Annotations(hidden()),
		field.Int("designation_id").Optional().Nillable().Immutable().Annotations(hidden()),
		field.Time("created_at").Immutable().SchemaType(instant).Annotations(unfiltered()),
		field.Int("business_id").Optional().Nillable().Immutable().Annotations(hidden()),
	}
}

// Edges of the FallbackShift.
func (FallbackShift) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("shift", Shift.Type).Field("shift_id").Unique().Required(),
		edge.To("user", User.Type).Field("user_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)),
		edge.To("designation", Designation.Type).Field("designation_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)),
		edge.To("business", Business.Type).Field("business_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)),
	}
}

// Indexes of the FallbackShift.
func (FallbackShift) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id").Unique(), index.Fields("designation_id").Unique(), index.Fields("business_id").Unique(),
		index.Fields("company_id"),
	}
}

// Annotations of the FallbackShift.
func (FallbackShift) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), erased("user_id")}
}
