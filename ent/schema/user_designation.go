package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/internal/viewer"
)

// UserDesignation says that a user holds a designation.
type UserDesignation struct{ ent.Schema }

// Mixin of the UserDesignation.
func (UserDesignation) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "user", Directory: true, Owner: "user_id"}}, InDirectory{}, Audited{Name: "user_designation"}}
}

// Fields of the UserDesignation.
func (UserDesignation) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable(),
		field.Int("designation_id").Immutable(),
	}
}

// Edges of the UserDesignation.
func (UserDesignation) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
		edge.To("designation", Designation.Type).Field("designation_id").Unique().Required().Immutable(),
	}
}

// Indexes of the UserDesignation.
func (UserDesignation) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id", "designation_id").Unique(),
		index.Fields("company_id", "user_id", "designation_id"),
	}
}

// Annotations of the UserDesignation.
func (UserDesignation) Annotations() []schema.Annotation {
	return []schema.Annotation{hidden(), erased("user_id")}
}
