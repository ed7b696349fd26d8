package calendar

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-ical"

	"workforce/internal/errs"
	"workforce/internal/recurrence"
	"workforce/internal/shift"
)

// The bounds of a calendar file.
const (
	MaxFile   = 1 << 20 // bytes
	maxLine   = 10_000  // bytes
	maxEvents = 2_000
	maxDates  = 5_000 // of all events, recurrences among them
	maxDays   = 31    // of one event
	maxUID    = 255   // bytes
	firstYear = 1900
)

// An Event is one date of an all-day event of a calendar file.
type Event struct {
	Number int // of the event in the file, from 1
	UID    string
	Name   string
	Date   shift.Date
}

// ReadFile reads the all-day events of an iCalendar file (RFC 5545), a date each. Those
// that recur every year have their dates from the first day of a year until the last of
// the next; other recurrences, times and overrides are faults. Cancelled ones are left
// out. It fails with PAYLOAD_TOO_LARGE, with VALIDATION_FAILED naming the event, or with the
// error of ctx.
func ReadFile(ctx context.Context, r io.Reader, year int) ([]Event, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxFile {
		return nil, errs.New(errs.PayloadTooLarge, errs.Meta{"max": MaxFile})
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF")) // the byte order mark of some programs
	if err := checkLines(text); err != nil {
		return nil, err
	}
	return parse(ctx, text, year)
}

// parse reads the events of a bounded file. The library panics at some malformed lines.
func parse(ctx context.Context, text []byte, year int) (events []Event, err error) {
	unreadable := errs.Because("file", errs.Unreadable, nil)
	defer func() {
		if recover() != nil {
			events, err = nil, unreadable
		}
	}()
	file, err := ical.NewDecoder(bytes.NewReader(text)).Decode()
	if err != nil {
		return nil, unreadable
	}
	read := reader{year: year, known: map[string]string{}}
	for i, e := range file.Events() {
		read.number, read.props = i+1, e.Props
		if read.once() {
			read.event(ctx)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return read.events, read.faults.Err()
}

// checkLines refuses what the library would take long for: long lines and many
// components.
func checkLines(text []byte) error {
	components := 0
	for line := range bytes.Lines(text) {
		if len(line) > maxLine {
			return errs.Because("file", errs.TooLong, errs.Meta{"max": maxLine})
		}
		if len(line) > 5 && strings.EqualFold(string(line[:6]), "begin:") {
			components++
		}
	}
	if components > maxEvents {
		return errs.Because("file", errs.TooMany, errs.Meta{"max": maxEvents})
	}
	return nil
}

// A reader reads one event after the other.
type reader struct {
	year   int
	number int
	props  ical.Props
	known  map[string]string // what was read of an event, by UID
	events []Event
	faults errs.Faults
}

// single are the properties that an event has once at most.
var single = []string{
	ical.PropUID, ical.PropSummary, ical.PropStatus, ical.PropDateTimeStart, ical.PropDateTimeEnd, ical.PropDuration,
	ical.PropRecurrenceRule, ical.PropRecurrenceID,
}

// once reports whether the event has no property twice that may be there once, and not both
// an end and a duration. Its faults are added.
func (r *reader) once() bool {
	before := len(r.faults)
	for _, property := range single {
		if len(r.props.Values(property)) > 1 {
			r.fault(property, errs.Twice, errs.Meta{"value": property})
		}
	}
	if r.props.Get(ical.PropDateTimeEnd) != nil && r.props.Get(ical.PropDuration) != nil {
		r.fault(ical.PropDateTimeEnd, errs.Excludes, errs.Meta{"other": ical.PropDuration})
	}
	return len(r.faults) == before
}

// errShape says that a property is not what it may be.
var errShape = errors.New("not supported")

// event adds the dates of an event, or its fault.
func (r *reader) event(ctx context.Context) {
	for _, property := range []string{ical.PropRecurrenceID, ical.PropRecurrenceDates} {
		if r.props.Get(property) != nil {
			r.fault(property, errs.OwnEvent, nil)
			return
		}
	}
	status, _ := r.props.Text(ical.PropStatus)
	if strings.EqualFold(status, "CANCELLED") {
		return
	}
	uid, err := r.props.Text(ical.PropUID)
	if err != nil || uid == "" || len(uid) > maxUID {
		r.fault(ical.PropUID, errs.Required, nil)
		return
	}
	name, err := r.props.Text(ical.PropSummary)
	if err != nil {
		r.fault(ical.PropSummary, errs.Unreadable, nil)
		return
	}
	start, err := date(r.props.Get(ical.PropDateTimeStart))
	if err != nil || start.Year() < firstYear || start.Year() > 9000 {
		r.fault(ical.PropDateTimeStart, errs.BadFormat, errs.Meta{"expected": "VALUE=DATE:20260317"})
		return
	}
	days, ok := r.days(start)
	if !ok {
		return
	}
	starts, ok := r.recurrences(ctx, start)
	if !ok {
		return
	}
	what := fmt.Sprint(name, starts, days)
	if known, again := r.known[uid]; again && known != what {
		r.fault(ical.PropUID, errs.Twice, errs.Meta{"value": uid})
		return
	}
	r.known[uid] = what
	for _, first := range starts {
		for day := range days {
			if len(r.events) == maxDates {
				r.fault(ical.PropDateTimeStart, errs.TooMany, errs.Meta{"max": maxDates})
				return
			}
			r.events = append(r.events, Event{r.number, uid, name, first.AddDays(day)})
		}
	}
}

// fault adds a fault of a property of the event.
func (r *reader) fault(property string, reason errs.Reason, meta errs.Meta) {
	r.faults.Add(fmt.Sprintf("events.%d.%s", r.number, strings.ToLower(property)), reason, meta)
}

// date reads a property that is a date without a time, and says that it is one. Dates are
// in no zone: nothing of the file is read in the machine's.
func date(p *ical.Prop) (time.Time, error) {
	if p == nil || len(p.Value) != len("20060102") || !strings.EqualFold(cmp.Or(p.Params.Get(ical.ParamValue), "DATE"), "DATE") || p.Params.Get(ical.ParamTimezoneID) != "" {
		return time.Time{}, errShape
	}
	return time.Parse("20060102", p.Value)
}

// days returns how many days an event lasts, the day of its end not among them. ok is
// false where that is a fault.
func (r *reader) days(start time.Time) (n int, ok bool) {
	if p := r.props.Get(ical.PropDateTimeEnd); p != nil {
		end, err := date(p)
		if n = int(end.Sub(start) / (24 * time.Hour)); err != nil {
			r.fault(ical.PropDateTimeEnd, errs.BadFormat, errs.Meta{"expected": "VALUE=DATE:20260318"})
		} else if n < 1 || n > maxDays {
			r.fault(ical.PropDateTimeEnd, errs.WrongEnd, errs.Meta{"max": maxDays})
		}
		return n, err == nil && 0 < n && n <= maxDays
	}
	if p := r.props.Get(ical.PropDuration); p != nil {
		length, err := p.Duration()
		n, ok = int(length/(24*time.Hour)), err == nil && length%(24*time.Hour) == 0
		if ok = ok && 0 < n && n <= maxDays; !ok {
			r.fault(ical.PropDuration, errs.WrongLength, errs.Meta{"max": maxDays})
		}
		return n, ok
	}
	return 1, true
}

// recurrences returns the first days of an event: its own, or those of a yearly rule in
// the year and the next. A rule without a date within ten years of its start is a fault. ok
// is false where there is a fault, and where ctx has ended.
func (r *reader) recurrences(ctx context.Context, start time.Time) (starts []shift.Date, ok bool) {
	first := shift.DateOf(start, time.UTC)
	p := r.props.Get(ical.PropRecurrenceRule)
	if p == nil {
		return []shift.Date{first}, true
	}
	rule, err := recurrence.Parse(p.Value)
	if err != nil || p.ValueType() != ical.ValueRecurrence || !yearly(rule) {
		r.fault(ical.PropRecurrenceRule, errs.NotOneOf, errs.Meta{"allowed": "FREQ=YEARLY"})
		return nil, false
	}
	if !r.ends(rule, first) {
		return nil, false
	}
	if next, err := rule.Next(ctx, first, first.AddDays(-1)); err != nil || next == "" || rule.Check() != nil {
		r.fault(ical.PropRecurrenceRule, errs.BadFormat, errs.Meta{"expected": "FREQ=YEARLY;BYMONTH=8;BYMONTHDAY=17"})
		return nil, false
	}
	excluded, err := r.excluded()
	if err != nil {
		r.fault(ical.PropExceptionDates, errs.BadFormat, errs.Meta{"expected": "VALUE=DATE:20260317"})
		return nil, false
	}
	from := time.Date(r.year, 1, 1, 0, 0, 0, 0, time.UTC)
	starts, err = rule.Between(ctx, first, shift.DateOf(from, time.UTC), shift.DateOf(from.AddDate(2, 0, -1), time.UTC))
	return slices.DeleteFunc(starts, func(d shift.Date) bool { return excluded[d] }), err == nil
}

// The most times that a rule with COUNT may give a date, and the most years between two.
const (
	maxCount    = 1000
	maxInterval = 100
)

// ends reports whether the rule of an event that begins on a day ends in one way, after it
// began. Its fault is added.
func (r *reader) ends(rule *recurrence.Rule, start shift.Date) bool {
	parts := map[string]int{} // how often there is one of a name
	for part := range strings.SplitSeq(strings.ToUpper(r.props.Get(ical.PropRecurrenceRule).Value), ";") {
		name, _, _ := strings.Cut(part, "=")
		parts[name]++
		if parts[name] > 1 {
			r.fault(ical.PropRecurrenceRule, errs.Twice, errs.Meta{"value": name})
			return false
		}
	}
	bounds := func(name string, value, most int) bool {
		if parts[name] == 0 || 1 <= value && value <= most {
			return true
		}
		r.fault(ical.PropRecurrenceRule+"."+name, errs.OutOfRange, errs.Meta{"min": 1, "max": most})
		return false
	}
	switch {
	case !bounds("COUNT", rule.Count, maxCount), !bounds("INTERVAL", rule.Interval, maxInterval):
		return false
	case parts["COUNT"] > 0 && parts["UNTIL"] > 0:
		r.fault(ical.PropRecurrenceRule+".UNTIL", errs.Excludes, errs.Meta{"other": "COUNT"})
		return false
	case parts["UNTIL"] > 0 && rule.Until < start:
		r.fault(ical.PropRecurrenceRule+".UNTIL", errs.OutOfRange, errs.Meta{"min": strings.ReplaceAll(string(start), "-", ""), "max": "90001231"})
		return false
	}
	return true
}

// excluded returns the dates that are left out of a rule.
func (r *reader) excluded() (map[shift.Date]bool, error) {
	all := map[shift.Date]bool{}
	for _, p := range r.props.Values(ical.PropExceptionDates) {
		for text := range strings.SplitSeq(p.Value, ",") {
			day, err := time.Parse("20060102", text)
			if err != nil {
				return nil, err
			}
			all[shift.DateOf(day, time.UTC)] = true
		}
	}
	return all, nil
}

// yearly reports whether a rule gives one day a year: the same one, or such as the
// fourth Thursday of November.
func yearly(r *recurrence.Rule) bool {
	return r.Freq == recurrence.Yearly && max(r.Values("BYMONTH"), r.Values("BYMONTHDAY"), r.Values("BYDAY")) <= 1 &&
		r.Values("BYSETPOS")+r.Values("BYYEARDAY")+r.Values("BYWEEKNO") == 0
}
