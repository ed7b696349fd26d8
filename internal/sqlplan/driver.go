package sqlplan

import (
	"context"
	databasesql "database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"workforce/internal/database"
)

// A Driver lets plans read the rows of ent's queries directly from the database
// driver: what database/sql does for each row and value costs a list of 1,000 rows some
// 0.2 ms of CPU.
type Driver struct{ dialect.Driver }

// BeginTx begins a transaction, as ent's clients ask for it.
func (d Driver) BeginTx(ctx context.Context, opts *databasesql.TxOptions) (dialect.Tx, error) {
	db, ok := d.Driver.(interface {
		BeginTx(context.Context, *databasesql.TxOptions) (dialect.Tx, error)
	})
	if !ok {
		return nil, errNoDriver
	}
	return db.BeginTx(ctx, opts)
}

type readerKey struct{}

// A reader receives the rows of the one query that runs in its context. The values
// have the bytes of database/sql's RawBytes: nil for NULL, valid during the call only.
type reader struct {
	read  func(values [][]byte) error
	added *object   // whose columns are added to those of the query; nil for none
	seen  *seenRows // what ent sees of a query with added columns
	done  bool

	children  bool // rows are sorted by their parents, then ids where they have no order
	unordered bool // the rows came in any order instead of that of their ids
}

// Query implements dialect.Driver. If the context has a reader, it receives the rows,
// and ent sees an empty result. If columns are added for the reader, ent sees the rows
// without them, and may count rows before and query others afterwards.
func (d Driver) Query(ctx context.Context, query string, args, v any) error {
	r, ok := ctx.Value(readerKey{}).(*reader)
	if !ok || r.added != nil && (r.done || strings.HasPrefix(query, "SELECT COUNT(")) {
		return d.Driver.Query(ctx, countRows(query), args, v)
	}
	if r.added != nil {
		if query, ok = r.extend(query, d.Dialect()); !ok {
			return errFallBack
		}
	}
	if r.children {
		query, r.unordered = withoutOrder(query)
	}
	var row row
	err := database.ReadDirectly(ctx, func(values []driver.Value) error {
		if err := row.encode(values); err != nil {
			return err
		}
		return r.read(row.bytes[r.seen.add(values):])
	}, func(ctx context.Context) error {
		if err := d.Driver.Query(ctx, query, args, v); err != nil {
			return err
		}
		return v.(*sql.Rows).Close()
	})
	if err != nil {
		return err
	}
	v.(*sql.Rows).ColumnScanner = emptyRows{}
	if r.seen != nil {
		v.(*sql.Rows).ColumnScanner = r.seen
	}
	r.done = true
	return nil
}

// extend adds the columns of an object to those that a query of ent selects of its
// table; false for another kind of query.
func (r *reader) extend(query, of string) (string, bool) {
	list, rest, _ := strings.Cut(query, " FROM `")
	table, _, found := strings.Cut(rest, "`")
	r.seen = &seenRows{}
	for i, column := range strings.Split(list, ", ") {
		if i == 0 {
			column = strings.TrimPrefix(column, "SELECT ")
		}
		name, ok := strings.CutPrefix(column, "`"+table+"`.`")
		found = found && ok
		r.seen.columns = append(r.seen.columns, strings.TrimSuffix(name, "`"))
	}
	var added strings.Builder
	for _, name := range r.added.columns {
		sign := ""
		if of == dialect.SQLite && r.added.table.instants[name] {
			sign = "+" // see readText
		}
		added.WriteString(", " + sign + "`" + table + "`.`" + name + "`")
	}
	return list + added.String() + " FROM `" + rest, found
}

// seenRows are the rows of a query without the columns that were added.
type seenRows struct {
	emptyRows
	columns []string
	values  []driver.Value
	next    int // of the values of the next row
}

// add keeps the values that ent sees of a row, and returns how many there are.
func (r *seenRows) add(values []driver.Value) int {
	if r == nil {
		return 0
	}
	for _, v := range values[:len(r.columns)] {
		if text, ok := v.([]byte); ok { // which the driver uses again
			v = slices.Clone(text)
		}
		r.values = append(r.values, v)
	}
	return len(r.columns)
}

func (r *seenRows) Columns() ([]string, error) { return r.columns, nil }

func (r *seenRows) Next() bool { return r.next < len(r.values) }

func (r *seenRows) Scan(to ...any) error {
	for _, t := range to {
		s, ok := t.(databasesql.Scanner)
		if !ok {
			return errFallBack
		}
		if err := s.Scan(r.values[r.next]); err != nil {
			return err
		}
		r.next++
	}
	return nil
}

// countRows has the rows counted where ent counts their ids, each of which SQLite looks up.
func countRows(query string) string {
	if column, ok := strings.CutPrefix(query, "SELECT COUNT(`"); ok {
		if _, rest, ok := strings.Cut(column, "`.`id`) FROM "); ok {
			return "SELECT COUNT(*) FROM " + rest
		}
	}
	return query
}

// withoutOrder returns a query of one table's rows without their order, if that is the order of
// ids: where a policy finds rows by another table, MariaDB sorts them in a table on disk.
func withoutOrder(query string) (string, bool) {
	_, from, _ := strings.Cut(query, " FROM `")
	table, _, found := strings.Cut(from, "`")
	rest, ordered := strings.CutSuffix(query, " ORDER BY `"+table+"`.`id`")
	return rest, found && ordered
}

// A row holds the bytes of the values that a driver returned.
type row struct {
	bytes [][]byte
	text  []byte // of the values that are not bytes themselves
}

// encode sets the bytes of values.
func (r *row) encode(values []driver.Value) error {
	if r.bytes == nil {
		r.bytes, r.text = make([][]byte, len(values)), make([]byte, 0, 512)
	}
	r.text = r.text[:0]
	for i, v := range values {
		from := len(r.text)
		switch v := v.(type) {
		case nil:
			r.bytes[i] = nil
			continue
		case []byte:
			r.bytes[i] = v
			continue
		case string:
			r.text = append(r.text, v...)
		case int64:
			r.text = strconv.AppendInt(r.text, v, 10)
		case float64:
			r.text = strconv.AppendFloat(r.text, v, 'g', -1, 64)
		case float32:
			r.text = strconv.AppendFloat(r.text, float64(v), 'g', -1, 32)
		case bool:
			r.text = strconv.AppendBool(r.text, v)
		case time.Time:
			r.text = v.AppendFormat(r.text, time.RFC3339Nano)
		default:
			return fmt.Errorf("sqlplan: the driver returned a %T", v)
		}
		r.bytes[i] = r.text[from:len(r.text):len(r.text)] // valid even if a later append reallocates text
	}
	return nil
}

// ExecContext runs a statement, for ent's ExecContext.
func (d Driver) ExecContext(ctx context.Context, query string, args ...any) (databasesql.Result, error) {
	return d.Driver.(interface {
		ExecContext(context.Context, string, ...any) (databasesql.Result, error)
	}).ExecContext(ctx, query, args...)
}

// QueryContext runs a query, for ent's QueryContext.
func (d Driver) QueryContext(ctx context.Context, query string, args ...any) (*databasesql.Rows, error) {
	return d.Driver.(interface {
		QueryContext(context.Context, string, ...any) (*databasesql.Rows, error)
	}).QueryContext(ctx, query, args...)
}

// emptyRows is a result without rows.
type emptyRows struct{}

func (emptyRows) Close() error                                    { return nil }
func (emptyRows) ColumnTypes() ([]*databasesql.ColumnType, error) { return nil, nil }
func (emptyRows) Columns() ([]string, error)                      { return []string{"id"}, nil }
func (emptyRows) Err() error                                      { return nil }
func (emptyRows) Next() bool                                      { return false }
func (emptyRows) NextResultSet() bool                             { return false }
func (emptyRows) Scan(...any) error                               { return nil }

var errNoDriver = errors.New("sqlplan: the client has no sqlplan.Driver")

// eachRow runs a query and calls f with the columns of each row.
func eachRow(ctx context.Context, rows Rows, where func(*sql.Selector), columns []string, f func(values [][]byte) error) error {
	return (&reader{read: f}).each(ctx, rows, where, columns)
}

// each runs a query whose rows the reader receives.
func (r *reader) each(ctx context.Context, rows Rows, where func(*sql.Selector), columns []string) error {
	if where == nil {
		where = func(*sql.Selector) {}
	}
	err := rows(context.WithValue(ctx, readerKey{}, r), where, columns...)
	if err == nil && !r.done {
		err = errNoDriver
	}
	return err
}
