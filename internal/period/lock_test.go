package period

import (
	"testing"

	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
)

func TestLocked(t *testing.T) {
	dates := LockPolicy{From: "2026-02-01", Until: "2026-02-28", GraceDays: 3}
	months := LockPolicy{AfterDays: 5, GraceDays: 2}
	both := LockPolicy{From: "2026-01-26", Until: "2026-02-25", AfterDays: 5}
	for _, tt := range []struct {
		about    string
		p        LockPolicy
		d, today shift.Date
		power    LockPower
		want     string // the period; "" for not locked
	}{
		{"nothing is set", LockPolicy{}, "2020-01-01", "2026-03-11", NoPower, ""},
		{"the first date", dates, "2026-02-01", "2026-03-11", NoPower, "2026-02-01–2026-02-28"},
		{"the last date", dates, "2026-02-28", "2026-03-11", NoPower, "2026-02-01–2026-02-28"},
		{"before it", dates, "2026-01-31", "2026-03-11", NoPower, ""},
		{"after it", dates, "2026-03-01", "2026-03-11", NoPower, ""},
		{"its last date is today", dates, "2026-02-03", "2026-02-28", NoPower, ""},
		{"the day after it", dates, "2026-02-03", "2026-03-01", NoPower, "2026-02-01–2026-02-28"},
		{"the last day of the grace", dates, "2026-02-03", "2026-03-03", GracePower, ""},
		{"after the grace", dates, "2026-02-03", "2026-03-04", GracePower, "2026-02-01–2026-02-28"},
		{"an override after the grace", dates, "2026-02-03", "2026-03-04", FullPower, ""},
		{"an override alone", dates, "2026-02-03", "2027-03-04", FullPower, ""},
		{"a month, in time", months, "2026-02-10", "2026-03-05", NoPower, ""},
		{"a month, too late", months, "2026-02-10", "2026-03-06", NoPower, "2026-02-01–2026-02-28"},
		{"this month", months, "2026-03-01", "2026-03-31", NoPower, ""},
		{"a year ago", months, "2025-03-31", "2026-03-01", NoPower, "2025-03-01–2025-03-31"},
		{"a month, within the grace", months, "2026-02-10", "2026-03-07", GracePower, ""},
		{"a month, after the grace", months, "2026-02-10", "2026-03-08", GracePower, "2026-02-01–2026-02-28"},
		{"to come", months, "2026-06-01", "2026-03-01", NoPower, ""},
		{"of both the dates", both, "2026-02-10", "2026-03-30", NoPower, "2026-01-26–2026-02-25"},
		{"of both the month", both, "2026-02-26", "2026-03-30", NoPower, "2026-02-01–2026-02-28"},
		{"no grace", both, "2026-02-10", "2026-02-26", GracePower, "2026-01-26–2026-02-25"},
		{"the grace of the dates alone", LockPolicy{From: "2026-02-01", Until: "2026-03-10", AfterDays: 1, GraceDays: 4}, "2026-02-10", "2026-03-11", GracePower, "2026-02-01–2026-02-28"},
	} {
		got := ""
		if l, ok := tt.p.Locked(tt.d, tt.today, tt.power); ok {
			got = string(l.From) + "–" + string(l.To)
		}
		if got != tt.want {
			t.Errorf("%s: %s on %s: %q, want %q", tt.about, tt.d, tt.today, got, tt.want)
		}
	}
}

func TestCheck(t *testing.T) {
	for values, want := range map[*setting.Values]string{
		{}: "",
		{"lockedFrom": "2026-02-01", "lockedUntil": "2026-02-01"}: "",
		{"lockedFrom": "2026-02-01"}:                              "s.lockedUntil required",
		{"lockedUntil": "2026-02-01"}:                             "s.lockedFrom required",
		{"lockedFrom": "2026-02-02", "lockedUntil": "2026-02-01"}: "s.lockedUntil out_of_range",
		{"lockAfterDays": 5, "lockGraceDays": 2}:                  "",
	} {
		var faults errs.Faults
		LocksOf(*values).Check(&faults, "s.")
		got := ""
		if len(faults) > 0 {
			got = faults[0].Field + " " + string(faults[0].Reason)
		}
		if got != want {
			t.Errorf("%v: %q, want %q", *values, got, want)
		}
	}
	if p := LocksOf(setting.Values{"lockAfterDays": 5, "lockGraceDays": 2}); p.AfterDays != 5 || p.GraceDays != 2 {
		t.Errorf("read as %+v", p)
	}
}
