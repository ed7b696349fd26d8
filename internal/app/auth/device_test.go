package auth

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/devicetrust"
	"workforce/ent/session"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/errs"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// register registers a device from JSON.
func (w *world) register(t *testing.T, ctx context.Context, text string) (string, error) {
	t.Helper()
	out, err := inTx(w, ctx, func(ctx context.Context) (*model.DeviceRegistration, error) {
		return w.auth.RegisterDevice(ctx, registration(t, text))
	})
	if err != nil {
		return "", err
	}
	return out.DeviceToken, nil
}

func hashOfToken(text string) []byte {
	hash := token.Hash(text)
	return hash[:]
}

func TestRegisterDevice(t *testing.T) {
	w := newWorld(t)
	const all = `{"deviceId":"a","platform":"ios","model":"M1","osVersion":"17","appVersion":"1.0","pushToken":"p1"}`
	first, err := w.register(t, w.request(t), all)
	if err != nil {
		t.Fatal(err)
	}
	want := &ent.Device{
		ID: 1, DeviceID: "a", Platform: "ios", Model: new("M1"), OsVersion: new("17"), AppVersion: new("1.0"), PushToken: new("p1"),
		TokenHash: hashOfToken(first), NextTokenHash: new([]byte(nil)), CreatedAt: w.Now(),
	}
	wantEqual(t, "device", w.DB.Device.GetX(w.System(), 1), want)

	other := w.company(t)
	for _, company := range []int{w.Company.ID, other.ID, w.Company.ID} {
		u := w.person(t, fmt.Sprintf("Budi %d", w.DB.User.Query().CountX(w.System())))
		w.DB.DeviceTrust.Create().SetCompanyID(company).SetUserID(u.ID).SetDeviceID(1).SetTrustedAt(w.Now()).ExecX(w.System())
	}
	w.Advance(time.Hour)
	second, err := w.register(t, w.request(t, first), `{"deviceId":"b","platform":"android","model":"M2","osVersion":"18","appVersion":"2.0","pushToken":"p2"}`)
	if err != nil {
		t.Fatal(err)
	}
	want.Platform, want.Model, want.OsVersion, want.AppVersion, want.PushToken = "android", new("M2"), new("18"), new("2.0"), new("p2")
	want.NextTokenHash = new(hashOfToken(second))
	wantEqual(t, "rotated device", w.DB.Device.GetX(w.System(), 1), want)
	if w.reasonOf(t, first) != "" || w.reasonOf(t, second) != "" {
		t.Error("one of the two tokens is not valid")
	}
	var companies []int
	for _, e := range w.DB.AuditEvent.Query().AllX(w.System()) {
		if e.Action != "device.rotated" || e.SubjectType != ent.TypeDevice || e.SubjectID != 1 || e.ActorID != nil || e.After != nil {
			t.Errorf("event %v", e)
		}
		companies = append(companies, e.CompanyID)
	}
	wantEqual(t, "told companies", companies, []int{w.Company.ID, other.ID})

	third, err := w.register(t, w.request(t, first), `{"deviceId":"a","platform":"android"}`) // the answer was lost
	if err != nil || third != second {
		t.Errorf("a second rotation gave another token, %v", err)
	}
	wantEqual(t, "device rotated again", w.DB.Device.GetX(w.System(), 1), want)

	w.DB.Device.UpdateOneID(1).SetRevokedAt(w.Now()).ExecX(w.System())
	if _, err := w.register(t, w.request(t, first), all); err != nil || w.DB.Device.Query().CountX(w.System()) != 2 {
		t.Errorf("with a revoked token: %v, %d devices, want a new one", err, w.DB.Device.Query().CountX(w.System()))
	}
}

func TestRefusedRegistrations(t *testing.T) {
	w := newWorld(t)
	tests := []struct {
		field string
		most  int
	}{{"deviceId", 255}, {"model", 255}, {"osVersion", 64}, {"appVersion", 64}, {"pushToken", 4096}}
	for _, tt := range tests {
		members := map[string]string{"deviceId": "a"}
		for n, want := range map[int]string{tt.most: "", tt.most + 1: "VALIDATION_FAILED " + tt.field + " too_long"} {
			members[tt.field] = strings.Repeat("é", n)
			text := `{"platform":"ios"`
			for name, value := range members {
				text += fmt.Sprintf(`,%q:%q`, name, value)
			}
			_, err := w.register(t, w.request(t), text+"}")
			wantCode(t, fmt.Sprintf("%s of %d characters", tt.field, n), err, want)
		}
	}
	_, err := w.register(t, w.request(t), `{"deviceId":"","platform":"ios","model":"`+strings.Repeat("x", 256)+`"}`)
	if faults := errs.As(err).Faults; len(faults) != 2 || faults[0].Reason != errs.Required {
		t.Errorf("faults %v, want both", faults)
	}
}

// company adds another company.
func (w *world) company(t *testing.T) (c *ent.Company) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		c, err = db.Company.Create().SetName("Other").SetTimezone("UTC").SetCreatedAt(apptest.Now).Save(ctx)
		return err
	})
	return w.DB.Company.GetX(w.System(), c.ID)
}

// business puts users into a new business and returns its id.
func (w *world) business(t *testing.T, users ...*ent.User) (id int) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		b, err := db.Business.Create().SetCompanyID(w.Company.ID).SetName("Sales").Save(ctx)
		if err != nil {
			return err
		}
		id = b.ID
		for _, u := range users {
			if err := db.User.UpdateOneID(u.ID).SetBusinessID(id).Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	return id
}

// with returns the context of a user with permissions, who manages businesses.
func (w *world) with(u *ent.User, permissions []string, businesses ...int) context.Context {
	slices.Sort(permissions)
	ctx := w.As(u, viewer.Employee, businesses...)
	viewer.From(ctx).Permissions = permissions
	return ctx
}

// TestRevokeDevice revokes a device of Budi and Siti, who trust it, and of Tono,
// who is signed in on it alone.
func TestRevokeDevice(t *testing.T) {
	all := []string{"device.read.all", "device.write.all"}
	team := []string{"device.read.all", "device.write.team"}
	own := []string{"device.read.all", "device.write.own"}
	type outcome struct {
		want     string
		trusting []string // still
		signedIn []string // still
		revoked  bool     // the device
		users    string   // in the audit
	}
	everybody := outcome{"", nil, nil, true, "[1,2,3]"}
	tests := []struct {
		name        string
		by          string
		permissions []string
		foreign     bool // somebody of another company trusts the device too
		want        outcome
	}{
		{"the administrator, for all", "Admin", all, false, everybody},
		{"an owner, for themselves: the token ends for all", "Budi", own, false, outcome{"", []string{"Siti"}, nil, true, "[1]"}},
		{"an owner who may all", "Budi", all, false, everybody},
		{"a manager, for Siti and Tono, who are in the team", "Manager", team, false, outcome{"", []string{"Budi"}, []string{"Budi"}, false, "[2,3]"}},
		{"who is signed in alone", "Tono", own, false, outcome{"", []string{"Budi", "Siti"}, []string{"Budi", "Siti"}, false, "[3]"}},
		{"somebody else", "Manager", own, false, outcome{"FORBIDDEN", []string{"Budi", "Siti"}, []string{"Budi", "Siti", "Tono"}, false, ""}},
		{"without the permission", "Budi", []string{"device.read.all"}, false, outcome{"FORBIDDEN", []string{"Budi", "Siti"}, []string{"Budi", "Siti", "Tono"}, false, ""}},
		{"a device of another company too", "Admin", all, true, outcome{"", []string{"Other"}, []string{"Other"}, false, "[1,2,3]"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			d, row := w.device(t, "a")
			w.DB.Device.UpdateOne(row).SetPushToken("push").ExecX(w.System())
			people := map[string]*ent.User{}
			for _, name := range []string{"Budi", "Siti", "Tono", "Admin", "Manager"} {
				people[name] = w.person(t, name)
			}
			unit := w.business(t, people["Siti"], people["Tono"])
			for _, name := range []string{"Budi", "Siti"} {
				w.signIn(t, people[name], d)
			}
			if _, err := w.login(t, d, people["Tono"].Email, secret); err != nil {
				t.Fatal(err)
			}
			if tt.foreign {
				w.foreigner(t, row)
			}
			w.newEvents(t)
			w.Advance(time.Hour)
			err := w.Try(w.with(people[tt.by], tt.permissions, unit), func(ctx context.Context, _ *ent.Client) error {
				return w.auth.RevokeDevice(ctx, row.ID)
			})
			wantCode(t, "revoke", err, tt.want.want)
			wantEqual(t, "still trusting", w.trusting(t), tt.want.trusting)
			wantEqual(t, "still signed in", w.signedIn(t), tt.want.signedIn)
			after := w.DB.Device.GetX(w.System(), row.ID)
			if got := after.RevokedAt != nil; got != tt.want.revoked || got != (after.PushToken == nil) || got && !after.RevokedAt.Equal(w.Now()) {
				t.Errorf("device %v, want revoked %v", after, tt.want.revoked)
			}
			var events []string
			if tt.want.want == "" {
				events = []string{fmt.Sprintf(`device.revoked Device %d {"revoked":%v,"user_ids":%s}`, row.ID, tt.want.revoked, tt.want.users)}
			}
			w.wantEvents(t, events...)
		})
	}
}

// TestRevokeDeviceOfOwners proves that nobody but an owner takes a device from one:
// not for them, and not by revoking their own trust in a device that both use.
func TestRevokeDeviceOfOwners(t *testing.T) {
	for _, tt := range []struct {
		about, by, role    string
		trusting, signedIn []string // still
		want               string
	}{
		{"an administrator", "Tono", viewer.Admin, []string{"Siti"}, []string{"Siti"}, ""},
		{"an employee who trusts it too", "Budi", viewer.Employee, []string{"Siti"}, []string{"Siti"}, ""},
		{"the owner", "Siti", viewer.Owner, nil, nil, ""},
	} {
		w := newWorld(t)
		d, row := w.device(t, "a")
		people := map[string]*ent.User{}
		for _, name := range []string{"Budi", "Siti", "Tono"} {
			people[name] = w.person(t, name)
		}
		w.own(t, people["Siti"])
		w.signIn(t, people["Budi"], d)
		w.signIn(t, people["Siti"], d)
		w.Advance(time.Hour)
		revoke := func() error {
			return w.Try(w.As(people[tt.by], tt.role), func(ctx context.Context, _ *ent.Client) error { return w.auth.RevokeDevice(ctx, row.ID) })
		}
		wantCode(t, tt.about, revoke(), tt.want)
		wantEqual(t, tt.about+": still trusting", w.trusting(t), tt.trusting)
		wantEqual(t, tt.about+": still signed in", w.signedIn(t), tt.signedIn)
		if tt.role == viewer.Admin {
			wantCode(t, "the owner alone is left", revoke(), "FORBIDDEN")
		}
	}
}

// foreigner lets somebody of another company trust a device and be signed in on it.
func (w *world) foreigner(t *testing.T, d *ent.Device) {
	t.Helper()
	other := w.company(t)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		u, err := db.User.Create().SetCompanyID(other.ID).SetName("Other").SetEmail("o@other.test").SetEmailKey("o@other.test").SetCreatedAt(apptest.Now).Save(ctx)
		if err != nil {
			return err
		}
		if _, _, err := w.auth.sessions.start(ctx, u, d.ID, true); err != nil {
			return err
		}
		return db.DeviceTrust.Create().SetCompanyID(other.ID).SetUserID(u.ID).SetDeviceID(d.ID).SetTrustedAt(w.Now()).Exec(ctx)
	})
}

// trusting returns who trusts the device. It checks when the others ceased to.
func (w *world) trusting(t *testing.T) (names []string) {
	for _, row := range w.DB.DeviceTrust.Query().Order(ent.Asc(devicetrust.FieldID)).AllX(w.System()) {
		if row.RevokedAt == nil {
			names = append(names, w.userOf(row.UserID).Name)
		} else if !row.RevokedAt.Equal(w.Now()) {
			t.Errorf("trust %v, want revoked now", row)
		}
	}
	return names
}

// signedIn returns who has a session. It checks when the others' ended.
func (w *world) signedIn(t *testing.T) (names []string) {
	for _, row := range w.DB.Session.Query().Order(ent.Asc(session.FieldID)).AllX(w.System()) {
		if row.RevokedAt == nil {
			names = append(names, w.userOf(row.UserID).Name)
		} else if !row.RevokedAt.Equal(w.Now()) {
			t.Errorf("session %v, want ended now", row)
		}
	}
	return names
}

// TestRevokeDeviceAgain records nothing where nothing is left to revoke.
func TestRevokeDeviceAgain(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	d, row := w.device(t, "a")
	w.signIn(t, u, d)
	w.newEvents(t)
	revoke := func() error {
		return w.Try(w.As(u, viewer.Employee), func(ctx context.Context, _ *ent.Client) error { return w.auth.RevokeDevice(ctx, row.ID) })
	}
	wantCode(t, "once", revoke(), "")
	w.wantEvents(t, fmt.Sprintf(`device.revoked Device %d {"revoked":true,"user_ids":[%d]}`, row.ID, u.ID))
	first := w.DB.Device.GetX(w.System(), row.ID)
	w.Advance(time.Hour)
	wantCode(t, "again", revoke(), "")
	w.wantEvents(t)
	wantEqual(t, "device", w.DB.Device.GetX(w.System(), row.ID), first)
	if err := w.Try(w.As(w.person(t, "Siti"), viewer.Employee), func(ctx context.Context, _ *ent.Client) error {
		return w.auth.RevokeDevice(ctx, row.ID)
	}); !ent.IsNotFound(err) {
		t.Errorf("somebody's device: %v, want not found", err)
	}
}

// TestRotateMeanwhile rotates with a token that was valid when the request came.
func TestRotateMeanwhile(t *testing.T) {
	w := newWorld(t)
	const text = `{"deviceId":"a","platform":"ios"}`
	first, _ := w.device(t, "a")
	ctx := w.request(t, first)
	next, err := w.register(t, ctx, text)
	if err != nil {
		t.Fatal(err)
	}
	w.DB.Device.UpdateOneID(1).SetTokenHash(hashOfToken(next)).ClearNextTokenHash().ExecX(w.System())
	if again, err := w.register(t, ctx, text); err != nil || again != next {
		t.Errorf("the next token was used meanwhile: another token, %v", err)
	}
	w.DB.Device.UpdateOneID(1).SetRevokedAt(w.Now()).ExecX(w.System())
	if again, err := w.register(t, ctx, text); err != nil || again == next || w.DB.Device.Query().CountX(w.System()) != 2 {
		t.Errorf("the device was revoked meanwhile: %v, %d devices, want a new one", err, w.DB.Device.Query().CountX(w.System()))
	}
}
