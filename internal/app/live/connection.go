package live

import (
	"context"
	"sync/atomic"

	"workforce/internal/app/auth/credential"
	"workforce/internal/errs"
)

// The bounds of connections.
const (
	maxConnections = 10_000 // of this process
	maxStrangers   = 1000   // of these, of people who are not signed in yet
	maxOfSession   = 20
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
	sent     credential.Sent
	identity atomic.Pointer[credential.Identity] // nil until somebody signs in

	fields map[string]int // subscriptions by field; under the service's mu
}

// Connect opens a connection of somebody who is yet to sign in. UNAVAILABLE when the
// server stops or has too many.
func (s *Service) Connect(r Receiver) (*Connection, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping || len(s.connections) >= maxConnections || s.strangers >= maxStrangers {
		return nil, errs.New(errs.Unavailable, nil)
	}
	c := &Connection{service: s, receiver: r}
	s.connections[c] = struct{}{}
	s.strangers++
	return c, nil
}

// SignIn makes the connection that of the holder of an access token. RATE_LIMITED where
// the session has maxOfSession already.
func (c *Connection) SignIn(who *credential.Credential) error {
	s := c.service
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, open := s.connections[c]; !open {
		return errs.New(errs.Unavailable, nil)
	}
	session := who.Session
	if s.sessions[session.ID] >= maxOfSession {
		return &errs.Error{Code: errs.RateLimited, Meta: errs.Meta{"max": maxOfSession}, Limit: &errs.Limit{Limit: maxOfSession}}
	}
	c.sent = who.Sent
	c.identity.Store(who.Identity)
	s.strangers--
	s.sessions[session.ID]++
	if s.companies[session.CompanyID] == nil {
		s.companies[session.CompanyID] = map[*Connection]struct{}{}
	}
	s.companies[session.CompanyID][c] = struct{}{}
	return nil
}

// Who returns whose connection it is, as of now; nil for somebody who has not signed in.
func (c *Connection) Who() *credential.Credential {
	i := c.identity.Load()
	if i == nil {
		return nil
	}
	return &credential.Credential{Kind: i.Kind, Reason: i.Check(c.service.Now()), Sent: c.sent, Identity: i}
}

// Listen adds a subscription to a field.
func (c *Connection) Listen(field string) {
	c.service.mu.Lock()
	defer c.service.mu.Unlock()
	if c.fields == nil {
		c.fields = map[string]int{}
	}
	c.fields[field]++
}

// Ignore removes a subscription to a field.
func (c *Connection) Ignore(field string) {
	c.service.mu.Lock()
	defer c.service.mu.Unlock()
	if c.fields[field]--; c.fields[field] <= 0 {
		delete(c.fields, field)
	}
}

// Close ends the connection; its transport calls it when the client is gone.
func (c *Connection) Close() {
	s := c.service
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, open := s.connections[c]; !open {
		return
	}
	delete(s.connections, c)
	if i := c.identity.Load(); i == nil {
		s.strangers--
	} else {
		remove(s.sessions, i.Session.ID)
		delete(s.companies[i.Session.CompanyID], c)
		if len(s.companies[i.Session.CompanyID]) == 0 {
			delete(s.companies, i.Session.CompanyID)
		}
	}
	s.closeIfEmpty()
}

// remove counts one less, and forgets what is counted no more.
func remove(counts map[int]int, id int) {
	if counts[id]--; counts[id] <= 0 {
		delete(counts, id)
	}
}

// closeIfEmpty tells Stop that no connection is left. The caller holds mu.
func (s *Service) closeIfEmpty() {
	if !s.stopping || len(s.connections) > 0 {
		return
	}
	select {
	case <-s.empty:
	default:
		close(s.empty)
	}
}

// all returns the connections that match, which is called under mu; every one for nil.
func (s *Service) all(match func(*Connection) bool) []*Connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*Connection
	for c := range s.connections {
		if match == nil || match(c) {
			list = append(list, c)
		}
	}
	return list
}

// listeners returns the connections of a company with a subscription to a field.
func (s *Service) listeners(company int, field string) []*Connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*Connection
	for c := range s.companies[company] {
		if c.fields[field] > 0 {
			list = append(list, c)
		}
	}
	return list
}

// endAll ends all connections; for Missed, those that listen to something.
func (s *Service) endAll(cause Cause) {
	s.end(cause, s.all(func(c *Connection) bool { return cause != Missed || len(c.fields) > 0 }))
}

// Overflow ends the connection because its client reads too slowly.
func (c *Connection) Overflow() { c.service.end(Missed, []*Connection{c}) }

func (s *Service) end(cause Cause, list []*Connection) {
	if cause == Missed {
		s.missed.Add(uint64(len(list)))
	}
	for _, c := range list {
		c.receiver.End(cause)
	}
}

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
