package timeentry

import (
	"context"
	"strconv"
	"time"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/booking"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// Start starts a timer of the viewer now, and returns it.
func (s *Service) Start(ctx context.Context, in model.StartTimerInput) (*ent.TimeEntry, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	var faults errs.Faults
	w, d := readCreateInput(&faults, model.CreateTimeEntryInput{
		TaskID: in.TaskID, Title: in.Title, ProjectID: in.ProjectID, CategoryID: in.CategoryID, Note: in.Note, Tags: in.Tags,
		Latitude: in.Latitude, Longitude: in.Longitude,
	})
	if err := faults.Err(); err != nil {
		return nil, err
	}
	c, err := s.begin(ctx, me, me.UserID, nil)
	if err != nil {
		return nil, err
	}
	d.start = &c.now
	return c.book(ctx, w, d)
}

// Restart starts a timer of the viewer on what one of their entries is booked on: with its note
// and tags where all is copied.
func (s *Service) Restart(ctx context.Context, id int, in *model.RestartTimerInput) (*ent.TimeEntry, error) {
	c, e, err := s.open(ctx, id)
	if err != nil {
		return nil, err
	}
	if c.other != nil { // nobody runs a timer for others
		return nil, errs.New(errs.Forbidden, nil)
	}
	if in == nil {
		in = &model.RestartTimerInput{}
	}
	d := draft{start: &c.now}
	if at := in.StartAt.Value(); at != nil {
		d.start = whole(at)
	}
	if input.Value(in.CopyAll.Value()) {
		d.note, d.tags = input.Value(e.Note), e.Tags
	}
	var faults errs.Faults
	c.checkTimes(&faults, d.start, nil)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return c.book(ctx, work{taskID: &e.TaskID, projectID: e.ProjectID, categoryID: e.CategoryID}, d)
}

// Stop stops a timer that the viewer changes, or the latest that they run, and returns its
// id; already is set for one that was stopped before, or never ran.
func (s *Service) Stop(ctx context.Context, id *int) (stopped int, already bool, err error) {
	if id == nil {
		stopped, err = s.stopLatest(ctx)
		return stopped, false, err
	}
	c, e, err := s.open(ctx, *id)
	if err != nil || e.Slot == nil {
		return *id, err == nil, err
	}
	if err := c.end(ctx, e, c.now); err != nil {
		return 0, false, err
	}
	return e.ID, false, c.finish(ctx)
}

func (s *Service) stopLatest(ctx context.Context) (int, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return 0, err
	}
	c, err := s.begin(ctx, me, me.UserID, nil)
	if err != nil {
		return 0, err
	}
	if len(c.running) == 0 {
		return 0, errs.New(errs.NoRunningTimer, nil)
	}
	e := c.running[len(c.running)-1]
	if err := c.end(ctx, e, c.now); err != nil {
		return 0, err
	}
	return e.ID, c.finish(ctx)
}

// StopAll stops the timers that the viewer runs, as they clock out at an instant. Those that
// began later go on. The caller holds the lock of the person's row.
func (s *Service) StopAll(ctx context.Context, me *viewer.Viewer, at time.Time) error {
	c := &change{Service: s, me: me, user: me.UserID, rules: booking.RulesOf(me.Settings), now: s.Now().Truncate(time.Second)}
	if err := c.readRunning(ctx); err != nil {
		return err
	}
	at = at.Truncate(time.Second)
	for _, e := range c.running {
		if !e.StartedAt.After(at) {
			if err := c.end(ctx, e, at); err != nil {
				return err
			}
		}
	}
	return c.finish(ctx)
}

// end stops a running entry at an instant, whatever its length.
func (c *change) end(ctx context.Context, e *ent.TimeEntry, at time.Time) error {
	if at.Before(*e.StartedAt) {
		at = *e.StartedAt
	}
	c.drop(e)
	c.sums.add(e, -1)
	before := *e
	e.EndedAt, e.Slot = &at, nil
	e.Seconds = SpanOf(e).Seconds(at)
	e.LastDate = string(lastDate(*e.StartedAt, &at, e.Timezone))
	if e.LongAt == nil && c.rules.Long(SpanOf(e), at) {
		e.LongAt = &c.now
	}
	c.sums.add(e, 1)
	c.audited(&before, e)
	return writeEnd(ctx, e, c.now)
}

// drop takes an entry from those that run.
func (c *change) drop(e *ent.TimeEntry) {
	kept := make([]*ent.TimeEntry, 0, len(c.running))
	for _, r := range c.running {
		if r.ID != e.ID {
			kept = append(kept, r)
		}
	}
	c.running = kept
}

// makeRoom stops the oldest running timers so that another may begin at an instant, and
// returns its slot: CONFLICT with what runs where the company has nothing stopped.
func (c *change) makeRoom(ctx context.Context, begun time.Time) (int, error) {
	excess, ok := c.rules.Exceeding(spans(c.running))
	if !ok {
		oldest := c.running[0]
		return 0, errs.Conflicts(errs.TimerRunning, "", errs.Meta{
			"runningTimer": strconv.Itoa(oldest.ID), "since": errs.Time{Time: oldest.StartedAt.In(shift.ZoneNamed(oldest.Timezone))},
		})
	}
	for _, s := range excess {
		if err := c.end(ctx, c.running[0], booking.StoppedAt(s, begun, c.now)); err != nil {
			return 0, err
		}
	}
	taken := map[int]bool{}
	for _, e := range c.running {
		taken[*e.Slot] = true
	}
	slot := 1
	for taken[slot] {
		slot++
	}
	return slot, nil
}

// lastDate returns the local date of the last second of an entry.
func lastDate(start time.Time, end *time.Time, zone string) shift.Date {
	switch {
	case end == nil:
		return forever
	case end.After(start):
		return timesheet.DateOf(end.Add(-time.Second), shift.ZoneNamed(zone))
	}
	return timesheet.DateOf(start, shift.ZoneNamed(zone))
}

// whole returns an instant in whole seconds; nil for nil.
func whole(at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	return new(at.UTC().Truncate(time.Second))
}
