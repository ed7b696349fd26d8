// Package calendar says on which days nobody needs to work: by the holidays and the
// weekly offs of a company and of one of its addresses.
package calendar

import (
	"slices"

	"workforce/internal/shift"
)

// A Holiday is a date on which nobody needs to work, or half of the day alone.
type Holiday struct {
	Name    string
	Date    shift.Date
	Half    bool
	Address bool // of one address; else of the whole company
}

// A Calendar holds the holidays that apply to somebody, and the weekly offs, by ISO.
// Those of their address, unless nil, count in place of the company's.
type Calendar struct {
	Holidays    []Holiday
	WeeklyOffs  []int
	AddressOffs []int
}

// A Day is what a calendar says of a date.
type Day struct {
	Holiday   *Holiday // nil for none
	WeeklyOff bool
}

// Day returns what the calendar says of a date. Of several holidays the address's counts
// before the company's, and then a whole one before a half.
func (c Calendar) Day(date shift.Date) Day {
	offs := c.WeeklyOffs
	if c.AddressOffs != nil {
		offs = c.AddressOffs
	}
	day := Day{WeeklyOff: slices.Contains(offs, date.Weekday())}
	for i, h := range c.Holidays {
		if h.Date == date && (day.Holiday == nil || h.before(*day.Holiday)) {
			day.Holiday = &c.Holidays[i]
		}
	}
	return day
}

// before reports whether a holiday counts before another one of the same date.
func (h Holiday) before(other Holiday) bool {
	if h.Address != other.Address {
		return h.Address
	}
	return !h.Half && other.Half
}

// Free reports whether nobody needs to work on the whole day.
func (d Day) Free() bool { return d.Holiday != nil && !d.Holiday.Half }
