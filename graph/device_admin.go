package graph

import (
	"context"
	"slices"

	"workforce/ent"
	"workforce/ent/device"
	"workforce/ent/devicetrust"
	"workforce/ent/session"
	"workforce/ent/user"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// takeAway ends the trusts and sessions on a device of those from whom the
// caller may take it. The device dies where the caller trusted it themselves, or
// nobody trusts it any more.
func (r *Resolver) takeAway(ctx context.Context, d *ent.Device) error {
	me := viewer.From(ctx)
	users, err := releasable(ctx, me, d)
	if err != nil {
		return err
	}
	ctx = system(ctx)
	own, err := trusts(ctx, me.UserID, d.ID)
	if err != nil {
		return err
	}
	db := ent.FromContext(ctx)
	err = db.DeviceTrust.Update().
		Where(devicetrust.DeviceID(d.ID), devicetrust.UserIDIn(users...), devicetrust.RevokedAtIsNil()).
		SetRevokedAt(r.Now()).Exec(ctx)
	if err != nil {
		return err
	}
	left, err := db.DeviceTrust.Query().Where(devicetrust.DeviceID(d.ID), devicetrust.RevokedAtIsNil()).Exist(ctx)
	if err != nil {
		return err
	}
	ended := session.UserIDIn(users...)
	if own || !left {
		ended = session.DeviceID(d.ID) // everybody's
		if err := r.killDevice(ctx, d.ID); err != nil {
			return err
		}
	}
	return db.Session.Update().Where(session.DeviceID(d.ID), session.RevokedAtIsNil(), ended).
		SetRevokedAt(r.Now()).Exec(ctx)
}

// killDevice ends a device's token. Registering again makes a new device.
func (r *Resolver) killDevice(ctx context.Context, id int) error {
	return ent.FromContext(ctx).Device.Update().Where(device.ID(id), device.RevokedAtIsNil()).
		SetRevokedAt(r.Now()).ClearPushToken().Exec(ctx)
}

// releasable returns those who trust a device or are signed in on it, and from
// whom the caller may take it. It is FORBIDDEN where there are only others.
func releasable(ctx context.Context, me *viewer.Viewer, d *ent.Device) ([]int, error) {
	held, err := holders(system(ctx), me.CompanyID, d.ID)
	if err != nil {
		return nil, err
	}
	scope := me.Scope("device", "write")
	var ids []int
	for _, u := range held {
		if covers(me, scope, u) {
			ids = append(ids, u.ID)
		}
	}
	if scope == viewer.None || len(held) > 0 && len(ids) == 0 {
		return nil, errs.New(errs.Forbidden, nil)
	}
	return ids, nil
}

// holders returns those of a company who trust a device or are signed in on it.
func holders(ctx context.Context, company, id int) ([]*ent.User, error) {
	db := ent.FromContext(ctx)
	var trusting, signedIn []int
	err := db.DeviceTrust.Query().
		Where(devicetrust.CompanyID(company), devicetrust.DeviceID(id), devicetrust.RevokedAtIsNil()).
		Select(devicetrust.FieldUserID).Scan(ctx, &trusting)
	if err != nil {
		return nil, err
	}
	err = db.Session.Query().
		Where(session.CompanyID(company), session.DeviceID(id), session.RevokedAtIsNil()).
		Select(session.FieldUserID).Scan(ctx, &signedIn)
	if err != nil {
		return nil, err
	}
	return db.User.Query().Where(user.IDIn(slices.Concat(trusting, signedIn)...)).Order(ent.Asc(user.FieldID)).All(ctx)
}
