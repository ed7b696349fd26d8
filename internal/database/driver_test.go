package database

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"modernc.org/sqlite"
)

// splitDB returns ent's driver for a new SQLite file with the table n (v), whose
// writers wait as long as given.
func splitDB(t *testing.T, wait time.Duration) *splitDriver {
	t.Helper()
	db := open(t, "sqlite:"+filepath.Join(t.TempDir(), "x.db"))
	must(t, db.Writer, "CREATE TABLE n (v INT)")
	return newSplitDriver(db, wait)
}

// insert is what ent sends to insert a row outside of a transaction.
const insert = "INSERT INTO n (v) VALUES (?) RETURNING v"

// value runs a query that returns one number.
func value(ctx context.Context, d dialect.ExecQuerier, query string, args ...any) (int, error) {
	var rows entsql.Rows
	if err := d.Query(ctx, query, append([]any{}, args...), &rows); err != nil {
		return 0, err
	}
	defer rows.Close()
	return entsql.ScanInt(rows)
}

func TestStatementsGoToTheirPool(t *testing.T) {
	d, ctx := splitDB(t, time.Second), t.Context()
	for v := range 3 { // each gives the only connection back
		if got, err := value(ctx, d, insert, v); err != nil || got != v {
			t.Fatalf("insert = %d, %v, want %d", got, err, v)
		}
	}
	if err := d.Exec(ctx, "UPDATE n SET v = v + 10", []any{}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := d.ExecContext(ctx, "DELETE FROM n WHERE v = 10"); err != nil {
		t.Fatal(err)
	}
	if sum, err := value(ctx, d, "SELECT SUM(v) FROM n"); err != nil || sum != 11+12 {
		t.Errorf("sum = %d, %v, want 23", sum, err)
	}
	if _, err := value(ctx, d, "WITH x AS (SELECT 1) INSERT INTO n SELECT * FROM x RETURNING v"); err == nil {
		t.Error("a reader wrote")
	}
	if _, err := value(ctx, d, "INSERT INTO nothing VALUES (1) RETURNING v"); err == nil {
		t.Error("inserted into a table that does not exist")
	}
	if _, err := value(ctx, d, insert, 1); err != nil {
		t.Errorf("after a failed insert: %v", err)
	}
}

// TestReadsDoNotWait reads while a transaction is open and 50 others wait for it.
func TestReadsDoNotWait(t *testing.T) {
	const writers = 50
	d := splitDB(t, time.Minute)
	first, err := d.Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var waiting sync.WaitGroup
	for range writers {
		waiting.Go(func() {
			if err := write(t.Context(), d); err != nil {
				t.Error(err)
			}
		})
	}
	for d.db.Writer.Stats().WaitCount < writers {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for range 2 * sqliteReaders {
		if rows, err := value(ctx, d, "SELECT COUNT(*) FROM n"); err != nil || rows != 0 {
			t.Errorf("count = %d, %v, want 0", rows, err)
		}
	}
	if err := first.Commit(); err != nil {
		t.Error(err)
	}
	waiting.Wait()
	if rows, err := value(ctx, d, "SELECT COUNT(*) FROM n"); err != nil || rows != writers {
		t.Errorf("count = %d, %v, want %d", rows, err, writers)
	}
}

// write inserts a row in a transaction.
func write(ctx context.Context, d *splitDriver) error {
	tx, err := d.Tx(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := tx.Exec(ctx, "INSERT INTO n (v) VALUES (1)", []any{}, nil); err != nil {
		return err
	}
	return tx.Commit()
}

// TestParallelIncrements reads and writes one row in 20 transactions at once.
func TestParallelIncrements(t *testing.T) {
	const writers = 20
	d, ctx := splitDB(t, time.Minute), t.Context()
	must(t, d.db.Writer, "INSERT INTO n VALUES (0)")
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			tx, err := d.Tx(ctx)
			if err != nil {
				t.Error(err)
				return
			}
			defer tx.Rollback()
			v, err := value(ctx, tx, "SELECT v FROM n")
			if err == nil {
				err = tx.Exec(ctx, "UPDATE n SET v = ?", []any{v + 1}, nil)
			}
			if err = errors.Join(err, tx.Commit()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if v, err := value(ctx, d, "SELECT v FROM n"); err != nil || v != writers {
		t.Errorf("v = %d, %v, want %d", v, err, writers)
	}
}

// TestWaitForTheWriterEnds writes again, in every way there is, while a
// transaction is open.
func TestWaitForTheWriterEnds(t *testing.T) {
	d := splitDB(t, 20*time.Millisecond)
	tx, err := d.Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	writes := map[string]func(context.Context) error{
		"transaction": func(ctx context.Context) error { _, err := d.Tx(ctx); return err },
		"statement":   func(ctx context.Context) error { return d.Exec(ctx, "DELETE FROM n", []any{}, nil) },
		"insert":      func(ctx context.Context) error { _, err := value(ctx, d, insert, 1); return err },
	}
	for name, write := range writes {
		t.Run(name, func(t *testing.T) {
			if err := write(t.Context()); !Retryable(err) || Away(err) {
				t.Errorf("got %v, want Retryable", err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			if err := write(ctx); !errors.Is(err, context.DeadlineExceeded) || Retryable(err) {
				t.Errorf("with a short deadline, got %v, want that deadline", err)
			}
		})
	}
	reader, err := d.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatalf("a reader waits: %v", err)
	}
	_ = reader.Rollback()
}

// TestWriterIsGivenBack ends a transaction in every way there is and begins
// another.
func TestWriterIsGivenBack(t *testing.T) {
	d := splitDB(t, 5*time.Second)
	ends := map[string]func(dialect.Tx, context.CancelFunc){
		"commit":                func(tx dialect.Tx, _ context.CancelFunc) { _ = tx.Commit() },
		"rollback":              func(tx dialect.Tx, _ context.CancelFunc) { _ = tx.Rollback() },
		"commit, then rollback": func(tx dialect.Tx, _ context.CancelFunc) { _, _ = tx.Commit(), tx.Rollback() },
		"the context is over":   func(_ dialect.Tx, cancel context.CancelFunc) { cancel() },
		"a statement has failed": func(tx dialect.Tx, _ context.CancelFunc) {
			_ = tx.Exec(context.Background(), "nonsense", []any{}, nil)
			_ = tx.Rollback()
		},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			tx, err := d.Tx(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if err := tx.Exec(ctx, "INSERT INTO n VALUES (1)", []any{}, nil); err != nil {
				t.Fatal(err)
			}
			end(tx, cancel)
			if err := write(t.Context(), d); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestWriterIsGivenBackWhenBeginFails has another process, as it were, hold the
// file's lock.
func TestWriterIsGivenBackWhenBeginFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	other := open(t, "sqlite:"+path).Writer
	must(t, other, "CREATE TABLE n (v INT)")
	connector, err := sqlite.NewConnector("file:" + path + "?_busy_timeout=1&" + sqliteParams)
	if err != nil {
		t.Fatal(err)
	}
	writer := sql.OpenDB(sqliteConnector{connector, &DB{}})
	writer.SetMaxOpenConns(1)
	d := newSplitDriver(&DB{Writer: writer, Reader: other, Dialect: dialect.SQLite}, 5*time.Second)
	defer writer.Close()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Tx(t.Context()); !Retryable(err) {
		t.Errorf("begin = %v, want Retryable", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := write(t.Context(), d); err != nil {
		t.Error(err)
	}
}
