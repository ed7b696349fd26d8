package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Certificate is what the instances share of the certificates that a CA issues: certificates
// with their keys, the key of the account, and answers to the CA's challenges.
type Certificate struct{ ent.Schema }

// Mixin of the Certificate.
func (Certificate) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the Certificate.
func (Certificate) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").Unique().Immutable().MaxLen(300).
			Comment("as package autocert names it, such as api.example.com"),
		field.String("sealed").Optional().Nillable().Sensitive().SchemaType(long).
			Comment("PEM or text, sealed; null while the first one is ordered"),
		field.String("holder").Optional().Nillable().MaxLen(32).Comment("random name of the instance that orders"),
		field.Time("lease_until").Optional().Nillable().SchemaType(instant).
			Comment("until when no other instance orders, by the clock of the database"),
		field.Time("expires_at").Optional().Nillable().SchemaType(instant).
			Comment("when the row is of no use any more; null for the key of the account"),
		field.Time("updated_at").SchemaType(instant),
	}
}

// Indexes of the Certificate.
func (Certificate) Indexes() []ent.Index { return []ent.Index{index.Fields("expires_at")} }

// Annotations of the Certificate.
func (Certificate) Annotations() []schema.Annotation {
	return []schema.Annotation{cleaned("expires_at"), unexported()}
}
