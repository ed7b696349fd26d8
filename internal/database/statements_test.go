package database_test

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"workforce/internal/database"
	"workforce/internal/testdb"
)

// TestStatementsComeAgain sends the same texts until they are prepared, and
// beyond.
func TestStatementsComeAgain(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := open(t, url)
		db.SetMaxOpenConns(1)
		must(t, db, "CREATE TABLE n (id INT PRIMARY KEY, name VARCHAR(9))")
		for id := range 10 {
			must(t, db, "INSERT INTO n (id, name) VALUES (?, ?)", id, fmt.Sprint("no ", id))
		}
		name := func(id int) (name string) {
			t.Helper()
			if err := db.QueryRow("SELECT * FROM n WHERE id = ?", id).Scan(&id, &name); err != nil {
				t.Fatal(err)
			}
			return name
		}
		for id := range 10 {
			if got, want := name(id), fmt.Sprint("no ", id); got != want {
				t.Errorf("name of %d = %q, want %q", id, got, want)
			}
			if _, err := db.Exec("INSERT INTO n (id, name) VALUES (?, ?)", id, ""); err == nil {
				t.Errorf("%d was inserted twice", id)
			}
			if _, err := db.Exec("SELECT FROM WHERE"); err == nil {
				t.Error("nonsense was taken")
			}
		}
		must(t, db, "ALTER TABLE n ADD COLUMN more INT")
		var id int
		var more sql.NullInt64
		if err := db.QueryRow("SELECT * FROM n WHERE id = ?", 3).Scan(&id, new(string), &more); err != nil || id != 3 || more.Valid {
			t.Errorf("after another column: %d %v, %v", id, more, err)
		}
	})
}

// preparations returns how many statements a connection to a server has prepared.
func preparations(t *testing.T, db *sql.DB) (n int) {
	t.Helper()
	if err := db.QueryRow("SHOW SESSION STATUS LIKE 'Com_stmt_prepare'").Scan(new(string), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestUnprepared sends statements as they are where the caller says so, and prepares others.
func TestUnprepared(t *testing.T) {
	db := open(t, testdb.MySQL(t))
	db.SetMaxOpenConns(1)
	for name, tt := range map[string]struct {
		ctx  context.Context
		want int
	}{"as they are": {database.Unprepared(t.Context()), 0}, "prepared": {t.Context(), 1}} {
		before := preparations(t, db)
		for range 5 {
			if err := db.QueryRowContext(tt.ctx, "SELECT ? + 1", 1).Scan(new(int)); err != nil {
				t.Fatal(err)
			}
		}
		if n := preparations(t, db) - before; n != tt.want {
			t.Errorf("%s: prepared %d times, want %d", name, n, tt.want)
		}
	}
}

// TestOnceSentTexts keeps a prepared statement while many texts are sent once or twice.
func TestOnceSentTexts(t *testing.T) {
	db := open(t, testdb.MySQL(t))
	db.SetMaxOpenConns(1)
	before := preparations(t, db)
	for i := range 200 {
		for _, text := range []string{"DO 1 + ?", fmt.Sprintf("DO %d + ?", i+2), fmt.Sprintf("DO %d + ?", i/2+2)} {
			must(t, db, text, 1)
		}
	}
	for i := range 1200 { // texts whose uses are forgotten
		must(t, db, fmt.Sprintf("DO %d + ?", 1000+i), 1)
	}
	must(t, db, "DO 1 + ?", 1)
	if n := preparations(t, db) - before; n != 100+1 {
		t.Errorf("%d texts were prepared, want those that were sent three times: 101", n)
	}
}

// TestCountStatements counts the same whether a statement is prepared or not.
func TestCountStatements(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := open(t, url)
		must(t, db, "CREATE TABLE n (id INT PRIMARY KEY)")
		var n atomic.Int32
		var texts []string
		ctx := database.RecordStatements(t.Context(), func(_ context.Context, text string) { texts = append(texts, text) })
		ctx = database.CountStatements(ctx, &n)
		for range 10 {
			if err := db.QueryRowContext(ctx, "SELECT 1 + ?", 1).Scan(new(int)); err != nil {
				t.Fatal(err)
			}
			if _, err := db.ExecContext(ctx, "DELETE FROM n WHERE id = ?", 1); err != nil {
				t.Fatal(err)
			}
		}
		if n.Load() != 20 {
			t.Errorf("counted %d statements, want 20", n.Load())
		}
		if len(texts) != 20 || texts[18] != "SELECT 1 + ?" || texts[19] != "DELETE FROM n WHERE id = ?" {
			t.Errorf("recorded %q", texts)
		}
	})
}

// TestStatementInItself reads the rows of a statement while those of its earlier
// use are open, which SQLite allows in a transaction.
func TestStatementInItself(t *testing.T) {
	db := open(t, testdb.SQLite(t))
	must(t, db, "CREATE TABLE n (id INT PRIMARY KEY)")
	must(t, db, "INSERT INTO n VALUES (1), (2), (3)")
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	ids := func() *sql.Rows {
		rows, err := tx.Query("SELECT id FROM n ORDER BY id")
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	for range 5 {
		sum := 0
		for outer := ids(); outer.Next(); {
			for inner := ids(); inner.Next(); {
				var a, b int
				if outer.Scan(&a) != nil || inner.Scan(&b) != nil {
					t.Fatal("no id")
				}
				sum += 10*a + b
			}
		}
		if sum != 3*10*(1+2+3)+3*(1+2+3) {
			t.Errorf("sum = %d", sum)
		}
	}
}

// TestStatementsAreGivenBack sends many texts often: the server keeps few of
// them, and none for a pool that is closed.
func TestStatementsAreGivenBack(t *testing.T) {
	url := testdb.MySQL(t)
	watch := open(t, url)
	kept := func() (n int) {
		t.Helper()
		var name string
		if err := watch.QueryRow("SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'").Scan(&name, &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := kept()
	db := open(t, url)
	db.SetMaxOpenConns(1)
	for i := range 200 {
		for range 4 {
			must(t, db, fmt.Sprintf("DO %d", i))
		}
	}
	if n := kept() - before; n < 10 || n > 64+1 { // and one of this test's
		t.Errorf("%d statements are prepared, want some, at most 64", n)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	// The server notices the end of a connection when it reads from it again.
	left := kept() - before
	for deadline := time.Now().Add(time.Minute); left > 1 && time.Now().Before(deadline); left = kept() - before {
		time.Sleep(10 * time.Millisecond)
	}
	if left > 1 {
		t.Errorf("%d statements are prepared for a closed pool", left)
	}
}

// TestServerForgetsStatements restarts a server that has statements prepared.
func TestServerForgetsStatements(t *testing.T) {
	s := testdb.Start(t)
	db := open(t, s.Database(t))
	db.SetMaxOpenConns(1)
	for range 10 {
		must(t, db, "DO 1 + ?", 1)
	}
	s.Stop(t)
	s.Start(t)
	for range 10 {
		must(t, db, "DO 1 + ?", 1)
	}
}
