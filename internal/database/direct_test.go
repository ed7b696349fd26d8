package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"testing"
)

// fakeRows are rows that end with an error, and may have a context end meanwhile.
type fakeRows struct {
	left   int
	end    error
	before func()
	closed bool
}

func (r *fakeRows) Columns() []string { return []string{"v"} }
func (r *fakeRows) Close() error      { r.closed = true; return nil }
func (r *fakeRows) Next([]driver.Value) error {
	if r.left == 0 {
		return r.end
	}
	r.left--
	r.before()
	return nil
}

// TestDirectReaderEnds stops at an error between rows, which database/sql must not send the
// query again for, and when its context ends. The rows are closed.
func TestDirectReaderEnds(t *testing.T) {
	lost := errors.New("connection lost")
	for _, tt := range []struct {
		name    string
		rows    int
		end     error
		cancels bool
		want    error
	}{
		{"end", 3, io.EOF, false, nil},
		{"lost", 3, lost, false, lost},
		{"bad", 3, driver.ErrBadConn, false, driver.ErrBadConn},
		{"cancelled", 1000, io.EOF, true, context.Canceled},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		read := 0
		rows := &fakeRows{left: tt.rows, end: tt.end, before: func() {
			if tt.cancels {
				cancel()
			}
		}}
		err := ReadDirectly(ctx, func([]driver.Value) error { read++; return nil }, func(ctx context.Context) error {
			if left := readDirectly(ctx, rows); left.Next(nil) != io.EOF {
				t.Errorf("%s: rows are left", tt.name)
			}
			return nil
		})
		if !errors.Is(err, tt.want) || !rows.closed || tt.want == nil && read != tt.rows || tt.cancels && read > 64 {
			t.Errorf("%s: %v after %d rows, closed %v; want %v", tt.name, err, read, rows.closed, tt.want)
		}
		cancel()
	}
	if err := ReadDirectly(t.Context(), nil, func(context.Context) error { return nil }); err == nil {
		t.Error("no error without a query that the driver runs by itself")
	}
	rows := &fakeRows{}
	if readDirectly(t.Context(), rows) != driver.Rows(rows) || rows.closed {
		t.Error("rows were read that nobody asked for")
	}
}
