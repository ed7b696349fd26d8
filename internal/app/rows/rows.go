// Package rows runs statements that join what ent would read one entity at a
// time, within the policies of the tables that they read.
package rows

import (
	"bytes"
	"cmp"
	"context"
	stdsql "database/sql"
	"database/sql/driver"
	"strconv"
	"strings"
	"sync"
	"time"

	entgo "entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/internal/database"
)

// A Scan reads the columns of a row into pointers, as sql.Rows.Scan does.
type Scan func(into ...any) error

// Each runs the query and calls read for every row of its result. It fails with
// the error of a policy, if one failed. The connection is busy until the last row:
// read must not query in the same transaction.
func (q *Query) Each(read func(Scan) error) error {
	if q.err != nil {
		return q.err
	}
	return Each(q.ctx, q.statement(), read, q.args...)
}

// Each runs a query whose text is always the same, as Query.Each does. It applies no policy.
func Each(ctx context.Context, text string, read func(Scan) error, args ...any) error {
	return each(ctx, read, func(ctx context.Context) error {
		db := ent.FromContext(ctx)
		if db.Dialect() == dialect.SQLite {
			text = strings.ReplaceAll(text, sign, "+")
		}
		rows, err := db.QueryContext(ctx, text, args...)
		if err != nil {
			return err
		}
		return rows.Close()
	})
}

// EachSelected runs a query of ent for the columns that it selects, within the policy of its
// entity, and calls read for every row.
func EachSelected(ctx context.Context, query interface {
	Scan(ctx context.Context, to any) error
}, read func(Scan) error) error {
	return each(ctx, read, func(ctx context.Context) error { return query.Scan(ctx, &[]struct{}{}) })
}

func each(ctx context.Context, read func(Scan) error, run func(context.Context) error) error {
	var row []driver.Value
	scan := func(to ...any) error { return scan(row, to) }
	return database.ReadDirectly(ctx, func(values []driver.Value) error {
		row = values
		return read(scan)
	}, run)
}

// Exec runs the statement, which changes rows, and returns how many it matched. Nobody
// audits them.
func (q *Query) Exec() (int, error) {
	if q.err != nil {
		return 0, q.err
	}
	result, err := ent.FromContext(q.ctx).ExecContext(q.ctx, q.statement(), q.args...)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}

// Optional reads a column that may be null; null leaves v unchanged.
func Optional[T any](v *T) stdsql.Scanner { return into[T]{v} }

type into[T any] struct{ v *T }

// Scan implements sql.Scanner.
func (i into[T]) Scan(from any) error {
	if from == nil {
		return nil
	}
	return assign(i.v, from)
}

// Nullable reads a column that may be null; null sets *v to nil.
func Nullable[T any](v **T) stdsql.Scanner { return intoNew[T]{v} }

type intoNew[T any] struct{ v **T }

// Scan implements sql.Scanner.
func (i intoNew[T]) Scan(from any) error {
	*i.v = nil
	if from == nil {
		return nil
	}
	*i.v = new(T)
	return into[T]{*i.v}.Scan(from)
}

// A Column is read from a statement's row into a destination of sql.Rows.Scan.
type Column struct {
	name string
	into any
}

// Read returns a column, named by a generated constant, with its destination.
func Read(name string, into any) Column { return Column{name, into} }

// Columns are read one after the other. A statement lists them by Of, and
// scans them by Into: in the same order by construction.
type Columns []Column

// Of lists the columns of the table with an alias.
func (c Columns) Of(alias string) string {
	names := make([]string, len(c))
	for i, column := range c {
		names[i] = alias + "." + column.name
		switch column.into.(type) {
		case *time.Time, into[time.Time], intoNew[time.Time]:
			names[i] = Instant(names[i])
		}
	}
	return strings.Join(names, ", ")
}

// Instant selects an instant as it is stored. Of the type that its column has, SQLite's driver
// tries another format before the one that is stored, which takes longer than the rest of a
// short row; a sign leaves it without a type. MariaDB would take that for a number, and reads
// a comment.
func Instant(column string) string { return sign + column }

const sign = "/*text*/" // becomes a plus on SQLite

// Into returns the destinations of several lists of columns.
func Into(lists ...Columns) []any {
	n := 0
	for _, c := range lists {
		n += len(c)
	}
	into := make([]any, 0, n+2) // and of a caller's own
	for _, c := range lists {
		for _, column := range c {
			into = append(into, column.into)
		}
	}
	return into
}

// policyFilter collects the conditions of a policy.
type policyFilter []func(*sql.Selector)

// WhereP adds conditions; policies call it.
func (f *policyFilter) WhereP(conditions ...func(*sql.Selector)) { *f = append(*f, conditions...) }

// A Query is the text of a statement with its arguments. It is run once.
type Query struct {
	ctx  context.Context
	text *bytes.Buffer // of texts
	args []any
	err  error // of a policy, the first
}

// texts are reused: the longest have several kilobytes.
var texts = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// New returns an empty query, to be run for the viewer of ctx.
func New(ctx context.Context) *Query {
	return &Query{ctx: ctx, text: texts.Get().(*bytes.Buffer), args: make([]any, 0, 32)}
}

// statement returns the text, and gives its buffer back.
func (q *Query) statement() string {
	text := q.text.String()
	q.text.Reset()
	texts.Put(q.text)
	q.text = nil
	return text
}

// Add appends text and its arguments.
func (q *Query) Add(text string, args ...any) {
	q.text.WriteString(text)
	q.args = append(q.args, args...)
}

// In appends the condition that a column has one of some ids, which are few thousand at
// most; never true for none.
func (q *Query) In(column string, ids []int) {
	switch {
	case len(ids) == 0:
		q.Add("FALSE")
		return
	case len(ids) == 1:
		q.Add(column+" = ?", ids[0])
		return
	}
	q.text.WriteString(column + " IN (")
	for i, id := range ids {
		if i > 0 {
			q.text.WriteByte(',')
		}
		q.text.WriteString(strconv.Itoa(id))
	}
	q.text.WriteByte(')')
}

// WherePolicy appends the condition under which the viewer sees rows of a table,
// by the policy of its entity. alias names the table within the query.
func (q *Query) WherePolicy(policy entgo.Policy, table, alias string) {
	var filter policyFilter
	if err := policy.EvalQuery(q.ctx, &filter); err != nil {
		q.err = cmp.Or(q.err, err)
		return
	}
	rows := sql.Dialect(ent.FromContext(q.ctx).Dialect()).Select().From(sql.Table(table).As(alias))
	for _, condition := range filter {
		condition(rows)
	}
	if rows.P() == nil {
		q.Add("TRUE")
		return
	}
	condition, args := rows.P().Query()
	q.Add("("+condition+")", args...)
}

// IgnoreNotFound returns err, or nil where it says that a row does not exist.
func IgnoreNotFound(err error) error {
	if ent.IsNotFound(err) {
		return nil
	}
	return err
}
