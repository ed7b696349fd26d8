// Package approval knows who decides about the requests of whom, and tells them. It approves
// overtime, and refuses changes of dates whose period is locked: everything that changes what
// was worked on a date asks it.
package approval

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/internal/app/organization"
	"workforce/internal/app/scheduling"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// A Desk tells approvers of requests and requesters of decisions. Its methods are safe for
// concurrent use.
type Desk struct {
	Plans *scheduling.Planner
	// Managers returns who leads whom in the viewer's company.
	Managers func(context.Context) (*organization.Managers, error)
}

// Decided returns the people of a list about whose requests the viewer decides, by id: not
// themselves, within the scope of approve of every resource, and no owners unless the viewer
// is one. The people whom they see besides are seen.
func Decided(ctx context.Context, ids []int, resources ...string) (decided, seen map[int]*ent.User, err error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, nil, err
	}
	decided, seen = map[int]*ent.User{}, map[int]*ent.User{}
	ids = scheduling.Sorted(ids...)
	users, err := ent.FromContext(ctx).User.Query().Where(user.IDIn(ids...)).All(ctx)
	if err != nil {
		return nil, nil, err
	}
	owners, err := ownersOf(ctx, me, ids)
	if err != nil {
		return nil, nil, err
	}
	for _, u := range users {
		seen[u.ID] = u
		reaches := u.ID != me.UserID && !owners[u.ID]
		for _, resource := range resources {
			reaches = reaches && me.Reaches(me.Scope(resource, "approve"), u.ID, u.BusinessID)
		}
		if reaches {
			decided[u.ID] = u
		}
	}
	return decided, seen, nil
}

// ownersOf returns which people are owners whom the viewer does not decide about.
func ownersOf(ctx context.Context, me *viewer.Viewer, ids []int) (map[int]bool, error) {
	found := map[int]bool{}
	if me.Owner {
		return found, nil
	}
	owners, err := ent.FromContext(ctx).User.Query().Where(user.IDIn(ids...), user.HasRolesWith(role.Builtin(viewer.Owner))).IDs(viewer.System(ctx))
	for _, id := range owners {
		found[id] = true
	}
	return found, err
}

// One is Decided for one person: FORBIDDEN unless the viewer decides.
func One(ctx context.Context, id int, resources ...string) (*ent.User, error) {
	decided, _, err := Decided(ctx, []int{id}, resources...)
	if err == nil && decided[id] == nil {
		err = errs.New(errs.Forbidden, nil)
	}
	return decided[id], err
}

// Ask tells the nearest manager of a person that a request for a date waits, or that
// something else asks for their attention.
func (d *Desk) Ask(ctx context.Context, kind message.Kind, userID int, date string) error {
	return d.AskWith(ctx, kind, userID, scheduling.Notice{Date: date})
}

// AskWith is Ask with a notice about the person.
func (d *Desk) AskWith(ctx context.Context, kind message.Kind, userID int, n scheduling.Notice) (err error) {
	defer errs.Step(&err, "approval: tell a manager")
	n.About = userID
	u, err := ent.FromContext(ctx).User.Get(viewer.System(ctx), userID)
	if err != nil {
		return err
	}
	managers, err := d.Managers(ctx)
	if err != nil {
		return err
	}
	for nearest := range managers.Chain(u) {
		return d.Plans.Tell(ctx, kind, n, nearest)
	}
	return nil
}

// Tell tells a person what became of their request.
func (d *Desk) Tell(ctx context.Context, kind message.Kind, userID int, date, note string) error {
	return d.Plans.Tell(ctx, kind, scheduling.Notice{Date: date, Note: note}, userID)
}

// ExpiresAt returns until when a request of now can be decided.
func (d *Desk) ExpiresAt(ctx context.Context) time.Time {
	return d.Plans.Now().AddDate(0, 0, setting.RequestDays.Of(viewer.From(ctx).Settings))
}

// Past returns the states that say why a request cannot be decided: CONFLICT with the
// state, expired for one whose time is up although nothing wrote so yet.
func (d *Desk) Past(state string, expiresAt time.Time) error {
	if state == "pending" && !d.Plans.Now().Before(expiresAt) {
		state = "expired"
	}
	if state == "pending" {
		return nil
	}
	return errs.Conflicts(errs.NotPending, "", errs.Meta{"state": state})
}
