package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// ObjectHold keeps the objects of the file store: while one is in force, none is deleted. A
// backup has one until it has copied the objects that its rows name.
type ObjectHold struct{ ent.Schema }

// Mixin of the ObjectHold.
func (ObjectHold) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the ObjectHold.
func (ObjectHold) Fields() []ent.Field {
	return []ent.Field{
		field.String("holder").Unique().Immutable().MaxLen(32).Comment("random name of who holds them"),
		field.Time("lease_until").SchemaType(instant).Comment("by the clock of the database"),
	}
}

// Indexes of the ObjectHold.
func (ObjectHold) Indexes() []ent.Index { return []ent.Index{index.Fields("lease_until")} }

// Annotations of the ObjectHold.
func (ObjectHold) Annotations() []schema.Annotation {
	return []schema.Annotation{cleaned("lease_until")}
}
