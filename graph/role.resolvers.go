package graph

import (
	"context"
	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/app/auth/credential"
)

func (r *mutationResolver) CreateRole(ctx context.Context, input model.CreateRoleInput) (*ent.Role, error) {
	return r.People.CreateRole(ctx, input)
}

func (r *mutationResolver) UpdateRole(ctx context.Context, id int, input model.UpdateRoleInput) (*ent.Role, error) {
	return r.People.UpdateRole(ctx, id, input)
}

func (r *mutationResolver) DeleteRole(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.People.DeleteRole(ctx, id)
}

func (r *queryResolver) Permission(ctx context.Context) (*model.PermissionSet, error) {
	return r.People.Permission(ctx)
}

func (r *queryResolver) RoleList(ctx context.Context) ([]*model.RoleEntry, error) {
	return r.People.RoleList(ctx)
}

func (r *roleResolver) Permissions(ctx context.Context, obj *ent.Role) ([]string, error) {
	return credential.Permissions([]*ent.Role{obj}), nil
}
