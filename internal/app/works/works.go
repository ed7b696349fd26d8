// Package works reads what people were to work, with what they worked and what frees them
// from it, in a number of statements that does not grow with them. Screens, the stored
// results of days and rules that close attendances all have it from here.
package works

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
)

// A Work is an occurrence with what was clocked for it, by clock-in, and its result if it has
// one that is not outdated.
type Work struct {
	timesheet.Record
	ID       int
	site     int // the address of the first entry; 0 without entries
	fallback bool
}

// A Who is what is read of somebody: an entity has ten times as much.
type Who struct {
	ID             int
	Name           string
	Image          string
	Active         bool
	JoinedOn       *string `sql:"joined_on"` // first local date of work; nil for none
	LeftOn         *string `sql:"left_on"`   // last local date of work; nil for none
	SortName       string  `sql:"sort_name"`
	EmployeeNumber *string `sql:"employee_number"`
}

// WhoOf returns what is read of a user.
func WhoOf(u *ent.User) Who {
	return Who{ID: u.ID, Name: u.Name, Image: u.Image, Active: u.Active, JoinedOn: u.JoinedOn, LeftOn: u.LeftOn, SortName: u.SortName, EmployeeNumber: u.EmployeeNumber}
}

// A Person is somebody with what they were to work, by start, and worked.
type Person struct {
	Who
	Works  []Work
	bounds timesheet.Bounds
	off    *dayoff.Table
}

// Off returns what frees the person from the work of a date: where they worked last until
// then.
func (p *Person) Off(d shift.Date) timesheet.Off { return p.offAt(d, p.site(d), time.UTC) }

func (p *Person) offAt(d shift.Date, site int, zone *time.Location) timesheet.Off {
	off := p.off.Of(p.ID, d, site, zone)
	off.NotEmployed = !p.bounds.Contain(d)
	return off
}

// site returns the address of the person's last attendance until a date; 0 for none.
func (p *Person) site(d shift.Date) int {
	site := p.off.Site(p.ID)
	if !p.off.Local() {
		return site
	}
	for i := range p.Works {
		w := &p.Works[i]
		if w.Date > d {
			break
		}
		site = cmp.Or(w.site, site)
	}
	return site
}

// OffOf returns what frees the person from a work: by the address where it was worked, else
// by that of the last attendance until then. Nobody is expected on a date on which they are
// not employed, nor for a fallback shift on a date on which another shift was worked.
func (p *Person) OffOf(w *Work) timesheet.Off {
	site := w.site
	if site == 0 {
		site = p.site(w.Date)
	}
	off := p.offAt(w.Date, site, w.Zone)
	off.NotEmployed = off.NotEmployed || p.replaced(w)
	return off
}

// Expected appends the works of the person, each with what frees them from it, without those
// that nobody expects and that were not worked.
func (p *Person) Expected(to []timesheet.Record) []timesheet.Record {
	for i := range p.Works {
		w := &p.Works[i]
		w.Off = p.OffOf(w)
		if !w.Off.NotEmployed || len(w.Entries) > 0 || w.Stored != nil {
			to = append(to, w.Record)
		}
	}
	return to
}

// replaced reports whether an occurrence is of a fallback shift, which counts only where no
// other shift of the date was worked.
func (p *Person) replaced(w *Work) bool {
	return w.fallback && slices.ContainsFunc(p.Works, func(other Work) bool {
		return other.Date == w.Date && !other.fallback && len(other.Entries) > 0
	})
}

// Read returns people of a company, whom the caller may read, with what they were to work in
// a period, and what frees them from work, in three statements.
func Read(ctx context.Context, company dayoff.Company, users []Who, p timesheet.Period) ([]*Person, error) {
	people, ids, byID := make([]*Person, len(users)), make([]int, len(users)), make(map[int]*Person, len(users))
	all := make([]Person, len(users))
	for i, u := range users {
		all[i] = Person{Who: u, bounds: timesheet.Bounds{Inactive: !u.Active}}
		ids[i], people[i] = u.ID, &all[i]
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
	off, err := dayoff.Read(ctx, company, ids, p)
	if err != nil {
		return nil, err
	}
	if err := readWorks(ctx, company.ID, ids, p, byID); err != nil {
		return nil, err
	}
	for _, person := range people {
		person.off = off
		slices.SortStableFunc(person.Works, func(a, b Work) int { return cmp.Or(a.Start.Compare(b.Start), a.ID-b.ID) })
	}
	return people, nil
}

// readWorks adds their works to people. An occurrence has a row for each of its
// attendances, and these follow one another.
func readWorks(ctx context.Context, company int, ids []int, p timesheet.Period, people map[int]*Person) error {
	var r row
	seen, known := map[string]*terms{}, dateNames{}
	var last *Work
	var block []Work // of several people
	err := worksQuery(ctx, company, ids, p).Each(func(scan rows.Scan) error {
		r.reset()
		if err := scan(r.into()...); err != nil {
			return err
		}
		if last == nil || last.ID != r.id {
			t, err := termsOf(seen, r.terms)
			if err != nil {
				return err
			}
			of := people[r.user]
			if of.Works == nil {
				usual := (p.To.Days(p.From)+1)*3/4 + 1 // few work on more than five days a week
				if len(block) < usual {
					block = make([]Work, max(usual, 64))
				}
				of.Works, block = block[:0:usual], block[usual:]
			}
			of.Works = append(of.Works, r.work(t, known.of(r.date)))
			last = &of.Works[len(of.Works)-1]
		}
		if !r.in.IsZero() {
			last.add(r)
		}
		return nil
	})
	return err
}

// add adds the attendance of a row in its place.
func (w *Work) add(r row) {
	at := len(w.Entries)
	for at > 0 && r.in.Before(w.Entries[at-1].In) {
		at--
	}
	if at == 0 {
		w.site = r.site
	}
	w.Entries = slices.Insert(w.Entries, at, timesheet.Entry{In: r.in, Out: r.out, NeedsConfirmation: r.unconfirmed})
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
func (r *row) work(t *terms, d shift.Date) Work {
	o := timesheet.Occurrence{
		Date: d, Zone: t.zone, Start: r.start, End: r.end, Until: r.until, Breaks: t.breaksOn(d, r.start, r.end),
		BreakMinutes: t.breakMinutes, BreakAfterMinutes: t.breakAfter,
		LateGrace: t.late, EarlyGrace: t.early, HalfDayBelow: t.halfDay, AbsentBelow: t.absent,
	}
	w := Work{Record: timesheet.Record{Work: timesheet.Work{Occurrence: o}}, ID: r.id, fallback: t.fallback}
	if r.status != nil {
		w.Stored = &timesheet.Assessment{
			Status: statusOf(r.status), Off: r.off, Late: r.late * time.Second, Early: r.early * time.Second, Expected: r.expected * time.Second,
		}
	}
	return w
}

// worksQuery is the statement of readWorks: the occurrences of people, each with its
// attendances. What an occurrence copied of its
// shift is one column, which few thousand rows share.
func worksQuery(ctx context.Context, company int, ids []int, p timesheet.Period) *rows.Query {
	q := rows.New(ctx)
	q.Add(selectWorks, company, string(p.From), string(p.To))
	q.In("o.user_id", ids)
	return q
}

var selectWorks = `SELECT o.user_id, o.id, o.date, o.start_at, o.end_at, o.clock_in_until, CONCAT_WS('|', o.origin, COALESCE(o.late_grace_minutes, -1),
  COALESCE(o.early_grace_minutes, -1), o.half_day_below_minutes, o.absent_below_minutes, o.break_minutes, o.break_after_minutes, o.timezone,
  COALESCE(o.breaks, '')), a.clocked_in_at, a.clocked_out_at, a.needs_confirmation, a.address_id,
  r.status, r.off, r.late_seconds, r.early_seconds, r.expected_seconds
FROM employee_shifts o LEFT JOIN attendances a ON a.user_id = o.user_id AND a.employee_shift_id = o.id
  LEFT JOIN shift_results r ON r.employee_shift_id = o.id AND o.evaluated_at IS NOT NULL
WHERE o.company_id = ? AND o.date BETWEEN ? AND ? AND `

var statuses = timesheet.Statuses()

// statusOf returns the status that a text names.
func statusOf(text []byte) timesheet.Status {
	for _, s := range statuses {
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
