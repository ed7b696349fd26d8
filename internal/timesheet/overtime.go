package timesheet

import (
	"time"

	"workforce/internal/shift"
)

// A WorkedDate is what was worked on one date, as Union has it, and what was expected.
type WorkedDate struct {
	Date     shift.Date
	Worked   []shift.Interval
	Expected time.Duration
}

// extra returns the work of a date that the daily rule takes for overtime.
func (w WorkedDate) extra(p Policy) []shift.Interval {
	after := w.Expected
	switch {
	case w.Expected == 0 && p.RestDays:
		after = 0
	case p.DailyAfter > 0:
		after = p.DailyAfter
	case w.Expected == 0:
		return nil
	}
	return p.tolerate(between(w.Worked, after, forever))
}

// tolerate returns extra work if it is more than the tolerance, and then all of it.
func (p Policy) tolerate(extra []shift.Interval) []shift.Interval {
	if Sum(extra) <= p.OvertimeTolerance {
		return nil
	}
	return extra
}

// Overtime returns the overtime of each date, as Union has it, of dates in order. Work
// that the daily and the weekly rule both take counts once. The weekly rule needs all dates
// of each week.
func Overtime(dates []WorkedDate, p Policy) [][]shift.Interval {
	out := make([][]shift.Interval, len(dates))
	for i, d := range dates {
		out[i] = d.extra(p)
	}
	if p.WeeklyAfter <= 0 {
		return out
	}
	for from := 0; from < len(dates); {
		until, week := from, Week(dates[from].Date, p.FirstWeekday)
		var sum time.Duration
		for ; until < len(dates) && week.Contains(dates[until].Date); until++ {
			sum += Sum(dates[until].Worked)
		}
		if sum-p.WeeklyAfter > p.OvertimeTolerance {
			addWeekly(out[from:until], dates[from:until], p.WeeklyAfter)
		}
		from = until
	}
	return out
}

// addWeekly adds the work of a week beyond the first so long.
func addWeekly(out [][]shift.Interval, week []WorkedDate, after time.Duration) {
	for i, d := range week {
		out[i] = Union(out[i], between(d.Worked, max(after, 0), forever))
		after -= Sum(d.Worked)
	}
}

// Affected returns the dates whose overtime a change of the work of one date may alter,
// and whose approval it takes back: that date, or its week where there is a weekly rule.
func (p Policy) Affected(d shift.Date) Period {
	if p.WeeklyAfter > 0 {
		return Week(d, p.FirstWeekday)
	}
	return Period{d, d}
}

// Night returns the part of a union that lies in the nights of a zone.
func (p Policy) Night(worked []shift.Interval, zone *time.Location) []shift.Interval {
	if p.NightFrom == p.NightUntil {
		return nil
	}
	night := shift.Shift{Start: p.NightFrom, End: p.NightUntil, Zone: zone}
	var nights []shift.Interval
	last := shift.Date("")
	for date := range Split(worked, zone) {
		if date == last {
			continue
		}
		for _, d := range []shift.Date{date.AddDays(-1), date} {
			o := night.On(d)
			nights = append(nights, shift.Interval{Start: o.StartAt, End: o.EndAt})
		}
		last = date
	}
	return Intersect(worked, Union(nights))
}
