// Package recurrence reads recurrence rules of RFC 5545 and finds their dates. Rules by
// hours or less are none here: dates have no times and no zone.
package recurrence

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"workforce/internal/shift"
)

// ErrRule is returned for text that is no rule, and for a rule that is not taken.
var ErrRule = errors.New("recurrence: no rule of RFC 5545 by days or longer")

// A Frequency is the unit that a rule repeats.
type Frequency int

// The frequencies.
const (
	Daily Frequency = iota + 1
	Weekly
	Monthly
	Yearly
)

// A Rule is a recurrence rule without the date from which it counts. It may be used by
// several goroutines.
type Rule struct {
	Freq     Frequency
	Interval int        // 1 where the text has none; less than 1 counts as 1
	Count    int        // how many dates it has; unlimited where less than 1
	Until    shift.Date // the last date; "" where it goes on

	weekStart int          // the first weekday of a week; Monday is 0
	months    positions    // of the year
	weeks     positions    // of the year
	yearDays  positions    // of the year
	monthDays positions    // of the month
	weekdays  [7]bool      // by weekday: all of the unit
	nth       [7]positions // by weekday: those of the month or year
	setPos    positions    // of the dates of a unit
	byDay     bool         // some weekdays are given
	values    map[string]int
	forbidden bool // a part is given twice, or COUNT or INTERVAL is less than 1
}

// Positions are the places that a part of a rule names in a unit. The first is 1. They
// hold each place once.
type positions struct {
	fromStart, fromEnd [6]uint64 // a bit for each place
	most               int       // the greatest place
}

// add adds a place: one below 0 counts from the end. It reports whether it is new.
func (p *positions) add(n int) bool {
	bits := &p.fromStart
	if n < 0 {
		bits, n = &p.fromEnd, -n
	}
	p.most = max(p.most, n)
	was := bits[n/64]
	bits[n/64] |= 1 << (n % 64)
	return was != bits[n/64]
}

// has reports whether the place of a date is named: the n-th from the start, and fromEnd-th
// from the end.
func (p *positions) has(n, fromEnd int) bool {
	return p.fromStart[n/64]>>(n%64)&1 == 1 || p.fromEnd[fromEnd/64]>>(fromEnd%64)&1 == 1
}

func (p *positions) empty() bool { return p.most == 0 }

var frequencies = map[string]Frequency{"DAILY": Daily, "WEEKLY": Weekly, "MONTHLY": Monthly, "YEARLY": Yearly}

var weekdays = map[string]int{"MO": 0, "TU": 1, "WE": 2, "TH": 3, "FR": 4, "SA": 5, "SU": 6}

// maxNumber is the greatest value of COUNT and INTERVAL.
const maxNumber = 1_000_000_000

// Parse reads a rule, such as FREQ=WEEKLY;BYDAY=MO. It fails with ErrRule for text that
// cannot be read, and for places that no unit has, such as BYMONTHDAY=32. It takes rules that
// RFC 5545 forbids though they can be followed: Check refuses these.
func Parse(text string) (*Rule, error) {
	text = strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(text)), "RRULE:")
	r := &Rule{Interval: 1, values: map[string]int{}}
	given := map[string]bool{}
	for part := range strings.SplitSeq(text, ";") {
		name, value, _ := strings.Cut(part, "=")
		r.forbidden = r.forbidden || given[name]
		given[name] = true
		if !r.read(name, value) {
			return nil, ErrRule
		}
	}
	if r.Freq == 0 {
		return nil, ErrRule
	}
	return r, nil
}

// read reads a part of a rule, and reports whether it could.
func (r *Rule) read(name, value string) (ok bool) {
	switch name {
	case "FREQ":
		r.Freq, ok = frequencies[value]
	case "INTERVAL":
		r.Interval, ok = r.number(value)
	case "COUNT":
		r.Count, ok = r.number(value)
	case "UNTIL":
		r.Until, ok = until(value)
	case "WKST":
		r.weekStart, ok = weekdays[value]
	case "BYDAY":
		r.byDay, ok = true, r.readWeekdays(value)
	case "BYMONTH":
		return r.places(name, value, &r.months, 12) && r.months.fromEnd == [6]uint64{}
	case "BYWEEKNO":
		return r.places(name, value, &r.weeks, 53)
	case "BYYEARDAY":
		return r.places(name, value, &r.yearDays, 366)
	case "BYMONTHDAY":
		return r.places(name, value, &r.monthDays, 31)
	case "BYSETPOS":
		return r.places(name, value, &r.setPos, 366)
	}
	return ok
}

// number reads the value of COUNT or INTERVAL.
func (r *Rule) number(value string) (n int, ok bool) {
	n, err := strconv.Atoi(value)
	r.forbidden = r.forbidden || n < 1
	return n, err == nil && n < maxNumber
}

// until reads the last date of a rule. Of a date with a time the date counts.
func until(value string) (shift.Date, bool) {
	for _, layout := range []string{"20060102", "20060102T150405", "20060102T150405Z"} {
		if t, err := time.Parse(layout, value); err == nil && len(value) == len(layout) {
			return shift.DateOf(t, time.UTC), true
		}
	}
	return "", false
}

// places reads a list of places that are at most a number.
func (r *Rule) places(name, value string, all *positions, most int) bool {
	for text := range strings.SplitSeq(value, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n == 0 || n < -most || n > most {
			return false
		}
		if all.add(n) {
			r.values[name]++
		}
	}
	return true
}

// readWeekdays reads a list of weekdays, such as MO,-1FR.
func (r *Rule) readWeekdays(value string) bool {
	for text := range strings.SplitSeq(value, ",") {
		if len(text) < 2 {
			return false
		}
		place, name := text[:len(text)-2], text[len(text)-2:]
		day, ok := weekdays[name]
		if !ok || place != "" && !r.places("BYDAY", place, &r.nth[day], 53) {
			return false
		}
		if place == "" && !r.weekdays[day] {
			r.weekdays[day] = true
			r.values["BYDAY"]++
		}
	}
	return true
}

// numbered returns the greatest place of a weekday, such as 2 of 2MO; 0 without any.
func (r *Rule) numbered() (most int) {
	for _, p := range r.nth {
		most = max(most, p.most)
	}
	return most
}

// Check fails with ErrRule for a rule that RFC 5545 forbids: parts that exclude one
// another, a part twice, and places beyond their unit.
func (r *Rule) Check() error {
	has := func(part string) bool { return r.values[part] > 0 }
	setSize := map[Frequency]int{Daily: 1, Weekly: 7, Monthly: 31, Yearly: 366}[r.Freq]
	nthSize := map[Frequency]int{Monthly: 5, Yearly: 53}[r.Freq]
	if has("BYMONTH") || has("BYWEEKNO") {
		nthSize = min(nthSize, 5)
	}
	switch {
	case r.forbidden, r.Count > 0 && r.Until != "",
		has("BYWEEKNO") && (r.Freq != Yearly || r.numbered() > 0),
		has("BYYEARDAY") && r.Freq != Yearly,
		has("BYMONTHDAY") && r.Freq == Weekly,
		has("BYSETPOS") && len(r.values) == 1,
		r.setPos.most > setSize, r.numbered() > nthSize:
		return ErrRule
	}
	return nil
}
