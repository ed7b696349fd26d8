package timesheet

import (
	"fmt"
	"time"

	"workforce/internal/setting"
	"workforce/internal/shift"
)

// A Policy is what a company sets of its working time.
type Policy struct {
	// OfflineWait is how long after the end of its window an occurrence without entries
	// becomes absent: as long as a phone may keep what it recorded offline.
	OfflineWait time.Duration
	// FirstWeekday is the ISO weekday on which weeks begin: Monday is 1.
	FirstWeekday int
	// LeaveDay is how long a day of leave is on which no shift is planned.
	LeaveDay time.Duration

	// OvertimeTolerance is the extra time up to which there is no overtime. Beyond it all
	// of the extra time counts.
	OvertimeTolerance time.Duration
	// DailyAfter is the work of a date after which the rest is overtime; 0 is the work
	// that was expected.
	DailyAfter time.Duration
	// WeeklyAfter is the same of a week; 0 is no weekly rule.
	WeeklyAfter time.Duration
	// RestDays says that all work of a date on which none was expected is overtime.
	RestDays bool
	// NightFrom and NightUntil are the wall times of the night premium. Where they are
	// equal there is none.
	NightFrom, NightUntil shift.Clock

	// CloseAtEnd closes a forgotten attendance at the end of its shift, and not by the
	// hours that were worked.
	CloseAtEnd bool
	// CloseTolerance is the work beyond the expected after which an attendance counts as
	// forgotten.
	CloseTolerance time.Duration
	// Cap is how long any attendance lasts at most, between a minute and Longest. Others
	// mean Longest.
	Cap time.Duration
	// RemindAfter is how long after the end of a shift somebody is reminded to clock out;
	// 0 is never.
	RemindAfter time.Duration
}

// Longest is how long an attendance lasts at most, whatever a company sets and whoever is
// exempt.
const Longest = 16 * time.Hour

// PolicyOf returns the policy of a company by its settings.
func PolicyOf(v setting.Values) Policy {
	return Policy{
		OfflineWait:       time.Duration(setting.OfflineHours.Of(v)) * time.Hour,
		FirstWeekday:      setting.FirstWeekday.Of(v),
		LeaveDay:          minutes(setting.LeaveDayMinutes.Of(v)),
		OvertimeTolerance: minutes(setting.OvertimeTolerance.Of(v)),
		DailyAfter:        minutes(setting.OvertimeDaily.Of(v)),
		WeeklyAfter:       minutes(setting.OvertimeWeekly.Of(v)),
		RestDays:          setting.OvertimeRestDays.Of(v),
		NightFrom:         clockOf(setting.NightStart.Of(v)),
		NightUntil:        clockOf(setting.NightEnd.Of(v)),
		CloseAtEnd:        setting.CloseAtShiftEnd.Of(v),
		CloseTolerance:    minutes(setting.ForgottenTolerance.Of(v)),
		Cap:               minutes(setting.AttendanceCap.Of(v)),
		RemindAfter:       minutes(setting.RemindMinutes.Of(v)),
	}
}

// Defaults returns the policy of a company that set nothing.
func Defaults() Policy { return PolicyOf(nil) }

// clockOf returns the wall time of a minute of the day.
func clockOf(minute int) shift.Clock {
	return shift.Clock(fmt.Sprintf("%02d:%02d", minute/60, minute%60))
}
