package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// DeviceTrust says that a user has proved, by a one-time code, to hold a device.
type DeviceTrust struct{ ent.Schema }

// Mixin of the DeviceTrust.
func (DeviceTrust) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "device", Owner: "user_id", People: true}}}
}

// Fields of the DeviceTrust.
func (DeviceTrust) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.Int("device_id").Immutable().Annotations(hidden()),
		field.String("name").Optional().Nillable().MaxRuneLen(100).Comment("what the user calls the device"),
		field.Time("trusted_at").SchemaType(instant),
		field.Time("revoked_at").Optional().Nillable().SchemaType(instant),
	}
}

// Edges of the DeviceTrust.
func (DeviceTrust) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
		edge.To("device", Device.Type).Annotations(hidden()).Field("device_id").Unique().Required().Immutable(),
	}
}

// Indexes of the DeviceTrust.
func (DeviceTrust) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "device_id").Unique()}
}

// Interceptors of the DeviceTrust.
func (DeviceTrust) Interceptors() []ent.Interceptor { return edgesOldestFirst() }

// Annotations of the DeviceTrust.
func (DeviceTrust) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.Skip(entgql.SkipWhereInput), erased("user_id")}
}
