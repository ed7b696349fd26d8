package booking

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

var jakarta = shift.ZoneNamed("Asia/Jakarta")

// write writes groups as key=seconds(tasks), those below in brackets.
func write(groups []*Group) string {
	var parts []string
	for _, g := range groups {
		text := fmt.Sprintf("%s=%d", g.Key, g.Seconds)
		if len(g.Groups) > 0 {
			text += "[" + write(g.Groups) + "]"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

func TestTotals(t *testing.T) {
	p := timesheet.Period{From: "2026-03-30", To: "2026-04-01"}
	facts := []Fact{
		{Date: "2026-03-30", User: 1, Task: 7, Project: 3, Category: 5, Status: "open", Tags: []string{"a", "b"}, Seconds: 100},
		{Date: "2026-03-30", User: 1, Task: 8, Project: 12, Status: "done", Tags: []string{"a"}, Seconds: 50},
		{Date: "2026-04-01", User: 2, Task: 7, Address: 4, Status: "open", Seconds: 25},
		{Date: "2026-04-02", User: 2, Task: 9, Seconds: 1000},
		{Date: "2026-03-29", User: 2, Task: 9, Seconds: 1000},
	}
	label := func(_ Dimension, key string) string { return key }
	for _, tt := range []struct {
		by   []Dimension
		fill bool
		want string
	}{
		{nil, true, ""},
		{[]Dimension{ByDate}, false, "2026-03-30=150 2026-04-01=25"},
		{[]Dimension{ByDate}, true, "2026-03-30=150 2026-03-31=0 2026-04-01=25"},
		{[]Dimension{ByWeek}, false, "2026-03-29=175"},
		{[]Dimension{ByMonth}, false, "2026-03=150 2026-04=25"},
		{[]Dimension{ByYear}, true, "2026=175"},
		{[]Dimension{ByUser}, true, "1=150 2=25"},
		{[]Dimension{ByTask}, false, "7=125 8=50"},
		{[]Dimension{ByProject}, false, "12=50 3=100 =25"},
		{[]Dimension{ByCategory}, false, "5=100 =75"},
		{[]Dimension{ByAddress}, false, "4=25 =150"},
		{[]Dimension{ByStatus}, false, "done=50 open=125"},
		{[]Dimension{ByTag}, false, "a=150 b=100 =25"}, // CG-03: they overlap, 175 in all
		{[]Dimension{ByUser, ByMonth}, true, "1=150[2026-03=150 2026-04=0] 2=25[2026-03=0 2026-04=25]"},
		{[]Dimension{ByMonth, ByTask}, false, "2026-03=150[7=100 8=50] 2026-04=25[7=25]"},
		{[]Dimension{ByDate, ByTag}, true, "2026-03-30=150[a=150 b=100] 2026-03-31=0 2026-04-01=25[=25]"},
	} {
		all := NewTotals(p, 7, tt.fill, tt.by...)
		for _, f := range facts {
			all.Add(f)
		}
		all.Sort(label)
		if got := write(all.Groups); got != tt.want || all.Seconds != 175 || all.Tasks() != 2 {
			t.Errorf("%v: %q of %d with %d tasks, want %q of 175 with 2", tt.by, got, all.Seconds, all.Tasks(), tt.want)
		}
	}
}

func TestSortIgnoresNumbers(t *testing.T) {
	all := NewTotals(timesheet.Period{From: "2026-03-30", To: "2026-03-30"}, 1, false, ByProject)
	for _, id := range []int{10, 9, 3, 0} {
		all.Add(Fact{Date: "2026-03-30", Project: id, Seconds: id})
	}
	all.Sort(func(_ Dimension, key string) string {
		if key == "3" {
			return "b"
		}
		return "a"
	})
	if got := write(all.Groups); got != "9=9 10=10 3=3 =0" {
		t.Error(got)
	}
}

func TestDays(t *testing.T) {
	utc := func(text string) time.Time {
		if text == "" {
			return time.Time{}
		}
		at, err := time.Parse("2006-01-02 15:04:05", text)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for _, tt := range []struct {
		about      string
		start, end string
		view       timesheet.Rounding
		want       string
	}{
		{"one day", "2026-03-10 02:00:00", "2026-03-10 03:00:05", timesheet.Rounding{}, "2026-03-10=3605"},
		{"over midnight", "2026-03-10 16:00:00", "2026-03-10 18:30:00", timesheet.Rounding{}, "2026-03-10=3600 2026-03-11=5400"},
		{"running", "2026-03-10 16:59:58", "", timesheet.Rounding{}, "2026-03-10=2 2026-03-11=3600"},
		{"over two", "2026-03-10 16:00:00", "2026-03-11 18:00:00", timesheet.Rounding{}, "2026-03-10=3600 2026-03-11=86400 2026-03-12=3600"},
		{"rounded, then split", "2026-03-10 16:53:00", "2026-03-10 17:04:00", timesheet.Rounding{Mode: timesheet.Outward, Minutes: 15}, "2026-03-10=900 2026-03-11=900"},
		{"no length", "2026-03-10 16:53:00", "2026-03-10 16:53:00", timesheet.Rounding{Mode: timesheet.Outward, Minutes: 15}, ""},
	} {
		var got []string
		for d, n := range (Span{0, utc(tt.start), utc(tt.end)}).Days(jakarta, tt.view, utc("2026-03-10 18:00:00")) {
			got = append(got, fmt.Sprintf("%s=%d", d, n))
		}
		if text := strings.Join(got, " "); text != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, text, tt.want)
		}
	}
}

// TestSums: what groups add up to is the total, by any one or two dimensions but tags, and the
// days of an entry are its length.
func TestSums(t *testing.T) {
	dimensions := []Dimension{ByDate, ByWeek, ByMonth, ByYear, ByUser, ByTask, ByProject, ByCategory, ByStatus, ByAddress}
	rapid.Check(t, func(t *rapid.T) {
		by := []Dimension{rapid.SampledFrom(dimensions).Draw(t, "by"), rapid.SampledFrom(dimensions).Draw(t, "then")}
		p := timesheet.Period{From: "2026-01-01", To: shift.Date("2026-01-01").AddDays(rapid.IntRange(0, 60).Draw(t, "days"))}
		all := NewTotals(p, rapid.IntRange(1, 7).Draw(t, "first"), rapid.Bool().Draw(t, "fill"), by...)
		want := 0
		small := rapid.IntRange(0, 3)
		for range rapid.IntRange(0, 20).Draw(t, "entries") {
			start := time.Date(2025, 12, 31, 0, 0, rapid.IntRange(0, 60*86400).Draw(t, "start"), 0, time.UTC)
			length := rapid.IntRange(0, 3*86400).Draw(t, "length")
			s := Span{0, start, start.Add(time.Duration(length) * time.Second)}
			f := Fact{User: small.Draw(t, "user"), Task: small.Draw(t, "task"), Project: small.Draw(t, "project"), Category: small.Draw(t, "category")}
			sum := 0
			for d, n := range s.Days(jakarta, timesheet.Rounding{}, start) {
				f.Date, f.Seconds = d, n
				all.Add(f)
				sum += n
				if p.Contains(d) {
					want += n
				}
			}
			if sum != length {
				t.Fatalf("the days of %v have %d seconds", s, sum)
			}
		}
		sum := 0
		for _, g := range all.Groups {
			below := 0
			for _, b := range g.Groups {
				below += b.Seconds
			}
			if len(g.Groups) > 0 && below != g.Seconds {
				t.Fatalf("%s has %d, and %d below", g.Key, g.Seconds, below)
			}
			sum += g.Seconds
		}
		if all.Seconds != want || sum != want {
			t.Fatalf("total %d, groups %d, want %d", all.Seconds, sum, want)
		}
	})
}
