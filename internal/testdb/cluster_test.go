package testdb

import (
	"testing"
	"time"

	"workforce/internal/database"
)

// TestCluster kills a node, and freezes one: the others go on, and it has what they
// did meanwhile when it is back.
func TestCluster(t *testing.T) {
	start := time.Now()
	c := StartCluster(t)
	t.Logf("three nodes after %v", time.Since(start))
	name := c.Database(t)
	db := open(t, c.Nodes[0].URL(name))
	exec1(t, db, "CREATE TABLE note (id INT PRIMARY KEY)")
	c.Nodes[2].Kill()
	exec1(t, db, "INSERT INTO note VALUES (1)")
	start = time.Now()
	c.Nodes[2].Start(t)
	t.Logf("a killed one is back after %v", time.Since(start))
	c.Nodes[1].Freeze()
	start = time.Now()
	for {
		if _, err := db.Exec("INSERT INTO note VALUES (2)"); err == nil {
			break
		} else if !database.Retryable(err) {
			t.Fatal(err)
		}
	}
	t.Logf("a frozen one is out after %v", time.Since(start))
	c.Nodes[1].Thaw()
	c.Nodes[1].Await(t)
	for _, n := range c.Nodes {
		var rows int
		if err := n.Query(t.Context(), name, "SELECT COUNT(*) FROM note", &rows); err != nil || rows != 2 {
			t.Errorf("%s has %d rows, %v, want 2", n.address, rows, err)
		}
	}
}
