package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
)

type directKey struct{}

// A directReader receives the rows of the query of its context.
type directReader struct {
	read func(values []driver.Value) error
	done bool
	err  error // of read, or of the driver between rows
}

var errNotDirect = errors.New("database: the driver did not run the query by itself")

// ReadDirectly calls read with the values of each row of the query that run sends with its
// context, as the driver returns them: they are valid during the call only. For run, the
// query has no rows. What database/sql does for each row and value (locks, conversions)
// takes longer than many a statement.
func ReadDirectly(ctx context.Context, read func(values []driver.Value) error, run func(context.Context) error) error {
	r := &directReader{read: read}
	if err := run(context.WithValue(ctx, directKey{}, r)); err != nil {
		return err
	}
	if !r.done {
		return errNotDirect // database/sql prepared it, and nobody read its rows
	}
	return r.err
}

// readDirectly hands rows to the reader of a context, where there is one. Its error is no
// error of the query, which database/sql might send again.
func readDirectly(ctx context.Context, rows driver.Rows) driver.Rows {
	r, ok := ctx.Value(directKey{}).(*directReader)
	if !ok {
		return rows
	}
	defer rows.Close()
	r.done, r.err = true, r.readAll(ctx, rows)
	return noRows{}
}

func (r *directReader) readAll(ctx context.Context, rows driver.Rows) error {
	values := make([]driver.Value, len(rows.Columns()))
	for n := 0; ; n++ {
		switch err := rows.Next(values); {
		case err == io.EOF: // as database/sql compares it
			return nil
		case err != nil:
			return err
		case n%64 == 0 && ctx.Err() != nil:
			return ctx.Err()
		}
		if err := r.read(values); err != nil {
			return err
		}
	}
}

// noRows is a result that has been read.
type noRows struct{}

func (noRows) Columns() []string         { return nil }
func (noRows) Close() error              { return nil }
func (noRows) Next([]driver.Value) error { return io.EOF }
