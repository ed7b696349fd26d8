package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
)

// PasswordKey is a key pair that apps encrypt passwords with. The private half
// is sealed.
type PasswordKey struct{ ent.Schema }

// Mixin of the PasswordKey.
func (PasswordKey) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the PasswordKey.
func (PasswordKey) Fields() []ent.Field {
	return []ent.Field{
		field.String("kid").Unique().Immutable().MaxLen(64).Comment("names the key in the key set"),
		field.String("sealed_private").Immutable().Sensitive().SchemaType(long),
		field.Int8("current").Optional().Nillable().Unique().Comment("null once another has taken its place"),
		field.Time("created_at").Immutable().SchemaType(instant),
		field.Time("accepted_until").Optional().Nillable().SchemaType(instant).
			Comment("until when a key that was replaced is still accepted; null while it is current"),
	}
}

// Annotations of the PasswordKey: a key is deleted a day after passwords for it are
// refused.
func (PasswordKey) Annotations() []schema.Annotation {
	return []schema.Annotation{cleaned("accepted_until")}
}
