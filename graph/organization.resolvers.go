package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/business"
	"workforce/ent/designation"
	"workforce/graph/model"
	"workforce/internal/viewer"

	"github.com/99designs/gqlgen/graphql"
)

func (r *mutationResolver) CreateBusiness(ctx context.Context, input model.CreateBusinessInput) (*ent.Business, error) {
	if err := mayOrganize(ctx); err != nil {
		return nil, err
	}
	create := ent.FromContext(ctx).Business.Create().SetCompanyID(viewer.From(ctx).CompanyID)
	change := businessChange{UpdateBusinessInput: model.UpdateBusinessInput{
		Name: graphql.OmittableOf(&input.Name), ParentID: input.ParentID, ManagerID: input.ManagerID,
	}}
	if err := change.set(ctx, create.Mutation()); err != nil {
		return nil, err
	}
	b, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	return only(ctx, ent.FromContext(ctx).Business.Query().Where(business.ID(b.ID)))
}

func (r *mutationResolver) UpdateBusiness(ctx context.Context, id int, input model.UpdateBusinessInput) (*ent.Business, error) {
	b, err := ent.FromContext(ctx).Business.Query().Where(business.ID(id)).Only(ctx)
	if err != nil {
		return nil, err
	}
	if err := mayOrganize(ctx); err != nil {
		return nil, err
	}
	update, change := b.Update(), businessChange{UpdateBusinessInput: input, of: b}
	if err := change.set(ctx, update.Mutation()); err != nil {
		return nil, err
	}
	if err := update.Exec(ctx); err != nil {
		return nil, err
	}
	return only(ctx, ent.FromContext(ctx).Business.Query().Where(business.ID(id)))
}

func (r *mutationResolver) DeleteBusiness(ctx context.Context, id int) (*model.Deletion, error) {
	b, err := ent.FromContext(ctx).Business.Query().Where(business.ID(id)).Only(ctx)
	if err != nil {
		return nil, err
	}
	if err := mayOrganize(ctx); err != nil {
		return nil, err
	}
	if err := unusedBusiness(ctx, b.ID); err != nil {
		return nil, err
	}
	return &model.Deletion{Deleted: true}, ent.FromContext(ctx).Business.DeleteOne(b).Exec(ctx)
}

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
