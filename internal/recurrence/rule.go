// Package recurrence reads recurrence rules of RFC 5545 and finds their dates. Rules by
// hours or less are none here: dates have no times and no zone.
package recurrence

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"workforce/internal/errs"
	"workforce/internal/shift"
)

// ErrRule is returned for text that is no rule, and for a rule that is not taken.
var ErrRule = errors.New("recurrence: no rule of RFC 5545 by days or longer")

// A PartError is the ErrRule of one part of a rule. It says what is wrong as a fault does.
type PartError struct {
	Reason errs.Reason
	Meta   errs.Meta // with the part
}

// Error implements error.
func (e *PartError) Error() string { return fmt.Sprintf("%v: %s %v", ErrRule, e.Reason, e.Meta) }

// Is reports whether target is ErrRule.
func (e *PartError) Is(target error) bool { return target == ErrRule }

// notOneOf says what a part may be.
func notOneOf(part, allowed string) error {
	return &PartError{errs.NotOneOf, errs.Meta{"part": part, "allowed": allowed}}
}

// needs says what a part needs beside it.
func needs(part, other string) error {
	return &PartError{errs.Needs, errs.Meta{"part": part, "other": other}}
}

// excludes says what a part may not have beside it.
func excludes(part, other string) error {
	return &PartError{errs.Excludes, errs.Meta{"part": part, "other": other}}
}

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
	forbidden error // why the RFC or we forbid a part that is given twice, COUNT or INTERVAL
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

// The greatest values of COUNT and INTERVAL. A greater interval can be followed up to maxCount.
const (
	maxCount    = 999_999_999
	maxInterval = 1000
)

// What parts may be, as people are told.
const (
	partNames      = "FREQ, INTERVAL, COUNT, UNTIL, WKST, BYDAY, BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY, BYSETPOS"
	frequencyNames = "DAILY, WEEKLY, MONTHLY, YEARLY"
	weekdayNames   = "MO, TU, WE, TH, FR, SA, SU"
)

// maxNamed is how much of the name of a part is said.
const maxNamed = 20

// Parse reads a rule, such as FREQ=WEEKLY;BYDAY=MO. It fails with a PartError for text that
// cannot be read, and for places that no unit has, such as BYMONTHDAY=32. It takes rules that
// RFC 5545 forbids though they can be followed: Check refuses these.
func Parse(text string) (*Rule, error) {
	text = strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(text)), "RRULE:")
	r := &Rule{Interval: 1, values: map[string]int{}}
	given := map[string]bool{}
	for part := range strings.SplitSeq(text, ";") {
		name, value, _ := strings.Cut(part, "=")
		if err := r.read(name, value); err != nil {
			return nil, err
		}
		if given[name] {
			r.forbid(&PartError{errs.Twice, errs.Meta{"part": name, "value": name}})
		}
		given[name] = true
	}
	if r.Freq == 0 {
		return nil, notOneOf("FREQ", frequencyNames)
	}
	return r, nil
}

// forbid keeps the first reason why RFC 5545 forbids the rule.
func (r *Rule) forbid(why error) { r.forbidden = cmp.Or(r.forbidden, why) }

// read reads a part of a rule.
func (r *Rule) read(name, value string) error {
	var ok bool
	switch name {
	case "FREQ":
		if r.Freq, ok = frequencies[value]; !ok {
			return notOneOf(name, frequencyNames)
		}
	case "INTERVAL":
		return r.number(name, value, &r.Interval, maxInterval)
	case "COUNT":
		return r.number(name, value, &r.Count, maxCount)
	case "UNTIL":
		if r.Until, ok = until(value); !ok {
			return &PartError{errs.BadFormat, errs.Meta{"part": name, "expected": "20261231"}}
		}
	case "WKST":
		if r.weekStart, ok = weekdays[value]; !ok {
			return notOneOf(name, weekdayNames)
		}
	case "BYDAY":
		if r.byDay = true; !r.readWeekdays(value) {
			return notOneOf(name, numberedNames(53))
		}
	case "BYMONTH":
		if !r.places(name, value, &r.months, 12) || r.months.fromEnd != [6]uint64{} {
			return notOneOf(name, "1…12")
		}
	case "BYWEEKNO":
		return r.numbers(name, value, &r.weeks, 53)
	case "BYYEARDAY":
		return r.numbers(name, value, &r.yearDays, 366)
	case "BYMONTHDAY":
		return r.numbers(name, value, &r.monthDays, 31)
	case "BYSETPOS":
		return r.numbers(name, value, &r.setPos, 366)
	default:
		return notOneOf(name[:min(len(name), maxNamed)], partNames)
	}
	return nil
}

// number reads the value of COUNT or INTERVAL. One that is not 1 to most is forbidden.
func (r *Rule) number(name, value string, to *int, most int) error {
	n, err := strconv.Atoi(value)
	wrong := notOneOf(name, fmt.Sprintf("1…%d", most))
	if err != nil || n > maxCount {
		return wrong
	}
	if *to = n; n < 1 || n > most {
		r.forbid(wrong)
	}
	return nil
}

// numberedNames returns the weekdays with and without their places, of which the greatest is most.
func numberedNames(most int) string {
	if most == 0 {
		return weekdayNames
	}
	return fmt.Sprintf("%s, 1MO…%dMO, -%dMO…-1MO", weekdayNames, most, most)
}

// placeNames returns the places up to most, from the start and from the end.
func placeNames(most int) string {
	if most == 1 {
		return "1, -1"
	}
	return fmt.Sprintf("1…%d, -%d…-1", most, most)
}

// numbers reads a list of places as places does.
func (r *Rule) numbers(name, value string, all *positions, most int) error {
	if !r.places(name, value, all, most) {
		return notOneOf(name, placeNames(most))
	}
	return nil
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

// Check fails with a PartError for a rule that RFC 5545 forbids: parts that exclude one
// another, a part twice, and places beyond their unit.
func (r *Rule) Check() error {
	has := func(part string) bool { return r.values[part] > 0 }
	setSize := map[Frequency]int{Daily: 1, Weekly: 7, Monthly: 31, Yearly: 366}[r.Freq]
	nthSize := map[Frequency]int{Monthly: 5, Yearly: 53}[r.Freq]
	if has("BYMONTH") || has("BYWEEKNO") {
		nthSize = min(nthSize, 5)
	}
	switch {
	case r.forbidden != nil:
		return r.forbidden
	case r.Count > 0 && r.Until != "":
		return excludes("COUNT", "UNTIL")
	case has("BYWEEKNO") && r.Freq != Yearly:
		return needs("BYWEEKNO", "FREQ=YEARLY")
	case has("BYWEEKNO") && r.numbered() > 0:
		return excludes("BYWEEKNO", "BYDAY=1MO")
	case has("BYYEARDAY") && r.Freq != Yearly:
		return needs("BYYEARDAY", "FREQ=YEARLY")
	case has("BYMONTHDAY") && r.Freq == Weekly:
		return excludes("BYMONTHDAY", "FREQ=WEEKLY")
	case has("BYSETPOS") && len(r.values) == 1:
		return needs("BYSETPOS", "BYDAY, BYMONTHDAY, BYYEARDAY, BYWEEKNO, BYMONTH")
	case r.setPos.most > setSize:
		return notOneOf("BYSETPOS", placeNames(setSize))
	case r.numbered() > nthSize:
		return notOneOf("BYDAY", numberedNames(nthSize))
	}
	return nil
}
