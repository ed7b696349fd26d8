package sheets

import (
	"cmp"
	"context"
	stdsql "database/sql"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/internal/app/dayoff"
	"workforce/internal/app/plan"
	"workforce/internal/app/rows"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A work is an occurrence with what was clocked for it, and the address of its first entry.
type work struct {
	timesheet.Record
	id       int
	site     int // 0 without entries
	fallback bool
}

// A person is somebody with what they were to work, by start, and worked.
type person struct {
	*ent.User
	works  []work
	bounds timesheet.Bounds
	off    *dayoff.Table
}

// Off returns what frees the person from the work of a date: where they worked last until
// then.
func (p *person) Off(d shift.Date) timesheet.Off { return p.offAt(d, p.site(d), time.UTC) }

func (p *person) offAt(d shift.Date, site int, zone *time.Location) timesheet.Off {
	off := p.off.Of(p.ID, d, site, zone)
	off.NotEmployed = !p.bounds.Contain(d)
	return off
}

// site returns the address of the person's last attendance until a date; 0 for none.
func (p *person) site(d shift.Date) int {
	site := p.off.Site(p.ID)
	if !p.off.Local() {
		return site
	}
	for i := range p.works {
		w := &p.works[i]
		if w.Date > d {
			break
		}
		site = cmp.Or(w.site, site)
	}
	return site
}

// expected returns the works of the person, each with what frees them from it: by the
// address where it was worked, else by that of the last attendance until then. Those that
// nobody expects and that were not worked are left out: of dates on which the person is not
// employed, and of a fallback shift on a date on which another shift was worked.
func (p *person) expected() []timesheet.Record {
	out := make([]timesheet.Record, 0, len(p.works))
	for i := range p.works {
		w := &p.works[i]
		if len(w.Entries) == 0 && w.Stored == nil && (!p.bounds.Contain(w.Date) || p.replaced(w)) {
			continue
		}
		site := w.site
		if site == 0 {
			site = p.site(w.Date)
		}
		w.Off = p.offAt(w.Date, site, w.Zone)
		out = append(out, w.Record)
	}
	return out
}

// replaced reports whether an occurrence is of a fallback shift, which counts only where no
// other shift of the date was worked.
func (p *person) replaced(w *work) bool {
	return w.fallback && slices.ContainsFunc(p.works, func(other work) bool {
		return other.Date == w.Date && !other.fallback && len(other.Entries) > 0
	})
}

// read returns people with what they were to work from a date until another, and what frees
// them from work, in three statements.
func read(ctx context.Context, me *viewer.Viewer, users []*ent.User, p timesheet.Period) ([]*person, error) {
	people, ids, byID := make([]*person, len(users)), make([]int, len(users)), make(map[int]*person, len(users))
	for i, u := range users {
		ids[i], people[i] = u.ID, &person{User: u, bounds: timesheet.Bounds{Inactive: !u.Active}}
		byID[u.ID] = people[i]
		if u.JoinedOn != nil {
			people[i].bounds.Joined = shift.Date(*u.JoinedOn)
		}
		if u.LeftOn != nil {
			people[i].bounds.Left = shift.Date(*u.LeftOn)
		}
	}
	if len(users) == 0 {
		return people, nil
	}
	off, err := dayoff.Read(ctx, dayoff.Company{ID: me.CompanyID, Settings: me.Settings}, ids, p)
	if err != nil {
		return nil, err
	}
	if err := readWorks(ctx, me, ids, p, byID); err != nil {
		return nil, err
	}
	for _, person := range people {
		person.off = off
		slices.SortStableFunc(person.works, func(a, b work) int { return cmp.Or(a.Start.Compare(b.Start), a.id-b.id) })
	}
	return people, nil
}

// readWorks adds their works to people. An occurrence has a row for each of its
// attendances, and these follow one another.
func readWorks(ctx context.Context, me *viewer.Viewer, ids []int, p timesheet.Period, people map[int]*person) error {
	var r row
	seen, known := map[string]*terms{}, dateNames{}
	var last *work
	err := worksQuery(ctx, me, ids, p).Each(func(scan rows.Scan) error {
		r.reset()
		if err := scan(r.into()...); err != nil {
			return err
		}
		if last == nil || last.id != r.id {
			t, err := termsOf(seen, r.terms)
			if err != nil {
				return err
			}
			of := people[r.user]
			if of.works == nil {
				of.works = make([]work, 0, p.To.Days(p.From)+1)
			}
			of.works = append(of.works, r.work(t, known.of(r.date)))
			last = &of.works[len(of.works)-1]
		}
		if !r.in.IsZero() {
			last.add(r)
		}
		return nil
	})
	return err
}

// add adds the attendance of a row.
func (w *work) add(r row) {
	first := len(w.Entries) == 0 || r.in.Before(w.Entries[0].In)
	if first {
		w.site = r.site
	}
	w.Entries = append(w.Entries, timesheet.Entry{In: r.in, Out: r.out, NeedsConfirmation: r.unconfirmed})
	if last := len(w.Entries) - 1; first && last > 0 {
		w.Entries[0], w.Entries[last] = w.Entries[last], w.Entries[0]
	}
}

// A row is one of the statement of readWorks.
type row struct {
	user, id          int
	date, terms       stdsql.RawBytes
	start, end, until time.Time
	in, out           time.Time // zero for no attendance, and an open one
	unconfirmed       bool
	site              int

	status                stdsql.RawBytes // what was stored; nil for nothing
	off                   bool
	late, early, expected time.Duration // seconds

	all []any // the destinations
}

// reset makes the row one without an attendance.
func (r *row) reset() { r.in, r.out, r.unconfirmed, r.site = time.Time{}, time.Time{}, false, 0 }

func (r *row) into() []any {
	if r.all == nil {
		r.all = []any{
			rows.Optional(&r.user), rows.Optional(&r.id), &r.date, rows.Optional(&r.start), rows.Optional(&r.end), rows.Optional(&r.until), &r.terms,
			rows.Optional(&r.in), rows.Optional(&r.out), rows.Optional(&r.unconfirmed), rows.Optional(&r.site),
			&r.status, rows.Optional(&r.off), rows.Optional((*int64)(&r.late)), rows.Optional((*int64)(&r.early)), rows.Optional((*int64)(&r.expected)),
		}
	}
	return r.all
}

// work returns the occurrence of the row.
func (r *row) work(t *terms, d shift.Date) work {
	o := timesheet.Occurrence{
		Date: d, Zone: t.zone, Start: r.start, End: r.end, Until: r.until, Breaks: t.breaksOn(d, r.start, r.end),
		BreakMinutes: t.breakMinutes, BreakAfterMinutes: t.breakAfter,
		LateGrace: t.late, EarlyGrace: t.early, HalfDayBelow: t.halfDay, AbsentBelow: t.absent,
	}
	w := work{Record: timesheet.Record{Work: timesheet.Work{Occurrence: o}}, id: r.id, fallback: t.fallback}
	if r.status != nil {
		w.Stored = &timesheet.Assessment{
			Status: statusOf(r.status), Off: r.off, Late: r.late * time.Second, Early: r.early * time.Second, Expected: r.expected * time.Second,
		}
	}
	return w
}

// worksQuery is the statement of readWorks: the occurrences of people, who were selected
// within the viewer's scope, each with its attendances. What an occurrence copied of its
// shift is one column, which few thousand rows share.
func worksQuery(ctx context.Context, me *viewer.Viewer, ids []int, p timesheet.Period) *rows.Query {
	q := rows.New(ctx)
	q.Add(`SELECT o.user_id, o.id, o.date, o.start_at, o.end_at, o.clock_in_until, CONCAT_WS('|', o.origin, COALESCE(o.late_grace_minutes, -1),
  COALESCE(o.early_grace_minutes, -1), o.half_day_below_minutes, o.absent_below_minutes, o.break_minutes, o.break_after_minutes, o.timezone,
  COALESCE(o.breaks, '')), a.clocked_in_at, a.clocked_out_at, a.needs_confirmation, a.address_id,
  r.status, r.off, r.late_seconds, r.early_seconds, r.expected_seconds
FROM employee_shifts o LEFT JOIN attendances a ON a.user_id = o.user_id AND a.employee_shift_id = o.id
  LEFT JOIN shift_results r ON r.employee_shift_id = o.id AND o.evaluated_at IS NOT NULL
WHERE o.company_id = ? AND o.date BETWEEN ? AND ? AND `, me.CompanyID, string(p.From), string(p.To))
	q.In("o.user_id", ids)
	return q
}

// statusOf returns the status that a text names.
func statusOf(text []byte) timesheet.Status {
	for _, s := range timesheet.Statuses() {
		if string(s) == string(text) {
			return s
		}
	}
	return timesheet.NoStatus
}

// The terms of an occurrence are what it copied of its shift, besides its times.
type terms struct {
	zone                     *time.Location
	breaks                   []shift.Break
	spans                    [][2]int // of the breaks, in minutes of wall time
	breakMinutes, breakAfter int
	fallback                 bool // a fallback shift planned it
	late, early              *int
	halfDay, absent          int
}

// termsOf returns the terms that a text of the statement holds.
func termsOf(seen map[string]*terms, text []byte) (*terms, error) {
	if t := seen[string(text)]; t != nil {
		return t, nil
	}
	part := strings.SplitN(string(text), "|", 9)
	number := func(i int) int {
		n, _ := strconv.Atoi(part[i]) // a column of numbers
		return n
	}
	grace := func(i int) *int {
		if n := number(i); n >= 0 {
			return &n
		}
		return nil
	}
	t := &terms{
		fallback: part[0] == string(employeeshift.OriginFallback), late: grace(1), early: grace(2), halfDay: number(3), absent: number(4),
		breakMinutes: number(5), breakAfter: number(6), zone: shift.ZoneNamed(part[7]),
	}
	if part[8] != "" {
		var stored []string
		if err := json.Unmarshal([]byte(part[8]), &stored); err != nil {
			return nil, err
		}
		t.breaks = plan.Breaks(stored)
	}
	for _, b := range t.breaks {
		t.spans = append(t.spans, [2]int{b.Start.Minutes(), b.End.Minutes()})
	}
	seen[string(text)] = t
	return t, nil
}

// breaksOn returns the breaks of an occurrence.
func (t *terms) breaksOn(d shift.Date, start, end time.Time) []shift.Interval {
	if len(t.breaks) == 0 {
		return nil
	}
	first, last := start.In(t.zone), end.In(t.zone)
	_, before := first.Zone()
	if _, after := last.Zone(); before != after { // the clocks change meanwhile
		clock := func(at time.Time) shift.Clock { return shift.Clock(at.Format("15:04")) }
		return shift.Shift{Start: clock(first), End: clock(last), Zone: t.zone, Breaks: t.breaks}.BreaksOn(d)
	}
	const day = 24 * 60
	begin := first.Hour()*60 + first.Minute()
	after := func(minute int) time.Time { return start.Add(time.Duration((minute-begin+day)%day) * time.Minute) }
	out := make([]shift.Interval, len(t.spans))
	for i, b := range t.spans {
		out[i] = shift.Interval{Start: after(b[0]), End: after(b[1])}
	}
	return out
}

// dateNames keeps each date once.
type dateNames map[string]shift.Date

func (n dateNames) of(text []byte) shift.Date {
	d, ok := n[string(text)]
	if !ok {
		d = shift.Date(text)
		n[string(d)] = d
	}
	return d
}
