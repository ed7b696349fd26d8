package calendar

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"workforce/internal/errs"
	"workforce/internal/recurrence"
	"workforce/internal/shift"
)

// An event is one VEVENT as it was read.
type event struct {
	number, line int
	uid, name    string
	sequence     int        // of its version: a later one replaces those before it
	instead      shift.Date // the date of its series that it replaces; "" for none
	cancelled    bool
	starts       []shift.Date
	days         int // from each start
}

// A reader reads one event after the other.
type reader struct {
	year    int
	events  []*event
	leftOut []LeftOut
	changed map[string]shift.Date // by UID, the date from which on a series is changed as a whole
}

// A reading is the event that is being read.
type reading struct {
	*reader
	*component
	event *event
	zone  *time.Location // of DTSTART; nil where it has none, one that is not known, or is in UTC
}

// leave leaves an event out for what is wrong with a property.
func (r *reader) leave(e *event, at int, property string, reason errs.Reason, meta errs.Meta) {
	fault := errs.Fault{Field: field(e.number, property), Code: errs.Invalid, Reason: reason, Meta: meta}
	r.leftOut = append(r.leftOut, LeftOut{Number: e.number, Line: at, Name: e.name, Fault: fault})
}

// fault leaves the event out for what is wrong with a property, and reports false.
func (l *reading) fault(property string, reason errs.Reason, meta errs.Meta) bool {
	at, name := l.line, property
	if i := strings.IndexByte(property, '.'); i > 0 {
		name = property[:i]
	}
	if all := l.properties[name]; len(all) > 0 {
		at = all[len(all)-1].line
	}
	l.leave(l.event, at, property, reason, meta)
	return false
}

// single are the properties that an event has once at most.
var single = []string{"UID", "SUMMARY", "STATUS", "DTSTART", "DTEND", "DURATION", "RRULE", "RECURRENCE-ID", "SEQUENCE"}

// get returns a property that an event has once at most; nil for none.
func (l *reading) get(name string) *property {
	if all := l.properties[name]; len(all) > 0 {
		return &all[0]
	}
	return nil
}

// event reads an event. It is nil if it is left out.
func (r *reader) event(ctx context.Context, number int, c *component) *event {
	l := &reading{r, c, &event{number: number, line: c.line}, nil}
	if p := l.get("DTSTART"); p != nil && !strings.HasSuffix(strings.ToUpper(strings.TrimSpace(p.value)), "Z") {
		l.zone = p.zone()
	}
	if p := l.get("SUMMARY"); p != nil {
		l.event.name, _ = p.text()
	}
	if !l.readOnce() || !l.readIdentity() {
		return nil
	}
	if l.event.cancelled {
		return l.event
	}
	start, ok := l.readDays()
	if !ok || !l.readStarts(ctx, shift.DateOf(start, time.UTC)) {
		return nil
	}
	return l.event
}

// readOnce reports whether all lines of the event are properties, it has none twice that may be
// there once, and not both an end and a duration.
func (l *reading) readOnce() bool {
	if l.broken > 0 {
		l.leave(l.event, l.broken, "line", errs.Unreadable, nil)
		return false
	}
	for _, name := range single {
		if len(l.properties[name]) > 1 {
			return l.fault(name, errs.Twice, errs.Meta{"value": name})
		}
	}
	if l.get("EXRULE") != nil { // of RFC 2445
		return l.fault("EXRULE", errs.NotOneOf, errs.Meta{"allowed": "EXDATE"})
	}
	if l.get("DTEND") != nil && l.get("DURATION") != nil {
		return l.fault("DTEND", errs.Excludes, errs.Meta{"other": "DURATION"})
	}
	return true
}

// readIdentity reads which event it is, whether it is cancelled, and its name.
func (l *reading) readIdentity() bool {
	if p := l.get("UID"); p != nil {
		l.event.uid = strings.TrimSpace(p.value)
		if len(l.event.uid) > maxUID {
			sum := sha256.Sum256([]byte(l.event.uid))
			l.event.uid = "sha256:" + hex.EncodeToString(sum[:])
		}
	}
	if p := l.get("SEQUENCE"); p != nil {
		l.event.sequence, _ = strconv.Atoi(strings.TrimSpace(p.value)) // one that is no number counts as the first
	}
	p := l.get("STATUS")
	l.event.cancelled = *l.cancels || p != nil && strings.EqualFold(strings.TrimSpace(p.value), "CANCELLED")
	if p := l.get("RECURRENCE-ID"); p != nil && !l.readInstead(p) {
		return false
	}
	if p := l.get("SUMMARY"); p != nil {
		if _, ok := p.text(); !ok {
			return l.fault("SUMMARY", errs.Unreadable, nil)
		}
	}
	return true
}

// readInstead reads which date of its series an event replaces. With RANGE=THISANDFUTURE it changes
// the later ones too: they end there, and the event is left out unless it cancels them.
func (l *reading) readInstead(p *property) bool {
	at, err := l.moment(p.dates()[0])
	if err != nil {
		return l.fault("RECURRENCE-ID", errs.BadFormat, errs.Meta{"expected": "VALUE=DATE:20260317"})
	}
	l.event.instead = shift.DateOf(at.date, time.UTC)
	if !strings.Contains(strings.ToUpper(p.params), "THISANDFUTURE") {
		return true
	}
	if was, ok := l.changed[l.event.uid]; !ok || l.event.instead < was {
		l.changed[l.event.uid] = l.event.instead
	}
	return l.event.cancelled || l.fault("RECURRENCE-ID", errs.OwnEvent, nil)
}

// A moment is a date, or a local time of one. Its zone does not matter: a holiday is the date that
// is written.
type moment struct {
	date  time.Time     // at midnight
	clock time.Duration // since then
	utc   bool
}

// parseMoment reads a date, such as 20260317, or a date with a time, such as 20260317T000000Z.
func parseMoment(text string) (m moment, err error) {
	date, clock, timed := strings.Cut(strings.ToUpper(strings.TrimSpace(text)), "T")
	if m.date, err = time.Parse("20060102", date); err != nil || !timed {
		return m, err
	}
	at, err := time.Parse("150405", strings.TrimSuffix(clock, "Z"))
	m.clock, m.utc = at.Sub(at.Truncate(24*time.Hour)), strings.HasSuffix(clock, "Z")
	return m, err
}

// moment reads a further moment of an event. One in UTC beside a start in a zone is the local one
// in that zone.
func (l *reading) moment(text string) (moment, error) {
	m, err := parseMoment(text)
	if err != nil || !m.utc || l.zone == nil {
		return m, err
	}
	at := m.date.Add(m.clock).In(l.zone)
	m.date = time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	m.clock = time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute + time.Duration(at.Second())*time.Second
	return m, nil
}

// The last minute of a day, which some programs write as the end of one.
const lastMinute = 24*time.Hour - time.Minute

// readDays reads on which day an event starts and how many days it lasts: from midnight to
// midnight, by dates or by times. One without an end, or with its start as the end, lasts a day.
func (l *reading) readDays() (start time.Time, ok bool) {
	p := l.get("DTSTART")
	if p == nil {
		return start, l.fault("DTSTART", errs.Required, nil)
	}
	from, err := parseMoment(p.dates()[0])
	switch {
	case err != nil:
		return start, l.fault("DTSTART", errs.BadFormat, errs.Meta{"expected": "VALUE=DATE:20260317"})
	case from.date.Year() < firstYear, from.date.Year() > lastYear:
		bounds := errs.Meta{"min": fmt.Sprintf("%d-01-01", firstYear), "max": fmt.Sprintf("%d-12-31", lastYear)}
		return start, l.fault("DTSTART", errs.OutOfRange, bounds)
	}
	if from.clock != 0 && !l.allDay(from) {
		return start, l.fault("DTSTART", errs.TimedEvent, nil)
	}
	l.event.days = 1
	if p := l.get("DURATION"); p != nil {
		l.event.days, ok = wholeDays(p.value)
		if !ok {
			facts := errs.Meta{"value": fmt.Sprintf("%.20s", p.value), "max": maxDays}
			return start, l.fault("DURATION", errs.WrongLength, facts)
		}
	}
	if p := l.get("DTEND"); p != nil {
		to, err := l.moment(p.dates()[0])
		if err != nil {
			return start, l.fault("DTEND", errs.BadFormat, errs.Meta{"expected": "VALUE=DATE:20260318"})
		}
		to.clock -= from.clock
		if to.clock != 0 && to.clock < lastMinute {
			return start, l.fault("DTEND", errs.TimedEvent, nil)
		}
		days := int(to.date.Sub(from.date) / (24 * time.Hour))
		if to.clock > 0 {
			days++ // the end is within the last day
		}
		if days < 0 || days > maxDays {
			return start, l.fault("DTEND", errs.WrongEnd, errs.Meta{"max": maxDays})
		}
		l.event.days = max(1, days)
	}
	return from.date, true
}

// allDay reports whether an event with a start in a zone is one of whole days of UTC, as Exchange says
// it, whose first is the date that is written.
func (l *reading) allDay(from moment) bool {
	p := l.get("X-MICROSOFT-CDO-ALLDAYEVENT")
	if p == nil || !strings.EqualFold(strings.TrimSpace(p.value), "TRUE") || l.zone == nil {
		return false
	}
	day := from.date
	_, offset := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, int(from.clock), l.zone).Zone()
	return from.clock == time.Duration(offset)*time.Second
}

// secondsOf has the units of a length.
var secondsOf = map[byte]int{'W': 7 * 86400, 'D': 86400, 'H': 3600, 'M': 60, 'S': 1}

// wholeDays reads a length of whole days, 1 to maxDays, such as P1D, P1W or PT24H.
func wholeDays(text string) (days int, ok bool) {
	text, ok = strings.CutPrefix(strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(text)), "+"), "P")
	seconds := 0
	for text = strings.Replace(text, "T", "", 1); ok && text != ""; {
		end := strings.IndexAny(text, "WDHMS")
		if end < 0 {
			return 0, false
		}
		n, err := strconv.ParseUint(text[:end], 10, 16)
		seconds += int(n) * secondsOf[text[end]]
		text, ok = text[end+1:], err == nil
	}
	days = seconds / 86400
	return days, ok && seconds%86400 == 0 && 0 < days && days <= maxDays
}

// readStarts reads the first days of an event: its own, and those of its rule and its further
// dates in the year and the next, without those that are left out of it.
func (l *reading) readStarts(ctx context.Context, first shift.Date) bool {
	l.event.starts = []shift.Date{first}
	from := shift.Date(strconv.Itoa(l.year) + "-01-01")
	to := shift.Date(strconv.Itoa(l.year+1) + "-12-31")
	if p := l.get("RRULE"); p != nil && strings.TrimSpace(p.value) != "" {
		rule, ok := l.readRule(ctx, p, first)
		if !ok {
			return false
		}
		starts, err := rule.Between(ctx, first, from, to)
		if err != nil {
			return l.fault("RRULE", errs.BadFormat, errs.Meta{"expected": "FREQ=YEARLY;BYMONTH=8;BYMONTHDAY=17"})
		}
		l.event.starts = starts
	}
	further, ok := l.readDates("RDATE")
	if !ok {
		return false
	}
	for _, d := range further {
		if !slices.Contains(l.event.starts, d) && (len(l.properties["RRULE"]) == 0 || from <= d && d <= to) {
			l.event.starts = append(l.event.starts, d)
		}
	}
	excluded, ok := l.readDates("EXDATE")
	l.event.starts = slices.DeleteFunc(l.event.starts, func(d shift.Date) bool { return slices.Contains(excluded, d) })
	slices.Sort(l.event.starts)
	return ok
}

// readDates reads a list of dates: what is left out of a rule, or added to it.
func (l *reading) readDates(name string) (all []shift.Date, ok bool) {
	for _, p := range l.properties[name] {
		for _, text := range p.dates() {
			if strings.TrimSpace(text) == "" && len(p.dates()) == 1 {
				continue // some programs write an empty list
			}
			at, err := l.moment(text)
			if err != nil || len(all) == maxDates {
				return nil, l.fault(name, errs.BadFormat, errs.Meta{"expected": "VALUE=DATE:20260317"})
			}
			all = append(all, shift.DateOf(at.date, time.UTC))
		}
	}
	return all, true
}

// The bounds of a rule.
const (
	maxYearly   = 5    // the most dates that a rule may give in a year
	maxCount    = 1000 // the most dates of a rule with COUNT
	maxInterval = 100
)

// readRule reads the rule of an event that begins on a day: one that gives a few dates a year, or
// some days on end. One that RFC 5545 forbids, or without a date within ten years, is a fault.
func (l *reading) readRule(ctx context.Context, p *property, first shift.Date) (*recurrence.Rule, bool) {
	rule, err := recurrence.Parse(strings.Trim(p.value, "; "))
	if err != nil || strings.Contains(strings.ToUpper(p.params), "VALUE=TEXT") {
		return nil, l.fault("RRULE", errs.NotOneOf, errs.Meta{"allowed": "FREQ=YEARLY"})
	}
	if at, err := l.moment(untilOf(p.value)); err == nil && at.utc {
		rule.Until = shift.DateOf(at.date, time.UTC)
	}
	if !l.ends(p, rule, first) {
		return nil, false
	}
	if next, err := rule.Next(ctx, first, first.AddDays(-1)); err != nil || next == "" || rule.Check() != nil {
		return nil, l.fault("RRULE", errs.BadFormat, errs.Meta{"expected": "FREQ=YEARLY;BYMONTH=8;BYMONTHDAY=17"})
	}
	if rule.Freq == recurrence.Daily && 0 < rule.Count && rule.Count <= maxDays {
		return rule, true // the days of one holiday
	}
	last := first.AddDays(2 * 366)
	dates, err := rule.Between(ctx, first, first, last)
	years := map[int]int{}
	for _, d := range dates {
		years[d.In(time.UTC).Year()]++
		if err == nil && years[d.In(time.UTC).Year()] > maxYearly {
			return nil, l.fault("RRULE", errs.TooOften, errs.Meta{"max": maxYearly})
		}
	}
	return rule, err == nil
}

// untilOf returns the UNTIL of a rule; "" without one.
func untilOf(rule string) string {
	for part := range strings.SplitSeq(strings.ToUpper(rule), ";") {
		if until, ok := strings.CutPrefix(strings.TrimSpace(part), "UNTIL="); ok {
			return until
		}
	}
	return ""
}

// ends reports whether the rule of an event that begins on a day ends in one way, after it began.
func (l *reading) ends(p *property, rule *recurrence.Rule, start shift.Date) bool {
	parts := map[string]int{} // how often there is one of a name
	for part := range strings.SplitSeq(strings.Trim(strings.ToUpper(p.value), "; "), ";") {
		name, _, _ := strings.Cut(part, "=")
		parts[name]++
		if parts[name] > 1 {
			return l.fault("RRULE", errs.Twice, errs.Meta{"value": name})
		}
	}
	bounds := func(name string, value, most int) bool {
		if parts[name] == 0 || 1 <= value && value <= most {
			return true
		}
		return l.fault("RRULE."+name, errs.OutOfRange, errs.Meta{"min": 1, "max": most})
	}
	switch {
	case !bounds("COUNT", rule.Count, maxCount), !bounds("INTERVAL", rule.Interval, maxInterval):
		return false
	case parts["COUNT"] > 0 && parts["UNTIL"] > 0:
		return l.fault("RRULE.UNTIL", errs.Excludes, errs.Meta{"other": "COUNT"})
	case parts["UNTIL"] > 0 && rule.Until < start:
		earliest := strings.ReplaceAll(string(start), "-", "")
		return l.fault("RRULE.UNTIL", errs.OutOfRange, errs.Meta{"min": earliest, "max": "90001231"})
	}
	return true
}

// file returns what was read, after later versions of events replaced those before them, and
// changed dates of series the dates in whose place they are.
func (r *reader) file() *File {
	byUID := map[string][]*event{}
	for _, e := range r.events {
		if e.uid != "" {
			byUID[e.uid] = append(byUID[e.uid], e)
		}
	}
	for _, versions := range byUID {
		newest := map[shift.Date]int{} // by what an event replaces
		for _, e := range versions {
			newest[e.instead] = max(newest[e.instead], e.sequence)
		}
		for _, e := range versions {
			if e.sequence < newest[e.instead] {
				e.starts = nil
			}
			if e.instead == "" {
				from, ends := r.changed[e.uid]
				e.starts = slices.DeleteFunc(e.starts, func(d shift.Date) bool { return ends && d >= from })
				e.starts = slices.DeleteFunc(e.starts, func(d shift.Date) bool { _, changed := newest[d]; return changed })
			}
		}
	}
	out := &File{LeftOut: r.leftOut}
	type key struct {
		uid  string
		date shift.Date
	}
	names := map[key]string{}
	for _, e := range r.events {
		if e.cancelled {
			continue
		}
		r.add(out, e, func(d shift.Date) bool {
			k := key{e.uid, d}
			was, known := names[k]
			names[k] = e.name
			return e.uid == "" || !known || was == e.name
		})
	}
	out.LeftOut = r.leftOut
	out.sort()
	return out
}

// add adds the dates of an event to a file, unless they are too many, or an event of the same UID
// has another name on one of them.
func (r *reader) add(out *File, e *event, sameName func(shift.Date) bool) {
	if len(out.Events)+len(e.starts)*e.days > maxDates {
		r.leave(e, e.line, "DTSTART", errs.TooMany, errs.Meta{"max": maxDates})
		return
	}
	var dates []Event
	for _, first := range e.starts {
		for day := range e.days {
			d := first.AddDays(day)
			if !sameName(d) {
				r.leave(e, e.line, "UID", errs.Twice, errs.Meta{"value": e.uid})
				return
			}
			dates = append(dates, Event{e.number, e.line, e.uid, e.name, d})
		}
	}
	out.Events = append(out.Events, dates...)
}
