package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/internal/viewer"
)

// FaceTemplate holds the registered face of a user, sealed. Nobody but its
// owner ever reads it. A user has at most one in force: in_force is null once it
// was reset. It is erased 30 days later.
type FaceTemplate struct{ ent.Schema }

// Mixin of the FaceTemplate.
func (FaceTemplate) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Private: true, Owner: "user_id", People: true}}, Audited{Name: "face_template"}}
}

// Fields of the FaceTemplate.
func (FaceTemplate) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable(),
		field.Int("version").Immutable(),
		field.Int8("in_force").Optional().Nillable().Default(1),
		field.Bool("provisional").Default(false).Comment("came with a clock-in that was flagged"),
		field.Int("points").Immutable().Comment("how many landmarks"),
		field.String("sealed").Immutable().Sensitive().SchemaType(long).Comment("the landmarks as they were sent, sealed"),
		field.Time("created_at").Immutable().SchemaType(instant),
		field.Time("replaced_at").Optional().Nillable().SchemaType(instant).Comment("when it was reset"),
	}
}

// Edges of the FaceTemplate.
func (FaceTemplate) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable()}
}

// Indexes of the FaceTemplate.
func (FaceTemplate) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "in_force").Unique(), index.Fields("replaced_at")}
}

// Annotations of the FaceTemplate.
func (FaceTemplate) Annotations() []schema.Annotation {
	return []schema.Annotation{hidden(), erased("user_id"), Facts{CleanedBy: []string{"replaced_at"}, CleanedAfter: 30 * 24}}
}
