package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/internal/viewer"
)

// FormerPassword is the hash of a password that a user has had, so that it is
// not chosen again soon.
type FormerPassword struct{ ent.Schema }

// Mixin of the FormerPassword.
func (FormerPassword) Mixin() []ent.Mixin { return []ent.Mixin{Owned{Access: viewer.Access{}}} }

// Fields of the FormerPassword.
func (FormerPassword) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable(),
		field.String("hash").Immutable().Sensitive().MaxLen(255).Comment("argon2id in PHC form"),
		field.Time("created_at").Immutable().SchemaType(instant),
	}
}

// Edges of the FormerPassword.
func (FormerPassword) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable()}
}

// Indexes of the FormerPassword.
func (FormerPassword) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "created_at")}
}

// Annotations of the FormerPassword.
func (FormerPassword) Annotations() []schema.Annotation {
	return []schema.Annotation{hidden(), erased("user_id"), unexported()}
}
