// Package timeentry holds the use cases of time that people book on tasks: timers, entries,
// corrections and weeks.
package timeentry

import (
	"context"
	"slices"
	"time"

	"workforce/ent"
	"workforce/ent/clockstate"
	"workforce/ent/role"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/timeweek"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/approval"
	"workforce/internal/app/audit"
	"workforce/internal/app/notify"
	"workforce/internal/app/scheduling"
	"workforce/internal/booking"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// resource is that of the permissions of time.
const resource = "time"

// forever is the last date of an entry that runs.
const forever = "9998-12-31"

// A Service books time. Its methods are safe for concurrent use.
type Service struct {
	DB     *ent.Client      // in no transaction
	Now    func() time.Time // UTC, to the microsecond
	Desk   *approval.Desk
	Notify *notify.Service
	// NewTask makes a task of the viewer, and returns its id.
	NewTask func(ctx context.Context, in model.SaveTaskInput) (int, error)
	// TaskChanged tells those who listen that the time of a task changed.
	TaskChanged func(ctx context.Context, companyID, taskID int)
}

// A change changes the entries of one person, under the lock of their row. What follows from
// it is collected, and written by finish.
type change struct {
	*Service
	me    *viewer.Viewer
	user  int
	other *ent.User // the person; nil for the viewer
	rules booking.Rules
	now   time.Time // in whole seconds

	zone    string // IANA name, of the person now
	timers  int    // how many ran before
	running []*ent.TimeEntry
	sums    sums

	before, after map[int]ent.Row // what the audit is told: of entries that were not written by ent
}

// begin locks the row of a person's entries, and reads what runs. Clock events and changes of
// the person's shifts take the same lock.
func (s *Service) begin(ctx context.Context, me *viewer.Viewer, userID int, other *ent.User) (*change, error) {
	ctx = viewer.System(ctx)
	if err := scheduling.Lock(ctx, me.CompanyID, []int{userID}); err != nil {
		return nil, err
	}
	c := &change{
		Service: s, me: me, user: userID, other: other, rules: booking.RulesOf(me.Settings),
		now: s.Now().Truncate(time.Second), zone: me.Timezone,
	}
	return c, c.readRunning(ctx)
}

// finish writes what follows from the changes of entries.
func (c *change) finish(ctx context.Context) error {
	ctx = viewer.System(ctx)
	if n := len(c.running); n != c.timers {
		err := ent.FromContext(ctx).ClockState.Update().Where(clockstate.UserID(c.user)).SetTimers(n).Exec(ctx)
		if err != nil {
			return err
		}
	}
	if err := c.sums.write(ctx); err != nil {
		return err
	}
	for _, id := range c.sums.changed() {
		c.TaskChanged(ctx, c.me.CompanyID, id)
	}
	return audit.Changes(ctx, ent.TypeTimeEntry, c.before, c.after)
}

// changeable returns whose entries a person's are: nil for the viewer. NOT_FOUND on a field
// for somebody whose time the viewer does not see, FORBIDDEN where they do not change it, and
// of owners for who is none.
func changeable(ctx context.Context, me *viewer.Viewer, field string, id int) (*ent.User, error) {
	if id == me.Self() {
		return nil, nil
	}
	u, err := ent.FromContext(ctx).User.Query().Where(user.ID(id)).Only(ctx)
	if ent.IsNotFound(err) || err == nil && !me.Reaches(me.Scope(resource, "read"), id, u.BusinessID) {
		return nil, errs.Field(errs.NotFound, field, nil)
	}
	if err != nil {
		return nil, err
	}
	if !me.Reaches(me.Scope(resource, "write"), id, u.BusinessID) {
		return nil, errs.New(errs.Forbidden, nil)
	}
	if me.Owner {
		return u, nil
	}
	owner, err := ent.FromContext(ctx).User.Query().Where(user.ID(id), user.HasRolesWith(role.Builtin(viewer.Owner))).Exist(viewer.System(ctx))
	if err == nil && owner {
		err = errs.New(errs.Forbidden, nil)
	}
	return u, err
}

// open begins a change of an entry that the viewer sees, and reads it under the lock.
func (s *Service) open(ctx context.Context, id int) (*change, *ent.TimeEntry, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, nil, err
	}
	seen, err := ent.FromContext(ctx).TimeEntry.Query().Where(entTimeEntry.ID(id)).Only(ctx)
	if err != nil {
		return nil, nil, err
	}
	other, err := changeable(ctx, me, "id", seen.UserID)
	if err != nil {
		return nil, nil, err
	}
	c, err := s.begin(ctx, me, seen.UserID, other)
	if err != nil {
		return nil, nil, err
	}
	e, err := ent.FromContext(ctx).TimeEntry.Query().Where(entTimeEntry.ID(id)).Only(ctx)
	return c, e, err
}

// today returns the date now in the company's zone, by which locks count.
func (c *change) today() shift.Date { return shift.DateOf(c.now, shift.ZoneNamed(c.me.Timezone)) }

// checkLocks returns CONFLICT with the locked period, on a field unless it is "", where dates
// of a period are locked: by the company, or since their week was submitted.
func (c *change) checkLocks(ctx context.Context, field string, periods ...timesheet.Period) error {
	if err := c.checkPeriods(field, periods...); err != nil {
		return err
	}
	w, err := c.lockedWeek(ctx, periods...)
	if err != nil {
		return err
	}
	return checkWeek(field, w)
}

// checkPeriods returns CONFLICT with the locked period, on a field unless it is "", where the company
// has dates of a period locked.
func (c *change) checkPeriods(field string, periods ...timesheet.Period) error {
	for _, p := range periods {
		if err := approval.CheckLockOf(c.me, resource, c.other, c.today(), field, p.Dates()...); err != nil {
			return err
		}
	}
	return nil
}

// checkWeek returns CONFLICT with a submitted or approved week, on a field unless it is ""; nil
// for none.
func checkWeek(field string, w *ent.TimeWeek) error {
	if w == nil {
		return nil
	}
	meta := errs.Meta{"lockedFrom": w.StartsOn, "lockedUntil": w.EndsOn, "state": string(w.State)}
	return errs.Conflicts(errs.LockedPeriod, field, meta)
}

// lockedWeek returns a submitted or approved week of the person that has a date of one of
// some periods; nil for none.
func (c *change) lockedWeek(ctx context.Context, periods ...timesheet.Period) (*ent.TimeWeek, error) {
	weeks, err := weeksOf(ctx, c, periods)
	for _, w := range weeks {
		if slices.ContainsFunc(periods, periodOf(w).Overlaps) {
			return w, nil
		}
	}
	return nil, err
}

// weeksOf reads the submitted and approved weeks from the first date of some periods to the last.
func weeksOf(ctx context.Context, c *change, periods []timesheet.Period) ([]*ent.TimeWeek, error) {
	if len(periods) == 0 {
		return nil, nil
	}
	first := slices.MinFunc(periods, func(a, b timesheet.Period) int { return a.From.Days(b.From) }).From
	last := slices.MaxFunc(periods, func(a, b timesheet.Period) int { return a.To.Days(b.To) }).To
	return ent.FromContext(ctx).TimeWeek.Query().
		Where(timeweek.UserID(c.user), timeweek.StateNEQ(timeweek.StateRejected), timeweek.StartsOnLTE(string(last)), timeweek.EndsOnGTE(string(first))).
		Order(ent.Asc(timeweek.FieldStartsOn)).Select(timeweek.FieldStartsOn, timeweek.FieldEndsOn, timeweek.FieldState).All(viewer.System(ctx))
}

// periodOf returns the dates of a week.
func periodOf(w *ent.TimeWeek) timesheet.Period {
	return timesheet.Period{From: shift.Date(w.StartsOn), To: shift.Date(w.EndsOn)}
}

// datesOf returns the local dates of an entry; those of a running one are up to now.
func (c *change) datesOf(e *ent.TimeEntry) timesheet.Period {
	p := timesheet.Period{From: shift.Date(e.Date), To: shift.Date(e.LastDate)}
	if p.To == forever {
		p.To = max(p.From, timesheet.DateOf(c.now, shift.ZoneNamed(e.Timezone)))
	}
	return p
}

// SpanOf returns when an entry was worked.
func SpanOf(e *ent.TimeEntry) booking.Span {
	s := booking.Span{ID: e.ID}
	if e.StartedAt != nil {
		s.Start = *e.StartedAt
	}
	if e.EndedAt != nil {
		s.End = *e.EndedAt
	}
	return s
}

// spans returns when entries were worked.
func spans(list []*ent.TimeEntry) []booking.Span {
	out := make([]booking.Span, len(list))
	for i, e := range list {
		out[i] = SpanOf(e)
	}
	return out
}
