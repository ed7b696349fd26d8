package auth

import (
	"context"
	"regexp"
	"strconv"
	"testing"
	"time"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/ent/onetimecode"
	"workforce/ent/user"
	"workforce/internal/app/tx"
	"workforce/internal/request"
	"workforce/internal/textform"
)

func TestChannelAndLife(t *testing.T) {
	whatsapp := user.MessageChannelWhatsapp
	plain, prefers := &ent.User{}, &ent.User{MessageChannel: &whatsapp}
	tests := []struct {
		name    string
		q       codeRequest
		channel entMessage.Channel
		life    time.Duration
		kind    string
	}{
		{"e-mail", codeRequest{purpose: "login", user: plain, kind: textform.Email}, "email", 10 * time.Minute, "login_code"},
		{"phone", codeRequest{purpose: "login", user: plain, kind: textform.Phone}, "sms", 5 * time.Minute, "login_code"},
		{"phone of one who prefers WhatsApp", codeRequest{purpose: "login", user: prefers, kind: textform.Phone}, "whatsapp", 5 * time.Minute, "login_code"},
		{"e-mail of one who prefers WhatsApp", codeRequest{purpose: "login", user: prefers, kind: textform.Email}, "email", 10 * time.Minute, "login_code"},
		{"a reset tells nobody what they prefer", codeRequest{purpose: "reset", user: prefers, kind: textform.Phone}, "sms", 5 * time.Minute, "reset_code"},
		{"nobody's phone", codeRequest{purpose: "reset", kind: textform.Phone}, "sms", 5 * time.Minute, "reset_code"},
		{"nobody's e-mail", codeRequest{purpose: "reset", kind: textform.Email}, "email", 10 * time.Minute, "reset_code"},
	}
	for _, tt := range tests {
		if c, l, k := tt.q.channel(), tt.q.life(), tt.q.kindOfMessage(); c != tt.channel || l != tt.life || string(k) != tt.kind {
			t.Errorf("%s: %s, %v, %s; want %s, %v, %s", tt.name, c, l, k, tt.channel, tt.life, tt.kind)
		}
	}
}

// send sends a code as a use case does.
func (w *world) send(t *testing.T, q codeRequest) (code *ent.OneTimeCode) {
	t.Helper()
	err := tx.Run(w.System(), w.DB, func(ctx context.Context) (err error) {
		code, err = w.auth.codes.send(ctx, q)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return w.codeOf(code.ID)
}

func (w *world) codeOf(id int) *ent.OneTimeCode { return w.DB.OneTimeCode.GetX(w.System(), id) }

func TestSendStoresCodeAndMessage(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi", phone("+628401123789"))
	for _, q := range []codeRequest{
		{purpose: "login", user: u, device: 7, kind: textform.Phone, typed: "+628401123789"},
		{purpose: "reset", user: u, device: 8, kind: textform.Email, typed: u.Email},
	} {
		c := w.send(t, q)
		m, rendered := w.lastMessage(t, u)
		digest := otpDigest(w.auth.codes.key.Key(), otpBinding{
			Subject: string(w.auth.codes.digests(nil, q.typed)[0]), Purpose: string(q.purpose), Device: strconv.Itoa(q.device),
		}, w.lastCode(t, u))
		wantEqual(t, "code", c, &ent.OneTimeCode{
			ID: c.ID, Purpose: q.purpose, Account: w.auth.codes.digests(nil, q.typed)[0], UserID: &u.ID, DeviceID: q.device, RequestID: c.RequestID,
			Digest: digest[:], CreatedAt: w.Now(), ExpiresAt: w.Now().Add(q.life()), Live: new(int8(1)),
		})
		if !regexp.MustCompile(`^[1-9]\d{14}$`).MatchString(*c.RequestID) {
			t.Errorf("request id %s, want 15 digits", *c.RequestID)
		}
		channel, to := entMessage.ChannelSms, "+628401123789"
		if q.kind == textform.Email {
			channel, to = entMessage.ChannelEmail, u.Email
		}
		wantEqual(t, "message", m, &ent.Message{
			ID: m.ID, CompanyID: u.CompanyID, UserID: u.ID, Kind: string(q.kindOfMessage()), Channel: channel, Destination: to, SealedText: m.SealedText,
			Status: entMessage.StatusQueued, CreatedAt: w.Now(), DueAt: new(w.Now()), ExpiresAt: c.ExpiresAt, CodeID: &c.ID,
		})
		if !regexp.MustCompile(`^\d{6} adalah .*berlaku (5|10) menit`).MatchString(rendered.Plain) {
			t.Errorf("text %q", rendered.Plain)
		}
	}
	nobody := w.send(t, codeRequest{purpose: "reset", device: 7, kind: textform.Email, typed: "nobody@acme.test"})
	wantEqual(t, "nobody's code", nobody, &ent.OneTimeCode{
		ID: nobody.ID, Purpose: "reset", Account: w.auth.codes.digests(nil, "nobody@acme.test")[0], DeviceID: 7, RequestID: nobody.RequestID,
		Digest: nobody.Digest, CreatedAt: w.Now(), ExpiresAt: later(mailLife), Live: new(int8(1)),
	})
	if n, decoys := w.DB.Message.Query().CountX(w.System()), w.DB.Decoy.Query().CountX(w.System()); n != 2 || decoys != 1 {
		t.Errorf("%d messages and %d decoys, want 2 and one", n, decoys)
	}
}

func TestDigest(t *testing.T) {
	w := newWorld(t)
	account := func(u *ent.User, typed string) string { return string(w.auth.codes.digests(u, typed)[0]) }
	one, two := &ent.User{ID: 1}, &ent.User{ID: 2}
	if account(one, "a@b.c") != account(one, "+62811") {
		t.Error("the names of a user are counted apart")
	}
	different := []string{account(one, ""), account(two, ""), account(nil, "a@b.c"), account(nil, "+62811"), account(nil, "user:1"), account(nil, "1")}
	for i, a := range different {
		for j, b := range different[:i] {
			if a == b {
				t.Errorf("accounts %d and %d are the same", i, j)
			}
		}
	}
}

func TestLanguageOfCode(t *testing.T) {
	w := newWorld(t)
	tests := []struct{ request, user, want string }{{"en", "id", "en"}, {"", "en", "en"}, {"", "", "id"}}
	for _, tt := range tests {
		ctx := request.NewContext(w.System(), &request.Info{Language: tt.request})
		got, err := languageFor(ctx, &ent.User{CompanyID: w.Company.ID, Locale: tt.user})
		if got != tt.want || err != nil {
			t.Errorf("request %q, user %q: %q, %v; want %q", tt.request, tt.user, got, err, tt.want)
		}
	}
}

// try tries a code whose rightness changes nothing.
func (w *world) try(c *ent.OneTimeCode, text string) error {
	return w.auth.codes.try(w.System(), c, text, func(context.Context) error { return nil })
}

func TestTry(t *testing.T) {
	tests := []struct {
		name     string
		before   func(*ent.OneTimeCodeUpdateOne)
		wait     time.Duration
		wrong    bool
		want     string
		attempts int
		event    string
	}{
		{"right", nil, 0, false, "", 1, ""},
		{"wrong", nil, 0, true, "OTP_INVALID otp", 1, "code.failed"},
		{"in its last instant", nil, mailLife - time.Microsecond, false, "", 1, ""},
		{"expired", nil, mailLife, false, "OTP_EXPIRED otp", 0, ""},
		{"used", func(c *ent.OneTimeCodeUpdateOne) { c.SetUsedAt(later(0)).ClearLive() }, 0, false, "OTP_INVALID otp", 0, ""},
		{"void", func(c *ent.OneTimeCodeUpdateOne) { c.SetVoidedAt(later(0)).ClearLive() }, 0, false, "OTP_INVALID otp", 0, ""},
		{"void by another name", func(c *ent.OneTimeCodeUpdateOne) { c.SetVoidedAt(later(0)) }, 0, false, "OTP_INVALID otp", 1, "code.failed"},
		{"void by another name, the sixth", func(c *ent.OneTimeCodeUpdateOne) { c.SetVoidedAt(later(0)).SetAttempts(5) }, 0, false, "OTP_EXHAUSTED otp", 5, ""},
		{"void by another name and expired", func(c *ent.OneTimeCodeUpdateOne) { c.SetVoidedAt(later(0)) }, mailLife, false, "OTP_EXPIRED otp", 0, ""},
		{"void and expired", func(c *ent.OneTimeCodeUpdateOne) { c.SetVoidedAt(later(0)).ClearLive() }, mailLife, false, "OTP_INVALID otp", 0, ""},
		{"the fifth, right", func(c *ent.OneTimeCodeUpdateOne) { c.SetAttempts(4) }, 0, false, "", 5, ""},
		{"the fifth, wrong", func(c *ent.OneTimeCodeUpdateOne) { c.SetAttempts(4) }, 0, true, "OTP_INVALID otp", 5, "code.exhausted"},
		{"the sixth, right", func(c *ent.OneTimeCodeUpdateOne) { c.SetAttempts(5) }, 0, false, "OTP_EXHAUSTED otp", 5, ""},
		{"the sixth, wrong", func(c *ent.OneTimeCodeUpdateOne) { c.SetAttempts(5) }, 0, true, "OTP_EXHAUSTED otp", 5, ""},
	}
	w := newWorld(t)
	for i, tt := range tests {
		w.Set(later(0))
		u := w.person(t, "Budi "+string(rune('A'+i)))
		c := w.send(t, codeRequest{purpose: "login", user: u, device: 7, kind: textform.Email})
		if tt.before != nil {
			update := w.DB.OneTimeCode.UpdateOne(c)
			tt.before(update)
			c = update.SaveX(w.System())
		}
		code := w.lastCode(t, u)
		if tt.wrong {
			code = other(code)
		}
		w.Advance(tt.wait)
		wantCode(t, tt.name, w.try(c, code), tt.want)
		if after := w.codeOf(c.ID); after.Attempts != tt.attempts || after.UsedAt != c.UsedAt && tt.name != "used" {
			t.Errorf("%s: row %v, want %d attempts", tt.name, after, tt.attempts)
		}
		var want []string
		if tt.event != "" {
			want = []string{tt.event + userFacts(u, 7)}
		}
		w.wantEvents(t, want...)
	}
	wantCode(t, "no code", w.try(nil, "123456"), "OTP_INVALID otp")
	nobody := w.send(t, codeRequest{purpose: "reset", device: 7, kind: textform.Email, typed: "nobody@acme.test"})
	for _, want := range []string{"OTP_INVALID otp", "OTP_INVALID otp", "OTP_INVALID otp", "OTP_INVALID otp", "OTP_INVALID otp", "OTP_EXHAUSTED otp"} {
		wantCode(t, "nobody's code", w.try(nobody, "no code"), want)
	}
	w.wantEvents(t)
}

// TestTriesAtOnce proves that tries are counted before they are compared: of many
// at once, five are.
func TestTriesAtOnce(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	c := w.send(t, codeRequest{purpose: "login", user: u, device: 7, kind: textform.Email})
	code := w.lastCode(t, u)
	got := codesOf(20, func() error { return w.try(c, other(code)) })
	wantEqual(t, "20 wrong tries", got, map[string]int{"OTP_INVALID otp": 5, "OTP_EXHAUSTED otp": 15})
	wantCode(t, "the right one after that", w.try(c, code), "OTP_EXHAUSTED otp")
	failed := "code.failed" + userFacts(u, 7)
	w.wantEvents(t, failed, failed, failed, failed, "code.exhausted"+userFacts(u, 7))
	if n := w.codeOf(c.ID).Attempts; n != 5 {
		t.Errorf("%d attempts, want 5", n)
	}
	got = codesOf(20, func() error { return w.auth.codes.use(w.System(), c) })
	wantEqual(t, "20 uses", got, map[string]int{"": 1, "OTP_INVALID otp": 19})
	used := w.codeOf(c.ID)
	if used.UsedAt == nil || !used.UsedAt.Equal(w.Now()) || used.Live != nil || used.VoidedAt != nil {
		t.Errorf("used code %v", used)
	}
}

func TestGiveBackTry(t *testing.T) {
	w := newWorld(t)
	c := w.send(t, codeRequest{purpose: "login", user: w.person(t, "Budi"), device: 7, kind: textform.Email})
	w.DB.OneTimeCode.UpdateOne(c).SetAttempts(2).ExecX(w.System())
	for _, want := range []int{1, 0, 0} {
		if err := w.auth.codes.giveBackTry(w.System(), c); err != nil {
			t.Fatal(err)
		}
		if got := w.codeOf(c.ID).Attempts; got != want {
			t.Errorf("%d attempts, want %d", got, want)
		}
	}
}

func TestNewerCodeVoids(t *testing.T) {
	w := newWorld(t)
	u, siti := w.person(t, "Budi", phone("+628401123789")), w.person(t, "Siti")
	mail := func(purpose onetimecode.Purpose, u *ent.User, device int) codeRequest {
		return codeRequest{purpose: purpose, user: u, device: device, kind: textform.Email, typed: u.EmailKey}
	}
	text := codeRequest{purpose: "login", user: u, device: 7, kind: textform.Phone, typed: *u.Phone}
	first := w.send(t, mail("login", u, 7))
	others := []*ent.OneTimeCode{w.send(t, mail("login", u, 8)), w.send(t, mail("reset", u, 7)), w.send(t, mail("login", siti, 7))}
	w.Advance(time.Minute)
	second := w.send(t, text)
	byName := w.codeOf(first.ID)
	if byName.Live == nil || byName.VoidedAt == nil || !byName.VoidedAt.Equal(w.Now()) || byName.UsedAt != nil {
		t.Errorf("first code %v, want void and live: it was asked for with another name", byName)
	}
	third := w.send(t, text)
	void := w.codeOf(second.ID)
	if void.Live != nil || void.VoidedAt == nil || !void.VoidedAt.Equal(w.Now()) || void.UsedAt != nil {
		t.Errorf("second code %v, want void", void)
	}
	for _, c := range append(others, third, byName) {
		wantEqual(t, "another code", w.codeOf(c.ID), c)
	}
	wantCode(t, "use of a void code", w.auth.codes.use(w.System(), byName), "OTP_INVALID otp")
}

func TestLock(t *testing.T) {
	type aged struct {
		age     time.Duration
		used    bool
		purpose onetimecode.Purpose
		device  int
		live    bool
	}
	// unused returns codes of a device and purpose that are counted nowhere else.
	unused := func(ages ...time.Duration) (all []aged) {
		for _, a := range ages {
			all = append(all, aged{age: a, purpose: "reset", device: 9})
		}
		return all
	}
	hours := func(ages ...int) (all []time.Duration) {
		for _, a := range ages {
			all = append(all, time.Duration(a)*time.Hour)
		}
		return all
	}
	const minute = time.Minute
	tests := []struct {
		name  string
		codes []aged
		wait  time.Duration
		limit int
		live  bool
	}{
		{"none", nil, 0, 0, false},
		{"a moment ago", []aged{{purpose: "login", device: 7, live: true}}, minute, 1, true},
		{"just within the gap", []aged{{age: minute - time.Microsecond, purpose: "login", device: 7, live: true}}, time.Microsecond, 1, true},
		{"at the end of the gap", []aged{{age: minute, purpose: "login", device: 7, live: true}}, 0, 0, true},
		{"a void one has a gap", []aged{{age: time.Second, purpose: "login", device: 7}}, 59 * time.Second, 1, false},
		{"a used one has none", []aged{{used: true, purpose: "login", device: 7}}, 0, 0, false},
		{"on another device", []aged{{purpose: "login", device: 8, live: true}}, 0, 0, false},
		{"for another purpose", []aged{{purpose: "reset", device: 7, live: true}}, 0, 0, false},
		{"four within the hour", unused(2*minute, 3*minute, 4*minute, 50*minute), 0, 0, false},
		{"five within the hour", unused(2*minute, 3*minute, 4*minute, 5*minute, 50*minute), 10 * minute, 5, false},
		{"the first of five an hour ago", unused(2*minute, 3*minute, 4*minute, 5*minute, 60*minute), 0, 0, false},
		{"six", unused(2*minute, 3*minute, 4*minute, 5*minute, 6*minute, 50*minute), 54 * minute, 5, false},
		{"one of five was used", append(unused(2*minute, 3*minute, 4*minute, 50*minute), aged{age: minute, used: true, purpose: "login", device: 7}), 0, 0, false},
		{"fourteen within a day", unused(hours(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 20)...), 0, 0, false},
		{"fifteen within a day", unused(hours(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 20)...), 4 * time.Hour, 15, false},
		{"the first of fifteen a day ago", unused(hours(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 24)...), 0, 0, false},
	}
	w := newWorld(t)
	for i, tt := range tests {
		u := w.person(t, "Budi "+string(rune('A'+i)))
		q := codeRequest{purpose: "login", user: u, device: 7, kind: textform.Email, typed: u.EmailKey}
		for _, c := range tt.codes {
			create := w.DB.OneTimeCode.Create().SetPurpose(c.purpose).SetAccount(w.auth.codes.digests(nil, u.EmailKey)[0]).SetUserID(u.ID).SetDeviceID(c.device).
				SetDigest(make([]byte, 32)).SetCreatedAt(w.Now().Add(-c.age)).SetExpiresAt(w.Now())
			if c.used {
				create.SetUsedAt(w.Now())
			}
			row := create.SaveX(w.System())
			if !c.live {
				row.Update().ClearLive().ExecX(w.System())
			}
		}
		got, err := w.auth.codes.lock(w.System(), q)
		if err != nil || got.wait != tt.wait || got.limit != tt.limit || (got.live != nil) != tt.live || got.full != (tt.limit > 1) {
			t.Errorf("%s: %+v, %v; want %v, limit %d, live %v", tt.name, got, err, tt.wait, tt.limit, tt.live)
		}
		q.typed = "+628401123789" // the account's other name: only the account is full
		if got, err := w.auth.codes.lock(w.System(), q); err != nil || got.wait != 0 || got.full != (tt.limit > 1) {
			t.Errorf("%s, by the other name: %+v, %v", tt.name, got, err)
		}
	}
}
