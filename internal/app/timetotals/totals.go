// Package timetotals is what people read of booked time: a day's activities, and what the time of a
// period adds up to.
package timetotals

import (
	"context"
	stdsql "database/sql"
	"encoding/json"
	"iter"
	"slices"
	"time"

	"workforce/ent"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/internal/app/policysql"
	"workforce/internal/app/timeentry"
	"workforce/internal/app/worktime"
	"workforce/internal/booking"
	"workforce/internal/errs"
	"workforce/internal/period"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

const (
	maxDays    = 366    // of a period
	maxPeople  = 1000   // that are named
	maxEntries = 10_000 // that are listed
)

// A Service reads booked time. Its methods are safe for concurrent use.
type Service struct {
	Now func() time.Time // UTC, to the microsecond
}

// A Filter says which time is wanted; nil members are everybody whose time the viewer reads,
// everything, and this week.
type Filter struct {
	UserIDs                          []int
	TaskIDs, ProjectIDs, CategoryIDs []int
	From, To                         *period.Bound
}

// A scope is time that the viewer reads: of a period, and of some people or all.
type scope struct {
	Filter
	me     *viewer.Viewer
	period timesheet.Period
	empty  bool // of a period without a date
	now    time.Time
}

// scope returns what a filter selects. VALIDATION_FAILED on from or to; NOT_FOUND on a field for a
// person whose time the viewer does not read.
func (s *Service) scope(ctx context.Context, f Filter, field string) (*scope, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	zone, err := shift.Zone(me.Timezone)
	if err != nil {
		return nil, err
	}
	out := &scope{Filter: f, me: me, now: s.Now().Truncate(time.Second)}
	var faults errs.Faults
	rules := period.Rules{Now: out.now, Zone: zone, FirstWeekday: setting.FirstWeekday.Of(me.Settings), Days: maxDays}
	p := rules.Read(&faults, f.From, f.To)
	if len(f.UserIDs) > maxPeople {
		faults.Add(field, errs.TooMany, errs.Meta{"max": maxPeople})
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	last := p.To.Add(-time.Nanosecond)
	if out.empty = p.From.Equal(p.To); out.empty {
		last = p.From
	}
	out.period = timesheet.Period{From: timesheet.DateOf(p.From, zone), To: timesheet.DateOf(last, zone)}
	return out, readable(ctx, me, field, f.UserIDs)
}

// readable returns NOT_FOUND on a field where the viewer does not read the time of one of some
// people.
func readable(ctx context.Context, me *viewer.Viewer, field string, ids []int) error {
	if !slices.ContainsFunc(ids, func(id int) bool { return id != me.Self() }) {
		return nil
	}
	_, err := worktime.Named(ctx, me, me.Scope("time", "read"), field, ids)
	return err
}

// where adds the conditions of the scope to a query of entries: those that the viewer reads and
// that have a date of the period, or may have one while they run.
func (s *scope) where(q *policysql.Query) {
	q.Add("e.company_id = ? AND e.date <= ? AND e.last_date >= ? AND ", s.me.CompanyID, string(s.period.To), string(s.period.From))
	q.WherePolicy(entTimeEntry.Policy, entTimeEntry.Table, "e")
	for _, of := range []struct {
		column string
		ids    []int
	}{{"e.user_id", s.UserIDs}, {"e.task_id", s.TaskIDs}, {"e.project_id", s.ProjectIDs}, {"e.category_id", s.CategoryIDs}} {
		if of.ids != nil {
			q.Add(" AND ")
			q.In(of.column, of.ids)
		}
	}
}

// columns are what a statement reads for each dimension.
var columns = map[booking.Dimension]string{
	booking.ByUser: "e.user_id", booking.ByProject: "e.project_id", booking.ByCategory: "e.category_id", booking.ByAddress: "e.address_id",
	booking.ByStatus: "t.status", booking.ByTag: "e.tags",
	booking.ByDate: "e.date", booking.ByWeek: "e.date", booking.ByMonth: "e.date", booking.ByYear: "e.date",
}

// add sums the time of the scope by dimensions, in two statements: entries within one date, and
// entries that cross midnight or run, which are split here. Where the view rounds, each entry with
// a start is split.
func (s *scope) add(ctx context.Context, to *booking.Totals, view timesheet.Rounding, by ...booking.Dimension) error {
	if s.empty {
		return nil
	}
	split, err := s.addWhole(ctx, to, view, by)
	if err != nil || view.Minutes == 0 && len(split) == 0 {
		return err
	}
	return s.addSplit(ctx, to, view, by, split)
}

// maxSplit is how many entries are looked up one by one.
const maxSplit = 500

// addWhole adds the entries of one date, and returns the ids of the others. It groups nothing in
// the database, which takes longer for that than to send each entry: most people work on a task
// once a day.
func (s *scope) addWhole(ctx context.Context, to *booking.Totals, view timesheet.Rounding, by []booking.Dimension) (split []int, err error) {
	list := "e.id, e.last_date <> e.date, e.seconds, e.task_id"
	var f booking.Fact
	var id int
	var other bool
	var date, tags stdsql.RawBytes
	into := []any{&id, &other, &f.Seconds, policysql.Optional(&f.Task)}
	if slices.ContainsFunc(by, booking.Dimension.IsTime) {
		list += ", " + columns[booking.ByDate]
		into = append(into, &date)
	}
	for _, d := range by {
		switch d {
		case booking.ByUser:
			into = append(into, policysql.Optional(&f.User))
		case booking.ByProject:
			into = append(into, policysql.Optional(&f.Project))
		case booking.ByCategory:
			into = append(into, policysql.Optional(&f.Category))
		case booking.ByAddress:
			into = append(into, policysql.Optional(&f.Address))
		case booking.ByStatus:
			into = append(into, policysql.Optional(&f.Status))
		case booking.ByTag:
			into = append(into, &tags)
		default: // units of time and tasks are read always
			continue
		}
		list += ", " + columns[d]
	}
	q := policysql.New(ctx)
	q.Add("SELECT " + list + from(by) + " WHERE ")
	if view.Minutes > 0 {
		q.Add("e.started_at IS NULL AND ")
	}
	s.where(q)
	err = q.Each(func(scan policysql.Scan) error {
		f = booking.Fact{}
		if err := scan(into...); err != nil {
			return err
		}
		if other {
			split = append(split, id)
			return nil
		}
		if f.Date = shift.Date(date); len(date) == 0 {
			f.Date = s.period.From // one of the dates, all of which are of the period
		}
		if len(tags) > 0 {
			if err := json.Unmarshal(tags, &f.Tags); err != nil {
				return err
			}
		}
		to.Add(f)
		return nil
	})
	return split, err
}

// from returns the tables that some dimensions need.
func from(by []booking.Dimension) string {
	if slices.Contains(by, booking.ByStatus) {
		return " FROM time_entries e JOIN tasks t ON t.id = e.task_id"
	}
	return " FROM time_entries e"
}

// addSplit adds entries date by date: where the view rounds, all with a start, else those with
// some ids.
func (s *scope) addSplit(ctx context.Context, to *booking.Totals, view timesheet.Rounding, by []booking.Dimension, ids []int) error {
	q := policysql.New(ctx)
	status := "''"
	if slices.Contains(by, booking.ByStatus) {
		status = columns[booking.ByStatus]
	}
	q.Add("SELECT e.user_id, e.task_id, e.project_id, e.category_id, e.address_id, " + status + ", e.tags, e.started_at, e.ended_at, e.timezone" +
		from(by) + " WHERE e.started_at IS NOT NULL AND ")
	if view.Minutes == 0 {
		q.Add("e.last_date <> e.date AND ")
	}
	if view.Minutes == 0 && len(ids) <= maxSplit {
		q.In("e.id", ids)
		q.Add(" AND ")
	}
	s.where(q)
	var f booking.Fact
	var tags, zone stdsql.RawBytes
	var span booking.Span
	into := []any{
		policysql.Optional(&f.User), policysql.Optional(&f.Task), policysql.Optional(&f.Project), policysql.Optional(&f.Category), policysql.Optional(&f.Address),
		policysql.Optional(&f.Status), &tags, policysql.Optional(&span.Start), policysql.Optional(&span.End), &zone,
	}
	return q.Each(func(scan policysql.Scan) error {
		f, span = booking.Fact{}, booking.Span{}
		if err := scan(into...); err != nil {
			return err
		}
		if len(tags) > 0 {
			if err := json.Unmarshal(tags, &f.Tags); err != nil {
				return err
			}
		}
		for f.Date, f.Seconds = range span.Days(shift.ZoneNamed(string(zone)), view, s.now) {
			to.Add(f)
		}
		return nil
	})
}

// parts yields the seconds of an entry by local date. One without an interval or length has its
// date.
func parts(e *ent.TimeEntry, now time.Time) iter.Seq2[shift.Date, int] {
	return func(yield func(shift.Date, int) bool) {
		if e.StartedAt == nil {
			yield(shift.Date(e.Date), e.Seconds)
			return
		}
		any := false
		for d, n := range timeentry.SpanOf(e).Days(shift.ZoneNamed(e.Timezone), timesheet.Rounding{}, now) {
			if any = true; !yield(d, n) {
				return
			}
		}
		if !any {
			yield(shift.Date(e.Date), 0)
		}
	}
}

// Days returns the seconds that a person booked on the dates of a period, those that the viewer
// reads.
func (s *Service) Days(ctx context.Context, me *viewer.Viewer, userID int, p timesheet.Period) (map[shift.Date]int, error) {
	of := &scope{Filter: Filter{UserIDs: []int{userID}}, me: me, period: p, now: s.Now().Truncate(time.Second)}
	sums := booking.NewTotals(p, 1, false, booking.ByDate)
	if err := of.add(ctx, sums, timesheet.Rounding{}, booking.ByDate); err != nil {
		return nil, err
	}
	days := map[shift.Date]int{}
	for _, g := range sums.Groups {
		days[shift.Date(g.Key)] = g.Seconds
	}
	return days, nil
}
