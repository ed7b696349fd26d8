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

// FaceReset is a person's request to register their face anew. They have at most one
// that waits: pending is null once it is decided.
type FaceReset struct{ ent.Schema }

// Mixin of the FaceReset.
func (FaceReset) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "attendance", Owner: "user_id", People: true}}, Audited{Name: "face_reset"}}
}

// Fields of the FaceReset.
func (FaceReset) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.String("reason").MaxRuneLen(250).Immutable().Annotations(unfiltered(), personal()).Comment("why, as the person says"),
		field.Enum("status").Values("pending", "approved", "rejected").Default("pending"),
		field.Int8("pending").Optional().Nillable().Default(1).Annotations(hidden(), unaudited()),
		field.Time("requested_at").Immutable().SchemaType(instant).Annotations(entgql.OrderField("REQUESTED_AT")),
		field.Time("decided_at").Optional().Nillable().SchemaType(instant),
		field.Int("decided_by").Optional().Nillable().Annotations(hidden()).Comment("id of the user who decided"),
		field.String("note").MaxRuneLen(250).Optional().Nillable().Annotations(unfiltered(), personal()).Comment("of the one who decided"),
	}
}

// Edges of the FaceReset.
func (FaceReset) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable()}
}

// Indexes of the FaceReset.
func (FaceReset) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id", "pending").Unique(),
		index.Fields("company_id", "requested_at"),
		index.Fields("company_id", "pending"), // what waits for a decision
	}
}

// Annotations of the FaceReset.
func (FaceReset) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), about("user_id"), mentions("decided_by")}
}
