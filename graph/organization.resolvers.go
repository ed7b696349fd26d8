package graph

import (
	"context"
	"fmt"
	"workforce/ent"
)

func (r *queryResolver) Company(ctx context.Context) (*ent.Company, error) {
	panic(fmt.Errorf("not implemented: Company - company"))
}

func (r *queryResolver) Designation(ctx context.Context, id int) (*ent.Designation, error) {
	panic(fmt.Errorf("not implemented: Designation - designation"))
}

func (r *queryResolver) Business(ctx context.Context, id int) (*ent.Business, error) {
	panic(fmt.Errorf("not implemented: Business - business"))
}

func (r *queryResolver) Address(ctx context.Context, id int) (*ent.Address, error) {
	panic(fmt.Errorf("not implemented: Address - address"))
}
