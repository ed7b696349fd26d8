// Package period reads the periods that lists are asked for: from and to, each a local
// date or an instant. And it says which periods are locked, so that nobody changes their
// dates any more: one of two dates, and calendar months some days after they ended.
package period

import (
	"time"

	"workforce/internal/errs"
	"workforce/internal/shift"
)

// A Bound is one end of a period as it was asked for: a local date, whose whole day
// belongs to the period, or an instant, which as the end does not.
type Bound struct {
	day shift.Date // "" for an instant
	at  time.Time
}

// Day returns the bound of a local date.
func Day(d shift.Date) Bound { return Bound{day: d} }

// Instant returns the bound of an instant.
func Instant(at time.Time) Bound { return Bound{at: at} }

// String returns the date or the instant as it is on the wire.
func (b Bound) String() string {
	if b.day != "" {
		return string(b.day)
	}
	return b.at.Format(time.RFC3339)
}

// A Period is half-open: it holds From and not To.
type Period struct{ From, To time.Time }

// Rules are what a period is read by.
type Rules struct {
	Now          time.Time
	Zone         *time.Location // of dates
	FirstWeekday int            // of the default period, by ISO: Monday is 1
	Days         int            // that a period has at most
}

// Read returns the period of two bounds; a missing one is that of the week of Now, a
// missing from alone that of the week of to. It adds a fault to from where it is after
// to, and to the bound that was asked for, to
// rather than from, where there are more days than the rules allow. A period of equal
// instants is empty.
func (r Rules) Read(faults *errs.Faults, from, to *Bound) Period {
	day := shift.DateOf(r.Now, r.Zone)
	if to != nil {
		day = r.date(*to)
	}
	week := day.WeekFrom(r.FirstWeekday)
	first, last := Day(week), Day(week.AddDays(6))
	if from != nil {
		first = *from
	}
	if to != nil {
		last = *to
	}
	p := Period{From: r.Start(first), To: r.End(last)}
	switch {
	case p.From.After(p.To), p.From.Equal(p.To) && last.day != "":
		faults.Add("from", errs.OutOfRange, errs.Meta{"min": "1000-01-01", "max": r.text(last)})
	case p.To.After(r.later(p.From, r.Days)) && to != nil:
		faults.Add("to", errs.OutOfRange, errs.Meta{"min": r.text(first), "max": r.text(r.latest(first))})
	case p.To.After(r.later(p.From, r.Days)):
		faults.Add("from", errs.OutOfRange, errs.Meta{"min": string(last.day.AddDays(1 - r.Days)), "max": r.text(last)})
	}
	return p
}

// date returns the local date of a bound.
func (r Rules) date(b Bound) shift.Date {
	if b.day != "" {
		return b.day
	}
	return shift.DateOf(b.at, r.Zone)
}

// Start returns the first instant of a bound.
func (r Rules) Start(b Bound) time.Time {
	if b.day != "" {
		return b.day.In(r.Zone)
	}
	return b.at
}

// End returns the first instant after a bound.
func (r Rules) End(b Bound) time.Time {
	if b.day != "" {
		return b.day.AddDays(1).In(r.Zone)
	}
	return b.at
}

// later returns the same wall time in the zone some days later.
func (r Rules) later(at time.Time, days int) time.Time { return at.In(r.Zone).AddDate(0, 0, days) }

// latest returns the last bound, of the same kind, that a period from a bound may have.
func (r Rules) latest(first Bound) Bound {
	if first.day != "" {
		return Day(first.day.AddDays(r.Days - 1))
	}
	return Instant(r.later(first.at, r.Days))
}

// text returns a bound as people read it: instants in the zone.
func (r Rules) text(b Bound) string {
	if b.day == "" {
		b.at = b.at.In(r.Zone)
	}
	return b.String()
}
