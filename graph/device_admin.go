package graph

import (
	"context"
	"slices"

	"workforce/ent"
	"workforce/ent/device"
	"workforce/ent/devicetrust"
	"workforce/ent/session"
	"workforce/ent/user"
	"workforce/graph/identity"
	"workforce/internal/errs"
	"workforce/internal/message"
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
	ended, dies := session.UserIDIn(users...), own || !left
	if dies {
		ended = session.DeviceID(d.ID) // everybody's
		if err := r.killDevice(ctx, d.ID); err != nil {
			return err
		}
	}
	if len(users) > 0 || d.RevokedAt == nil && dies {
		err := r.note(ctx, event{
			action: deviceRevoked, company: me.CompanyID, kind: ent.TypeDevice, id: d.ID,
			facts: map[string]any{"user_ids": users, "revoked": dies},
		})
		if err != nil {
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
	ids := []int{}
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

// tellNewDevice tells a user who trusts another device that from now on they
// trust the session's too.
func (r *Resolver) tellNewDevice(ctx context.Context, s identity.Session) error {
	db := ent.FromContext(ctx)
	known, err := trusts(ctx, s.UserID, s.DeviceID)
	if err != nil || known {
		return err
	}
	others, err := db.DeviceTrust.Query().
		Where(devicetrust.UserID(s.UserID), devicetrust.RevokedAtIsNil(), devicetrust.HasDeviceWith(device.RevokedAtIsNil())).Exist(ctx)
	if err != nil || !others {
		return err
	}
	u, err := db.User.Get(ctx, s.UserID)
	if err != nil {
		return err
	}
	d, err := db.Device.Get(ctx, s.DeviceID)
	if err != nil {
		return err
	}
	facts := message.Facts{}
	if d.Model != nil {
		facts.Device = *d.Model
	}
	return r.tell(ctx, u, message.NewDevice, facts)
}

// noteRotated puts down, for each company that trusts a device, that its token
// was replaced.
func (r *Resolver) noteRotated(ctx context.Context, device int) error {
	companies, err := ent.FromContext(ctx).DeviceTrust.Query().
		Where(devicetrust.DeviceID(device), devicetrust.RevokedAtIsNil()).
		Unique(true).Order(ent.Asc(devicetrust.FieldCompanyID)).Select(devicetrust.FieldCompanyID).Ints(ctx)
	if err != nil {
		return err
	}
	events := make([]event, len(companies))
	for i, id := range companies {
		events[i] = event{action: deviceRotated, company: id, kind: ent.TypeDevice, id: device}
	}
	return r.note(ctx, events...)
}
