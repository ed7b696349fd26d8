package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/internal/viewer"
)

// RequestRecord remembers the outcome of a write for 24 hours, so that the same
// request sent again is answered alike and does nothing twice. It is written in
// the transaction of the write.
type RequestRecord struct{ ent.Schema }

// Mixin of the RequestRecord.
func (RequestRecord) Mixin() []ent.Mixin { return []ent.Mixin{Owned{Access: viewer.Access{}}} }

// Fields of the RequestRecord.
func (RequestRecord) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable(),
		field.Int("device_id").Immutable(),
		field.String("request_id").Immutable().MaxLen(128).Comment("X-Req-Id as sent"),
		field.Bytes("fingerprint").Immutable().SchemaType(digest).Comment("keyed digest of operation and body"),
		field.String("outcome").Default("").SchemaType(long).Comment("the answer's data, JSON"),
		field.Int("attendance_id").Optional().Nillable().Comment("not used any more; the release before writes it"),
		field.Time("created_at").SchemaType(instant),
	}
}

// Indexes of the RequestRecord.
func (RequestRecord) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id", "request_id", "fingerprint").Unique(),
		index.Fields("device_id", "request_id"),
		index.Fields("created_at"),
	}
}

// Annotations of the RequestRecord.
func (RequestRecord) Annotations() []schema.Annotation {
	return []schema.Annotation{hidden(), cleaned("created_at"), erased("user_id"), unexported()}
}
