package audittrail

import (
	"context"
	"time"
)

// A Trail is the request behind a change.
type Trail struct {
	ActorID   int    // who is signed in, or made the API key; 0 for nobody
	KeyID     int    // the API key; 0 for none
	CompanyID int    // of the actor
	Address   string // network address, at most 64 bytes
	RequestID string // X-Req-Id
	Now       func() time.Time
}

type key struct{}

// attribution is what a context says of the changes that are made with it.
type attribution struct {
	trail   *Trail // nil where nothing is recorded
	bulk    *Bulk
	expires bool
}

func attributionOf(ctx context.Context) attribution {
	a, _ := ctx.Value(key{}).(attribution)
	return a
}

// WithExpiry returns a context in which a system job may delete events: those that are
// older than their company keeps them.
func WithExpiry(ctx context.Context) context.Context {
	a := attributionOf(ctx)
	a.expires = true
	return context.WithValue(ctx, key{}, a)
}

// Expires reports whether WithExpiry made the context.
func Expires(ctx context.Context) bool { return attributionOf(ctx).expires }

// NewContext returns a context whose changes are attributed to t.
func NewContext(ctx context.Context, t Trail) context.Context {
	a := attributionOf(ctx)
	a.trail = &t
	return context.WithValue(ctx, key{}, a)
}

// From returns the trail of ctx; false where no request is behind its changes, and
// nothing is recorded.
func From(ctx context.Context) (Trail, bool) {
	if t := attributionOf(ctx).trail; t != nil {
		return *t, true
	}
	return Trail{}, false
}

// WithoutTrail returns a context whose changes of rows are not recorded: what they
// were is not to be known any more.
func WithoutTrail(ctx context.Context) context.Context {
	a := attributionOf(ctx)
	a.trail = nil
	return context.WithValue(ctx, key{}, a)
}

// Key returns the API key that a program was let in by; nil for none.
func (t Trail) Key() *int {
	if t.KeyID == 0 {
		return nil
	}
	return &t.KeyID
}

// Actor returns who is signed in; nil for nobody.
func (t Trail) Actor() *int {
	if t.ActorID == 0 {
		return nil
	}
	return &t.ActorID
}
