package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// Session is one sign-in of a user on a device: the family of its user token
// and of all access and refresh tokens that follow from it. They end together.
type Session struct{ ent.Schema }

// Mixin of the Session.
func (Session) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "session", Owner: "user_id", People: true}}}
}

// Fields of the Session.
func (Session) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.Int("device_id").Immutable().Annotations(hidden()),
		field.Bytes("family").Annotations(hidden()).Unique().Immutable().MaxLen(16).SchemaType(map[string]string{dialect.MySQL: "binary(16)"}).Comment("random name from which successors are derived"),
		field.Int("generation").Default(0).Annotations(hidden()).Comment("of the token pair in use; 0 before the first"),
		field.Time("created_at").Immutable().SchemaType(instant).Annotations(entgql.OrderField("CREATED_AT")),
		field.Time("verified_at").Optional().Nillable().SchemaType(instant).Annotations(credential()).
			Comment("when the device was known to be the user's; null until then"),
		field.Time("ends_at").Optional().Nillable().SchemaType(instant).Annotations(credential()).
			Comment("when even a used session is over; null before the first pair"),
		field.Time("revoked_at").Optional().Nillable().SchemaType(instant).Annotations(credential()),
	}
}

// Edges of the Session.
func (Session) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
		edge.To("device", Device.Type).Annotations(unfiltered()).Field("device_id").Unique().Required().Immutable(),
	}
}

// Indexes of the Session.
func (Session) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "revoked_at"), index.Fields("device_id")}
}

// Annotations of the Session.
func (Session) Annotations() []schema.Annotation {
	return []schema.Annotation{updatesCredentials(), entgql.RelayConnection(), entgql.QueryField(), erased("user_id")}
}
