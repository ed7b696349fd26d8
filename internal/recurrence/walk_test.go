package recurrence

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"workforce/internal/shift"
)

// parse returns a rule that can be read.
func parse(t testing.TB, text string) *Rule {
	t.Helper()
	r, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return r
}

// TestBetween tries the examples of RFC 5545, 3.8.5.3, and dates that are hard.
func TestBetween(t *testing.T) {
	for _, tt := range []struct {
		rule        string
		start, last shift.Date
		want        string // dates
	}{
		{"FREQ=DAILY;COUNT=3", "1997-09-02", "1998-12-31", "1997-09-02 1997-09-03 1997-09-04"},
		{"FREQ=DAILY;INTERVAL=10;COUNT=5", "1997-09-02", "1998-12-31",
			"1997-09-02 1997-09-12 1997-09-22 1997-10-02 1997-10-12"},
		{"FREQ=DAILY;UNTIL=19970903T000000Z", "1997-09-02", "1998-12-31", "1997-09-02 1997-09-03"},
		{"FREQ=WEEKLY;INTERVAL=2;UNTIL=19971008;WKST=SU;BYDAY=MO,WE,FR", "1997-09-01", "1998-12-31",
			"1997-09-01 1997-09-03 1997-09-05 1997-09-15 1997-09-17 1997-09-19 1997-09-29 1997-10-01 1997-10-03"},
		{"FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997-08-05", "1998-12-31",
			"1997-08-05 1997-08-10 1997-08-19 1997-08-24"},
		{"FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997-08-05", "1998-12-31",
			"1997-08-05 1997-08-17 1997-08-19 1997-08-31"},
		{"FREQ=MONTHLY;COUNT=3;BYDAY=1FR", "1997-09-05", "1998-12-31", "1997-09-05 1997-10-03 1997-11-07"},
		{"FREQ=MONTHLY;INTERVAL=2;COUNT=4;BYDAY=1SU,-1SU", "1997-09-07", "1998-12-31",
			"1997-09-07 1997-09-28 1997-11-02 1997-11-30"},
		{"FREQ=MONTHLY;BYMONTHDAY=-3", "1997-09-28", "1997-12-31", "1997-09-28 1997-10-29 1997-11-28 1997-12-29"},
		{"FREQ=MONTHLY;COUNT=5;BYMONTHDAY=15,30", "2007-01-15", "2008-12-31",
			"2007-01-15 2007-01-30 2007-02-15 2007-03-15 2007-03-30"},
		{"FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "1997-09-02", "1999-12-31",
			"1998-02-13 1998-03-13 1998-11-13 1999-08-13"},
		{"FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", "1997-09-13", "1997-11-30",
			"1997-09-13 1997-10-11 1997-11-08"},
		{"FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997-09-04", "1998-12-31",
			"1997-09-04 1997-10-07 1997-11-06"},
		{"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "1997-09-29", "1997-12-31",
			"1997-09-29 1997-10-30 1997-11-27 1997-12-30"},
		{"FREQ=YEARLY;COUNT=3;BYMONTH=6,7", "1997-06-10", "1999-12-31", "1997-06-10 1997-07-10 1998-06-10"},
		{"FREQ=YEARLY;INTERVAL=3;COUNT=4;BYYEARDAY=1,100,200", "1997-01-01", "2000-12-31",
			"1997-01-01 1997-04-10 1997-07-19 2000-01-01"},
		{"FREQ=YEARLY;BYDAY=20MO", "1997-05-19", "1999-12-31", "1997-05-19 1998-05-18 1999-05-17"},
		{"FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "1997-05-12", "1999-12-31", "1997-05-12 1998-05-11 1999-05-17"},
		{"FREQ=YEARLY;BYMONTH=3;BYDAY=TH", "1997-03-13", "1997-12-31", "1997-03-13 1997-03-20 1997-03-27"},
		{"FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "1996-11-05", "2004-12-31",
			"1996-11-05 2000-11-07 2004-11-02"},

		{"FREQ=MONTHLY", "2026-01-31", "2026-05-31", "2026-01-31 2026-03-31 2026-05-31"},
		{"FREQ=YEARLY", "2024-02-29", "2033-12-31", "2024-02-29 2028-02-29 2032-02-29"},
		{"FREQ=YEARLY", "2096-02-29", "2106-01-01", "2096-02-29 2104-02-29"},
		{"FREQ=YEARLY;BYMONTH=2", "2026-01-29", "2030-12-31", "2028-02-29"},
		{"FREQ=YEARLY;BYYEARDAY=-1,366", "2027-01-01", "2029-12-31", "2027-12-31 2028-12-31 2029-12-31"},
		{"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "2026-01-01", "2035-12-31", ""},
		{"FREQ=MONTHLY;BYDAY=MO,2TU", "2026-03-01", "2026-03-31",
			"2026-03-02 2026-03-09 2026-03-10 2026-03-16 2026-03-23 2026-03-30"},
		{"FREQ=YEARLY;BYMONTH=3,5;BYDAY=-1SU", "2026-01-01", "2026-12-31", "2026-03-29 2026-05-31"},
		{"FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1", "2026-03-11", "2026-03-31", "2026-03-16 2026-03-23 2026-03-30"},
		{"FREQ=WEEKLY;BYMONTH=1", "2026-12-31", "2027-01-31", "2027-01-07 2027-01-14 2027-01-21 2027-01-28"},

		// A year has the week with its first Thursday as its first, and 52 or 53 of them.
		{"FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO", "2024-01-01", "2027-01-31",
			"2024-01-01 2024-12-30 2025-12-29 2027-01-04"},
		{"FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO,SU", "2020-01-01", "2027-01-31",
			"2020-12-28 2021-01-03 2026-12-28 2027-01-03"},
		{"FREQ=YEARLY;BYWEEKNO=-1;BYDAY=SU", "2024-01-01", "2027-01-31", "2024-12-29 2025-12-28 2027-01-03"},
		{"FREQ=YEARLY;BYWEEKNO=1;BYDAY=SU;WKST=SU", "2026-01-01", "2027-01-31", "2026-01-04 2027-01-03"},
		{"FREQ=YEARLY;BYWEEKNO=20", "1997-05-13", "1998-12-31",
			"1997-05-13 1998-05-12"}, // on the weekday of the start

		// What the RFC forbids and older rules may have.
		{"FREQ=WEEKLY;BYDAY=2MO", "2026-03-01", "2026-03-16", "2026-03-02 2026-03-09 2026-03-16"},
		{"FREQ=WEEKLY;BYDAY=MO,TU;BYMONTHDAY=10", "2026-03-01", "2026-04-30", "2026-03-10"},
		{"FREQ=DAILY;INTERVAL=0;COUNT=0;UNTIL=20260302", "2026-03-01", "2026-04-30", "2026-03-01 2026-03-02"},
		{"FREQ=DAILY;COUNT=2;UNTIL=20260306", "2026-03-01", "2026-04-30", "2026-03-01 2026-03-02"},
	} {
		dates, err := parse(t, tt.rule).Between(t.Context(), tt.start, tt.start, tt.last)
		if got := strings.Trim(fmt.Sprint(dates), "[]"); got != tt.want || err != nil {
			t.Errorf("%s from %s:\n%s, %v, want\n%s", tt.rule, tt.start, got, err, tt.want)
		}
	}
}

// TestWindow asks for dates long after the start, from any day of a unit.
func TestWindow(t *testing.T) {
	for _, text := range []string{
		"FREQ=DAILY;INTERVAL=7", "FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,SU", "FREQ=WEEKLY;INTERVAL=2;WKST=TH;BYDAY=MO,FR",
		"FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=1,31", "FREQ=YEARLY;INTERVAL=3;BYMONTH=1,12;BYMONTHDAY=1,31",
		"FREQ=WEEKLY;COUNT=40;BYDAY=MO,SU", "FREQ=MONTHLY;UNTIL=20270505;BYDAY=MO",
	} {
		r := parse(t, text)
		all, err := r.Between(t.Context(), "2020-01-30", "2020-01-30", "2029-12-31")
		if err != nil || len(all) == 0 {
			t.Fatal(err)
		}
		for from := shift.Date("2020-01-01"); from < "2028-12-01"; from = from.AddDays(17) {
			var next, last shift.Date
			for _, d := range all {
				if d > from && next == "" {
					next = d
				}
				if d <= from {
					last = d
				}
			}
			if got, err := r.Next(t.Context(), "2020-01-30", from); got != next || err != nil {
				t.Errorf("%s after %s: %q, %v, want %q", text, from, got, err, next)
			}
			if got, err := r.Last(t.Context(), "2020-01-30", from); got != last || err != nil {
				t.Errorf("%s up to %s: %q, %v, want %q", text, from, got, err, last)
			}
		}
	}
}

func TestTenYears(t *testing.T) {
	r := parse(t, "FREQ=YEARLY;INTERVAL=10")
	if next, _ := r.Next(t.Context(), "2026-03-10", "2026-03-10"); next != "2036-03-10" {
		t.Errorf("in ten years: %q", next)
	}
	if next, _ := r.Next(t.Context(), "2026-03-10", "2026-03-09"); next != "2026-03-10" {
		t.Errorf("the start: %q", next)
	}
	r = parse(t, "FREQ=YEARLY;INTERVAL=11")
	if next, err := r.Next(t.Context(), "2026-03-10", "2026-03-10"); next != "" || err != nil {
		t.Errorf("in eleven years: %q, %v", next, err)
	}
	if last, err := r.Last(t.Context(), "2026-03-10", "2036-03-11"); last != "" || err != nil {
		t.Errorf("over ten years ago: %q, %v", last, err)
	}
	all, _ := parse(t, "FREQ=DAILY").Between(t.Context(), "9990-01-01", "9990-01-01", "9999-12-31")
	if last := all[len(all)-1]; last != "9998-12-31" {
		t.Errorf("the last date there is: %s", last)
	}
	if all, _ := parse(t, "FREQ=DAILY").Between(t.Context(), "2026-01-01", "2026-01-01", "2126-01-01"); len(all) != 3653 {
		t.Errorf("%d dates of a century, want 3653", len(all))
	}
}

// TestSteps counts the days that walks look at: they are bounded, whatever the rule.
func TestSteps(t *testing.T) {
	for _, tt := range []struct {
		rule     string
		start    shift.Date
		from, to shift.Date
		most     int
	}{
		{"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "2026-03-10", "2026-03-11", "2036-03-10", 500},
		{"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "1900-01-01", "2026-01-01", "2027-12-31", 100},
		{"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5", "1900-01-01", "2026-01-01", "2027-12-31", 6_000},
		{"FREQ=YEARLY;BYDAY=53MO;BYMONTHDAY=1;COUNT=1000", "1900-01-01", "2026-01-01", "2027-12-31", 47_000},
		{"FREQ=DAILY;BYSETPOS=" + strings.Repeat("2,", 234) + "2", "2026-03-10", "2026-03-11", "2036-03-10", 3_700},
		{"FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4,6,9,11", "0001-01-01", "2026-03-11", "2036-03-10", 2_000},
		{"FREQ=YEARLY;BYDAY=53MO;BYMONTHDAY=1", "0001-01-01", "2026-03-11", "2036-03-10", 4_100},
		{"FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6", "2026-03-10", "2026-03-11", "2036-03-10", 500},
		{"FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=7", "2026-03-10", "2026-03-11", "2036-03-10", 3_700},
		{"FREQ=YEARLY;INTERVAL=1000;BYMONTHDAY=31;BYMONTH=2", "2026-03-10", "2026-03-11", "2036-03-10", 50},
	} {
		w := parse(t, tt.rule).walk(dayOf(tt.start), dayOf(tt.from), dayOf(tt.to))
		found := 0
		err := w.run(t.Context(), func(day) bool { found++; return true })
		if err != nil || found > 0 || w.steps > tt.most {
			t.Errorf("%.50s from %s: %d dates, %d days looked at, want none and %d at most; %v",
				tt.rule, tt.start, found, w.steps, tt.most, err)
		}
	}
	w := parse(t, "FREQ=DAILY;COUNT=999999999").walk(dayOf("0001-01-01"), dayOf("2026-01-01"), dayOf("2027-01-01"))
	if err := w.run(t.Context(), func(day) bool { return true }); !errors.Is(err, ErrRule) || w.steps > maxSteps {
		t.Errorf("counted for 2000 years: %v, %d days", err, w.steps)
	}
}

// TestCancelled ends a walk with its context, also in the middle.
func TestCancelled(t *testing.T) {
	r := parse(t, "FREQ=YEARLY;BYDAY=53MO;BYMONTHDAY=1")
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := r.Next(ctx, "2026-03-10", "2026-03-10"); err != nil {
		t.Error(err)
	}
	w := parse(t, "FREQ=DAILY").walk(dayOf("2026-01-01"), dayOf("2026-01-01"), dayOf("2036-01-01"))
	err := w.run(ctx, func(day) bool { cancel(); return true })
	if !errors.Is(err, context.Canceled) || w.steps > 1024 {
		t.Errorf("in the middle: %v after %d days", err, w.steps)
	}
	if _, err := r.Next(ctx, "2026-03-10", "2026-03-10"); !errors.Is(err, context.Canceled) {
		t.Errorf("before: %v", err)
	}
	if _, err := r.Last(ctx, "2026-03-10", "2026-03-10"); !errors.Is(err, context.Canceled) {
		t.Errorf("before, backwards: %v", err)
	}
}

func BenchmarkWalk(b *testing.B) {
	for _, text := range []string{
		"FREQ=DAILY;BYSETPOS=2", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=YEARLY;BYWEEKNO=-53;BYMONTHDAY=1",
		"FREQ=YEARLY;BYDAY=53MO;BYMONTHDAY=1;COUNT=2",
	} {
		b.Run(text, func(b *testing.B) {
			r := parse(b, text)
			for b.Loop() {
				if _, err := r.Next(b.Context(), "1900-03-10", "2026-03-10"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
