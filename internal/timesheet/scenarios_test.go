package timesheet

import (
	"slices"
	"testing"
	"time"

	"workforce/internal/shift"
)

// working returns the occurrence of a shift on a date, with a window of an hour before and
// after, and without graces and thresholds.
func working(zone string, date shift.Date, start, end shift.Clock, breaks ...shift.Break) Occurrence {
	s := shift.Shift{Start: start, End: end, Zone: zoneOf(zone), OpensBefore: 60, ClosesAfter: 60, Breaks: breaks}
	on := s.On(date)
	return Occurrence{Date: date, Zone: s.Zone, Start: on.StartAt, End: on.EndAt, Until: on.ClockInUntil, Breaks: s.BreaksOn(date)}
}

// clocked returns an entry of two local times, YYYY-MM-DD HH:MM; an open one without out.
func clocked(zone, in, out string) Entry {
	read := func(text string) (t time.Time) {
		if text != "" {
			t, _ = time.ParseInLocation("2006-01-02 15:04", text, zoneOf(zone))
		}
		return t
	}
	return Entry{In: read(in), Out: read(out)}
}

// morning is a shift from 08:00 to 12:00 UTC on 10 March 2026, that is not graced.
func morning() Occurrence {
	o := working("UTC", "2026-03-10", "08:00", "12:00")
	o.LateGrace, o.EarlyGrace = new(0), new(0)
	return o
}

// unplannedWith returns an occurrence of no length, with thresholds in minutes.
func unplannedWith(half, absent int) Occurrence {
	return Occurrence{Date: "2026-03-10", Zone: time.UTC, Start: at(8, 0), End: at(8, 0), Until: at(8, 0), HalfDayBelow: half, AbsentBelow: absent}
}

func worked(from, to time.Time) []Entry { return []Entry{{In: from, Out: to}} }

// later is after every wait for what happened on 10 March.
var later = at(24*30, 0)

func TestStatusOfEntries(t *testing.T) {
	graced := morning()
	graced.LateGrace, graced.EarlyGrace = new(60), new(60)
	thresholds := func(half, absent int) Occurrence {
		o := morning()
		o.HalfDayBelow, o.AbsentBelow = half, absent
		return o
	}
	edited := morning()
	edited.Until = edited.End.Add(2 * time.Hour)
	office := working("UTC", "2026-03-10", "08:00", "17:00", lunch)
	office.LateGrace, office.EarlyGrace = new(0), new(0)
	begins := working("UTC", "2026-03-10", "08:00", "12:00", breakAt("08:00", "08:30"))
	begins.LateGrace, begins.EarlyGrace = new(0), new(0)
	tests := []struct {
		name        string
		o           Occurrence
		entries     []Entry
		off         Off
		want        Status
		hours       float64
		late, early time.Duration
	}{
		{"A05 the assigned shift alone counts", morning(), worked(at(8, 0), at(10, 0)), Off{}, Present, 2, 0, 2 * time.Hour},
		{"A15 late and early", graced, worked(at(9, 30), at(10, 30)), Off{}, Present, 1, 90 * time.Minute, 90 * time.Minute},
		{"A15 within both graces", graced, worked(at(9, 0), at(11, 0)), Off{}, Present, 2, 0, 0},
		{"A16 half day", thresholds(120, 0), worked(at(8, 0), at(9, 30)), Off{}, HalfDay, 1.5, 0, 150 * time.Minute},
		{"A17 absent by hours", thresholds(0, 120), worked(at(8, 0), at(9, 30)), Off{}, Absent, 1.5, 0, 150 * time.Minute},
		{"A18 between both", thresholds(120, 60), worked(at(8, 0), at(9, 30)), Off{}, HalfDay, 1.5, 0, 150 * time.Minute},
		{"A18 below both", thresholds(120, 60), worked(at(8, 0), at(8, 45)), Off{}, Absent, 0.75, 0, 195 * time.Minute},
		{"A19 a holiday that was worked", morning(), worked(at(8, 0), at(12, 0)), Off{Holiday: Whole}, Present, 4, 0, 0},
		{"A19 a little, below the thresholds", thresholds(120, 60), worked(at(8, 30), at(9, 0)), Off{Holiday: Whole}, Present, 0.5, 0, 0},
		{"A23 A29 the same twice", morning(), slices.Concat(worked(at(8, 0), at(12, 0)), worked(at(8, 0), at(12, 0))), Off{}, Present, 4, 0, 0},
		{"A26 the window was edited", edited, worked(at(8, 0), at(12, 0)), Off{}, Present, 4, 0, 0},
		{"A28 what is left of it", morning(), nil, Off{}, Absent, 0, 0, 0},
		{"A31 work from home overwrites absence", morning(), nil, Off{WorkFromHome: true}, WorkFromHome, 0, 0, 0},
		{"A31 cancelled", morning(), nil, Off{}, Absent, 0, 0, 0},
		{"clocked at home", morning(), worked(at(8, 0), at(12, 0)), Off{WorkFromHome: true}, WorkFromHome, 4, 0, 0},
		{"a half holiday halves the thresholds", thresholds(120, 60), worked(at(8, 0), at(9, 0)), Off{Holiday: Half}, Present, 1, 0, time.Hour},
		{"and a minute less is half a day", thresholds(120, 60), worked(at(8, 0), at(8, 59)), Off{Holiday: Half}, HalfDay, 59. / 60, 0, 61 * time.Minute},
		{"half a day of leave, the first half was worked", office, worked(at(8, 0), at(12, 0)), Off{Leave: Half}, Present, 4, 0, 0},
		{"the second half was worked", office, worked(at(13, 0), at(17, 0)), Off{Leave: Half}, Present, 4, 0, 0},
		{"the middle was worked", office, worked(at(10, 0), at(15, 0)), Off{Leave: Half}, Present, 4, 0, 0},
		{"later than its second half", office, worked(at(13, 10), at(17, 0)), Off{Leave: Half}, Present, 230. / 60, 10 * time.Minute, 0},
		{"not to the end of its first half", office, worked(at(8, 0), at(11, 50)), Off{Leave: Half}, Present, 230. / 60, 0, 10 * time.Minute},
		{"half a day of leave, and hours between", office, worked(at(14, 0), at(17, 0)), Off{Leave: Half, LeaveTimes: []shift.Interval{span(9, 11)}}, Present, 3, 0, 0},
		{"half a day of leave, and hours of it", office, worked(at(14, 5), at(16, 0)), Off{Leave: Half, LeaveTimes: []shift.Interval{span(8, 10)}}, Present, 115. / 60, 5 * time.Minute, 0},
		{"leave until ten: late from then on", morning(), worked(at(10, 5), at(12, 0)), Off{LeaveTimes: []shift.Interval{span(8, 10)}}, Present, 115. / 60, 5 * time.Minute, 0},
		{"leave after the shift, whose first half hour is a break", begins, worked(at(8, 10), at(12, 0)), Off{LeaveTimes: []shift.Interval{span(13, 14)}}, Present, 3.5, 10 * time.Minute, 0},
		{"leave of all hours", morning(), nil, Off{LeaveTimes: []shift.Interval{span(7, 13)}}, OnLeave, 0, 0, 0},
		{"half a holiday and half a day of leave", morning(), nil, Off{Holiday: Half, Leave: Half}, OnLeave, 0, 0, 0},
		{"unplanned work on a holiday, below the thresholds", unplannedWith(120, 60), worked(at(8, 0), at(8, 30)), Off{Holiday: Whole}, Present, 0.5, 0, 0},
		{"half a day of leave, and nobody came", morning(), nil, Off{Leave: Half}, Absent, 0, 0, 0},
		{"whole leave", morning(), nil, Off{Leave: Whole}, OnLeave, 0, 0, 0},
		{"a holiday within a leave", morning(), nil, Off{Leave: Whole, Holiday: Whole}, Holiday, 0, 0, 0},
		{"a shift that is planned on a weekly off", morning(), nil, Off{WeeklyOff: true}, Absent, 0, 0, 0},
		{"closed by rule", morning(), []Entry{{In: at(8, 0), Out: at(14, 0), NeedsConfirmation: true}}, Off{}, NeedsConfirmation, 6, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.o.Judge(tt.entries, tt.off, Defaults(), later)
			if got.Status != tt.want || Sum(got.Worked) != time.Duration(tt.hours*float64(time.Hour)).Round(time.Second) || got.Late != tt.late || got.Early != tt.early {
				t.Errorf("got %v, %v worked, %v late, %v early; want %v, %v h, %v, %v", got.Status, Sum(got.Worked), got.Late, got.Early, tt.want, tt.hours, tt.late, tt.early)
			}
			if final := tt.want != NeedsConfirmation; got.Final != final {
				t.Errorf("final: %v", got.Final)
			}
			if free := tt.off.Holiday == Whole && len(tt.entries) > 0; got.Off != free {
				t.Errorf("flagged as off: %v", got.Off)
			}
		})
	}
	if confirmed := morning().Judge([]Entry{{In: at(8, 0), Out: at(14, 0), NeedsConfirmation: true}}, Off{}, Defaults(), later).Confirmed; confirmed != Present {
		t.Errorf("once confirmed it is %v", confirmed)
	}
}

// TestFinal shows when a status is that of the day for good: behind the window, and
// absence behind the wait for offline events.
func TestFinal(t *testing.T) {
	absent := morning()
	absent.AbsentBelow = 120
	overAt, waited := at(13, 1), at(13, 1).Add(72*time.Hour)
	tests := []struct {
		name    string
		o       Occurrence
		entries []Entry
		off     Off
		now     time.Time
		want    Status
		final   bool
	}{
		{"before it", morning(), nil, Off{}, at(6, 0), NoStatus, false},
		{"in the last minute of the window", morning(), nil, Off{}, overAt.Add(-1), NoStatus, false},
		{"the window is over", morning(), nil, Off{}, overAt, NoStatus, false},
		{"the last instant of the wait", morning(), nil, Off{}, waited.Add(-1), NoStatus, false},
		{"the wait is over", morning(), nil, Off{}, waited, Absent, true},
		{"present within the window", morning(), worked(at(8, 0), at(10, 0)), Off{}, overAt.Add(-1), Present, false},
		{"present behind it", morning(), worked(at(8, 0), at(10, 0)), Off{}, overAt, Present, true},
		{"open behind it", morning(), []Entry{{In: at(8, 0)}}, Off{}, overAt, Present, false},
		{"few hours, before the wait is over", absent, worked(at(8, 0), at(9, 0)), Off{}, waited.Add(-1), Absent, false},
		{"few hours, then", absent, worked(at(8, 0), at(9, 0)), Off{}, waited, Absent, true},
		{"a holiday ahead", morning(), nil, Off{Holiday: Whole}, at(0, 0), Holiday, false},
		{"a holiday behind", morning(), nil, Off{Holiday: Whole}, overAt, Holiday, true},
		{"A21 A22 nobody was expected", morning(), nil, Off{NotEmployed: true}, waited, NoStatus, false},
		{"not even on a holiday", morning(), nil, Off{NotEmployed: true, Holiday: Whole}, waited, NoStatus, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.o.Judge(tt.entries, tt.off, Defaults(), tt.now)
			if got.Status != tt.want || got.Final != tt.final {
				t.Errorf("got %v, final %v; want %v, %v", got.Status, got.Final, tt.want, tt.final)
			}
		})
	}
}

// TestAbsentDays counts the days that nobody came (A20): those whose window and wait are
// over.
func TestAbsentDays(t *testing.T) {
	for _, tt := range []struct {
		name string
		wait time.Duration
		now  time.Time
		want int // of the days from five days ago until today
	}{
		{"A20 at 15:00, three hours of wait", 3 * time.Hour, at(15, 0), 5},
		{"a minute before the wait is over", 3 * time.Hour, at(16, 0), 5},
		{"today too once it is over", 3 * time.Hour, at(16, 1), 6},
		{"with three days of wait", 72 * time.Hour, at(15, 0), 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, absent := Defaults(), 0
			p.OfflineWait = tt.wait
			var works []Work
			for d := shift.Date("2026-03-05"); d <= "2026-03-10"; d = d.AddDays(1) {
				works = append(works, Work{Occurrence: working("UTC", d, "08:00", "12:00")})
			}
			for _, d := range sheetOf(Period{"2026-03-05", "2026-03-10"}, works, common, p, tt.now) {
				if d.Status == Absent {
					absent++
				}
			}
			if absent != tt.want {
				t.Errorf("%d days absent, want %d", absent, tt.want)
			}
		})
	}
}

// common is a day on which nothing is off.
func common(shift.Date) Off { return Off{} }

// TestBounds bounds the days of absence (A21, A22).
func TestBounds(t *testing.T) {
	d := shift.Date("2026-03-10")
	b := Bounds{Joined: d.AddDays(-30), Left: d.AddDays(-5), Since: d.AddDays(-28)}
	for days, want := range map[int]bool{-31: false, -30: false, -29: false, -28: true, -25: true, -5: true, -4: false, 0: false} {
		if got := b.Contain(d.AddDays(days)); got != want {
			t.Errorf("day %d: %v", days, got)
		}
	}
	if b.Inactive = true; b.Contain(d.AddDays(-10)) {
		t.Error("somebody inactive may be absent")
	}
	if !(Bounds{}).Contain(d) {
		t.Error("no bounds contain no date")
	}
	if (Bounds{Joined: d}).Contain(d.AddDays(-1)) {
		t.Error("absent before the first day")
	}
}

// TestSecondShift tells whether two attendances of a day may stand beside each other
// (A24, A25).
func TestSecondShift(t *testing.T) {
	first := []shift.Interval{span(8, 10)}
	for _, tt := range []struct {
		name  string
		other shift.Interval
		want  time.Duration // in common
	}{
		{"A25 separate", span(11, 12), 0},
		{"touching", span(10, 12), 0},
		{"A24 A25 overlapping", shift.Interval{Start: at(9, 30), End: at(11, 0)}, 30 * time.Minute},
	} {
		if got := Sum(Intersect(first, []shift.Interval{tt.other})); got != tt.want {
			t.Errorf("%s: %v in common, want %v", tt.name, got, tt.want)
		}
	}
}

func TestPeriods(t *testing.T) {
	for _, tt := range []struct {
		name string
		got  Period
		want Period
	}{
		{"A92 a week from Monday", Week("2011-06-23", 1), Period{"2011-06-20", "2011-06-26"}},
		{"A92 another", Week("2011-04-20", 1), Period{"2011-04-18", "2011-04-24"}},
		{"from Sunday", Week("2011-06-23", 7), Period{"2011-06-19", "2011-06-25"}},
		{"a month", Month("2026-02-10"), Period{"2026-02-01", "2026-02-28"}},
		{"of a leap year", Month("2028-02-29"), Period{"2028-02-01", "2028-02-29"}},
		{"the last of a year", Month("2026-12-31"), Period{"2026-12-01", "2026-12-31"}},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, tt.got, tt.want)
		}
	}
	asked := Period{"2026-03-10", "2026-03-12"}
	for other, want := range map[Period]bool{
		{"2026-03-11", "2026-03-13"}: true, {"2026-03-13", "2026-03-14"}: false, {"2026-03-01", "2026-03-10"}: true,
		{"2026-03-01", "2026-03-09"}: false, {"2026-03-11", "2026-03-11"}: true,
	} {
		if asked.Overlaps(other) != want || other.Overlaps(asked) != want {
			t.Errorf("A30 %v and %v overlap: want %v", asked, other, want)
		}
	}
	if n := len(Period{"2026-03-12", "2026-03-10"}.Dates()); n != 0 {
		t.Errorf("%d dates from the later to the earlier", n)
	}
}

// TestApplicable skips days of a request (A32).
func TestApplicable(t *testing.T) {
	off := func(d shift.Date) Off {
		return map[shift.Date]Off{"2026-03-11": {Holiday: Whole}, "2026-03-12": {Leave: Whole}, "2026-03-13": {Holiday: Half}}[d]
	}
	for _, tt := range []struct {
		name             string
		holidays         bool
		applies, skipped []shift.Date
	}{
		{"A32", false, []shift.Date{"2026-03-10", "2026-03-13"}, []shift.Date{"2026-03-11", "2026-03-12"}},
		{"A32 with holidays", true, []shift.Date{"2026-03-10", "2026-03-11", "2026-03-13"}, []shift.Date{"2026-03-12"}},
	} {
		applies, skipped := Applicable(Period{"2026-03-10", "2026-03-13"}, off, tt.holidays)
		if !slices.Equal(applies, tt.applies) || !slices.Equal(skipped, tt.skipped) {
			t.Errorf("%s: applies to %v, not %v", tt.name, applies, skipped)
		}
	}
}

func TestPunches(t *testing.T) {
	at := func(minute int) time.Time { return at(8, 0).Add(minutes(minute)) }
	alternating := []Punch{{at(-390), ""}, {at(-300), ""}, {at(-270), ""}, {at(-90), ""}, {at(0), ""}}
	typed := []Punch{{at(-390), Out}, {at(-360), In}, {at(-300), Out}, {at(-290), In}, {at(-260), Out}, {at(-240), In}, {at(-150), In}, {at(-60), Out}}
	for _, tt := range []struct {
		name         string
		punches      []Punch
		first, pairs time.Duration
	}{
		{"A27 alternating", alternating, 390 * time.Minute, 270 * time.Minute},
		{"in and out are known", typed, 5 * time.Hour, 270 * time.Minute},
		{"none", nil, 0, 0},
		{"outs alone", []Punch{{at(0), Out}, {at(10), Out}}, 0, 0},
		{"ins alone", []Punch{{at(0), In}, {at(10), In}}, 0, 0},
		{"an out before the in", []Punch{{at(0), Out}, {at(10), In}}, 0, 0},
	} {
		for range 2 {
			if got := Sum(FirstLast(tt.punches)); got != tt.first {
				t.Errorf("%s: first to last %v, want %v", tt.name, got, tt.first)
			}
			if got := Sum(Pairs(tt.punches)); got != tt.pairs {
				t.Errorf("%s: pairs %v, want %v", tt.name, got, tt.pairs)
			}
			slices.Reverse(tt.punches) // in any order
		}
	}
}

// breakAt returns a break of wall times.
func breakAt(start, end shift.Clock) shift.Break { return shift.Break{Start: start, End: end} }

var lunch = breakAt("12:00", "13:00")

// TestWorkedInZones deducts lunch in the zone of the shift (A55, A56), and closes who forgot
// at the same wall time everywhere.
func TestWorkedInZones(t *testing.T) {
	for _, zone := range []string{"UTC", "Asia/Tokyo", "Pacific/Honolulu", "America/Mexico_City"} {
		o := working(zone, "2026-09-07", "09:00", "17:00", lunch)
		o.LateGrace = new(0)
		entries := []Entry{clocked(zone, "2026-09-07 09:00", "2026-09-07 18:00")}
		if got := Sum(o.Judge(entries, Off{}, Defaults(), later).Worked); got != 8*time.Hour {
			t.Errorf("A55 %s: %v", zone, got)
		}
		o.Breaks = nil
		if got := Sum(o.Judge(entries, Off{}, Defaults(), later).Worked); got != 9*time.Hour {
			t.Errorf("A56 %s: %v", zone, got)
		}
		o = working(zone, "2026-09-07", "09:00", "17:00", lunch)
		o.LateGrace = new(0)
		p := Defaults()
		p.CloseTolerance = time.Hour
		c, _ := o.Close([]Entry{clocked(zone, "2026-09-07 09:00", "")}, Off{}, p, false)
		if wall := c.At.In(zoneOf(zone)).Format("2006-01-02 15:04"); wall != "2026-09-07 18:00" {
			t.Errorf("%s: closed at %s", zone, wall)
		}
	}
}

// TestOpenEntry counts an open entry until now beside what is closed (A48), and a whole day
// (A49).
func TestOpenEntry(t *testing.T) {
	r := morning().Judge([]Entry{{In: at(8, 0)}}, Off{}, Defaults(), at(9, 30))
	if Sum(r.Closed) != 0 || Sum(r.Worked) != 90*time.Minute || r.Status != Present || r.Early != 0 {
		t.Errorf("A48: got %+v", r)
	}
	if r = morning().Judge([]Entry{{In: at(8, 0)}}, Off{}, Defaults(), at(7, 59)); len(r.Worked) != 0 {
		t.Errorf("worked %v before it began", Sum(r.Worked))
	}
	whole := []Entry{clocked("Asia/Kolkata", "2026-03-10 12:10", "2026-03-11 12:10")}
	r = working("Asia/Kolkata", "2026-03-10", "12:00", "20:00").Judge(whole, Off{}, Defaults(), later)
	if got := Sum(r.Worked); got != 24*time.Hour {
		t.Errorf("A49: %v", got)
	}
}

// daysOf returns the days of a period without holidays and leave.
func daysOf(p Policy, period Period, now time.Time, works ...Work) []Day {
	return sheetOf(period, works, common, p, now)
}

func TestOvertimeOfDay(t *testing.T) {
	const monday = "2021-01-04"
	on := func(zone, date string) Work {
		return Work{Occurrence: working(zone, shift.Date(date), "08:00", "17:00", lunch)}
	}
	utc := func(in, out string) Entry {
		if out != "" {
			out = monday + " " + out
		}
		return clocked("UTC", monday+" "+in, out)
	}
	unconfirmed := utc("08:00", "19:00")
	unconfirmed.NeedsConfirmation = true
	evening := clocked("UTC", monday+" 23:00", "").In
	tests := []struct {
		name                        string
		tolerance                   int // minutes
		entries                     []Entry
		overtime, estimate, balance time.Duration
	}{
		{"A57 an hour more", 0, []Entry{utc("08:00", "12:00"), utc("13:00", "18:00")}, time.Hour, time.Hour, time.Hour},
		{"A57 while it is open", 0, []Entry{utc("08:00", "12:00"), utc("13:00", "")}, 0, 6 * time.Hour, -4 * time.Hour},
		{"A58 lunch was worked", 0, []Entry{utc("08:00", "17:00")}, 0, 0, 0},
		{"A58 an hour earlier", 0, []Entry{utc("07:00", "16:00")}, 0, 0, 0},
		{"A58 an hour later", 0, []Entry{utc("09:00", "18:00")}, 0, 0, 0},
		{"A59 as much as is tolerated", 10, []Entry{utc("07:55", "12:00"), utc("13:00", "17:05")}, 0, 0, 10 * time.Minute},
		{"A59 more than is tolerated", 4, []Entry{utc("07:55", "12:00"), utc("13:00", "17:05")}, 10 * time.Minute, 10 * time.Minute, 10 * time.Minute},
		{"an hour is tolerated", 60, []Entry{utc("08:00", "18:00")}, 0, 0, time.Hour},
		{"closed by rule and not confirmed", 0, []Entry{unconfirmed}, 0, 2 * time.Hour, 2 * time.Hour},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, w := Defaults(), on("UTC", monday)
			p.OvertimeTolerance, w.Entries = minutes(tt.tolerance), tt.entries
			d := daysOf(p, Period{monday, monday}, evening, w)[0]
			if d.Overtime != tt.overtime || d.Estimate != tt.estimate || d.Balance != tt.balance {
				t.Errorf("got %v, %v, %v; want %v, %v, %v", d.Overtime, d.Estimate, d.Balance, tt.overtime, tt.estimate, tt.balance)
			}
		})
	}
	brussels := on("Europe/Brussels", monday)
	for _, tt := range []struct {
		in, out string
		want    time.Duration
	}{{"07:00", "11:00", -4 * time.Hour}, {"12:00", "17:00", time.Hour}} {
		brussels.Entries = append(brussels.Entries, utc(tt.in, tt.out))
		if d := daysOf(Defaults(), Period{monday, monday}, evening, brussels)[0]; d.Balance != tt.want {
			t.Errorf("A61 until %s: %v, want %v", tt.out, d.Balance, tt.want)
		}
	}
}

// unplanned returns work for which no shift was planned.
func unplanned(zone string, date shift.Date, entries ...Entry) Work {
	return Work{Occurrence{Date: date, Zone: zoneOf(zone), Start: entries[0].In, End: entries[0].In, Until: entries[0].In}, entries}
}

func TestOvertimeOfRestDays(t *testing.T) {
	saturday := unplanned("UTC", "2021-01-09", clocked("UTC", "2021-01-09 08:00", "2021-01-09 11:00"))
	p := Defaults()
	for _, tt := range []struct {
		name       string
		rest       bool
		dailyAfter time.Duration
		want       time.Duration
	}{
		{"A60", true, 0, 3 * time.Hour},
		{"A60 whatever the daily rule", true, 9 * time.Hour, 3 * time.Hour},
		{"without the rule", false, 0, 0},
		{"by the daily rule", false, 2 * time.Hour, time.Hour},
	} {
		p.RestDays, p.DailyAfter = tt.rest, tt.dailyAfter
		if got := daysOf(p, Period{saturday.Date, saturday.Date}, later, saturday)[0].Overtime; got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	holiday := Work{working("UTC", "2021-01-04", "08:00", "12:00"), []Entry{clocked("UTC", "2021-01-04 08:00", "2021-01-04 12:00")}}
	p = Defaults()
	d := sheetOf(Period{holiday.Date, holiday.Date}, []Work{holiday}, func(shift.Date) Off { return Off{Holiday: Whole} }, p, later)[0]
	if d.Overtime != 4*time.Hour || !d.Off || d.Expected != 0 || d.Status != Present {
		t.Errorf("A19 on a holiday: %+v", d)
	}
}

// TestOvertimeOfWeek counts what the daily and the weekly rule both take once.
func TestOvertimeOfWeek(t *testing.T) {
	p := Defaults()
	p.DailyAfter, p.WeeklyAfter = 9*time.Hour, 40*time.Hour
	var week []WorkedDate
	for i, hours := range []int{10, 8, 8, 8, 10} {
		d := shift.Date("2021-01-04").AddDays(i)
		start := d.In(time.UTC).Add(8 * time.Hour)
		week = append(week, WorkedDate{d, []shift.Interval{{Start: start, End: start.Add(time.Duration(hours) * time.Hour)}}, 8 * time.Hour})
	}
	hours := func(p Policy, days []WorkedDate) (list []float64) {
		for _, extra := range Overtime(days, p) {
			list = append(list, Sum(extra).Hours())
		}
		return list
	}
	for _, tt := range []struct {
		name   string
		change func(*Policy)
		want   []float64
	}{
		{"both rules: 5 hours", func(*Policy) {}, []float64{1, 0, 0, 0, 4}},
		{"the daily rule", func(p *Policy) { p.WeeklyAfter = 0 }, []float64{1, 0, 0, 0, 1}},
		{"the weekly rule", func(p *Policy) { p.DailyAfter = 24 * time.Hour }, []float64{0, 0, 0, 0, 4}},
		{"beyond what is expected", func(p *Policy) { p.DailyAfter, p.WeeklyAfter = 0, 0 }, []float64{2, 0, 0, 0, 2}},
		{"four hours are tolerated", func(p *Policy) { p.OvertimeTolerance = 4 * time.Hour }, []float64{0, 0, 0, 0, 0}},
		{"a little less is not", func(p *Policy) { p.OvertimeTolerance = 4*time.Hour - 1 }, []float64{0, 0, 0, 0, 4}},
		{"weeks from Friday", func(p *Policy) { p.FirstWeekday = 5 }, []float64{1, 0, 0, 0, 1}},
	} {
		changed := p
		tt.change(&changed)
		if got := hours(changed, week); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	if got := p.Affected("2021-01-06"); got != Week("2021-01-06", 1) {
		t.Errorf("a change affects %v, want its week", got)
	}
	if p.WeeklyAfter = 0; p.Affected("2021-01-06") != (Period{"2021-01-06", "2021-01-06"}) {
		t.Errorf("a change affects %v, want its date", p.Affected("2021-01-06"))
	}
}

// TestSplits parts nights and long work at local midnight.
func TestSplits(t *testing.T) {
	hours := func(list []Day, of func(Day) time.Duration) (out []float64) {
		for _, d := range list {
			out = append(out, of(d).Hours())
		}
		return out
	}
	work := func(d Day) time.Duration { return d.Worked }
	night := func(d Day) time.Duration { return d.Night }
	tests := []struct {
		name     string
		zone     string
		in, out  string
		breaks   []shift.Interval // lunch in UTC
		of       func(Day) time.Duration
		wantDays []float64 // from the date of in
	}{
		{"over midnight", "Asia/Jakarta", "2026-03-10 20:00", "2026-03-11 04:00", nil, work, []float64{4, 4, 0}},
		{"two nights, lunch between", "UTC", "2026-03-10 20:00", "2026-03-12 10:00", []shift.Interval{span(36, 37)}, work, []float64{4, 23, 10}},
		{"night premium of a night", "Asia/Jakarta", "2026-03-10 20:00", "2026-03-11 08:00", nil, night, []float64{2, 6, 0}},
		{"of a part of it", "Asia/Jakarta", "2026-03-10 23:00", "2026-03-11 02:00", nil, night, []float64{1, 2, 0}},
		{"by day", "Asia/Jakarta", "2026-03-10 09:00", "2026-03-10 17:00", nil, night, []float64{0, 0, 0}},
		{"clocks put forward", "Europe/Berlin", "2026-03-28 22:00", "2026-03-29 06:00", nil, work, []float64{2, 5, 0}},
		{"clocks put back", "Europe/Berlin", "2026-10-24 22:00", "2026-10-25 06:00", nil, night, []float64{2, 7, 0}},
		{"a day of 25 hours", "America/Santiago", "2026-04-04 00:00", "2026-04-05 01:00", nil, work, []float64{25, 1, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := unplanned(tt.zone, shift.Date(tt.in[:10]), clocked(tt.zone, tt.in, tt.out))
			w.Breaks = tt.breaks
			got := hours(daysOf(Defaults(), Period{w.Date, w.Date.AddDays(2)}, later.AddDate(1, 0, 0), w), tt.of)
			if !slices.Equal(got, tt.wantDays) {
				t.Errorf("%v hours, want %v", got, tt.wantDays)
			}
		})
	}
	// A day in Auckland is dated by its own zone, and so is its overtime.
	o := working("Pacific/Auckland", "2026-08-31", "08:00", "16:00")
	w := Work{o, []Entry{clocked("UTC", "2026-08-30 20:00", "2026-08-31 08:00")}}
	days := daysOf(Defaults(), Period{"2026-08-30", "2026-09-01"}, later.AddDate(1, 0, 0), w)
	if days[1].Worked != 12*time.Hour || days[1].Overtime != 4*time.Hour || days[0].Worked+days[2].Worked != 0 {
		t.Errorf("Auckland: %+v", days)
	}
}

// TestSharedSeconds counts what two occurrences claim once.
func TestSharedSeconds(t *testing.T) {
	long, short := morning(), working("UTC", "2026-03-10", "12:00", "16:00")
	works := []Work{
		{short, []Entry{{In: at(6, 0), Out: at(7, 0)}, {In: at(10, 0), Out: at(11, 0)}, {In: at(14, 0), Out: at(15, 0)}}},
		{long, []Entry{{In: at(8, 0), Out: at(13, 0)}}},
	}
	for range 2 {
		if d := daysOf(Defaults(), Period{"2026-03-10", "2026-03-10"}, later, works...)[0]; d.Worked != 7*time.Hour || d.Closed != 7*time.Hour || d.Expected != 8*time.Hour {
			t.Errorf("got %+v, want 5 hours and 2", d)
		}
		slices.Reverse(works)
	}
}

// TestSecondsOfDays parts a night of fractions of seconds.
func TestSecondsOfDays(t *testing.T) {
	in, out := at(20, 0).Add(500*time.Millisecond), at(28, 0).Add(400*time.Millisecond)
	w := unplanned("UTC", "2026-03-10", Entry{In: in, Out: out})
	days := daysOf(Defaults(), Period{"2026-03-10", "2026-03-11"}, later, w)
	if days[0].Worked != 4*time.Hour || days[1].Worked != 4*time.Hour {
		t.Errorf("got %v and %v, want whole seconds that sum to 8 h", days[0].Worked, days[1].Worked)
	}
	open := unplanned("UTC", "2026-03-10", Entry{In: in})
	if d := daysOf(Defaults(), Period{"2026-03-10", "2026-03-10"}, at(20, 0).Add(2700*time.Millisecond), open)[0]; d.Worked != 2*time.Second {
		t.Errorf("open for %v, want whole seconds", d.Worked)
	}
}

// TestDaysWithoutWork have what the calendar says.
func TestDaysWithoutWork(t *testing.T) {
	off := func(d shift.Date) Off {
		return map[shift.Date]Off{
			"2026-03-11": {Holiday: Whole}, "2026-03-12": {WeeklyOff: true}, "2026-03-13": {Leave: Whole}, "2026-03-14": {Holiday: Half},
			"2026-03-15": {WeeklyOff: true, NotEmployed: true}, "2026-03-16": {Leave: Whole, WeeklyOff: true, Holiday: Whole}, "2026-03-17": {WorkFromHome: true},
			"2026-03-18": {Leave: Half}, "2026-03-19": {Leave: Whole, Holiday: Half},
		}[d]
	}
	want := []Day{
		{Status: NoStatus}, {Status: Holiday}, {Status: WeeklyOff}, {Status: OnLeave, Leave: Whole, Freed: 8 * time.Hour}, {Status: NoStatus},
		{Status: NoStatus}, {Status: Holiday, Leave: Whole}, {Status: WorkFromHome},
		{Status: NoStatus, Leave: Half, Freed: 4 * time.Hour}, {Status: OnLeave, Leave: Whole, Freed: 4 * time.Hour},
	}
	for i, d := range sheetOf(Period{"2026-03-10", "2026-03-19"}, nil, off, Defaults(), later) {
		want[i].Date = shift.Date("2026-03-10").AddDays(i)
		if d != want[i] {
			t.Errorf("got %+v, want %+v", d, want[i])
		}
	}
}

// TestRank shows one status of several, in any order.
func TestRank(t *testing.T) {
	order := []Status{NeedsConfirmation, Present, WorkFromHome, HalfDay, Absent, OnLeave, Holiday, WeeklyOff, NoStatus}
	for i, a := range order {
		for n, b := range order {
			if got := Rank(a, b); got != order[min(i, n)] {
				t.Errorf("of %s and %s: %s", a, b, got)
			}
		}
	}
	works := []Work{
		{working("UTC", "2026-03-10", "08:00", "10:00"), worked(at(8, 0), at(10, 0))},
		{working("UTC", "2026-03-10", "11:00", "12:00"), nil},
	}
	if d := daysOf(Defaults(), Period{"2026-03-10", "2026-03-10"}, later, works...)[0]; d.Status != Present || d.Expected != 3*time.Hour || d.Balance != -time.Hour {
		t.Errorf("one shift worked, one not: %+v", d)
	}
}
