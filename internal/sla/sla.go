// Package sla says until when a ticket is to be answered and resolved: a time of business
// hours, in which neither holidays nor holds count.
package sla

import (
	"slices"
	"time"

	"workforce/internal/calendar"
	"workforce/internal/setting"
	"workforce/internal/shift"
)

// Hours are the business hours of a company, or of one of its addresses.
type Hours struct {
	Weekdays   []int // of ISO
	Start, End int   // minutes of the local day, End after Start
	Zone       *time.Location
	Calendar   calendar.Calendar // its holidays and weekly offs have no business hours
}

// HoursOf returns the business hours that a company set.
func HoursOf(v setting.Values, zone *time.Location, c calendar.Calendar) Hours {
	return Hours{Weekdays: setting.SLAWeekdays.Of(v), Start: setting.SLAStart.Of(v), End: setting.SLAEnd.Of(v), Zone: zone, Calendar: c}
}

// A Target is how much of business hours may pass until a ticket is answered, and until it
// is resolved.
type Target struct{ Response, Resolution time.Duration }

// TargetOf returns the target that a company set for a priority: low, normal, high or urgent.
func TargetOf(v setting.Values, priority string) Target {
	keys := map[string][2]setting.Key[int]{
		"low": {setting.LowResponse, setting.LowResolution}, "normal": {setting.NormalResponse, setting.NormalResolution},
		"high": {setting.HighResponse, setting.HighResolution}, "urgent": {setting.UrgentResponse, setting.UrgentResolution},
	}[priority]
	return Target{minutes(keys[0].Of(v)), minutes(keys[1].Of(v))}
}

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }

// A Span is a time in which a ticket was on hold; a zero To is one that lasts.
type Span struct{ From, To time.Time }

// farthest is how many days ahead a due time lies at most.
const farthest = 20 * 366

// Due returns when so much of business hours outside of holds has passed since an instant.
// It is false while a hold lasts, and where that is not within 20 years.
func (h Hours) Due(since time.Time, target time.Duration, holds ...Span) (time.Time, bool) {
	if slices.ContainsFunc(holds, func(s Span) bool { return s.To.IsZero() }) || len(h.Weekdays) == 0 {
		return time.Time{}, false
	}
	holds = slices.SortedFunc(slices.Values(holds), func(a, b Span) int { return a.From.Compare(b.From) })
	for date, n := shift.DateOf(since, h.Zone), 0; n < farthest; date, n = date.AddDays(1), n+1 {
		from, to := h.on(date)
		if from.Before(since) {
			from = since
		}
		for _, hold := range append(holds, Span{From: to, To: to}) {
			length := max(0, earlier(hold.From, to).Sub(from))
			if length > 0 && length >= target {
				return from.Add(target).UTC(), true
			}
			target -= length
			from = later(from, hold.To)
		}
	}
	return time.Time{}, false
}

// on returns the business hours of a date; from is not before to where it has none.
func (h Hours) on(date shift.Date) (from, to time.Time) {
	day, end := h.Calendar.Day(date), h.End
	switch {
	case !slices.Contains(h.Weekdays, date.Weekday()) || day.WeeklyOff || day.Free():
		end = h.Start
	case day.Holiday != nil: // half of the day
		end = h.Start + (h.End-h.Start)/2
	}
	return date.At(h.Start, h.Zone), date.At(end, h.Zone)
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
