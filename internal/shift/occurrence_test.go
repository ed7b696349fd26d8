package shift

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const (
	yesterday = Date("2026-03-09")
	today     = Date("2026-03-10") // D of the scenarios
	tomorrow  = Date("2026-03-11")
)

// working returns a shift in Jakarta with margins of an hour.
func working(t testing.TB, start, end Clock) Shift {
	return Shift{Start: start, End: end, Zone: zone(t, "Asia/Jakarta"), OpensBefore: 60, ClosesAfter: 60}
}

// clock reads "2026-03-10 08:45" in a zone.
func clock(t testing.TB, z *time.Location, text string) time.Time {
	t.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04:05", text, z)
	if err != nil {
		at, err = time.ParseInLocation("2006-01-02 15:04", text, z)
	}
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// clipped returns the occurrences of one person, who has no two at a time, with
// clipped windows and in the order of their starts.
func clipped(occurrences ...Occurrence) []Occurrence {
	slices.SortFunc(occurrences, func(a, b Occurrence) int { return a.StartAt.Compare(b.StartAt) })
	for i := 1; i < len(occurrences); i++ {
		occurrences[i-1], occurrences[i] = Clip(occurrences[i-1], occurrences[i])
	}
	return occurrences
}

// open lists which occurrences may be clocked in for, each as 2026-03-10 08:00.
func open(at time.Time, occurrences []Occurrence) string {
	var names []string
	for _, o := range occurrences {
		if o.Open(at) {
			names = append(names, string(o.Date)+o.StartAt.Format(" 15:04"))
		}
	}
	return strings.Join(names, ", ")
}

// TestOpen finds the occurrences of which a person may clock in for one: with
// clipped windows there is one at a time, but in the minute in which two touch.
func TestOpen(t *testing.T) {
	s1, s2 := working(t, "08:00", "12:00"), working(t, "12:30", "16:30")
	night := working(t, "23:00", "01:00")
	late := working(t, "15:00", "23:00")
	late.ClosesAfter = 120
	before, after := working(t, "07:00", "12:00"), working(t, "09:30", "14:00")
	longDay, longNight := working(t, "07:00", "19:00"), working(t, "19:00", "07:00")
	fortnight := Assignment{StartsOn: today, EndsOn: today.AddDays(15), Weekdays: []int{1, 2, 3, 4, 5, 6, 7}, EveryWeeks: 1}

	// on lists a shift's occurrences around today, those that a covers.
	on := func(a Assignment, s Shift) (all []Occurrence) {
		for d := yesterday; d <= today.AddDays(17); d = d.AddDays(1) {
			if a.Covers(d) {
				all = append(all, s.On(d))
			}
		}
		return all
	}
	one := clipped(s1.On(today))
	two := clipped(slices.Concat(on(fortnight, s2), on(fortnight, s1))...)
	nights := clipped(night.On(yesterday), night.On(today), night.On(tomorrow))
	lates := clipped(late.On(today), late.On(tomorrow))
	shiftWork := clipped(longDay.On(tomorrow), longNight.On(yesterday), longDay.On(today), longNight.On(today))
	moved := clipped(after.On(today), before.On(yesterday))
	tests := []struct {
		name        string
		occurrences []Occurrence
		at, want    string
	}{
		{"inside", one, "2026-03-10 08:45", "2026-03-10 08:00"},
		{"first minute", one, "2026-03-10 07:00", "2026-03-10 08:00"},
		{"second too early", one, "2026-03-10 06:59:59", ""},
		{"last minute", one, "2026-03-10 13:00", "2026-03-10 08:00"},
		{"last second", one, "2026-03-10 13:00:59", "2026-03-10 08:00"},
		{"minute too late", one, "2026-03-10 13:01", ""},
		{"first of two", two, "2026-03-10 08:45", "2026-03-10 08:00"},
		{"second of two", two, "2026-03-10 12:45", "2026-03-10 12:30"},
		{"last day", two, "2026-03-25 12:45", "2026-03-25 12:30"},
		{"after the last day", two, "2026-03-26 08:45", ""},
		{"night, at its start", nights, "2026-03-10 23:00", "2026-03-10 23:00"},
		{"night, after midnight", nights, "2026-03-11 01:30", "2026-03-10 23:00"},
		{"late shift, before its start", lates, "2026-03-10 14:00", "2026-03-10 15:00"},
		{"late shift, margin past midnight", lates, "2026-03-11 01:00", "2026-03-10 15:00"},
		{"other hours from today on", moved, "2026-03-10 14:01", "2026-03-10 09:30"},
		{"other hours until yesterday", moved, "2026-03-09 07:01", "2026-03-09 07:00"},
		{"yesterday's last minute", moved, "2026-03-09 13:00", "2026-03-09 07:00"},
		{"a second before the end", two, "2026-03-10 11:59:59", "2026-03-10 08:00"},
		{"minute of the end", two, "2026-03-10 12:00:59", "2026-03-10 08:00, 2026-03-10 12:30"},
		{"minute after", two, "2026-03-10 12:01", "2026-03-10 12:30"},
		{"night until 06:59", shiftWork, "2026-03-10 06:59:59", "2026-03-09 19:00"},
		{"night and day at 07:00", shiftWork, "2026-03-10 07:00", "2026-03-09 19:00, 2026-03-10 07:00"},
		{"day from 07:01", shiftWork, "2026-03-10 07:01", "2026-03-10 07:00"},
		{"day and night at 19:00", shiftWork, "2026-03-10 19:00", "2026-03-10 07:00, 2026-03-10 19:00"},
		{"night from 19:01", shiftWork, "2026-03-10 19:01", "2026-03-10 19:00"},
		{"no shift", nil, "2026-03-10 08:45", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := open(clock(t, s1.Zone, tt.at), tt.occurrences); got != tt.want {
				t.Errorf("open at %s: %q, want %q", tt.at, got, tt.want)
			}
		})
	}
}

// TestOn holds the windows of A02, A06, A07, A08, A12 and SH-06, and the nights
// over a change of clocks.
func TestOn(t *testing.T) {
	tests := []struct {
		name, zone   string
		s            Shift
		date         Date
		start, end   string // RFC 3339
		from, until  string // local
		hours        float64
		breakSeconds int
	}{
		{name: "A02", zone: "Asia/Jakarta", s: Shift{Start: "08:00", End: "12:00", OpensBefore: 60, ClosesAfter: 60}, date: today,
			start: "2026-03-10T08:00:00+07:00", end: "2026-03-10T12:00:00+07:00", from: "03-10 07:00", until: "03-10 13:00", hours: 4},
		{name: "A06", zone: "Asia/Jakarta", s: Shift{Start: "23:00", End: "01:00", OpensBefore: 60, ClosesAfter: 60}, date: today,
			start: "2026-03-10T23:00:00+07:00", end: "2026-03-11T01:00:00+07:00", from: "03-10 22:00", until: "03-11 02:00", hours: 2},
		{name: "A07", zone: "Asia/Jakarta", s: Shift{Start: "15:00", End: "23:00", OpensBefore: 60, ClosesAfter: 120}, date: today,
			start: "2026-03-10T15:00:00+07:00", end: "2026-03-10T23:00:00+07:00", from: "03-10 14:00", until: "03-11 01:00", hours: 8},
		{name: "A08", zone: "Asia/Jakarta", s: Shift{Start: "09:30", End: "14:00", OpensBefore: 60, ClosesAfter: 60}, date: today,
			start: "2026-03-10T09:30:00+07:00", end: "2026-03-10T14:00:00+07:00", from: "03-10 08:30", until: "03-10 15:00", hours: 4.5},
		{name: "A12", zone: "Asia/Jakarta", s: Shift{Start: "08:00", End: "02:00"}, date: today,
			start: "2026-03-10T08:00:00+07:00", end: "2026-03-11T02:00:00+07:00", from: "03-10 08:00", until: "03-11 02:00", hours: 18},
		{name: "SH-06 opens the day before", zone: "Asia/Jakarta", s: Shift{Start: "00:30", End: "08:30", OpensBefore: 60, ClosesAfter: 60}, date: today,
			start: "2026-03-10T00:30:00+07:00", end: "2026-03-10T08:30:00+07:00", from: "03-09 23:30", until: "03-10 09:30", hours: 8},
		{name: "breaks on both sides of midnight", zone: "Asia/Jakarta", date: today,
			s:     Shift{Start: "22:00", End: "06:00", Breaks: []Break{{"23:45", "00:15"}, {"03:00", "03:20"}}},
			start: "2026-03-10T22:00:00+07:00", end: "2026-03-11T06:00:00+07:00", from: "03-10 22:00", until: "03-11 06:00", hours: 8, breakSeconds: 3000},
		{name: "Berlin, clocks forward in the night", zone: "Europe/Berlin", s: Shift{Start: "22:00", End: "06:00", OpensBefore: 60, ClosesAfter: 60}, date: "2026-03-28",
			start: "2026-03-28T22:00:00+01:00", end: "2026-03-29T06:00:00+02:00", from: "03-28 21:00", until: "03-29 07:00", hours: 7},
		{name: "Berlin, clocks back in the night", zone: "Europe/Berlin", s: Shift{Start: "22:00", End: "06:00", OpensBefore: 60, ClosesAfter: 60}, date: "2026-10-24",
			start: "2026-10-24T22:00:00+02:00", end: "2026-10-25T06:00:00+01:00", from: "10-24 21:00", until: "10-25 07:00", hours: 9},
		{name: "start is skipped", zone: "Europe/Berlin", s: Shift{Start: "02:30", End: "10:00"}, date: "2026-03-29",
			start: "2026-03-29T03:30:00+02:00", end: "2026-03-29T10:00:00+02:00", from: "03-29 03:30", until: "03-29 10:00", hours: 6.5},
		{name: "end is skipped", zone: "Europe/Berlin", s: Shift{Start: "20:00", End: "02:30"}, date: "2026-03-28",
			start: "2026-03-28T20:00:00+01:00", end: "2026-03-29T03:30:00+02:00", from: "03-28 20:00", until: "03-29 03:30", hours: 6.5},
		{name: "start skipped past the end", zone: "Europe/Berlin", s: Shift{Start: "02:30", End: "03:10"}, date: "2026-03-29",
			start: "2026-03-29T03:30:00+02:00", end: "2026-03-29T03:30:00+02:00", from: "03-29 03:30", until: "03-29 03:30", hours: 0},
		{name: "start is shown twice", zone: "Europe/Berlin", s: Shift{Start: "02:30", End: "10:00"}, date: "2026-10-25",
			start: "2026-10-25T02:30:00+02:00", end: "2026-10-25T10:00:00+01:00", from: "10-25 02:30", until: "10-25 10:00", hours: 8.5},
		{name: "end is shown twice", zone: "Europe/Berlin", s: Shift{Start: "20:00", End: "02:30"}, date: "2026-10-24",
			start: "2026-10-24T20:00:00+02:00", end: "2026-10-25T02:30:00+02:00", from: "10-24 20:00", until: "10-25 02:30", hours: 6.5},
		{name: "margin is elapsed time", zone: "Europe/Berlin", s: Shift{Start: "04:00", End: "10:00", OpensBefore: 120}, date: "2026-03-29",
			start: "2026-03-29T04:00:00+02:00", end: "2026-03-29T10:00:00+02:00", from: "03-29 01:00", until: "03-29 10:00", hours: 6},
		{name: "break in the hour shown twice", zone: "Europe/Berlin", date: "2026-10-24",
			s:     Shift{Start: "22:00", End: "06:00", Breaks: []Break{{"01:30", "03:00"}}},
			start: "2026-10-24T22:00:00+02:00", end: "2026-10-25T06:00:00+01:00", from: "10-24 22:00", until: "10-25 06:00", hours: 9, breakSeconds: 9000},
		{name: "break in the hour skipped", zone: "Europe/Berlin", date: "2026-03-28",
			s:     Shift{Start: "22:00", End: "06:00", Breaks: []Break{{"02:45", "03:15"}}},
			start: "2026-03-28T22:00:00+01:00", end: "2026-03-29T06:00:00+02:00", from: "03-28 22:00", until: "03-29 06:00", hours: 7},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.s.Zone = zone(t, tt.zone)
			o := tt.s.On(tt.date)
			got := [...]string{string(o.Date), o.StartAt.Format(time.RFC3339), o.EndAt.Format(time.RFC3339),
				o.ClockInFrom.Format("01-02 15:04"), o.ClockInUntil.Format("01-02 15:04")}
			if want := [...]string{string(tt.date), tt.start, tt.end, tt.from, tt.until}; got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
			if h := o.EndAt.Sub(o.StartAt).Hours(); h != tt.hours || o.BreakSeconds != tt.breakSeconds {
				t.Errorf("%v h with %d s of breaks, want %v h with %d s", h, o.BreakSeconds, tt.hours, tt.breakSeconds)
			}
		})
	}
}

func TestWholeDayShiftIsAlwaysOpen(t *testing.T) {
	s := Shift{Start: "00:00", End: "23:59", Zone: zone(t, "Asia/Jakarta")}
	days := clipped(s.On(yesterday), s.On(today), s.On(tomorrow))
	for at := today.In(s.Zone); at.Before(tomorrow.In(s.Zone)); at = at.Add(59 * time.Second) {
		if got := open(at, days); got != "2026-03-10 00:00" {
			t.Fatalf("open at %v: %q", at, got)
		}
	}
}

// TestOver shows the window's end, to which an open attendance is today's.
func TestOver(t *testing.T) {
	o := working(t, "22:00", "06:00").On(today)
	for at, want := range map[string]bool{
		"2026-03-10 20:00": false, "2026-03-11 07:00:59": false, "2026-03-11 07:01": true,
	} {
		if got := o.Over(clock(t, o.StartAt.Location(), at)); got != want {
			t.Errorf("over at %s: %v, want %v", at, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	hours := func(o Occurrence) string { return o.ClockInFrom.Format("15:04") + "-" + o.ClockInUntil.Format("15:04") }
	tests := []struct {
		name          string
		current, next Shift
		a, b          string
	}{
		{"clear of each other", working(t, "06:00", "08:00"), working(t, "12:00", "14:00"), "05:00-09:00", "11:00-15:00"},
		{"windows overlap", working(t, "08:00", "12:00"), working(t, "12:30", "16:30"), "07:00-12:00", "12:00-17:30"},
		{"back to back", working(t, "08:00", "12:00"), working(t, "12:00", "16:00"), "07:00-12:00", "12:00-17:00"},
		{"margins meet in the gap", working(t, "08:00", "12:00"), working(t, "13:30", "16:00"), "07:00-12:30", "12:30-17:00"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := Clip(tt.current.On(today), tt.next.On(today))
			if hours(a) != tt.a || hours(b) != tt.b {
				t.Errorf("windows %s and %s, want %s and %s", hours(a), hours(b), tt.a, tt.b)
			}
		})
	}
}

// TestOverlaps tests rule SH-12, with the day after.
func TestOverlaps(t *testing.T) {
	tests := []struct {
		a, b [2]Clock
		want bool
	}{
		{[2]Clock{"22:00", "02:00"}, [2]Clock{"21:00", "23:00"}, true},
		{[2]Clock{"22:00", "02:00"}, [2]Clock{"20:00", "01:00"}, true},
		{[2]Clock{"01:00", "02:00"}, [2]Clock{"01:30", "03:00"}, true},
		{[2]Clock{"21:00", "23:00"}, [2]Clock{"22:00", "03:00"}, true},
		{[2]Clock{"20:00", "01:00"}, [2]Clock{"15:00", "20:00"}, false},
		{[2]Clock{"20:00", "01:00"}, [2]Clock{"01:00", "05:00"}, false},
		{[2]Clock{"20:00", "01:00"}, [2]Clock{"21:00", "02:00"}, true},
		{[2]Clock{"22:00", "02:00"}, [2]Clock{"01:00", "03:00"}, true}, // of the next day
		{[2]Clock{"08:00", "12:00"}, [2]Clock{"12:00", "16:00"}, false},
	}
	for _, tt := range tests {
		a, b := working(t, tt.a[0], tt.a[1]), working(t, tt.b[0], tt.b[1])
		got := false
		for _, d := range []Date{yesterday, today, tomorrow} {
			if a.On(today).Overlaps(b.On(d)) != b.On(d).Overlaps(a.On(today)) {
				t.Errorf("%v and %v on %s: not the same both ways", tt.a, tt.b, d)
			}
			got = got || a.On(today).Overlaps(b.On(d))
		}
		if got != tt.want {
			t.Errorf("%v and %v overlap: %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

// wall returns the wall time n minutes after midnight.
func wall(n int) Clock {
	n %= minutesPerDay
	return Clock(fmt.Sprintf("%02d:%02d", n/60, n%60))
}

// shifts draws valid shifts with margins, in zones whose clocks change.
func shifts(z *time.Location) *rapid.Generator[Shift] {
	return rapid.Custom(func(t *rapid.T) Shift {
		s := Shift{
			Start:       wall(rapid.IntRange(0, 1439).Draw(t, "start")),
			Zone:        z,
			OpensBefore: rapid.IntRange(0, 600).Draw(t, "before"),
			ClosesAfter: rapid.IntRange(0, 600).Draw(t, "after"),
		}
		length := rapid.IntRange(1, 1439-s.OpensBefore-s.ClosesAfter).Draw(t, "length")
		after := func(n int) Clock { return wall(s.Start.Minutes() + n) }
		s.End = after(length)
		if length > 2 {
			from := rapid.IntRange(0, length-2).Draw(t, "from")
			to := rapid.IntRange(from+1, length).Draw(t, "to")
			s.Breaks = []Break{{after(from), after(to)}}
		}
		return s
	})
}

func TestWindowsHoldTheirShift(t *testing.T) {
	zones := []string{"UTC", "Asia/Jakarta", "Europe/Berlin", "America/Santiago", "Australia/Lord_Howe"}
	rapid.Check(t, func(rt *rapid.T) {
		s := shifts(zone(t, rapid.SampledFrom(zones).Draw(rt, "zone"))).Draw(rt, "shift")
		d := today.AddDays(rapid.IntRange(-400, 400).Draw(rt, "day"))
		o := s.On(d)
		if o.ClockInFrom.After(o.StartAt) || o.StartAt.After(o.EndAt) || o.EndAt.After(o.ClockInUntil) {
			rt.Fatalf("out of order: %+v", o)
		}
		if DateOf(o.StartAt, s.Zone) != d {
			rt.Fatalf("the occurrence of %s starts %v", d, o.StartAt)
		}
		length := time.Duration(s.Start.to(s.End)) * time.Minute
		if off := o.EndAt.Sub(o.StartAt) - length; off.Abs() > time.Hour {
			rt.Fatalf("%v long instead of %v", o.EndAt.Sub(o.StartAt), length)
		}
		if o.BreakSeconds < 0 || time.Duration(o.BreakSeconds)*time.Second > o.EndAt.Sub(o.StartAt)+time.Hour {
			rt.Fatalf("%d s of breaks in %v", o.BreakSeconds, o.EndAt.Sub(o.StartAt))
		}
		if !o.Open(o.ClockInFrom) || !o.Open(o.ClockInUntil) || o.Open(o.ClockInFrom.Add(-1)) || o.Open(o.ClockInUntil.Add(time.Minute)) {
			rt.Fatalf("window not inclusive: %+v", o)
		}
	})
}

func TestClippedWindowsShareOneMinute(t *testing.T) {
	z := zone(t, "Europe/Berlin")
	rapid.Check(t, func(rt *rapid.T) {
		a, b := shifts(z).Draw(rt, "a").On(today), shifts(z).Draw(rt, "b").On(today)
		if b.StartAt.Before(a.StartAt) {
			a, b = b, a
		}
		if a.Overlaps(b) {
			return
		}
		x, y := Clip(a, b)
		if y.ClockInFrom.Before(x.ClockInUntil) || x.ClockInUntil.Before(x.EndAt) || y.ClockInFrom.After(y.StartAt) {
			rt.Fatalf("clipped to %+v and %+v", x, y)
		}
		if x2, y2 := Clip(x, y); x2 != x || y2 != y {
			rt.Fatal("clipping again changes the windows")
		}
	})
}
