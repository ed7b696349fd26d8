package shift

import (
	"testing"
	"time"
)

func TestContains(t *testing.T) {
	tests := []struct {
		name, zone  string
		first, last string // "" for none
		at          string
		want        bool
	}{
		{"no bounds", "Asia/Jakarta", "", "", "1970-01-01T00:00:00Z", true},
		{"just before the first day in Jakarta", "Asia/Jakarta", "2026-03-11", "", "2026-03-10T16:59:59.999999Z", false},
		{"the first instant in Jakarta", "Asia/Jakarta", "2026-03-11", "", "2026-03-10T17:00:00Z", true},
		{"the last instant in Jakarta", "Asia/Jakarta", "", "2026-03-11", "2026-03-11T16:59:59.999999Z", true},
		{"just after the last day in Jakarta", "Asia/Jakarta", "", "2026-03-11", "2026-03-11T17:00:00Z", false},
		{"just before the first day in New York", "America/New_York", "2026-03-11", "", "2026-03-11T03:59:59.999999Z", false},
		{"the first instant in New York", "America/New_York", "2026-03-11", "", "2026-03-11T04:00:00Z", true},
		{"the last instant of a day of 23 hours", "America/New_York", "", "2026-03-08", "2026-03-09T03:59:59.999999Z", true},
		{"after a day of 23 hours", "America/New_York", "", "2026-03-08", "2026-03-09T04:00:00Z", false},
		{"a day without midnight", "America/Havana", "2026-03-08", "", "2026-03-08T05:00:00Z", true},
		{"before a day without midnight", "America/Havana", "2026-03-08", "", "2026-03-08T04:59:59Z", false},
		{"a day of one day", "Asia/Jakarta", "2026-03-11", "2026-03-11", "2026-03-11T03:00:00Z", true},
		{"a leap day", "Asia/Jakarta", "", "2028-02-28", "2028-02-28T17:00:00Z", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			zone, err := time.LoadLocation(tt.zone)
			if err != nil {
				t.Fatal(err)
			}
			at, err := time.Parse(time.RFC3339, tt.at)
			if err != nil {
				t.Fatal(err)
			}
			day := func(text string) *string {
				if text == "" {
					return nil
				}
				return &text
			}
			if got := EmploymentBetween(day(tt.first), day(tt.last), zone).Contains(at); got != tt.want {
				t.Errorf("employed from %q to %q at %s: %v, want %v", tt.first, tt.last, tt.at, got, tt.want)
			}
		})
	}
}
