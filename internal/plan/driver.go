package plan

import (
	"context"
	databasesql "database/sql"
	"errors"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
)

// A Driver lets plans read the rows of ent's queries as they come.
type Driver struct{ dialect.Driver }

type readerKey struct{}

// A reader takes the rows of the one query that is run in its context.
type reader struct{ read func(sql.ColumnScanner) error }

// Query implements dialect.Driver. Rows that a plan has read are none to ent.
func (d Driver) Query(ctx context.Context, query string, args, v any) error {
	err := d.Driver.Query(ctx, query, args, v)
	r, ok := ctx.Value(readerKey{}).(*reader)
	if err != nil || !ok {
		return err
	}
	rows := v.(*sql.Rows)
	defer rows.ColumnScanner.Close()
	if err := r.read(rows.ColumnScanner); err != nil {
		return err
	}
	if err := rows.ColumnScanner.Err(); err != nil {
		return err
	}
	rows.ColumnScanner = noRows{}
	r.read = nil
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

// noRows are the rows of a query that has none.
type noRows struct{}

func (noRows) Close() error                                    { return nil }
func (noRows) ColumnTypes() ([]*databasesql.ColumnType, error) { return nil, nil }
func (noRows) Columns() ([]string, error)                      { return []string{"id"}, nil }
func (noRows) Err() error                                      { return nil }
func (noRows) Next() bool                                      { return false }
func (noRows) NextResultSet() bool                             { return false }
func (noRows) Scan(...any) error                               { return nil }

var errNoDriver = errors.New("plan: the client has no plan.Driver")

// each runs a query and calls f with the columns of each of its rows, which are
// only valid until f returns. nil is NULL.
func each(ctx context.Context, rows Rows, where func(*sql.Selector), columns []string, f func([]databasesql.RawBytes) error) error {
	values := make([]databasesql.RawBytes, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	r := &reader{func(rows sql.ColumnScanner) error {
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				return err
			}
			if err := f(values); err != nil {
				return err
			}
		}
		return nil
	}}
	if where == nil {
		where = func(*sql.Selector) {}
	}
	err := rows(context.WithValue(ctx, readerKey{}, r), where, columns...)
	if err == nil && r.read != nil {
		err = errNoDriver
	}
	return err
}
