package worktime

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"workforce/ent/address"
	"workforce/ent/holiday"
	"workforce/internal/app/policysql"
	"workforce/internal/calendar"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
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
	leave    map[int][]timesheet.Leave // approved, of each person
	dates    map[int][]timesheet.Off   // by address, from the first date on
}

// A Holiday is a holiday of the company, or of one of its addresses.
type Holiday struct {
	Date  shift.Date `sql:"date"`
	Place int        `sql:"place"` // the address; 0 for the whole company
	Half  bool       `sql:"half"`
	Name  string     `sql:"name"`
}

// NewDaysOff returns the days off from a first date on, of a company with weekly offs, by ISO.
func NewDaysOff(first shift.Date, weeklyOffs []int) *DaysOff {
	return &DaysOff{
		first: first, calendar: calendar.Calendar{WeeklyOffs: weeklyOffs}, offs: map[int][]int{}, sites: map[int]int{},
		leave: map[int][]timesheet.Leave{}, dates: map[int][]timesheet.Off{},
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
func (o *DaysOff) Leave(user int) []timesheet.Leave { return o.leave[user] }

// Site returns the address where a person worked last before the first date, else the one
// address of their business; 0 if it is unknown, or if no address has days off of its own.
func (o *DaysOff) Site(user int) int { return o.sites[user] }

// Local reports whether it matters where somebody works.
func (o *DaysOff) Local() bool { return o.local }

// For returns what frees a person from the work of a date. The person works at an address; 0
// means the address is unknown. Hours of leave are in the zone.
func (o *DaysOff) For(user int, d shift.Date, site int, zone *time.Location) timesheet.Off {
	off := o.On(d, site)
	timesheet.FreeByLeave(&off, o.leave[user], d, zone)
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

// Holidays returns the holidays of a period at an address, one of each date: that which counts.
// 0 means the address is unknown.
func (o *DaysOff) Holidays(p timesheet.Period, site int) (list []calendar.Holiday) {
	for _, d := range slices.Sorted(maps.Keys(o.holidays)) {
		if h := o.day(d, site).Holiday; h != nil && p.From <= d && d <= p.To {
			list = append(list, *h)
		}
	}
	return list
}

// day returns what the calendar of an address says of a date.
func (o *DaysOff) day(d shift.Date, site int) calendar.Day {
	c := o.calendar
	c.AddressOffs = o.offs[site]
	for _, h := range o.holidays[d] {
		if h.Place == 0 || h.Place == site {
			c.Holidays = append(c.Holidays, calendar.Holiday{Name: h.Name, Date: d, Half: h.Half, Address: h.Place != 0})
		}
	}
	return c.Day(d)
}

// on computes what On returns.
func (o *DaysOff) on(d shift.Date, site int) (off timesheet.Off) {
	day := o.day(d, site)
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

// LongestLeave is how many days a leave has at most, from its first to its last: no leave that
// began longer ago goes on.
const LongestLeave = 366

// ReadDaysOff reads what frees people of a company from the work of the dates of a period, in one
// statement, and one more if an address has days off of its own.
func ReadDaysOff(ctx context.Context, c Company, people []int, p timesheet.Period) (_ *DaysOff, err error) {
	defer errs.Step(&err, "worktime: read days off")
	o := NewDaysOff(p.From, setting.WeeklyOffs.Of(c.Settings))
	if err := o.readDays(ctx, c.ID, people, p); err != nil {
		return nil, fmt.Errorf("read days off: %w", err)
	}
	if !o.local || len(people) == 0 {
		return o, nil
	}
	if err := o.readSites(ctx, c.ID, people); err != nil {
		return nil, fmt.Errorf("read where people worked last: %w", err)
	}
	return o, nil
}

// daysOff reads the holidays of a period, the addresses with weekly offs of their own, and the
// approved leave of people that applies to a date of the period or beside it. Holidays and addresses
// are within the policy, leave is not.
var daysOff = policysql.Parse(`
SELECT h.date AS holiday_date, h.place AS holiday_place, h.half AS holiday_half, h.name AS holiday_name,
  NULL AS offs_site, NULL AS offs_weekly_offs,
  NULL AS leave_user_id, NULL AS leave_half, NULL AS leave_work_from_home,
  NULL AS leave_from_time, NULL AS leave_to_time, NULL AS leave_dates
FROM holidays h WHERE h.company_id = :company AND h.date BETWEEN :from AND :to AND policy(h)
UNION ALL
SELECT NULL, NULL, NULL, NULL, s.id, s.weekly_offs, NULL, NULL, NULL, NULL, NULL, NULL
FROM addresses s WHERE s.company_id = :company AND s.weekly_offs IS NOT NULL AND policy(s)
UNION ALL
SELECT NULL, NULL, NULL, NULL, NULL, NULL, l.user_id, l.half, l.work_from_home, l.from_time, l.to_time, l.dates
FROM leaves l WHERE l.company_id = :company AND l.state = 'approved'
  AND l.starts_on BETWEEN :longest_leave AND :day_after AND l.ends_on >= :day_before AND in(l.user_id, :people)`)

// readDays reads the holidays of a period, the weekly offs of addresses, and the leave of people.
func (o *DaysOff) readDays(ctx context.Context, company int, people []int, p timesheet.Period) error {
	type dayOff struct { // one of them
		Holiday    Holiday `sql:"holiday_"`
		WeeklyOffs struct {
			Site int   `sql:"site"`
			Days []int `sql:"weekly_offs"`
		} `sql:"offs_"`
		Leave leaveRow `sql:"leave_"`
	}
	before, after := p.From.AddDays(-1), p.To.AddDays(1) // hours in shifts over midnight
	list, err := policysql.Select[dayOff](ctx, daysOff,
		policysql.Args{
			"company": company, "people": people, "from": string(p.From), "to": string(p.To),
			"day_before": string(before), "day_after": string(after), "longest_leave": string(before.AddDays(1 - LongestLeave)),
		},
		policysql.Policies{
			"h": {Policy: holiday.Policy, Table: holiday.Table},
			"s": {Policy: address.Policy, Table: address.Table},
		})
	for _, d := range list {
		switch {
		case d.Holiday.Date != "":
			o.Add(d.Holiday)
		case d.Leave.User != 0:
			o.leave[d.Leave.User] = append(o.leave[d.Leave.User], d.Leave.leave())
		case d.WeeklyOffs.Days != nil: // not the JSON null
			o.offs[d.WeeklyOffs.Site], o.local = d.WeeklyOffs.Days, true
		}
	}
	return err
}

// lastSites reads where people worked last before a date, else the one address of their
// business, else 0. The index is named, or MariaDB would read all attendances of the company
// for each person.
var lastSites = policysql.Parse(`
SELECT u.id AS user_id, COALESCE(
  (SELECT x.address_id FROM attendances x /*! FORCE INDEX (attendance_company_id_user_id_work_date) */
   WHERE x.company_id = :company AND x.user_id = u.id AND x.work_date < :first
   ORDER BY x.work_date DESC, x.id DESC LIMIT 1),
  (SELECT CASE WHEN COUNT(*) = 1 THEN MIN(b.id) END FROM addresses b
   WHERE b.business_id = u.business_id AND b.active = 1), 0) AS site
FROM users u WHERE in(u.id, :people)`)

// readSites sets the addresses where people worked last before the first date.
func (o *DaysOff) readSites(ctx context.Context, company int, people []int) error {
	type workplace struct {
		User int `sql:"user_id"`
		Site int `sql:"site"`
	}
	args := policysql.Args{"company": company, "first": string(o.first), "people": people}
	list, err := policysql.Select[workplace](ctx, lastSites, args, nil)
	for _, w := range list {
		o.sites[w.User] = w.Site
	}
	return err
}
