package task

import (
	"errors"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"workforce/internal/shift"
)

// ErrRule is returned for text that is no rule by which tasks recur.
var ErrRule = errors.New("task: no rule of RFC 5545 by days or longer")

// A Rule says on which dates a task recurs, by RFC 5545. Dates have no zone.
type Rule struct {
	options rrule.ROption
	from    shift.Date
}

// The limits of a rule.
const (
	maxRule     = 500  // bytes
	maxInterval = 1000 // days, weeks, months or years
	horizon     = 10   // years that are looked ahead
)

// ParseRule reads a rule, such as FREQ=WEEKLY;BYDAY=MO, that counts from a date. It fails
// with ErrRule for one by hours or less, and one with no date in ten years.
func ParseRule(text string, from shift.Date) (Rule, error) {
	text = strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(text)), "RRULE:")
	if text == "" || len(text) > maxRule || strings.ContainsAny(text, "\r\n") {
		return Rule{}, ErrRule
	}
	o, err := rrule.StrToROption(text)
	if err != nil || o.Freq > rrule.DAILY || o.Interval < 0 || o.Interval > maxInterval || o.Count < 0 ||
		len(o.Byhour)+len(o.Byminute)+len(o.Bysecond)+len(o.Byeaster) > 0 || !o.Dtstart.IsZero() {
		return Rule{}, ErrRule
	}
	r := Rule{*o, from}
	if _, err := rrule.NewRRule(r.until(from)); err != nil {
		return Rule{}, ErrRule
	}
	if _, ok := r.Next(from); !ok {
		return Rule{}, ErrRule
	}
	return r, nil
}

// Next returns the first date of the rule after a date; false where there is none in ten
// years.
func (r Rule) Next(after shift.Date) (shift.Date, bool) {
	rule, err := rrule.NewRRule(r.until(after))
	if err != nil {
		return "", false
	}
	return dateOf(rule.After(at(after), false))
}

// Last returns the last date of the rule up to a date; false where there is none.
func (r Rule) Last(until shift.Date) (shift.Date, bool) {
	rule, err := rrule.NewRRule(r.until(until))
	if err != nil {
		return "", false
	}
	return dateOf(rule.Before(at(until), true))
}

// until returns the rule's options with an end ten years after a date: a rule that no
// date meets would be looked for until the year 9999.
func (r Rule) until(after shift.Date) rrule.ROption {
	o := r.options
	o.Dtstart = at(r.from)
	if end := at(after).AddDate(horizon, 0, 0); o.Until.IsZero() || o.Until.After(end) {
		o.Until = end
	}
	return o
}

// at returns midnight of a date in UTC, which stands for the date.
func at(d shift.Date) time.Time { return d.In(time.UTC) }

func dateOf(t time.Time) (shift.Date, bool) {
	return shift.DateOf(t, time.UTC), !t.IsZero()
}
