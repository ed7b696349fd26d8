package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// Device is one installation of the app. It has no company: a viewer sees
// it who sees a DeviceTrust of it.
type Device struct{ ent.Schema }

// Fields of the Device.
func (Device) Fields() []ent.Field {
	return []ent.Field{
		field.String("device_id").MaxRuneLen(255).Annotations(unfiltered(), entgql.MapsTo("deviceId"), credential(), personal()).Comment("as the app names itself"),
		field.Enum("platform").Values("android", "ios", "web").Annotations(credential()),
		field.String("model").Optional().Nillable().MaxRuneLen(255),
		field.String("os_version").Optional().Nillable().MaxRuneLen(64),
		field.String("app_version").Optional().Nillable().MaxRuneLen(64),
		field.String("push_token").Optional().Nillable().MaxRuneLen(4096).Sensitive().SchemaType(long).Annotations(hidden()),
		field.Bytes("token_hash").Unique().SchemaType(digest).Annotations(hidden(), credential()).Comment("of the token in use"),
		field.Bytes("next_token_hash").Optional().Nillable().Unique().SchemaType(digest).Annotations(hidden(), credential()).
			Comment("of the token that takes over at its first use"),
		field.Time("created_at").Immutable().SchemaType(instant),
		field.Time("revoked_at").Optional().Nillable().SchemaType(instant).Annotations(credential()),
	}
}

// Edges of the Device.
func (Device) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("trusts", DeviceTrust.Type).Ref("device").Annotations(unfiltered()).
			Comment("who trusts it"),
	}
}

// Policy of the Device.
func (Device) Policy() ent.Policy { return devicePolicy() }

// Annotations of the Device.
func (Device) Annotations() []schema.Annotation {
	return []schema.Annotation{Facts{Access: &viewer.Access{Resource: "device", Owner: "user_id", People: true}, Unlinked: true}, updatesCredentials(), entgql.RelayConnection(), entgql.QueryField(), erasedWith("Device", "id")}
}
