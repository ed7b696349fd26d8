package live

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync/atomic"
	"time"

	"workforce/internal/app/auth/credential"
	"workforce/internal/errs"
)

// The bounds of connections.
const (
	maxConnections = 10_000 // of this process, unless Service.Most says otherwise
	maxStrangers   = 1000   // of these, of people who are not signed in yet
	maxOfNetwork   = 100    // of these, of one network: an IPv4 address, or 64 bits of an IPv6 one
	maxOfSession   = 20

	strangerWait = 10 * time.Second // until a network's have signed in, or were closed
)

// A Cause says why a connection is ended.
type Cause int

// The causes.
const (
	SignedOut Cause = iota // the token expired or was revoked
	Missed                 // events may have been missed
	Stopping               // the server stops
)

// A Delivery is a row that changed, for one connection.
type Delivery struct {
	Field string // the subscription that shows it
	Row   any
	Who   *credential.Credential // whose connection it is, as of now
}

// A Receiver is the transport of a connection. Its methods must not wait.
type Receiver interface {
	Deliver(Delivery)
	End(Cause) // may be called more than once
}

// A Connection is a client that listens.
type Connection struct {
	service  *Service
	receiver Receiver
	network  string // of the client's address
	sent     credential.Sent
	holder   atomic.Pointer[holder] // nil until somebody signs in
	missed   atomic.Bool            // it was told so
	inbox    atomic.Pointer[string] // what waited for its person when it was last looked at

	fields map[string]int // subscriptions by field; under the registry's mu
}

// A holder is whose connection it is.
type holder struct {
	*credential.Identity
	rights [sha256.Size]byte // digest of all that policies ask of the person but who they are
}

// identify sets whose connection it is, as of now.
func (c *Connection) identify(i *credential.Identity) {
	if known := c.holder.Load(); known != nil && known.Identity == i {
		return
	}
	v := &i.Viewer
	c.holder.Store(&holder{i, sha256.Sum256(fmt.Appendf(nil, "%d %t %v %q", v.CompanyID, v.Owner, v.Businesses, v.Permissions))})
}

// Connect opens a connection of somebody of a network who is yet to sign in. UNAVAILABLE
// when the server stops or has too many, RATE_LIMITED when the network has.
func (s *Service) Connect(network string, r Receiver) (_ *Connection, err error) {
	defer errs.Step(&err, "live: connect")
	c := &Connection{service: s, receiver: r, network: network}
	if err := s.open.add(c); err != nil {
		return nil, err
	}
	return c, nil
}

// Crowded reports whether those who have not signed in take more than half of their room.
func (c *Connection) Crowded() bool { return c.service.open.crowded(c) }

// SignIn makes the connection that of the holder of an access token. RATE_LIMITED where
// the session has maxOfSession already.
func (c *Connection) SignIn(who *credential.Credential) error {
	if !c.service.open.signIn(c, who) {
		return limited(time.Minute, maxOfSession)
	}
	return nil
}

// limited returns RATE_LIMITED for more connections than there may be.
func limited(wait time.Duration, most int) error {
	e := errs.Limited(wait, errs.Meta{"max": most})
	e.Limit = &errs.Limit{Limit: most}
	return e
}

// Who returns whose connection it is, as of now; nil for somebody who has not signed in.
func (c *Connection) Who() *credential.Credential {
	h := c.holder.Load()
	if h == nil {
		return nil
	}
	return &credential.Credential{Kind: h.Kind, Reason: h.Check(c.service.Now()), Sent: c.sent, Identity: h.Identity}
}

// Listen adds a subscription to a field.
func (c *Connection) Listen(field string) {
	c.service.open.count(c, field, 1)
	if h := c.holder.Load(); field == inboxChanged && h != nil {
		c.inbox.Store(nil)
		c.service.inboxes.mark(h.Viewer.CompanyID, mark{})
	}
}

// Ignore removes a subscription to a field.
func (c *Connection) Ignore(field string) { c.service.open.count(c, field, -1) }

// Overflow ends the connection because its client reads too slowly.
func (c *Connection) Overflow() { c.service.end(Missed, []*Connection{c}) }

// Close ends the connection; its transport calls it when the client is gone.
func (c *Connection) Close() { c.service.open.remove(c) }

type rowKey struct{}

// WithRow returns the context in which a subscription shows the row of a delivery.
func WithRow(ctx context.Context, d Delivery) context.Context {
	return context.WithValue(ctx, rowKey{}, d.Row)
}

// Rows returns what a subscription shows in ctx: the row of WithRow, and nothing after
// it.
func Rows[T any](ctx context.Context) <-chan T {
	rows := make(chan T, 1)
	if row, ok := ctx.Value(rowKey{}).(T); ok {
		rows <- row
	}
	close(rows)
	return rows
}
