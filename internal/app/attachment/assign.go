package attachment

import (
	"context"

	"workforce/ent"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// MayAssign refuses on a field people to whom the viewer may not assign a row of a resource, such as
// a task: NOT_FOUND for somebody who is no active person of the company, FORBIDDEN for others than
// the viewer whose rows they may not change. Only owners assign to owners.
func MayAssign(ctx context.Context, me *viewer.Viewer, resource, field string, ids []int) error {
	others := Without(ids, []int{me.Self()})
	if len(others) == 0 {
		return nil
	}
	db := ent.FromContext(ctx).User
	users, err := db.Query().Where(user.IDIn(others...), user.Active(true)).
		Select(user.FieldID, user.FieldBusinessID).All(ctx)
	if err := input.Referenced(field, len(users) == len(others), err); err != nil {
		return err
	}
	scope := me.Scope(resource, "write")
	for _, u := range users {
		if !me.Reaches(scope, u.ID, u.BusinessID) {
			return errs.Field(errs.Forbidden, field, nil)
		}
	}
	if me.Owner {
		return nil
	}
	owners, err := db.Query().Where(user.IDIn(others...), user.HasRolesWith(role.Builtin(viewer.Owner))).
		Exist(viewer.System(ctx))
	if err == nil && owners {
		err = errs.Field(errs.Forbidden, field, nil)
	}
	return err
}
