package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

// Device is one installation of the app. It belongs to no company: who may see
// it follows from DeviceTrust.
type Device struct{ ent.Schema }

// Mixin of the Device.
func (Device) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the Device.
func (Device) Fields() []ent.Field {
	return []ent.Field{
		field.String("device_id").MaxLen(255).Comment("as the app names itself"),
		field.Enum("platform").Values("android", "ios", "web"),
		field.String("model").Optional().Nillable().MaxLen(255),
		field.String("os_version").Optional().Nillable().MaxLen(64),
		field.String("app_version").Optional().Nillable().MaxLen(64),
		field.String("push_token").Optional().Nillable().MaxLen(4096).Sensitive().SchemaType(long),
		field.Bytes("token_hash").Unique().SchemaType(digest).Comment("of the token in use"),
		field.Bytes("next_token_hash").Optional().Nillable().Unique().SchemaType(digest).
			Comment("of the token that takes over at its first use"),
		field.Time("created_at").Immutable().SchemaType(instant),
		field.Time("revoked_at").Optional().Nillable().SchemaType(instant),
	}
}
