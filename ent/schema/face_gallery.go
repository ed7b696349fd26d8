package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/internal/viewer"
)

// FaceGallery holds what a user's captures are compared with (face.Gallery), sealed. It
// changes with each accepted capture, and is empty while no face is registered. Clock
// events write it under the lock of the user's ClockState.
type FaceGallery struct{ ent.Schema }

// Mixin of the FaceGallery.
func (FaceGallery) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Private: true, Owner: "user_id", People: true}}}
}

// Fields of the FaceGallery.
func (FaceGallery) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable(),
		field.Int("version").Comment("of the face that was registered last: no later one has the same"),
		field.String("sealed").Optional().Nillable().Sensitive().SchemaType(long).
			Comment("shapes of the registered face and of later captures, sealed; null once it was reset"),
	}
}

// Edges of the FaceGallery.
func (FaceGallery) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable()}
}

// Indexes of the FaceGallery.
func (FaceGallery) Indexes() []ent.Index { return []ent.Index{index.Fields("user_id").Unique()} }

// Annotations of the FaceGallery.
func (FaceGallery) Annotations() []schema.Annotation {
	return []schema.Annotation{hidden(), erased("user_id")}
}
