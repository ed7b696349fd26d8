package task

import (
	"context"

	"workforce/internal/errs"
	"workforce/internal/recurrence"
	"workforce/internal/shift"
)

// A rule says on which dates a task recurs, by RFC 5545. Dates have no zone.
type rule struct {
	parsed *recurrence.Rule
	from   shift.Date
}

// maxRule is how long a rule may be, in bytes.
const maxRule = 500

// parseRule reads a rule, such as FREQ=WEEKLY;BYDAY=MO, that counts from a date. It fails with
// recurrence.ErrRule for a rule by hours or less, one that the RFC forbids, and one without a second
// date within ten years, and with the error of ctx.
func parseRule(ctx context.Context, text string, from shift.Date) (rule, error) {
	r, err := readRule(text, from)
	if err == nil {
		err = r.parsed.Check()
	}
	if err == nil {
		err = r.checkDates(ctx)
	}
	return r, err
}

// parseStoredRule is parseRule for the rule of a stored task. It accepts rules that the RFC forbids,
// which earlier releases took.
func parseStoredRule(ctx context.Context, text string, from shift.Date) (rule, error) {
	r, err := readRule(text, from)
	if err == nil {
		err = r.checkDates(ctx)
	}
	return r, err
}

// readRule reads a rule that counts from a date. It fails with a recurrence.PartError.
func readRule(text string, from shift.Date) (rule, error) {
	if len(text) > maxRule {
		return rule{}, &recurrence.PartError{Reason: errs.TooLong, Meta: errs.Meta{"max": maxRule}}
	}
	parsed, err := recurrence.Parse(text)
	return rule{parsed, from}, err
}

// checkDates fails with recurrence.ErrRule for a rule without a second date within ten years, and
// with the error of ctx.
func (r rule) checkDates(ctx context.Context) error {
	next, err := r.next(ctx, r.from)
	if err == nil && next == "" {
		err = recurrence.ErrRule
	}
	return err
}

// next returns the first date of the rule after a date; "" where there is none in ten years. It
// fails with recurrence.ErrRule for a rule that counts from centuries before, and with the error of
// ctx.
func (r rule) next(ctx context.Context, after shift.Date) (shift.Date, error) {
	return r.parsed.Next(ctx, r.from, after)
}

// last returns the last date of the rule up to a date; "" where there is none in the ten years
// before it. It fails like next.
func (r rule) last(ctx context.Context, until shift.Date) (shift.Date, error) {
	return r.parsed.Last(ctx, r.from, until)
}
