package sla

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"workforce/internal/calendar"
	"workforce/internal/setting"
	"workforce/internal/shift"
)

var jakarta = shift.ZoneNamed("Asia/Jakarta")

// at returns a time of the week of Monday, 9 March 2026, in Jakarta.
func at(text string) time.Time {
	t, err := time.ParseInLocation("2006-01-02 15:04:05", "2026-03-"+text, jakarta)
	if err != nil {
		panic(err)
	}
	return t
}

// office are the default business hours.
func office(c calendar.Calendar) Hours { return HoursOf(setting.Values{}, jakarta, c) }

// TestDue has the examples: Monday is 9 March.
func TestDue(t *testing.T) {
	high, urgent := TargetOf(nil, "high"), TargetOf(nil, "urgent")
	wednesday, half := calendar.Holiday{Date: "2026-03-11"}, calendar.Holiday{Date: "2026-03-10", Half: true}
	hold := func(from, to string) Span { return Span{at(from), at(to)} }
	for _, tt := range []struct {
		name   string
		h      Hours
		since  string
		target time.Duration
		holds  []Span
		want   string
	}{
		{"before hours, to answer", office(calendar.Calendar{}), "09 08:00:00", high.Response, nil, "09 11:00:00"},
		{"before hours, to resolve", office(calendar.Calendar{}), "09 08:00:00", high.Resolution, nil, "09 14:00:00"},
		{"after hours, to answer", office(calendar.Calendar{}), "09 20:00:00", urgent.Response, nil, "10 10:30:00"},
		{"after hours, to resolve", office(calendar.Calendar{}), "09 20:00:00", urgent.Resolution, nil, "10 12:00:00"},
		{"within", office(calendar.Calendar{}), "09 11:00:30", time.Hour, nil, "09 12:00:30"},
		{"until the end of the day", office(calendar.Calendar{}), "09 16:00:00", 2 * time.Hour, nil, "09 18:00:00"},
		{"a second more", office(calendar.Calendar{}), "09 16:00:01", 2 * time.Hour, nil, "10 10:00:01"},
		{"over the weekend", office(calendar.Calendar{}), "13 17:00:00", 2 * time.Hour, nil, "16 11:00:00"},
		{"on a Saturday", office(calendar.Calendar{}), "14 12:00:00", time.Hour, nil, "16 11:00:00"},
		{"at the end", office(calendar.Calendar{}), "09 18:00:00", time.Minute, nil, "10 10:01:00"},
		{"three days", office(calendar.Calendar{}), "09 10:00:00", 24 * time.Hour, nil, "11 18:00:00"},
		{"a holiday", office(calendar.Calendar{Holidays: []calendar.Holiday{wednesday}}), "10 17:30:00", time.Hour, nil, "12 10:30:00"},
		{"half a holiday", office(calendar.Calendar{Holidays: []calendar.Holiday{half}}), "10 13:30:00", time.Hour, nil, "11 10:30:00"},
		{"a weekly off", office(calendar.Calendar{WeeklyOffs: []int{2}}), "09 17:30:00", time.Hour, nil, "11 10:30:00"},
		{"that of an address", office(calendar.Calendar{WeeklyOffs: []int{2}, AddressOffs: []int{3}}), "09 17:30:00", time.Hour, nil, "10 10:30:00"},
		{"a hold", office(calendar.Calendar{}), "09 10:00:00", 4 * time.Hour, []Span{hold("09 12:00:00", "09 13:00:00")}, "09 15:00:00"},
		{"a hold out of hours", office(calendar.Calendar{}), "09 10:00:00", 4 * time.Hour, []Span{hold("09 18:00:00", "10 09:00:00")}, "09 14:00:00"},
		{"a hold over night", office(calendar.Calendar{}), "09 15:00:00", 4 * time.Hour, []Span{hold("09 17:00:00", "10 11:00:00")}, "10 13:00:00"},
		{"holds that overlap, not in order", office(calendar.Calendar{}), "09 10:00:00", 2 * time.Hour,
			[]Span{hold("09 12:00:00", "09 14:00:00"), hold("09 11:00:00", "09 13:00:00")}, "09 15:00:00"},
		{"a hold within another", office(calendar.Calendar{}), "09 10:00:00", 2 * time.Hour,
			[]Span{hold("09 11:00:00", "09 15:00:00"), hold("09 12:00:00", "09 13:00:00")}, "09 16:00:00"},
		{"a hold that begins when it is due", office(calendar.Calendar{}), "09 10:00:00", 2 * time.Hour, []Span{hold("09 12:00:00", "09 13:00:00")}, "09 12:00:00"},
		{"a hold that began before", office(calendar.Calendar{}), "09 12:00:00", time.Hour, []Span{hold("09 11:00:00", "09 13:00:00")}, "09 14:00:00"},
		{"a hold that lasts", office(calendar.Calendar{}), "09 10:00:00", time.Hour, []Span{{From: at("09 12:00:00")}}, ""},
		{"no business hours", Hours{Start: 600, End: 660, Zone: jakarta}, "09 10:00:00", time.Hour, nil, ""},
		{"never", office(calendar.Calendar{WeeklyOffs: []int{1, 2, 3, 4, 5}}), "09 10:00:00", time.Hour, nil, ""},
	} {
		got, want := "", ""
		if due, ok := tt.h.Due(at(tt.since), tt.target, tt.holds...); ok {
			got = due.Format(time.RFC3339)
		}
		if tt.want != "" {
			want = at(tt.want).UTC().Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", tt.name, got, want)
		}
	}
}

func TestTargets(t *testing.T) {
	for priority, want := range map[string]Target{
		"low": {24 * time.Hour, 72 * time.Hour}, "normal": {8 * time.Hour, 24 * time.Hour}, "high": {time.Hour, 4 * time.Hour}, "urgent": {30 * time.Minute, 2 * time.Hour},
	} {
		if got := TargetOf(nil, priority); got != want {
			t.Errorf("%s: %v, want %v", priority, got, want)
		}
	}
	set := setting.Values{"slaHighResponseMinutes": 5, "slaHighResolutionMinutes": 7}
	if got, want := TargetOf(set, "high"), (Target{5 * time.Minute, 7 * time.Minute}); got != want {
		t.Errorf("set: %v, want %v", got, want)
	}
}

// TestOracle compares due times with those that counting minute by minute gives, in zones
// whose clocks change and in others.
func TestOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := Hours{Weekdays: rapid.SliceOfNDistinct(rapid.IntRange(1, 7), 1, 7, rapid.ID).Draw(t, "weekdays")}
		zone := rapid.SampledFrom([]string{"Asia/Jakarta", "Asia/Kolkata", "America/New_York", "Australia/Lord_Howe", "UTC"}).Draw(t, "zone")
		h.Zone = shift.ZoneNamed(zone)
		h.Start = rapid.IntRange(4*60, 23*60).Draw(t, "start") // clocks change earlier
		if rapid.Bool().Draw(t, "from midnight") {
			h.Start = 0
		}
		earliest := h.Start + 30
		if h.Start == 0 {
			earliest = 8*60 + 30 // half of such a day ends after clocks change
		}
		h.End = rapid.IntRange(earliest, 1440).Draw(t, "end")
		first := time.Date(2026, time.Month(rapid.SampledFrom([]int{3, 4, 10, 11}).Draw(t, "month")), 1, 0, 0, 0, 0, time.UTC)
		since := first.Add(time.Duration(rapid.IntRange(0, 14*1440).Draw(t, "since")) * time.Minute)
		date := rapid.Custom(func(t *rapid.T) calendar.Holiday {
			return calendar.Holiday{
				Date: shift.DateOf(since, h.Zone).AddDays(rapid.IntRange(0, 20).Draw(t, "day")), Half: rapid.Bool().Draw(t, "half"),
				Address: rapid.Bool().Draw(t, "address"),
			}
		})
		h.Calendar = calendar.Calendar{
			Holidays:   rapid.SliceOfN(date, 0, 6).Draw(t, "holidays"),
			WeeklyOffs: rapid.SliceOfNDistinct(rapid.IntRange(1, 7), 0, 2, rapid.ID).Draw(t, "offs"),
		}
		var holds []Span
		for range rapid.IntRange(0, 4).Draw(t, "holds") {
			from := since.Add(time.Duration(rapid.IntRange(-600, 10_000).Draw(t, "from")) * time.Minute)
			holds = append(holds, Span{from, from.Add(time.Duration(rapid.IntRange(0, 3000).Draw(t, "length")) * time.Minute)})
		}
		target := rapid.IntRange(1, 2000).Draw(t, "target")
		want, found := oracle(h, since, target, holds)
		got, ok := h.Due(since, minutes(target), holds...)
		if found && (!ok || !got.Equal(want)) {
			t.Fatalf("due %v (%v), want %v", got, ok, want)
		}
		if !found && ok && got.Before(since.Add(lookahead)) {
			t.Fatalf("due %v, want none before %v", got, since.Add(lookahead))
		}
	})
}

const lookahead = 90 * 24 * time.Hour

// oracle counts the minutes of business hours.
func oracle(h Hours, since time.Time, target int, holds []Span) (time.Time, bool) {
	for t := since; t.Before(since.Add(lookahead)); t = t.Add(time.Minute) {
		if open(h, t) && !slices.ContainsFunc(holds, func(s Span) bool { return !t.Before(s.From) && t.Before(s.To) }) {
			target--
		}
		if target == 0 {
			return t.Add(time.Minute), true
		}
	}
	return time.Time{}, false
}

// open reports whether the minute from an instant on is one of business hours.
func open(h Hours, t time.Time) bool {
	local := t.In(h.Zone)
	weekday := int(local.Weekday())
	if weekday == 0 {
		weekday = 7
	}
	if !slices.Contains(h.Weekdays, weekday) || slices.Contains(h.Calendar.WeeklyOffs, weekday) {
		return false
	}
	minute, end := local.Hour()*60+local.Minute(), h.End
	rank := 0 // of the holiday that counts: of the address before the company's, whole before half
	for _, day := range h.Calendar.Holidays {
		if string(day.Date) != local.Format(time.DateOnly) {
			continue
		}
		this := 1
		if day.Address {
			this += 2
		}
		if !day.Half {
			this++
		}
		if this > rank {
			rank, end = this, h.Start
			if day.Half {
				end += (h.End - h.Start) / 2
			}
		}
	}
	return minute >= h.Start && minute < end
}

func TestClock(t *testing.T) {
	due, warn := at("09 12:00:00"), 15*time.Minute
	show := func(t *time.Time) string {
		if t == nil {
			return "never"
		}
		return t.In(jakarta).Format("15:04")
	}
	for _, tt := range []struct {
		name       string
		due        *time.Time
		told       Level
		warn       time.Duration
		now        string
		level      Level
		reset      Level
		next, then string
	}{
		{"nothing to watch", nil, Nothing, warn, "09 12:00:00", Nothing, Nothing, "never", "never"},
		{"early", &due, Nothing, warn, "09 11:44:59", Nothing, Nothing, "11:45", "11:45"},
		{"soon", &due, Nothing, warn, "09 11:45:00", Soon, Nothing, "11:45", "11:45"},
		{"soon, told", &due, Soon, warn, "09 11:59:59", Soon, Soon, "12:00", "12:00"},
		{"over", &due, Soon, warn, "09 12:00:00", Over, Soon, "12:00", "12:00"},
		{"over, told", &due, Over, warn, "09 12:00:01", Over, Over, "never", "never"},
		{"over without warning", &due, Nothing, 0, "09 12:00:00", Over, Nothing, "12:00", "12:00"},
		{"not yet without warning", &due, Nothing, 0, "09 11:59:59", Nothing, Nothing, "12:00", "12:00"},
		{"due later than it was", &due, Over, warn, "09 11:00:00", Nothing, Nothing, "never", "11:45"},
		{"soon again", &due, Over, warn, "09 11:50:00", Soon, Soon, "never", "12:00"},
	} {
		c := Clock{tt.due, tt.told}
		now := at(tt.now)
		r := c.Reset(now, tt.warn)
		if l := c.Level(now, tt.warn); l != tt.level || r.Told != tt.reset || show(c.Next(tt.warn)) != tt.next || show(r.Next(tt.warn)) != tt.then {
			t.Errorf("%s: level %d, reset to %d, next %s, then %s; want %d, %d, %s, %s", tt.name, l, r.Told, show(c.Next(tt.warn)), show(r.Next(tt.warn)),
				tt.level, tt.reset, tt.next, tt.then)
		}
	}
	soon := due.Add(-time.Hour)
	if got := show(First(warn, Clock{}, Clock{&due, Nothing}, Clock{&soon, Soon})); got != "11:00" {
		t.Errorf("the first is %s, want 11:00", got)
	}
	if got := First(warn, Clock{}, Clock{&due, Over}); got != nil {
		t.Errorf("the first is %s, want never", got)
	}
}
