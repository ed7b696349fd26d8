package schema

import (
	"context"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/ent/intercept"
)

// TaskChecklistItem is one step of a task.
type TaskChecklistItem struct{ ent.Schema }

// Mixin of the TaskChecklistItem.
func (TaskChecklistItem) Mixin() []ent.Mixin {
	return []ent.Mixin{TaskPart{}, Audited{Name: "task_checklist_item"}}
}

// Fields of the TaskChecklistItem.
func (TaskChecklistItem) Fields() []ent.Field {
	return []ent.Field{
		field.String("title").NotEmpty().MaxRuneLen(200),
		field.Bool("done").Default(false),
		field.Int("position").Comment("its place in the list, which rises"),
	}
}

// Indexes of the TaskChecklistItem.
func (TaskChecklistItem) Indexes() []ent.Index {
	return []ent.Index{index.Fields("task_id", "position")}
}

// Interceptors of the TaskChecklistItem: the list is in order, wherever nobody else gives one.
func (TaskChecklistItem) Interceptors() []ent.Interceptor {
	return []ent.Interceptor{intercept.TraverseFunc(func(_ context.Context, q intercept.Query) error {
		q.Order(func(s *sql.Selector) { s.OrderBy(s.C("position"), s.C("id")) })
		return nil
	})}
}

// Annotations of the TaskChecklistItem.
func (TaskChecklistItem) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.Skip(entgql.SkipWhereInput)}
}
