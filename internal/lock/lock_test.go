package lock

import (
	"testing"

	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
)

func TestLocked(t *testing.T) {
	dates := Policy{From: "2026-02-01", Until: "2026-02-28", GraceDays: 3}
	months := Policy{AfterDays: 5, GraceDays: 2}
	both := Policy{From: "2026-01-26", Until: "2026-02-25", AfterDays: 5}
	for _, tt := range []struct {
		about    string
		p        Policy
		d, today shift.Date
		power    Power
		want     string // the period; "" for not locked
	}{
		{"nothing is set", Policy{}, "2020-01-01", "2026-03-11", None, ""},
		{"the first date", dates, "2026-02-01", "2026-03-11", None, "2026-02-01–2026-02-28"},
		{"the last date", dates, "2026-02-28", "2026-03-11", None, "2026-02-01–2026-02-28"},
		{"before it", dates, "2026-01-31", "2026-03-11", None, ""},
		{"after it", dates, "2026-03-01", "2026-03-11", None, ""},
		{"its last date is today", dates, "2026-02-03", "2026-02-28", None, ""},
		{"the day after it", dates, "2026-02-03", "2026-03-01", None, "2026-02-01–2026-02-28"},
		{"the last day of the grace", dates, "2026-02-03", "2026-03-03", Grace, ""},
		{"after the grace", dates, "2026-02-03", "2026-03-04", Grace, "2026-02-01–2026-02-28"},
		{"an override after the grace", dates, "2026-02-03", "2026-03-04", Override, ""},
		{"an override alone", dates, "2026-02-03", "2027-03-04", Override, ""},
		{"a month, in time", months, "2026-02-10", "2026-03-05", None, ""},
		{"a month, too late", months, "2026-02-10", "2026-03-06", None, "2026-02-01–2026-02-28"},
		{"this month", months, "2026-03-01", "2026-03-31", None, ""},
		{"a year ago", months, "2025-03-31", "2026-03-01", None, "2025-03-01–2025-03-31"},
		{"a month, within the grace", months, "2026-02-10", "2026-03-07", Grace, ""},
		{"a month, after the grace", months, "2026-02-10", "2026-03-08", Grace, "2026-02-01–2026-02-28"},
		{"to come", months, "2026-06-01", "2026-03-01", None, ""},
		{"of both the dates", both, "2026-02-10", "2026-03-30", None, "2026-01-26–2026-02-25"},
		{"of both the month", both, "2026-02-26", "2026-03-30", None, "2026-02-01–2026-02-28"},
		{"no grace", both, "2026-02-10", "2026-02-26", Grace, "2026-01-26–2026-02-25"},
		{"the grace of the dates alone", Policy{From: "2026-02-01", Until: "2026-03-10", AfterDays: 1, GraceDays: 4}, "2026-02-10", "2026-03-11", Grace, "2026-02-01–2026-02-28"},
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
		Of(*values).Check(&faults, "s.")
		got := ""
		if len(faults) > 0 {
			got = faults[0].Field + " " + string(faults[0].Reason)
		}
		if got != want {
			t.Errorf("%v: %q, want %q", *values, got, want)
		}
	}
	if p := Of(setting.Values{"lockAfterDays": 5, "lockGraceDays": 2}); p.AfterDays != 5 || p.GraceDays != 2 {
		t.Errorf("read as %+v", p)
	}
}
