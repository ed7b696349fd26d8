package auth

import (
	"context"
	"crypto/rand"

	"workforce/ent"
	"workforce/ent/device"
	"workforce/ent/devicetrust"
	"workforce/ent/session"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/auth/trust"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/sealed"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// devices registers and revokes devices.
type devices struct {
	Deps
	key *sealed.Derived // from which the next token of a device is derived
}

// RegisterDevice registers a new device, or gives the device of the request's own
// token its next one.
func (s *Service) RegisterDevice(ctx context.Context, in model.RegisterDeviceInput) (*model.DeviceRegistration, error) {
	if err := checkDevice(in); err != nil {
		return nil, err
	}
	ctx = viewer.System(ctx)
	if own := credential.From(ctx, token.Device); own.Reason == credential.Valid {
		next, ok, err := s.devices.rotate(ctx, own, in)
		if err != nil || ok {
			return &model.DeviceRegistration{DeviceToken: next.Text()}, err
		}
	}
	t, err := token.New(token.Device, rand.Reader)
	if err != nil {
		return nil, err
	}
	return &model.DeviceRegistration{DeviceToken: t.Text()}, s.devices.add(ctx, t, in)
}

// RevokeDevice revokes a device for the users whom the viewer may do so for.
func (s *Service) RevokeDevice(ctx context.Context, id int) error {
	d, err := ent.FromContext(ctx).Device.Get(ctx, id)
	if err != nil {
		return err
	}
	return s.devices.revoke(ctx, d)
}

// TrustedBy returns the devices that a user trusts, by id. NOT_FOUND for one whose devices the viewer
// does not see.
func (s *Service) TrustedBy(ctx context.Context, id int) (*ent.DeviceQuery, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	u, err := ent.FromContext(ctx).User.Query().Where(user.ID(id)).Only(ctx)
	if ent.IsNotFound(err) || err == nil && !me.Reaches(me.Scope("device", "read"), u.ID, u.BusinessID) {
		err = errs.New(errs.NotFound, nil)
	}
	if err != nil {
		return nil, err
	}
	trusts := ent.FromContext(ctx).DeviceTrust.Query().Where(devicetrust.UserID(id), devicetrust.RevokedAtIsNil())
	return trusts.QueryDevice().Where(device.RevokedAtIsNil()).Order(ent.Asc(device.FieldID)), nil
}

// checkDevice returns the faults of the members of a registration.
func checkDevice(in model.RegisterDeviceInput) error {
	var faults errs.Faults
	if input.Line(&faults, "deviceId", &in.DeviceID, 255) == "" {
		faults.Add("deviceId", errs.Required, nil)
	}
	input.Line(&faults, "model", in.Model.Value(), 255)
	input.Line(&faults, "osVersion", in.OsVersion.Value(), 64)
	input.Line(&faults, "appVersion", in.AppVersion.Value(), 64)
	input.Line(&faults, "pushToken", in.PushToken.Value(), 4096)
	return faults.Err()
}

// add stores a new device with its token.
func (ds *devices) add(ctx context.Context, t token.Token, in model.RegisterDeviceInput) error {
	hash := t.Hash()
	return ent.FromContext(ctx).Device.Create().
		SetDeviceID(in.DeviceID).SetPlatform(in.Platform).SetTokenHash(hash[:]).SetCreatedAt(ds.Now()).
		SetNillableModel(in.Model.Value()).SetNillableOsVersion(in.OsVersion.Value()).
		SetNillableAppVersion(in.AppVersion.Value()).SetNillablePushToken(in.PushToken.Value()).Exec(ctx)
}

// rotate gives a device its next token, which follows from the one that was sent: so
// many rotations at once, and one whose answer was lost, give the same. The present
// one ends when the next is first used. The device's own id is not changed. It reports
// false where the token that was sent has ended meanwhile.
func (ds *devices) rotate(ctx context.Context, own *credential.Credential,
	in model.RegisterDeviceInput) (token.Token, bool, error) {
	next, err := ds.next(ctx, own)
	if err != nil {
		return next, false, err
	}
	hash, db := next.Hash(), ent.FromContext(ctx).Device
	n, err := db.Update().Where(device.ID(own.Device.ID), device.TokenHash(own.Sent.Hash[:]), device.RevokedAtIsNil()).
		SetNextTokenHash(hash[:]).SetPlatform(in.Platform).
		SetNillableModel(in.Model.Value()).SetNillableOsVersion(in.OsVersion.Value()).
		SetNillableAppVersion(in.AppVersion.Value()).SetNillablePushToken(in.PushToken.Value()).Save(ctx)
	if err != nil {
		return next, false, err
	}
	if n == 0 { // another request did the same, or the next token was used meanwhile, or the device revoked
		ok, err := db.Query().Where(device.Or(device.NextTokenHash(hash[:]), device.TokenHash(hash[:])),
			device.RevokedAtIsNil()).Exist(ctx)
		return next, ok, err
	}
	return next, true, ds.recordRotation(ctx, own.Device.ID)
}

// next returns the token that follows from the one that was sent: under an older secret
// key where that one was given already.
func (ds *devices) next(ctx context.Context, own *credential.Credential) (token.Token, error) {
	keys := ds.key.Keys()
	for _, key := range keys[1:] {
		t := token.Derive(key, token.Device, own.Sent.Hash[:], 0)
		hash := t.Hash()
		given, err := ent.FromContext(ctx).Device.Query().Where(device.ID(own.Device.ID),
			device.Or(device.NextTokenHash(hash[:]), device.TokenHash(hash[:]))).Exist(ctx)
		if err != nil || given {
			return t, err
		}
	}
	return token.Derive(keys[0], token.Device, own.Sent.Hash[:], 0), nil
}

// revoke ends the trust and the sessions on a device of those users whom the viewer
// may revoke it for. Its token ends where the viewer trusted it themselves, or
// nobody trusts it any more, unless an owner of the company uses it and the viewer is
// none.
func (ds *devices) revoke(ctx context.Context, d *ent.Device) error {
	me := viewer.From(ctx)
	users, spared, err := trust.Holders(ctx, me, d)
	if err != nil {
		return err
	}
	ctx = viewer.System(ctx)
	own, err := trust.Trusts(ctx, me.UserID, d.ID)
	if err != nil {
		return err
	}
	left, err := ds.endTrust(ctx, d.ID, users)
	if err != nil {
		return err
	}
	ended, revoked := session.UserIDIn(users...), !spared && (own || !left)
	if revoked {
		ended = session.DeviceID(d.ID) // everybody's
		if err := ds.revokeToken(ctx, d.ID); err != nil {
			return err
		}
	}
	if len(users) > 0 || d.RevokedAt == nil && revoked {
		err := ds.Audit.Record(ctx, audit.Event{
			Action: audit.DeviceRevoked, Company: me.CompanyID, Subject: ent.TypeDevice, ID: d.ID,
			Facts: map[string]any{"user_ids": users, "revoked": revoked},
		})
		if err != nil {
			return err
		}
	}
	return ent.FromContext(ctx).Session.Update().Where(session.DeviceID(d.ID), session.RevokedAtIsNil(), ended).
		SetRevokedAt(ds.Now()).Exec(ctx)
}

// endTrust ends the trust of users in a device. It reports whether others trust it
// still.
func (ds *devices) endTrust(ctx context.Context, id int, users []int) (left bool, err error) {
	db := ent.FromContext(ctx).DeviceTrust
	err = db.Update().
		Where(devicetrust.DeviceID(id), devicetrust.UserIDIn(users...), devicetrust.RevokedAtIsNil()).
		SetRevokedAt(ds.Now()).Exec(ctx)
	if err != nil {
		return false, err
	}
	return db.Query().Where(devicetrust.DeviceID(id), devicetrust.RevokedAtIsNil()).Exist(ctx)
}

// revokeToken revokes a device's token. Registering again makes a new device.
func (ds *devices) revokeToken(ctx context.Context, id int) error {
	return ent.FromContext(ctx).Device.Update().Where(device.ID(id), device.RevokedAtIsNil()).
		SetRevokedAt(ds.Now()).ClearPushToken().Exec(ctx)
}

// recordFirstUse records that a device was registered, when the first user of a company
// signs in on it: until then it belongs to nobody.
func (ds *devices) recordFirstUse(ctx context.Context, u *ent.User, id int) error {
	known, err := ent.FromContext(ctx).Session.Query().Where(session.CompanyID(u.CompanyID), session.DeviceID(id)).
		Exist(ctx)
	if err != nil || known {
		return err
	}
	d, err := ent.FromContext(ctx).Device.Get(ctx, id)
	if err != nil {
		return err
	}
	return ds.Audit.Record(ctx, audit.Event{
		Action: audit.DeviceRegistered, Company: u.CompanyID, Subject: ent.TypeDevice, ID: id, Actor: u.ID,
		Facts: map[string]any{"device_id": d.DeviceID, "platform": d.Platform, "registered_at": d.CreatedAt},
	})
}

// recordRotation records, in each company that trusts a device, that its token was
// replaced.
func (ds *devices) recordRotation(ctx context.Context, device int) error {
	companies, err := ent.FromContext(ctx).DeviceTrust.Query().
		Where(devicetrust.DeviceID(device), devicetrust.RevokedAtIsNil()).
		Unique(true).Order(ent.Asc(devicetrust.FieldCompanyID)).Select(devicetrust.FieldCompanyID).Ints(ctx)
	if err != nil {
		return err
	}
	events := make([]audit.Event, len(companies))
	for i, id := range companies {
		events[i] = audit.Event{Action: audit.DeviceRotated, Company: id, Subject: ent.TypeDevice, ID: device}
	}
	return ds.Audit.Record(ctx, events...)
}
