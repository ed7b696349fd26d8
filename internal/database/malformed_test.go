package database

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// pageSize is that of SQLite's files.
const pageSize = 4096

// crashed returns the path of a SQLite file with many rows as a process leaves it that was killed:
// the table is in the file, one row more in the write-ahead log beside it.
func crashed(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	db := open(t, "sqlite:"+filepath.Join(dir, "x.db"))
	must(t, db.Writer, "CREATE TABLE n (id INTEGER PRIMARY KEY, v TEXT)")
	must(t, db.Writer, "CREATE TABLE other (v INT)")
	must(t, db.Writer, "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 5000) "+
		"INSERT INTO n SELECT i, hex(randomblob(100)) FROM c")
	must(t, db.Writer, "PRAGMA wal_checkpoint(TRUNCATE)")
	must(t, db.Writer, "INSERT INTO other VALUES (1)")
	copied := filepath.Join(t.TempDir(), "x.db")
	for _, suffix := range []string{"", "-wal"} {
		data, err := os.ReadFile(filepath.Join(dir, "x.db"+suffix))
		if err == nil {
			err = os.WriteFile(copied+suffix, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return copied
}

// damageFile overwrites pages in the middle of a file.
func damageFile(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(bytes.Repeat([]byte{0xa5}, 20*pageSize), 100*pageSize); err != nil {
		t.Fatal(err)
	}
}

// openLogged opens a file, whose remarks go to the log.
func openLogged(t *testing.T, path string) (*DB, *strings.Builder) {
	t.Helper()
	log := &strings.Builder{}
	db, err := Open("sqlite:"+path, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db, log
}

// wantRefused fails unless all writes are refused, and reads are not.
func wantRefused(t *testing.T, db *DB) {
	t.Helper()
	ctx := t.Context()
	begun, began := db.Writer.BeginTx(ctx, nil)
	if began == nil {
		_ = begun.Rollback() // it is not to be there
	}
	_, plain := db.Writer.ExecContext(ctx, "INSERT INTO other VALUES (2)")
	_, returning := value(ctx, newSplitDriver(db, time.Second), "INSERT INTO other VALUES (?) RETURNING v", 2)
	for what, err := range map[string]error{"begin": began, "insert": plain, "returning": returning} {
		if !errors.Is(err, errMalformed) {
			t.Errorf("%s: %v, want errMalformed", what, err)
		}
	}
	var n int
	if err := db.Reader.QueryRowContext(ctx, "SELECT COUNT(*) FROM other").Scan(&n); err != nil || n != 1 {
		t.Errorf("%d rows, %v; want one, as it was", n, err)
	}
	tx, err := db.Reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err == nil {
		err = tx.Rollback()
	}
	if err != nil {
		t.Errorf("a transaction that reads: %v", err)
	}
}

// wantLine fails unless the log has one line, at level error.
func wantLine(t *testing.T, log string) {
	t.Helper()
	if strings.Count(log, "\n") != 1 || !strings.Contains(log, "level=ERROR") || !strings.Contains(log, "malformed") {
		t.Errorf("log %q, want one line", log)
	}
}

// wantAway fails unless an error says that the database is away, and the file is known to be malformed.
func wantAway(t *testing.T, db *DB, err error) {
	t.Helper()
	if !Away(err) || Retryable(err) || !db.Malformed() {
		t.Errorf("%v, malformed %v; want Away", err, db.Malformed())
	}
}

// TestCheckFile reads a file that was left by a process that was killed: a sound one is served without
// remark, to a malformed one nothing is written any more.
func TestCheckFile(t *testing.T) {
	for _, sound := range []bool{true, false} {
		path := crashed(t)
		if !sound {
			damageFile(t, path)
		}
		db, log := openLogged(t, path)
		must(t, db.Writer, "DELETE FROM other WHERE v = 7") // before it is known
		err := db.CheckFile(t.Context())
		if err != nil || db.Malformed() == sound {
			t.Fatalf("sound %v: found malformed %v, %v", sound, db.Malformed(), err)
		}
		if !sound {
			wantRefused(t, db)
			_ = db.CheckFile(t.Context())
			wantLine(t, log.String())
			wantSuspect(t, db, path)
			continue
		}
		must(t, db.Writer, "INSERT INTO other VALUES (2)")
		if log.Len() > 0 {
			t.Errorf("log of a sound file: %s", log)
		}
	}
}

// wantSuspect fails unless the next process finds out too that a file is malformed, though this one closed
// it, and the one after that trusts the file that was put in its place.
func wantSuspect(t *testing.T, db *DB, path string) {
	t.Helper()
	for _, restored := range []bool{false, true, true} {
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if restored {
			if err := os.Rename(crashed(t), path); err != nil {
				t.Fatal(err)
			}
		}
		db, _ = openLogged(t, path)
		if err := db.CheckFile(t.Context()); err != nil || db.Malformed() == restored {
			t.Errorf("opened again, restored %v: malformed %v, %v", restored, db.Malformed(), err)
		}
	}
	if _, err := os.Stat(path + "-malformed"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the mark of a malformed file stays: %v", err)
	}
}

// TestCheckFileEnds does not read a file that was closed, and ends with its context.
func TestCheckFileEnds(t *testing.T) {
	path := crashed(t)
	db, _ := openLogged(t, path)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := db.CheckFile(ctx); !errors.Is(err, context.Canceled) || db.Malformed() {
		t.Errorf("%v, want the context's end", err)
	}
	must(t, db.Writer, "INSERT INTO other VALUES (2)")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	damageFile(t, path)
	db, _ = openLogged(t, path)
	if err := db.CheckFile(t.Context()); err != nil || db.Malformed() {
		t.Errorf("a file that was closed is read: %v", err)
	}
}

// TestMalformedStatement stops writing as soon as a statement finds that the file is malformed, be it
// between rows: what an open transaction wrote is rolled back.
func TestMalformedStatement(t *testing.T) {
	path := crashed(t)
	damageFile(t, path)
	for name, read := range map[string]func(*DB) error{
		"rows": func(db *DB) error {
			rows, err := db.Reader.QueryContext(t.Context(), "SELECT id, v FROM n ORDER BY id")
			if err != nil {
				return err
			}
			defer rows.Close()
			n := 0
			for rows.Next() {
				n++
			}
			if n == 0 {
				t.Error("no row before the damage")
			}
			return rows.Err()
		},
		"one value": func(db *DB) error {
			var n int
			return db.Reader.QueryRowContext(t.Context(), "SELECT SUM(LENGTH(v)) FROM n").Scan(&n)
		},
		"a write": func(db *DB) error { _, err := db.Writer.Exec("UPDATE n SET v = '' WHERE id > 0"); return err },
	} {
		t.Run(name, func(t *testing.T) {
			db, log := openLogged(t, path)
			if name == "a write" { // it needs the only connection that writes
				wantAway(t, db, read(db))
			} else {
				tx, err := db.Writer.Begin()
				if err == nil {
					_, err = tx.Exec("INSERT INTO other VALUES (2)")
				}
				if err != nil {
					t.Fatal(err)
				}
				wantAway(t, db, read(db))
				if err := tx.Commit(); !errors.Is(err, errMalformed) || !Undone(err) {
					t.Errorf("commit: %v, want errMalformed", err)
				}
			}
			wantRefused(t, db)
			wantLine(t, log.String())
		})
	}
}
