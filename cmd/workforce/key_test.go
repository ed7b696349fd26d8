package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	entPasswordKey "workforce/ent/passwordkey"
	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// TestRotateCommand rotates the key under servers that run: all accept what is
// encrypted for the new key at once, and tell of it within five seconds.
func TestRotateCommand(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		s, other := harness.New(t, database), harness.New(t, database)
		before := harness.KeySet(t, s).Keys[0]
		if got := harness.KeySet(t, other).Keys[0]; got.KeyID != before.KeyID {
			t.Fatalf("another server has key %s, want %s", got.KeyID, before.KeyID)
		}
		kid := rotateKey(t, database)
		if got := harness.KeySet(t, s).Keys[0]; got.KeyID != before.KeyID {
			t.Errorf("within five seconds the key set is read again")
		}
		s.Clock.Advance(5 * time.Second)
		set := harness.KeySet(t, s)
		if len(set.Keys) != 2 || set.Keys[0].KeyID != kid || set.Keys[1].KeyID != before.KeyID {
			t.Fatalf("key set %v, want %s and the one before", set, kid)
		}
		other.Run(t, []apitest.Scenario{harness.Register("b"), harness.Login("b", "budi@demo.test", harness.EncryptFor(t, set.Keys[0], demo.Password))})
		row, err := s.Store.Ent.PasswordKey.Query().Where(entPasswordKey.CurrentIsNil()).Only(viewer.System(t.Context()))
		if err != nil || row.Kid != before.KeyID || time.Until(*row.AcceptedUntil).Round(time.Hour) != 720*time.Hour {
			t.Errorf("the key before: %v, %v; want it accepted for 720 h", row, err)
		}
		if next := rotateKey(t, database, "--overlap", "1h"); next == kid {
			t.Error("the same key again")
		}
	})
}

// rotateKey runs the command on a database and returns the kid that it prints.
func rotateKey(t *testing.T, database string, more ...string) string {
	t.Helper()
	var out bytes.Buffer
	args := append([]string{"key", "rotate", "--database", database, "--secret-key-file", harness.KeyFile(t, database)}, more...)
	if err := run(t.Context(), args, streams{strings.NewReader(""), &out, &out}); err != nil {
		t.Fatal(err, out.String())
	}
	return strings.TrimSpace(out.String())
}
