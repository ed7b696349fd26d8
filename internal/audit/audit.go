// Package audit says what changes are put down to. It knows nothing of how they
// are kept.
package audit

import (
	"context"
	"time"
)

// A Trail is the request behind a change.
type Trail struct {
	ActorID   int    // who is signed in; 0 for nobody
	Address   string // network address, at most 64 bytes
	RequestID string // X-Req-Id
	Now       func() time.Time
}

type key struct{}

// NewContext returns a context whose changes are put down to t.
func NewContext(ctx context.Context, t Trail) context.Context {
	return context.WithValue(ctx, key{}, t)
}

// From returns what changes are put down to; false where no request is behind
// them, and nothing is put down.
func From(ctx context.Context) (Trail, bool) {
	t, ok := ctx.Value(key{}).(Trail)
	return t, ok
}

// Actor returns who is signed in; nil for nobody.
func (t Trail) Actor() *int {
	if t.ActorID == 0 {
		return nil
	}
	return &t.ActorID
}
