// Package connection answers collections and lists: their bounds and paging, by a
// compiled plan where the selection has one, else field by field.
package connection

import (
	"context"
	"math"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"entgo.io/ent/dialect/sql"
	"github.com/99designs/gqlgen/graphql"

	"workforce/ent/entgql"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/sqlplan"
)

// The lengths of lists.
const (
	defaultFirst = 50
	maxPage      = 1000
	maxList      = 10_000
)

// Bounds are the arguments of a collection that select a part of it.
type Bounds struct {
	After  *entgql.Cursor[int]
	First  *int
	Before *entgql.Cursor[int]
	Last   *int
}

// A Paginate loads the part of a collection within bounds that were checked.
type Paginate[C any] func(context.Context, *entgql.Cursor[int], *int, *entgql.Cursor[int], *int) (C, error)

// Of returns a connection. With a plan, paginate loads the ids alone, and the plan
// the selected columns.
func Of[C interface{ Page() sqlplan.Page }](ctx context.Context, b Bounds, paginate Paginate[C]) (C, error) {
	ctx = database.Unprepared(ctx)
	first, last, err := bounds(b.First, b.Last)
	if err == nil {
		err = checkCursors(ctx, b)
	}
	if err != nil {
		var none C
		return none, err
	}
	if p := sqlplan.From(ctx); p != nil {
		var conn C
		var page sqlplan.Page
		page.Connection = func(ctx context.Context) (sqlplan.Page, error) {
			if conn, err = paginate(ctx, b.After, first, b.Before, last); err != nil {
				return sqlplan.Page{}, err
			}
			return conn.Page(), nil
		}
		if p.Answer(ctx, page) {
			return conn, nil
		}
	}
	return paginate(sqlplan.Merged(ctx), b.After, first, b.Before, last)
}

// A Listable is a query of ent, as a list needs it.
type Listable[Q, T any] interface {
	Clone() Q
	Offset(int) Q
	Limit(int) Q
	Count(context.Context) (int, error)
	Selector(context.Context) (*sql.Selector, error)
	CollectFields(ctx context.Context, satisfies ...string) (Q, error)
	All(context.Context) ([]T, error)
}

// List returns the rows of a page of a query, and how many there are on all pages;
// without a limit, all rows up to 10,000. Where a plan answers, both are zero. query
// returns the query, and order sorts it.
func List[Q Listable[Q, T], T any](
	ctx context.Context, number, limit *int, query func(context.Context) (Q, error), order func(Q) Q,
) (nodes []T, total int, err error) {
	ctx = database.Unprepared(ctx)
	offset, n, err := page(number, limit)
	if err != nil {
		return nil, 0, err
	}
	q, err := query(ctx)
	if err != nil {
		return nil, 0, err
	}
	length := n
	if n == 0 {
		length = maxList
	}
	if p := sqlplan.From(ctx); p != nil {
		answer := sqlplan.Page{Offset: offset, Limit: length, Total: q.Clone().Count}
		answer.List = func(ctx context.Context) (*sql.Selector, error) { return order(q.Clone()).Selector(ctx) }
		if p.Answer(ctx, answer) {
			return nil, 0, nil
		}
	}
	if total, err = q.Clone().Count(ctx); err != nil {
		return nil, 0, err
	}
	selected, err := order(q.Clone()).Offset(offset).Limit(length).CollectFields(sqlplan.Merged(ctx, "nodes"))
	if err != nil {
		return nil, 0, err
	}
	nodes, err = selected.All(ctx)
	return nodes, total, err
}

// A query loads what the selection asks for.
type query[Q, T any] interface {
	CollectFields(ctx context.Context, satisfies ...string) (Q, error)
	Only(ctx context.Context) (T, error)
}

// One returns the one row of a query, with the selected edges.
func One[Q query[Q, T], T any](ctx context.Context, q Q) (T, error) {
	q, err := q.CollectFields(sqlplan.Merged(ctx))
	if err != nil {
		var none T
		return none, err
	}
	return q.Only(ctx)
}

// All returns the rows of a query, with the selected edges.
func All[Q Listable[Q, T], T any](ctx context.Context, q Q) ([]T, error) {
	q, err := q.CollectFields(sqlplan.Merged(ctx))
	if err != nil {
		return nil, err
	}
	return q.All(ctx)
}

// Below is All of rows that a member of the field's object lists.
func Below[Q Listable[Q, T], T any](ctx context.Context, q Q, member string) ([]T, error) {
	q, err := q.CollectFields(sqlplan.Merged(ctx, member))
	if err != nil {
		return nil, err
	}
	return q.All(ctx)
}

// bounds returns the bounds of a connection: the first 50 where neither is given, at
// most 1,000.
func bounds(first, last *int) (*int, *int, error) {
	var faults errs.Faults
	for name, n := range map[string]*int{"first": first, "last": last} {
		if n != nil && (*n < 0 || *n > maxPage) {
			faults.Add(name, errs.OutOfRange, errs.Meta{"min": 0, "max": maxPage})
		}
	}
	if first != nil && last != nil {
		faults.Add("last", errs.Excludes, errs.Meta{"other": "first"})
	}
	if first == nil && last == nil {
		n := defaultFirst
		first = &n
	}
	return first, last, faults.Err()
}

// checkCursors refuses cursors of another order than that of the collection, as far
// as the type of their values tells.
func checkCursors(ctx context.Context, b Bounds) error {
	var faults errs.Faults
	for name, c := range map[string]*entgql.Cursor[int]{"after": b.After, "before": b.Before} {
		if c != nil && !sameType(orderValue(ctx), c.Value) {
			faults.Add(name, errs.Unreadable, nil)
		}
	}
	return faults.Err()
}

// orderValue returns a value of the column that orders the collection which is
// being resolved; nil when it is ordered by id alone. The argument is what ent
// generates: a pointer to a struct whose Field has the function Value.
func orderValue(ctx context.Context) any {
	order := reflect.ValueOf(graphql.GetFieldContext(ctx).Args["orderBy"])
	if !order.IsValid() || order.IsNil() {
		return nil
	}
	value := order.Elem().FieldByName("Field").Elem().FieldByName("Value")
	row := reflect.New(value.Type().In(0).Elem())
	return value.Call([]reflect.Value{row})[0].Interface()
}

// sameType reports whether a cursor's value can be one of a column. A column that
// may be NULL takes nil too.
func sameType(column, value any) bool {
	if column == nil || value == nil {
		return value == nil && (column == nil || reflect.TypeOf(column).Kind() == reflect.Pointer)
	}
	if at, ok := value.(time.Time); ok && (at.Year() < 1 || at.Year() > 9999) {
		return false // which databases do not know
	}
	if text, ok := value.(string); ok && (!utf8.ValidString(text) || strings.Contains(text, "\x00")) {
		return false
	}
	is, typ := reflect.TypeOf(value), reflect.TypeOf(column)
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	return is.ConvertibleTo(typ) && (is.Kind() == reflect.String) == (typ.Kind() == reflect.String) // an integer converts to text
}

// page returns the offset and the limit of a page of a list; limit 0 stands for the
// whole list. Any number past the last page is the number of an empty one.
func page(number, limit *int) (offset, n int, err error) {
	var faults errs.Faults
	if number != nil && *number < 1 {
		faults.Add("page", errs.OutOfRange, errs.Meta{"min": 1, "max": math.MaxInt32})
	}
	if number != nil && limit == nil {
		faults.Add("page", errs.Needs, errs.Meta{"other": "limit"})
	}
	if limit != nil && (*limit < 1 || *limit > maxPage) {
		faults.Add("limit", errs.OutOfRange, errs.Meta{"min": 1, "max": maxPage})
	}
	if err := faults.Err(); err != nil || limit == nil {
		return 0, 0, err
	}
	if number == nil {
		return 0, *limit, nil
	}
	return min(*number-1, math.MaxInt / *limit) * *limit, *limit, nil
}
