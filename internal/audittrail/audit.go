package audittrail

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

type trailKey struct{}

type expiryKey struct{}

// WithExpiry returns a context in which a system job may delete events: those that are
// older than their company keeps them.
func WithExpiry(ctx context.Context) context.Context {
	return context.WithValue(ctx, expiryKey{}, true)
}

// Expires reports whether WithExpiry made the context.
func Expires(ctx context.Context) bool { return ctx.Value(expiryKey{}) != nil }

// NewContext returns a context whose changes are attributed to t.
func NewContext(ctx context.Context, t Trail) context.Context {
	return context.WithValue(ctx, trailKey{}, t)
}

// From returns the trail of ctx; false where no request is behind its changes, and
// nothing is recorded.
func From(ctx context.Context) (Trail, bool) {
	t, ok := ctx.Value(trailKey{}).(Trail)
	return t, ok
}

// WithoutTrail returns a context whose changes of rows are not recorded: what they
// were is not to be known any more.
func WithoutTrail(ctx context.Context) context.Context {
	return context.WithValue(ctx, trailKey{}, nil)
}

// Actor returns who is signed in; nil for nobody.
func (t Trail) Actor() *int {
	if t.ActorID == 0 {
		return nil
	}
	return &t.ActorID
}
