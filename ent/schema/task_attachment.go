package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
)

// TaskAttachment is a file of a task: a picture, or a file of a type that the company allows.
type TaskAttachment struct{ ent.Schema }

// Mixin of the TaskAttachment.
func (TaskAttachment) Mixin() []ent.Mixin {
	return []ent.Mixin{TaskPart{}, Audited{Name: "task_attachment"}}
}

// Fields of the TaskAttachment.
func (TaskAttachment) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.String("name").Immutable().MaxRuneLen(200).Comment("of the file, as it was uploaded"),
		field.String("url").Immutable().MaxLen(2000).Annotations(hidden(), unaudited()).
			Comment("of the object in the file store"),
		field.Int("file_id").Optional().Nillable().Annotations(hidden(), unaudited(), storedFile()),
		field.String("content_type").Immutable().MaxLen(100).Comment("media type, by its content"),
		field.Int("size").Immutable().Comment("bytes"),
		field.Time("created_at").Immutable().SchemaType(instant),
	}
}

// Edges of the TaskAttachment.
func (TaskAttachment) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().Comment("who uploaded it")}
}

// Indexes of the TaskAttachment.
func (TaskAttachment) Indexes() []ent.Index {
	return []ent.Index{index.Fields("task_id", "file_id").Unique(), index.Fields("file_id"), index.Fields("user_id")}
}

// Interceptors of the TaskAttachment.
func (TaskAttachment) Interceptors() []ent.Interceptor { return oldestFirst() }

// Annotations of the TaskAttachment.
func (TaskAttachment) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.Skip(entgql.SkipWhereInput), about("user_id")}
}
