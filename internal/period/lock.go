package period

import (
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// A LockPolicy is what a company sets of its locks. The zero value locks nothing.
type LockPolicy struct {
	From, Until shift.Date // both included; "" for none
	AfterDays   int        // days after the end of a month from when on it is locked; 0 is never
	GraceDays   int        // days for which those with a grace still change a locked period
}

// LocksOf returns the policy of a company.
func LocksOf(v setting.Values) LockPolicy {
	return LockPolicy{
		From: shift.Date(setting.LockedFrom.Of(v)), Until: shift.Date(setting.LockedUntil.Of(v)),
		AfterDays: setting.LockAfterDays.Of(v), GraceDays: setting.LockGraceDays.Of(v),
	}
}

// Check adds the faults of a policy: one date without the other, and a period that ends
// before it begins. prefix stands before the names of the settings.
func (p LockPolicy) Check(faults *errs.Faults, prefix string) {
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

// A LockPower says what somebody may change of locked periods.
type LockPower int

// The powers, each with the ones before it.
const (
	NoPower    LockPower = iota
	GracePower           // while the grace of a period lasts
	FullPower            // at any time
)

// A Locked is a locked period.
type Locked struct {
	timesheet.Period
	Grace shift.Date // the last date of its grace; before the lock where there is none
}

// Locked returns the period in which today a date is locked for somebody with a power;
// false where it may be changed. Of two periods it is the one of dates.
func (p LockPolicy) Locked(d, today shift.Date, power LockPower) (Locked, bool) {
	if power == FullPower {
		return Locked{}, false
	}
	for _, locked := range p.periods(d, today) {
		if power < GracePower || today > locked.Grace {
			return locked, true
		}
	}
	return Locked{}, false
}

// periods returns the locked periods of which a date is one.
func (p LockPolicy) periods(d, today shift.Date) (list []Locked) {
	if p.From != "" && d >= p.From && d <= p.Until && today > p.Until {
		list = append(list, Locked{timesheet.Period{From: p.From, To: p.Until}, p.Until.AddDays(p.GraceDays)})
	}
	if p.AfterDays == 0 {
		return list
	}
	month := timesheet.Month(d)
	if last := month.To.AddDays(p.AfterDays); today > last {
		list = append(list, Locked{month, last.AddDays(p.GraceDays)})
	}
	return list
}
