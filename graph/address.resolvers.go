package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/address"
	"workforce/graph/connection"
	"workforce/graph/model"
	"workforce/internal/app/organization"
	"workforce/internal/scalar"
)

func (r *addressResolver) Points(ctx context.Context, obj *ent.Address) ([]*model.AddressPoint, error) {
	points := make([]*model.AddressPoint, len(obj.Points))
	for i, p := range obj.Points {
		points[i] = &model.AddressPoint{
			Latitude: scalar.Coordinate{Degrees: p.Lat, Valid: true}, Longitude: scalar.Coordinate{Degrees: p.Lng, Valid: true},
		}
	}
	return points, nil
}

func (r *addressResolver) Policies(ctx context.Context, obj *ent.Address) (*model.OwnPolicies, error) {
	return organization.Policies(obj.Policies), nil
}

func (r *addressResolver) ConcernedLeaves(ctx context.Context, obj *ent.Address) ([]*ent.Leave, error) {
	return concernedLeaves(ctx)
}

func (r *mutationResolver) CreateAddress(ctx context.Context, input model.CreateAddressInput) (*ent.Address, error) {
	a, err := r.Organization.CreateAddress(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Address.Query().Where(address.ID(a.ID)))
}

func (r *mutationResolver) UpdateAddress(ctx context.Context, id int, input model.UpdateAddressInput) (*ent.Address, error) {
	if err := r.Organization.UpdateAddress(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Address.Query().Where(address.ID(id)))
}

func (r *mutationResolver) DeleteAddress(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Organization.DeleteAddress(ctx, id)
}

func (r *mutationResolver) SetAllowedAddresses(ctx context.Context, input model.SetAllowedAddressesInput) ([]*ent.Address, error) {
	sites, err := r.Organization.SetAllowedAddresses(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.All(ctx, sites)
}

func (r *queryResolver) CompanyAddresses(ctx context.Context) ([]*ent.Address, error) {
	return connection.All(ctx, organization.Addresses(ctx))
}
