package graph

import (
	"context"
	"workforce/ent"
	entProject "workforce/ent/project"
	entTaskCategory "workforce/ent/taskcategory"
	"workforce/graph/connection"
	"workforce/graph/model"
)

func (r *mutationResolver) CreateProject(ctx context.Context, input model.CreateProjectInput) (*ent.Project, error) {
	id, err := r.Projects.Create(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Project.Query().Where(entProject.ID(id)))
}

func (r *mutationResolver) UpdateProject(ctx context.Context, id int, input model.UpdateProjectInput) (*ent.Project, error) {
	if err := r.Projects.Update(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Project.Query().Where(entProject.ID(id)))
}

func (r *mutationResolver) DeleteProject(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Projects.Delete(ctx, id)
}

func (r *mutationResolver) CreateTaskCategory(ctx context.Context, input model.CreateTaskCategoryInput) (*ent.TaskCategory, error) {
	id, err := r.Projects.CreateCategory(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).TaskCategory.Query().Where(entTaskCategory.ID(id)))
}

func (r *mutationResolver) UpdateTaskCategory(ctx context.Context, id int, input model.UpdateTaskCategoryInput) (*ent.TaskCategory, error) {
	if err := r.Projects.UpdateCategory(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).TaskCategory.Query().Where(entTaskCategory.ID(id)))
}

func (r *mutationResolver) DeleteTaskCategory(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Projects.DeleteCategory(ctx, id)
}

func (r *projectResolver) TaskCount(ctx context.Context, obj *ent.Project) (int, error) {
	totals, err := connection.Shared(ctx, "Project.totals", r.Resolver.Projects.Totals)
	return totals[obj.ID].Tasks, err
}

func (r *projectResolver) TrackedSeconds(ctx context.Context, obj *ent.Project) (int, error) {
	totals, err := connection.Shared(ctx, "Project.totals", r.Resolver.Projects.Totals)
	return totals[obj.ID].Seconds, err
}

func (r *projectResolver) BudgetUsed(ctx context.Context, obj *ent.Project) (*float64, error) {
	return r.Resolver.Projects.BudgetUsed(ctx, obj), nil
}

func (r *queryResolver) Project(ctx context.Context, id int) (*ent.Project, error) {
	return connection.One(ctx, ent.FromContext(ctx).Project.Query().Where(entProject.ID(id)))
}

func (r *queryResolver) TaskCategory(ctx context.Context, id int) (*ent.TaskCategory, error) {
	return connection.One(ctx, ent.FromContext(ctx).TaskCategory.Query().Where(entTaskCategory.ID(id)))
}

func (r *queryResolver) ProjectList(ctx context.Context, search *string, status *entProject.Status) ([]*ent.Project, error) {
	q, err := r.Resolver.Projects.List(ctx, search, status)
	if err != nil {
		return nil, err
	}
	return connection.All(ctx, q)
}

func (r *queryResolver) TaskCategoryList(ctx context.Context, search *string) ([]*ent.TaskCategory, error) {
	q, err := r.Resolver.Projects.Categories(ctx, search)
	if err != nil {
		return nil, err
	}
	return connection.All(ctx, q)
}
