package auth

import (
	"context"
	"testing"
	"time"

	"workforce/ent"
	entPasswordKey "workforce/ent/passwordkey"
	"workforce/graph/model"
	"workforce/internal/sealed"
)

func (w *world) keyring() *Keyring { return NewKeyring(w.DB, sealed.NewRing(sealed.Key{}), w.Now) }

// currentKey returns the kid of the key that a keyring encrypts for.
func currentKey(t *testing.T, k *Keyring) string {
	t.Helper()
	set, err := k.All(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	key, ok := set.Current()
	if !ok {
		t.Fatal("no current key")
	}
	return key.ID()
}

func encrypt(t *testing.T, k *Keyring, text string) string {
	t.Helper()
	set, err := k.All(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	out, err := set.Encrypt("value", text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (w *world) keys() []*ent.PasswordKey {
	return w.DB.PasswordKey.Query().Order(ent.Asc(entPasswordKey.FieldID)).AllX(w.System())
}

// TestFirstKey is made once, by one of several instances.
func TestFirstKey(t *testing.T) {
	w := newWorld(t)
	rings := make(chan *Keyring, 4)
	got := codesOf(4, func() error {
		k := w.keyring()
		rings <- k
		_, err := k.All(context.Background())
		return err
	})
	wantEqual(t, "instances", got, map[string]int{"": 4})
	rows := w.keys()
	if len(rows) != 1 {
		t.Fatalf("%d keys, want 1", len(rows))
	}
	wantEqual(t, "key", rows[0], &ent.PasswordKey{
		ID: rows[0].ID, Kid: rows[0].Kid, SealedPrivate: rows[0].SealedPrivate, Current: new(int8(1)), CreatedAt: w.Now(),
	})
	for range 4 {
		if kid := currentKey(t, <-rings); kid != rows[0].Kid {
			t.Errorf("current key %s, want %s", kid, rows[0].Kid)
		}
	}
	stranger := NewKeyring(w.DB, sealed.NewRing(sealedKey(t)), w.Now)
	if _, err := stranger.All(context.Background()); err == nil {
		t.Error("a key opens with another installation's secret")
	}
}

// sealedKey returns an installation's key that is not of zeros.
func sealedKey(t *testing.T) sealed.Key {
	t.Helper()
	key, err := sealed.Create(t.TempDir() + "/key")
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestRotateKey(t *testing.T) {
	w := newWorld(t)
	here, there := w.keyring(), w.keyring()
	old := currentKey(t, here)
	forOld := encrypt(t, here, "pass word")
	w.Advance(3 * time.Second)
	if currentKey(t, there) != old {
		t.Fatal("two first keys")
	}
	w.Advance(2 * time.Second)
	const overlap = time.Hour
	rotated := w.Now()
	kid, err := here.Rotate(w.System(), overlap)
	if err != nil || kid == old {
		t.Fatalf("rotated to %q, %v", kid, err)
	}
	rows := w.keys()
	wantEqual(t, "keys", rows, []*ent.PasswordKey{
		{ID: rows[0].ID, Kid: old, SealedPrivate: rows[0].SealedPrivate, CreatedAt: later(0), AcceptedUntil: new(rotated.Add(overlap))},
		{ID: rows[1].ID, Kid: kid, SealedPrivate: rows[1].SealedPrivate, Current: new(int8(1)), CreatedAt: rotated},
	})
	if got := currentKey(t, here); got != kid {
		t.Errorf("here: %s, want %s at once", got, kid)
	}
	for _, step := range []struct {
		after time.Duration // since the rotation
		want  string
	}{{3*time.Second - time.Microsecond, old}, {3 * time.Second, kid}} {
		w.Set(rotated.Add(step.after))
		if got := currentKey(t, there); got != step.want {
			t.Errorf("there after %v: %s, want %s", step.after, got, step.want)
		}
	}
	for _, step := range []struct {
		after time.Duration
		want  string
	}{{0, ""}, {overlap - time.Microsecond, ""}, {overlap, "PASSWORD_KEY_INVALID password"}} {
		w.Set(rotated.Add(step.after))
		for _, k := range []*Keyring{here, w.keyring()} {
			text, err := k.open(w.System(), "password", forOld)
			wantCode(t, "of the old key after "+step.after.String(), err, step.want)
			if err == nil && text != "pass word" {
				t.Errorf("opened %q", text)
			}
		}
	}
	if _, err := here.Rotate(w.System(), -1); err == nil || len(w.keys()) != 2 {
		t.Errorf("a negative overlap: %v", err)
	}
}

// TestOtherInstancesKey opens what was encrypted for a key that another instance
// made just now.
func TestOtherInstancesKey(t *testing.T) {
	w := newWorld(t)
	here, there := w.keyring(), w.keyring()
	old := currentKey(t, there)
	if _, err := here.Rotate(w.System(), 0); err != nil {
		t.Fatal(err)
	}
	if currentKey(t, there) != old {
		t.Fatal("not cached")
	}
	if text, err := there.open(w.System(), "password", encrypt(t, here, "pass word")); text != "pass word" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if currentKey(t, there) == old {
		t.Error("what was read is not cached")
	}
}

// TestEncrypt encrypts a password for a client and signs in with it.
func TestEncrypt(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	d, _ := w.device(t, "a")
	_, err := w.auth.Encrypt(w.request(t), model.EncryptInput{})
	wantCode(t, "nothing", err, "VALIDATION_FAILED value required")
	out, err := w.auth.Encrypt(w.request(t), model.EncryptInput{Value: secret})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.login(t, d, u.Email, out.Value)
	wantCode(t, "sign-in", err, "")
	jwks, err := w.auth.EncryptionKeys(w.request(t))
	if err != nil || len(jwks.Keys) != 1 || jwks.Keys[0].Kid != w.keys()[0].Kid {
		t.Errorf("keys %+v, %v", jwks, err)
	}
	unknown := encrypt(t, NewKeyring(newWorld(t).DB, sealed.NewRing(sealed.Key{}), w.Now), secret)
	_, err = w.login(t, d, u.Email, unknown)
	wantCode(t, "for an unknown key", err, "PASSWORD_KEY_INVALID password")
	if n := w.DB.LoginThrottle.Query().CountX(w.System()); n != 0 {
		t.Errorf("a text for an unknown key counts as a failure")
	}
}
