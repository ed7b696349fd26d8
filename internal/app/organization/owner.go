// Package organization holds the use cases of a company, its businesses and its
// work sites.
package organization

import (
	"context"
	"slices"
	"time"

	"workforce/ent"
	"workforce/ent/clockstate"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/internal/app/audit"
	"workforce/internal/app/files"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/scheduling"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// A Service manages a company, its work sites and holidays. Its methods are safe for
// concurrent use.
type Service struct {
	DB      *ent.Client // of Uploads
	Files   *files.Service
	Now     func() time.Time // UTC, to the microsecond
	Audit   *audit.Recorder
	Plans   *scheduling.Planner // of the shifts that people have by where they work and what they hold
	Uploads *ratelimit.Limiter  // of calendars; nil for a service of the operator's alone
}

// owners returns a query of the active owners of the viewer's company.
func owners(ctx context.Context) *ent.UserQuery {
	return ent.FromContext(ctx).User.Query().
		Where(user.Active(true), user.HasRolesWith(role.Builtin(viewer.Owner)))
}

// Lock makes changes of a company's owners and tree run one after the other: each
// first updates the lock rows of all active owners, in its transaction. In a company to
// which the operator gave none, the first of its people stands for them.
func Lock(ctx context.Context) error {
	ids, err := owners(ctx).IDs(ctx)
	if err == nil && len(ids) == 0 {
		ids, err = ent.FromContext(ctx).User.Query().Order(ent.Asc(user.FieldID)).Limit(1).IDs(ctx)
	}
	if err != nil {
		return err
	}
	return ent.FromContext(ctx).ClockState.Update().Where(clockstate.UserIDIn(ids...)).AddEvents(1).Exec(viewer.System(ctx))
}

// Lasting returns the ids of the active owners of the viewer's company who have no last
// day of work: without one of them it would have no owner.
func Lasting(ctx context.Context) ([]int, error) {
	return owners(ctx).Where(user.LeftOnIsNil()).IDs(ctx)
}

// KeepOwner returns CONFLICT where a company would have no active owner without some
// users. Who has a last day of work does not count.
func KeepOwner(ctx context.Context, without ...*ent.User) error {
	if err := Lock(ctx); err != nil {
		return err
	}
	ids := make([]int, len(without))
	for i, u := range without {
		ids[i] = u.ID
	}
	others, err := Lasting(ctx)
	if err == nil && !slices.ContainsFunc(others, func(id int) bool { return !slices.Contains(ids, id) }) {
		err = errs.Conflicts(errs.LastOwner, "", errs.Meta{"owners": 1})
	}
	return err
}
