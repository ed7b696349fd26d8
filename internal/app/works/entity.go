package works

import (
	"time"

	"workforce/ent"
	"workforce/internal/app/plan"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// OccurrenceOf returns what an occurrence expects, and how its work counts.
func OccurrenceOf(o *ent.EmployeeShift) timesheet.Occurrence {
	return timesheet.Occurrence{
		Date: shift.Date(o.Date), Zone: shift.ZoneNamed(o.Timezone), Start: o.StartAt, End: o.EndAt, Until: o.ClockInUntil,
		Breaks: breaksOf(o), BreakMinutes: o.BreakMinutes, BreakAfterMinutes: o.BreakAfterMinutes,
		LateGrace: o.LateGraceMinutes, EarlyGrace: o.EarlyGraceMinutes,
		HalfDayBelow: o.HalfDayBelowMinutes, AbsentBelow: o.AbsentBelowMinutes,
	}
}

// AssessmentOf returns what was stored of an occurrence.
func AssessmentOf(r *ent.ShiftResult) *timesheet.Assessment {
	length := func(seconds int) time.Duration { return time.Duration(seconds) * time.Second }
	return &timesheet.Assessment{
		Status: timesheet.Status(r.Status), Off: r.Off, Late: length(r.LateSeconds), Early: length(r.EarlySeconds),
		Expected: length(r.ExpectedSeconds),
	}
}

// breaksOf returns the breaks of an occurrence.
func breaksOf(o *ent.EmployeeShift) []shift.Interval {
	zone := shift.ZoneNamed(o.Timezone)
	clock := func(t time.Time) shift.Clock { return shift.Clock(t.In(zone).Format("15:04")) }
	s := shift.Shift{Start: clock(o.StartAt), End: clock(o.EndAt), Zone: zone, Breaks: plan.Breaks(o.Breaks)}
	return s.BreaksOn(shift.Date(o.Date))
}

// EntriesOf returns attendances as entries.
func EntriesOf(rows []*ent.Attendance) []timesheet.Entry {
	entries := make([]timesheet.Entry, len(rows))
	for i, a := range rows {
		entries[i] = timesheet.Entry{In: a.ClockedInAt, NeedsConfirmation: a.NeedsConfirmation}
		if a.ClockedOutAt != nil {
			entries[i].Out = *a.ClockedOutAt
		}
	}
	return entries
}
