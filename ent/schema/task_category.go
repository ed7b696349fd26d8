package schema

import (
	"context"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// TaskCategory is a kind of work, such as meetings. Categories at the top may have
// categories below them, these none.
type TaskCategory struct{ ent.Schema }

// Mixin of the TaskCategory.
func (TaskCategory) Mixin() []ent.Mixin {
	access := viewer.Access{Resource: "project", Directory: true}
	return []ent.Mixin{Named{}, Searched{}, Owned{Access: access}, Audited{Name: "task_category"}}
}

// Fields of the TaskCategory.
func (TaskCategory) Fields() []ent.Field {
	return []ent.Field{
		field.String("color").Optional().Nillable().MaxLen(7).Match(color).SchemaType(map[string]string{dialect.MySQL: "char(7)"}).
			Annotations(unfiltered()).Comment("colour, #rrggbb"),
		field.Int("parent_id").Optional().Nillable().Immutable().Annotations(hidden()),
		field.Int("below").Default(0).Immutable().Annotations(hidden(), unaudited()).Comment("the parent, 0 at the top: part of a unique key"),
	}
}

// Edges of the TaskCategory.
func (TaskCategory) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("children", TaskCategory.Type).Annotations(unfiltered(), entsql.OnDelete(entsql.NoAction)).
			From("parent").Field("parent_id").Unique().Immutable(),
	}
}

// Indexes of the TaskCategory.
func (TaskCategory) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("company_id", "below", "sort_name").Unique(),
		index.Fields("company_id", "sort_name"),
		index.Fields("parent_id"),
	}
}

// Hooks of the TaskCategory keep below in step with the parent.
func (TaskCategory) Hooks() []ent.Hook {
	return []ent.Hook{func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if id, ok := m.Field("parent_id"); ok && m.Op().Is(ent.OpCreate) {
				if err := m.SetField("below", id); err != nil {
					return nil, err
				}
			}
			return next.Mutate(ctx, m)
		})
	}}
}

// Interceptors of the TaskCategory.
func (TaskCategory) Interceptors() []ent.Interceptor { return []ent.Interceptor{byName()} }

// Annotations of the TaskCategory.
func (TaskCategory) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField("taskCategories")}
}
