package auth

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/formerpassword"
	"workforce/ent/session"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/auth/trust"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
)

const fresh = "staple battery"

// hasSecret reports whether a text is a user's password.
func (w *world) hasSecret(t *testing.T, u *ent.User, text string) bool {
	t.Helper()
	ok, _, err := w.auth.Hasher.Verify(w.System(), *w.userOf(u.ID).PasswordHash, text)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// formerHashes returns the hashes of a user's former passwords, the newest first.
func (w *world) formerHashes(u *ent.User) (hashes []string) {
	for _, f := range w.DB.FormerPassword.Query().Where(formerpassword.UserID(u.ID)).Order(ent.Desc(formerpassword.FieldID)).AllX(w.System()) {
		hashes = append(hashes, f.Hash)
	}
	return hashes
}

func TestReadPassword(t *testing.T) {
	b64 := base64.StdEncoding.EncodeToString
	long := strings.Repeat("x", 1024)
	tests := []struct {
		name, text  string
		legacy      bool
		want, fails string
	}{
		{"plain", "pass word", false, "pass word", ""},
		{"empty", "", false, "", "VALIDATION_FAILED password required"},
		{"1,024 bytes", long, false, long, ""},
		{"1,025 bytes", long + "x", false, "", "VALIDATION_FAILED password too_long"},
		{"base64", b64([]byte("pass word?>")), true, "pass word?>", ""},
		{"base64 of the other alphabet, without padding", base64.RawURLEncoding.EncodeToString([]byte("pass word?>")), true, "pass word?>", ""},
		{"base64 of 1,025 bytes", b64([]byte(long + "x")), true, "", "VALIDATION_FAILED password too_long"},
		{"not base64", "pass word", true, "", "VALIDATION_FAILED password unreadable"},
		{"base64 that is not decoded", b64([]byte("pass word")), false, b64([]byte("pass word")), ""},
	}
	w := newWorld(t)
	for _, tt := range tests {
		w.auth.Passwords.Base64Passwords = tt.legacy
		got, err := w.auth.Passwords.Read(w.System(), nil, "password", tt.text)
		if got != tt.want || apptest.Code(err) != tt.fails {
			t.Errorf("%s: %.20q, %v; want %.20q, %q", tt.name, got, err, tt.want, tt.fails)
		}
	}
	var faults errs.Faults
	faults.Add("username", errs.Required, nil)
	_, err := w.auth.Passwords.Read(w.System(), faults, "password", "")
	if got := len(errs.As(err).Faults); got != 2 {
		t.Errorf("%d faults, want those of both members", got)
	}
}

func TestCheckNew(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi Santoso", phone("+628401123789"))
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		for i := range 5 {
			err := db.FormerPassword.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetHash(cheapHash(fmt.Sprintf("former one %d", i+1))).
				SetCreatedAt(w.Now()).Exec(ctx)
			if err != nil {
				return err
			}
		}
		return nil
	})
	tests := []struct{ name, text, reason string }{
		{"another", fresh, ""},
		{"the present one", secret, "reused"},
		{"the last before it", "former one 5", "reused"},
		{"the fourth before it", "former one 2", "reused"},
		{"the fifth before it", "former one 1", ""},
		{"short", "seven 7", "length"},
		{"common", "password", "common"},
		{"the name", "budi santoso", "personal"},
		{"the e-mail address", "budi.santoso@acme.test", "personal"},
		{"its local part", "Budi.Santoso", "personal"},
		{"the phone", "+628401123789", "personal"},
		{"the company", "acme acme", "personal"},
	}
	for _, tt := range tests {
		err := w.auth.Passwords.CheckNew(w.System(), "password", tt.text, u)
		if tt.reason == "" {
			wantCode(t, tt.name, err, "")
		} else if errs.As(err).Code != errs.PasswordWeak || errs.As(err).Meta["reason"] != tt.reason || errs.As(err).Faults[0].Field != "password" {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.reason)
		}
	}
}

func TestReplacePassword(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	replace := func(u *ent.User, hash string) error {
		return tx.Run(w.System(), w.DB, func(ctx context.Context) error { return w.auth.Passwords.replace(ctx, u, hash) })
	}
	before := *u.PasswordHash
	if err := replace(u, "hash 1"); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "former password", w.DB.FormerPassword.Query().OnlyX(w.System()),
		&ent.FormerPassword{ID: 1, CompanyID: u.CompanyID, UserID: u.ID, Hash: before, CreatedAt: w.Now()})
	m, _ := w.lastMessage(t, u)
	wantEqual(t, "notice", m, &ent.Message{
		ID: m.ID, CompanyID: u.CompanyID, UserID: u.ID, Kind: "password_changed", Channel: "email", Destination: u.Email, SealedText: m.SealedText,
		Status: "queued", CreatedAt: w.Now(), DueAt: new(w.Now()), ExpiresAt: later(72 * time.Hour),
	})
	err := replace(u, "hash 2")
	if wantCode(t, "of two changes at once, the second", err, "CONFLICT"); apptest.Conflict(err) != "CHANGED_MEANWHILE" {
		t.Errorf("of two changes at once, the second: %s", apptest.Conflict(err))
	}
	for i := 2; i <= 6; i++ {
		if err := replace(w.userOf(u.ID), fmt.Sprintf("hash %d", i)); err != nil {
			t.Fatal(err)
		}
	}
	wantEqual(t, "history", w.formerHashes(u), []string{"hash 5", "hash 4", "hash 3", "hash 2"})
	wantEqual(t, "present", *w.userOf(u.ID).PasswordHash, "hash 6")

	invited := w.person(t, "Siti", func(u *ent.UserUpdateOne) { u.ClearPasswordHash() })
	if err := replace(invited, "hash"); err != nil || len(w.formerHashes(invited)) != 0 {
		t.Errorf("the first password: %v, history %v", err, w.formerHashes(invited))
	}
	wantCode(t, "the first of two at once", replace(invited, "hash 2"), "CONFLICT")
}

func TestChangePassword(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	d, row := w.device(t, "a")
	other, here := w.signIn(t, u, d), w.signIn(t, u, d)
	stranger := w.person(t, "Siti")
	theirs := w.signIn(t, stranger, d)
	change := func(before, after string) error {
		_, err := w.auth.ChangePassword(w.request(t, here.access), model.ChangePasswordInput{OldPassword: before, NewPassword: after})
		return err
	}
	w.newEvents(t)
	for _, step := range []struct{ name, before, after, want string }{
		{"nothing", "", "", "VALIDATION_FAILED oldPassword required"},
		{"no new one", secret, "", "VALIDATION_FAILED newPassword required"},
		{"wrong", "wrong", fresh, "VALIDATION_FAILED oldPassword wrong_secret"},
		{"weak", secret, "short", "PASSWORD_WEAK newPassword"},
		{"the same", secret, secret, "PASSWORD_WEAK newPassword"},
	} {
		wantCode(t, step.name, change(step.before, step.after), step.want)
	}
	w.wantEvents(t, "login.failed"+userFacts(u, row.ID))
	w.Advance(time.Minute)
	wantCode(t, "right", change(secret, fresh), "")
	w.wantEvents(t, "password.changed"+userFacts(u, row.ID))
	if !w.hasSecret(t, u, fresh) || w.hasSecret(t, u, secret) {
		t.Error("the password is not the new one")
	}
	wantEqual(t, "history", w.formerHashes(u), []string{*u.PasswordHash})
	other.session.RevokedAt = new(w.Now())
	wantEqual(t, "other session", w.sessionOf(other.session.ID), other.session)
	wantEqual(t, "this session", w.sessionOf(here.session.ID), here.session)
	wantEqual(t, "somebody's session", w.sessionOf(theirs.session.ID), theirs.session)
	for text, want := range map[string]credential.Reason{
		here.user: credential.Revoked, here.access: "", here.refresh: "", other.access: credential.Revoked, theirs.user: "", theirs.access: "",
	} {
		if got := w.reasonOf(t, text); got != want {
			t.Errorf("token %s: %q, want %q", text[:3], got, want)
		}
	}
}

// TestChangeIsThrottled counts wrong old passwords as failed sign-ins.
func TestChangeIsThrottled(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	d, _ := w.device(t, "a")
	here := w.signIn(t, u, d)
	change := func(before string) error {
		_, err := w.auth.ChangePassword(w.request(t, here.access), model.ChangePasswordInput{OldPassword: before, NewPassword: fresh})
		return err
	}
	for range 3 {
		wantCode(t, "change", change("wrong"), "VALIDATION_FAILED oldPassword wrong_secret")
	}
	_, err := w.login(t, d, u.Email, "wrong")
	wantCode(t, "sign-in", err, "INVALID_CREDENTIALS")
	wantCode(t, "the right one", change(secret), "RATE_LIMITED")
	if left := w.failuresLeft(t); left != ratelimit.Default[ratelimit.Failure]-4 {
		t.Errorf("the address may fail %d times more, want all but 4", left)
	}
}

// TestChangeOfAnEndedSession changes nothing where the session ended while the
// hashes ran.
func TestChangeOfAnEndedSession(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	d, _ := w.device(t, "a")
	here, other := w.signIn(t, u, d), w.signIn(t, u, d)
	w.DB.Session.UpdateOneID(here.session.ID).SetRevokedAt(w.Now()).ExecX(w.System())
	err := tx.Run(w.System(), w.DB, func(ctx context.Context) error {
		return w.auth.applyNew(ctx, credential.SessionOf(here.session), u, "hash")
	})
	wantCode(t, "change", err, "UNAUTHENTICATED")
	if *w.userOf(u.ID).PasswordHash != *u.PasswordHash || w.sessionOf(other.session.ID).RevokedAt != nil {
		t.Error("something was changed")
	}
}

// forgot asks for a code to reset a password.
func (w *world) forgot(t *testing.T, device, username string) (*model.PasswordResetRequest, error) {
	t.Helper()
	return w.auth.ForgotPassword(w.request(t, device), model.ForgotPasswordInput{Username: username})
}

// TestOtherName uses up the codes of an account by one name: by the other nothing is
// sent, and the answers are those of an unknown name.
func TestOtherName(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi", phone("+628401123789"))
	d, _ := w.device(t, "a")
	for range codesPerHour {
		if _, err := w.forgot(t, d, u.Email); err != nil {
			t.Fatal(err)
		}
		w.Advance(codeGap)
	}
	_, err := w.forgot(t, d, u.Email)
	wantCode(t, "the same name", err, "RATE_LIMITED")
	for _, name := range []string{"+628401123789", "+628401123788"} {
		sent := w.DB.Message.Query().CountX(w.System())
		asked, err := w.forgot(t, d, name)
		if err != nil || w.DB.Message.Query().CountX(w.System()) != sent {
			t.Errorf("%s: %v, %d messages more, want none", name, err, w.DB.Message.Query().CountX(w.System())-sent)
		}
		_, err = w.forgot(t, d, name)
		wantCode(t, name+" within the gap", err, "RATE_LIMITED")
		for i := range codeTries + 1 {
			_, err := w.auth.ResetPassword(w.request(t, d), model.ResetPasswordInput{ID: asked.ID, Otp: "000000", Password: fresh})
			wantCode(t, name, err, map[bool]string{false: "OTP_INVALID otp", true: "OTP_EXHAUSTED otp"}[i == codeTries])
		}
	}
	if out, err := w.login(t, d, u.Email, secret); err != nil || out.Verification.ExpiresIn != 0 {
		t.Errorf("sign-in: %+v, %v, want no code", out, err)
	}
}

// TestForgotAtOnce asks for codes many times at once: by two names of one account, by
// an unknown name, and on many devices.
func TestForgotAtOnce(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi", phone("+628401123789"))
	one, _ := w.device(t, "a")
	for _, name := range []string{u.Email, "nobody@acme.test"} {
		got := codesOf(20, func() error { _, err := w.forgot(t, one, name); return err })
		wantEqual(t, name+" on one device", got, map[string]int{"": 1, "RATE_LIMITED": 19})
		var devices []string
		for range 20 {
			d, _ := w.device(t, "many")
			devices = append(devices, d)
		}
		var n atomic.Int32
		got = codesOf(20, func() error { _, err := w.forgot(t, devices[n.Add(1)-1], name); return err })
		wantEqual(t, name+" on 20 devices", got, map[string]int{"": 4, "RATE_LIMITED": 16})
	}
	if n := w.DB.Message.Query().CountX(w.System()); n != codesPerHour {
		t.Errorf("%d messages, want %d", n, codesPerHour)
	}
}

// TestForgotPassword asks for an account that exists and for one that does not, and
// gets the same.
func TestForgotPassword(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi", phone("+628401123789"))
	left := w.person(t, "Left", func(u *ent.UserUpdateOne) { u.SetActive(false) })
	d, _ := w.device(t, "a")
	for _, name := range []string{u.Email, "boris@acme.test", left.Email} {
		w.Set(later(0))
		sent, err := w.forgot(t, d, strings.ToUpper(name))
		if err != nil {
			t.Fatal(err)
		}
		wantEqual(t, name, sent, &model.PasswordResetRequest{ID: sent.ID, Channel: "email", Destination: name[:1] + "***@acme.test", ExpiresIn: 600})
		for n, step := range []struct {
			after time.Duration
			want  string
		}{
			{59 * time.Second, "RATE_LIMITED"}, {time.Second, ""}, {time.Minute, ""}, {time.Minute, ""}, {time.Minute, ""},
			{time.Minute, "RATE_LIMITED"}, {55*time.Minute - time.Microsecond, "RATE_LIMITED"}, {time.Microsecond, ""},
		} {
			w.Advance(step.after)
			_, err := w.forgot(t, d, name)
			wantCode(t, fmt.Sprintf("%s, step %d", name, n+1), err, step.want)
		}
	}
	if n := w.DB.Message.Query().CountX(w.System()); n != 6 {
		t.Errorf("%d messages, want the 6 of the account that exists", n)
	}
	w.Advance(24 * time.Hour)
	sent, err := w.forgot(t, d, "+628401123789")
	if err != nil || sent.Channel != "sms" || sent.Destination != "+62***789" || sent.ExpiresIn != 300 {
		t.Errorf("by phone: %+v, %v", sent, err)
	}
	_, err = w.forgot(t, d, "budi")
	wantCode(t, "no name of any kind", err, "VALIDATION_FAILED username bad_format")
}

func TestResetPassword(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	d, row := w.device(t, "a")
	another, _ := w.device(t, "b")
	in := w.signIn(t, u, d)
	theirs := w.signIn(t, w.person(t, "Siti"), d)
	if _, err := w.forgot(t, another, u.Email); err != nil {
		t.Fatal(err)
	}
	elsewhere := w.lastCode(t, u)
	asked, err := w.forgot(t, d, u.Email)
	if err != nil {
		t.Fatal(err)
	}
	code := w.lastCode(t, u)
	reset := func(device, id, otp, password string) error {
		out, err := w.auth.ResetPassword(w.request(t, device), model.ResetPasswordInput{ID: id, Otp: otp, Password: password})
		if err == nil && out.Email != u.Email {
			t.Errorf("answer %+v", out)
		}
		return err
	}
	w.newEvents(t)
	own := fmt.Sprint(u.ID)
	for _, step := range []struct{ name, device, id, otp, password, want string }{
		{"nothing", d, "", "", "", "VALIDATION_FAILED id required"},
		{"no code", d, asked.ID, "", fresh, "VALIDATION_FAILED otp required"},
		{"unknown request", d, "123456789012345", code, fresh, "OTP_INVALID otp"},
		{"their id where they do not trust the device", another, own, elsewhere, fresh, "OTP_INVALID otp"},
		{"unknown user", d, "4711", code, fresh, "OTP_INVALID otp"},
		{"no id at all", d, "id", code, fresh, "OTP_INVALID otp"},
		{"another device", another, asked.ID, code, fresh, "OTP_INVALID otp"},
		{"wrong", d, own, other(code), fresh, "OTP_INVALID otp"},
		{"weak", d, asked.ID, code, "short", "PASSWORD_WEAK password"},
		{"reused", d, own, code, secret, "PASSWORD_WEAK password"},
	} {
		wantCode(t, step.name, reset(step.device, step.id, step.otp, step.password), step.want)
	}
	w.wantEvents(t, "code.failed"+userFacts(u, row.ID))
	c := w.DB.OneTimeCode.Query().Order(ent.Desc("id")).FirstX(w.System())
	if c.Attempts != 1 || c.UsedAt != nil {
		t.Errorf("code %v, want the tries of weak passwords given back", c)
	}
	w.Advance(time.Minute)
	wantCode(t, "right", reset(d, asked.ID, code, fresh), "")
	w.wantEvents(t, "password.reset"+userFacts(u, row.ID))
	wantCode(t, "again", reset(d, asked.ID, code, "yet another one"), "OTP_INVALID otp")
	if !w.hasSecret(t, u, fresh) {
		t.Error("the password is not the new one")
	}
	wantEqual(t, "history", w.formerHashes(u), []string{*u.PasswordHash})
	in.session.RevokedAt = new(w.Now())
	wantEqual(t, "session", w.sessionOf(in.session.ID), in.session)
	wantEqual(t, "somebody's session", w.sessionOf(theirs.session.ID), theirs.session)
	if trusted, err := trust.Trusts(w.System(), u.ID, row.ID); !trusted || err != nil {
		t.Errorf("the device is not trusted any more: %v", err)
	}
}

// TestResetForNobody refuses codes of accounts that do not exist, or not any more.
func TestResetForNobody(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	_, err := ownerOf(w.System(), &ent.OneTimeCode{UserID: &u.ID}, w.Now())
	wantCode(t, "known", err, "")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOneID(u.ID).SetActive(false).Exec(ctx)
	})
	_, err = ownerOf(w.System(), &ent.OneTimeCode{UserID: &u.ID}, w.Now())
	wantCode(t, "deactivated", err, "OTP_INVALID otp")
}

// TestResetsAtOnce uses one code twice: one succeeds.
func TestResetsAtOnce(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	d, _ := w.device(t, "a")
	w.signIn(t, u, d)
	asked, err := w.forgot(t, d, u.Email)
	if err != nil {
		t.Fatal(err)
	}
	code := w.lastCode(t, u)
	ctx := w.request(t, d)
	got := codesOf(2, func() error {
		_, err := w.auth.ResetPassword(ctx, model.ResetPasswordInput{ID: asked.ID, Otp: code, Password: fresh})
		return err
	})
	if got[""] != 1 {
		t.Errorf("two resets: %v, want one to succeed", got)
	}
	if n := w.DB.Session.Query().Where(session.RevokedAtIsNil()).CountX(w.System()); n != 0 || len(w.formerHashes(u)) != 1 {
		t.Errorf("%d sessions go on, history %v", n, w.formerHashes(u))
	}
}
