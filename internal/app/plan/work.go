package plan

import (
	"time"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// Work returns how the work of an occurrence counts.
func Work(o *ent.EmployeeShift) timesheet.Occurrence {
	zone := ZoneNamed(o.Timezone)
	return timesheet.Occurrence{
		Date: shift.Date(o.Date), Zone: zone, Start: o.StartAt, End: o.EndAt, Until: o.ClockInUntil,
		Breaks: breaksOf(o, zone), BreakMinutes: o.BreakMinutes, BreakAfterMinutes: o.BreakAfterMinutes,
		FirstLast: o.WorkingHours == employeeshift.WorkingHoursFirstLast,
		LateGrace: o.LateGraceMinutes, EarlyGrace: o.EarlyGraceMinutes,
		HalfDayBelow: o.HalfDayBelowMinutes, AbsentBelow: o.AbsentBelowMinutes,
	}
}

// breaksOf returns the breaks of an occurrence.
func breaksOf(o *ent.EmployeeShift, zone *time.Location) []shift.Interval {
	clock := func(t time.Time) shift.Clock { return shift.Clock(t.In(zone).Format("15:04")) }
	s := shift.Shift{Start: clock(o.StartAt), End: clock(o.EndAt), Zone: zone, Breaks: Breaks(o.Breaks)}
	return s.BreaksOn(shift.Date(o.Date))
}
