package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/internal/viewer"
)

// Token is a user, access or refresh token. Only its hash is stored.
type Token struct{ ent.Schema }

// Mixin of the Token.
func (Token) Mixin() []ent.Mixin { return []ent.Mixin{Owned{Access: viewer.Access{}}} }

// Fields of the Token.
func (Token) Fields() []ent.Field {
	return []ent.Field{
		field.Int("session_id").Immutable(),
		field.Enum("kind").Values("user", "access", "refresh").Immutable(),
		field.Bytes("hash").Unique().Immutable().SchemaType(digest),
		field.Int("generation").Immutable().Comment("of the pair it belongs to; 0 for a user token"),
		field.Time("issued_at").Immutable().SchemaType(instant),
		field.Time("expires_at").Immutable().SchemaType(instant),
		field.Time("spent_at").Optional().Nillable().SchemaType(instant).Comment("when a refresh token was first used"),
		field.Time("revoked_at").Optional().Nillable().SchemaType(instant).Annotations(credential()),
	}
}

// Edges of the Token.
func (Token) Edges() []ent.Edge {
	return []ent.Edge{edge.To("session", Session.Type).Field("session_id").Unique().Required().Immutable()}
}

// Indexes of the Token.
func (Token) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("session_id", "kind", "generation"),
		index.Fields("expires_at"),
	}
}

// Annotations of the Token.
func (Token) Annotations() []schema.Annotation {
	return []schema.Annotation{hidden(), updatesCredentials(), cleaned("expires_at"), erasedWith("Session", "session_id"), unexported()}
}
