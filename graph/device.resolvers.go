package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/device"
	"workforce/graph/model"
	"workforce/internal/token"
)

func (r *mutationResolver) RegisterDevice(ctx context.Context, input model.RegisterDeviceInput) (*model.DeviceRegistration, error) {
	if err := checkDevice(input); err != nil {
		return nil, err
	}
	t, err := token.New(token.Device, r.random)
	if err != nil {
		return nil, err
	}
	ctx = system(ctx)
	if own := claimOf(ctx, token.Device); own.reason == valid {
		return registration(t), r.rotateDevice(ctx, own.Device.ID, t, input)
	}
	if err := r.count(ctx, "registration", r.Limits.Registrations); err != nil {
		return nil, err
	}
	hash := t.Hash()
	return registration(t), ent.FromContext(ctx).Device.Create().
		SetDeviceID(input.DeviceID).SetPlatform(input.Platform).SetTokenHash(hash[:]).SetCreatedAt(r.Now()).
		SetNillableModel(input.Model.Value()).SetNillableOsVersion(input.OsVersion.Value()).
		SetNillableAppVersion(input.AppVersion.Value()).SetNillablePushToken(input.PushToken.Value()).Exec(ctx)
}

func (r *mutationResolver) RevokeDevice(ctx context.Context, id int) (*ent.Device, error) {
	db := ent.FromContext(ctx)
	d, err := db.Device.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := r.takeAway(ctx, d); err != nil {
		return nil, err
	}
	return only(ctx, db.Device.Query().Where(device.ID(id)))
}

func (r *queryResolver) Device(ctx context.Context, id int) (*ent.Device, error) {
	return only(ctx, ent.FromContext(ctx).Device.Query().Where(device.ID(id)))
}
