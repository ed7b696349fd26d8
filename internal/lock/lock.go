// Package lock says which dates nobody changes any more, because their period was closed:
// by two dates, or by calendar months some days after they ended. Dates are those of the
// company's zone.
package lock

import (
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// A Policy is what a company sets of its locks. The zero value locks nothing.
type Policy struct {
	From, Until shift.Date // both included; "" for none
	AfterDays   int        // days after the end of a month from when on it is locked; 0 is never
	GraceDays   int        // days for which those with a grace still change a locked period
}

// Of returns the policy of a company.
func Of(v setting.Values) Policy {
	return Policy{
		From: shift.Date(setting.LockedFrom.Of(v)), Until: shift.Date(setting.LockedUntil.Of(v)),
		AfterDays: setting.LockAfterDays.Of(v), GraceDays: setting.LockGraceDays.Of(v),
	}
}

// Check adds the faults of a policy: one date without the other, and a period that ends
// before it begins. prefix stands before the names of the settings.
func (p Policy) Check(faults *errs.Faults, prefix string) {
	from, until := prefix+setting.LockedFrom.Name, prefix+setting.LockedUntil.Name
	switch {
	case p.From == "" && p.Until != "":
		faults.Add(from, errs.Required, nil)
	case p.Until == "" && p.From != "":
		faults.Add(until, errs.Required, nil)
	case p.Until < p.From:
		faults.Add(until, errs.OutOfRange, errs.Meta{"min": string(p.From), "max": "9998-12-31"})
	}
}

// A Power says what somebody may change of locked periods.
type Power int

// The powers, each with the ones before it.
const (
	None     Power = iota
	Grace          // while the grace of a period lasts
	Override       // at any time
)

// A Period is a locked one.
type Period struct {
	timesheet.Period
	Grace shift.Date // the last date of its grace; before the lock where there is none
}

// Locked returns the period in which today a date is locked for somebody with a power;
// false where it may be changed. Of two periods it is the one of dates.
func (p Policy) Locked(d, today shift.Date, power Power) (Period, bool) {
	if power == Override {
		return Period{}, false
	}
	for _, locked := range p.periods(d, today) {
		if power < Grace || today > locked.Grace {
			return locked, true
		}
	}
	return Period{}, false
}

// periods returns the locked periods of which a date is one.
func (p Policy) periods(d, today shift.Date) (list []Period) {
	if p.From != "" && d >= p.From && d <= p.Until && today > p.Until {
		list = append(list, Period{timesheet.Period{From: p.From, To: p.Until}, p.Until.AddDays(p.GraceDays)})
	}
	if p.AfterDays == 0 {
		return list
	}
	month := timesheet.Month(d)
	if last := month.To.AddDays(p.AfterDays); today > last {
		list = append(list, Period{month, last.AddDays(p.GraceDays)})
	}
	return list
}
