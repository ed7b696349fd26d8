package graph

import (
	"context"
	"fmt"
	"workforce/ent"
	"workforce/graph/model"
)

func (r *queryResolver) Employees(ctx context.Context, search *string, designationID *int, businessID *int, page *int, limit *int) (*model.EmployeeList, error) {
	panic(fmt.Errorf("not implemented: Employees - employees"))
}

func (r *queryResolver) User(ctx context.Context, id int) (*ent.User, error) {
	panic(fmt.Errorf("not implemented: User - user"))
}

func (r *queryResolver) Role(ctx context.Context, id int) (*ent.Role, error) {
	panic(fmt.Errorf("not implemented: Role - role"))
}
