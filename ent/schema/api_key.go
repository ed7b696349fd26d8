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

// APIKey lets a program of the company call both APIs: it may what its list has, as far as the person who
// made it may now. Only its hash is stored.
type APIKey struct{ ent.Schema }

// Mixin of the APIKey.
func (APIKey) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "developer", People: true}}, Audited{Name: "api_key"}}
}

// Fields of the APIKey.
func (APIKey) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").MaxLen(80).Immutable().Comment("What the key is for."),
		field.Strings("permissions").Immutable().Comment("What it may at most, sorted: resource.action.all."),
		field.Int("business_id").Optional().Nillable().Immutable().Annotations(hidden()),
		field.Int("creator_id").Immutable().Annotations(hidden()),
		field.Bytes("hash").Unique().Immutable().SchemaType(digest).Annotations(hidden()),
		field.Time("created_at").Immutable().SchemaType(instant).Annotations(entgql.OrderField("CREATED_AT")),
		field.Time("expires_at").Immutable().SchemaType(instant),
		field.Time("revoked_at").Optional().Nillable().SchemaType(instant).Annotations(credential()),
		field.Time("last_used_at").Optional().Nillable().SchemaType(instant).Annotations(unaudited()).Comment("To the minute; null before the first use."),
		field.String("last_address").Optional().Nillable().MaxLen(64).Annotations(unaudited()).Comment("From which it was used last."),
	}
}

// Edges of the APIKey.
func (APIKey) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("creator", User.Type).Field("creator_id").Unique().Required().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)),
		edge.To("business", Business.Type).Field("business_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)),
	}
}

// Indexes of the APIKey.
func (APIKey) Indexes() []ent.Index { return []ent.Index{index.Fields("creator_id")} }

// Annotations of the APIKey.
func (APIKey) Annotations() []schema.Annotation {
	return []schema.Annotation{updatesCredentials(), entgql.RelayConnection(), entgql.QueryField("apiKeys"), mentions("creator_id")}
}
