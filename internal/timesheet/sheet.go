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
	Late, Early    time.Duration
	Expected       time.Duration
	Balance        time.Duration // closed work less what was expected; 0 while the status is none
	Overtime       time.Duration // of closed and confirmed work
	Estimate       time.Duration // what Overtime would be if all was closed now and confirmed
}

// Sheet returns the days of a period in order, those without work too. Works, in any
// order, are those of the period and of the date before it; where there is a weekly rule, of
// whole weeks. A second that counts for two occurrences is counted once, for the work that
// begins first.
func Sheet(period Period, works []Work, off func(shift.Date) Off, p Policy, now time.Time) []Day {
	records := make([]Record, len(works))
	for i, w := range works {
		records[i] = Record{Work: w, Off: off(w.Date)}
	}
	return SheetAs(Rounding{}, period, records, off, p, now)
}

// SheetAs is Sheet of records, as it is shown with a rounding: each interval of work, night
// and overtime is rounded, then they are summed. Statuses, lateness and expected time are not
// rounded; what was stored of them counts in place of what the entries come to. off is asked
// for dates without records.
func SheetAs(view Rounding, period Period, records []Record, off func(shift.Date) Off, p Policy, now time.Time) []Day {
	works := make([]Work, len(records))
	for i, r := range records {
		works[i] = r.Work
	}
	s := sheet{period: period, policy: p, works: inSeconds(works), view: view}
	for _, d := range period.Dates() {
		s.days = append(s.days, Day{Date: d, Status: NoStatus})
	}
	now = now.Truncate(time.Second)
	dates := map[shift.Date]*workedDates{}
	for i, w := range s.works {
		s.judge(w, records[i], dates, now)
	}
	for i := range s.days {
		if d := &s.days[i]; dates[d.Date] == nil {
			d.Status = off(d.Date).Status()
		}
	}
	s.add(dates)
	return s.days
}

// A sheet is being filled.
type sheet struct {
	period  Period
	policy  Policy
	view    Rounding
	works   []Work
	results []Result
	days    []Day
}

// workedDates are what is closed and confirmed of a date, and all; zone is that of the wall
// times by which its overtime is rounded.
type workedDates struct {
	closed, all WorkedDate
	zone        *time.Location
}

// day returns the day of a date; nil for one outside of the period.
func (s *sheet) day(d shift.Date) *Day {
	if !s.period.Contains(d) {
		return nil
	}
	return &s.days[d.Days(s.period.From)]
}

// judge adds what belongs to the date of an occurrence.
func (s *sheet) judge(w Work, of Record, dates map[shift.Date]*workedDates, now time.Time) {
	off := of.Off
	r, expected := w.Judge(w.Entries, off, s.policy, now), w.Expected(off)
	if a := of.Stored; a != nil {
		r.Status, r.Off, r.Late, r.Early, expected = a.Status, a.Off, a.Late, a.Early, a.Expected
	}
	s.results = append(s.results, r)
	if dates[w.Date] == nil {
		dates[w.Date] = &workedDates{WorkedDate{Date: w.Date}, WorkedDate{Date: w.Date}, w.Zone}
	}
	dates[w.Date].closed.Expected += expected
	dates[w.Date].all.Expected += expected
	if d := s.day(w.Date); d != nil {
		d.Status = Rank(d.Status, r.Status)
		d.Off = d.Off || r.Off
		d.Late += r.Late
		d.Early += r.Early
		d.Expected += expected
		if r.Status != NoStatus {
			d.Balance -= expected
		}
	}
}

// add adds the work of all occurrences, and the overtime that it makes.
func (s *sheet) add(dates map[shift.Date]*workedDates) {
	worked := s.share(func(r Result) []shift.Interval { return r.Worked })
	closed := s.share(func(r Result) []shift.Interval { return r.Closed })
	for i, w := range s.works {
		s.split(worked[i], w.Zone, func(d *Day, t time.Duration) { d.Worked += t })
		s.split(closed[i], w.Zone, func(d *Day, t time.Duration) { d.Closed += t })
		s.split(s.policy.Night(closed[i], w.Zone), w.Zone, func(d *Day, t time.Duration) { d.Night += t })
		if d := s.day(w.Date); d != nil {
			for _, part := range Split(closed[i], w.Zone) {
				d.Balance += s.length(part, w.Zone)
			}
		}
		of := dates[w.Date]
		of.all.Worked = append(of.all.Worked, worked[i]...)
		if s.results[i].confirmed {
			of.closed.Worked = append(of.closed.Worked, closed[i]...)
		}
	}
	var ended, all []WorkedDate
	for _, of := range dates {
		ended, all = append(ended, of.closed), append(all, of.all)
	}
	s.overtime(ended, dates, func(d *Day, t time.Duration) { d.Overtime += t })
	s.overtime(all, dates, func(d *Day, t time.Duration) { d.Estimate += t })
}

// length returns how long an interval lasts as it is shown.
func (s *sheet) length(i shift.Interval, zone *time.Location) time.Duration {
	i = s.view.View(i, zone)
	return i.End.Sub(i.Start)
}

// split adds the parts of a union to the days that they lie in.
func (s *sheet) split(union []shift.Interval, zone *time.Location, add func(*Day, time.Duration)) {
	for date, part := range Split(union, zone) {
		if d := s.day(date); d != nil {
			add(d, s.length(part, zone))
		}
	}
}

// overtime adds the overtime of dates.
func (s *sheet) overtime(dates []WorkedDate, of map[shift.Date]*workedDates, add func(*Day, time.Duration)) {
	slices.SortFunc(dates, func(a, b WorkedDate) int { return cmp.Compare(a.Date, b.Date) })
	for i := range dates {
		dates[i].Worked = Union(dates[i].Worked)
	}
	for i, extra := range Overtime(dates, s.policy) {
		if d := s.day(dates[i].Date); d != nil {
			add(d, s.view.Total(extra, of[d.Date].zone))
		}
	}
}

// share returns what each occurrence has of the work of all: a second that is in the work
// of several is that of the one whose interval begins first, and then of the earlier shift.
func (s *sheet) share(work func(Result) []shift.Interval) [][]shift.Interval {
	type piece struct {
		shift.Interval
		of int
	}
	var pieces []piece
	for of, r := range s.results {
		list := work(r)
		pieces = slices.Grow(pieces, len(list))
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

// inSeconds returns works whose entries begin and end at whole seconds, so that parts in
// seconds sum to the whole.
func inSeconds(works []Work) []Work {
	out := slices.Clone(works)
	for i, w := range out {
		out[i].Entries = slices.Clone(w.Entries)
		for n, e := range w.Entries {
			out[i].Entries[n].In, out[i].Entries[n].Out = e.In.Truncate(time.Second), e.Out.Truncate(time.Second)
		}
	}
	return out
}
