package timesheet

import (
	"slices"
	"time"

	"workforce/internal/shift"
)

// An Occurrence is what one occurrence of a shift expects, and how its work counts.
type Occurrence struct {
	Date              shift.Date     // local date of the start, to which status, lateness and overtime belong
	Zone              *time.Location // of the wall times; work is split at its midnights
	Start, End        time.Time
	Until             time.Time        // last minute of the clock-in window
	Breaks            []shift.Interval // unpaid
	BreakMinutes      int              // of unpaid break that count as taken after BreakAfterMinutes of work
	BreakAfterMinutes int
	LateGrace         *int // minutes; nil is never late
	EarlyGrace        *int
	HalfDayBelow      int // minutes of work; 0 is no threshold
	AbsentBelow       int
}

// A Part says how much of a day something takes.
type Part int

// The parts of a day, which add up.
const (
	None Part = iota
	Half
	Whole
)

// An Off is what frees somebody from the work of a date. The zero value is a common day.
type Off struct {
	Holiday      Part
	WeeklyOff    bool
	Leave        Part             // approved
	LeaveTimes   []shift.Interval // approved leave of some hours
	WorkFromHome bool             // approved
	NotEmployed  bool             // nobody expects them: see Bounds
}

// part returns how much of the day is free, leave of some hours not counted.
func (f Off) part() Part { return min(f.Holiday+f.Leave, Whole) }

// unchanged reports whether all of the occurrence's time is to be worked.
func (o Occurrence) unchanged(off Off) bool { return off.part() == None && !o.away(off) }

// away reports whether leave of some hours lies in the occurrence.
func (o Occurrence) away(off Off) bool {
	return slices.ContainsFunc(off.LeaveTimes, func(i shift.Interval) bool {
		return i.Start.Before(i.End) && i.Start.Before(o.End) && o.Start.Before(i.End)
	})
}

// Count returns the time of somebody's presence that counts as work, as Union has it:
// breaks are left out, those that lie in the presence and those that are due after some
// hours of work. More presence is never less work. The presence is from each clock-in to
// its clock-out; what lies between two entries does not count, whichever way the shift
// reads punches.
func (o Occurrence) Count(presence []shift.Interval) []shift.Interval {
	worked := Subtract(presence, o.Breaks)
	if o.BreakMinutes > 0 {
		after := minutes(o.BreakAfterMinutes)
		worked = Subtract(worked, between(worked, after, after+minutes(o.BreakMinutes)))
	}
	return worked
}

// Expected returns the work that the occurrence asks for: that of its time without leave
// of some hours; half of it on a half holiday or with leave of half a day, and none where
// a whole day is free.
func (o Occurrence) Expected(off Off) time.Duration {
	own := Subtract([]shift.Interval{{Start: o.Start, End: o.End}}, off.LeaveTimes)
	return Sum(o.Count(own)) * time.Duration(Whole-off.part()) / time.Duration(Whole)
}

// Freed returns the work of the occurrence from which leave frees: whole days, halves and hours.
func (o Occurrence) Freed(off Off) time.Duration {
	without := off
	without.Leave, without.LeaveTimes = None, nil
	return o.Expected(without) - o.Expected(off)
}

// due returns from when until when somebody is expected; false where they are not.
func (o Occurrence) due(off Off) (shift.Interval, bool) {
	own := shift.Interval{Start: o.Start, End: o.End}
	if off.part() < Whole && o.away(off) {
		left := Subtract(Subtract([]shift.Interval{own}, o.Breaks), off.LeaveTimes)
		if len(left) == 0 {
			return own, false
		}
		own = Span(left)[0]
	}
	return own, off.part() < Whole && own.Start.Before(own.End) // a change of clocks may leave nothing of a shift
}

// ends returns when somebody is to come at the latest, and to leave at the earliest; false
// where they are not expected. Where half of the day is free, nobody knows which half: they
// may come with the second half of the work, and leave after the first.
func (o Occurrence) ends(off Off) (come, leave time.Time, ok bool) {
	due, ok := o.due(off)
	if !ok || off.part() != Half {
		return due.Start, due.End, ok
	}
	work, half := o.Count(Subtract([]shift.Interval{due}, off.LeaveTimes)), o.Expected(off)
	first, second := between(work, 0, half), between(work, half, forever)
	if len(first) == 0 || len(second) == 0 { // breaks take all of it
		return due.Start, due.End, true
	}
	return second[0].Start, first[len(first)-1].End, true
}

// Latest returns the last instant at which a first clock-in is not late, that of the end
// where none ever is; false where nobody is expected.
func (o Occurrence) Latest(off Off) (time.Time, bool) {
	if o.LateGrace == nil {
		due, ok := o.due(off)
		return due.End, ok
	}
	come, _, ok := o.ends(off)
	return come.Add(minutes(*o.LateGrace)), ok
}

// VerdictOf returns what working for so long counts as, by thresholds; 0 is no threshold.
// The absent threshold is compared first.
func VerdictOf(worked, halfDayBelow, absentBelow time.Duration) Status {
	switch {
	case worked < absentBelow:
		return Absent
	case worked < halfDayBelow:
		return HalfDay
	}
	return Present
}

// verdict returns what working for so long counts as. Where less is expected than on a
// common day, the thresholds are lower in the same proportion: a half holiday halves them.
func (o Occurrence) verdict(worked time.Duration, off Off) Status {
	half, absent := minutes(o.HalfDayBelow), minutes(o.AbsentBelow)
	if !o.unchanged(off) {
		half, absent = o.lowered(half, off), o.lowered(absent, off)
	}
	return VerdictOf(worked, half, absent)
}

// lowered returns a threshold in proportion to what is expected, to the second.
func (o Occurrence) lowered(threshold time.Duration, off Off) time.Duration {
	all, expected := o.Expected(Off{})/time.Second, o.Expected(off)/time.Second
	if all == 0 {
		return 0
	}
	return threshold / time.Second * expected / all * time.Second
}

// Late returns how much later than start a first clock-in was, if that is more than the
// grace in minutes; else 0. Nil is no limit.
func Late(start, in time.Time, grace *int) time.Duration { return beyond(in.Sub(start), grace) }

// Early returns how much sooner than end a last clock-out was, if that is more than the
// grace in minutes; else 0. Nil is no limit.
func Early(end, out time.Time, grace *int) time.Duration { return beyond(end.Sub(out), grace) }

func beyond(by time.Duration, grace *int) time.Duration {
	if grace == nil || by <= minutes(*grace) {
		return 0
	}
	return by
}

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }
