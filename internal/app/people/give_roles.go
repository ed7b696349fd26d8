package people

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/ent/userrole"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/input"
	"workforce/internal/audittrail"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// A RoleChange is which roles a user is to have: these and no others.
type RoleChange struct {
	User  int
	Roles []int
}

// givenAtOnce is how many users get roles by the same statements, each at most 100.
const givenAtOnce = 200

// GiveRoles gives users roles, to each their own, and returns for each of a list nil or why it was refused,
// as UpdateUser refuses it. An owner is FORBIDDEN. Nobody is in a list twice. However many users there are,
// it takes some statements for every few hundred.
func (s *Service) GiveRoles(ctx context.Context, list []RoleChange) (refused []error, err error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	quiet := audittrail.WithBulk(audittrail.WithoutTrail(ctx), me.CompanyID)
	for part := range slices.Chunk(list, givenAtOnce) {
		out, err := giveRoles(ctx, quiet, me, part)
		if err != nil {
			return nil, err
		}
		refused = append(refused, out...)
	}
	return refused, nil
}

// giveRoles gives some users roles. What it writes in quiet is recorded in ctx.
func giveRoles(ctx, quiet context.Context, me *viewer.Viewer, list []RoleChange) ([]error, error) {
	db, ids := ent.FromContext(ctx), make([]int, len(list))
	for i, c := range list {
		ids[i] = c.User
	}
	users, err := db.User.Query().Where(user.IDIn(ids...)).WithRoles().All(ctx)
	if err != nil {
		return nil, err
	}
	byID := make(map[int]*ent.User, len(users))
	for _, u := range users {
		byID[u.ID] = u
	}
	held, err := rolesHeldBy(ctx, ids)
	if err != nil {
		return nil, err
	}
	refused, checked := make([]error, len(list)), map[string]error{} // by the roles
	var ended []int
	var begun []*ent.UserRoleCreate
	for i, c := range list {
		key := fmt.Sprint(c.Roles)
		if _, known := checked[key]; !known {
			checked[key] = mayAssign(ctx, c.Roles)
		}
		if refused[i] = cmp.Or(mayGiveTo(me, byID[c.User]), checked[key]); refused[i] != nil {
			if errs.CodeOf(refused[i]) == errs.Internal {
				return nil, refused[i]
			}
			continue
		}
		has := map[int]bool{}
		for _, h := range held {
			if h.UserID != c.User {
				continue
			}
			if has[h.RoleID] = true; !slices.Contains(c.Roles, h.RoleID) {
				ended = append(ended, h.ID)
			}
		}
		for _, id := range input.Distinct(c.Roles) {
			if !has[id] {
				begun = append(begun, assignRole(db.UserRole.Create(), byID[c.User], id))
			}
		}
	}
	for part := range slices.Chunk(ended, bulkRows) {
		if _, err := db.UserRole.Delete().Where(userrole.IDIn(part...)).Exec(quiet); err != nil {
			return nil, err
		}
	}
	for part := range slices.Chunk(begun, bulkRows) {
		if err := db.UserRole.CreateBulk(part...).Exec(quiet); err != nil {
			return nil, err
		}
	}
	return refused, recordRoles(ctx, ids, held)
}

// mayAssign returns why the viewer may not give somebody roles.
func mayAssign(ctx context.Context, ids []int) error {
	given := input.Given(ids)
	p := person{UpdateUserInput: model.UpdateUserInput{RoleIds: given}}
	if err := p.check(nil, nil).Err(); err != nil {
		return err
	}
	_, _, err := rolesToAssign(ctx, given)
	return err
}

// mayGiveTo returns why the viewer may not change the roles of a user; nil is one whom they do not see.
func mayGiveTo(me *viewer.Viewer, u *ent.User) error {
	if u == nil {
		return errs.New(errs.NotFound, nil)
	}
	if me.Key != 0 || slices.ContainsFunc(u.Edges.Roles, owns) {
		return errs.New(errs.Forbidden, nil)
	}
	return mayChange(me, u)
}

// rolesHeldBy returns which roles users have.
func rolesHeldBy(ctx context.Context, users []int) ([]*ent.UserRole, error) {
	return ent.FromContext(ctx).UserRole.Query().Where(userrole.UserIDIn(users...)).All(ctx)
}

// recordRoles records in the audit how the roles of users differ from those that they held.
func recordRoles(ctx context.Context, users []int, held []*ent.UserRole) error {
	if !isRecorded(ctx) {
		return nil
	}
	now, err := rolesHeldBy(ctx, users)
	if err != nil {
		return err
	}
	return audit.Changes(ctx, ent.TypeUserRole, roleRows(held), roleRows(now))
}

func roleRows(list []*ent.UserRole) map[int]ent.Row {
	rows := make(map[int]ent.Row, len(list))
	for _, r := range list {
		rows[r.ID] = ent.Row{Company: r.CompanyID, Value: r}
	}
	return rows
}
