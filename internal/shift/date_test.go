package shift

import (
	"errors"
	"testing"
	"time"
	_ "time/tzdata"

	"pgregory.net/rapid"
)

// zone loads an IANA zone.
func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestParseDate(t *testing.T) {
	tests := []struct {
		text string
		ok   bool
	}{
		{"2026-03-10", true},
		{"2024-02-29", true},
		{"0001-01-01", true},
		{"9998-12-31", true},
		{"", false},
		{"2026-02-29", false},
		{"2026-13-01", false},
		{"2026-00-10", false},
		{"2026-3-10", false},
		{"26-03-10", false},
		{"2026-03-10T00:00:00Z", false},
		{" 2026-03-10", false},
		{"2026/03/10", false},
		{"0000-12-31", false},
		{"9999-01-01", false},
		{"-001-01-01", false},
		{"２０２６-03-10", false},
	}
	for _, tt := range tests {
		got, err := ParseDate(tt.text)
		if tt.ok && (err != nil || string(got) != tt.text) || !tt.ok && (!errors.Is(err, ErrDate) || got != "") {
			t.Errorf("ParseDate(%q) = %q, %v; want ok %v", tt.text, got, err, tt.ok)
		}
	}
}

func TestWeekday(t *testing.T) {
	tests := []struct {
		date    Date
		weekday int
		monday  Date
	}{
		{"2026-03-09", 1, "2026-03-09"},
		{"2026-03-10", 2, "2026-03-09"},
		{"2026-03-15", 7, "2026-03-09"},
		{"2026-01-01", 4, "2025-12-29"},
		{"2011-06-23", 4, "2011-06-20"},
	}
	for _, tt := range tests {
		if w, m := tt.date.Weekday(), tt.date.Monday(); w != tt.weekday || m != tt.monday {
			t.Errorf("%s: weekday %d, Monday %s; want %d, %s", tt.date, w, m, tt.weekday, tt.monday)
		}
	}
}

func TestDayLength(t *testing.T) {
	tests := []struct {
		name, zone string
		date       Date
		start      string
		hours      float64
	}{
		{"plain", "Asia/Jakarta", "2026-03-10", "2026-03-10T00:00:00+07:00", 24},
		{"midnight shown twice", "America/Santiago", "2026-04-04", "2026-04-04T00:00:00-03:00", 25}, // SH-20
		{"the day after", "America/Santiago", "2026-04-05", "2026-04-05T00:00:00-04:00", 24},
		{"midnight skipped", "America/Santiago", "2026-09-06", "2026-09-06T01:00:00-03:00", 23},
		{"clocks forward at two", "Europe/Berlin", "2026-03-29", "2026-03-29T00:00:00+01:00", 23},
		{"clocks back at three", "Europe/Berlin", "2026-10-25", "2026-10-25T00:00:00+02:00", 25},
		{"half an hour", "Australia/Lord_Howe", "2026-04-05", "2026-04-05T00:00:00+11:00", 24.5},
		{"day left out", "Pacific/Apia", "2011-12-30", "2011-12-31T00:00:00+14:00", 0},
		{"day before it", "Pacific/Apia", "2011-12-29", "2011-12-29T00:00:00-10:00", 24},
		{"far east", "Pacific/Kiritimati", "2026-03-10", "2026-03-10T00:00:00+14:00", 24},
		{"first midnight of two", "America/Havana", "2026-11-01", "2026-11-01T00:00:00-04:00", 25},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			z := zone(t, tt.zone)
			start, next := tt.date.In(z), tt.date.AddDays(1).In(z)
			if got := start.Format(time.RFC3339); got != tt.start || next.Sub(start).Hours() != tt.hours {
				t.Errorf("%s starts %s and lasts %v; want %s, %v h", tt.date, got, next.Sub(start), tt.start, tt.hours)
			}
		})
	}
}

// TestEveryInstantIsInItsDay shows that days meet without gap or overlap.
func TestEveryInstantIsInItsDay(t *testing.T) {
	zones := []string{"UTC", "Asia/Jakarta", "Europe/Berlin", "America/Santiago", "America/Havana", "Australia/Lord_Howe", "Pacific/Auckland", "Asia/Kathmandu"}
	rapid.Check(t, func(rt *rapid.T) {
		z := zone(t, rapid.SampledFrom(zones).Draw(rt, "zone"))
		at := time.Unix(rapid.Int64Range(1_262_304_000, 2_208_988_800).Draw(rt, "unix"), 0) // 2010 to 2039
		d := DateOf(at, z)
		if at.Before(d.In(z)) || !at.Before(d.AddDays(1).In(z)) {
			rt.Fatalf("%v is on %s, which lasts from %v to %v", at.In(z), d, d.In(z), d.AddDays(1).In(z))
		}
	})
}

func TestAddDaysAndDays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := DateOf(time.Unix(rapid.Int64Range(-3e10, 2e11).Draw(t, "unix"), 0), time.UTC)
		n := rapid.IntRange(-200_000, 200_000).Draw(t, "n")
		later := d.AddDays(n)
		if later.Days(d) != n || later.AddDays(-n) != d {
			t.Fatalf("%s + %d = %s, %d days apart, back at %s", d, n, later, later.Days(d), later.AddDays(-n))
		}
		if (n > 0) != (later > d) {
			t.Fatalf("%s + %d = %s does not order", d, n, later)
		}
	})
	if got := Date("2026-02-28").AddDays(1); got != "2026-03-01" {
		t.Errorf("the day after 2026-02-28 is %s", got)
	}
}

func FuzzParseDate(f *testing.F) {
	f.Add("2026-03-10")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDate(text)
		if err != nil {
			return
		}
		if again := d.AddDays(1).AddDays(-1); again != d || len(d) != 10 {
			t.Errorf("ParseDate(%q) = %q, whose next day's previous is %q", text, d, again)
		}
	})
}
