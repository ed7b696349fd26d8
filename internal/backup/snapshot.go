package backup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect"

	"workforce/internal/database"
)

// A snapshot reads one state of the database, on one connection.
type snapshot struct {
	ctx     context.Context
	tx      *sql.Tx
	dialect string
}

func openSnapshot(ctx context.Context, db *database.DB) (*snapshot, error) {
	tx, err := db.Reader.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	return &snapshot{ctx, tx, db.Dialect}, nil
}

// close ends the transaction, which changed nothing.
func (s *snapshot) close() { _ = s.tx.Rollback() }

// errNeverServed is returned for a database without an id.
var errNeverServed = errors.New("no server has used this database yet")

// begin reads the first row, which fixes the state that is seen, and returns when that was and the id
// of the installation.
func (s *snapshot) begin(now func() time.Time) (_ time.Time, installation string, err error) {
	err = s.tx.QueryRowContext(s.ctx, "SELECT value FROM settings WHERE name = 'installation'").Scan(&installation)
	if errors.Is(err, sql.ErrNoRows) {
		err = errNeverServed
	}
	return now().UTC(), installation, err
}

// tables lists the tables that a backup has, by name, with their columns.
func (s *snapshot) tables() (list []Table, err error) {
	query := "SELECT m.name, c.name, c.type FROM sqlite_schema m JOIN pragma_table_info(m.name) c " +
		"WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY m.name, c.cid"
	if s.dialect == dialect.MySQL {
		query = "SELECT table_name, column_name, column_type FROM information_schema.columns " +
			"WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position"
	}
	rows, err := s.tx.QueryContext(s.ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var table, column, declared string
		if err := rows.Scan(&table, &column, &declared); err != nil {
			return nil, err
		}
		if where, ok := leftOut[table]; ok && where == "" {
			continue
		}
		k, err := kindOf(declared)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", table, err)
		}
		if len(list) == 0 || list[len(list)-1].Name != table {
			list = append(list, Table{Name: table})
		}
		last := &list[len(list)-1]
		last.Columns = append(last.Columns, Column{column, k})
	}
	return list, rows.Err()
}

// page is how many rows are read at once.
const page = 1000

// rows calls f with the rows of a table by id, each as a JSON array, which f must not keep.
func (s *snapshot) rows(t Table, f func([]byte) error) error {
	id := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == "id" })
	if id < 0 {
		return errors.New("it has no column id")
	}
	where := ""
	if out := leftOut[t.Name]; out != "" {
		where = " AND NOT (" + out + ")"
	}
	query := fmt.Sprintf("SELECT %s FROM `%s` WHERE id > ?%s ORDER BY id LIMIT %d", t.names(), t.Name, where, page)
	values, into := make([]any, len(t.Columns)), make([]any, len(t.Columns))
	for i := range values {
		into[i] = &values[i]
	}
	var row []byte
	read := func(after any) (last any, n int, err error) {
		rows, err := s.tx.QueryContext(s.ctx, query, after)
		if err != nil {
			return nil, 0, err
		}
		defer rows.Close()
		for last = after; rows.Next(); n++ {
			if err := rows.Scan(into...); err != nil {
				return nil, 0, err
			}
			if row, err = t.appendRow(row[:0], values); err == nil {
				err = f(row)
			}
			if err != nil {
				return nil, 0, err
			}
			last = values[id]
		}
		return last, n, rows.Err()
	}
	for after := any(0); ; {
		last, n, err := read(after)
		if err != nil || n < page {
			return err
		}
		after = last
	}
}

// names lists the columns as SQL.
func (t Table) names() string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = "`" + c.Name + "`"
	}
	return strings.Join(names, ", ")
}

// appendRow appends a row as a JSON array.
func (t Table) appendRow(to []byte, values []any) (_ []byte, err error) {
	to = append(to, '[')
	for i, c := range t.Columns {
		if i > 0 {
			to = append(to, ',')
		}
		if to, err = c.Kind.appendValue(to, values[i]); err != nil {
			return nil, fmt.Errorf("column %s of row %v: %w", c.Name, values[0], err)
		}
	}
	return append(to, ']'), nil
}

// A file is what the database tells of an object.
type file struct {
	name    string
	digest  []byte
	pending bool // no row names it yet
}

// files calls f with each object that is not being erased.
func (s *snapshot) files(f func(file) error) error {
	for after, n := 0, page; n == page; {
		list, err := s.fileRows(&after)
		if err != nil {
			return err
		}
		n = len(list)
		for _, one := range list {
			if len(one.digest) == 0 {
				continue
			}
			if err := f(one); err != nil {
				return err
			}
		}
	}
	return nil
}

// fileRows returns the next rows of files, and moves after to the last of them.
func (s *snapshot) fileRows(after *int) (list []file, err error) {
	rows, err := s.tx.QueryContext(s.ctx,
		fmt.Sprintf("SELECT id, name, digest, pending_since IS NOT NULL FROM files WHERE id > ? ORDER BY id LIMIT %d",
			page), *after)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var f file
		if err := rows.Scan(after, &f.name, &f.digest, &f.pending); err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, rows.Err()
}
