package shift

import (
	"errors"
	"time"
)

// Date is a calendar date, YYYY-MM-DD, without a zone. Dates order as text. The
// methods expect a date of ParseDate or DateOf.
type Date string

// ErrDate is returned for text that is not a date.
var ErrDate = errors.New("not a date YYYY-MM-DD")

// ParseDate reads a date of the years 0001 to 9998, so that its neighbours are
// dates too. The error is ErrDate.
func ParseDate(text string) (Date, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil || t.Year() < 1 || t.Year() > 9998 {
		return "", ErrDate
	}
	return Date(text), nil
}

// DateOf returns the local date of t in zone.
func DateOf(t time.Time, zone *time.Location) Date { return dateOf(t.In(zone)) }

// dateOf returns the date that t shows. Timesheets ask for hundreds of thousands, which
// Format takes three times as long for.
func dateOf(t time.Time) Date {
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return Date(t.Format(time.DateOnly))
	}
	digit := func(n int) byte { return '0' + byte(n%10) }
	return Date([]byte{
		digit(year / 1000), digit(year / 100), digit(year / 10), digit(year), '-',
		digit(int(month) / 10), digit(int(month)), '-', digit(day / 10), digit(day),
	})
}

// AddDays returns the date n days later, or earlier where n is negative.
func (d Date) AddDays(n int) Date { return dateOf(d.utc().AddDate(0, 0, n)) }

// Days returns how many days later than from d is.
func (d Date) Days(from Date) int { return int((d.utc().Unix() - from.utc().Unix()) / 86_400) }

// Weekday returns the ISO day of the week: Monday is 1, Sunday 7.
func (d Date) Weekday() int { return (int(d.utc().Weekday())+6)%7 + 1 }

// Monday returns the first day of d's ISO week.
func (d Date) Monday() Date { return d.AddDays(1 - d.Weekday()) }

// WeekFrom returns the first day of d's week, where weeks begin on an ISO weekday.
func (d Date) WeekFrom(weekday int) Date { return d.AddDays(-(d.Weekday() - weekday + 7) % 7) }

// In returns the start of d in zone. The day lasts to the start of the next:
// 23, 24 or 25 hours.
func (d Date) In(zone *time.Location) time.Time { return d.At(0, zone) }

// utc returns d's midnight in UTC, where every day has 24 hours.
func (d Date) utc() time.Time {
	if len(d) != len(time.DateOnly) {
		return time.Time{}
	}
	return time.Date(number(d[:4]), time.Month(number(d[5:7])), number(d[8:]), 0, 0, 0, 0, time.UTC)
}

// number reads digits, of a Date or Clock that is well formed.
func number[T ~string](digits T) (n int) {
	for i := range len(digits) {
		n = 10*n + int(digits[i]-'0')
	}
	return n
}

// At returns the instant of a wall time on d in zone, minutes after midnight.
// Where clocks are put back and show it twice, it is the first; where they are
// put forward and skip it, it is as much later as they are put forward.
//
// Both are the reading by the offset in force before the clocks change; the
// offset after counts only for times that the one before does not give.
func (d Date) At(minutes int, zone *time.Location) time.Time {
	wall := d.utc().Add(time.Duration(minutes) * time.Minute)
	read := func(offsetAt time.Time) (t time.Time, exact bool) {
		_, offset := offsetAt.In(zone).Zone()
		t = wall.Add(-time.Duration(offset) * time.Second).In(zone)
		_, real := t.Zone()
		return t, real == offset
	}
	const day = 24 * time.Hour // more than any offset
	before, exact := read(wall.Add(-day))
	if exact {
		return before
	}
	if after, exact := read(wall.Add(day)); exact {
		return after
	}
	return before
}
