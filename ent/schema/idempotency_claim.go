package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/internal/viewer"
)

// IdempotencyClaim is one use of an Idempotency-Key. It is committed with a
// lease before the request runs, and its outcome with the effect.
type IdempotencyClaim struct{ ent.Schema }

// Mixin of the IdempotencyClaim.
func (IdempotencyClaim) Mixin() []ent.Mixin { return []ent.Mixin{Owned{Access: viewer.Access{}}} }

// Fields of the IdempotencyClaim.
func (IdempotencyClaim) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable(),
		field.String("key").Immutable().MaxLen(255).Comment("Idempotency-Key as sent"),
		field.Bytes("fingerprint").Immutable().SchemaType(digest).Comment("keyed digest of operation and body"),
		field.Bytes("holder").SchemaType(digest).Comment("names the request that runs"),
		field.Time("lease_until").SchemaType(instant).Comment("by the clock of the database; after this another request may take over"),
		field.String("outcome").Optional().Nillable().SchemaType(long).Comment("the answer's data, JSON; null while it runs"),
		field.Time("created_at").SchemaType(instant),
	}
}

// Indexes of the IdempotencyClaim.
func (IdempotencyClaim) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "key").Unique(), index.Fields("created_at")}
}

// Annotations of the IdempotencyClaim.
func (IdempotencyClaim) Annotations() []schema.Annotation {
	return []schema.Annotation{hidden(), cleaned("created_at"), erased("user_id"), unexported()}
}
