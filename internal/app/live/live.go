// Package live tells connected clients what changed. A use case publishes which row it
// changed; after the commit, each instance reads the row once and hands it to those of
// its connections whose people may see it.
package live

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"workforce/ent"
	"workforce/internal/app/auth/credential"
	"workforce/internal/broker"
	"workforce/internal/database"
)

// An Event says that a row changed. It holds nothing that only some people may see:
// who may see the row is decided where it is delivered.
type Event struct {
	Field   string `json:"field"` // the subscription that shows the row
	Company int    `json:"company"`
	ID      int    `json:"id"`
	Users   []int  `json:"users,omitempty"` // the people whom the row is about, unless the row itself tells
}

// waiting is how many events may wait to be delivered. When more happen, all
// connections are told that they missed some.
const waiting = 4096

// A Service delivers events. Its methods are safe for concurrent use; those that publish
// do nothing on nil.
type Service struct {
	DB         *ent.Client
	Dialect    string // of the database, as ent names it
	Broker     broker.Broker
	Identities *credential.Cache
	Now        func() time.Time
	Log        *slog.Logger
	Inbox      Inbox
	Most       int // of connections at once

	queue   chan Event
	recheck chan struct{} // identities changed in this process

	inboxes           *inboxes
	open              *registry
	delivered, missed atomic.Uint64
}

// New returns a service without a broker, database and identities: they are set before
// Run.
func New(now func() time.Time, log *slog.Logger) *Service {
	return &Service{
		Now: now, Log: log, Broker: broker.Memory{}, Most: maxConnections,
		queue: make(chan Event, waiting), recheck: make(chan struct{}, 1), inboxes: newInboxes(), open: newRegistry(),
	}
}

// AttendanceChanged publishes, once the transaction of ctx is committed, that an
// attendance of a user was opened, closed or corrected.
func (s *Service) AttendanceChanged(ctx context.Context, companyID, attendanceID, userID int) {
	s.changed(ctx, Event{Field: attendanceChanged, Company: companyID, ID: attendanceID, Users: []int{userID}})
}

// TaskChanged publishes, once the transaction of ctx is committed, that a task was added or
// changed, or the time that is booked on it.
func (s *Service) TaskChanged(ctx context.Context, companyID, taskID int) {
	s.changed(ctx, Event{Field: taskChanged, Company: companyID, ID: taskID})
}

// ReportChanged publishes, once the transaction of ctx is committed, that a report of a user was
// asked for, went on or ended.
func (s *Service) ReportChanged(ctx context.Context, companyID, reportID, userID int) {
	s.changed(ctx, Event{Field: reportChanged, Company: companyID, ID: reportID, Users: []int{userID}})
}

// TicketChanged publishes, once the transaction of ctx is committed, that a ticket of some
// users, its requester, assignee and followers, was added or changed.
func (s *Service) TicketChanged(ctx context.Context, companyID, ticketID int, userIDs ...int) {
	s.changed(ctx, Event{Field: ticketChanged, Company: companyID, ID: ticketID, Users: userIDs})
}

// changed publishes an event after the commit of the transaction of ctx, or at once
// without one. A commit that may have taken place or not counts: the row is read anew,
// so that what is shown is true.
func (s *Service) changed(ctx context.Context, e Event) {
	if s == nil {
		return
	}
	tx := ent.TxFromContext(ctx)
	if tx == nil {
		s.publish(e)
		return
	}
	tx.OnCommit(func(next ent.Committer) ent.Committer {
		return ent.CommitFunc(func(ctx context.Context, tx *ent.Tx) error {
			err := next.Commit(ctx, tx)
			if err == nil || !database.Undone(err) {
				s.publish(e)
			}
			return err
		})
	})
}

// publish hands an event to this instance and to the others. It never waits.
func (s *Service) publish(e Event) {
	if e.Field == inboxChanged { // the others are told when it is sent
		s.inboxes.mark(e.Company, mark{changed: true, ours: true})
		return
	}
	s.enqueue(e)
	s.send(e)
}

// send sends an event to the other instances.
func (s *Service) send(e Event) {
	if text, err := json.Marshal(e); err == nil { // of numbers and a name never fails
		s.Broker.Publish(text)
	}
}

func (s *Service) enqueue(e Event) {
	select {
	case s.queue <- e:
	default:
		s.endAll(Missed)
	}
}

// Run delivers events, and ends connections whose tokens end, until ctx ends.
func (s *Service) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { s.Broker.Run(ctx, s.receive, func() { s.endAll(Missed) }) })
	all.Go(func() { s.watch(ctx) })
	all.Go(func() { s.sendInboxes(ctx) })
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-s.queue:
			s.deliver(ctx, e)
		}
	}
}

// receive takes an event of another instance.
func (s *Service) receive(text []byte) {
	var e Event
	if err := json.Unmarshal(text, &e); err != nil {
		s.Log.Warn("live: another instance sent what is no event", "error", err)
		return
	}
	if e.Field == inboxChanged {
		s.inboxes.mark(e.Company, mark{changed: true})
		return
	}
	s.enqueue(e)
}

// Open returns how many connections are open.
func (s *Service) Open() int { return len(s.open.list(nil)) }

// Delivered returns how many events were handed to connections so far.
func (s *Service) Delivered() uint64 { return s.delivered.Load() }

// Missed returns how many connections were ended so far because they may have missed
// events.
func (s *Service) Missed() uint64 { return s.missed.Load() }

// endAll ends all connections; for Missed, those that listen to something.
func (s *Service) endAll(cause Cause) {
	s.end(cause, s.open.list(func(c *Connection) bool { return cause != Missed || len(c.fields) > 0 }))
}

func (s *Service) end(cause Cause, list []*Connection) {
	for _, c := range list {
		if cause == Missed && !c.missed.Swap(true) {
			s.missed.Add(1)
		}
		c.receiver.End(cause)
	}
}

// Stop refuses new connections, ends all others, and waits until they are closed or ctx
// ends.
func (s *Service) Stop(ctx context.Context) {
	empty := s.open.stop()
	s.endAll(Stopping)
	select {
	case <-empty:
	case <-ctx.Done():
	}
}
