package live

import (
	"context"
	"fmt"
	"sync"
	"time"

	entgo "entgo.io/ent"

	"workforce/ent"
	"workforce/internal/app/auth/credential"
	"workforce/internal/audittrail"
	"workforce/internal/viewer"
)

// inboxChanged is the field of Subscription that shows how much waits for somebody.
const inboxChanged = "inboxChanged"

// inboxPause is how long changes of what waits are gathered before they are sent as one.
const inboxPause = 300 * time.Millisecond

// An Inbox counts what waits for the viewer of ctx. decides is false for those for whom hardly
// anything ever does.
type Inbox func(ctx context.Context) (count any, decides bool, err error)

// inboxes gathers the companies in which what waits may have changed.
type inboxes struct {
	mu     sync.Mutex
	marked map[int]mark // by company; 0 is all of them
	wake   chan struct{}
}

// A mark says what happened in a company.
type mark struct {
	changed bool // something came or went; else somebody began to listen
	ours    bool // in this process: the others are to be told
}

func newInboxes() *inboxes { return &inboxes{marked: map[int]mark{}, wake: make(chan struct{}, 1)} }

// mark notes a company.
func (i *inboxes) mark(company int, m mark) {
	i.mu.Lock()
	known := i.marked[company]
	i.marked[company] = mark{known.changed || m.changed, known.ours || m.ours}
	i.mu.Unlock()
	select {
	case i.wake <- struct{}{}:
	default:
	}
}

// take returns what was marked, and forgets it.
func (i *inboxes) take() map[int]mark {
	i.mu.Lock()
	defer i.mu.Unlock()
	all := i.marked
	i.marked = map[int]mark{}
	return all
}

// InboxChanged publishes, once the transaction of ctx is committed, that something came or went
// that waits for a decision of somebody of a company; 0 is any.
func (s *Service) InboxChanged(ctx context.Context, companyID int) {
	s.changed(ctx, Event{Field: inboxChanged, Company: companyID})
}

// WatchInbox publishes that what waits has changed whenever rows of DB that wait are changed
// through ent.
func (s *Service) WatchInbox() {
	hook := func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			v, err := next.Mutate(ctx, m)
			if v != 0 && err == nil && waits(m) { // 0 rows are none
				s.InboxChanged(ctx, companyOf(ctx, m))
			}
			return v, err
		})
	}
	for _, c := range []interface{ Use(...ent.Hook) }{
		s.DB.Attendance, s.DB.Correction, s.DB.Leave, s.DB.OvertimeApproval,
		s.DB.TimeWeek, s.DB.ShiftSwap, s.DB.DeviceApproval, s.DB.FaceReset,
	} {
		c.Use(hook)
	}
}

// waits reports whether a mutation changes what waits: of attendances that of their reviews does.
func waits(m ent.Mutation) bool {
	if m.Type() != ent.TypeAttendance || m.Op().Is(entgo.OpDelete|entgo.OpDeleteOne) {
		return true
	}
	for _, column := range []string{"clocked_in_review", "clocked_out_review"} {
		if v, set := m.Field(column); set && (fmt.Sprint(v) == "pending" || !m.Op().Is(entgo.OpCreate)) {
			return true
		}
	}
	return false
}

// companyOf returns the company whose rows a mutation changes; 0 for a job's, which may be any.
func companyOf(ctx context.Context, m ent.Mutation) int {
	if id, set := m.Field("company_id"); set {
		return id.(int)
	}
	trail, _ := audittrail.From(ctx)
	return trail.CompanyID
}

// sendInboxes sends what changed, all changes of a while as one, until ctx ends.
func (s *Service) sendInboxes(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.inboxes.wake:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(inboxPause):
		}
		all := s.inboxes.take()
		for company, m := range all {
			if m.ours {
				s.send(Event{Field: inboxChanged, Company: company})
			}
			if _, twice := all[0]; company == 0 || !twice {
				s.sendInbox(ctx, company, m.changed)
			}
		}
	}
}

// sendInbox sends those of a company who listen what waits for them, unless it is what they were
// sent last. Whatever fails, they are told that they may have missed something.
func (s *Service) sendInbox(ctx context.Context, company int, changed bool) {
	list := s.open.listeners(company, inboxChanged)
	if len(list) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(viewer.System(ent.NewContext(ctx, s.DB)), deliverTime)
	defer cancel()
	var valid []*Connection
	err := again(ctx, func() (err error) {
		valid, err = s.identify(ctx, list, false)
		return err
	})
	if err != nil {
		s.lost(ctx, Event{Field: inboxChanged, Company: company}, list, err)
		return
	}
	people := map[int][]*Connection{}
	for _, c := range valid {
		id := c.holder.Load().Viewer.UserID
		people[id] = append(people[id], c)
	}
	for _, own := range people {
		if err := again(ctx, func() error { return s.sendPerson(ctx, own, changed) }); err != nil {
			s.lost(ctx, Event{Field: inboxChanged, Company: company}, own, err)
		}
	}
}

// sendPerson sends the connections of one person what waits for them.
func (s *Service) sendPerson(ctx context.Context, own []*Connection, changed bool) error {
	me := own[0].holder.Load().Viewer
	count, decides, err := s.Inbox(viewer.NewContext(ctx, &me))
	if err != nil {
		return err
	}
	for _, c := range own {
		text := fmt.Sprintf("%+v", count)
		last := c.inbox.Swap(&text)
		news := last == nil && changed && decides || last != nil && *last != text
		if who := c.Who(); news && who.Reason == credential.Valid {
			c.receiver.Deliver(Delivery{inboxChanged, count, who})
			s.delivered.Add(1)
		}
	}
	return nil
}
