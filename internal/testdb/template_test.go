package testdb

import (
	"testing"

	"workforce/internal/database"
)

// TestFill fills four databases of one kind: the first two by themselves, the others as
// copies, with rows, constraints and the next id of the second. A database that has a
// table is filled by itself.
func TestFill(t *testing.T) {
	made := 0
	fill := func(at string) func(bool) error {
		return func(isTemplate bool) error {
			made++
			if want := made == 2; isTemplate != want {
				t.Errorf("database %d: template %v", made, isTemplate)
			}
			return execute(t, at,
				"CREATE TABLE a_child (id INT AUTO_INCREMENT PRIMARY KEY, parent INT NOT NULL)",
				"CREATE TABLE parents (id INT PRIMARY KEY)",
				"ALTER TABLE a_child ADD CONSTRAINT a_parent FOREIGN KEY (parent) REFERENCES parents (id)",
				"INSERT INTO parents VALUES (7)",
				"INSERT INTO a_child (parent) VALUES (7), (7)")
		}
	}
	for i := range 4 {
		at := MySQL(t)
		if copied, err := Fill(at, "test", fill(at)); err != nil || copied != (i >= 2) {
			t.Fatalf("database %d: copied %v, %v", i+1, copied, err)
		}
		if err := execute(t, at, "INSERT INTO a_child (parent) VALUES (7)"); err != nil {
			t.Fatal(err)
		}
		if rows, last := counted(t, at); rows != 3 || last != 3 { // those of others are not there
			t.Errorf("database %d has %d rows, the last %d", i+1, rows, last)
		}
		if err := execute(t, at, "INSERT INTO a_child (parent) VALUES (8)"); err == nil {
			t.Errorf("database %d has a child without a parent", i+1)
		}
	}
	at := MySQL(t)
	if err := execute(t, at, "CREATE TABLE other (id INT PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	if copied, err := Fill(at, "test", fill(at)); copied || err != nil || made != 3 {
		t.Errorf("a database with a table: copied %v, %v, filled %d times", copied, err, made)
	}
}

// execute runs statements on a database, until one fails.
func execute(t *testing.T, at string, statements ...string) error {
	t.Helper()
	db, err := database.Open(at, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Writer.ExecContext(t.Context(), s); err != nil {
			return err
		}
	}
	return nil
}

// counted returns how many children a database has, and the last one's id.
func counted(t *testing.T, at string) (rows, last int) {
	t.Helper()
	db, err := database.Open(at, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*), MAX(id) FROM a_child").Scan(&rows, &last); err != nil {
		t.Fatal(err)
	}
	return rows, last
}
