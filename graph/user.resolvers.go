package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/graph/model"
)

func (r *queryResolver) Employees(ctx context.Context, search *string, designationID *int, businessID *int, page *int, limit *int) (*model.EmployeeList, error) {
	return employees(ctx, employeeFilter{search, designationID, businessID}, page, limit)
}

func (r *queryResolver) User(ctx context.Context, id int) (*ent.User, error) {
	return only(ctx, ent.FromContext(ctx).User.Query().Where(user.ID(id)))
}

func (r *queryResolver) Role(ctx context.Context, id int) (*ent.Role, error) {
	return only(ctx, ent.FromContext(ctx).Role.Query().Where(role.ID(id)))
}
