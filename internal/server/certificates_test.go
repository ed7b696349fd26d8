package server

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/acme/autocert"

	entCertificate "workforce/ent/certificate"
	"workforce/internal/certificate/certtest"
	"workforce/internal/sealed"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

func system(t *testing.T) context.Context { return viewer.System(t.Context()) }

// caches returns the caches of two instances on one database.
func caches(t *testing.T, database string) (db *Store, keys *sealed.Ring, one, two *certificateCache) {
	t.Helper()
	db, err := OpenStore(t.Context(), database, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	key, err := sealed.Create(t.TempDir() + "/secret.key")
	if err != nil {
		t.Fatal(err)
	}
	keys = sealed.NewRing(key)
	return db, keys, newTestCache(db, keys), newTestCache(db, keys)
}

// TestCertificateCache keeps what autocert does under its names, sealed, for all instances.
func TestCertificateCache(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		db, _, one, two := caches(t, database)
		public, private := certtest.Pair(t, time.Now().Add(-time.Hour), time.Now().AddDate(0, 3, 0), "wf.test")
		for name, data := range map[string]string{
			"wf.test": string(private) + string(public), "wf.test+token": string(private), "Ab_c-+http-01": "Ab_c-.print", "aB_c-+http-01": "another",
			"acme_account+key": string(private),
		} {
			if name != "wf.test" { // which would be ordered
				if _, err := two.Get(t.Context(), name); err != autocert.ErrCacheMiss {
					t.Errorf("%s before: %v", name, err)
				}
			}
			for _, text := range []string{"older", data} {
				if err := one.Put(t.Context(), name, []byte(text)); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := two.Get(t.Context(), name); err != nil || string(got) != data {
				t.Errorf("%s: %q, %v", name, got, err)
			}
			row := db.Ent.Certificate.Query().Where(entCertificate.Name(name)).OnlyX(system(t))
			if strings.Contains(*row.Sealed, "print") || strings.Contains(*row.Sealed, "PRIVATE") {
				t.Errorf("%s is stored as %s", name, *row.Sealed)
			}
			if (row.ExpiresAt == nil) != (name == "acme_account+key") {
				t.Errorf("%s is of use until %v", name, row.ExpiresAt)
			}
		}
		if err := two.Delete(t.Context(), "aB_c-+http-01"); err != nil {
			t.Fatal(err)
		}
		if _, err := one.Get(t.Context(), "aB_c-+http-01"); err != autocert.ErrCacheMiss {
			t.Errorf("after Delete: %v", err)
		}
		if n := db.Ent.Certificate.Query().CountX(system(t)); n != 4 {
			t.Errorf("%d rows, want 4", n)
		}
	})
}

// TestCertificateOfAnotherKey takes what another secret key has sealed for missing.
func TestCertificateOfAnotherKey(t *testing.T) {
	db, _, one, _ := caches(t, testdb.SQLite(t))
	if err := one.Put(t.Context(), "acme_account+key", []byte("key")); err != nil {
		t.Fatal(err)
	}
	other, err := sealed.Create(t.TempDir() + "/secret.key")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newTestCache(db, sealed.NewRing(other)).Get(t.Context(), "acme_account+key"); err != autocert.ErrCacheMiss {
		t.Errorf("%v, want a miss", err)
	}
}

// TestClaim has one of two instances order; the other one gets what that was issued, or orders when the
// lease has ended.
func TestClaim(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		now := time.Now()
		ended, ofEnded := certtest.Pair(t, now.AddDate(0, 0, -90), now.Add(-time.Hour), "ended.test")
		due, ofDue := certtest.Pair(t, now.AddDate(0, 0, -61), now.AddDate(0, 0, 29), "due.test")
		fresh, ofFresh := certtest.Pair(t, now, now.AddDate(0, 0, 90), "new.test")
		_, _, one, two := caches(t, database)
		for _, tt := range []struct {
			name   string
			before []byte
		}{{"missing.test", nil}, {"ended.test", append(ofEnded, ended...)}, {"due.test", append(ofDue, due...)}} {
			if tt.before != nil {
				if err := one.Put(t.Context(), tt.name, tt.before); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 { // also again
				data, err := one.Get(t.Context(), tt.name)
				if string(data) != string(tt.before) || tt.before == nil && err != autocert.ErrCacheMiss {
					t.Errorf("%s: the one that orders gets %d bytes, %v", tt.name, len(data), err)
				}
			}
			short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			if _, err := two.Get(short, tt.name); err == nil || errors.Is(err, autocert.ErrCacheMiss) {
				t.Errorf("%s: the other one may order: %v", tt.name, err)
			}
			cancel()
			waited := make(chan string, 1)
			go func() { data, _ := two.Get(t.Context(), tt.name); waited <- string(data) }()
			if err := one.Put(t.Context(), tt.name, append(ofFresh, fresh...)); err != nil {
				t.Fatal(err)
			}
			if got := <-waited; got != string(append(ofFresh, fresh...)) {
				t.Errorf("%s: the other one gets %d bytes", tt.name, len(got))
			}
		}
	})
}

// TestClaimEnds has another instance order when the one that did is gone.
func TestClaimEnds(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		db, _, one, two := caches(t, database)
		if _, err := one.Get(t.Context(), "wf.test"); err != autocert.ErrCacheMiss {
			t.Fatal(err)
		}
		ctx := system(t)
		until := db.Ent.Certificate.Query().OnlyX(ctx).LeaseUntil
		if d := time.Until(*until); d < time.Minute || d > 3*time.Minute {
			t.Errorf("leased for %v", d)
		}
		if err := db.Ent.Certificate.Update().SetLeaseUntil(time.Now().Add(-time.Hour).UTC()).Exec(ctx); err != nil {
			t.Fatal(err)
		}
		if _, err := two.Get(t.Context(), "wf.test"); err != autocert.ErrCacheMiss {
			t.Errorf("the other one: %v", err)
		}
	})
}

// TestClaimReleased has another instance order at once when the one that did has stopped. What others hold stays.
func TestClaimReleased(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		db, _, one, two := caches(t, database)
		for name, c := range map[string]*certificateCache{"one.test": one, "two.test": two} {
			if _, err := c.Get(t.Context(), name); err != autocert.ErrCacheMiss {
				t.Fatal(err)
			}
		}
		if err := one.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		short, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		if _, err := two.Get(short, "one.test"); err != autocert.ErrCacheMiss {
			t.Errorf("after Release: %v", err)
		}
		held := db.Ent.Certificate.Query().Where(entCertificate.Name("two.test")).OnlyX(system(t))
		if held.LeaseUntil == nil || held.Holder == nil || *held.Holder != two.holder {
			t.Errorf("the claim of another instance: %+v", held)
		}
	})
}
