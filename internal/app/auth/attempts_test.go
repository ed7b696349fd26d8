package auth

import (
	"context"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/devicetrust"
	"workforce/ent/loginthrottle"
	"workforce/internal/errs"
)

// begin begins an attempt and returns the delay that it is refused with.
func (w *world) begin(t *testing.T, name string, u *ent.User, device int) (attempt, time.Duration) {
	t.Helper()
	a, err := w.auth.attempts.begin(w.System(), name, u, device)
	if err != nil && !errs.Is(err, errs.RateLimited) {
		t.Fatal(err)
	}
	if err == nil {
		return a, 0
	}
	return a, errs.As(err).RetryAfter
}

func (w *world) throttles() []*ent.LoginThrottle {
	return w.DB.LoginThrottle.Query().Order(ent.Asc(loginthrottle.FieldID)).AllX(w.System())
}

// TestDelays fails as soon as it may, and each time a moment too soon before: what
// is refused is counted as well.
func TestDelays(t *testing.T) {
	for _, known := range []bool{true, false} {
		w := newWorld(t)
		var u *ent.User
		if known {
			u = w.person(t, "Budi")
		}
		for n, wait := range []time.Duration{0, 0, 0, 2, 4, 8, 16, 32, 60, 60, 60} {
			a, refused := w.begin(t, "budi@acme.test", u, 7)
			if refused != 0 || a.failures != n+1 {
				t.Fatalf("attempt %d, known %v: %d failures, refused for %v", n+1, known, a.failures, refused)
			}
			wantEqual(t, "row", w.throttles(), []*ent.LoginThrottle{{
				ID: 1, Key: a.key, Failures: n + 1, BlockedUntil: w.Now().Add(wait * time.Second), UpdatedAt: w.Now(),
			}})
			w.Advance(wait * time.Second)
		}
		w.Advance(-time.Microsecond)
		a, refused := w.begin(t, "budi@acme.test", u, 7)
		if refused != time.Minute || a.failures != 12 {
			t.Errorf("a moment too soon: %d failures, refused for %v", a.failures, refused)
		}
		_, refused = w.begin(t, "budi@acme.test", u, 7)
		if row := w.throttles()[0]; refused != time.Minute || row.Failures != 13 || !row.BlockedUntil.Equal(w.Now().Add(time.Minute)) {
			t.Errorf("again: %v, refused for %v", row, refused)
		}
		var want []string
		if known {
			want = []string{"login.throttled" + userFacts(u, 7)} // once a minute
		}
		w.wantEvents(t, want...)
	}
}

func TestAttemptsAtOnce(t *testing.T) {
	w := newWorld(t)
	got := codesOf(20, func() error {
		_, err := w.auth.attempts.begin(w.System(), "nobody@acme.test", nil, 7)
		return err
	})
	wantEqual(t, "20 attempts", got, map[string]int{"": 4, "RATE_LIMITED": 16})
	if n := w.throttles()[0].Failures; n != 20 {
		t.Errorf("%d failures, want 20", n)
	}
}

// TestWhatIsCountedTogether tells attempts apart by name and trusted device.
func TestWhatIsCountedTogether(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	_, d := w.device(t, "a")
	_, former := w.device(t, "b")
	for _, device := range []*ent.Device{d, former} {
		w.trust(u, device)
	}
	w.DB.DeviceTrust.Update().Where(devicetrust.DeviceID(former.ID)).SetRevokedAt(w.Now()).ExecX(w.System())
	const name = "budi@acme.test"
	tests := []struct {
		what     string
		name     string
		user     *ent.User
		device   int
		together bool // with an unknown user of that name on another device
	}{
		{"known or not", name, u, 99, true},
		{"untrusted device", name, nil, d.ID, true},
		{"a device not trusted any more", name, u, former.ID, true},
		{"trusted device", name, u, d.ID, false},
		{"another name", "siti@acme.test", nil, 98, false},
		{"the text of a trusted device's key", "1\x00" + name, nil, 98, false},
	}
	keyOf := func(name string, u *ent.User, device int) string {
		key, err := w.auth.attempts.keyOf(w.System(), name, u, device)
		if err != nil {
			t.Fatal(err)
		}
		return string(key)
	}
	apart := map[string]string{}
	for _, tt := range tests {
		key := keyOf(tt.name, tt.user, tt.device)
		if got := key == keyOf(name, nil, 98); got != tt.together {
			t.Errorf("%s: counted together %v, want %v", tt.what, got, tt.together)
		}
		if first, ok := apart[key]; ok && !tt.together {
			t.Errorf("%s is counted with %s", tt.what, first)
		}
		apart[key] = tt.what
	}
}

func TestVerifyAttempt(t *testing.T) {
	w := newWorld(t)
	hash := cheapHash(secret)
	tests := []struct {
		name, hash, text string
		meanwhile        bool // another attempt begins before the hash is verified
		ok, fails        bool
		failures         int // left; 0 for no row
	}{
		{"right", hash, secret, false, true, false, 0},
		{"right, and another at once", hash, secret, true, true, false, 0},
		{"wrong", hash, "wrong", false, false, false, 4},
		{"not verified", "malformed", secret, false, false, true, 3},
		{"not verified, and another at once", "malformed", secret, true, false, true, 5},
	}
	for i, tt := range tests {
		name := string(rune('a' + i))
		for range 3 {
			w.begin(t, name, nil, 7)
		}
		before := w.Now()
		w.Advance(time.Second)
		a, _ := w.begin(t, name, nil, 7)
		if tt.meanwhile {
			w.begin(t, name, nil, 7)
		}
		ok, err := w.auth.attempts.verify(w.System(), a, tt.hash, tt.text)
		if ok != tt.ok || (err != nil) != tt.fails || errs.Is(err, errs.RateLimited) {
			t.Errorf("%s: %v, %v", tt.name, ok, err)
		}
		row, err := w.DB.LoginThrottle.Query().Where(loginthrottle.Key(a.key)).Only(w.System())
		if ent.IsNotFound(err) {
			row, err = &ent.LoginThrottle{}, nil
		}
		if err != nil || row.Failures != tt.failures {
			t.Errorf("%s: row %v, %v; want %d failures", tt.name, row, err, tt.failures)
		}
		if tt.failures == 3 && !row.BlockedUntil.Equal(before) {
			t.Errorf("%s: blocked until %v, want as before, %v", tt.name, row.BlockedUntil, before)
		}
	}
}

// TestUndoAfterCancel takes an attempt back although its request is over.
func TestUndoAfterCancel(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(w.System())
	a, _ := w.begin(t, "budi", nil, 7)
	cancel()
	if _, err := w.auth.attempts.verify(ctx, a, "malformed", secret); err == nil {
		t.Error("no error")
	}
	if n := w.throttles()[0].Failures; n != 0 {
		t.Errorf("%d failures, want 0", n)
	}
}
