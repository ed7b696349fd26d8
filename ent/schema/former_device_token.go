package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// FormerDeviceToken is a device token that another one replaced. It is known to be
// revoked for as long as the row is stored.
type FormerDeviceToken struct{ ent.Schema }

// Mixin of the FormerDeviceToken.
func (FormerDeviceToken) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the FormerDeviceToken.
func (FormerDeviceToken) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("hash").Unique().Immutable().SchemaType(digest),
		field.Int("device_id").Immutable(),
		field.Time("replaced_at").Immutable().SchemaType(instant),
	}
}

// Indexes of the FormerDeviceToken.
func (FormerDeviceToken) Indexes() []ent.Index { return []ent.Index{index.Fields("replaced_at")} }

// Annotations of the FormerDeviceToken.
func (FormerDeviceToken) Annotations() []schema.Annotation {
	return []schema.Annotation{Facts{CleanedBy: []string{"replaced_at"}, CleanedAfter: 90 * 24}, erasedWith("Device", "device_id"), unexported()}
}
