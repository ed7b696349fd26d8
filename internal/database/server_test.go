package database_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/internal/database"
	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// open returns the pool that reads and writes the database of a URL.
func open(t *testing.T, url string) *sql.DB {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db.Writer
}

func must(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.Exec(statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// TestTimesAndText holds on both databases: UTC in and out, to the microsecond,
// in order, and text with every character, told apart by case.
func TestTimesAndText(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := open(t, url)
		columns := "at DATETIME, name TEXT"
		if strings.HasPrefix(url, "mysql:") {
			columns = "at DATETIME(6), name VARCHAR(99) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
		}
		must(t, db, "CREATE TABLE n (id INT PRIMARY KEY, "+columns+", UNIQUE (name))")
		jakarta := time.FixedZone("WIB", 7*60*60)
		first := time.Date(2026, 3, 1, 6, 30, 0, 0, jakarta) // 23:30 the day before in UTC
		second := time.Date(2026, 2, 28, 23, 30, 0, 500_000_000, time.UTC)
		third := second.Add(123_456 * time.Microsecond)
		for id, at := range []time.Time{first, second, third} {
			must(t, db, "INSERT INTO n (id, at, name) VALUES (?, ?, ?)", id, at, [...]string{"Budi 🙂 '\\", "budi 🙂 '\\", "é"}[id])
		}
		rows, err := db.Query("SELECT at, name FROM n WHERE at >= ? ORDER BY at", first)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for i, want := range []time.Time{first, second, third} {
			var at time.Time
			var name string
			if !rows.Next() || rows.Scan(&at, &name) != nil || !at.Equal(want) || at.Location() != time.UTC {
				t.Errorf("row %d = %v %q, want %v", i, at, name, want.UTC())
			}
		}
		if rows.Next() || rows.Err() != nil {
			t.Errorf("more rows, or %v", rows.Err())
		}
	})
}

func TestMySQLRefusesWhatDoesNotFit(t *testing.T) {
	db := open(t, testdb.MySQL(t))
	must(t, db, "CREATE TABLE n (name VARCHAR(3), at DATETIME)")
	for _, values := range []string{"'four', NULL", "NULL, '2026-02-30'", "NULL, '0000-00-00'"} {
		if _, err := db.Exec("INSERT INTO n VALUES (" + values + ")"); err == nil {
			t.Errorf("VALUES (%s) was taken", values)
		}
	}
}

func TestMySQLSession(t *testing.T) {
	db := open(t, testdb.MySQL(t))
	var zone, collation, level string
	var wait, steps int
	if err := db.QueryRow("SELECT @@time_zone, @@collation_connection, @@tx_isolation, @@innodb_lock_wait_timeout, @@max_recursive_iterations").
		Scan(&zone, &collation, &level, &wait, &steps); err != nil {
		t.Fatal(err)
	}
	if zone != "+00:00" || collation != "utf8mb4_bin" || level != "READ-COMMITTED" || wait != 5 || steps != 10_001 {
		t.Errorf("session is %s %s %s %d %d", zone, collation, level, wait, steps)
	}
}

// TestFoundRows counts the rows that an update finds, those that have the values already
// among them, prepared or not.
func TestFoundRows(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := open(t, url)
		must(t, db, "CREATE TABLE n (id INT PRIMARY KEY, v INT)")
		must(t, db, "INSERT INTO n VALUES (1, 7), (2, 7)")
		for range 5 {
			for id, want := range map[int]int64{2: 2, 1: 1, 0: 0} {
				result, err := db.Exec("UPDATE n SET v = 7 WHERE id <= ?", id)
				if err != nil {
					t.Fatal(err)
				}
				if n, err := result.RowsAffected(); err != nil || n != want {
					t.Errorf("up to id %d: %d rows, %v, want %d", id, n, err, want)
				}
			}
		}
	})
}

// TestIdleWriteTransaction ends a transaction that has written and then sends nothing: its row is
// free again. One that only reads goes on.
func TestIdleWriteTransaction(t *testing.T) {
	db := open(t, testdb.MySQL(t))
	must(t, db, "CREATE TABLE n (id INT PRIMARY KEY, v INT)")
	must(t, db, "INSERT INTO n VALUES (1, 0), (2, 0)")
	var limit int
	if err := db.QueryRow("SELECT @@idle_write_transaction_timeout").Scan(&limit); err != nil || limit != 10 {
		t.Fatalf("idle_write_transaction_timeout is %d, %v; want 10", limit, err)
	}
	begin := func(options *sql.TxOptions) *sql.Tx {
		tx, err := db.BeginTx(t.Context(), options)
		if err == nil {
			_, err = tx.Exec("SET SESSION idle_write_transaction_timeout = 1")
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = tx.Rollback() })
		return tx
	}
	value := func(tx *sql.Tx) (v int, err error) {
		err = tx.QueryRow("SELECT v FROM n WHERE id = 1").Scan(&v)
		return v, err
	}
	readers := map[string]*sql.Tx{
		"a transaction": begin(nil), "a snapshot": begin(&sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}),
	}
	for name, tx := range readers {
		if _, err := value(tx); err != nil {
			t.Fatal(name, err)
		}
	}
	writer := begin(nil)
	if _, err := writer.Exec("UPDATE n SET v = 7 WHERE id = 1"); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	must(t, db, "UPDATE n SET v = v + 1 WHERE id = 1") // waits for 5 s at most
	t.Logf("the row was free after %v", time.Since(start))
	if _, err := value(writer); !database.Away(err) || database.Retryable(err) {
		t.Errorf("the idle writer: %v, want Away", err)
	}
	time.Sleep(2 * time.Second)
	for name, tx := range readers {
		if _, err := value(tx); err != nil {
			t.Errorf("%s that only reads: %v", name, err)
		}
	}
	var v int
	if err := db.QueryRow("SELECT v FROM n WHERE id = 1").Scan(&v); err != nil || v != 1 {
		t.Errorf("v = %d, %v; want 1", v, err)
	}
}

// TestWinnerIsVisible is why transactions are READ COMMITTED: after a collision
// on a unique key, the loser reads the row it collided with.
func TestWinnerIsVisible(t *testing.T) {
	db := open(t, testdb.MySQL(t))
	must(t, db, "CREATE TABLE n (id INT PRIMARY KEY, owner INT)")
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	var owner int
	if err := tx.QueryRow("SELECT COUNT(*) FROM n").Scan(&owner); err != nil || owner != 0 {
		t.Fatalf("count = %d, %v", owner, err)
	}
	must(t, db, "INSERT INTO n VALUES (1, 7)")
	if _, err := tx.Exec("INSERT INTO n VALUES (1, 8)"); err == nil {
		t.Fatal("both inserts succeeded")
	}
	if err := tx.QueryRow("SELECT owner FROM n WHERE id = 1").Scan(&owner); err != nil || owner != 7 {
		t.Errorf("owner = %d, %v, want 7", owner, err)
	}
}

// TestDeadlockIsRetryable crosses two transactions.
func TestDeadlockIsRetryable(t *testing.T) {
	db := open(t, testdb.MySQL(t))
	must(t, db, "CREATE TABLE n (id INT PRIMARY KEY, v INT)")
	must(t, db, "INSERT INTO n VALUES (1, 0), (2, 0)")
	var both, done sync.WaitGroup
	both.Add(2)
	errs := make([]error, 2)
	for i := range errs {
		done.Go(func() {
			tx, err := db.Begin()
			if err != nil {
				both.Done()
				errs[i] = err
				return
			}
			defer tx.Rollback()
			_, err = tx.Exec("UPDATE n SET v = v + 1 WHERE id = ?", 1+i)
			both.Done()
			both.Wait()
			if err == nil {
				_, err = tx.Exec("UPDATE n SET v = v + 1 WHERE id = ?", 2-i)
			}
			errs[i] = err
		})
	}
	done.Wait()
	if err := errors.Join(errs...); !database.Retryable(err) || database.Away(err) {
		t.Errorf("got %v, want one deadlock", err)
	}
}

// TestServerGoesAndComesBack uses one pool throughout.
func TestServerGoesAndComesBack(t *testing.T) {
	s := testdb.Start(t)
	db := open(t, s.Database(t))
	must(t, db, "CREATE TABLE n (id INT PRIMARY KEY)")
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	s.Stop(t)
	_, inside := tx.Exec("INSERT INTO n VALUES (1)")
	_, outside := db.Exec("INSERT INTO n VALUES (2)")
	for _, err := range []error{inside, outside} {
		if !database.Away(err) || database.Retryable(err) {
			t.Errorf("while away: %v, want Away", err)
		}
	}
	_ = tx.Rollback()
	s.Start(t)
	must(t, db, "INSERT INTO n VALUES (3)")
}

func TestDeadlineIsNotAway(t *testing.T) {
	db := open(t, testdb.MySQL(t))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := db.ExecContext(ctx, "DO SLEEP(20)")
	if !errors.Is(err, context.DeadlineExceeded) || database.Away(err) || database.Retryable(err) {
		t.Errorf("got %v, want the caller's deadline", err)
	}
}

// TestParallelWriters has twenty of them read and write one row in transactions:
// none may fail but for a reason to run it again, and no increment may be lost.
func TestParallelWriters(t *testing.T) {
	const writers, each = 20, 10
	testdb.Each(t, func(t *testing.T, url string) {
		db := open(t, url)
		must(t, db, "CREATE TABLE n (id INT PRIMARY KEY, v INT)")
		must(t, db, "INSERT INTO n VALUES (1, 0)")
		var wg sync.WaitGroup
		var mu sync.Mutex
		var longest time.Duration
		var retries int
		for range writers {
			wg.Go(func() {
				for range each {
					start := time.Now()
					err := increment(db)
					again := 0
					for ; database.Retryable(err); again++ {
						err = increment(db)
					}
					mu.Lock()
					longest = max(longest, time.Since(start))
					retries += again
					mu.Unlock()
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		var v int
		if err := db.QueryRow("SELECT v FROM n").Scan(&v); err != nil || v != writers*each {
			t.Errorf("v = %d, %v, want %d", v, err, writers*each)
		}
		t.Logf("longest wait %v, %d run again", longest, retries)
	})
}

func increment(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var v int
	if err := tx.QueryRow("SELECT v FROM n WHERE id = 1").Scan(&v); err != nil {
		return err
	}
	if _, err := tx.Exec("UPDATE n SET v = v + 1 WHERE id = 1"); err != nil {
		return err
	}
	return tx.Commit()
}
