package tx

import (
	"context"
	"errors"

	"workforce/internal/errs"
)

// Deferred is work of an operation that must not run within its transaction, such as
// to hash a password. The operation runs twice: the first time the work is only
// collected, and the transaction rolled back; then Run does it, and the second time
// Outside returns what it returned.
type Deferred struct {
	waiting []func(context.Context)
	done    map[any]any // results by key
}

type deferredKey struct{}

// WithDeferred returns a context in which Outside defers work, until Run.
func WithDeferred(ctx context.Context) (context.Context, *Deferred) {
	d := &Deferred{done: map[any]any{}}
	return context.WithValue(ctx, deferredKey{}, d), d
}

// Run does the work that is waiting, and reports whether there was any. It must not
// be called within a transaction.
func (d *Deferred) Run(ctx context.Context) bool {
	waiting := d.waiting
	d.waiting = nil
	for _, work := range waiting {
		work(ctx)
	}
	return len(waiting) > 0
}

// errDeferred rolls back the transaction of an operation that will run again.
var errDeferred = &errs.Error{Code: errs.Unavailable, Err: errors.New("tx: work must be done outside of the transaction first")}

// A result is what work returned.
type result[T any] struct {
	value T
	err   error
}

// Outside returns what work returns, which must not run in a transaction and must
// depend on nothing but its key, which is comparable. In the transaction of an
// operation it fails the first time, which the caller passes on. Elsewhere it does
// the work at once.
func Outside[T any](ctx context.Context, key any, work func(context.Context) (T, error)) (T, error) {
	d, ok := ctx.Value(deferredKey{}).(*Deferred)
	if !ok {
		return work(ctx)
	}
	if r, ok := d.done[key].(result[T]); ok {
		return r.value, r.err
	}
	d.waiting = append(d.waiting, func(ctx context.Context) {
		value, err := work(ctx)
		d.done[key] = result[T]{value, err}
	})
	var none T
	return none, errDeferred
}
