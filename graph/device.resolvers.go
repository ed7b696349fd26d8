package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/device"
	"workforce/ent/deviceapproval"
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

func (r *mutationResolver) UpdateDevice(ctx context.Context, id int, input model.UpdateDeviceInput) (*ent.Device, error) {
	if err := r.Auth.Trust.Rename(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Device.Query().Where(device.ID(id)))
}

func (r *mutationResolver) DecideDevice(ctx context.Context, id int, input model.DecideDeviceInput) (*ent.DeviceApproval, error) {
	if err := r.Auth.Trust.Decide(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).DeviceApproval.Query().Where(deviceapproval.ID(id)))
}

func (r *mutationResolver) DecideDevices(ctx context.Context, input model.DecideDevicesInput) ([]*model.Decided, error) {
	return r.Auth.Trust.DecideMany(ctx, input)
}

func (r *queryResolver) Device(ctx context.Context, id int) (*ent.Device, error) {
	return connection.One(ctx, ent.FromContext(ctx).Device.Query().Where(device.ID(id)))
}

func (r *queryResolver) TrustedDevices(ctx context.Context, userID int) ([]*ent.Device, error) {
	trusted, err := r.Auth.TrustedBy(ctx, userID)
	if err != nil {
		return nil, err
	}
	return connection.All(ctx, trusted)
}

func (r *queryResolver) DeviceApproval(ctx context.Context, id int) (*ent.DeviceApproval, error) {
	return connection.One(ctx, ent.FromContext(ctx).DeviceApproval.Query().Where(deviceapproval.ID(id)))
}
