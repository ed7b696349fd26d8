package webapp

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/device"
	"workforce/ent/devicetrust"
	entMessage "workforce/ent/message"
	"workforce/ent/role"
	"workforce/ent/session"
	"workforce/ent/user"
	"workforce/ent/userrole"
	"workforce/internal/app/tx"
	"workforce/internal/message"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// TestPeople finds, adds, changes, invites again, deactivates, erases and imports people as an owner.
func TestPeople(t *testing.T) {
	full(t)
	t.Parallel()
	s := newServer(t)
	s.SignIn(t, "budi", "budi@demo.test")
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	of := func(email string) *ent.User { return db.User.Query().Where(user.Email(email)).OnlyX(ctx) }
	useAs(t, s, owner, "people.mjs", nil, map[string]func(string) string{
		"wait": func(string) string { s.Clock.Advance(2 * time.Minute); return "" }, // another invitation may be sent
		"jobs": func(string) string { harness.WaitForJobs(t, s); return "" },
		"invited": func(text string) string {
			email, want, _ := strings.Cut(text, " ")
			n := db.Message.Query().Where(entMessage.UserID(of(email).ID), entMessage.Kind(string(message.Invited))).CountX(ctx)
			if fmt.Sprint(n) != want {
				t.Errorf("%s was invited %d times, want %s", email, n, want)
			}
			return ""
		},
		"person": func(text string) string {
			email, want, _ := strings.Cut(text, " ")
			u := of(email)
			joined := ""
			if u.JoinedOn != nil {
				joined = *u.JoinedOn
			}
			if got := fmt.Sprintf("%t %s", u.Active, joined); got != want {
				t.Errorf("%s is %q, want %q", email, got, want)
			}
			return ""
		},
		"password": func(email string) string { // whether one is set
			return strconv.FormatBool(of(email).PasswordHash != nil)
		},
		"worn": func(email string) string { // by 250 sessions that ended, and another phone without one
			u, now := of(email), s.Clock.Now()
			old := db.DeviceTrust.Query().Where(devicetrust.UserID(u.ID)).QueryDevice().FirstX(ctx)
			for range 250 {
				family := make([]byte, 16)
				if _, err := rand.Read(family); err != nil {
					t.Error(err)
				}
				db.Session.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(old.ID).SetFamily(family).
					SetCreatedAt(now).SetVerifiedAt(now).SetEndsAt(now).SetRevokedAt(now).ExecX(ctx)
			}
			phone := db.Device.Create().SetDeviceID("second").SetPlatform(device.PlatformIos).SetModel("Pixel 2").
				SetTokenHash([]byte("second")).SetCreatedAt(now).SaveX(ctx)
			db.DeviceTrust.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(phone.ID).SetTrustedAt(now).ExecX(ctx)
			return ""
		},
		"gone": func(email string) string {
			if db.User.Query().Where(user.Email(email)).ExistX(ctx) {
				t.Error(email + " is there")
			}
			return ""
		},
		"lost": func(email string) string {
			id := of(email).ID
			if n := db.Session.Query().Where(session.UserID(id), session.RevokedAtIsNil()).CountX(ctx); n > 0 {
				t.Errorf("%s has %d sessions", email, n)
			}
			if n := db.DeviceTrust.Query().Where(devicetrust.UserID(id), devicetrust.RevokedAtIsNil()).CountX(ctx); n > 0 {
				t.Errorf("%s trusts %d devices", email, n)
			}
			return ""
		},
	})
}

// TestRoles makes, changes and deletes a role, reads the audit of that, and sends a message again.
func TestRoles(t *testing.T) {
	full(t)
	t.Parallel()
	s := newServer(t)
	for _, phone := range []string{"budi", "tablet"} { // the second is told of
		s.SignIn(t, phone, "budi@demo.test")
	}
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	budi := db.User.Query().Where(user.Email("budi@demo.test")).OnlyX(ctx)
	named := func(name string) *ent.Role { return db.Role.Query().Where(role.Name(name)).OnlyX(ctx) }
	change := func(do func(context.Context, *ent.Client) error) {
		err := tx.Run(ctx, db, func(ctx context.Context) error { return do(ctx, ent.FromContext(ctx)) })
		if err != nil {
			t.Error(err)
		}
	}
	notices := db.Message.Query().Where(entMessage.UserID(budi.ID), entMessage.Kind(string(message.NewDevice)))
	useAs(t, s, owner, "roles.mjs", nil, map[string]func(string) string{
		"role": func(text string) string {
			name, want, _ := strings.Cut(text, " ")
			if want == "" {
				if db.Role.Query().Where(role.Name(name)).ExistX(ctx) {
					t.Error(name + " is there")
				}
			} else if got := named(name).CustomPermissions; !strings.Contains(strings.Join(got, " "), want) {
				t.Errorf("%s may %v, want %s", name, got, want)
			}
			return ""
		},
		"give": func(name string) string {
			id := named(name).ID
			change(func(ctx context.Context, db *ent.Client) error {
				return db.UserRole.Create().SetCompanyID(budi.CompanyID).SetUserID(budi.ID).SetRoleID(id).Exec(ctx)
			})
			return ""
		},
		"take": func(name string) string {
			id := named(name).ID
			change(func(ctx context.Context, db *ent.Client) error {
				_, err := db.UserRole.Delete().Where(userrole.RoleID(id)).Exec(ctx)
				return err
			})
			return ""
		},
		"failed": func(string) string {
			harness.WaitForJobs(t, s)
			m := notices.Clone().FirstX(ctx)
			m.Update().SetStatus(entMessage.StatusFailed).SetError("no such mailbox").ExecX(ctx)
			s.Clock.Advance(2 * time.Minute)
			return ""
		},
		"sent": func(string) string {
			if n := notices.Clone().CountX(ctx); n != 2 {
				t.Errorf("%d messages, want another one", n)
			}
			return ""
		},
	})
}
