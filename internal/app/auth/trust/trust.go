// Package trust holds which users trust which devices, and the approvals that companies
// want of further ones.
package trust

import (
	"context"
	"slices"
	"time"

	"workforce/ent"
	"workforce/ent/device"
	"workforce/ent/devicetrust"
	"workforce/ent/role"
	"workforce/ent/session"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/input"
	"workforce/internal/app/notify"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// A Service keeps trust in devices. Its methods are safe for concurrent use.
type Service struct {
	Now    func() time.Time // UTC, to the microsecond
	Audit  *audit.Recorder
	Notify *notify.Service
}

// Trusts reports whether a user trusts a device.
func Trusts(ctx context.Context, user, device int) (bool, error) {
	return ent.FromContext(ctx).DeviceTrust.Query().
		Where(devicetrust.UserID(user), devicetrust.DeviceID(device), devicetrust.RevokedAtIsNil()).Exist(ctx)
}

var trustUpsert = database.Upsert{
	Table: devicetrust.Table,
	Columns: []string{
		devicetrust.FieldCompanyID, devicetrust.FieldUserID, devicetrust.FieldDeviceID,
		devicetrust.FieldTrustedAt, devicetrust.FieldRevokedAt,
	},
	Key:     []string{devicetrust.FieldUserID, devicetrust.FieldDeviceID},
	Replace: []string{devicetrust.FieldTrustedAt, devicetrust.FieldRevokedAt},
}

// Trust records that a user trusts a device. Where the company wants a single phone,
// trusting one ends the trust in the others, and the sessions on them.
func (s *Service) Trust(ctx context.Context, company, userID, deviceID int, v setting.Values) error {
	db, now := ent.FromContext(ctx), s.Now()
	err := trustUpsert.Exec(ctx, db, company, userID, deviceID, now, nil)
	if err != nil || !setting.SingleDevice.Of(v) {
		return err
	}
	phone, err := db.Device.Query().Where(device.ID(deviceID), device.PlatformNEQ(device.PlatformWeb)).Exist(ctx)
	if err != nil || !phone {
		return err
	}
	others, err := db.DeviceTrust.Query().Where(devicetrust.UserID(userID), devicetrust.DeviceIDNEQ(deviceID), devicetrust.RevokedAtIsNil(),
		devicetrust.HasDeviceWith(device.PlatformNEQ(device.PlatformWeb))).Select(devicetrust.FieldDeviceID).Ints(ctx)
	if err != nil || len(others) == 0 {
		return err
	}
	return s.leave(ctx, company, userID, others)
}

// leave ends the trust of a user in devices, and their sessions on them.
func (s *Service) leave(ctx context.Context, company, userID int, ids []int) error {
	db, now := ent.FromContext(ctx), s.Now()
	err := db.DeviceTrust.Update().Where(devicetrust.UserID(userID), devicetrust.DeviceIDIn(ids...), devicetrust.RevokedAtIsNil()).
		SetRevokedAt(now).Exec(ctx)
	if err != nil {
		return err
	}
	live, err := db.Session.Query().Where(session.UserID(userID), session.DeviceIDIn(ids...), session.RevokedAtIsNil()).All(ctx)
	if err != nil {
		return err
	}
	err = db.Session.Update().Where(session.IDIn(idsOf(live)...), session.RevokedAtIsNil()).SetRevokedAt(now).Exec(ctx)
	if err != nil {
		return err
	}
	var events []audit.Event
	for _, row := range live {
		events = append(events, audit.Event{
			Action: audit.SessionRevoked, Company: company, Subject: ent.TypeSession, ID: row.ID, Actor: userID,
			Facts: map[string]any{"user_id": userID, "device_id": row.DeviceID},
		})
	}
	for _, id := range ids {
		events = append(events, audit.Event{
			Action: audit.DeviceRevoked, Company: company, Subject: ent.TypeDevice, ID: id, Actor: userID,
			Facts: map[string]any{"user_ids": []int{userID}, "revoked": false},
		})
	}
	return s.Audit.Record(ctx, events...)
}

func idsOf(all []*ent.Session) []int {
	ids := make([]int, len(all))
	for i, row := range all {
		ids[i] = row.ID
	}
	return ids
}

// Rename gives a device another name, with those of its users whom the viewer may
// do so for. FORBIDDEN where there are only others.
func (s *Service) Rename(ctx context.Context, id int, in model.UpdateDeviceInput) error {
	d, err := ent.FromContext(ctx).Device.Get(ctx, id)
	if err != nil {
		return err
	}
	users, _, err := Holders(ctx, viewer.From(ctx), d)
	if err != nil {
		return err
	}
	var faults errs.Faults
	name := input.Name(&faults, "name", in.Name.Value())
	if err := faults.Err(); err != nil {
		return err
	}
	n, err := ent.FromContext(ctx).DeviceTrust.Update().
		Where(devicetrust.DeviceID(id), devicetrust.UserIDIn(users...), devicetrust.RevokedAtIsNil()).
		SetName(name).Save(viewer.System(ctx))
	if err == nil && n == 0 { // nobody trusts it any more
		err = errs.New(errs.NotFound, nil)
	}
	return err
}

// Owns matches the owners of a company, whose sessions and devices only owners end.
var Owns = user.HasRolesWith(role.Builtin(viewer.Owner))

// Holders returns the users of a device whom the viewer may revoke it for, and
// whether it has users who are spared as owners of the company. FORBIDDEN where
// there are only others.
func Holders(ctx context.Context, me *viewer.Viewer, d *ent.Device) (ids []int, spared bool, err error) {
	held, err := deviceUsers(viewer.System(ctx), me.CompanyID, d.ID)
	if err != nil {
		return nil, false, err
	}
	scope := me.Scope("device", "write")
	ids = []int{}
	for _, u := range held {
		owner := !me.Owner && len(u.Edges.Roles) > 0
		spared = spared || owner
		if !owner && me.Reaches(scope, u.ID, u.BusinessID) {
			ids = append(ids, u.ID)
		}
	}
	if scope == viewer.None || len(held) > 0 && len(ids) == 0 {
		return nil, false, errs.New(errs.Forbidden, nil)
	}
	return ids, spared, nil
}

// deviceUsers returns the users of a company who trust a device or are signed in on
// it, each with the role owner if they have it.
func deviceUsers(ctx context.Context, company, id int) ([]*ent.User, error) {
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
	return db.User.Query().Where(user.IDIn(slices.Concat(trusting, signedIn)...)).
		WithRoles(func(q *ent.RoleQuery) { q.Where(role.Builtin(viewer.Owner)) }).Order(ent.Asc(user.FieldID)).All(ctx)
}

// NotifyNew notifies a user who trusts another device that they trust the
// session's too.
func (s *Service) NotifyNew(ctx context.Context, of credential.Session) error {
	others, err := trustsAnother(ctx, of)
	if err != nil || !others {
		return err
	}
	db := ent.FromContext(ctx)
	u, err := db.User.Get(ctx, of.UserID)
	if err != nil {
		return err
	}
	d, err := db.Device.Get(ctx, of.DeviceID)
	if err != nil {
		return err
	}
	facts := message.Facts{}
	if d.Model != nil {
		facts.Device = *d.Model
	}
	return s.Notify.Notify(ctx, u, message.NewDevice, facts)
}

// trustsAnother reports whether the user of a session trusts another device, and not
// the session's.
func trustsAnother(ctx context.Context, of credential.Session) (bool, error) {
	known, err := Trusts(ctx, of.UserID, of.DeviceID)
	if err != nil || known {
		return false, err
	}
	return ent.FromContext(ctx).DeviceTrust.Query().
		Where(devicetrust.UserID(of.UserID), devicetrust.RevokedAtIsNil(), devicetrust.HasDeviceWith(device.RevokedAtIsNil())).Exist(ctx)
}
