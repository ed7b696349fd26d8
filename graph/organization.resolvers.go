package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/business"
	"workforce/ent/designation"
)

func (r *queryResolver) Company(ctx context.Context) (*ent.Company, error) {
	return only(ctx, ent.FromContext(ctx).Company.Query())
}

func (r *queryResolver) Designation(ctx context.Context, id int) (*ent.Designation, error) {
	return only(ctx, ent.FromContext(ctx).Designation.Query().Where(designation.ID(id)))
}

func (r *queryResolver) Business(ctx context.Context, id int) (*ent.Business, error) {
	return only(ctx, ent.FromContext(ctx).Business.Query().Where(business.ID(id)))
}

func (r *queryResolver) Address(ctx context.Context, id int) (*ent.Address, error) {
	return only(ctx, ent.FromContext(ctx).Address.Query().Where(address.ID(id)))
}
