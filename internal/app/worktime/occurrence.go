package worktime

import (
	"time"

	"workforce/ent"
	"workforce/internal/app/scheduling"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// terms are what an occurrence copied of its shift, besides its times.
type terms struct {
	Timezone            string   `sql:"timezone"`
	Breaks              []string `sql:"breaks"` // 15:04-15:04
	BreakMinutes        int      `sql:"break_minutes"`
	BreakAfterMinutes   int      `sql:"break_after_minutes"`
	LateGraceMinutes    *int     `sql:"late_grace_minutes"`
	EarlyGraceMinutes   *int     `sql:"early_grace_minutes"`
	HalfDayBelowMinutes int      `sql:"half_day_below_minutes"`
	AbsentBelowMinutes  int      `sql:"absent_below_minutes"`
}

// NewOccurrence returns what an occurrence expects, and how its work counts.
func NewOccurrence(o *ent.EmployeeShift) timesheet.Occurrence {
	t := terms{
		Timezone: o.Timezone, Breaks: o.Breaks, BreakMinutes: o.BreakMinutes, BreakAfterMinutes: o.BreakAfterMinutes,
		LateGraceMinutes: o.LateGraceMinutes, EarlyGraceMinutes: o.EarlyGraceMinutes,
		HalfDayBelowMinutes: o.HalfDayBelowMinutes, AbsentBelowMinutes: o.AbsentBelowMinutes,
	}
	return t.occurrence(shift.Date(o.Date), o.StartAt, o.EndAt, o.ClockInUntil)
}

// occurrence returns the occurrence of a date from start to end. until is the end of its
// clock-in window.
func (t *terms) occurrence(d shift.Date, start, end, until time.Time) timesheet.Occurrence {
	zone := shift.ZoneNamed(t.Timezone)
	return timesheet.Occurrence{
		Date: d, Zone: zone, Start: start, End: end, Until: until,
		Breaks:       breaksOn(scheduling.Breaks(t.Breaks), d, start, end, zone),
		BreakMinutes: t.BreakMinutes, BreakAfterMinutes: t.BreakAfterMinutes,
		LateGrace: t.LateGraceMinutes, EarlyGrace: t.EarlyGraceMinutes,
		HalfDayBelow: t.HalfDayBelowMinutes, AbsentBelow: t.AbsentBelowMinutes,
	}
}

// breaksOn returns the breaks of an occurrence of a date from start to end in a zone.
func breaksOn(breaks []shift.Break, d shift.Date, start, end time.Time, zone *time.Location) []shift.Interval {
	if len(breaks) == 0 {
		return nil
	}
	first, last := start.In(zone), end.In(zone)
	_, before := first.Zone()
	if _, after := last.Zone(); before != after { // the clocks change meanwhile
		clock := func(at time.Time) shift.Clock { return shift.Clock(at.Format("15:04")) }
		return shift.Shift{Start: clock(first), End: clock(last), Zone: zone, Breaks: breaks}.BreaksOn(d)
	}
	const day = 24 * 60
	begin := first.Hour()*60 + first.Minute()
	after := func(c shift.Clock) time.Time {
		return start.Add(time.Duration((c.Minutes()-begin+day)%day) * time.Minute)
	}
	out := make([]shift.Interval, len(breaks))
	for i, b := range breaks {
		out[i] = shift.Interval{Start: after(b.Start), End: after(b.End)}
	}
	return out
}

// A result is what is stored of an occurrence; without a status there is none.
type result struct {
	Status   string `sql:"status"`
	Off      bool   `sql:"off"`
	Late     int    `sql:"late_seconds"`
	Early    int    `sql:"early_seconds"`
	Expected int    `sql:"expected_seconds"`
}

// assessment returns the result; nil for none.
func (r result) assessment() *timesheet.Assessment {
	if r.Status == "" {
		return nil
	}
	length := func(seconds int) time.Duration { return time.Duration(seconds) * time.Second }
	return &timesheet.Assessment{
		Status: timesheet.Status(r.Status), Off: r.Off,
		Late: length(r.Late), Early: length(r.Early), Expected: length(r.Expected),
	}
}
