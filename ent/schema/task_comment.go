package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
)

// TaskComment is what somebody said about a task.
type TaskComment struct{ ent.Schema }

// Mixin of the TaskComment.
func (TaskComment) Mixin() []ent.Mixin { return []ent.Mixin{TaskPart{}, Audited{Name: "task_comment"}} }

// Fields of the TaskComment.
func (TaskComment) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.String("text").MaxRuneLen(5000).SchemaType(long).Annotations(personal()),
		field.Time("created_at").Immutable().SchemaType(instant),
		field.Time("edited_at").Optional().Nillable().SchemaType(instant).Comment("when it was last changed; null where it was not"),
	}
}

// Edges of the TaskComment.
func (TaskComment) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
		edge.To("mentions", User.Type).Through("task_mentions", TaskMention.Type).Comment("who was told of it, by name"),
	}
}

// Indexes of the TaskComment.
func (TaskComment) Indexes() []ent.Index {
	return []ent.Index{index.Fields("task_id"), index.Fields("user_id")}
}

// Interceptors of the TaskComment.
func (TaskComment) Interceptors() []ent.Interceptor { return oldestFirst() }

// Annotations of the TaskComment.
func (TaskComment) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.Skip(entgql.SkipWhereInput), about("user_id")}
}

// TaskMention says that a comment names somebody, who was told.
type TaskMention struct{ ent.Schema }

// Mixin of the TaskMention.
func (TaskMention) Mixin() []ent.Mixin { return []ent.Mixin{TaskPart{}} }

// Fields of the TaskMention.
func (TaskMention) Fields() []ent.Field {
	return []ent.Field{field.Int("comment_id").Immutable(), field.Int("user_id").Immutable()}
}

// Edges of the TaskMention.
func (TaskMention) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("comment", TaskComment.Type).Field("comment_id").Unique().Required().Immutable(),
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
	}
}

// Indexes of the TaskMention.
func (TaskMention) Indexes() []ent.Index {
	return []ent.Index{index.Fields("comment_id", "user_id").Unique(), index.Fields("task_id"), index.Fields("user_id")}
}

// Annotations of the TaskMention.
func (TaskMention) Annotations() []schema.Annotation {
	return []schema.Annotation{hidden(), erased("user_id")}
}
