package graph

import (
	"context"
	"math"

	"workforce/internal/errs"
	"workforce/internal/plan"
)

// Lengths of lists (contract.md, Lists and section 5).
const (
	defaultFirst = 50
	maxPage      = 1000
	maxList      = 10_000
)

// A query that loads just what the selection asks for.
type query[Q, T any] interface {
	CollectFields(ctx context.Context, satisfies ...string) (Q, error)
	Only(ctx context.Context) (T, error)
}

// only returns the one row of a query, with the edges that are selected.
func only[Q query[Q, T], T any](ctx context.Context, q Q) (T, error) {
	q, err := q.CollectFields(plan.Merged(ctx))
	if err != nil {
		var none T
		return none, err
	}
	return q.Only(ctx)
}

// window returns the bounds of a connection: 50 where neither is given, at most
// 1,000.
func window(first, last *int) (*int, *int, error) {
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

// page returns offset and limit of a page of a list; limit 0 stands for the
// whole list.
func page(number, limit *int) (offset, n int, err error) {
	var faults errs.Faults
	if number != nil && (*number < 1 || *number > math.MaxInt32) {
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
	return (*number - 1) * *limit, *limit, nil
}
