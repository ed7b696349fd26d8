package timesheet

import (
	"cmp"
	"slices"
	"time"

	"workforce/internal/shift"
)

// A Work is an occurrence and what was clocked for it.
type Work struct {
	Occurrence
	Entries []Entry
}

// A Record is a work with what frees the person from it, and what was stored of it.
type Record struct {
	Work
	Off    Off
	Stored *Assessment // nil is nothing
}

// A Day is the working time of one date, in whole seconds. Worked, Closed and Night are
// split at local midnight; the rest belongs to the date on which its occurrence starts.
type Day struct {
	Date           shift.Date
	Status         Status // of its occurrences, the one that ranks first
	Off            bool   // there was work although none was expected
	Worked, Closed time.Duration
	Night          time.Duration // of Closed, at night
	Unsettled      bool          // an entry of its occurrences is open or to be confirmed
	Late, Early    time.Duration
	Expected       time.Duration
	Leave          Part          // of the date that approved leave takes; hours are none
	Freed          time.Duration // work from which approved leave frees
	Balance        time.Duration // closed work less what was expected; 0 while the status is none
	Overtime       time.Duration // of closed and confirmed work
	Estimate       time.Duration // what Overtime would be if all was closed now and confirmed
}

// Sheets make the days of many people for one period, as they are shown with a rounding: each
// interval of work, night and overtime is rounded, then they are summed. Statuses, lateness
// and expected time are not rounded; what was stored of them counts in place of what the
// entries come to. What the dates of the period have in common is found once, by the first
// person who needs it. They are for one goroutine.
type Sheets struct {
	view   Rounding
	period Period
	policy Policy
	now    time.Time // in whole seconds
	dates  []Day     // of somebody without work
	zones  []*localDays
	used   sheet // of the last person, whose memory the next one has
}

// NewSheets returns the sheets of a period at an instant.
func NewSheets(view Rounding, period Period, p Policy, now time.Time) *Sheets {
	s := &Sheets{view: view, period: period, policy: p, now: now.Truncate(time.Second)}
	s.dates = make([]Day, 0, max(0, period.To.Days(period.From)+1))
	for d := period.From; d <= period.To; d = d.AddDays(1) {
		s.dates = append(s.dates, Day{Date: d, Status: NoStatus})
	}
	return s
}

// Of returns the days of somebody in order, those without work too. Records, in any order, are
// those of the period and of the date before it; where there is a weekly rule, of whole weeks.
// off is asked for dates without records. A second that counts for two occurrences is counted
// once, for the work that begins first.
func (s *Sheets) Of(records []Record, off func(shift.Date) Off) []Day {
	one := sheet{
		Sheets: s, works: s.used.works[:0], entries: s.used.entries[:0], days: slices.Clone(s.dates),
		results: s.used.results[:0], worked: s.used.worked[:0],
	}
	for i := range records {
		one.works = append(one.works, records[i].Work)
	}
	one.inSeconds()
	for i := range one.works {
		one.judge(&one.works[i], &records[i])
	}
	for i := range one.days {
		if d := &one.days[i]; one.dateOf(d.Date) < 0 {
			d.unplanned(off(d.Date), s.policy)
		}
	}
	one.add()
	s.used = one
	return one.days
}

// A sheet is being filled.
type sheet struct {
	*Sheets
	works     []Work
	entries   []Entry // of all works
	results   []Result
	days      []Day
	worked    []workedDate // that have works
	unsettled bool         // something is open or to be confirmed
	open      bool         // something is open
}

// A workedDate is what of a date is closed and confirmed, and all; zone is that of the wall
// times by which its overtime is rounded.
type workedDate struct {
	date        shift.Date
	closed, all []shift.Interval
	expected    time.Duration
	zone        *time.Location
}

// localDays are days of a zone that follow one another, as far as they are known.
type localDays struct {
	zone *time.Location
	days []localDay
}

// A localDay is a day of a zone, and the night that begins on it. at is its index in the
// period, or outside of it.
type localDay struct {
	shift.Interval
	night shift.Interval
	at    int
}

// beside is how many days before and after a period its works may lie: in whole weeks, and on
// the days before that whose nights go on.
const beside = 9

// local returns the day of a zone that an instant lies in, and the day before it.
func (s *Sheets) local(t time.Time, zone *time.Location) (day, before *localDay) {
	i := slices.IndexFunc(s.zones, func(l *localDays) bool { return l.zone == zone })
	if i < 0 {
		i = len(s.zones)
		s.zones = append(s.zones, s.daysOf(zone, s.period.From.AddDays(-1), s.period.To.AddDays(1)))
	}
	if day, before, ok := s.zones[i].find(t); ok {
		return day, before
	}
	date := DateOf(t, zone)
	around := s.daysOf(zone, date.AddDays(-1), date)
	if first, last := s.period.From.AddDays(-beside), s.period.To.AddDays(beside); first < date && date <= last {
		around = s.daysOf(zone, first, last)
		s.zones[i] = around
	}
	day, before, _ = around.find(t)
	return day, before
}

// find returns the day that an instant lies in, and the one before it; false where these
// are not both there.
func (l *localDays) find(t time.Time) (day, before *localDay, ok bool) {
	known := l.days
	if t.Before(known[1].Start) || !t.Before(known[len(known)-1].End) {
		return nil, nil, false
	}
	at := min(int(t.Sub(known[0].Start)/(24*time.Hour)), len(known)-1)
	for t.Before(known[at].Start) {
		at--
	}
	for !t.Before(known[at].End) {
		at++
	}
	return &known[at], &known[at-1], true
}

// daysOf returns the days of a zone from a date to another.
func (s *Sheets) daysOf(zone *time.Location, first, last shift.Date) *localDays {
	out := &localDays{zone: zone, days: make([]localDay, 0, last.Days(first)+1)}
	start := first.In(zone)
	for d := first; d <= last; d = d.AddDays(1) {
		next := d.AddDays(1).In(zone)
		day := localDay{Interval: shift.Interval{Start: start, End: next}, at: d.Days(s.period.From)}
		if s.policy.NightFrom != s.policy.NightUntil {
			o := (shift.Shift{Start: s.policy.NightFrom, End: s.policy.NightUntil, Zone: zone}).On(d)
			day.night = shift.Interval{Start: o.StartAt, End: o.EndAt}
		}
		out.days, start = append(out.days, day), next
	}
	return out
}

// day returns the day of a date; nil for one outside of the period.
func (s *sheet) day(d shift.Date) *Day {
	if !s.period.Contains(d) {
		return nil
	}
	return &s.days[d.Days(s.period.From)]
}

// dateOf returns the index of a date that has works; -1 for none.
func (s *sheet) dateOf(d shift.Date) int {
	for i := len(s.worked) - 1; i >= 0; i-- {
		if s.worked[i].date == d {
			return i
		}
	}
	return -1
}

// judge adds what belongs to the date of an occurrence.
func (s *sheet) judge(w *Work, of *Record) {
	r, expected := of.result(w.Entries, s.policy, s.now)
	s.results = append(s.results, r)
	s.open, s.unsettled = s.open || r.open, s.unsettled || r.open || !r.confirmed
	at := s.dateOf(w.Date)
	if at < 0 {
		at = len(s.worked)
		s.worked = append(s.worked, workedDate{date: w.Date, zone: w.Zone})
	}
	s.worked[at].expected += expected
	if d := s.day(w.Date); d != nil {
		d.take(r, expected)
		d.free(of)
		if r.Status != NoStatus {
			d.Balance -= expected
		}
	}
}

// take adds what an occurrence of the day came to, but its work.
func (d *Day) take(r Result, expected time.Duration) {
	d.Status = Rank(d.Status, r.Status)
	d.Off = d.Off || r.Off
	d.Unsettled = d.Unsettled || r.open || !r.confirmed
	d.Late += r.Late
	d.Early += r.Early
	d.Expected += expected
}

// free adds what approved leave takes of an occurrence of the day.
func (d *Day) free(of *Record) {
	d.Leave = max(d.Leave, of.Off.Leave)
	d.Freed += of.Freed(of.Off)
}

// unplanned makes the day one without occurrences. Leave frees from the time of a day of leave,
// but on days off.
func (d *Day) unplanned(off Off, p Policy) {
	d.Status, d.Leave = off.Status(), off.Leave
	if !off.WeeklyOff {
		d.Freed = p.LeaveDay * time.Duration(min(off.Leave, Whole-off.Holiday)) / time.Duration(Whole)
	}
}

// result returns the result of an occurrence, and what was expected: as stored, else of its
// entries.
func (of *Record) result(entries []Entry, p Policy, now time.Time) (r Result, expected time.Duration) {
	r = of.Judge(entries, of.Off, p, now)
	if a := of.Stored; a != nil {
		r.Status, r.Off, r.Late, r.Early = a.Status, a.Off, a.Late, a.Early
		return r, a.Expected
	}
	return r, of.Expected(of.Off)
}

// DayOf returns the status of a date, lateness, early leaving and expected time, as Sheet has
// them, by the records of the date, in any order. off is what frees the person from a date
// without records.
func DayOf(date shift.Date, records []Record, off Off, p Policy, now time.Time) Day {
	d := Day{Date: date, Status: NoStatus}
	now = now.Truncate(time.Second)
	var few [4]Entry // few have more of an occurrence
	for i := range records {
		r, expected := records[i].result(wholeSeconds(few[:0], records[i].Entries), p, now)
		d.take(r, expected)
	}
	if len(records) == 0 {
		d.Status = off.Status()
	}
	return d
}

// add adds the work of all occurrences, and the overtime that it makes.
func (s *sheet) add() {
	worked := s.share(func(r *Result) []shift.Interval { return r.Worked })
	closed := worked
	if s.open {
		closed = s.share(func(r *Result) []shift.Interval { return r.Closed })
	}
	for i := range s.works {
		w := &s.works[i]
		s.addWorked(w, worked[i])
		s.addClosed(w, closed[i])
		of := &s.worked[s.dateOf(w.Date)]
		if s.results[i].confirmed {
			of.closed = joined(of.closed, closed[i])
		}
		if s.unsettled {
			of.all = joined(of.all, worked[i])
		}
	}
	slices.SortFunc(s.worked, func(a, b workedDate) int { return cmp.Compare(a.date, b.date) })
	s.overtime(func(d *workedDate) []shift.Interval { return d.closed }, func(d *Day, t time.Duration) { d.Overtime += t })
	if s.unsettled {
		s.overtime(func(d *workedDate) []shift.Interval { return d.all }, func(d *Day, t time.Duration) { d.Estimate += t })
		return
	}
	for i := range s.days {
		s.days[i].Estimate = s.days[i].Overtime
	}
}

// joined returns the intervals of both lists, which are not changed.
func joined(a, b []shift.Interval) []shift.Interval {
	if len(a) == 0 {
		return b[:len(b):len(b)]
	}
	return append(a, b...)
}

// addWorked adds the worked time of an occurrence to the days that it lies in.
func (s *sheet) addWorked(w *Work, union []shift.Interval) {
	for _, i := range union {
		for i.Start.Before(i.End) {
			at, part := s.cut(i, w.Zone)
			if at >= 0 && at < len(s.days) {
				s.days[at].Worked += s.length(part, w.Zone)
			}
			i.Start = part.End
		}
	}
}

// addClosed adds the closed time of an occurrence, and what of it is at night, to the days
// that it lies in, and to the balance of its own.
func (s *sheet) addClosed(w *Work, union []shift.Interval) {
	home := s.day(w.Date)
	simple := s.view.Minutes <= 0
	for _, i := range union {
		for i.Start.Before(i.End) {
			at, part := s.cut(i, w.Zone)
			length := s.length(part, w.Zone)
			if home != nil {
				home.Balance += length
			}
			if at >= 0 && at < len(s.days) {
				s.days[at].Closed += length
				if simple {
					s.days[at].Night += s.nightOf(part, w.Zone)
				}
			}
			i.Start = part.End
		}
	}
	if simple {
		return
	}
	for date, part := range Split(s.policy.Night(union, w.Zone), w.Zone) {
		if d := s.day(date); d != nil {
			d.Night += s.length(part, w.Zone)
		}
	}
}

// cut returns the part of an interval that lies in the day of its start, and the index of
// that day in the period, or outside of it.
func (s *sheet) cut(i shift.Interval, zone *time.Location) (at int, part shift.Interval) {
	d, _ := s.local(i.Start, zone)
	if d.End.Before(i.End) {
		i.End = d.End
	}
	return d.at, i
}

// nightOf returns how much of a part of one day is at night: in the night that began the day
// before, or in its own.
func (s *sheet) nightOf(part shift.Interval, zone *time.Location) time.Duration {
	if s.policy.NightFrom == s.policy.NightUntil {
		return 0
	}
	today, before := s.local(part.Start, zone)
	if before.night.End.After(today.night.Start) { // of a change of clocks
		return Sum(s.policy.Night([]shift.Interval{part}, zone))
	}
	return overlap(part, before.night) + overlap(part, today.night)
}

// overlap returns how long two intervals last both.
func overlap(a, b shift.Interval) time.Duration {
	if b.Start.After(a.Start) {
		a.Start = b.Start
	}
	if b.End.Before(a.End) {
		a.End = b.End
	}
	return max(0, a.End.Sub(a.Start))
}

// length returns how long an interval lasts as it is shown.
func (s *sheet) length(i shift.Interval, zone *time.Location) time.Duration {
	if s.view.Minutes > 0 {
		i = s.view.View(i, zone)
	}
	return i.End.Sub(i.Start)
}

// overtime adds the overtime of the work of dates.
func (s *sheet) overtime(work func(*workedDate) []shift.Interval, add func(*Day, time.Duration)) {
	dates := make([]WorkedDate, len(s.worked))
	for i := range s.worked {
		d := &s.worked[i]
		dates[i] = WorkedDate{d.date, Union(work(d)), d.expected}
	}
	for i, extra := range Overtime(dates, s.policy) {
		if d := s.day(dates[i].Date); d != nil {
			add(d, s.view.Total(extra, s.worked[i].zone))
		}
	}
}

// share returns what each occurrence has of the work of all: a second that is in the work
// of several is that of the one whose interval begins first, and then of the earlier shift.
func (s *sheet) share(work func(*Result) []shift.Interval) [][]shift.Interval {
	out := make([][]shift.Interval, len(s.results))
	var until time.Time
	apart, n := true, 0
	for i := range s.results {
		out[i] = work(&s.results[i])
		for _, piece := range out[i] {
			apart = apart && !piece.Start.Before(until)
			until = piece.End
			n++
		}
	}
	if apart {
		return out
	}
	return s.parted(out, n)
}

// parted is share of works whose n intervals overlap, or are not in order.
func (s *sheet) parted(lists [][]shift.Interval, n int) [][]shift.Interval {
	type piece struct {
		shift.Interval
		of int
	}
	pieces := make([]piece, 0, n)
	for of, list := range lists {
		for _, i := range list {
			pieces = append(pieces, piece{i, of})
		}
	}
	slices.SortStableFunc(pieces, func(a, b piece) int {
		return cmp.Or(a.Start.Compare(b.Start), s.works[a.of].Start.Compare(s.works[b.of].Start))
	})
	out := make([][]shift.Interval, len(s.results))
	var until time.Time
	for _, p := range pieces {
		if p.Start.Before(until) {
			p.Start = until
		}
		if p.Start.Before(p.End) {
			out[p.of] = append(out[p.of], p.Interval)
			until = p.End
		}
	}
	return out
}

// inSeconds has the entries of the works begin and end at whole seconds, so that parts in
// seconds sum to the whole.
func (s *sheet) inSeconds() {
	n := 0
	for i := range s.works {
		n += len(s.works[i].Entries)
	}
	s.entries = slices.Grow(s.entries, n)
	for i := range s.works {
		first := len(s.entries)
		s.entries = wholeSeconds(s.entries, s.works[i].Entries)
		s.works[i].Entries = s.entries[first:len(s.entries):len(s.entries)]
	}
}

// wholeSeconds appends entries that begin and end at whole seconds.
func wholeSeconds(to, entries []Entry) []Entry {
	for _, e := range entries {
		e.In, e.Out = e.In.Truncate(time.Second), e.Out.Truncate(time.Second)
		to = append(to, e)
	}
	return to
}
