package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/ent/userrole"
	"workforce/graph/identity"
	"workforce/graph/model"
	"workforce/internal/errs"
	"workforce/internal/viewer"

	"github.com/99designs/gqlgen/graphql"
)

func (r *mutationResolver) CreateRole(ctx context.Context, input model.CreateRoleInput) (*ent.Role, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	if me.Scope("role", "write") < viewer.All {
		return nil, errs.New(errs.Forbidden, nil)
	}
	create := ent.FromContext(ctx).Role.Create().SetCompanyID(me.CompanyID)
	members := model.UpdateRoleInput{Name: graphql.OmittableOf(&input.Name), Permissions: graphql.OmittableOf(input.Permissions)}
	if err := setRole(ctx, create.Mutation(), members); err != nil {
		return nil, err
	}
	created, err := create.Save(ctx)
	return created, nameTaken(err)
}

func (r *mutationResolver) UpdateRole(ctx context.Context, id int, input model.UpdateRoleInput) (*ent.Role, error) {
	found, err := customRole(ctx, id)
	if err != nil {
		return nil, err
	}
	update := found.Update()
	if err := setRole(ctx, update.Mutation(), input); err != nil {
		return nil, err
	}
	updated, err := update.Save(ctx)
	return updated, nameTaken(err)
}

func (r *mutationResolver) DeleteRole(ctx context.Context, id int) (*model.Deletion, error) {
	found, err := customRole(ctx, id)
	if err != nil {
		return nil, err
	}
	db := ent.FromContext(ctx)
	users, err := db.UserRole.Query().Where(userrole.RoleID(found.ID)).Count(ctx)
	if err != nil {
		return nil, err
	}
	if users > 0 {
		return nil, errs.New(errs.Conflict, errs.Meta{"users": users})
	}
	return &model.Deletion{Deleted: true}, db.Role.DeleteOne(found).Exec(ctx)
}

func (r *queryResolver) Permission(ctx context.Context) (*model.PermissionSet, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	roles, err := ent.FromContext(ctx).Role.Query().Where(role.HasUsersWith(user.ID(me.UserID))).All(ctx)
	return &model.PermissionSet{Roles: roles, Permissions: me.Permissions}, err
}

func (r *queryResolver) RoleList(ctx context.Context) ([]*model.RoleEntry, error) {
	if _, err := viewer.Require(ctx); err != nil {
		return nil, err
	}
	return roleEntries(ctx)
}

func (r *roleResolver) Permissions(ctx context.Context, obj *ent.Role) ([]string, error) {
	return identity.Permissions([]*ent.Role{obj}), nil
}
