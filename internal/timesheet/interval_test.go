package timesheet

import (
	"slices"
	"testing"
	"time"

	"workforce/internal/shift"
)

type interval = shift.Interval

// newIntervals makes intervals of seconds within a minute and a half, in any order; some
// are empty, end before they begin, or overlap.
func newIntervals(s source) (list []interval) {
	for range s.IntN(8) {
		from := at(12, 0).Add(time.Duration(s.IntN(90)) * time.Second)
		list = append(list, interval{Start: from, End: from.Add(time.Duration(s.IntN(30)-3) * time.Second)})
	}
	return list
}

// TestIntervalsAsSecondsSay compares the operations with those on sets of seconds.
func TestIntervalsAsSecondsSay(t *testing.T) {
	seconds := func(keep func(time.Time) bool) (n time.Duration) {
		for s := at(11, 59); s.Before(at(12, 3)); s = s.Add(time.Second) {
			if keep(s) {
				n += time.Second
			}
		}
		return n
	}
	for seed := range uint64(1000) {
		s := newRandom(seed)
		a, b := newIntervals(s), newIntervals(s)
		beforeA, beforeB := slices.Clone(a), slices.Clone(b)
		for _, tt := range []struct {
			name string
			got  []interval
			want func(time.Time) bool
		}{
			{"union", Union(a, b), func(t time.Time) bool { return inside(t, a) || inside(t, b) }},
			{"union of one", Union(a), func(t time.Time) bool { return inside(t, a) }},
			{"difference", Subtract(a, b), func(t time.Time) bool { return inside(t, a) && !inside(t, b) }},
			{"intersection", Intersect(a, b), func(t time.Time) bool { return inside(t, a) && inside(t, b) }},
		} {
			if !isUnion(tt.got) {
				t.Fatalf("seed %d: %s is no union: %v", seed, tt.name, tt.got)
			}
			same := func(s time.Time) bool { return inside(s, tt.got) == tt.want(s) }
			if Sum(tt.got) != seconds(tt.want) || seconds(same) != 4*time.Minute {
				t.Fatalf("seed %d: %s of %v and %v is %v", seed, tt.name, a, b, tt.got)
			}
		}
		if !slices.Equal(a, beforeA) || !slices.Equal(b, beforeB) {
			t.Fatalf("seed %d: arguments were changed", seed)
		}
		checkParted(t, Union(a), s)
	}
}

// checkParted parts a union by how long it has lasted.
func checkParted(t *testing.T, union []interval, s source) {
	t.Helper()
	sum := Sum(union)
	from := time.Duration(s.IntN(60)) * time.Second
	to := from + time.Duration(s.IntN(60))*time.Second
	head, middle, tail := between(union, 0, from), between(union, from, to), between(union, to, forever)
	if Sum(head) != min(from, sum) || Sum(middle) != min(to, sum)-min(from, sum) || !slices.Equal(Union(head, middle, tail), union) {
		t.Fatalf("%v parts into %v, %v and %v at %v and %v", union, head, middle, tail, from, to)
	}
	if from > 0 {
		end, ok := instantOf(union, from)
		if ok != (sum >= from) || ok && !end.Equal(head[len(head)-1].End) {
			t.Fatalf("%v has lasted %v at %v, %v", union, from, end, ok)
		}
	}
}

// TestSplitLosesNoSecond parts intervals at midnights of zones whose clocks change at
// midnight, after it, and by a whole day.
func TestSplitLosesNoSecond(t *testing.T) {
	for _, zone := range []string{"UTC", "Europe/Berlin", "America/Santiago", "America/St_Johns", "Pacific/Apia", "Australia/Lord_Howe", "Asia/Kathmandu"} {
		for seed := range uint64(60) {
			s, z := newRandom(seed), zoneOf(zone)
			year := pick(s, 1987, 2006, 2011, 2026)
			var list []interval
			at := time.Date(year, time.Month(1+s.IntN(12)), 1+s.IntN(28), 0, 0, 0, 0, time.UTC)
			for range 1 + s.IntN(30) {
				end := at.Add(time.Duration(1+s.IntN(70*3600)) * time.Second)
				list = append(list, interval{Start: at, End: end})
				at = end.Add(time.Duration(s.IntN(40*3600)) * time.Second)
			}
			var parts []interval
			var last shift.Date
			for date, part := range Split(list, z) {
				if date < last {
					t.Fatalf("%s, seed %d: %s comes after %s", zone, seed, date, last)
				}
				last = date
				if part.Start.Before(date.In(z)) || part.End.After(date.AddDays(1).In(z)) || !part.Start.Before(part.End) {
					t.Fatalf("%s, seed %d: %v is not of %s", zone, seed, part, date)
				}
				parts = append(parts, part)
			}
			if Sum(parts) != Sum(list) || !slices.Equal(Union(parts), Union(list)) {
				t.Fatalf("%s, seed %d: %v of %v", zone, seed, Sum(parts), Sum(list))
			}
		}
	}
	// One minute past midnight, clocks go back to 23:01: the hour until midnight is of the
	// new day.
	repeated := time.Date(2006, 10, 29, 2, 45, 0, 0, time.UTC)
	for date, part := range Split([]interval{{Start: repeated, End: repeated.Add(2 * time.Hour)}}, zoneOf("America/St_Johns")) {
		if date != "2006-10-29" || part.End.Sub(part.Start) != 2*time.Hour {
			t.Fatalf("%v of %s", part, date)
		}
	}
	for date := range Split([]interval{span(0, 100)}, time.UTC) {
		if date != "2026-03-10" {
			t.Errorf("went on at %s", date)
		}
		break
	}
}
