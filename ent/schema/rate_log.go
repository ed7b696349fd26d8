package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// RateLog lists the recent events of one key, over all instances. A transaction
// that changes the row of a key holds off all others of the key until it ends.
type RateLog struct{ ent.Schema }

// Mixin of the RateLog.
func (RateLog) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the RateLog.
func (RateLog) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("key").Unique().Immutable().SchemaType(digest).Comment("keyed digest of what is counted"),
		field.Bytes("events").Optional().SchemaType(map[string]string{dialect.MySQL: "varbinary(1024)"}).Comment("instants and counts, the oldest first"),
		field.Time("updated_at").SchemaType(instant),
	}
}

// Indexes of the RateLog.
func (RateLog) Indexes() []ent.Index { return []ent.Index{index.Fields("updated_at")} }

// Annotations of the RateLog.
func (RateLog) Annotations() []schema.Annotation { return []schema.Annotation{cleaned("updated_at")} }
