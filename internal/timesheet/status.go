package timesheet

import (
	"slices"
	"time"

	"workforce/internal/shift"
)

// A Status says what an occurrence or a day counts as.
type Status string

// The statuses, the one that is shown of several first.
const (
	NeedsConfirmation Status = "needs_confirmation"
	Present           Status = "present"
	WorkFromHome      Status = "work_from_home"
	HalfDay           Status = "half_day"
	Absent            Status = "absent"
	OnLeave           Status = "on_leave"
	Holiday           Status = "holiday"
	WeeklyOff         Status = "weekly_off"
	NoStatus          Status = "none"
)

var ranked = []Status{NeedsConfirmation, Present, WorkFromHome, HalfDay, Absent, OnLeave, Holiday, WeeklyOff, NoStatus}

// Statuses returns all statuses, the one that is shown of several first.
func Statuses() []Status { return slices.Clone(ranked) }

// Rank returns the status that is shown of two.
func Rank(a, b Status) Status {
	if slices.Index(ranked, b) < slices.Index(ranked, a) {
		return b
	}
	return a
}

// An Entry is one worked interval, from clock-in to clock-out. While it is open, Out is
// zero, and it lasts until now.
type Entry struct {
	In, Out           time.Time
	NeedsConfirmation bool // closed by rule
}

// A Result is what the entries of one occurrence come to.
type Result struct {
	Status Status
	// Confirmed is what the status is once no entry needs confirmation.
	Confirmed Status
	// Final says that the status changes no more by itself: the window is over and nothing
	// is open or to be confirmed; absent only after the wait for offline events too.
	Final bool
	// Off says that there was work although none was expected.
	Off            bool
	Late, Early    time.Duration    // all of it, where it is more than the grace; else 0
	Worked, Closed []shift.Interval // that count as work, as Union has it; Closed without an open entry

	open, confirmed bool
}

// Judge returns what the entries of the occurrence, in any order, come to at an instant.
// Present is shown while an entry is open; a half day or absence by the hours worked once
// all are closed. Without entries it is none until the window and the wait for offline
// events are over, unless the day is free.
func (o Occurrence) Judge(entries []Entry, off Off, p Policy, now time.Time) Result {
	var r Result
	if len(entries) == 0 {
		r.Status = o.without(off, p, now)
		r.Confirmed, r.confirmed = r.Status, true
		r.Final = r.Status != NoStatus && o.over(now)
		return r
	}
	first, last := entries[0].In, time.Time{}
	present := make([]shift.Interval, 0, len(entries))
	r.confirmed = true
	for _, e := range entries {
		i := shift.Interval{Start: e.In, End: e.Out}
		if e.Out.IsZero() {
			r.open, i.End = true, now
		}
		present = append(present, i)
		if e.In.Before(first) {
			first = e.In
		}
		if e.Out.After(last) {
			last = e.Out
		}
		r.confirmed = r.confirmed && !e.NeedsConfirmation
	}
	r.Worked = o.Count(present)
	if r.Closed = r.Worked; r.open {
		closed := make([]shift.Interval, 0, len(entries))
		for n, e := range entries {
			if !e.Out.IsZero() {
				closed = append(closed, present[n])
			}
		}
		r.Closed = o.Count(closed)
	}
	if come, leave, ok := o.ends(off); ok {
		r.Late = Late(come, first, o.LateGrace)
		if !r.open {
			r.Early = Early(leave, last, o.EarlyGrace)
		}
	}
	r.Off = off.part() == Whole
	r.Confirmed = o.with(Sum(r.Worked), off, r.open)
	if r.Status = r.Confirmed; !r.confirmed {
		r.Status = NeedsConfirmation
	}
	r.Final = r.confirmed && !r.open && o.over(now) && (r.Status != Absent || o.waited(p, now))
	return r
}

// with returns the status of an occurrence with entries.
func (o Occurrence) with(worked time.Duration, off Off, open bool) Status {
	if open {
		return Present
	}
	status := o.verdict(worked, off)
	if status == Present && off.WorkFromHome {
		return WorkFromHome
	}
	return status
}

// without returns the status of an occurrence without entries.
func (o Occurrence) without(off Off, p Policy, now time.Time) Status {
	off.WeeklyOff = false // a shift is planned all the same
	if status := off.Status(); status != NoStatus || off.NotEmployed {
		return status
	}
	switch {
	case o.Expected(off) <= 0 && !o.unchanged(off):
		return OnLeave
	case o.waited(p, now):
		return Absent
	}
	return NoStatus
}

// over reports whether the clock-in window has ended.
func (o Occurrence) over(now time.Time) bool {
	return shift.Occurrence{ClockInUntil: o.Until}.Over(now)
}

// waited reports whether the window has ended and no offline event can follow.
func (o Occurrence) waited(p Policy, now time.Time) bool { return o.over(now.Add(-p.OfflineWait)) }

// Status returns what a day without work counts as, where no shift is planned: none on a
// common day.
func (f Off) Status() Status {
	switch {
	case f.NotEmployed:
		return NoStatus
	case f.Holiday == Whole:
		return Holiday
	case f.WeeklyOff:
		return WeeklyOff
	case f.Leave == Whole:
		return OnLeave
	case f.WorkFromHome:
		return WorkFromHome
	}
	return NoStatus
}

// Bounds are the dates between which somebody can be absent, all included; "" is no
// bound.
type Bounds struct {
	Joined, Left shift.Date // first and last day of work
	Since        shift.Date // first date of which the company keeps attendance
	Inactive     bool
}

// Contain reports whether somebody who does not come on a date may be absent.
func (b Bounds) Contain(d shift.Date) bool {
	return !b.Inactive && max(b.Joined, b.Since) <= d && (b.Left == "" || d <= b.Left)
}

// Applicable parts the dates of a request by whether it applies to them: it does not on
// days of whole leave and, unless holidays are included, on whole holidays.
func Applicable(p Period, off func(shift.Date) Off, holidays bool) (applies, skipped []shift.Date) {
	for _, d := range p.Dates() {
		if f := off(d); f.Leave == Whole || f.Holiday == Whole && !holidays {
			skipped = append(skipped, d)
		} else {
			applies = append(applies, d)
		}
	}
	return applies, skipped
}
