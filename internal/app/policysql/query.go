// Package policysql runs statements that join what ent would read one entity at a
// time, within the policies of the tables that they read.
package policysql

import (
	"bytes"
	"cmp"
	"context"
	stdsql "database/sql"
	"strings"
	"time"

	entgo "entgo.io/ent"
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
	found, err := q.run()
	if err != nil {
		return err
	}
	return each(found, read)
}

// run runs the query.
func (q *Query) run() (*stdsql.Rows, error) {
	if q.err != nil {
		return nil, q.err
	}
	ctx := q.ctx
	if q.listed {
		ctx = database.Unprepared(ctx)
	}
	return ent.FromContext(ctx).QueryContext(ctx, q.text.String(), q.args...)
}

// Each runs a query, as Query.Each does. It applies no policy.
func Each(ctx context.Context, text string, read func(Scan) error, args ...any) error {
	found, err := ent.FromContext(ctx).QueryContext(ctx, text, args...)
	if err != nil {
		return err
	}
	return each(found, read)
}

// each calls read for every row, and closes the rows.
func each(found *stdsql.Rows, read func(Scan) error) error {
	defer found.Close()
	var all []any
	scan := func(into ...any) error {
		all = all[:0]
		for _, to := range into {
			if at, ok := to.(*time.Time); ok {
				to = instant{at}
			}
			all = append(all, to)
		}
		return found.Scan(all...)
	}
	for found.Next() {
		if err := read(scan); err != nil {
			return err
		}
	}
	return found.Err()
}

// Exec runs the statement, which changes rows, and returns how many it matched. Nobody
// audits them.
func (q *Query) Exec() (int, error) {
	if q.err != nil {
		return 0, q.err
	}
	result, err := ent.FromContext(q.ctx).ExecContext(q.ctx, q.text.String(), q.args...)
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
	}
	return strings.Join(names, ", ")
}

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
	ctx    context.Context
	text   bytes.Buffer
	args   []any
	listed bool  // it lists ids
	err    error // of a policy, the first
}

// New returns an empty query, to be run for the viewer of ctx.
func New(ctx context.Context) *Query {
	q := &Query{ctx: ctx, args: make([]any, 0, 32)}
	q.text.Grow(1 << 10)
	return q
}

// Add appends text and its arguments.
func (q *Query) Add(text string, args ...any) {
	q.text.WriteString(text)
	q.args = append(q.args, args...)
}

// In appends the condition that a column has one of some ids, which are few thousand at
// most; never true for none.
func (q *Query) In(column string, ids []int) {
	switch len(ids) {
	case 0:
		q.Add("FALSE")
	case 1:
		q.Add(column+" = ?", ids[0])
	default:
		q.listed = true // so that its text is another one each time
		q.Add(column + " IN (" + database.List(ids) + ")")
	}
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
