package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// DeviceApproval asks whether a user may trust another device: they have proved, by a
// one-time code, to hold it, and the company wants somebody else to agree. A user has at
// most one for a device that waits: open_marker is null once it was decided.
type DeviceApproval struct{ ent.Schema }

// Mixin of the DeviceApproval.
func (DeviceApproval) Mixin() []ent.Mixin {
	return []ent.Mixin{
		Owned{Access: viewer.Access{Resource: "device", Owner: "user_id", ReadOnly: true, Decided: true, People: true}},
		Audited{Name: "device_approval"},
	}
}

// Fields of the DeviceApproval.
func (DeviceApproval) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.Int("device_id").Immutable().Annotations(hidden()),
		field.String("platform").Immutable().MaxLen(16).Annotations(unfiltered()).Comment("of the device: android, ios or web"),
		field.String("model").Optional().Nillable().Immutable().MaxRuneLen(255).Annotations(unfiltered()).Comment("of the device, as the app said"),
		field.Enum("status").Values("pending", "approved", "refused", "expired").Default("pending"),
		field.Int8("open_marker").Optional().Nillable().Default(1).Annotations(hidden(), unaudited()),
		field.Time("requested_at").Immutable().SchemaType(instant),
		field.Time("expires_at").Immutable().SchemaType(instant).Comment("until when it can be decided"),
		field.Time("decided_at").Optional().Nillable().SchemaType(instant),
		field.Int("decided_by_id").Optional().Nillable().Annotations(hidden()),
		field.String("note").Optional().Nillable().MaxRuneLen(250).Annotations(unfiltered()).Comment("of who decided"),
	}
}

// Edges of the DeviceApproval.
func (DeviceApproval) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
		edge.To("device", Device.Type).Annotations(hidden()).Field("device_id").Unique().Required().Immutable(),
		edge.To("decided_by", User.Type).Annotations(unfiltered(), entsql.OnDelete(entsql.NoAction)).Field("decided_by_id").Unique(),
	}
}

// Indexes of the DeviceApproval.
func (DeviceApproval) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id", "device_id", "open_marker").Unique(),
		index.Fields("company_id", "status"), // what waits for a decision
	}
}

// Annotations of the DeviceApproval.
func (DeviceApproval) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), erased("user_id"), mentions("decided_by_id")}
}
