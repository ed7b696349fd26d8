package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/project"
	"workforce/ent/taskcategory"
	"workforce/graph/connection"
)

func (r *queryResolver) Project(ctx context.Context, id int) (*ent.Project, error) {
	return connection.One(ctx, ent.FromContext(ctx).Project.Query().Where(project.ID(id)))
}

func (r *queryResolver) TaskCategory(ctx context.Context, id int) (*ent.TaskCategory, error) {
	return connection.One(ctx, ent.FromContext(ctx).TaskCategory.Query().Where(taskcategory.ID(id)))
}
