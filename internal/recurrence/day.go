package recurrence

import (
	"time"

	"workforce/internal/shift"
)

// A day is a date, in days since 1970-01-01.
type day int

const secondsPerDay = 86_400

func dayOf(d shift.Date) day { return day(d.In(time.UTC).Unix() / secondsPerDay) }

func dayAt(year, month, dayOfMonth int) day {
	return day(time.Date(year, time.Month(month), dayOfMonth, 0, 0, 0, 0, time.UTC).Unix() / secondsPerDay)
}

func (d day) time() time.Time { return time.Unix(int64(d)*secondsPerDay, 0).UTC() }

func (d day) date() shift.Date { return shift.DateOf(d.time(), time.UTC) }

func (d day) addYears(n int) day { return day(d.time().AddDate(n, 0, 0).Unix() / secondsPerDay) }

// A place is where a day is in its week, month and year.
type place struct {
	day
	year, month, dayOfMonth, dayOfYear int // each from 1
	weekday                            int // Monday is 0
	monthDays, yearDays                int // how many days the month and the year have
}

// at returns the place of a day.
func at(d day) place {
	t := d.time()
	year, month, dayOfMonth := t.Date()
	p := place{
		day: d, year: year, month: int(month), dayOfMonth: dayOfMonth, dayOfYear: t.YearDay(),
		weekday: (int(t.Weekday()) + 6) % 7, yearDays: 365,
	}
	if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		p.yearDays = 366
	}
	p.monthDays = p.daysOf(p.month)
	return p
}

// daysOf returns how many days a month of the year has.
func (p *place) daysOf(month int) int {
	if month == 2 {
		return p.yearDays - 337
	}
	return [...]int{1: 31, 3: 31, 4: 30, 5: 31, 6: 30, 7: 31, 8: 31, 9: 30, 10: 31, 11: 30, 12: 31}[month]
}

// next goes n days on, to the first day of the next month at most.
func (p *place) next(n int) {
	p.day += day(n)
	p.dayOfMonth += n
	p.dayOfYear += n
	p.weekday = (p.weekday + n) % 7
	if p.dayOfMonth <= p.monthDays {
		return
	}
	p.dayOfMonth, p.month = 1, p.month+1
	if p.month > 12 {
		*p = at(p.day)
		return
	}
	p.monthDays = p.daysOf(p.month)
}

// nextMonth goes to the first day of the next month.
func (p *place) nextMonth() { p.next(p.monthDays + 1 - p.dayOfMonth) }
