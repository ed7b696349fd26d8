package graph

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"

	"workforce/ent"
	"workforce/ent/clockstate"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/ent/userrole"
	"workforce/graph/identity"
	"workforce/graph/model"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// maxName is how many characters the name of anything may have.
const maxName = 100

// roleEntries returns the company's roles by name, each with the number of its
// active users.
func roleEntries(ctx context.Context) ([]*model.RoleEntry, error) {
	db := ent.FromContext(ctx)
	roles, err := db.Role.Query().All(ctx)
	if err != nil {
		return nil, err
	}
	var counts []struct {
		RoleID int `json:"role_id"`
		Count  int `json:"count"`
	}
	err = db.UserRole.Query().Where(userrole.HasUserWith(user.Active(true))).
		GroupBy(userrole.FieldRoleID).Aggregate(ent.Count()).Scan(ctx, &counts)
	if err != nil {
		return nil, err
	}
	users := make(map[int]int, len(counts))
	for _, c := range counts {
		users[c.RoleID] = c.Count
	}
	list := make([]*model.RoleEntry, len(roles))
	for i, r := range roles {
		list[i] = &model.RoleEntry{ID: r.ID, Name: r.Name, Permissions: identity.Permissions(roles[i : i+1]), UserCount: users[r.ID]}
	}
	return list, nil
}

// customRole returns a role that the caller may change: not built in, and not
// above them.
func customRole(ctx context.Context, id int) (*ent.Role, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	found, err := ent.FromContext(ctx).Role.Query().Where(role.ID(id)).Only(ctx)
	if err != nil {
		return nil, err
	}
	if me.Scope("role", "write") < viewer.All || found.Builtin != nil || !me.Covers(found.CustomPermissions) {
		return nil, errs.New(errs.Forbidden, nil)
	}
	return found, nil
}

// checkName adds what is wrong with a name, and returns it without space around.
func checkName(faults *errs.Faults, field, name string) string {
	name = strings.TrimSpace(name)
	switch {
	case name == "":
		faults.Add(field, errs.Required, nil)
	case utf8.RuneCountInString(name) > maxName:
		faults.Add(field, errs.TooLong, errs.Meta{"max": maxName})
	}
	return name
}

// setRole puts the members of a role that are given into a mutation. FORBIDDEN
// where the role would be above the caller.
func setRole(ctx context.Context, m *ent.RoleMutation, in model.UpdateRoleInput) error {
	var faults errs.Faults
	if name, given := in.Name.ValueOK(); given {
		m.SetName(checkName(&faults, "name", unlessNil(name)))
	}
	list, given := in.Permissions.ValueOK()
	if given && list == nil {
		faults.Add("permissions", errs.Required, nil)
	}
	if slices.ContainsFunc(list, func(p string) bool { return !viewer.IsPermission(p) }) {
		faults.Add("permissions", errs.BadFormat, errs.Meta{"expected": "resource.action.scope"})
	}
	if err := faults.Err(); err != nil {
		return err
	}
	if !viewer.From(ctx).Covers(list) {
		return errs.Field(errs.Forbidden, "permissions", nil)
	}
	if given {
		list = slices.Clone(list)
		slices.Sort(list)
		m.SetCustomPermissions(slices.Compact(list))
	}
	return nil
}

// unlessNil returns what p points to, else the zero value.
func unlessNil[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// nameTaken words the error of a name that another row has.
func nameTaken(err error) error {
	if ent.IsConstraintError(err) {
		return errs.Because("name", errs.AlreadyTaken, nil)
	}
	return err
}

// isOwner reports whether an active user owns the company.
func isOwner(ctx context.Context, userID int) (bool, error) {
	return owners(ctx).Where(user.ID(userID)).Exist(ctx)
}

// owners asks for the active owners of the caller's company.
func owners(ctx context.Context) *ent.UserQuery {
	return ent.FromContext(ctx).User.Query().
		Where(user.Active(true), user.HasRolesWith(role.Builtin(viewer.Owner)))
}

// isAbove reports whether any of the roles may what the caller may not. Owning
// the company is more than its permissions: only owners are not below it.
func isAbove(ctx context.Context, roles []*ent.Role) (bool, error) {
	me := viewer.From(ctx)
	if !me.Covers(identity.Permissions(roles)) {
		return true, nil
	}
	if !slices.ContainsFunc(roles, owns) {
		return false, nil
	}
	mine, err := isOwner(ctx, me.UserID)
	return !mine, err
}

func owns(r *ent.Role) bool { return r.Builtin != nil && *r.Builtin == viewer.Owner }

// rolesToGive returns the roles that somebody is to have; given says whether
// there is anything to be changed. FORBIDDEN on the field for one above the
// caller.
func rolesToGive(ctx context.Context, ids graphql.Omittable[[]int]) (roles []*ent.Role, given bool, err error) {
	list, given := ids.ValueOK()
	if !given {
		return nil, false, nil
	}
	if viewer.From(ctx).Scope("role", "write") < viewer.All {
		return nil, true, errs.Field(errs.Forbidden, "roleIds", nil)
	}
	list = distinct(list)
	roles, err = ent.FromContext(ctx).Role.Query().Where(role.IDIn(list...)).All(ctx)
	if err := referred("roleIds", len(roles) == len(list), err); err != nil {
		return nil, true, err
	}
	above, err := isAbove(ctx, roles)
	if err == nil && above {
		err = errs.Field(errs.Forbidden, "roleIds", nil)
	}
	return roles, true, err
}

func distinct(ids []int) []int {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return slices.Compact(ids)
}

// setRoles gives a user these roles and no others.
func setRoles(ctx context.Context, u *ent.User, roles []*ent.Role) error {
	db := ent.FromContext(ctx)
	ids := make([]int, len(roles))
	for i, r := range roles {
		ids[i] = r.ID
	}
	_, err := db.UserRole.Delete().Where(userrole.UserID(u.ID), userrole.RoleIDNotIn(ids...)).Exec(ctx)
	if err != nil {
		return err
	}
	has, err := db.UserRole.Query().Where(userrole.UserID(u.ID)).Select(userrole.FieldRoleID).Ints(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if slices.Contains(has, id) {
			continue
		}
		if err := db.UserRole.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetRoleID(id).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// companyTurn makes changes to a company's owners and tree come one after the
// other: each changes the rows first on which all of its active owners take
// turns.
func companyTurn(ctx context.Context) error {
	ids, err := owners(ctx).IDs(ctx)
	if err != nil {
		return err
	}
	return ent.FromContext(ctx).ClockState.Update().Where(clockstate.UserIDIn(ids...)).AddEvents(1).Exec(system(ctx))
}

// keepOwner refuses with CONFLICT that a user stops being an active owner where
// the company would have none.
func keepOwner(ctx context.Context, u *ent.User) error {
	if err := companyTurn(ctx); err != nil {
		return err
	}
	others, err := owners(ctx).Where(user.IDNEQ(u.ID)).Exist(ctx)
	if err == nil && !others {
		err = errs.New(errs.Conflict, errs.Meta{"owners": 1})
	}
	return err
}
