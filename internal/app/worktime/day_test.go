package worktime

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/graph/model"
	"workforce/internal/shift"
)

// jakarta reads a time in Jakarta: of the tests' day as 15:04 or 15:04:05, of another as
// 2006-01-02 15:04.
func jakarta(text string) time.Time {
	zone := shift.ZoneNamed("Asia/Jakarta")
	for _, layout := range []string{"2006-01-02 15:04:05", "2006-01-02 15:04"} {
		for _, day := range []string{"", "2026-03-11 "} {
			if t, err := time.ParseInLocation(layout, day+text, zone); err == nil {
				return t.UTC()
			}
		}
	}
	panic(text)
}

// planned returns an occurrence of the tests' day in Jakarta with margins of an hour.
func planned(id int, start, end string) *occurrence {
	from, to := jakarta(start), jakarta(end)
	return &occurrence{
		ID: id, Date: "2026-03-11", terms: terms{Timezone: "Asia/Jakarta"},
		StartAt: from, EndAt: to, ClockInFrom: from.Add(-time.Hour), ClockInUntil: to.Add(time.Hour),
	}
}

// worked returns an attendance for an occurrence; out is "" for an open one.
func worked(o *occurrence, in, out string) *entry {
	e := &entry{ClockedInAt: jakarta(in), Open: out == "", shift: o}
	if out != "" {
		e.ClockedOutAt = new(jakarta(out))
	}
	return e
}

// newTestDay returns the day that occurrences and attendances, both by start, make.
func newTestDay(t *testing.T, now string, occurrences []*occurrence, entries ...*entry) *day {
	t.Helper()
	w := &window{from: "2026-03-09"}
	for _, o := range occurrences {
		o.entries = nil
	}
	for _, e := range entries {
		e.shift.entries = nil
		if e.shift.Date < string(w.from) || !slices.Contains(occurrences, e.shift) { // older than the window
			w.from = "2026-03-11"
			occurrences = append([]*occurrence{e.shift}, occurrences...)
		}
	}
	for _, e := range entries {
		e.shift.entries = append(e.shift.entries, e)
	}
	w.occurrences = occurrences
	d, err := newDay(jakarta(now), "Asia/Jakarta", w)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// night returns the occurrence of a date from 22:00 to 06:00.
func night(id int, date, next string) *occurrence {
	o := planned(id, date+" 22:00", next+" 06:00")
	o.Date = date
	return o
}

func TestDate(t *testing.T) {
	last, tonight := night(1, "2026-03-10", "2026-03-11"), night(2, "2026-03-11", "2026-03-12")
	morning := planned(3, "08:00", "12:00")
	tomorrow := planned(4, "2026-03-12 08:00", "2026-03-12 12:00")
	tomorrow.Date = "2026-03-12"
	tokyo := planned(5, "2026-03-11 23:30", "2026-03-12 06:00") // 01:30 in Tokyo
	tokyo.Date, tokyo.Timezone = "2026-03-12", "Asia/Tokyo"
	type list = []*occurrence
	tests := []struct {
		name        string
		now         string
		occurrences list
		entries     []*entry
		want        string // date, zone, id of the shift, and those of the day
	}{
		{"no shift", "23:59:59", nil, nil, "2026-03-11 Asia/Jakarta 0 []"},
		{"a shift of today", "00:00", list{last, morning, tonight, tomorrow}, nil, "2026-03-11 Asia/Jakarta 1 [1 3 2]"},
		{"the next that has not ended", "06:00", list{last, morning, tonight, tomorrow}, nil, "2026-03-11 Asia/Jakarta 3 [1 3 2]"},
		{"the last when all have ended", "20:00", list{last, morning, tomorrow}, nil, "2026-03-11 Asia/Jakarta 3 [3]"},
		{"yesterday's while its window is open", "07:00:59", list{last, tonight}, nil, "2026-03-11 Asia/Jakarta 2 [1 2]"},
		{"not after its window", "07:01", list{last, tonight}, nil, "2026-03-11 Asia/Jakarta 2 [2]"},
		{"in the zone of the shift", "22:30", list{tokyo}, nil, "2026-03-12 Asia/Tokyo 5 [5]"},
		{"not in that of a shift of another day", "20:00", list{tokyo}, nil, "2026-03-11 Asia/Jakarta 0 []"},
		{"open night after midnight", "2026-03-12 00:30", list{morning, tonight, tomorrow},
			[]*entry{worked(tonight, "21:50", "")}, "2026-03-11 Asia/Jakarta 2 [3 2]"},
		{"open night in the last minute of its window", "2026-03-12 07:00:59", list{tonight, tomorrow},
			[]*entry{worked(tonight, "21:50", "")}, "2026-03-11 Asia/Jakarta 2 [2 4]"},
		{"open night after its window", "2026-03-12 07:01", list{tonight, tomorrow},
			[]*entry{worked(tonight, "21:50", "")}, "2026-03-12 Asia/Jakarta 2 [2 4]"},
		{"closed night", "2026-03-12 05:00", list{tonight, tomorrow},
			[]*entry{worked(tonight, "21:50", "2026-03-12 04:00")}, "2026-03-12 Asia/Jakarta 2 [2 4]"},
	}
	for _, tt := range tests {
		d := newTestDay(t, tt.now, append(list{}, tt.occurrences...), tt.entries...)
		ids, id := []int{}, 0
		for _, o := range d.shifts() {
			ids = append(ids, o.EmployeeShiftID)
		}
		if o := d.attendance().Shift; o != nil {
			id = o.EmployeeShiftID
		}
		if got := fmt.Sprint(d.date, " ", d.zone, " ", id, " ", ids); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if _, err := newDay(jakarta("10:00"), "Asia/Nowhere", &window{}); err == nil {
		t.Error("an unknown zone is no error")
	}
}

// TestOpenSinceAnotherDay lists an attendance that is open since a day whose window is
// over; the status is that of today alone, the sums have what lies on today.
func TestOpenSinceAnotherDay(t *testing.T) {
	last, morning, later := night(1, "2026-03-10", "2026-03-11"), planned(2, "08:00", "12:00"), planned(3, "13:00", "17:00")
	type list = []*occurrence
	for _, occurrences := range []list{{last, morning, later}, {morning, later}} { // in the roster window, and before it
		d := newTestDay(t, "12:30", occurrences, worked(last, "2026-03-10 21:50", ""), worked(morning, "09:00", "10:00"))
		got, shifts := d.attendance(), ""
		for _, s := range d.shifts() {
			shifts += fmt.Sprint(s.EmployeeShiftID, s.ClockedIn, s.ClockedOut, " ")
		}
		if shifts != "1 true false 2 true true 3 false false " {
			t.Errorf("shifts %s", shifts)
		}
		if !got.ClockedIn || len(got.Entries) != 2 || !got.ClockInAt.Equal(jakarta("2026-03-10 21:50")) || got.ClockOutAt != nil || got.Shift.EmployeeShiftID != 1 {
			t.Errorf("got %+v, want the open one listed", got)
		}
		if got.Date != "2026-03-11" || got.Status != "present" || got.ClosedSeconds != 3600 {
			t.Errorf("got %+v, want status and sums of today", got)
		}
	}
	alone := newTestDay(t, "12:30", list{later}, worked(last, "2026-03-10 21:50", "")).attendance()
	if alone.Status != "none" || alone.WorkedSeconds != 45_000 || len(alone.Entries) != 1 || alone.Entries[0].Status != "present" {
		t.Errorf("got %+v, want a day of nothing but the open entry since midnight", alone)
	}
}

// TestStatusOfDay ranks what the occurrences of a day count as. Each letter is an
// occurrence: confirmation needed, present, half a day or absent.
func TestStatusOfDay(t *testing.T) {
	for letters, want := range map[string]model.DayStatus{
		"": "none", "c": "needs_confirmation", "p": "present", "h": "half_day", "a": "absent",
		"ac": "needs_confirmation", "ca": "needs_confirmation", "pc": "needs_confirmation", "hc": "needs_confirmation",
		"ap": "present", "pa": "present", "hp": "present", "ph": "present", "ah": "half_day", "ha": "half_day", "aph": "present",
	} {
		var occurrences []*occurrence
		var entries []*entry
		for i, letter := range letters {
			o := planned(i+1, fmt.Sprintf("%02d:00", 8+4*i), fmt.Sprintf("%02d:00", 12+4*i))
			o.HalfDayBelowMinutes, o.AbsentBelowMinutes = 120, 60
			a := worked(o, fmt.Sprintf("%02d:00", 8+4*i), map[rune]string{
				'c': fmt.Sprintf("%02d:30", 8+4*i), 'p': fmt.Sprintf("%02d:00", 10+4*i),
				'h': fmt.Sprintf("%02d:00", 9+4*i), 'a': fmt.Sprintf("%02d:59", 8+4*i),
			}[letter])
			a.NeedsConfirmation = letter == 'c'
			occurrences, entries = append(occurrences, o), append(entries, a)
		}
		if got := newTestDay(t, "22:00", occurrences, entries...).attendance().Status; got != want {
			t.Errorf("%q: %s, want %s", letters, got, want)
		}
	}
}

// TestStatusOfEntries gives each entry what its whole occurrence counts as.
func TestStatusOfEntries(t *testing.T) {
	o := planned(1, "08:00", "17:00")
	o.HalfDayBelowMinutes = 240
	first, second := worked(o, "08:00", "09:00"), worked(o, "10:00", "11:00")
	tests := []struct {
		name    string
		entries []*entry
		want    string
	}{
		{"short of the threshold together", []*entry{first, second}, "half_day half_day"},
		{"up to it together", []*entry{first, worked(o, "10:00", "13:00")}, "present present"},
		{"one is open", []*entry{first, worked(o, "10:00", "")}, "present present"},
		{"one is to be confirmed", []*entry{first, {ID: 2, NeedsConfirmation: true,
			ClockedInAt: second.ClockedInAt, ClockedOutAt: second.ClockedOutAt, shift: o}}, "half_day needs_confirmation"},
	}
	for _, tt := range tests {
		var got []string
		for _, e := range newTestDay(t, "12:00", []*occurrence{o}, tt.entries...).attendance().Entries {
			got = append(got, string(e.Status))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, got, tt.want)
		}
	}
}

func TestLateAndEarly(t *testing.T) {
	tests := []struct {
		name        string
		grace       *int // of both, in minutes
		in, out     string
		late, early int
	}{
		{"no grace is no limit", nil, "11:00", "12:00", 0, 0},
		{"on time", new(0), "08:00", "17:00", 0, 0},
		{"before and after", new(0), "07:00", "18:00", 0, 0},
		{"a second", new(0), "08:00:01", "16:59:59", 1, 1},
		{"as much as the grace", new(10), "08:10", "16:50", 0, 0},
		{"more than the grace", new(10), "08:10:01", "16:49:59", 601, 601},
		{"still open", new(10), "08:20", "", 1200, 0},
	}
	for _, tt := range tests {
		o := planned(1, "08:00", "17:00")
		o.LateGraceMinutes, o.EarlyGraceMinutes = tt.grace, tt.grace
		got := newTestDay(t, "18:00", []*occurrence{o}, worked(o, tt.in, tt.out)).attendance()
		if got.LateSeconds != tt.late || got.EarlySeconds != tt.early {
			t.Errorf("%s: %d s late, %d s early; want %d and %d", tt.name, got.LateSeconds, got.EarlySeconds, tt.late, tt.early)
		}
	}
}

// TestLateAndEarlyOfSeveral adds up occurrences, each by its first clock-in, its last
// clock-out and its own graces.
func TestLateAndEarlyOfSeveral(t *testing.T) {
	a, b := planned(1, "08:00", "12:00"), planned(2, "13:00", "17:00")
	a.LateGraceMinutes, a.EarlyGraceMinutes = new(0), nil
	b.LateGraceMinutes, b.EarlyGraceMinutes = new(5), new(0)
	got := newTestDay(t, "18:00", []*occurrence{a, b},
		worked(a, "08:01", "09:00"), worked(a, "10:00", "11:00"), worked(b, "13:06", "14:00"), worked(b, "15:00", "16:58")).attendance()
	if got.LateSeconds != 60+360 || got.EarlySeconds != 120 {
		t.Errorf("%d s late, %d s early; want 420 and 120", got.LateSeconds, got.EarlySeconds)
	}
}

func TestWorkedSeconds(t *testing.T) {
	type pair struct{ in, out string }
	const hour = 3600
	tests := []struct {
		name           string
		entries        []pair
		worked, closed int
	}{
		{"nothing", nil, 0, 0},
		{"around the break", []pair{{"08:00", "17:00"}}, 8 * hour, 8 * hour},
		{"until the break", []pair{{"08:00", "12:00"}}, 4 * hour, 4 * hour},
		{"into the break", []pair{{"08:00", "12:30"}}, 4 * hour, 4 * hour},
		{"within the break", []pair{{"12:10", "12:50"}}, 0, 0},
		{"two with a gap", []pair{{"08:00", "09:00"}, {"10:00", "11:00"}}, 2 * hour, 2 * hour},
		{"two around the break", []pair{{"08:00", "11:00"}, {"14:00", "15:00"}}, 4 * hour, 4 * hour},
		{"open until now", []pair{{"15:00", ""}}, 3 * hour, 0},
		{"one closed, one open", []pair{{"08:00", "09:00"}, {"16:00", ""}}, 3 * hour, hour},
	}
	for _, tt := range tests {
		o := planned(1, "08:00", "17:00")
		o.Breaks = []string{"12:00-13:00"}
		var entries []*entry
		for _, e := range tt.entries {
			entries = append(entries, worked(o, e.in, e.out))
		}
		got := newTestDay(t, "18:00", []*occurrence{o}, entries...).attendance()
		if got.WorkedSeconds != tt.worked || got.ClosedSeconds != tt.closed {
			t.Errorf("%s: %d s, %d closed; want %d and %d", tt.name, got.WorkedSeconds, got.ClosedSeconds, tt.worked, tt.closed)
		}
	}
}

// TestDayShowsItsEntries compares what is shown of two entries and their shift.
func TestDayShowsItsEntries(t *testing.T) {
	o := planned(4, "08:00", "17:00")
	o.Name, o.BreakSeconds = "Pagi", 1800
	first, second := worked(o, "08:00", "09:00"), worked(o, "10:00", "")
	first.ID, first.AddressID, first.FaceMatched = 1, 11, new(true)
	second.ID, second.AddressID = 2, 12
	older := worked(night(3, "2026-03-10", "2026-03-11"), "2026-03-10 22:00", "04:00")
	d := newTestDay(t, "10:30", []*occurrence{o}, older, first, second)
	got := d.attendance()
	text := fmt.Sprint(got.ClockedIn, " ", got.ClockInAt, " ", got.ClockOutAt)
	for _, e := range got.Entries {
		text += fmt.Sprint(" | ", e.ID, " ", e.EmployeeShiftID, " ", e.AddressID, " ", e.ClockInAt, " ", e.ClockOutAt, " ", e.FaceMatched != nil)
	}
	text = strings.ReplaceAll(strings.ReplaceAll(text, "2026-03-11 ", ""), " +0700 WIB", "")
	if want := "true 08:00:00 <nil> | 1 4 11 08:00:00 09:00:00 true | 2 4 12 10:00:00 <nil> false"; text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	s := got.Shift
	text = fmt.Sprint(s.EmployeeShiftID, s.Name, s.Date, s.Timezone, s.StartAt.Format(" 15"), s.EndAt.Format(" 15"), s.ClockInFrom.Format(" 15"),
		s.ClockInUntil.Format(" 15"), " ", s.BreakSeconds, s.ClockedIn, s.ClockedOut)
	if want := "4Pagi2026-03-11Asia/Jakarta 08 17 07 18 1800true false"; !strings.EqualFold(strings.ReplaceAll(text, " ", ""), strings.ReplaceAll(want, " ", "")) {
		t.Errorf("shift %s, want %s", text, want)
	}
	done := newTestDay(t, "18:30", []*occurrence{o}, first, worked(o, "10:00", "11:00"))
	if a := done.attendance(); a.ClockedIn || a.ClockOutAt.Format("15:04") != "11:00" || !a.Shift.ClockedIn || !a.Shift.ClockedOut {
		t.Errorf("after the clock-out: %+v", a)
	}
}
