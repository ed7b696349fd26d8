package auth

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/recoverylink"
	"workforce/graph/model"
	"workforce/internal/app/auth/trust"
	"workforce/internal/app/ratelimit"
)

// newRecovery makes a link as the operator's command does.
func (w *world) newRecovery(t *testing.T, u *ent.User) string {
	t.Helper()
	var made Recovery
	w.Change(t, func(ctx context.Context, _ *ent.Client) (err error) {
		made, err = NewRecovery(ctx, w.auth.Audit, u)
		return err
	})
	wantEqual(t, "expires", made.Expires, w.Now().Add(24*time.Hour))
	return made.Token
}

func (w *world) recoverBy(t *testing.T, device, text, password string) error {
	t.Helper()
	_, err := w.auth.RecoverAccount(w.request(t, device), model.RecoverAccountInput{Token: text, Password: password})
	return err
}

// TestRecover uses a link: the password is set, the browser trusted, sessions are over, and both
// the making and the use stand in the audit.
func TestRecover(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	phone, _ := w.device(t, "phone")
	browser, row := w.device(t, "browser")
	old := w.signIn(t, u, phone)
	w.newEvents(t)
	link := w.newRecovery(t, u)
	w.wantEvents(t, fmt.Sprintf(`password.link_made User %d {"by":"operator","expires_at":"2026-03-12T03:00:00Z"}`, u.ID))
	if secret, err := base64.RawURLEncoding.DecodeString(link); err != nil || len(secret) != 32 {
		t.Errorf("%d bytes, %v; want 256 bits", len(secret), err)
	}
	if stored := w.DB.RecoveryLink.Query().OnlyX(w.System()); string(stored.TokenHash) != string(recoveryDigest(link)) {
		t.Errorf("stored is %x", stored.TokenHash)
	}
	for _, weak := range []struct{ password, want string }{
		{"", "VALIDATION_FAILED password required"}, {"short", "PASSWORD_WEAK password"}, {secret, "PASSWORD_WEAK password"},
	} {
		wantCode(t, "password "+weak.password, w.recoverBy(t, browser, link, weak.password), weak.want)
	}
	w.wantEvents(t)
	wantCode(t, "used", w.recoverBy(t, browser, link, fresh), "")
	w.wantEvents(t, fmt.Sprintf(`password.recovered User %d by %d {"device_id":%d}`, u.ID, u.ID, row.ID))
	if !w.hasSecret(t, u, fresh) {
		t.Error("the password is not set")
	}
	if trusted, err := trust.Trusts(w.System(), u.ID, row.ID); err != nil || !trusted {
		t.Errorf("the browser is not trusted: %v", err)
	}
	if got := w.reasonOf(t, old.access); got != "revoked" {
		t.Errorf("the session before is %q", got)
	}
	wantEqual(t, "failures left", w.failuresLeft(t), 100)
	kinds := map[string]int{}
	for _, m := range w.DB.Message.Query().AllX(w.System()) {
		kinds[m.Kind]++
	}
	if kinds["password_changed"] != 1 || kinds["new_device"] != 1 {
		t.Errorf("messages %v", kinds)
	}
	wantCode(t, "once", w.recoverBy(t, browser, link, "another staple"), "NOT_FOUND")
	if out, err := w.login(t, browser, u.Email, fresh); err != nil || !out.Verified {
		t.Errorf("signing in on that browser: %v, %v", out, err)
	}
}

// TestRecoveryLinks holds which links are good.
func TestRecoveryLinks(t *testing.T) {
	w := newWorld(t)
	browser, _ := w.device(t, "browser")
	change := func(set func(*ent.UserUpdateOne)) func(*ent.User) {
		return func(u *ent.User) {
			w.Change(t, func(ctx context.Context, db *ent.Client) error {
				update := db.User.UpdateOneID(u.ID)
				set(update)
				return update.Exec(ctx)
			})
		}
	}
	for _, tt := range []struct {
		name   string
		change func(u *ent.User)
		after  time.Duration
		want   string
	}{
		{"at its end", nil, 24*time.Hour - time.Microsecond, ""},
		{"after its end", nil, 24 * time.Hour, "NOT_FOUND"},
		{"after a newer one", func(u *ent.User) { w.newRecovery(t, u) }, 0, "NOT_FOUND"},
		{"of somebody who was deactivated", change(func(u *ent.UserUpdateOne) { u.SetActive(false) }), 0, "NOT_FOUND"},
		{"of somebody who left", change(func(u *ent.UserUpdateOne) { u.SetLeftOn("2026-03-10") }), 0, "NOT_FOUND"},
		{"after another one was replaced", func(u *ent.User) { w.newRecovery(t, w.person(t, "Other "+u.Name)) }, 0, ""},
	} {
		u := w.person(t, "P "+tt.name)
		link := w.newRecovery(t, u)
		if tt.change != nil {
			tt.change(u)
		}
		w.Advance(tt.after)
		wantCode(t, tt.name, w.recoverBy(t, browser, link, fresh), tt.want)
		if got := w.hasSecret(t, u, fresh); got != (tt.want == "") {
			t.Errorf("%s: the password is set: %v", tt.name, got)
		}
	}
	wantCode(t, "no link", w.recoverBy(t, browser, "", fresh), "VALIDATION_FAILED token required")
}

// TestRecoveryOfTheDeactivated makes none.
func TestRecoveryOfTheDeactivated(t *testing.T) {
	w := newWorld(t)
	for _, u := range []*ent.User{
		w.person(t, "Off", func(u *ent.UserUpdateOne) { u.SetActive(false) }),
		w.person(t, "Left", func(u *ent.UserUpdateOne) { u.SetLeftOn("2026-03-10") }),
	} {
		_, err := inTx(w, w.System(), func(ctx context.Context) (Recovery, error) {
			return NewRecovery(ctx, w.auth.Audit, u)
		})
		if !errors.Is(err, ErrMayNotSignIn) || w.DB.RecoveryLink.Query().CountX(w.System()) != 0 {
			t.Errorf("%s: %v", u.Name, err)
		}
	}
}

// TestRecoveryGuesses are counted as failed sign-ins of their address.
func TestRecoveryGuesses(t *testing.T) {
	w := newWorld(t)
	w.auth.Limiter.Limits[ratelimit.Failure] = 2
	u := w.person(t, "Budi")
	browser, _ := w.device(t, "browser")
	link := w.newRecovery(t, u)
	for _, step := range []struct{ text, want string }{
		{"x", "NOT_FOUND"}, {"y", "NOT_FOUND"}, {"z", "RATE_LIMITED"}, {link, "RATE_LIMITED"},
	} {
		wantCode(t, step.text, w.recoverBy(t, browser, step.text, fresh), step.want)
	}
	_, err := w.login(t, browser, u.Email, "wrong")
	wantCode(t, "a sign-in", err, "RATE_LIMITED")
}

// TestRecoverAtOnce uses one link many times at the same instant.
func TestRecoverAtOnce(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	browser, _ := w.device(t, "browser")
	link := w.newRecovery(t, u)
	got := codesOf(8, func() error { return w.recoverBy(t, browser, link, fresh) })
	n := w.DB.RecoveryLink.Query().Where(recoverylink.UsedAtNotNil(), recoverylink.LiveIsNil()).CountX(w.System())
	if got[""] != 1 || n != 1 {
		t.Errorf("%v, used %d times", got, n)
	}
}
