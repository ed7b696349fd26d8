package timesheet

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"workforce/internal/shift"
)

// A source gives numbers from 0 to below n: at random, or those of a fuzzer.
type source interface{ IntN(n int) int }

// bytesSource reads numbers from bytes; then it gives 0.
type bytesSource struct{ data []byte }

func (s *bytesSource) IntN(n int) int {
	if len(s.data) < 2 {
		return 0
	}
	v := int(s.data[0]) | int(s.data[1])<<8
	s.data = s.data[2:]
	return v % n
}

// newRandom returns the same numbers in every run.
func newRandom(seed uint64) source { return rand.New(rand.NewPCG(seed, 1)) }

// A world is what Sheet is asked: about two weeks, all at whole minutes.
type world struct {
	period Period
	zone   *time.Location
	works  []Work
	off    map[shift.Date]Off
	policy Policy
	now    time.Time
}

func (w world) offOf(d shift.Date) Off { return w.off[d] }

func (w world) sheet() []Day { return sheetOf(w.period, w.works, w.offOf, w.policy, w.now) }

func zoneOf(name string) *time.Location {
	zone, err := shift.Zone(name)
	if err != nil {
		panic(err)
	}
	return zone
}

func pick[T any](s source, of ...T) T { return of[s.IntN(len(of))] }

// newWorld makes a world in which clocks may change, with works one after the other.
func newWorld(s source) world {
	first := pick(s, shift.Date("2026-03-09"), "2026-03-23", "2026-03-30", "2026-10-19", "2026-09-24")
	w := world{
		period: Period{first, first.AddDays(13)}, off: map[shift.Date]Off{},
		zone: zoneOf(pick(s, "Asia/Jakarta", "Europe/Berlin", "America/Santiago", "Pacific/Auckland", "Pacific/Honolulu", "Asia/Kathmandu", "America/St_Johns")),
		policy: Policy{
			OfflineWait: pick(s, 0, time.Hour, 72*time.Hour), FirstWeekday: 1 + s.IntN(7),
			OvertimeTolerance: minutes(pick(s, 0, 0, 10, 60)), DailyAfter: pick(s, 0, 0, 9*time.Hour),
			WeeklyAfter: pick(s, 0, 0, 20*time.Hour, 40*time.Hour), RestDays: s.IntN(2) == 0,
		},
	}
	night := pick(s, [2]shift.Clock{"22:00", "06:00"}, [2]shift.Clock{"21:00", "05:00"}, [2]shift.Clock{"08:00", "12:00"}, [2]shift.Clock{"00:00", "00:00"})
	w.policy.NightFrom, w.policy.NightUntil = night[0], night[1]
	w.policy.CloseTolerance, w.policy.Cap, w.policy.CloseAtEnd = minutes(pick(s, 0, 60, 120)), minutes(pick(s, 0, 240, 660, 960, 5000)), s.IntN(3) == 0
	busy := time.Time{}
	for d := first; d <= w.period.To; d = d.AddDays(1) {
		if s.IntN(4) == 0 {
			w.off[d] = newOff(s, d, w.zone)
		}
		if s.IntN(5) == 0 {
			continue
		}
		work := Work{Occurrence: newOccurrence(s, d, w.zone)}
		at := work.Start.Add(minutes(s.IntN(120) - 60))
		for range s.IntN(4) {
			if at.Before(busy) {
				at = busy
			}
			out := at.Add(minutes(1 + s.IntN(600)))
			work.Entries = append(work.Entries, Entry{In: at, Out: out, NeedsConfirmation: s.IntN(12) == 0})
			at = out.Add(minutes(s.IntN(90)))
			busy = out
		}
		w.works = append(w.works, work)
	}
	w.now = w.period.To.AddDays(s.IntN(6) - 2).In(w.zone).Add(minutes(s.IntN(1440)))
	w.works = slices.DeleteFunc(w.works, func(work Work) bool {
		return slices.ContainsFunc(work.Entries, func(e Entry) bool { return e.Out.After(w.now) })
	})
	if n := len(w.works); n > 0 && s.IntN(2) == 0 { // the last entry is open
		if e := w.works[n-1].Entries; len(e) > 0 {
			e[len(e)-1].Out, e[len(e)-1].NeedsConfirmation = time.Time{}, false
		}
	}
	return w
}

func newOff(s source, d shift.Date, zone *time.Location) Off {
	off := Off{
		Holiday: pick(s, None, None, Half, Whole), Leave: pick(s, None, None, Half, Whole),
		WeeklyOff: s.IntN(4) == 0, WorkFromHome: s.IntN(4) == 0, NotEmployed: s.IntN(8) == 0,
	}
	if s.IntN(3) == 0 {
		from := d.In(zone).Add(minutes(s.IntN(1440)))
		off.LeaveTimes = []shift.Interval{{Start: from, End: from.Add(minutes(30 * s.IntN(10)))}}
	}
	return off
}

func newOccurrence(s source, d shift.Date, zone *time.Location) Occurrence {
	clock := func(minute int) shift.Clock {
		return shift.Clock(fmt.Sprintf("%02d:%02d", minute/60%24, minute%60))
	}
	start, length := 30*s.IntN(48), 30*(1+s.IntN(20))
	plan := shift.Shift{Start: clock(start), End: clock(start + length), Zone: zone, OpensBefore: 60, ClosesAfter: pick(s, 0, 60, 300)}
	if s.IntN(2) == 0 && length > 120 {
		plan.Breaks = []shift.Break{{Start: clock(start + 60), End: clock(start + 105)}}
	}
	on := plan.On(d)
	return Occurrence{
		Date: d, Zone: zone, Start: on.StartAt, End: on.EndAt, Until: on.ClockInUntil, Breaks: plan.BreaksOn(d),
		BreakMinutes: pick(s, 0, 0, 30), BreakAfterMinutes: pick(s, 0, 240, 360),
		LateGrace: pick(s, nil, new(0), new(15)), EarlyGrace: pick(s, nil, new(0), new(15)),
		HalfDayBelow: pick(s, 0, 240), AbsentBelow: pick(s, 0, 120),
	}
}

// An oracle knows of a work which minutes count, one by one.
type oracle struct {
	Work
	worked, closed []time.Time // minutes, in order
	open           bool
}

// ask looks at every minute from the first to the last of an entry.
func ask(w Work, now time.Time) oracle {
	o := oracle{Work: w}
	o.open = slices.ContainsFunc(w.Entries, func(e Entry) bool { return e.Out.IsZero() })
	o.worked = countMinutes(w.Occurrence, w.Entries, now)
	o.closed = countMinutes(w.Occurrence, slices.DeleteFunc(slices.Clone(w.Entries), func(e Entry) bool { return e.Out.IsZero() }), now)
	return o
}

// countMinutes returns the minutes that count as work, one after the other.
func countMinutes(o Occurrence, entries []Entry, now time.Time) (list []time.Time) {
	var from, to time.Time
	for i, e := range entries {
		end := e.Out
		if end.IsZero() {
			end = now
		}
		if i == 0 || e.In.Before(from) {
			from = e.In
		}
		if end.After(to) {
			to = end
		}
	}
	passed := 0
	for m := from; m.Before(to); m = m.Add(time.Minute) {
		present := false
		for _, e := range entries {
			present = present || !m.Before(e.In) && (m.Before(e.Out) || e.Out.IsZero() && m.Before(now))
		}
		for _, b := range o.Breaks {
			present = present && (m.Before(b.Start) || !m.Before(b.End))
		}
		if !present {
			continue
		}
		if passed < o.BreakAfterMinutes || passed >= o.BreakAfterMinutes+o.BreakMinutes {
			list = append(list, m)
		}
		passed++
	}
	return list
}

// expected counts the minutes that an occurrence asks for.
func expected(o Occurrence, off Off) time.Duration {
	free := int(off.Holiday) + int(off.Leave)
	if free >= 2 {
		return 0
	}
	return time.Duration(len(workMinutes(o, off))) * time.Minute * time.Duration(2-free) / 2
}

// workMinutes returns the minutes of a shift that are to be worked on a common day, without
// leave of some hours.
func workMinutes(o Occurrence, off Off) (list []time.Time) {
	passed := 0
	for m := o.Start; m.Before(o.End); m = m.Add(time.Minute) {
		if inside(m, off.LeaveTimes) || inside(m, o.Breaks) {
			continue
		}
		if passed < o.BreakAfterMinutes || passed >= o.BreakAfterMinutes+o.BreakMinutes {
			list = append(list, m)
		}
		passed++
	}
	return list
}

func inside(m time.Time, list []shift.Interval) bool {
	return slices.ContainsFunc(list, func(i shift.Interval) bool { return !m.Before(i.Start) && m.Before(i.End) })
}

// days answers what Sheet is asked, from minutes.
func (w world) days() []Day {
	of := make([]oracle, len(w.works))
	by := map[shift.Date]*Day{}
	var days []*Day
	for d := w.period.From; d <= w.period.To; d = d.AddDays(1) {
		by[d] = &Day{Date: d, Status: NoStatus}
		days = append(days, by[d])
	}
	for i, work := range w.works {
		of[i] = ask(work, w.now)
		for _, m := range of[i].worked {
			if d := by[localDate(m, w.zone)]; d != nil {
				d.Worked += time.Minute
			}
		}
		for _, m := range of[i].closed {
			if d := by[localDate(m, w.zone)]; d != nil {
				d.Closed += time.Minute
				if w.atNight(m) {
					d.Night += time.Minute
				}
			}
		}
	}
	for _, d := range days {
		any := false
		for _, o := range of {
			if o.Date == d.Date {
				any = true
				w.addOracle(d, o)
			}
		}
		if !any {
			off := w.offOf(d.Date)
			d.Status, d.Leave = off.Status(), off.Leave
			switch {
			case off.WeeklyOff || off.Holiday == Whole || off.Leave == None:
			case off.Leave == Half || off.Holiday == Half:
				d.Freed = w.policy.LeaveDay / 2
			default:
				d.Freed = w.policy.LeaveDay
			}
		}
	}
	w.overtime(days, of, func(o oracle) []time.Time {
		if slices.ContainsFunc(o.Entries, func(e Entry) bool { return e.NeedsConfirmation }) {
			return nil
		}
		return o.closed
	}, func(d *Day, t time.Duration) { d.Overtime = t })
	w.overtime(days, of, func(o oracle) []time.Time { return o.worked }, func(d *Day, t time.Duration) { d.Estimate = t })
	list := make([]Day, len(days))
	for i, d := range days {
		list[i] = *d
	}
	return list
}

// localDate returns the date of a minute: where a zone goes back over midnight, the later
// one, whose day has begun.
func localDate(m time.Time, zone *time.Location) shift.Date {
	d := shift.DateOf(m, zone)
	if next := d.AddDays(1); !m.Before(next.In(zone)) {
		return next
	}
	return d
}

func (w world) atNight(m time.Time) bool {
	from, until := w.policy.NightFrom, w.policy.NightUntil
	clock := shift.Clock(m.In(w.zone).Format("15:04"))
	if from <= until {
		return from <= clock && clock < until
	}
	return from <= clock || clock < until
}

// addOracle adds what belongs to the date of an occurrence.
func (w world) addOracle(day *Day, o oracle) {
	off := w.offOf(o.Date)
	want := expected(o.Occurrence, off)
	day.Expected += want
	common := off
	common.Leave, common.LeaveTimes = None, nil
	day.Leave, day.Freed = max(day.Leave, off.Leave), day.Freed+expected(o.Occurrence, common)-want
	status := w.status(o, off, want)
	day.Status = Rank(day.Status, status)
	if status != NoStatus {
		day.Balance += time.Duration(len(o.closed))*time.Minute - want
	}
	if len(o.Entries) == 0 {
		return
	}
	day.Unsettled = day.Unsettled || o.open || slices.ContainsFunc(o.Entries, func(e Entry) bool { return e.NeedsConfirmation })
	day.Off = day.Off || off.Holiday+off.Leave >= Whole
	if off.Holiday+off.Leave >= Whole {
		return
	}
	var own []time.Time // minutes in which somebody is expected
	for m := o.Start; m.Before(o.End); m = m.Add(time.Minute) {
		if len(off.LeaveTimes) == 0 || !inside(m, off.LeaveTimes) && !inside(m, o.Breaks) {
			own = append(own, m)
		}
	}
	if len(own) == 0 {
		return
	}
	come, leave := own[0], own[len(own)-1].Add(time.Minute)
	if list := workMinutes(o.Occurrence, off); off.Holiday+off.Leave == Half && len(list) > 0 {
		come, leave = list[len(list)/2], list[(len(list)-1)/2].Add(time.Minute)
		if len(list)%2 == 1 { // the halves part in the middle of a minute
			come, leave = come.Add(30*time.Second), leave.Add(-30*time.Second)
		}
	}
	in := slices.MinFunc(o.Entries, func(a, b Entry) int { return a.In.Compare(b.In) }).In
	if late := in.Sub(come); o.LateGrace != nil && late > minutes(*o.LateGrace) {
		day.Late += late
	}
	out := slices.MaxFunc(o.Entries, func(a, b Entry) int { return a.Out.Compare(b.Out) }).Out
	if early := leave.Sub(out); !o.open && o.EarlyGrace != nil && early > minutes(*o.EarlyGrace) {
		day.Early += early
	}
}

// status says what an occurrence counts as.
func (w world) status(o oracle, off Off, want time.Duration) Status {
	free := off.Holiday+off.Leave >= Whole
	away := slices.ContainsFunc(off.LeaveTimes, func(i interval) bool { // of some hours of the shift, not of others
		return i.Start.Before(i.End) && i.Start.Before(o.End) && o.Start.Before(i.End)
	})
	if len(o.Entries) == 0 {
		switch {
		case off.NotEmployed:
			return NoStatus
		case off.Holiday == Whole:
			return Holiday
		case off.Leave == Whole:
			return OnLeave
		case off.WorkFromHome:
			return WorkFromHome
		case want == 0 && (free || away):
			return OnLeave
		case !w.now.Before(o.Until.Add(time.Minute + w.policy.OfflineWait)):
			return Absent
		}
		return NoStatus
	}
	if slices.ContainsFunc(o.Entries, func(e Entry) bool { return e.NeedsConfirmation }) {
		return NeedsConfirmation
	}
	if o.open {
		return Present
	}
	worked, all := time.Duration(len(o.worked))*time.Minute, expected(o.Occurrence, Off{})
	share := func(below int) time.Duration { // of a threshold, in seconds
		if all == 0 && (off.Holiday+off.Leave > 0 || away) {
			return 0
		} else if all == 0 {
			return minutes(below)
		}
		return time.Duration(int64(minutes(below).Seconds())*int64(want.Seconds())/int64(all.Seconds())) * time.Second
	}
	switch {
	case worked < share(o.AbsentBelow):
		return Absent
	case worked < share(o.HalfDayBelow):
		return HalfDay
	case off.WorkFromHome:
		return WorkFromHome
	}
	return Present
}

// overtime sets the overtime of days, minute by minute.
func (w world) overtime(days []*Day, of []oracle, minutesOf func(oracle) []time.Time, set func(*Day, time.Duration)) {
	type key struct {
		date   shift.Date
		minute int64
	}
	extra := map[key]time.Duration{} // of each minute, its end
	add := func(list []key, after time.Duration) {
		list = list[min(len(list), int(after/time.Minute)):]
		part := after % time.Minute // of the first, that is no overtime
		if time.Duration(len(list))*time.Minute-part <= w.policy.OvertimeTolerance {
			return
		}
		for _, k := range list {
			extra[k] = max(extra[k], time.Minute-part)
			part = 0
		}
	}
	weeks := map[shift.Date][]key{}
	for d := w.period.From.AddDays(-7); d <= w.period.To.AddDays(7); d = d.AddDays(1) {
		var list []key
		var want time.Duration
		for _, o := range of {
			if o.Date == d {
				want += expected(o.Occurrence, w.offOf(d))
				for _, m := range minutesOf(o) {
					list = append(list, key{d, m.Unix()})
				}
			}
		}
		weeks[d.WeekFrom(w.policy.FirstWeekday)] = append(weeks[d.WeekFrom(w.policy.FirstWeekday)], list...)
		after := want
		if w.policy.DailyAfter > 0 {
			after = w.policy.DailyAfter
		}
		if want == 0 && w.policy.RestDays {
			after = 0
		} else if want == 0 && w.policy.DailyAfter == 0 {
			continue
		}
		add(list, after)
	}
	for _, list := range weeks {
		if w.policy.WeeklyAfter > 0 {
			add(list, w.policy.WeeklyAfter)
		}
	}
	sums := map[shift.Date]time.Duration{}
	for k, part := range extra {
		sums[k.date] += part
	}
	for _, d := range days {
		set(d, sums[d.Date])
	}
}

// checkWorld compares Sheet with the oracle, and with itself where nothing may differ.
func checkWorld(t *testing.T, w world) {
	t.Helper()
	got, want := w.sheet(), w.days()
	if len(got) != len(want) {
		t.Fatalf("%d days, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s in %s:\ngot  %+v\nwant %+v", got[i].Date, w.zone, got[i], want[i])
		}
	}
	again := w
	again.works = nil
	for _, work := range slices.Backward(w.works) { // in another order, zone of the instants, and some twice
		twice := make([]Entry, 0, 2*len(work.Entries))
		for _, e := range slices.Backward(work.Entries) {
			e.In = e.In.In(zoneOf("Asia/Tokyo"))
			if !e.Out.IsZero() {
				e.Out = e.Out.In(zoneOf("America/Lima"))
			}
			twice = append(twice, e, e)
		}
		work.Entries = twice
		again.works = append(again.works, work)
	}
	again.now = w.now.In(zoneOf("Asia/Tokyo"))
	if other := again.sheet(); !slices.Equal(other, got) {
		t.Errorf("in another order and zone, entries twice:\ngot  %+v\nwant %+v", other, got)
	}
	checkParts(t, w)
}

// checkParts compares the sum of days with what was worked, and with more of it.
func checkParts(t *testing.T, w world) {
	t.Helper()
	var all, days time.Duration
	for _, work := range w.works {
		r := work.Judge(work.Entries, w.offOf(work.Date), w.policy, w.now)
		all += Sum(r.Worked)
		more := append([]Entry{{In: work.Start.Add(-2 * time.Hour), Out: work.Start.Add(5 * time.Minute)}}, work.Entries...)
		if more := work.Judge(more, Off{}, w.policy, w.now); Sum(more.Worked) < Sum(r.Worked) {
			t.Errorf("%s: %v worked with another interval, %v without", work.Date, Sum(more.Worked), Sum(r.Worked))
		}
	}
	wide := w
	wide.period = Period{w.period.From.AddDays(-3), w.period.To.AddDays(30)}
	for _, d := range wide.sheet() {
		days += d.Worked
	}
	if all != days {
		t.Errorf("days sum to %v, occurrences to %v", days, all)
	}
}

// TestSheetAsMinutesSay compares days with those counted minute by minute.
func TestSheetAsMinutesSay(t *testing.T) {
	for seed := range uint64(150) {
		if checkWorld(t, newWorld(newRandom(seed))); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestServersZone asks for the same days on servers in two zones.
func TestServersZone(t *testing.T) {
	local := time.Local
	defer func() { time.Local = local }()
	for seed := range uint64(30) {
		w := newWorld(newRandom(seed))
		time.Local = zoneOf("Asia/Tokyo")
		one := w.sheet()
		time.Local = zoneOf("America/Santiago")
		if other := w.sheet(); !slices.Equal(one, other) {
			t.Fatalf("seed %d: %+v in Tokyo, %+v in Santiago", seed, one, other)
		}
	}
}

// TestMillionIntervals adds up a million worked intervals of fifty years, each half an
// hour and then half an hour of pause.
func TestMillionIntervals(t *testing.T) {
	const n = 1_000_000
	start := at(0, 0)
	entries := make([]Entry, n)
	for i := range entries {
		in := start.Add(time.Duration(i) * time.Hour)
		entries[(i*7919)%n] = Entry{In: in, Out: in.Add(30 * time.Minute)} // in another order
	}
	o := Occurrence{Date: "2026-03-10", Zone: zoneOf("Europe/Berlin"), Start: start, End: start}
	for i := range n {
		o.Breaks = append(o.Breaks, interval{Start: start.Add(time.Duration(i) * time.Hour), End: start.Add(time.Duration(i)*time.Hour + 10*time.Minute)})
	}
	period := Period{"2030-01-01", "2030-12-31"}
	var worked time.Duration
	for _, d := range daysOf(Defaults(), period, start, Work{o, entries}) {
		worked += d.Worked
	}
	if want := 365 * 24 * 20 * time.Minute; worked != want {
		t.Errorf("%v in 2030, want %v", worked, want)
	}
	if got := Sum(Subtract(Union([]interval{{Start: start, End: start.Add(n * time.Hour)}}), o.Breaks)); got != n*50*time.Minute {
		t.Errorf("%v without breaks", got)
	}
}

func FuzzSheet(f *testing.F) {
	f.Add([]byte(nil))
	for seed := range uint64(3) {
		data := make([]byte, 400)
		for i := range data {
			data[i] = byte(newRandom(seed + uint64(i)).IntN(256))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkWorld(t, newWorld(&bytesSource{data})) })
}

// sheetOf returns the days of somebody whom the same frees from each occurrence of a date.
func sheetOf(period Period, works []Work, off func(shift.Date) Off, p Policy, now time.Time) []Day {
	records := make([]Record, len(works))
	for i, w := range works {
		records[i] = Record{Work: w, Off: off(w.Date)}
	}
	return NewSheets(Rounding{}, period, p, now).Of(records, off)
}
