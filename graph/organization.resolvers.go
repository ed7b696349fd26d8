package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/business"
	"workforce/ent/designation"
	"workforce/graph/connection"
	"workforce/graph/model"
)

func (r *mutationResolver) CreateBusiness(ctx context.Context, input model.CreateBusinessInput) (*ent.Business, error) {
	b, err := r.Organization.CreateBusiness(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Business.Query().Where(business.ID(b.ID)))
}

func (r *mutationResolver) UpdateBusiness(ctx context.Context, id int, input model.UpdateBusinessInput) (*ent.Business, error) {
	if err := r.Organization.UpdateBusiness(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Business.Query().Where(business.ID(id)))
}

func (r *mutationResolver) DeleteBusiness(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Organization.DeleteBusiness(ctx, id)
}

func (r *mutationResolver) SetLogo(ctx context.Context, input model.SetLogoInput) (*ent.Company, error) {
	if err := r.Organization.SetLogo(ctx, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Company.Query())
}

func (r *mutationResolver) RemoveLogo(ctx context.Context) (*ent.Company, error) {
	if err := r.Organization.RemoveLogo(ctx); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Company.Query())
}

func (r *queryResolver) Company(ctx context.Context) (*ent.Company, error) {
	return connection.One(ctx, ent.FromContext(ctx).Company.Query())
}

func (r *queryResolver) Designation(ctx context.Context, id int) (*ent.Designation, error) {
	return connection.One(ctx, ent.FromContext(ctx).Designation.Query().Where(designation.ID(id)))
}

func (r *queryResolver) Business(ctx context.Context, id int) (*ent.Business, error) {
	return connection.One(ctx, ent.FromContext(ctx).Business.Query().Where(business.ID(id)))
}

func (r *queryResolver) Address(ctx context.Context, id int) (*ent.Address, error) {
	return connection.One(ctx, ent.FromContext(ctx).Address.Query().Where(address.ID(id)))
}
