package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// TaskAssignee says that a user is to do a task.
type TaskAssignee struct{ ent.Schema }

// Mixin of the TaskAssignee.
func (TaskAssignee) Mixin() []ent.Mixin {
	return []ent.Mixin{TaskPart{}, Audited{Name: "task_assignee"}}
}

// Fields of the TaskAssignee.
func (TaskAssignee) Fields() []ent.Field { return []ent.Field{field.Int("user_id").Immutable()} }

// Edges of the TaskAssignee.
func (TaskAssignee) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable()}
}

// Indexes of the TaskAssignee.
func (TaskAssignee) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("task_id", "user_id").Unique(),
		index.Fields("user_id", "task_id"),
	}
}

// Annotations of the TaskAssignee.
func (TaskAssignee) Annotations() []schema.Annotation {
	return []schema.Annotation{hidden(), erased("user_id")}
}
