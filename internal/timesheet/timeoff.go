package timesheet

import (
	"slices"
	"strconv"
	"time"

	"workforce/internal/revision"
	"workforce/internal/shift"
)

// A Leave is what somebody asked for on some dates: whole days, halves, or some hours.
type Leave struct {
	Dates        []shift.Date // in order
	Half         bool
	From, To     shift.Clock // wall times of hours; "" for none. To that is not after From is on the next day
	WorkFromHome bool
}

// Hours reports whether the leave is of some hours.
func (l Leave) Hours() bool { return l.From != "" }

// Part returns how much of each date the leave takes; None for hours.
func (l Leave) Part() Part {
	switch {
	case l.Hours():
		return None
	case l.Half:
		return Half
	}
	return Whole
}

// On reports whether the leave applies to a date.
func (l Leave) On(d shift.Date) bool {
	_, found := slices.BinarySearch(l.Dates, d)
	return found
}

// Times returns the hours of a date in a zone.
func (l Leave) Times(d shift.Date, zone *time.Location) shift.Interval {
	o := shift.Shift{Start: l.From, End: l.To, Zone: zone}.On(d)
	return shift.Interval{Start: o.StartAt, End: o.EndAt}
}

// minutes returns how long leave of hours lasts by the clock.
func (l Leave) minutes() int {
	n := minuteOf(l.To) - minuteOf(l.From)
	if n <= 0 {
		n += 24 * 60
	}
	return n
}

// minuteOf returns the minute of the day of a valid wall time.
func minuteOf(c shift.Clock) int {
	hour, _ := strconv.Atoi(string(c[:2]))
	minute, _ := strconv.Atoi(string(c[3:]))
	return hour*60 + minute
}

// FreeByLeave adds what approved leave frees somebody from to the rest of a date. Halves add up.
// Hours are of the dates beside it too: a shift may go on after midnight, and so may they.
func FreeByLeave(off *Off, approved []Leave, d shift.Date, zone *time.Location) {
	for _, l := range approved {
		switch {
		case l.Hours() && !l.WorkFromHome:
			for _, on := range []shift.Date{d.AddDays(-1), d, d.AddDays(1)} {
				if l.On(on) {
					off.LeaveTimes = append(off.LeaveTimes, l.Times(on, zone))
				}
			}
		case !l.On(d):
		case l.WorkFromHome:
			off.WorkFromHome = true
		default:
			off.Leave = min(off.Leave+l.Part(), Whole)
		}
	}
}

// Clash returns the first date on which a leave takes time that others take; false for
// none. Half a day fits beside another half, and hours beside other hours; nothing else does.
func (l Leave) Clash(others []Leave, zone *time.Location) (shift.Date, bool) {
	for _, d := range l.Dates {
		sum := l.Part()
		for _, o := range others {
			if !o.On(d) {
				continue
			}
			sum += o.Part()
			apart := l.Hours() && o.Hours() && !revision.Overlap(l.Times(d, zone), o.Times(d, zone))
			if l.Hours() != o.Hours() || l.Hours() && !apart {
				return d, true
			}
		}
		if sum > Whole {
			return d, true
		}
	}
	return "", false
}

// Recount returns the dates of the leave after those of a period were counted anew: dates on
// which nothing is to be worked go, others of the asked period come unless leave of others takes
// the same part of them. Dates outside of the period stay as they are.
func (l Leave) Recount(
	asked, anew Period, free func(shift.Date) bool, others []Leave, zone *time.Location,
) []shift.Date {
	dates := []shift.Date{}
	for _, d := range asked.Dates() {
		takes := l.On(d)
		switch {
		case !anew.Contains(d):
		case free(d):
			takes = false
		case !takes:
			one := l
			one.Dates = []shift.Date{d}
			_, clashes := one.Clash(others, zone)
			takes = !clashes
		}
		if takes {
			dates = append(dates, d)
		}
	}
	return dates
}

// Minutes returns how much of the allowance of a calendar year the leave takes, where a day
// has so many minutes. A whole day takes all of them, half a day half of them.
func (l Leave) Minutes(year, day int) (sum int) {
	each := day
	switch {
	case l.Hours():
		each = l.minutes()
	case l.Half:
		each = day / 2
	}
	for _, d := range l.Dates {
		if LeaveYear(d) == year {
			sum += each
		}
	}
	return sum
}

// Years returns the calendar years of the leave, in order.
func (l Leave) Years() (years []int) {
	for _, d := range l.Dates {
		if y := LeaveYear(d); len(years) == 0 || years[len(years)-1] != y {
			years = append(years, y)
		}
	}
	return years
}

// LeaveYear returns the calendar year of a date.
func LeaveYear(d shift.Date) int {
	year, _ := strconv.Atoi(string(d[:4]))
	return year
}
