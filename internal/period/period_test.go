package period

import (
	"fmt"
	"testing"
	"time"

	"workforce/internal/errs"
	"workforce/internal/shift"
)

// bound reads a bound of a test; nil for "".
func bound(t *testing.T, text string) *Bound {
	t.Helper()
	if text == "" {
		return nil
	}
	b := Day(shift.Date(text))
	if _, err := shift.ParseDate(text); err != nil {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		b = Instant(at)
	}
	return &b
}

func TestRead(t *testing.T) {
	now := time.Date(2026, 3, 10, 17, 30, 0, 0, time.UTC) // Wednesday, 11 March, in Jakarta
	tests := []struct {
		name, zone string
		weekday    int
		days       int
		from, to   string
		want       string // in UTC, or the fault
	}{
		{"this week", "Asia/Jakarta", 1, 31, "", "", "2026-03-08T17:00:00Z 2026-03-15T17:00:00Z"},
		{"this week from Sunday", "Asia/Jakarta", 7, 31, "", "", "2026-03-07T17:00:00Z 2026-03-14T17:00:00Z"},
		{"this week from Thursday", "Asia/Jakarta", 4, 31, "", "", "2026-03-04T17:00:00Z 2026-03-11T17:00:00Z"},
		{"from a date", "Asia/Jakarta", 1, 31, "2026-03-01", "", "2026-02-28T17:00:00Z 2026-03-15T17:00:00Z"},
		{"to a date", "Asia/Jakarta", 1, 31, "", "2026-03-09", "2026-03-08T17:00:00Z 2026-03-09T17:00:00Z"},
		{"one day", "Asia/Jakarta", 1, 31, "2026-03-10", "2026-03-10", "2026-03-09T17:00:00Z 2026-03-10T17:00:00Z"},
		{"instants", "Asia/Jakarta", 1, 31, "2026-03-10T08:00:00+07:00", "2026-03-10T17:00:00+07:00", "2026-03-10T01:00:00Z 2026-03-10T10:00:00Z"},
		{"equal instants", "Asia/Jakarta", 1, 31, "2026-03-10T08:00:00+07:00", "2026-03-10T01:00:00Z", "2026-03-10T01:00:00Z 2026-03-10T01:00:00Z"},
		{"an instant to a date", "Asia/Jakarta", 1, 31, "2026-03-10T08:00:00+07:00", "2026-03-10", "2026-03-10T01:00:00Z 2026-03-10T17:00:00Z"},
		{"a date to an instant", "Asia/Jakarta", 1, 31, "2026-03-10", "2026-03-10T08:00:00+07:00", "2026-03-09T17:00:00Z 2026-03-10T01:00:00Z"},
		{"a date to its first instant", "Asia/Jakarta", 1, 31, "2026-03-10", "2026-03-10T00:00:00+07:00", "2026-03-09T17:00:00Z 2026-03-09T17:00:00Z"},
		{"a day of 23 hours", "Europe/Berlin", 1, 31, "2026-03-29", "2026-03-29", "2026-03-28T23:00:00Z 2026-03-29T22:00:00Z"},
		{"dates in the wrong order", "Asia/Jakarta", 1, 31, "2026-03-10", "2026-03-09", "from out_of_range 1000-01-01 2026-03-09"},
		{"instants in the wrong order", "Asia/Jakarta", 1, 31, "2026-03-10T08:00:01+07:00", "2026-03-10T08:00:00+07:00", "from out_of_range 1000-01-01 2026-03-10T08:00:00+07:00"},
		{"an instant after a date", "Asia/Jakarta", 1, 31, "2026-03-11T00:00:00+07:00", "2026-03-10", "from out_of_range 1000-01-01 2026-03-10"},
		{"from after this week", "Asia/Jakarta", 1, 31, "2026-03-16", "", "from out_of_range 1000-01-01 2026-03-15"},
		{"31 days", "Asia/Jakarta", 1, 31, "2026-03-01", "2026-03-31", "2026-02-28T17:00:00Z 2026-03-31T17:00:00Z"},
		{"32 days", "Asia/Jakarta", 1, 31, "2026-03-01", "2026-04-01", "to out_of_range 2026-03-01 2026-03-31"},
		{"31 days over a change of clocks", "Europe/Berlin", 1, 31, "2026-10-01", "2026-10-31", "2026-09-30T22:00:00Z 2026-10-31T23:00:00Z"},
		{"31 days of instants", "Asia/Jakarta", 1, 31, "2026-03-01T08:00:00+07:00", "2026-04-01T08:00:00+07:00", "2026-03-01T01:00:00Z 2026-04-01T01:00:00Z"},
		{"a second more", "Asia/Jakarta", 1, 31, "2026-03-01T08:00:00+07:00", "2026-04-01T08:00:01+07:00",
			"to out_of_range 2026-03-01T08:00:00+07:00 2026-04-01T08:00:00+07:00"},
		{"from too early for this week", "Asia/Jakarta", 1, 31, "2026-02-12", "", "from out_of_range 2026-02-13 2026-03-15"},
		{"to behind this week", "Asia/Jakarta", 1, 31, "", "2026-04-09", "2026-04-05T17:00:00Z 2026-04-09T17:00:00Z"},
		{"to before this week", "Asia/Jakarta", 1, 31, "", "2026-02-15", "2026-02-08T17:00:00Z 2026-02-15T17:00:00Z"},
		{"to the first day of its week", "Asia/Jakarta", 1, 31, "", "2026-02-09",
			"2026-02-08T17:00:00Z 2026-02-09T17:00:00Z"},
		{"to before this week from Sunday", "Asia/Jakarta", 7, 31, "", "2026-02-15",
			"2026-02-14T17:00:00Z 2026-02-15T17:00:00Z"},
		{"to an instant before this week", "Asia/Jakarta", 1, 31, "", "2026-02-15T18:00:00Z",
			"2026-02-15T17:00:00Z 2026-02-15T18:00:00Z"},
		{"a leap year", "Asia/Jakarta", 1, 366, "2028-01-01", "2028-12-31", "2027-12-31T17:00:00Z 2028-12-31T17:00:00Z"},
		{"367 days", "Asia/Jakarta", 1, 366, "2028-01-01", "2029-01-01", "to out_of_range 2028-01-01 2028-12-31"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			zone, err := shift.Zone(tt.zone)
			if err != nil {
				t.Fatal(err)
			}
			var faults errs.Faults
			p := Rules{Now: now, Zone: zone, FirstWeekday: tt.weekday, Days: tt.days}.Read(&faults, bound(t, tt.from), bound(t, tt.to))
			got := p.From.UTC().Format(time.RFC3339) + " " + p.To.UTC().Format(time.RFC3339)
			for _, f := range faults {
				got = fmt.Sprint(f.Field, " ", f.Reason, " ", f.Meta["min"], " ", f.Meta["max"])
			}
			if got != tt.want || len(faults) > 1 {
				t.Errorf("from %q to %q: %s (%d faults), want %s", tt.from, tt.to, got, len(faults), tt.want)
			}
		})
	}
}
