package faults

import (
	"context"
	"testing"

	"workforce/internal/database"
	"workforce/internal/testdb"
)

// BenchmarkSyncWait measures what it costs to read what was committed on any node:
// one row by its key, and a transaction that changes it, while another node writes.
func BenchmarkSyncWait(b *testing.B) {
	c := testdb.StartCluster(b)
	name := c.Database(b)
	pool := func(node int) *database.DB {
		db, err := database.Open(c.Nodes[node].URL(name), nil)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { db.Close() })
		return db
	}
	writer, reader := pool(0).Writer, pool(1).Reader
	for _, statement := range []string{"CREATE TABLE n (id INT PRIMARY KEY, v INT)", "INSERT INTO n VALUES (1, 0), (2, 0)"} {
		if _, err := writer.Exec(statement); err != nil {
			b.Fatal(err)
		}
	}
	conn, err := reader.Conn(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	read := func(ctx context.Context) error {
		return conn.QueryRowContext(ctx, "SELECT v FROM n WHERE id = 1").Scan(new(int))
	}
	change := func(ctx context.Context) error {
		tx, err := conn.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, "UPDATE n SET v = v + 1 WHERE id = 2"); err != nil {
			return err
		}
		return tx.Commit()
	}
	for _, busy := range []string{"idle", "busy"} {
		ctx, stop := context.WithCancel(b.Context())
		if busy == "busy" {
			go func() {
				for ctx.Err() == nil {
					_, _ = writer.ExecContext(ctx, "UPDATE n SET v = v + 1 WHERE id = 1") // only the load matters
				}
			}()
		}
		for what, do := range map[string]func(context.Context) error{"read": read, "change": change} {
			for _, wait := range []string{"0", "7"} {
				b.Run(busy+"/"+what+"/wait="+wait, func(b *testing.B) {
					if _, err := conn.ExecContext(b.Context(), "SET SESSION wsrep_sync_wait = "+wait); err != nil {
						b.Fatal(err)
					}
					for b.Loop() {
						if err := do(b.Context()); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
		stop()
	}
}
