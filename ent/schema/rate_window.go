package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// RateWindow counts the events of one key in one hour, over all instances.
type RateWindow struct{ ent.Schema }

// Mixin of the RateWindow.
func (RateWindow) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the RateWindow.
func (RateWindow) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("key").Immutable().SchemaType(digest).Comment("keyed digest of what is counted"),
		field.Time("starts_at").Immutable().SchemaType(instant),
		field.Int("count").Default(0),
	}
}

// Indexes of the RateWindow.
func (RateWindow) Indexes() []ent.Index {
	return []ent.Index{index.Fields("key", "starts_at").Unique(), index.Fields("starts_at")}
}

// Annotations of the RateWindow.
func (RateWindow) Annotations() []schema.Annotation { return []schema.Annotation{cleaned("starts_at")} }
