package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/business"
	"workforce/ent/designation"
	"workforce/graph/connection"
	"workforce/graph/model"
	"workforce/internal/tree"
)

func (r *businessResolver) UserCount(ctx context.Context, obj *ent.Business) (int, error) {
	users, err := connection.Shared(ctx, "Business.userCount", r.Organization.BusinessUsers)
	return users[obj.ID], err
}

func (r *businessResolver) TotalUserCount(ctx context.Context, obj *ent.Business) (int, error) {
	users, err := connection.Shared(ctx, "Business.totalUserCount", r.Organization.TotalBusinessUsers)
	return users[obj.ID], err
}

func (r *designationResolver) UserCount(ctx context.Context, obj *ent.Designation) (int, error) {
	users, err := connection.Shared(ctx, "Designation.userCount", r.Organization.DesignationUsers)
	return users[obj.ID], err
}

func (r *designationResolver) TotalUserCount(ctx context.Context, obj *ent.Designation) (int, error) {
	users, err := connection.Shared(ctx, "Designation.totalUserCount", r.Organization.TotalDesignationUsers)
	return users[obj.ID], err
}

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

func (r *mutationResolver) DeleteBusiness(ctx context.Context, id int, moveTo *int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Organization.DeleteBusiness(ctx, id, moveTo)
}

func (r *mutationResolver) MoveBusiness(ctx context.Context, id int, parentID *int) (*ent.Business, error) {
	if err := r.Organization.MoveBusiness(ctx, id, parentID); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Business.Query().Where(business.ID(id)))
}

func (r *mutationResolver) MergeBusinesses(ctx context.Context, id int, into int) (*ent.Business, error) {
	if err := r.Organization.MergeBusinesses(ctx, id, into); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Business.Query().Where(business.ID(into)))
}

func (r *mutationResolver) CreateDesignation(ctx context.Context, input model.CreateDesignationInput) (*ent.Designation, error) {
	d, err := r.Organization.CreateDesignation(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Designation.Query().Where(designation.ID(d.ID)))
}

func (r *mutationResolver) UpdateDesignation(ctx context.Context, id int, input model.UpdateDesignationInput) (*ent.Designation, error) {
	if err := r.Organization.UpdateDesignation(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Designation.Query().Where(designation.ID(id)))
}

func (r *mutationResolver) DeleteDesignation(ctx context.Context, id int, moveTo *int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Organization.DeleteDesignation(ctx, id, moveTo)
}

func (r *mutationResolver) MoveDesignation(ctx context.Context, id int, parentID *int) (*ent.Designation, error) {
	if err := r.Organization.MoveDesignation(ctx, id, parentID); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Designation.Query().Where(designation.ID(id)))
}

func (r *mutationResolver) MergeDesignations(ctx context.Context, id int, into int) (*ent.Designation, error) {
	if err := r.Organization.MergeDesignations(ctx, id, into); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Designation.Query().Where(designation.ID(into)))
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

func (r *queryResolver) BusinessList(ctx context.Context, search *string) ([]*model.BusinessEntry, error) {
	return r.Organization.BusinessList(ctx, search)
}

func (r *queryResolver) BusinessStructure(ctx context.Context) ([]*tree.Entry, error) {
	return r.Organization.BusinessStructure(ctx)
}

func (r *queryResolver) DesignationStructure(ctx context.Context, businessID *int) ([]*tree.Entry, error) {
	return r.Organization.DesignationStructure(ctx, businessID)
}
