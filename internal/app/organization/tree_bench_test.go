package organization

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"workforce/internal/database"
	"workforce/internal/testdb"
)

// benchNodes is the size of the tree that BenchmarkTree works on: a root with two
// halves, in each of which every node has four children.
const benchNodes = 10_000

// A storage is one way to store trees in SQL: how to read a subtree, to move half of
// the tree below a node of the other half and back, and to insert a node.
type storage struct {
	name   string
	schema []string
	fill   func(nodes []benchNode) []string
	read   func(id int) string
	move   func(id int, path string, to int, toPath string) []string
	insert func(id int, parent int, parentPath string) []string
}

// A benchNode is a node of the benchmark's tree. Its path is that of a
// materialized path: the ids from the root to the node.
type benchNode struct {
	id, parent int
	path       string
	ancestors  []int // without the node
}

const nodesTable = `CREATE TABLE nodes (id integer PRIMARY KEY, parent_id integer NULL, path varchar(1200) NOT NULL DEFAULT '')`

// storages are the ways that docs/decisions/0025 compares.
var storages = []storage{
	{
		name:   "parents", // the parent alone, read by a recursive query
		schema: []string{nodesTable, `CREATE INDEX nodes_parent ON nodes (parent_id)`},
		fill:   func([]benchNode) []string { return nil },
		read: func(id int) string {
			return fmt.Sprintf(`WITH RECURSIVE below (id) AS (SELECT id FROM nodes WHERE id = %d`+
				` UNION ALL SELECT n.id FROM nodes n JOIN below b ON n.parent_id = b.id) SELECT id FROM below`, id)
		},
		move: func(id int, _ string, to int, _ string) []string {
			return []string{fmt.Sprintf(`UPDATE nodes SET parent_id = %d WHERE id = %d`, to, id)}
		},
		insert: func(id, parent int, _ string) []string {
			return []string{fmt.Sprintf(`INSERT INTO nodes (id, parent_id) VALUES (%d, %d)`, id, parent)}
		},
	},
	{
		name:   "path",
		schema: []string{nodesTable, `CREATE INDEX nodes_path ON nodes (path)`},
		fill: func(nodes []benchNode) []string {
			var all []string
			for _, n := range nodes {
				all = append(all, fmt.Sprintf(`UPDATE nodes SET path = '%s' WHERE id = %d`, n.path, n.id))
			}
			return all
		},
		read: func(id int) string {
			return fmt.Sprintf(`SELECT n.id FROM nodes a JOIN nodes n ON n.path >= a.path AND n.path < CONCAT(a.path, '~') WHERE a.id = %d`, id)
		},
		move: func(id int, path string, to int, toPath string) []string {
			return []string{
				fmt.Sprintf(`UPDATE nodes SET parent_id = %d WHERE id = %d`, to, id),
				fmt.Sprintf(`UPDATE nodes SET path = CONCAT('%s%d/', SUBSTR(path, %d)) WHERE path >= '%s' AND path < '%s~'`, toPath, id, len(path)+1, path, path),
			}
		},
		insert: func(id, parent int, parentPath string) []string {
			return []string{fmt.Sprintf(`INSERT INTO nodes (id, parent_id, path) VALUES (%d, %d, '%s%d/')`, id, parent, parentPath, id)}
		},
	},
	{
		name: "closure",
		schema: []string{
			nodesTable,
			`CREATE TABLE closure (ancestor integer NOT NULL, descendant integer NOT NULL, PRIMARY KEY (ancestor, descendant))`,
			`CREATE INDEX closure_descendant ON closure (descendant, ancestor)`,
		},
		fill: func(nodes []benchNode) []string {
			var all []string
			for _, n := range nodes {
				rows := []string{fmt.Sprintf("(%d, %d)", n.id, n.id)}
				for _, a := range n.ancestors {
					rows = append(rows, fmt.Sprintf("(%d, %d)", a, n.id))
				}
				all = append(all, `INSERT INTO closure VALUES `+strings.Join(rows, ", "))
			}
			return all
		},
		read: func(id int) string { return fmt.Sprintf(`SELECT descendant FROM closure WHERE ancestor = %d`, id) },
		move: func(id int, _ string, to int, _ string) []string {
			return []string{
				fmt.Sprintf(`UPDATE nodes SET parent_id = %d WHERE id = %d`, to, id),
				fmt.Sprintf(`DELETE FROM closure WHERE descendant IN (SELECT descendant FROM (SELECT descendant FROM closure WHERE ancestor = %d) s)`+
					` AND ancestor IN (SELECT ancestor FROM (SELECT ancestor FROM closure WHERE descendant = %d AND ancestor <> %d) a)`, id, id, id),
				fmt.Sprintf(`INSERT INTO closure SELECT a.ancestor, s.descendant FROM closure a CROSS JOIN closure s WHERE a.descendant = %d AND s.ancestor = %d`, to, id),
			}
		},
		insert: func(id, parent int, _ string) []string {
			return []string{
				fmt.Sprintf(`INSERT INTO nodes (id, parent_id) VALUES (%d, %d)`, id, parent),
				fmt.Sprintf(`INSERT INTO closure SELECT ancestor, %d FROM closure WHERE descendant = %d`, id, parent),
				fmt.Sprintf(`INSERT INTO closure VALUES (%d, %d)`, id, id),
			}
		},
	},
}

// benchTree returns the nodes of the benchmark: 1 is the root, 2 and 3 are the halves.
func benchTree() []benchNode {
	nodes := []benchNode{{id: 1, path: "1/"}}
	for id := 2; id <= benchNodes; id++ {
		parent := 1
		if id > 3 { // within a half, whose members have ids of the same parity
			parent = ((id/2-1)-1)/4*2 + 2 + id%2
		}
		p := nodes[parent-1]
		nodes = append(nodes, benchNode{id, parent, fmt.Sprintf("%s%d/", p.path, id), append(append([]int(nil), p.ancestors...), parent)})
	}
	return nodes
}

// BenchmarkTree measures ways to store trees, on a tree of benchNodes. Its figures
// stand in docs/decisions/0025.
func BenchmarkTree(b *testing.B) {
	for name, open := range map[string]func(testing.TB) string{"sqlite": testdb.SQLite, "mysql": testdb.MySQL} {
		for _, s := range storages {
			b.Run(name+"/"+s.name, func(b *testing.B) { benchStorage(b, open(b), s) })
		}
	}
}

func benchStorage(b *testing.B, url string, s storage) {
	pool, err := database.Open(url, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = pool.Close() })
	db, nodes := pool.Writer, benchTree()
	inTransaction(b, db, s.schema...)
	var rows []string
	for _, n := range nodes {
		parent := "NULL"
		if n.parent > 0 {
			parent = fmt.Sprint(n.parent)
		}
		rows = append(rows, fmt.Sprintf("(%d, %s)", n.id, parent))
	}
	inTransaction(b, db, `INSERT INTO nodes (id, parent_id) VALUES `+strings.Join(rows, ", "))
	inTransaction(b, db, s.fill(nodes)...)
	for _, read := range []struct{ id, want int }{{1, benchNodes}, {2, benchNodes / 2}, {benchNodes / 8, 0}} {
		b.Run(fmt.Sprint("read-", read.want), func(b *testing.B) {
			for b.Loop() {
				if got := countRows(b, db, s.read(read.id)); read.want > 0 && got != read.want {
					b.Fatalf("%d nodes, want %d", got, read.want)
				}
			}
		})
	}
	from, to := nodes[1], nodes[2+4*2]
	b.Run("move-5000", func(b *testing.B) {
		moved := fmt.Sprintf("%s%d/", to.path, from.id)
		for b.Loop() {
			inTransaction(b, db, s.move(from.id, from.path, to.id, to.path)...)
			inTransaction(b, db, s.move(from.id, moved, 1, "1/")...)
		}
	})
	if got := countRows(b, db, s.read(from.id)); got != benchNodes/2 {
		b.Fatalf("%d nodes after the moves, want %d", got, benchNodes/2)
	}
	next, leaf := benchNodes, nodes[benchNodes-1]
	b.Run("insert", func(b *testing.B) {
		for b.Loop() {
			next++
			inTransaction(b, db, s.insert(next, leaf.id, leaf.path)...)
		}
	})
}

func inTransaction(b *testing.B, db *sql.DB, statements ...string) {
	b.Helper()
	tx, err := db.Begin()
	if err != nil {
		b.Fatal(err)
	}
	for _, text := range statements {
		if _, err := tx.Exec(text); err != nil {
			b.Fatalf("%.200s: %v", text, err)
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
}

func countRows(b *testing.B, db *sql.DB, query string) (n int) {
	b.Helper()
	rows, err := db.Query(query)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			b.Fatal(err)
		}
		n++
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
	return n
}
