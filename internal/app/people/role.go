package people

import (
	"context"
	"slices"

	"workforce/ent"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/ent/userrole"
	"workforce/graph/model"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// CreateRole creates a custom role. FORBIDDEN where it exceeds the viewer's
// permissions.
func (s *Service) CreateRole(ctx context.Context, in model.CreateRoleInput) (*ent.Role, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	if me.Scope("role", "write") < viewer.All {
		return nil, errs.New(errs.Forbidden, nil)
	}
	create := ent.FromContext(ctx).Role.Create().SetCompanyID(me.CompanyID)
	members := model.UpdateRoleInput{Name: input.Given(&in.Name), Permissions: input.Given(in.Permissions)}
	if err := setRole(ctx, create.Mutation(), members); err != nil {
		return nil, err
	}
	created, err := create.Save(ctx)
	return created, input.NameTaken(err, ent.IsConstraintError)
}

// UpdateRole changes a custom role.
func (s *Service) UpdateRole(ctx context.Context, id int, in model.UpdateRoleInput) (*ent.Role, error) {
	found, err := customRole(ctx, id)
	if err != nil {
		return nil, err
	}
	update := found.Update()
	if err := setRole(ctx, update.Mutation(), in); err != nil {
		return nil, err
	}
	updated, err := update.Save(ctx)
	return updated, input.NameTaken(err, ent.IsConstraintError)
}

// DeleteRole deletes a custom role. CONFLICT while users have it.
func (s *Service) DeleteRole(ctx context.Context, id int) error {
	found, err := customRole(ctx, id)
	if err != nil {
		return err
	}
	db := ent.FromContext(ctx)
	users, err := db.UserRole.Query().Where(userrole.RoleID(found.ID)).Count(ctx)
	if err != nil {
		return err
	}
	if users > 0 {
		return errs.Conflicts(errs.InUse, "", errs.Meta{"users": users})
	}
	return db.Role.DeleteOne(found).Exec(ctx)
}

// Permission returns the viewer's roles and what they grant together.
func (s *Service) Permission(ctx context.Context) (*model.PermissionSet, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	roles, err := ent.FromContext(ctx).Role.Query().Where(role.HasUsersWith(user.ID(me.UserID))).All(ctx)
	return &model.PermissionSet{Roles: roles, Permissions: me.Permissions}, err
}

// RoleList returns the company's roles by name, each with the number of its active
// users.
func (s *Service) RoleList(ctx context.Context) ([]*model.RoleEntry, error) {
	if _, err := viewer.Require(ctx); err != nil {
		return nil, err
	}
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
		list[i] = &model.RoleEntry{ID: r.ID, Name: r.Name, Permissions: credential.Permissions(roles[i : i+1]), UserCount: users[r.ID]}
	}
	return list, nil
}

// customRole returns a role that the viewer may change: not built in, and without
// permissions that they lack.
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

// setRole applies the given members of a role to a mutation. FORBIDDEN where the
// viewer may not give its permissions to others.
func setRole(ctx context.Context, m *ent.RoleMutation, in model.UpdateRoleInput) error {
	var faults errs.Faults
	if name, given := in.Name.ValueOK(); given {
		m.SetName(input.Name(&faults, "name", name))
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
	if !mayGive(viewer.From(ctx), list) {
		return errs.Field(errs.Forbidden, "permissions", nil)
	}
	if given {
		list = slices.Clone(list)
		slices.Sort(list)
		m.SetCustomPermissions(slices.Compact(list))
	}
	return nil
}

// Exceeds reports whether a role grants a permission that the viewer lacks, or
// ownership, which only owners have.
func Exceeds(me *viewer.Viewer, roles []*ent.Role) bool {
	return !me.Covers(credential.Permissions(roles)) || !me.Owner && slices.ContainsFunc(roles, owns)
}

// mayGive reports whether the viewer may give permissions to others: they have them,
// and own the company where only owners give one.
func mayGive(me *viewer.Viewer, permissions []string) bool {
	return me.Covers(permissions) && (me.Owner || !viewer.Reserved(permissions))
}

func owns(r *ent.Role) bool { return r.Builtin != nil && *r.Builtin == viewer.Owner }

// rolesToAssign returns the roles that a user is to have; given is false where
// nothing is to be changed. FORBIDDEN on the field for a role that exceeds the
// viewer's permissions.
func rolesToAssign(ctx context.Context, ids input.Omittable[[]int]) (roles []*ent.Role, given bool, err error) {
	list, given := ids.ValueOK()
	if !given {
		return nil, false, nil
	}
	if viewer.From(ctx).Scope("role", "write") < viewer.All {
		return nil, true, errs.Field(errs.Forbidden, "roleIds", nil)
	}
	list = input.Distinct(list)
	roles, err = ent.FromContext(ctx).Role.Query().Where(role.IDIn(list...)).All(ctx)
	if err := input.Referenced("roleIds", len(roles) == len(list), err); err != nil {
		return nil, true, err
	}
	me := viewer.From(ctx)
	if Exceeds(me, roles) || !mayGive(me, credential.Permissions(roles)) {
		return nil, true, errs.Field(errs.Forbidden, "roleIds", nil)
	}
	return roles, true, nil
}

// setRoles gives a user these roles and no others.
func setRoles(ctx context.Context, u *ent.User, roles []*ent.Role) error {
	db := ent.FromContext(ctx)
	ids := make([]int, len(roles))
	for i, r := range roles {
		ids[i] = r.ID
	}
	_, err := db.UserRole.Delete().Where(userrole.UserID(u.ID), userrole.Not(userrole.RoleIDIn(ids...))).Exec(ctx)
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
		if err := assignRole(db.UserRole.Create(), u, id).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// assignRole sets the columns of a row that gives a user a role.
func assignRole(row *ent.UserRoleCreate, u *ent.User, roleID int) *ent.UserRoleCreate {
	return row.SetCompanyID(u.CompanyID).SetUserID(u.ID).SetRoleID(roleID)
}
