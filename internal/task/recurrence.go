package task

import (
	"context"

	"workforce/internal/recurrence"
	"workforce/internal/shift"
)

// ErrRule is returned for text that is no rule by which tasks recur.
var ErrRule = recurrence.ErrRule

// A Rule says on which dates a task recurs, by RFC 5545. Dates have no zone.
type Rule struct {
	rule *recurrence.Rule
	from shift.Date
}

// The limits of a rule.
const (
	maxRule     = 500  // bytes
	maxInterval = 1000 // days, weeks, months or years
)

// ParseRule reads a rule, such as FREQ=WEEKLY;BYDAY=MO, that counts from a date. It fails
// with ErrRule for one by hours or less, one that the RFC forbids, and one without a second
// date within ten years, and with the error of ctx.
func ParseRule(ctx context.Context, text string, from shift.Date) (Rule, error) {
	r, err := StoredRule(ctx, text, from)
	if err != nil {
		return Rule{}, err
	}
	if r.rule.Check() != nil {
		return Rule{}, ErrRule
	}
	return r, nil
}

// StoredRule reads the rule of a task, which may be one that the RFC forbids: earlier
// releases took these. It is else like ParseRule.
func StoredRule(ctx context.Context, text string, from shift.Date) (Rule, error) {
	if len(text) > maxRule {
		return Rule{}, ErrRule
	}
	rule, err := recurrence.Parse(text)
	if err != nil || rule.Interval > maxInterval {
		return Rule{}, ErrRule
	}
	r := Rule{rule, from}
	next, err := r.Next(ctx, from)
	if err == nil && next == "" {
		err = ErrRule
	}
	return r, err
}

// Next returns the first date of the rule after a date; "" where there is none in ten
// years. It fails with ErrRule for a rule that counts from centuries before, and with the
// error of ctx.
func (r Rule) Next(ctx context.Context, after shift.Date) (shift.Date, error) {
	return r.rule.Next(ctx, r.from, after)
}

// Last returns the last date of the rule up to a date; "" where there is none in the ten
// years before it. It is else like Next.
func (r Rule) Last(ctx context.Context, until shift.Date) (shift.Date, error) {
	return r.rule.Last(ctx, r.from, until)
}
