package task

import (
	"context"
	"errors"
	"strings"
	"testing"

	"workforce/internal/recurrence"
	"workforce/internal/shift"
)

func TestRule(t *testing.T) {
	const first = shift.Date("2026-03-10") // a Tuesday
	for _, tt := range []struct {
		rule       string
		next, last string // after and up to 2026-03-16
	}{
		{"FREQ=DAILY", "2026-03-17", "2026-03-16"},
		{"freq=weekly;byday=mo", "2026-03-23", "2026-03-16"},
		{"RRULE:FREQ=WEEKLY", "2026-03-17", "2026-03-10"},
		{"FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "2026-03-27", "2026-03-13"},
		{"FREQ=MONTHLY;BYDAY=-1FR", "2026-03-27", ""},
		{"FREQ=MONTHLY;BYMONTHDAY=31", "2026-03-31", ""},
		{"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "2028-02-29", ""},
		{"FREQ=DAILY;COUNT=3", "", "2026-03-12"},
		{"FREQ=DAILY;UNTIL=20260312", "", "2026-03-12"},
		{"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-03-31", ""},
	} {
		r, err := parseRule(t.Context(), tt.rule, first)
		if err != nil {
			t.Errorf("%s: %v", tt.rule, err)
			continue
		}
		next, err := r.next(t.Context(), "2026-03-16")
		if string(next) != tt.next || err != nil {
			t.Errorf("%s: next %q, %v, want %q", tt.rule, next, err, tt.next)
		}
		last, err := r.last(t.Context(), "2026-03-16")
		if string(last) != tt.last || err != nil {
			t.Errorf("%s: last %q, %v, want %q", tt.rule, last, err, tt.last)
		}
	}
	for _, rule := range []string{
		"", "DAILY", "FREQ=HOURLY", "FREQ=SECONDLY", "FREQ=DAILY;BYHOUR=9", "FREQ=DAILY;INTERVAL=-1", "FREQ=DAILY;INTERVAL=1001", "FREQ=DAILY;COUNT=1",
		"FREQ=DAILY;UNTIL=20260310", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYMONTHDAY=40", "FREQ=WEEKLY;BYDAY=XX", "FREQ=DAILY;X=1",
		"DTSTART:20260310T000000Z\nRRULE:FREQ=DAILY", "FREQ=DAILY;DTSTART=20200101", "FREQ=YEARLY;INTERVAL=20", "FREQ=DAILY;BYEASTER=1",
		"FREQ=DAILY;BYDAY=" + strings.Repeat("MO,", 200) + "MO",
		"FREQ=DAILY;BYSETPOS=" + strings.Repeat("2,", 234) + "2", "FREQ=MONTHLY;BYDAY=-6MO", "FREQ=WEEKLY;BYMONTHDAY=10", "FREQ=DAILY;COUNT=0",
	} {
		if _, err := parseRule(t.Context(), rule, first); !errors.Is(err, recurrence.ErrRule) {
			t.Errorf("%.40q is a rule: %v", rule, err)
		}
	}
}

// TestStoredRule follows rules that earlier releases took, though the RFC forbids them.
func TestStoredRule(t *testing.T) {
	const first = shift.Date("2026-03-10")
	for rule, want := range map[string]shift.Date{
		"FREQ=WEEKLY;BYMONTHDAY=10": "2026-04-10", "FREQ=DAILY;BYDAY=1MO": "2026-03-16", "FREQ=DAILY;COUNT=3;UNTIL=20260320": "2026-03-11",
		"FREQ=DAILY;COUNT=0;INTERVAL=0": "2026-03-11", "FREQ=MONTHLY;BYYEARDAY=100": "2026-04-10",
	} {
		r, err := parseStoredRule(t.Context(), rule, first)
		if err != nil {
			t.Errorf("%s: %v", rule, err)
			continue
		}
		if next, err := r.next(t.Context(), first); next != want || err != nil {
			t.Errorf("%s: %q, %v, want %s", rule, next, err, want)
		}
		if _, err := parseRule(t.Context(), rule, first); !errors.Is(err, recurrence.ErrRule) {
			t.Errorf("%s is a new rule: %v", rule, err)
		}
	}
	for _, rule := range []string{"FREQ=DAILY;BYSETPOS=2", "FREQ=DAILY;COUNT=1", "FREQ=HOURLY"} {
		if _, err := parseStoredRule(t.Context(), rule, first); !errors.Is(err, recurrence.ErrRule) {
			t.Errorf("%s: %v", rule, err)
		}
	}
}

// TestRuleEnds ends with its context, which is not the rule's fault.
func TestRuleEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := parseRule(ctx, "FREQ=DAILY", "2026-03-10"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
