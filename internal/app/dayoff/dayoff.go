// Package dayoff says what frees people from the work of a date: holidays, weekly offs and
// approved leave. Every timesheet.Off of the server is built here.
package dayoff

import (
	"context"
	"time"

	"workforce/ent/address"
	"workforce/ent/holiday"
	"workforce/internal/app/leaves"
	"workforce/internal/app/rows"
	"workforce/internal/calendar"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timeoff"
	"workforce/internal/timesheet"
)

// A Table says what frees people of one company from the work of some dates. It is for one
// goroutine.
type Table struct {
	first    shift.Date
	calendar calendar.Calendar // without holidays
	offs     map[int][]int     // weekly offs of the addresses that have their own
	holidays map[shift.Date][]Holiday
	local    bool // some address has days off of its own
	sites    map[int]int
	leave    map[int][]timeoff.Leave // approved, of each person
	known    map[int][]timesheet.Off // by address, from the first date on
}

// A Holiday is a holiday of the company, or of one of its addresses.
type Holiday struct {
	Date  shift.Date
	Place int // the address; 0 for the whole company
	Half  bool
}

// New returns a table for dates from the first on, of a company with weekly offs, by ISO.
func New(first shift.Date, weeklyOffs []int) *Table {
	return &Table{
		first: first, calendar: calendar.Calendar{WeeklyOffs: weeklyOffs}, offs: map[int][]int{}, sites: map[int]int{},
		leave: map[int][]timeoff.Leave{}, known: map[int][]timesheet.Off{},
	}
}

// Add adds a holiday. All are added before the first use.
func (t *Table) Add(h Holiday) {
	if t.holidays == nil {
		t.holidays = map[shift.Date][]Holiday{}
	}
	t.holidays[h.Date] = append(t.holidays[h.Date], h)
	t.local = t.local || h.Place != 0
}

// Leave has approved leave of somebody count, in the place of what counted before.
func (t *Table) Leave(user int, approved []timeoff.Leave) { t.leave[user] = approved }

// Approved returns the leave of somebody that counts.
func (t *Table) Approved(user int) []timeoff.Leave { return t.leave[user] }

// Site returns the address where somebody worked last before the first date, else the one
// address of their business; 0 where it is unknown, or where no address has days off of its own.
func (t *Table) Site(user int) int { return t.sites[user] }

// Local reports whether it matters where somebody works.
func (t *Table) Local() bool { return t.local }

// Of returns what frees a person from the work of a date, with the hours of leave in a
// zone. They work at an address, or nobody knows where for 0.
func (t *Table) Of(user int, d shift.Date, site int, zone *time.Location) timesheet.Off {
	off := t.On(d, site)
	timeoff.Free(&off, t.leave[user], d, zone)
	return off
}

// On returns what frees those who work at an address, or nobody knows where for 0, from the
// work of a date, leave left out.
func (t *Table) On(d shift.Date, site int) timesheet.Off {
	if !t.local {
		site = 0
	}
	days, at := t.known[site], d.Days(t.first)
	if at < 0 {
		return t.at(d, site)
	}
	for len(days) <= at {
		days = append(days, t.at(t.first.AddDays(len(days)), site))
	}
	t.known[site] = days
	return days[at]
}

// at is On without what is known.
func (t *Table) at(d shift.Date, site int) (off timesheet.Off) {
	c := t.calendar
	c.AddressOffs = t.offs[site]
	for _, h := range t.holidays[d] {
		if h.Place == 0 || h.Place == site {
			c.Holidays = append(c.Holidays, calendar.Holiday{Date: d, Half: h.Half, Address: h.Place != 0})
		}
	}
	day := c.Day(d)
	off.WeeklyOff = day.WeeklyOff
	switch {
	case day.Free():
		off.Holiday = timesheet.Whole
	case day.Holiday != nil:
		off.Holiday = timesheet.Half
	}
	return off
}

// A Company is what Read asks of a company.
type Company struct {
	ID       int
	Settings setting.Values
}

// Read reads what frees people of a company from the work of the dates of a period, in two
// statements, and one more where an address has days off of its own.
func Read(ctx context.Context, c Company, people []int, p timesheet.Period) (t *Table, err error) {
	t = New(p.From, setting.WeeklyOffs.Of(c.Settings))
	beside := timesheet.Period{From: p.From.AddDays(-1), To: p.To.AddDays(1)} // hours in shifts over midnight
	if t.leave, err = leaves.Approved(ctx, c.ID, people, beside); err != nil {
		return nil, err
	}
	var of, id int
	var h Holiday
	var offs []int
	into := []any{&of, &id, rows.Optional((*string)(&h.Date)), rows.Optional(&h.Half), rows.FromJSON(&offs)}
	err = daysQuery(ctx, c.ID, p).Each(func(scan rows.Scan) error {
		offs = nil
		if err := scan(into...); err != nil {
			return err
		}
		switch {
		case of == ofHoliday:
			h.Place = id
			t.Add(h)
		case offs != nil:
			t.offs[id], t.local = offs, true
		}
		return nil
	})
	if err != nil || !t.local || len(people) == 0 {
		return t, err
	}
	return t, sitesQuery(ctx, c.ID, people, p).Each(func(scan rows.Scan) error {
		err := scan(&of, &id)
		t.sites[of] = id
		return err
	})
}

// What the rows of the first statement of Read are of.
const (
	ofHoliday = 1
	ofAddress = 2
)

// daysQuery is the statement of the holidays of a period, and of the weekly offs of
// addresses.
func daysQuery(ctx context.Context, company int, p timesheet.Period) *rows.Query {
	q := rows.New(ctx)
	q.Add("SELECT ?, h.place, h.date, h.half, NULL FROM holidays h WHERE h.company_id = ? AND h.date BETWEEN ? AND ? AND ",
		ofHoliday, company, string(p.From), string(p.To))
	q.WherePolicy(holiday.Policy, holiday.Table, "h")
	q.Add(" UNION ALL SELECT ?, s.id, NULL, NULL, s.weekly_offs FROM addresses s WHERE s.company_id = ? AND s.weekly_offs IS NOT NULL AND ", ofAddress, company)
	q.WherePolicy(address.Policy, address.Table, "s")
	return q
}

// sitesQuery is the statement of where people worked last before a period, else of the one
// address of their business. The index is named, since MariaDB would read all attendances of
// the company for each person.
func sitesQuery(ctx context.Context, company int, people []int, p timesheet.Period) *rows.Query {
	q := rows.New(ctx)
	q.Add(`SELECT u.id, COALESCE((SELECT x.address_id FROM attendances x /*! FORCE INDEX (attendance_company_id_user_id_work_date) */
  WHERE x.company_id = ? AND x.user_id = u.id AND x.work_date < ?
  ORDER BY x.work_date DESC, x.id DESC LIMIT 1),
  (SELECT CASE WHEN COUNT(*) = 1 THEN MIN(b.id) END FROM addresses b WHERE b.business_id = u.business_id AND b.active = 1), 0) FROM users u WHERE `,
		company, string(p.From))
	q.In("u.id", people)
	return q
}
