package definition

import (
	"context"
	"maps"
	"slices"

	"workforce/ent"
	"workforce/internal/app/input"
	"workforce/internal/app/people"
	"workforce/internal/definition"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// rolesOf returns the roles that people have, by person, in the order of their names.
func (r *run) rolesOf(ctx context.Context) (map[int][]*row, error) {
	if r.held != nil {
		return r.held, nil
	}
	t, err := r.table(ctx, definition.Roles)
	if err != nil {
		return nil, err
	}
	list, err := ent.FromContext(ctx).UserRole.Query().All(ctx)
	if err != nil {
		return nil, err
	}
	holders := map[int][]int{} // by role
	for _, h := range list {
		holders[h.RoleID] = append(holders[h.RoleID], h.UserID)
	}
	r.held = map[int][]*row{}
	for _, role := range t.all {
		for _, user := range holders[role.id] {
			r.held[user] = append(r.held[user], role)
		}
	}
	return r.held, nil
}

// isOwners reports whether a role is that of owners. No file gives or takes it, or changes somebody who has it.
func (o *row) isOwners() bool { return o.builtin == viewer.Owner }

// givenRoles are the roles that a file gives people.
type givenRoles struct {
	users    map[int]bool // whose roles it names
	changes  []people.RoleChange
	elements []*definition.Element // of the changes
	before   [][]string            // the names of the roles that people have
}

// readRoles adds the roles that an element gives somebody, who loses the others.
func (r *run) readRoles(ctx context.Context, e *definition.Element, g *givenRoles) error {
	ok := true
	for _, f := range e.Section.Fields {
		if e.Has(f.Name) && f.Name != "email" && f.Name != "roles" {
			r.because(e, f.Name, errs.Excludes, errs.Meta{"other": "roles"})
			ok = false
		}
	}
	id, err := r.assignee(ctx, e)
	if err != nil {
		return err
	}
	all, err := r.rolesOf(ctx)
	if err != nil {
		return err
	}
	has := all[id]
	switch {
	case id == 0:
		ok = false
	case g.users[id]:
		r.because(e, "email", errs.Twice, errs.Meta{"value": e.Name()})
		ok = false
	case slices.ContainsFunc(has, (*row).isOwners):
		r.fault(e, errs.Fault{Field: "email", Code: errs.Forbidden})
		ok = false
	}
	g.users[id] = true
	to, good, err := r.roleIDs(ctx, e)
	if err != nil || !ok || !good {
		return err
	}
	before, names := make([]int, len(has)), make([]string, len(has))
	for i, role := range has {
		before[i], names[i] = role.id, role.name
	}
	if slices.Sort(before); slices.Equal(before, to) {
		r.result.Unchanged++
		return nil
	}
	g.changes = append(g.changes, people.RoleChange{User: id, Roles: to})
	g.elements, g.before = append(g.elements, e), append(g.before, names)
	return nil
}

// giveRoles gives people the roles that were read.
func (r *run) giveRoles(ctx context.Context, g *givenRoles) error {
	refused, err := r.People.GiveRoles(ctx, g.changes)
	if err != nil {
		return err
	}
	for i, e := range g.elements {
		if refused[i] == nil {
			r.changed(Update, e, Member{"roles", g.before[i], e.Values["roles"]})
		} else if err := r.refused(e, refused[i]); err != nil {
			return err
		}
	}
	return nil
}

// roleIDs returns the ids of the roles that an element names, in order; false where it has a fault.
func (r *run) roleIDs(ctx context.Context, e *definition.Element) (ids []int, ok bool, err error) {
	t, err := r.table(ctx, definition.Roles)
	if err != nil {
		return nil, false, err
	}
	ok = true
	for i, name := range e.Values["roles"].([]string) {
		at := "roles." + itoa(i)
		role := r.known(t, e, at, nameKey(name))
		switch {
		case role == nil:
			ok = false
		case role.isOwners():
			r.fault(e, errs.Fault{Field: at, Code: errs.Forbidden})
			ok = false
		default:
			ids = append(ids, role.id)
		}
	}
	return input.Distinct(ids), ok, nil
}

// allRoles returns the roles of active people as a file has them: not those of owners, and not those of
// people who have what new people have, the role employee alone.
func (r *run) allRoles(ctx context.Context, of *peopleTable) (list []map[string]any, err error) {
	held, err := r.rolesOf(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(of.email)) {
		has := held[id]
		if slices.ContainsFunc(has, (*row).isOwners) || len(has) == 1 && has[0].builtin == viewer.Employee {
			continue
		}
		names := make([]string, len(has))
		for i, role := range has {
			names[i] = role.name
		}
		list = append(list, map[string]any{"email": of.email[id], "roles": names})
	}
	return list, nil
}
