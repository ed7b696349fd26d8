package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
)

// SetupLink is a link to the page that creates the first company and its owner. Its
// token is stored as a digest; of all links together, one is used once.
type SetupLink struct{ ent.Schema }

// Mixin of the SetupLink.
func (SetupLink) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the SetupLink.
func (SetupLink) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("token_hash").Unique().Immutable().SchemaType(digest).Comment("SHA-256 of the token"),
		field.Time("created_at").Immutable().SchemaType(instant),
		field.Time("expires_at").SchemaType(instant),
		field.Time("closed_at").Optional().Nillable().SchemaType(instant).
			Comment("when the first company was created, by this link or otherwise"),
	}
}

// Annotations of the SetupLink.
func (SetupLink) Annotations() []schema.Annotation {
	return []schema.Annotation{cleaned("expires_at")}
}
