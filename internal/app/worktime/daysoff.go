package worktime

import (
	"context"
	"fmt"
	"time"

	"workforce/ent/address"
	"workforce/ent/holiday"
	"workforce/internal/app/rows"
	"workforce/internal/calendar"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timeoff"
	"workforce/internal/timesheet"
)

// DaysOff is what frees people of one company from the work of some dates: holidays, weekly
// offs and approved leave. Every timesheet.Off of the server is built here. It is for one
// goroutine.
type DaysOff struct {
	first    shift.Date
	calendar calendar.Calendar // without holidays
	offs     map[int][]int     // weekly offs of the addresses that have their own
	holidays map[shift.Date][]Holiday
	local    bool // some address has days off of its own
	sites    map[int]int
	leave    map[int][]timeoff.Leave // approved, of each person
	dates    map[int][]timesheet.Off // by address, from the first date on
}

// A Holiday is a holiday of the company, or of one of its addresses.
type Holiday struct {
	Date  shift.Date
	Place int // the address; 0 for the whole company
	Half  bool
}

// NewDaysOff returns the days off from a first date on, of a company with weekly offs, by ISO.
func NewDaysOff(first shift.Date, weeklyOffs []int) *DaysOff {
	return &DaysOff{
		first: first, calendar: calendar.Calendar{WeeklyOffs: weeklyOffs}, offs: map[int][]int{}, sites: map[int]int{},
		leave: map[int][]timeoff.Leave{}, dates: map[int][]timesheet.Off{},
	}
}

// Add adds a holiday. All are added before the first use.
func (o *DaysOff) Add(h Holiday) {
	if o.holidays == nil {
		o.holidays = map[shift.Date][]Holiday{}
	}
	o.holidays[h.Date] = append(o.holidays[h.Date], h)
	o.local = o.local || h.Place != 0
}

// Leave returns the approved leave of a person.
func (o *DaysOff) Leave(user int) []timeoff.Leave { return o.leave[user] }

// Site returns the address where a person worked last before the first date, else the one
// address of their business; 0 if it is unknown, or if no address has days off of its own.
func (o *DaysOff) Site(user int) int { return o.sites[user] }

// Local reports whether it matters where somebody works.
func (o *DaysOff) Local() bool { return o.local }

// For returns what frees a person from the work of a date. The person works at an address; 0
// means the address is unknown. Hours of leave are in the zone.
func (o *DaysOff) For(user int, d shift.Date, site int, zone *time.Location) timesheet.Off {
	off := o.On(d, site)
	timeoff.Free(&off, o.leave[user], d, zone)
	return off
}

// On returns the holidays and weekly offs of a date at an address; 0 means the address is
// unknown. Leave is not included.
func (o *DaysOff) On(d shift.Date, site int) timesheet.Off {
	if !o.local {
		site = 0
	}
	days, at := o.dates[site], d.Days(o.first)
	if at < 0 {
		return o.on(d, site)
	}
	for len(days) <= at {
		days = append(days, o.on(o.first.AddDays(len(days)), site))
	}
	o.dates[site] = days
	return days[at]
}

// on computes what On returns.
func (o *DaysOff) on(d shift.Date, site int) (off timesheet.Off) {
	c := o.calendar
	c.AddressOffs = o.offs[site]
	for _, h := range o.holidays[d] {
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

// A Company is a company whose days off are read.
type Company struct {
	ID       int
	Settings setting.Values
}

// ReadDaysOff reads what frees people of a company from the work of the dates of a period, in
// two statements, and one more if an address has days off of its own.
func ReadDaysOff(ctx context.Context, c Company, people []int, p timesheet.Period) (*DaysOff, error) {
	o, err := readDaysOff(ctx, c, people, p)
	if err != nil || !o.local || len(people) == 0 {
		return o, err
	}
	type workplace struct {
		User int `sql:"user_id"`
		Site int `sql:"site"`
	}
	args := rows.Args{"company": c.ID, "first": string(p.From), "people": people}
	list, err := rows.Select[workplace](ctx, lastSites, args, nil)
	if err != nil {
		return nil, fmt.Errorf("read where people worked last: %w", err)
	}
	for _, w := range list {
		o.sites[w.User] = w.Site
	}
	return o, nil
}

// readDaysOff is ReadDaysOff without the addresses where people worked last.
func readDaysOff(ctx context.Context, c Company, people []int, p timesheet.Period) (*DaysOff, error) {
	o := NewDaysOff(p.From, setting.WeeklyOffs.Of(c.Settings))
	beside := timesheet.Period{From: p.From.AddDays(-1), To: p.To.AddDays(1)} // hours in shifts over midnight
	var err error
	if o.leave, err = ReadLeave(ctx, c.ID, people, beside); err != nil {
		return nil, err
	}
	type dayOff struct { // a holiday, or the weekly offs of an address
		Place      int    `sql:"place"`
		Date       string `sql:"date"` // "" for weekly offs
		Half       bool   `sql:"half"`
		WeeklyOffs []int  `sql:"weekly_offs"`
	}
	list, err := rows.Select[dayOff](ctx, daysOff,
		rows.Args{"company": c.ID, "from": string(p.From), "to": string(p.To)},
		rows.Policies{"h": {Policy: holiday.Policy, Table: holiday.Table}, "s": {Policy: address.Policy, Table: address.Table}})
	if err != nil {
		return nil, fmt.Errorf("read holidays and weekly offs: %w", err)
	}
	for _, d := range list {
		switch {
		case d.Date != "":
			o.Add(Holiday{Date: shift.Date(d.Date), Place: d.Place, Half: d.Half})
		case d.WeeklyOffs != nil: // not the JSON null
			o.offs[d.Place], o.local = d.WeeklyOffs, true
		}
	}
	return o, nil
}

// daysOff reads the holidays of a period, and the addresses with weekly offs of their own.
var daysOff = rows.Parse(`
SELECT h.place, h.date, h.half, NULL AS weekly_offs
FROM holidays h WHERE h.company_id = :company AND h.date BETWEEN :from AND :to AND policy(h)
UNION ALL
SELECT s.id, NULL, NULL, s.weekly_offs
FROM addresses s WHERE s.company_id = :company AND s.weekly_offs IS NOT NULL AND policy(s)`)

// lastSites reads where people worked last before a date, else the one address of their
// business, else 0. The index is named, or MariaDB would read all attendances of the company
// for each person.
var lastSites = rows.Parse(`
SELECT u.id AS user_id, COALESCE(
  (SELECT x.address_id FROM attendances x /*! FORCE INDEX (attendance_company_id_user_id_work_date) */
   WHERE x.company_id = :company AND x.user_id = u.id AND x.work_date < :first
   ORDER BY x.work_date DESC, x.id DESC LIMIT 1),
  (SELECT CASE WHEN COUNT(*) = 1 THEN MIN(b.id) END FROM addresses b
   WHERE b.business_id = u.business_id AND b.active = 1), 0) AS site
FROM users u WHERE u.id IN (:people)`)
