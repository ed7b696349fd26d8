package timesheet

import (
	"testing"
	"time"

	"workforce/internal/setting"
)

// TestAssess says what is stored of occurrences, and when it may be.
func TestAssess(t *testing.T) {
	p := Defaults()
	waited := at(13+72, 1) // the window of the morning is over at 13:00
	unconfirmed := []Entry{{In: at(8, 0), Out: at(14, 0), NeedsConfirmation: true}}
	short := morning()
	short.AbsentBelow = 120
	tests := []struct {
		name    string
		o       Occurrence
		entries []Entry
		off     Off
		now     time.Time
		want    Assessment
	}{
		{"within the window", morning(), worked(at(8, 0), at(12, 0)), Off{}, at(13, 0).Add(59 * time.Second), Assessment{Status: Present, Worked: 4 * time.Hour, Expected: 4 * time.Hour}},
		{"after it", morning(), worked(at(8, 0), at(12, 0)), Off{}, at(13, 1), Assessment{Status: Present, Ready: true, Worked: 4 * time.Hour, Expected: 4 * time.Hour}},
		{"open", morning(), []Entry{{In: at(8, 0)}}, Off{}, at(14, 0), Assessment{Status: Present, Expected: 4 * time.Hour}},
		{"to be confirmed", morning(), unconfirmed, Off{}, at(14, 0), Assessment{Status: NeedsConfirmation, Ready: true, Worked: 6 * time.Hour, Expected: 4 * time.Hour}},
		{"confirmed", morning(), worked(at(8, 0), at(14, 0)), Off{}, at(14, 0), Assessment{Status: Present, Ready: true, Worked: 6 * time.Hour, Expected: 4 * time.Hour, Overtime: 2 * time.Hour}},
		{"A20 before the wait", morning(), nil, Off{}, waited.Add(-time.Second), Assessment{Status: NoStatus, Expected: 4 * time.Hour}},
		{"A20 after it", morning(), nil, Off{}, waited, Assessment{Status: Absent, Ready: true, Expected: 4 * time.Hour}},
		{"absent by the hours before the wait", short, worked(at(8, 0), at(9, 0)), Off{}, at(14, 0), Assessment{Status: Absent, Early: 3 * time.Hour, Worked: time.Hour, Expected: 4 * time.Hour}},
		{"absent by the hours", short, worked(at(8, 0), at(9, 0)), Off{}, waited, Assessment{Status: Absent, Ready: true, Early: 3 * time.Hour, Worked: time.Hour, Expected: 4 * time.Hour}},
		{"a holiday", morning(), nil, Off{Holiday: Whole}, waited, Assessment{Status: Holiday, Ready: true}},
		{"a holiday that was worked", morning(), worked(at(8, 0), at(12, 0)), Off{Holiday: Whole}, at(14, 0), Assessment{Status: Present, Ready: true, Off: true, Worked: 4 * time.Hour, Overtime: 4 * time.Hour}},
		{"A21 A22 not employed", morning(), nil, Off{NotEmployed: true}, waited, Assessment{Status: NoStatus, Ready: true}},
		{"worked all the same", morning(), worked(at(8, 0), at(12, 0)), Off{NotEmployed: true}, at(14, 0), Assessment{Status: Present, Ready: true, Worked: 4 * time.Hour, Expected: 4 * time.Hour}},
		{"in whole seconds", morning(), worked(at(8, 0).Add(999*time.Millisecond), at(12, 0).Add(time.Millisecond)), Off{}, at(14, 0), Assessment{Status: Present, Ready: true, Worked: 4 * time.Hour, Expected: 4 * time.Hour}},
	}
	for _, tt := range tests {
		if got := Assess([]Work{{tt.o, tt.entries}}, []Off{tt.off}, p, tt.now)[0]; got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// TestAssessSeveral gives each occurrence its part of the overtime of the date and of the
// week.
func TestAssessSeveral(t *testing.T) {
	evening := working("UTC", "2026-03-10", "14:00", "16:00")
	works := []Work{{evening, worked(at(14, 0), at(17, 0))}, {morning(), worked(at(8, 0), at(12, 0))}}
	got := Assess(works, []Off{{}, {}}, Defaults(), later)
	if got[0].Overtime != time.Hour || got[1].Overtime != 0 || got[0].Worked+got[1].Worked != 7*time.Hour {
		t.Errorf("got %+v", got)
	}
	weekly := PolicyOf(setting.Values{"overtimeWeeklyMinutes": 6 * 60})
	next := working("UTC", "2026-03-11", "08:00", "12:00")
	works = append(works, Work{next, worked(at(32, 0), at(34, 0))})
	if got = Assess(works, []Off{{}, {}, {}}, weekly, later); got[0].Overtime != time.Hour || got[1].Overtime != 0 || got[2].Overtime != 2*time.Hour {
		t.Errorf("with a weekly rule: %+v", got)
	}
}

// TestPolicyOf reads each setting of the engine.
func TestPolicyOf(t *testing.T) {
	want := Policy{
		OfflineWait: 72 * time.Hour, FirstWeekday: 1, RestDays: true, NightFrom: "22:00", NightUntil: "06:00",
		CloseTolerance: 2 * time.Hour, Cap: Longest, RemindAfter: 30 * time.Minute, LeaveDay: 8 * time.Hour,
	}
	if got := Defaults(); got != want {
		t.Errorf("defaults %+v, want %+v", got, want)
	}
	got := PolicyOf(setting.Values{
		"offlineHours": 5, "firstWeekday": 7, "overtimeToleranceMinutes": 10, "overtimeDailyMinutes": 540, "overtimeWeeklyMinutes": 2400,
		"overtimeRestDays": false, "nightStartMinute": 1265, "nightEndMinute": 5, "closeAtShiftEnd": true, "forgottenToleranceMinutes": 60,
		"attendanceCapMinutes": 660, "remindMinutes": 15, "leaveDayMinutes": 360,
	})
	want = Policy{
		OfflineWait: 5 * time.Hour, FirstWeekday: 7, OvertimeTolerance: 10 * time.Minute, DailyAfter: 9 * time.Hour, WeeklyAfter: 40 * time.Hour,
		NightFrom: "21:05", NightUntil: "00:05", CloseAtEnd: true, CloseTolerance: time.Hour, Cap: 11 * time.Hour, RemindAfter: 15 * time.Minute,
		LeaveDay: 6 * time.Hour,
	}
	if got != want {
		t.Errorf("set %+v, want %+v", got, want)
	}
}
