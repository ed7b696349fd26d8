package database_test

import (
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"

	"workforce/internal/database"
	"workforce/internal/testdb"
)

// TestNodesShareRows has people on two nodes of a cluster take numbers from one counter,
// each in a transaction with more texts than the cache of a connection holds. Each number
// that was told has its row and is told once, and no node prepares anything.
func TestNodesShareRows(t *testing.T) {
	const people, each = 8, 25
	c := testdb.StartCluster(t)
	name := c.Database(t)
	pools := []*sql.DB{open(t, c.Nodes[0].URL(name)), open(t, c.Nodes[1].URL(name))}
	must(t, pools[0], "CREATE TABLE counter (id INT PRIMARY KEY, v INT)")
	must(t, pools[0], "CREATE TABLE taken (who VARCHAR(20) PRIMARY KEY, n INT)")
	must(t, pools[0], "INSERT INTO counter VALUES (1, 0)")
	told := map[int]string{} // by number
	var mu sync.Mutex
	var wg sync.WaitGroup
	for p := range people {
		for server, db := range pools {
			wg.Go(func() {
				for i := range each {
					who := fmt.Sprintf("%d-%d-%d", server, p, i)
					n, err := take(db, who, i)
					for database.Retryable(err) {
						n, err = take(db, who, i)
					}
					mu.Lock()
					if err != nil {
						t.Errorf("%s: %v", who, err)
					} else if other, twice := told[n]; twice {
						t.Errorf("%d was told to %s and %s", n, other, who)
					}
					told[n] = who
					mu.Unlock()
				}
			})
		}
	}
	wg.Wait()
	rows, err := pools[0].Query("SELECT n, who FROM taken")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	kept := 0
	for ; rows.Next(); kept++ {
		var n int
		var who string
		if err := rows.Scan(&n, &who); err != nil {
			t.Fatal(err)
		}
		if told[n] != who {
			t.Errorf("%d is %s's, but was told to %q", n, who, told[n])
		}
	}
	if want := people * len(pools) * each; rows.Err() != nil || kept != want {
		t.Errorf("%d rows, %v, want %d", kept, rows.Err(), want)
	}
	for i, db := range pools {
		var n int
		if err := db.QueryRow("SHOW GLOBAL STATUS LIKE 'Com_stmt_prepare'").Scan(new(string), &n); err != nil || n > 0 {
			t.Errorf("node %d: %d statements were prepared, %v; want none", i+1, n, err)
		}
	}
}

// take keeps the next number of the counter for somebody.
func take(db *sql.DB, who string, i int) (n int, err error) {
	tx, err := db.Begin()
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	if _, err := tx.Exec("INSERT INTO taken (who, n) VALUES (?, 0)", who); err != nil {
		return 0, err
	}
	if _, err := tx.Exec("UPDATE counter SET v = v + 1 WHERE id = ?", 1); err != nil {
		return 0, err
	}
	for j := range 10 { // ten texts that come again, and ten that evict others
		err = errors.Join(
			tx.QueryRow(fmt.Sprintf("SELECT v + ? - %d FROM counter WHERE id = 1", j), j).Scan(&n),
			tx.QueryRow(fmt.Sprintf("SELECT v + ? - %d FROM counter WHERE id = 1", 10*i+j), 10*i+j).Scan(&n))
		if err != nil {
			return 0, err
		}
	}
	if _, err := tx.Exec("UPDATE taken SET n = ? WHERE who = ?", n, who); err != nil {
		return 0, err
	}
	return n, tx.Commit()
}

// BenchmarkStatements measures texts that come again, on a server by itself and on a node of
// three, which prepares none: one read by its key, and a transaction that reads and writes.
func BenchmarkStatements(b *testing.B) {
	for name, start := range map[string]func() string{
		"one": func() string { return testdb.MySQL(b) },
		"three": func() string {
			c := testdb.StartCluster(b)
			return c.Nodes[0].URL(c.Database(b))
		},
	} {
		b.Run(name, func(b *testing.B) {
			db, err := database.Open(start(), nil)
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			for _, text := range []string{
				"CREATE TABLE n (id INT AUTO_INCREMENT PRIMARY KEY, v INT, name VARCHAR(50))",
				"INSERT INTO n (v, name) VALUES (0, 'one'), (0, 'two')",
			} {
				if _, err := db.Writer.Exec(text); err != nil {
					b.Fatal(err)
				}
			}
			b.Run("read", func(b *testing.B) {
				for b.Loop() {
					if err := db.Reader.QueryRow("SELECT v, name FROM n WHERE id = ? AND v >= ?", 1, 0).Scan(new(int), new(string)); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run("change", func(b *testing.B) {
				for b.Loop() {
					if err := change(db.Writer); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}

// change reads, inserts and updates a row in one transaction.
func change(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := tx.QueryRow("SELECT v, name FROM n WHERE id = ? AND v >= ?", 1, 0).Scan(new(int), new(string)); err != nil {
		return err
	}
	if _, err := tx.Exec("INSERT INTO n (v, name) VALUES (?, ?)", 7, "a name that is as long as names are"); err != nil {
		return err
	}
	if _, err := tx.Exec("UPDATE n SET v = v + 1 WHERE id = ?", 2); err != nil {
		return err
	}
	return tx.Commit()
}
