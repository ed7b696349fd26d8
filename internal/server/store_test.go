package server

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// TestSecretKeyAtOnce has instances that start at once on one machine make one key.
func TestSecretKeyAtOnce(t *testing.T) {
	s, err := OpenStore(t.Context(), testdb.SQLite(t), true, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	path := filepath.Join(t.TempDir(), "secret.key")
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, err := s.secretKeys(t.Context(), path); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// TestDurable refuses a SQLite file that is not synced, and warns of a MySQL server
// that syncs later.
func TestDurable(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		s, err := OpenStore(t.Context(), url, true, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var out bytes.Buffer
		log := slog.New(slog.NewTextHandler(&out, nil))
		s.warnIfNotDurable(t.Context(), log)
		err = s.checkSynced(t.Context())
		if strings.HasPrefix(url, "mysql:") {
			if err != nil || strings.Count(out.String(), "level=WARN") != 1 || !strings.Contains(out.String(), "variable=innodb_flush_log_at_trx_commit value=2 want=1") {
				t.Errorf("%v, log %s; want one warning", err, &out)
			}
			return
		}
		if err != nil || out.Len() > 0 {
			t.Errorf("%v, log %s; want neither", err, &out)
		}
		if _, err := s.DB.Writer.Exec("PRAGMA synchronous = NORMAL"); err != nil {
			t.Fatal(err)
		}
		if err := s.checkSynced(t.Context()); err == nil || !strings.Contains(err.Error(), "synchronous is 1") {
			t.Errorf("synchronous NORMAL: %v, want an error", err)
		}
	})
}
