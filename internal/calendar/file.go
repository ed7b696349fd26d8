package calendar

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/emersion/go-ical"
	"github.com/teambition/rrule-go"

	"workforce/internal/errs"
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
// out. It fails with PAYLOAD_TOO_LARGE, or with VALIDATION_FAILED naming the event.
func ReadFile(r io.Reader, year int) ([]Event, error) {
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
	return parse(text, year)
}

// parse reads the events of a bounded file. The library panics at some malformed lines.
func parse(text []byte, year int) (events []Event, err error) {
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
	read := reader{year: year}
	for i, e := range file.Events() {
		read.number, read.props = i+1, e.Props
		read.event()
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
	events []Event
	faults errs.Faults
}

// errShape says that a property is not what it may be.
var errShape = errors.New("not supported")

// event adds the dates of an event, or its fault.
func (r *reader) event() {
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
	for _, property := range []string{ical.PropRecurrenceID, ical.PropRecurrenceDates} {
		if r.props.Get(property) != nil {
			r.fault(property, errs.OwnEvent, nil)
			return
		}
	}
	starts, err := r.recurrences(start)
	if err != nil {
		r.fault(ical.PropRecurrenceRule, errs.NotOneOf, errs.Meta{"allowed": "FREQ=YEARLY"})
		return
	}
	for _, first := range starts {
		for day := range days {
			if len(r.events) == maxDates {
				r.fault(ical.PropDateTimeStart, errs.TooMany, errs.Meta{"max": maxDates})
				return
			}
			r.events = append(r.events, Event{r.number, uid, name, shift.DateOf(first.AddDate(0, 0, day), time.UTC)})
		}
	}
}

// fault adds a fault of a property of the event.
func (r *reader) fault(property string, reason errs.Reason, meta errs.Meta) {
	r.faults.Add(fmt.Sprintf("events.%d.%s", r.number, strings.ToLower(property)), reason, meta)
}

// date reads a property that is a date without a time.
func date(p *ical.Prop) (time.Time, error) {
	if p == nil || len(p.Value) != len("20060102") {
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
// the year and the next.
func (r *reader) recurrences(start time.Time) ([]time.Time, error) {
	rule, err := r.props.RecurrenceRule()
	if err != nil {
		return nil, err
	}
	if rule == nil {
		return []time.Time{start}, nil
	}
	if !yearly(rule) {
		return nil, errShape
	}
	rule.Dtstart = start
	set, err := rrule.NewRRule(*rule)
	if err != nil {
		return nil, err
	}
	excluded, err := r.excluded()
	if err != nil {
		return nil, err
	}
	var starts []time.Time
	from := time.Date(r.year, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, at := range set.Between(from, from.AddDate(2, 0, -1), true) {
		if !excluded[at] {
			starts = append(starts, at)
		}
	}
	return starts, nil
}

// excluded returns the dates that are left out of a rule.
func (r *reader) excluded() (map[time.Time]bool, error) {
	all := map[time.Time]bool{}
	for _, p := range r.props.Values(ical.PropExceptionDates) {
		for text := range strings.SplitSeq(p.Value, ",") {
			day, err := time.Parse("20060102", text)
			if err != nil {
				return nil, err
			}
			all[day] = true
		}
	}
	return all, nil
}

// yearly reports whether a rule gives one day a year: the same one, or such as the
// fourth Thursday of November.
func yearly(r *rrule.ROption) bool {
	return r.Freq == rrule.YEARLY && r.Interval >= 0 && r.Interval <= 100 && r.Count >= 0 &&
		len(r.Bymonth) <= 1 && len(r.Bymonthday) <= 1 && len(r.Byweekday) <= 1 &&
		len(r.Bysetpos)+len(r.Byyearday)+len(r.Byweekno)+len(r.Byhour)+len(r.Byminute)+len(r.Bysecond)+len(r.Byeaster) == 0
}
