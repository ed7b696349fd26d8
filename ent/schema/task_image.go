package schema

import (
	"context"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/ent/intercept"
	"workforce/internal/viewer"
)

// TaskImage is a picture of a task, with a small one. A task has the same bytes once.
type TaskImage struct{ ent.Schema }

// Mixin of the TaskImage.
func (TaskImage) Mixin() []ent.Mixin { return []ent.Mixin{TaskPart{}, Audited{Name: "task_image"}} }

// Fields of the TaskImage.
func (TaskImage) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.String("url").Immutable().MaxLen(2000).Annotations(entgql.Type("FileLink"), unaudited()).
			Comment("the picture, upright and without metadata: a link that is signed for 86,400 s"),
		field.String("thumbnail_url").Immutable().MaxLen(2000).Annotations(entgql.Type("FileLink"), entgql.MapsTo("thumbnailUrl"), unaudited()).
			Comment("the picture with at most 320 pixels on a side: a link that is signed for 86,400 s"),
		field.Int("file_id").Optional().Nillable().Annotations(hidden(), unaudited(), storedFile()),
		field.Int("thumbnail_file_id").Optional().Nillable().Annotations(hidden(), unaudited(), storedFile()),
		field.String("caption").Optional().Nillable().MaxRuneLen(250).Annotations(personal()),
		field.String("content_type").Immutable().MaxLen(100).Comment("media type of the picture"),
		field.Int("width").Immutable().Comment("pixels"),
		field.Int("height").Immutable().Comment("pixels"),
		field.Int("size").Immutable().Comment("bytes"),
		field.Bytes("digest").Optional().Nillable().MaxLen(32).SchemaType(digest).Annotations(hidden(), unaudited()).
			Comment("SHA-256 of what was uploaded; null once it is deleted"),
		field.Time("created_at").Immutable().SchemaType(instant),
		field.Time("deleted_at").Optional().Nillable().SchemaType(instant).Annotations(hidden()).Comment("since when nobody sees it; it is purged 30 days later"),
	}
}

// Edges of the TaskImage.
func (TaskImage) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().Comment("who uploaded it")}
}

// Indexes of the TaskImage.
func (TaskImage) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("task_id", "digest").Unique(),
		index.Fields("file_id"),
		index.Fields("thumbnail_file_id"),
		index.Fields("deleted_at"),
	}
}

// Interceptors of the TaskImage: the oldest come first, and only system jobs see those that
// are deleted.
func (TaskImage) Interceptors() []ent.Interceptor {
	return append(oldestFirst(), intercept.TraverseFunc(func(ctx context.Context, q intercept.Query) error {
		if !viewer.From(ctx).IsSystem() {
			q.WhereP(func(s *sql.Selector) { s.Where(sql.IsNull(s.C("deleted_at"))) })
		}
		return nil
	}))
}

// Annotations of the TaskImage.
func (TaskImage) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.Skip(entgql.SkipWhereInput), about("user_id")}
}
