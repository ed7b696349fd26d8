package auth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/cryptotest"
	"time"

	"workforce/ent"
	"workforce/ent/devicetrust"
	"workforce/ent/loginthrottle"
	"workforce/ent/onetimecode"
	"workforce/ent/session"
	entToken "workforce/ent/token"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/ratelimit"
	"workforce/internal/errs"
	"workforce/internal/request"
	"workforce/internal/textform"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

func TestLogin(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi", phone("+628401123789"))
	w.person(t, "Left", func(u *ent.UserUpdateOne) { u.SetActive(false) })
	w.person(t, "Invited", func(u *ent.UserUpdateOne) { u.ClearPasswordHash() })
	tests := []struct {
		name, username, password, want string
		counted                        bool // as a failure
		of                             *ent.User
	}{
		{"e-mail", "budi@acme.test", secret, "", false, u},
		{"e-mail in capitals", "BUDI@Acme.test", secret, "", false, u},
		{"phone", "+628401123789", secret, "", false, u},
		{"phone of the country", "08401123789", secret, "", false, u},
		{"wrong password", "budi@acme.test", "wrong", "INVALID_CREDENTIALS", true, u},
		{"unknown user", "nobody@acme.test", secret, "INVALID_CREDENTIALS", true, nil},
		{"unknown phone", "+628401123999", secret, "INVALID_CREDENTIALS", true, nil},
		{"no name of any kind", "budi", secret, "INVALID_CREDENTIALS", true, nil},
		{"deactivated", "left@acme.test", secret, "INVALID_CREDENTIALS", true, nil},
		{"without a password", "invited@acme.test", secret, "INVALID_CREDENTIALS", true, w.userOf(3)},
		{"no name", "", secret, "VALIDATION_FAILED username required", false, nil},
		{"no password", "budi@acme.test", "", "VALIDATION_FAILED password required", false, nil},
	}
	d, row := w.device(t, "a")
	for _, tt := range tests {
		w.newEvents(t)
		w.Advance(time.Hour)
		w.DB.LoginThrottle.Delete().ExecX(w.System())
		out, err := w.login(t, d, tt.username, tt.password)
		wantCode(t, tt.name, err, tt.want)
		failures := 0
		for _, row := range w.throttles() {
			failures += row.Failures
		}
		if left := w.failuresLeft(t); (failures == 1) != tt.counted || (left == 99) != tt.counted {
			t.Errorf("%s: %d failures of the name, and the address may fail %d times, want counted %v", tt.name, failures,
				left, tt.counted)
		}
		if tt.want == "" {
			if out.Verified || out.User.Email != u.Email || out.Verification == nil {
				t.Errorf("%s: %+v", tt.name, out)
			}
			continue
		}
		var want []string
		if tt.of != nil {
			want = []string{"login.failed" + userFacts(tt.of, row.ID)}
		}
		w.wantEvents(t, want...)
	}
}

// failuresLeft returns how often the address of requests may still fail to sign in.
func (w *world) failuresLeft(t *testing.T) int {
	t.Helper()
	undone, reply := errors.New("undone"), http.Header{}
	ctx := request.NewContext(viewer.System(w.request(t)), &request.Info{Reply: reply})
	err := w.Try(ctx, func(ctx context.Context, _ *ent.Client) error {
		return cmp.Or(w.auth.Limiter.Count(ctx, ratelimit.Failure), undone)
	})
	if errs.Is(err, errs.RateLimited) {
		return 0
	}
	left, err := strconv.Atoi(reply.Get("RateLimit-Remaining"))
	if err != nil {
		t.Fatal(err)
	}
	return left + 1
}

// TestLoginRows compares what a sign-in writes, on a device that is not trusted and
// then on one that is.
func TestLoginRows(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi", phone("+628401123789"), prefers(user.MessageChannelWhatsapp))
	d, row := w.device(t, "a")
	for i, trusted := range []bool{false, true} {
		if trusted {
			w.trust(u, row)
		}
		_, err := w.login(t, d, "08401123789", "wrong")
		wantCode(t, "a failure before", err, "INVALID_CREDENTIALS")
		w.newEvents(t)
		out, err := w.login(t, d, "08401123789", secret)
		if err != nil {
			t.Fatal(err)
		}
		s := w.DB.Session.Query().Order(ent.Desc(session.FieldID)).FirstX(w.System())
		want := &ent.Session{
			ID: i + 1, CompanyID: u.CompanyID, UserID: u.ID, DeviceID: row.ID, Family: s.Family, CreatedAt: w.Now(),
		}
		sent := &model.CodeSent{Channel: "whatsapp", Destination: "+62***789", ExpiresIn: 300}
		if trusted {
			want.VerifiedAt, sent = new(w.Now()), nil
		}
		wantEqual(t, "session", s, want)
		if len(s.Family) != 16 || string(s.Family) == string(make([]byte, 16)) {
			t.Errorf("family %x, want 16 random bytes", s.Family)
		}
		hash := token.Hash(out.UserToken)
		wantEqual(t, "token", w.DB.Token.Query().Where(entToken.SessionID(s.ID)).OnlyX(w.System()), &ent.Token{
			ID: i + 1, CompanyID: u.CompanyID, SessionID: s.ID, Kind: entToken.KindUser, Hash: hash[:],
			IssuedAt: w.Now(), ExpiresAt: w.Now().Add(15 * time.Minute),
		})
		if n := w.DB.LoginThrottle.Query().CountX(w.System()); out.Verified != trusted || n != 0 {
			t.Errorf("verified %v, want %v; %d throttles are left", out.Verified, trusted, n)
		}
		wantEqual(t, "code", out.Verification, sent)
		if n := w.DB.OneTimeCode.Query().CountX(w.System()); n != 1 {
			t.Errorf("%d codes, want the one of the first time", n)
		}
		events := []string{"login.succeeded" + sessionFacts(s)}
		if i == 0 { // nobody of the company used the device before
			events = append([]string{fmt.Sprintf(`device.registered Device %d by %d {"device_id":"a","platform":"ios","registered_at":"2026-03-11T03:00:00Z"}`, s.DeviceID, u.ID)}, events...)
		}
		w.wantEvents(t, events...)
	}
}

// TestLoginWithinTheGap sends no second code, and tells how long the first lives.
func TestLoginWithinTheGap(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	d, _ := w.device(t, "a")
	for _, step := range []struct {
		after            time.Duration
		expiresIn, codes int
	}{{0, 600, 1}, {59 * time.Second, 541, 1}, {time.Second - time.Microsecond, 541, 1}, {time.Microsecond, 600, 2}} {
		w.Advance(step.after)
		out, err := w.login(t, d, u.Email, secret)
		if err != nil {
			t.Fatal(err)
		}
		if n := w.DB.OneTimeCode.Query().CountX(w.System()); out.Verification.ExpiresIn != step.expiresIn || n != step.codes {
			t.Errorf("after %v more: %d s, %d codes; want %+v", step.after, out.Verification.ExpiresIn, n, step)
		}
	}
	w.DB.OneTimeCode.Update().ClearLive().ExecX(w.System())
	if out, err := w.login(t, d, u.Email, secret); err != nil || out.Verification.ExpiresIn != 0 {
		t.Errorf("with no code that lives: %+v, %v", out, err)
	}
}

func TestCodesOfAnAddress(t *testing.T) {
	w := newWorld(t)
	w.auth.Limiter.Limits[ratelimit.Code] = 1
	d, _ := w.device(t, "a")
	for i, want := range []string{"", "RATE_LIMITED"} {
		u := w.person(t, []string{"Budi", "Siti"}[i])
		_, err := w.login(t, d, u.Email, secret)
		wantCode(t, "code "+u.Name, err, want)
	}
	if n := w.DB.Session.Query().CountX(w.System()); n != 1 {
		t.Errorf("%d sessions, want 1: a sign-in without its code is none", n)
	}
}

// TestFailuresOfAnAddress counts failures of known and unknown names alike.
func TestFailuresOfAnAddress(t *testing.T) {
	w := newWorld(t)
	w.auth.Limiter.Limits[ratelimit.Failure] = 2
	u := w.person(t, "Budi")
	d, _ := w.device(t, "a")
	for _, step := range []struct {
		after                    time.Duration
		username, password, want string
		throttles                int // names with failures
	}{
		{0, u.Email, secret, "", 0},
		{0, u.Email, "wrong", "INVALID_CREDENTIALS", 1},
		{0, u.Email, secret, "", 0},
		{time.Minute, "no name", "wrong", "INVALID_CREDENTIALS", 1},
		{0, u.Email, secret, "RATE_LIMITED", 1},
		{0, "another", "wrong", "RATE_LIMITED", 1},
		{59*time.Minute - time.Microsecond, u.Email, secret, "RATE_LIMITED", 1},
		{time.Microsecond, u.Email, secret, "", 1},
		{0, "another", "wrong", "INVALID_CREDENTIALS", 2},
		{0, "another", "wrong", "RATE_LIMITED", 2},
	} {
		w.Advance(step.after)
		_, err := w.login(t, d, step.username, step.password)
		wantCode(t, step.username+" with "+step.password, err, step.want)
		if n := len(w.throttles()); n != step.throttles {
			t.Errorf("%s with %s: %d names with failures, want %d", step.username, step.password, n, step.throttles)
		}
	}
}

// TestFailuresAtOnce has many passwords looked at, at once: as many as the address may
// fail.
func TestFailuresAtOnce(t *testing.T) {
	w := newWorld(t)
	w.auth.Limiter.Limits[ratelimit.Failure] = 7
	d, _ := w.device(t, "a")
	var n atomic.Int32
	got := codesOf(20, func() error {
		_, err := w.login(t, d, fmt.Sprintf("nobody%d@acme.test", n.Add(1)), "wrong")
		return err
	})
	wantEqual(t, "20 sign-ins", got, map[string]int{"INVALID_CREDENTIALS": 7, "RATE_LIMITED": 13})
}

// TestTrustedDeviceIsCountedApart lets a user in on their device while somebody
// guesses elsewhere.
func TestTrustedDeviceIsCountedApart(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	own, _ := w.device(t, "own")
	w.signIn(t, u, own)
	elsewhere, _ := w.device(t, "elsewhere")
	for range 4 {
		_, err := w.login(t, elsewhere, u.Email, "wrong")
		wantCode(t, "guess", err, "INVALID_CREDENTIALS")
	}
	_, err := w.login(t, elsewhere, u.Email, secret)
	wantCode(t, "elsewhere", err, "RATE_LIMITED")
	_, err = w.login(t, own, u.Email, secret)
	wantCode(t, "own device", err, "")
	if rows := w.DB.LoginThrottle.Query().Where(loginthrottle.Failures(5)).CountX(w.System()); rows != 1 {
		t.Errorf("success on the own device cleared the count elsewhere")
	}
}

func TestVerify(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	d, row := w.device(t, "a")
	another, _ := w.device(t, "b")
	out, err := w.login(t, d, u.Email, secret)
	if err != nil {
		t.Fatal(err)
	}
	code := w.lastCode(t, u)
	id := credential.From(w.request(t, out.UserToken), token.User).Session.ID
	w.newEvents(t)
	w.Advance(time.Minute)
	for _, step := range []struct{ name, device, otp, want string }{
		{"another device", another, code, "UNAUTHENTICATED"},
		{"nothing", d, "", "VALIDATION_FAILED otp required"},
		{"blanks", d, " \t", "VALIDATION_FAILED otp required"},
		{"five digits", d, code[1:], "VALIDATION_FAILED otp bad_format"},
		{"seven digits", d, code + "0", "VALIDATION_FAILED otp bad_format"},
		{"no digits", d, "abcdef", "VALIDATION_FAILED otp bad_format"},
		{"wrong", d, other(code), "OTP_INVALID otp"},
	} {
		wantCode(t, step.name, w.verify(t, step.device, out.UserToken, step.otp), step.want)
	}
	w.wantEvents(t, "code.failed"+userFacts(u, row.ID))
	got := codesOf(10, func() error { return w.verify(t, d, out.UserToken, code) })
	wantEqual(t, "10 right codes at once", got, map[string]int{"": 10})
	for _, otp := range []string{code, other(code), "abc"} { // the answer may have been lost
		wantCode(t, "verified already", w.verify(t, d, out.UserToken, otp), "")
	}
	wantEqual(t, "trust", w.DB.DeviceTrust.Query().OnlyX(w.System()),
		&ent.DeviceTrust{ID: 1, CompanyID: u.CompanyID, UserID: u.ID, DeviceID: row.ID, TrustedAt: w.Now()})
	s := w.sessionOf(id)
	wantEqual(t, "session", s, &ent.Session{
		ID: id, CompanyID: u.CompanyID, UserID: u.ID, DeviceID: row.ID, Family: s.Family, CreatedAt: later(0), VerifiedAt: new(w.Now()),
	})
	w.wantEvents(t, "login.verified"+sessionFacts(s))
	c := w.DB.OneTimeCode.Query().OnlyX(w.System())
	if c.UsedAt == nil || !c.UsedAt.Equal(w.Now()) || c.Live != nil {
		t.Errorf("code %v, want used", c)
	}
}

// TestTrustAgain renews a trust that was revoked.
func TestTrustAgain(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	d, row := w.device(t, "a")
	w.signIn(t, u, d)
	w.DB.DeviceTrust.Update().SetRevokedAt(w.Now()).ExecX(w.System())
	w.Advance(time.Hour)
	w.signIn(t, u, d)
	wantEqual(t, "trust", w.DB.DeviceTrust.Query().AllX(w.System()),
		[]*ent.DeviceTrust{{ID: 1, CompanyID: u.CompanyID, UserID: u.ID, DeviceID: row.ID, TrustedAt: w.Now()}})
}

// TestVerifyTakesSignInCodes refuses the code of a reset, and that of a sign-in on
// another device.
func TestVerifyTakesSignInCodes(t *testing.T) {
	cryptotest.SetGlobalRandom(t, 1) // three codes that differ
	w := newWorld(t)
	u := w.person(t, "Budi")
	d, row := w.device(t, "a")
	another, _ := w.device(t, "b")
	out, err := w.login(t, d, u.Email, secret)
	if err != nil {
		t.Fatal(err)
	}
	own := w.lastCode(t, u)
	if _, err := w.login(t, another, u.Email, secret); err != nil {
		t.Fatal(err)
	}
	theirs := w.lastCode(t, u)
	if _, err := w.auth.ForgotPassword(w.request(t, d), model.ForgotPasswordInput{Username: u.Email}); err != nil {
		t.Fatal(err)
	}
	reset := w.lastCode(t, u)
	if own == theirs || own == reset {
		t.Fatal("two codes are equal")
	}
	for _, code := range []string{theirs, reset} {
		wantCode(t, "another code", w.verify(t, d, out.UserToken, code), "OTP_INVALID otp")
	}
	w.DB.OneTimeCode.Delete().Where(onetimecode.PurposeEQ("login"), onetimecode.DeviceID(row.ID)).ExecX(w.System())
	wantCode(t, "no code", w.verify(t, d, out.UserToken, reset), "OTP_INVALID otp")
}

// TestNewDeviceIsNotified sends a notice to a user who trusts another device.
func TestNewDeviceIsNotified(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi", phone("+628401123789"), prefers(user.MessageChannelSms))
	notices := func() (n int) {
		for _, m := range w.DB.Message.Query().AllX(w.System()) {
			if m.Kind == "new_device" {
				n++
			}
		}
		return n
	}
	first, row := w.device(t, "a")
	second, _ := w.device(t, "b")
	third, _ := w.device(t, "c")
	for _, step := range []struct {
		name, device string
		before       func()
		want         int // notices so far
	}{
		{"the first device", first, nil, 0},
		{"the first again", first, nil, 0},
		{"the second", second, nil, 1},
		{"the second again", second, nil, 1},
		{"a third, after both were revoked", third, func() {
			w.DB.Device.UpdateOneID(row.ID).SetRevokedAt(w.Now()).ExecX(w.System())
			w.DB.DeviceTrust.Update().Where(devicetrust.DeviceIDNEQ(row.ID)).SetRevokedAt(w.Now()).ExecX(w.System())
		}, 1},
	} {
		w.Advance(time.Hour)
		if step.before != nil {
			step.before()
		}
		out, err := w.login(t, step.device, u.Email, secret)
		if err != nil {
			t.Fatal(err)
		}
		if !out.Verified {
			wantCode(t, step.name, w.verify(t, step.device, out.UserToken, w.lastCode(t, u)), "")
		}
		if got := notices(); got != step.want {
			t.Errorf("%s: %d notices, want %d", step.name, got, step.want)
		}
		if m, text := w.lastMessage(t, u); step.device == second && step.want == 1 && !out.Verified {
			wantEqual(t, "notice", m, &ent.Message{
				ID: m.ID, CompanyID: u.CompanyID, UserID: u.ID, Kind: "new_device", Channel: "sms", Destination: "+628401123789", SealedText: m.SealedText,
				Status: "queued", CreatedAt: w.Now(), DueAt: new(w.Now()), ExpiresAt: w.Now().Add(72 * time.Hour),
			})
			if want := "Perangkat baru (Phone b) masuk"; !strings.HasPrefix(text.Plain, want) {
				t.Errorf("text %q, want %q first", text.Plain, want)
			}
		}
	}
}

// TestSignInsAtOnce sends one code for several sign-ins at the same instant.
func TestSignInsAtOnce(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	_, row := w.device(t, "a")
	q := codeRequest{purpose: onetimecode.PurposeLogin, user: u, device: row.ID, kind: "email", typed: u.EmailKey}
	got := codesOf(8, func() error {
		_, err := w.auth.signIn(w.System(), q)
		return err
	})
	wantEqual(t, "sign-ins", got, map[string]int{"": 8})
	if n := w.DB.OneTimeCode.Query().CountX(w.System()); n != 1 {
		t.Errorf("%d codes, want 1", n)
	}
}

// TestFirstCode verifies with the code of a first sign-in: on any device, once, within
// a day and five tries, while the user trusts no device.
func TestFirstCode(t *testing.T) {
	setUp := func(t *testing.T) (*world, *ent.User, string) {
		w := newWorld(t)
		u := w.person(t, "Sri")
		var code FirstCode
		w.Change(t, func(ctx context.Context, _ *ent.Client) (err error) {
			code, err = w.auth.NewFirstCode(ctx, u)
			return err
		})
		return w, u, code.Code
	}
	try := func(w *world, u *ent.User, typed string) bool {
		ok, err := w.auth.codes.tryFirst(w.System(), u.ID, typed, func(context.Context) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	wrong := func(code string) string {
		if code == "000000" {
			return "000001"
		}
		return "000000"
	}
	w, u, code := setUp(t)
	if other := w.person(t, "Budi"); try(w, other, code) {
		t.Error("the code is good for another person")
	}
	for range codeTries - 1 {
		if try(w, u, wrong(code)) {
			t.Error("a wrong code is right")
		}
	}
	if !try(w, u, code) || try(w, u, code) {
		t.Error("the code must be right once")
	}
	w, u, code = setUp(t)
	for range codeTries {
		try(w, u, wrong(code))
	}
	if try(w, u, code) {
		t.Error("right after five wrong tries")
	}
	w, u, code = setUp(t)
	w.Advance(24 * time.Hour)
	if try(w, u, code) {
		t.Error("right after a day")
	}
	w, u, code = setUp(t)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		d, err := db.Device.Create().SetDeviceID("d").SetPlatform("web").SetTokenHash([]byte("h")).
			SetCreatedAt(apptest.Now).Save(ctx)
		if err != nil {
			return err
		}
		return db.DeviceTrust.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(d.ID).
			SetTrustedAt(apptest.Now).Exec(ctx)
	})
	if try(w, u, code) {
		t.Error("right for a user who trusts a device")
	}
}

// TestEmployed looks people up before, on and after their days of work, around midnight
// in the company's zone.
func TestEmployed(t *testing.T) {
	for zone, midnight := range map[string]string{"Asia/Jakarta": "2026-03-10T17:00:00Z",
		"America/New_York": "2026-03-11T04:00:00Z"} {
		w := newWorld(t)
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			return db.Company.UpdateOne(w.Company).SetTimezone(zone).Exec(ctx)
		})
		w.person(t, "New", func(u *ent.UserUpdateOne) { u.SetJoinedOn("2026-03-11") })
		w.person(t, "Old", func(u *ent.UserUpdateOne) { u.SetLeftOn("2026-03-10") })
		at, err := time.Parse(time.RFC3339, midnight)
		if err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			name string
			at   time.Time
			want bool
		}{
			{"new", at.Add(-time.Microsecond), false}, {"new", at, true},
			{"old", at.Add(-time.Microsecond), true}, {"old", at, false},
		} {
			u, _, err := accountOf(w.System(), textform.ReadLogin(tt.name+"@acme.test", ""), tt.at)
			if (u != nil) != tt.want || err != nil {
				t.Errorf("%s in %s at %v: %v, %v", tt.name, zone, tt.at, u, err)
			}
			id := w.DB.User.Query().Where(user.EmailKey(tt.name + "@acme.test")).OnlyIDX(w.System())
			if _, err := ownerOf(w.System(), &ent.OneTimeCode{UserID: &id}, tt.at); (err == nil) != tt.want {
				t.Errorf("a code of %s in %s at %v: %v", tt.name, zone, tt.at, err)
			}
		}
	}
}
