package recurrence

import (
	"context"

	"workforce/internal/shift"
)

const (
	// horizon is how many years of dates are searched.
	horizon = 10
	// maxSteps is how many days one walk looks at: 270 years. Only a rule with COUNT is walked
	// from its start; any other from the dates that are asked for.
	maxSteps = 100_000
)

// Next returns the first date after a date, within ten years; "" where there is none. The
// rule counts from start. It fails with the error of ctx, and with ErrRule for a rule with
// COUNT that counts from centuries before.
func (r *Rule) Next(ctx context.Context, start, after shift.Date) (next shift.Date, err error) {
	d := dayOf(after)
	err = r.walk(dayOf(start), d+1, d.addYears(horizon)).run(ctx, func(found day) bool {
		next = found.date()
		return false
	})
	return next, err
}

// Last returns the last date up to a date, within the ten years before it; "" where there
// is none. It is else like Next.
func (r *Rule) Last(ctx context.Context, start, until shift.Date) (shift.Date, error) {
	var last *day
	d := dayOf(until)
	err := r.walk(dayOf(start), d.addYears(-horizon), d).run(ctx, func(found day) bool {
		last = &found
		return true
	})
	if err != nil || last == nil {
		return "", err
	}
	return last.date(), nil
}

// Between returns the dates from one date to another, of ten years at most. It is else like
// Next.
func (r *Rule) Between(ctx context.Context, start, from, to shift.Date) (all []shift.Date, err error) {
	first := dayOf(from)
	err = r.walk(dayOf(start), first, min(dayOf(to), first.addYears(horizon))).run(ctx, func(found day) bool {
		all = append(all, found.date())
		return true
	})
	return all, err
}

// A walk finds the dates of a rule from a day to another.
type walk struct {
	Rule            // with what it has from its start
	start, from, to day
	steps           int // how many days were looked at
}

func (r *Rule) walk(start, from, to day) *walk {
	w := &walk{Rule: *r, start: start, from: max(start, from), to: min(to, dayOf("9998-12-31"))}
	w.Interval = max(1, w.Interval)
	if w.Until != "" {
		w.to = min(w.to, dayOf(w.Until))
	}
	w.complete(at(start))
	return w
}

// complete takes from the start what the rule does not say: its weekday, or its day of the
// month or year.
func (w *walk) complete(start place) {
	switch {
	case w.byDay, !w.monthDays.empty(), !w.yearDays.empty():
	case w.Freq == Weekly, !w.weeks.empty():
		w.byDay, w.weekdays[start.weekday] = true, true
	case w.Freq == Monthly:
		w.monthDays.add(start.dayOfMonth)
	case w.Freq == Yearly:
		w.monthDays.add(start.dayOfMonth)
		if w.months.empty() {
			w.months.add(start.month)
		}
	}
}

// run calls each with the dates, in their order, until it returns false. It looks at all
// days of a unit before it calls.
func (w *walk) run(ctx context.Context, each func(day) bool) error {
	count, dates := 0, make([]day, 0, 31)
	for n := w.firstUnit(); ; n++ {
		first, last := w.unit(n)
		if first > w.to {
			return nil
		}
		p := at(first)
		dates = dates[:0]
		for ; p.day <= last; w.steps++ {
			if w.steps%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if w.steps == maxSteps {
				return ErrRule
			}
			if !w.months.empty() && !w.months.has(p.month, 0) {
				p.nextMonth()
				continue
			}
			if w.matches(&p) {
				dates = append(dates, p.day)
			}
			p.next(1)
		}
		for i, d := range dates {
			if d < w.start || !w.setPos.empty() && !w.setPos.has(i+1, len(dates)-i) {
				continue
			}
			if d > w.to {
				return nil
			}
			if count++; d >= w.from && !each(d) || count == w.Count {
				return nil
			}
		}
	}
}

// firstUnit returns the number of the first unit that may have dates that are asked for.
// COUNT counts from the start.
func (w *walk) firstUnit() int {
	from, start := at(w.from), at(w.start)
	switch {
	case w.Count > 0:
		return 0
	case w.Freq == Daily:
		return int(w.from-w.start) / w.Interval
	case w.Freq == Weekly:
		return int(w.from-w.firstOfWeek(start)) / 7 / w.Interval
	case w.Freq == Monthly:
		return (12*(from.year-start.year) + from.month - start.month) / w.Interval
	}
	return (from.year - start.year) / w.Interval
}

// unit returns the first and the last day of a unit; that of the start is 0.
func (w *walk) unit(n int) (first, last day) {
	n *= w.Interval
	start := at(w.start)
	switch w.Freq {
	case Daily:
		return w.start + day(n), w.start + day(n)
	case Weekly:
		first = w.firstOfWeek(start) + day(7*n)
		return first, first + 6
	case Monthly:
		return dayAt(start.year, start.month+n, 1), dayAt(start.year, start.month+n+1, 0)
	}
	return dayAt(start.year+n, 1, 1), dayAt(start.year+n, 12, 31)
}

// firstOfWeek returns the first day of the week of a day.
func (w *walk) firstOfWeek(p place) day { return p.day - day(w.intoWeek(p)) }

// intoWeek returns how many days of its week are before a day.
func (w *walk) intoWeek(p place) int { return (p.weekday - w.weekStart + 7) % 7 }

// matches reports whether a day of a month of the rule is a date of it, but for BYSETPOS.
func (w *walk) matches(p *place) bool {
	return (!w.byDay || w.onWeekday(p)) &&
		(w.monthDays.empty() || w.monthDays.has(p.dayOfMonth, p.monthDays+1-p.dayOfMonth)) &&
		(w.yearDays.empty() || w.yearDays.has(p.dayOfYear, p.yearDays+1-p.dayOfYear)) &&
		(w.weeks.empty() || w.inWeek(*p))
}

// onWeekday reports whether BYDAY has a day. A place counts in the month of a monthly rule
// and of one with BYMONTH, else in the year; by weeks and days it does not count.
func (w *walk) onWeekday(p *place) bool {
	nth := &w.nth[p.weekday]
	switch {
	case w.weekdays[p.weekday]:
		return true
	case nth.empty():
		return false
	case w.Freq <= Weekly:
		return true
	case w.Freq == Monthly || !w.months.empty():
		return nth.has((p.dayOfMonth-1)/7+1, (p.monthDays-p.dayOfMonth)/7+1)
	}
	return nth.has((p.dayOfYear-1)/7+1, (p.yearDays-p.dayOfYear)/7+1)
}

// inWeek reports whether BYWEEKNO has the week of a day. A week belongs to the year that has
// four days or more of it.
func (w *walk) inWeek(p place) bool {
	middle := at(p.day + day(3-w.intoWeek(p)))
	return w.weeks.has((middle.dayOfYear-1)/7+1, (middle.yearDays-middle.dayOfYear)/7+1)
}
