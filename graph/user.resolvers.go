package graph

import (
	"context"
	"slices"
	"workforce/ent"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/graph/connection"
	"workforce/graph/model"
	"workforce/internal/app/organization"
	"workforce/internal/app/people"
)

func (r *mutationResolver) CreateUser(ctx context.Context, input model.CreateUserInput) (*ent.User, error) {
	u, err := r.People.CreateUser(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).User.Query().Where(user.ID(u.ID)))
}

func (r *mutationResolver) UpdateUser(ctx context.Context, id int, input model.UpdateUserInput) (*ent.User, error) {
	if err := r.People.UpdateUser(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).User.Query().Where(user.ID(id)))
}

func (r *mutationResolver) InviteUser(ctx context.Context, id int) (*ent.User, error) {
	if err := r.People.Invite(ctx, id); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).User.Query().Where(user.ID(id)))
}

func (r *mutationResolver) UpdateViewer(ctx context.Context, input model.UpdateViewerInput) (*ent.User, error) {
	id, err := r.People.UpdateViewer(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).User.Query().Where(user.ID(id)))
}

func (r *mutationResolver) DeleteUser(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.People.DeleteUser(ctx, id)
}

func (r *mutationResolver) EraseUser(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Privacy.EraseUser(ctx, id)
}

func (r *mutationResolver) SetAvatar(ctx context.Context, input model.SetAvatarInput) (*ent.User, error) {
	id, err := r.People.SetAvatar(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).User.Query().Where(user.ID(id)))
}

func (r *mutationResolver) RemoveAvatar(ctx context.Context, userID *int) (*ent.User, error) {
	id, err := r.People.RemoveAvatar(ctx, userID)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).User.Query().Where(user.ID(id)))
}

func (r *queryResolver) Employees(ctx context.Context, search *string, designationID *int, businessID *int, subtree *bool, page *int, limit *int) (*model.EmployeeList, error) {
	filter := people.EmployeeFilter{Search: search, DesignationID: designationID, BusinessID: businessID, Subtree: subtree != nil && *subtree}
	nodes, total, err := connection.List(ctx, page, limit,
		func(ctx context.Context) (*ent.UserQuery, error) { return r.People.Employees(ctx, filter) },
		func(q *ent.UserQuery) *ent.UserQuery { return q.Order(ent.Asc(user.FieldSortName, user.FieldID)) })
	if err != nil {
		return nil, err
	}
	return &model.EmployeeList{TotalCount: total, Nodes: nodes}, nil
}

func (r *queryResolver) User(ctx context.Context, id int) (*ent.User, error) {
	return connection.One(ctx, ent.FromContext(ctx).User.Query().Where(user.ID(id)))
}

func (r *queryResolver) Role(ctx context.Context, id int) (*ent.Role, error) {
	return connection.One(ctx, ent.FromContext(ctx).Role.Query().Where(role.ID(id)))
}

func (r *userResolver) Manager(ctx context.Context, obj *ent.User) (*ent.User, error) {
	known, err := connection.Shared(ctx, "User.managers", r.Organization.Managers)
	if err != nil {
		return nil, err
	}
	for id := range known.Chain(obj) {
		people, err := connection.People(ctx, []int{id}, organization.Leaders)
		return people[id], err
	}
	return nil, nil
}

func (r *userResolver) Managers(ctx context.Context, obj *ent.User) ([]*ent.User, error) {
	known, err := connection.Shared(ctx, "User.managers", r.Organization.Managers)
	if err != nil {
		return nil, err
	}
	ids := slices.Collect(known.Chain(obj))
	people, err := connection.People(ctx, ids, organization.Leaders)
	chain := []*ent.User{}
	for _, id := range ids {
		if u := people[id]; u != nil {
			chain = append(chain, u)
		}
	}
	return chain, err
}

func (r *userResolver) Policies(ctx context.Context, obj *ent.User) (*model.OwnPolicies, error) {
	return organization.Policies(obj.Policies), nil
}
