package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/device"
	"workforce/graph/connection"
	"workforce/graph/model"
)

func (r *mutationResolver) RegisterDevice(ctx context.Context, input model.RegisterDeviceInput) (*model.DeviceRegistration, error) {
	return r.Auth.RegisterDevice(ctx, input)
}

func (r *mutationResolver) RevokeDevice(ctx context.Context, id int) (*ent.Device, error) {
	if err := r.Auth.RevokeDevice(ctx, id); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Device.Query().Where(device.ID(id)))
}

func (r *queryResolver) Device(ctx context.Context, id int) (*ent.Device, error) {
	return connection.One(ctx, ent.FromContext(ctx).Device.Query().Where(device.ID(id)))
}
