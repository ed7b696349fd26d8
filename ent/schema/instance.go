package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Instance is a server that runs on the database, and says which secret keys it has: the
// next key is written with only once all of them have it.
type Instance struct{ ent.Schema }

// Mixin of the Instance.
func (Instance) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the Instance.
func (Instance) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").Unique().Immutable().MaxLen(32).Comment("random"),
		field.String("writes").MaxLen(32).Comment("fingerprint of the secret key that it seals with"),
		field.String("opens").MaxLen(255).Comment("fingerprints of the secret keys that it opens with, with a space between"),
		field.Time("lease_until").SchemaType(instant).Comment("by the clock of the database"),
	}
}

// Indexes of the Instance.
func (Instance) Indexes() []ent.Index { return []ent.Index{index.Fields("lease_until")} }

// Annotations of the Instance.
func (Instance) Annotations() []schema.Annotation {
	return []schema.Annotation{cleaned("lease_until")}
}
