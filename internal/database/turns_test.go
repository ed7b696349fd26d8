package database

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"modernc.org/sqlite"
)

// turnDB returns a SQLite pool whose writers wait as long as given.
func turnDB(t *testing.T, wait time.Duration) *sql.DB {
	t.Helper()
	connector, err := sqlite.NewConnector("file:" + filepath.Join(t.TempDir(), "x.db") + "?_busy_timeout=1&" + sqliteParams)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(turns{connector, make(chan struct{}, 1), wait})
	t.Cleanup(func() { db.Close() })
	must(t, db, "CREATE TABLE n (v INT)")
	return db
}

func TestWaitingForTheTurn(t *testing.T) {
	db := turnDB(t, 20*time.Millisecond)
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	if _, err := db.BeginTx(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("begin with a short deadline = %v, want that deadline", err)
	}
	if _, err := db.Begin(); !Retryable(err) {
		t.Errorf("begin = %v, want Retryable", err)
	}
	reader, err := db.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatalf("a reader waits: %v", err)
	}
	_ = reader.Rollback()
}

// TestTurnIsGivenBack ends a transaction in every way there is and begins
// another.
func TestTurnIsGivenBack(t *testing.T) {
	db := turnDB(t, 5*time.Second)
	ends := map[string]func(*sql.Tx, context.CancelFunc){
		"commit":                 func(tx *sql.Tx, _ context.CancelFunc) { _ = tx.Commit() },
		"rollback":               func(tx *sql.Tx, _ context.CancelFunc) { _ = tx.Rollback() },
		"commit, then rollback":  func(tx *sql.Tx, _ context.CancelFunc) { _, _ = tx.Commit(), tx.Rollback() },
		"the context is over":    func(_ *sql.Tx, cancel context.CancelFunc) { cancel() },
		"a statement has failed": func(tx *sql.Tx, _ context.CancelFunc) { _, _ = tx.Exec("nonsense"); _ = tx.Rollback() },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			tx, err := db.BeginTx(ctx, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec("INSERT INTO n VALUES (1)"); err != nil {
				t.Fatal(err)
			}
			end(tx, cancel)
			next, err := db.Begin()
			if err != nil {
				t.Fatal(err)
			}
			if err := next.Commit(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestTurnIsGivenBackWhenBeginFails has another pool hold the file's lock.
func TestTurnIsGivenBackWhenBeginFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	other := open(t, "sqlite:"+path)
	connector, err := sqlite.NewConnector("file:" + path + "?_busy_timeout=1&" + sqliteParams)
	if err != nil {
		t.Fatal(err)
	}
	turn := make(chan struct{}, 1)
	db := sql.OpenDB(turns{connector, turn, time.Second})
	defer db.Close()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := db.Begin(); !Retryable(err) || len(turn) != 0 {
		t.Errorf("begin = %v with %d turns held, want Retryable with none", err, len(turn))
	}
}
