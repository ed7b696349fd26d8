package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// RecoveryLink is a link to the page on which a person sets another password, made by
// an operator. Its token is stored as a digest.
type RecoveryLink struct{ ent.Schema }

// Mixin of the RecoveryLink.
func (RecoveryLink) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the RecoveryLink.
func (RecoveryLink) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("token_hash").Unique().Immutable().SchemaType(digest).Comment("SHA-256 of the token"),
		field.Int("user_id").Immutable(),
		field.Time("created_at").Immutable().SchemaType(instant),
		field.Time("expires_at").Immutable().SchemaType(instant),
		field.Time("used_at").Optional().Nillable().SchemaType(instant),
		field.Int8("live").Optional().Nillable().Default(1).Comment("null once used or replaced: a person has one live link"),
	}
}

// Indexes of the RecoveryLink.
func (RecoveryLink) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "live").Unique(), index.Fields("expires_at")}
}

// Annotations of the RecoveryLink.
func (RecoveryLink) Annotations() []schema.Annotation {
	return []schema.Annotation{cleaned("expires_at"), erased("user_id"), unexported()}
}
