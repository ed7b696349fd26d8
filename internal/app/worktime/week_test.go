package worktime

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"workforce/internal/shift"
)

// A lived is a week of somebody: what was planned, and when they worked, by start.
type lived struct {
	zone        string // of the company
	occurrences []*occurrence
	entries     []*entry
}

// weeks draws weeks with up to three shifts a day, in zones from Honolulu to Auckland, one
// of them on a date of 25 hours and one of 23.
func weeks() *rapid.Generator[lived] {
	return rapid.Custom(func(t *rapid.T) lived {
		zones := []string{"Pacific/Honolulu", "America/Santiago", "Europe/Berlin", "Asia/Jakarta", "Pacific/Auckland"}
		w := lived{zone: rapid.SampledFrom(zones).Draw(t, "company")}
		own := shift.ZoneNamed(rapid.SampledFrom(zones).Draw(t, "zone"))
		monday := rapid.SampledFrom([]shift.Date{"2026-03-09", "2026-03-30", "2026-03-26", "2026-10-22"}).Draw(t, "monday")
		starts := []int{rapid.IntRange(0, 5).Draw(t, "first"), rapid.IntRange(8, 13).Draw(t, "second"), rapid.IntRange(16, 22).Draw(t, "third")}
		var planned []shift.Occurrence
		for d := monday; d < monday.AddDays(7); d = d.AddDays(1) {
			for i, start := range starts {
				if rapid.IntRange(0, 3).Draw(t, "works") == 0 {
					continue
				}
				length := rapid.IntRange(1, 7-i).Draw(t, "length")
				clock := func(hour int) shift.Clock { return shift.Clock(fmt.Sprintf("%02d:00", hour%24)) }
				s := shift.Shift{Start: clock(start), End: clock(start + length), Zone: own, OpensBefore: 60, ClosesAfter: rapid.SampledFrom([]int{0, 60, 300}).Draw(t, "margin")}
				planned = append(planned, s.On(d))
			}
		}
		slices.SortFunc(planned, func(a, b shift.Occurrence) int { return a.StartAt.Compare(b.StartAt) })
		planned = slices.CompactFunc(planned, func(a, b shift.Occurrence) bool { return a.Overlaps(b) })
		for i := 1; i < len(planned); i++ {
			planned[i-1], planned[i] = shift.Clip(planned[i-1], planned[i])
		}
		for i, o := range planned {
			w.add(t, i+1, o, own)
		}
		return w
	})
}

// add adds an occurrence, with up to two entries.
func (w *lived) add(t *rapid.T, id int, o shift.Occurrence, zone *time.Location) {
	grace := rapid.SampledFrom([]*int{nil, new(0), new(10)}).Draw(t, "grace")
	row := &occurrence{
		ID: id, Name: fmt.Sprint(id), Date: string(o.Date), StartAt: o.StartAt, EndAt: o.EndAt, ClockInFrom: o.ClockInFrom, ClockInUntil: o.ClockInUntil,
		terms: terms{Timezone: zone.String(), LateGraceMinutes: grace, EarlyGraceMinutes: grace},
	}
	if rapid.Bool().Draw(t, "break") {
		row.Breaks = []string{o.StartAt.In(zone).Add(20*time.Minute).Format("15:04") + "-" + o.StartAt.In(zone).Add(35*time.Minute).Format("15:04")}
	}
	w.occurrences = append(w.occurrences, row)
	at := o.ClockInFrom.Add(time.Duration(rapid.IntRange(0, 80).Draw(t, "in")) * time.Minute)
	for range rapid.IntRange(0, 2).Draw(t, "entries") {
		if n := len(w.entries); n > 0 && w.entries[n-1].ClockedOutAt.After(at) || at.After(o.ClockInUntil) {
			return
		}
		out := at.Add(time.Duration(rapid.IntRange(1, 500).Draw(t, "worked")) * time.Minute)
		w.entries = append(w.entries, &entry{ID: len(w.entries) + 1, ClockedInAt: at, ClockedOutAt: &out, shift: row})
		at = out.Add(time.Duration(rapid.IntRange(1, 60).Draw(t, "pause")) * time.Minute)
	}
}

// at returns the entries that were known at an instant: who was clocked in then has an open one.
func (w *lived) at(now time.Time) (known []*entry) {
	from := shift.DateOf(now, time.UTC).AddDays(-2)
	for _, e := range w.entries {
		if e.ClockedInAt.After(now) || shift.Date(e.shift.Date) < from {
			continue
		}
		e := *e
		if e.ClockedOutAt.After(now) {
			e.ClockedOutAt, e.Open = nil, true
		}
		known = append(known, &e)
	}
	return known
}

// window returns the roster window at an instant.
func (w *lived) window(now time.Time) *window {
	near := shift.DateOf(now, time.UTC)
	out := &window{from: near.AddDays(-2)}
	for _, o := range w.occurrences {
		if d := shift.Date(o.Date); d >= out.from && d <= near.AddDays(2) {
			o := *o
			out.occurrences = append(out.occurrences, &o)
		}
	}
	for _, e := range w.at(now) {
		i := slices.IndexFunc(out.occurrences, func(o *occurrence) bool { return o.ID == e.shift.ID })
		e.shift = out.occurrences[i]
		e.shift.entries = append(e.shift.entries, e)
	}
	return out
}

// oracle says what Attendance Today and Shift Today show at an instant, minute by minute
// and from the rules alone.
func (w *lived) oracle(now time.Time) string {
	known := w.at(now)
	var open *entry
	for _, a := range known {
		if a.ClockedOutAt == nil {
			open = a
		}
	}
	within := func(o *occurrence) bool {
		return !now.Before(o.ClockInFrom) && now.Before(o.ClockInUntil.Add(time.Minute))
	}
	dateIn := func(zone string) string { return now.In(shift.ZoneNamed(zone)).Format(time.DateOnly) }

	// today, and its occurrences
	date, zone := "", w.zone
	holds := open != nil && now.Before(open.shift.ClockInUntil.Add(time.Minute))
	var shown []*occurrence
	for _, o := range w.occurrences {
		today := o.Date == dateIn(o.Timezone)
		if holds {
			today = o.Date == open.shift.Date
		}
		if today || within(o) {
			shown = append(shown, o)
		}
	}
	var current *occurrence // the open one, else the next not ended, else the last
	for _, o := range shown {
		if current == nil || !now.Before(current.EndAt) {
			current = o
		}
	}
	if open != nil {
		current = open.shift
		if !slices.Contains(shown, current) {
			shown = append(shown, current)
			slices.SortFunc(shown, func(a, b *occurrence) int { return cmp.Or(a.StartAt.Compare(b.StartAt), a.ID-b.ID) })
		}
	}
	if current != nil {
		zone = current.Timezone
	}
	if date = dateIn(zone); holds {
		date = open.shift.Date
	}

	// the entries, and what was worked on the date
	var listed []string
	in, out := "", ""
	for _, a := range known {
		if a.shift.Date != date && a != open {
			continue
		}
		listed = append(listed, fmt.Sprint(a.ID))
		if in == "" {
			in = a.ClockedInAt.UTC().Format("02 15:04")
		}
		if out = ""; a.ClockedOutAt != nil && open == nil {
			out = a.ClockedOutAt.UTC().Format("02 15:04")
		}
	}
	worked, closed, late, early := 0, 0, 0, 0
	for _, o := range w.occurrences {
		if gap := shift.Date(o.Date).Days(shift.Date(date)); gap < -1 || gap > 1 {
			continue // no entry lasts so long
		}
		all, done := presence(known, o, date, now, true), presence(known, o, date, now, false)
		worked, closed = worked+all, closed+done
		if o.Date == date {
			l, e := lateness(known, o)
			late, early = late+l, early+e
		}
	}
	var list []string
	for _, o := range shown {
		any := slices.ContainsFunc(known, func(a *entry) bool { return a.shift.ID == o.ID })
		isOpen := open != nil && open.shift.ID == o.ID
		list = append(list, fmt.Sprint(o.ID, " ", any, " ", any && !isOpen))
	}
	id := 0
	if current != nil {
		id = current.ID
	}
	return fmt.Sprintf("%s %s shift %d, entries %v, open %v, %s to %s, worked %d, closed %d, late %d, early %d, shifts %s",
		date, zone, id, listed, open != nil, in, out, worked, closed, late, early, strings.Join(list, ", "))
}

// presence counts the seconds of a date that were worked for an occurrence, minute by
// minute.
func presence(known []*entry, o *occurrence, date string, now time.Time, withOpen bool) (seconds int) {
	var pairs [][2]time.Time
	for _, a := range known {
		if a.shift.ID != o.ID || a.ClockedOutAt == nil && !withOpen {
			continue
		}
		end := now
		if a.ClockedOutAt != nil {
			end = *a.ClockedOutAt
		}
		pairs = append(pairs, [2]time.Time{a.ClockedInAt, end})
	}
	zone := o.zone()
	for _, p := range pairs {
		for at := p[0]; at.Before(p[1]); at = at.Add(time.Minute) {
			if !resting(o, at) && dateOf(at, zone) == date {
				seconds += 60
			}
		}
	}
	return seconds
}

// dateOf returns the local date of a minute: where a zone goes back over midnight, the
// later one, whose day has begun.
func dateOf(at time.Time, zone *time.Location) string {
	date := at.In(zone).Format(time.DateOnly)
	if next := shift.Date(date).AddDays(1); !at.Before(next.In(zone)) {
		return string(next)
	}
	return date
}

// resting reports whether an instant is in the break of an occurrence, which begins 20
// minutes after the start of its shift's wall time and lasts 15.
func resting(o *occurrence, at time.Time) bool {
	if len(o.Breaks) == 0 {
		return false
	}
	since := at.Sub(o.StartAt)
	return since >= 20*time.Minute && since < 35*time.Minute
}

// lateness returns by how many seconds an occurrence began late and ended early.
func lateness(known []*entry, o *occurrence) (late, early int) {
	var first, last *entry
	for _, a := range known {
		if a.shift.ID == o.ID {
			if first == nil {
				first = a
			}
			last = a
		}
	}
	if first == nil || o.LateGraceMinutes == nil {
		return 0, 0
	}
	grace := *o.LateGraceMinutes * 60
	if s := int(first.ClockedInAt.Sub(o.StartAt).Seconds()); s > grace {
		late = s
	}
	if last.ClockedOutAt != nil {
		if s := int(o.EndAt.Sub(*last.ClockedOutAt).Seconds()); s > grace {
			early = s
		}
	}
	return late, early
}

// shows says the same of what the package computes.
func (w *lived) shows(t rapid.TB, now time.Time) string {
	d, err := newDay(now, w.zone, w.window(now))
	if err != nil {
		t.Fatal(err)
	}
	a := d.attendance()
	var entries, list []string
	for _, e := range a.Entries {
		entries = append(entries, fmt.Sprint(e.ID))
	}
	for _, s := range d.shifts() {
		list = append(list, fmt.Sprint(s.EmployeeShiftID, " ", s.ClockedIn, " ", s.ClockedOut))
	}
	at := func(t *time.Time) string {
		if t == nil {
			return ""
		}
		return t.UTC().Format("02 15:04")
	}
	id := 0
	if a.Shift != nil {
		id = a.Shift.EmployeeShiftID
	}
	return fmt.Sprintf("%s %s shift %d, entries %v, open %v, %s to %s, worked %d, closed %d, late %d, early %d, shifts %s",
		a.Date, a.Timezone, id, entries, a.ClockedIn, at(a.ClockInAt), at(a.ClockOutAt), a.WorkedSeconds, a.ClosedSeconds, a.LateSeconds, a.EarlySeconds, strings.Join(list, ", "))
}

// walk compares what is shown with the oracle, every so many minutes of some days.
func (w *lived) walk(t rapid.TB, first, days, minutes int) {
	if len(w.occurrences) == 0 {
		return
	}
	now := w.occurrences[0].StartAt.Add(-26*time.Hour).Truncate(time.Minute).AddDate(0, 0, first)
	for end := now.AddDate(0, 0, days); now.Before(end); now = now.Add(time.Duration(minutes) * time.Minute) {
		if got, want := w.shows(t, now), w.oracle(now); got != want {
			t.Fatalf("at %s:\ngot  %s\nwant %s", now.UTC().Format("2006-01-02 15:04"), got, want)
		}
	}
}

// TestEveryMinuteOfAWeek walks two weeks minute by minute.
func TestEveryMinuteOfAWeek(t *testing.T) {
	for seed := range 2 {
		w := weeks().Example(seed)
		w.walk(t, 0, 9, 1)
	}
}

// TestWeeks walks parts of many weeks.
func TestWeeks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := weeks().Draw(t, "week")
		w.walk(t, rapid.IntRange(0, 6).Draw(t, "from"), 2, rapid.IntRange(1, 60).Draw(t, "minutes"))
	})
}
