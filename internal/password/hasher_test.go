package password

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"workforce/internal/errs"
)

func TestHashVerifies(t *testing.T) {
	ctx, h := t.Context(), NewHasher(Standard)
	phc, err := h.Hash(ctx, "demo-password")
	if err != nil || !strings.HasPrefix(phc, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("Hash = %q, %v", phc, err)
	}
	if again, _ := h.Hash(ctx, "demo-password"); again == phc {
		t.Error("the same salt twice")
	}
	for password, want := range map[string]bool{
		"demo-password": true, "Demo-password": false, "demo-password ": false, "": false,
	} {
		if got, _, err := h.Verify(ctx, phc, password); got != want || err != nil {
			t.Errorf("Verify(%q) = %v, %v; want %v", password, got, err, want)
		}
	}
}

// TestLongPasswordsAreNotCut guards against hashes that see the first 72 bytes.
func TestLongPasswordsAreNotCut(t *testing.T) {
	h, long := NewHasher(Standard), strings.Repeat("a", 128)
	phc, err := h.Hash(t.Context(), long+"1")
	if err != nil {
		t.Fatal(err)
	}
	if ok, _, _ := h.Verify(t.Context(), phc, long+"2"); ok {
		t.Error("the 129th character does not matter")
	}
}

func TestVerifyReadsOtherSystemsHashes(t *testing.T) {
	const phc = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4" // argon2's own test vector
	h := NewHasher(Standard)
	if ok, _, err := h.Verify(t.Context(), phc, "password"); !ok || err != nil {
		t.Errorf("right password: %v, %v", ok, err)
	}
	if ok, _, err := h.Verify(t.Context(), phc, "passwore"); ok || err != nil {
		t.Errorf("wrong password: %v, %v", ok, err)
	}
}

func TestNothingMatchesNoHash(t *testing.T) {
	h := NewHasher(Standard)
	for _, password := range []string{"", "demo-password"} {
		if ok, _, err := h.Verify(t.Context(), "", password); ok || err != nil {
			t.Errorf("Verify(\"\", %q) = %v, %v; want false", password, ok, err)
		}
	}
}

// TestNoHashTakesAsLong compares the fastest of three runs with generous room:
// leaving the work out would be a thousand times faster.
func TestNoHashTakesAsLong(t *testing.T) {
	h := NewHasher(Standard)
	phc, err := h.Hash(t.Context(), "demo-password")
	if err != nil {
		t.Fatal(err)
	}
	fastest := func(phc string) time.Duration {
		best := time.Hour
		for range 3 {
			start := time.Now()
			_, _, _ = h.Verify(t.Context(), phc, "wrong-password")
			best = min(best, time.Since(start))
		}
		return best
	}
	if known, unknown := fastest(phc), fastest(""); unknown < known/4 {
		t.Errorf("unknown user %v, known user %v", unknown, known)
	}
}

func TestVerifyRefusesMalformedHashes(t *testing.T) {
	const salt, key = "c29tZXNhbHQ", "nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"
	tests := []struct{ name, phc string }{
		{"not PHC", "password"},
		{"another algorithm", "$argon2i$v=19$m=256,t=2,p=1$" + salt + "$" + key},
		{"bcrypt", "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"},
		{"old version", "$argon2id$v=16$m=256,t=2,p=1$" + salt + "$" + key},
		{"no version", "$argon2id$m=256,t=2,p=1$" + salt + "$" + key},
		{"4 GiB of memory", "$argon2id$v=19$m=4194304,t=2,p=1$" + salt + "$" + key},
		{"just too much memory", "$argon2id$v=19$m=65537,t=2,p=1$" + salt + "$" + key},
		{"too little memory", "$argon2id$v=19$m=7,t=2,p=1$" + salt + "$" + key},
		{"too many passes", "$argon2id$v=19$m=256,t=11,p=1$" + salt + "$" + key},
		{"no passes", "$argon2id$v=19$m=256,t=0,p=1$" + salt + "$" + key},
		{"too many threads", "$argon2id$v=19$m=256,t=2,p=5$" + salt + "$" + key},
		{"no threads", "$argon2id$v=19$m=256,t=2,p=0$" + salt + "$" + key},
		{"threads beyond a byte", "$argon2id$v=19$m=256,t=2,p=257$" + salt + "$" + key},
		{"negative memory", "$argon2id$v=19$m=-256,t=2,p=1$" + salt + "$" + key},
		{"leading zero", "$argon2id$v=19$m=0256,t=2,p=1$" + salt + "$" + key},
		{"text after the parameters", "$argon2id$v=19$m=256,t=2,p=1,x=1$" + salt + "$" + key},
		{"short salt", "$argon2id$v=19$m=256,t=2,p=1$c29t$" + key},
		{"short key", "$argon2id$v=19$m=256,t=2,p=1$" + salt + "$nf65EOgL"},
		{"no key", "$argon2id$v=19$m=256,t=2,p=1$" + salt + "$"},
		{"padding", "$argon2id$v=19$m=256,t=2,p=1$" + salt + "=$" + key},
		{"a part more", "$argon2id$v=19$m=256,t=2,p=1$" + salt + "$" + key + "$"},
		{"line break", "$argon2id$v=19$m=256,t=2,p=1$" + salt + "$" + key + "\n"},
	}
	h := NewHasher(Standard)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ok, _, err := h.Verify(t.Context(), tt.phc, "password")
			if ok || err == nil {
				t.Errorf("Verify = %v, %v; want an error", ok, err)
			} else if strings.Contains(err.Error(), key) {
				t.Errorf("the error shows the hash: %v", err)
			}
		})
	}
}

func TestQueueIsBounded(t *testing.T) { synctest.Test(t, queueIsBounded) }

func queueIsBounded(t *testing.T) {
	h := newHasher(Standard, 1, 1)
	h.slots <- struct{}{} // one runs
	h.admitted <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	waiting := make(chan error)
	go func() {
		_, err := h.Hash(ctx, "demo-password")
		waiting <- err
	}()
	synctest.Wait()
	_, _, err := h.Verify(t.Context(), "", "demo-password") // one too many
	if e := errs.As(err); e.Code != errs.RateLimited || e.RetryAfter <= 0 || e.Meta["retryAfterSeconds"] == nil {
		t.Errorf("with a full queue: %v, want RATE_LIMITED", err)
	}
	cancel()
	if err := <-waiting; !errors.Is(err, context.Canceled) {
		t.Errorf("the one that gave up: %v, want context.Canceled", err)
	}
	<-h.slots
	<-h.admitted
	if _, err := h.Hash(t.Context(), "demo-password"); err != nil {
		t.Errorf("with the queue empty again: %v", err)
	}
	if len(h.slots)+len(h.admitted) != 0 {
		t.Errorf("%d run and %d are admitted after all is done", len(h.slots), len(h.admitted))
	}
}

// TestForms verifies a password that was typed otherwise than it is hashed.
func TestForms(t *testing.T) {
	h := NewHasher(Work{Memory: 64, Passes: 1})
	hash := func(form string) string {
		s := h.work.fresh()
		key, err := h.derive(t.Context(), s, form)
		if err != nil {
			t.Fatal(err)
		}
		s.key = key
		return s.String()
	}
	const composed, decomposed = "caf\u00e9 noir", "cafe\u0301 noir"
	for _, tt := range []struct {
		name, hashed, typed string
		ok, outdated        bool
	}{
		{"as it is hashed", composed, composed, true, false},
		{"typed decomposed", composed, decomposed, true, false},
		{"hashed decomposed", decomposed, composed, true, true},
		{"hashed as typed", decomposed, decomposed, true, true},
		{"hashed with another blank", "caf\u00e9\u00a0noir", "caf\u00e9\u00a0noir", true, true},
		{"another blank", composed, "caf\u00e9\u00a0noir", true, false},
		{"without the accent", composed, "cafe noir", false, false},
		{"wrong", decomposed, "caf\u00e8 noir", false, false},
	} {
		ok, outdated, err := h.Verify(t.Context(), hash(tt.hashed), tt.typed)
		if ok != tt.ok || outdated != tt.outdated || err != nil {
			t.Errorf("%s: %v, %v, %v", tt.name, ok, outdated, err)
		}
	}
	phc, err := h.Hash(t.Context(), decomposed)
	if err != nil {
		t.Fatal(err)
	}
	if ok, outdated, err := h.Verify(t.Context(), phc, composed); !ok || outdated || err != nil {
		t.Errorf("a new hash: %v, %v, %v", ok, outdated, err)
	}
	if err := Check("password", strings.Repeat("e\u0301", MaxLength)); err != nil {
		t.Errorf("%d characters: %v", MaxLength, err)
	}
}
