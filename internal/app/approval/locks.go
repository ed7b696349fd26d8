package approval

import (
	"context"

	"workforce/ent"
	"workforce/internal/errs"
	"workforce/internal/period"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// CheckLock returns CONFLICT with the locked period, on a field unless it is "", where one of
// the dates is locked today for a viewer who changes rows of a resource about a person; u is
// nil for the viewer. It runs no statement.
func CheckLock(ctx context.Context, resource string, u *ent.User, today shift.Date, field string, dates ...shift.Date) error {
	return CheckLockOf(viewer.From(ctx), resource, u, today, field, dates...)
}

// CheckLockOf is CheckLock for a viewer.
func CheckLockOf(v *viewer.Viewer, resource string, u *ent.User, today shift.Date, field string, dates ...shift.Date) error {
	policy := period.LocksOf(v.Settings)
	if policy == (period.LockPolicy{}) {
		return nil
	}
	power := PowerOver(v, resource, u)
	for _, d := range dates {
		p, locked := policy.Locked(d, today, power)
		if !locked {
			continue
		}
		return errs.Conflicts(errs.LockedPeriod, field, errs.Meta{"lockedFrom": string(p.From), "lockedUntil": string(p.To)})
	}
	return nil
}

// PowerOver returns what a viewer may change of a person's locked periods: at any time with
// company.write, within the grace of those about whom they approve.
func PowerOver(v *viewer.Viewer, resource string, u *ent.User) period.LockPower {
	switch {
	case v.Owner || v.Scope("company", "write") == viewer.All:
		return period.FullPower
	case u != nil && u.ID != v.UserID && v.Reaches(v.Scope(resource, "approve"), u.ID, u.BusinessID):
		return period.GracePower
	}
	return period.NoPower
}
