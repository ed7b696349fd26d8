package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// LoginThrottle counts the failed sign-ins with one typed name, from untrusted
// devices together and from each trusted device apart. Success deletes it.
type LoginThrottle struct{ ent.Schema }

// Mixin of the LoginThrottle.
func (LoginThrottle) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the LoginThrottle.
func (LoginThrottle) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("key").Unique().Immutable().SchemaType(digest).Comment("keyed digest of the typed name and, where trusted, the device"),
		field.Int("failures").Default(0),
		field.Time("blocked_until").SchemaType(instant).Comment("until when every try is refused, right or wrong"),
		field.Time("updated_at").SchemaType(instant),
		field.Time("audited_at").Optional().Nillable().SchemaType(instant).Comment("when a refused try was last recorded in the audit"),
	}
}

// Indexes of the LoginThrottle.
func (LoginThrottle) Indexes() []ent.Index { return []ent.Index{index.Fields("updated_at")} }

// Annotations of the LoginThrottle.
func (LoginThrottle) Annotations() []schema.Annotation {
	return []schema.Annotation{cleaned("updated_at")}
}
