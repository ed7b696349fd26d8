package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/errs"
	"workforce/internal/viewer"

	"github.com/99designs/gqlgen/graphql"
)

func (r *mutationResolver) CreateUser(ctx context.Context, input model.CreateUserInput) (*ent.User, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	if me.Scope("user", "write") < viewer.All {
		return nil, errs.New(errs.Forbidden, nil)
	}
	p := newPerson(input)
	hash, err := r.newHash(ctx, p, p.check(nil, nil), input.Password.Value())
	if err != nil {
		return nil, err
	}
	var u *ent.User
	err = r.inTx(ctx, func(ctx context.Context) (err error) {
		u, err = r.createPerson(ctx, p, hash)
		return err
	})
	if err != nil {
		return nil, p.taken(ctx, err)
	}
	return only(ctx, ent.FromContext(ctx).User.Query().Where(user.ID(u.ID)))
}

func (r *mutationResolver) UpdateUser(ctx context.Context, id int, input model.UpdateUserInput) (*ent.User, error) {
	u, err := changeable(ctx, id)
	if err != nil {
		return nil, err
	}
	p := person{UpdateUserInput: input}
	if err := p.check(u.JoinedOn, u.LeftOn).Err(); err != nil {
		return nil, err
	}
	if err := r.changePerson(ctx, u, p); err != nil {
		return nil, err
	}
	return only(ctx, ent.FromContext(ctx).User.Query().Where(user.ID(id)))
}

func (r *mutationResolver) DeleteUser(ctx context.Context, id int) (*model.Deletion, error) {
	u, err := changeable(ctx, id)
	if err != nil {
		return nil, err
	}
	inactive := false
	p := person{UpdateUserInput: model.UpdateUserInput{Active: graphql.OmittableOf(&inactive)}}
	return &model.Deletion{Deleted: true}, r.changePerson(ctx, u, p)
}

func (r *queryResolver) Employees(ctx context.Context, search *string, designationID *int, businessID *int, page *int, limit *int) (*model.EmployeeList, error) {
	return employees(ctx, employeeFilter{search, designationID, businessID}, page, limit)
}

func (r *queryResolver) User(ctx context.Context, id int) (*ent.User, error) {
	return only(ctx, ent.FromContext(ctx).User.Query().Where(user.ID(id)))
}

func (r *queryResolver) Role(ctx context.Context, id int) (*ent.Role, error) {
	return only(ctx, ent.FromContext(ctx).Role.Query().Where(role.ID(id)))
}
