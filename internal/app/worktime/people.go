package worktime

import (
	"context"
	"slices"

	"workforce/ent"
	"workforce/ent/predicate"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// InScope matches the people within a scope of the viewer: all, those of their businesses and
// themselves, or themselves alone; owners are within none of an API key.
func InScope(me *viewer.Viewer, scope viewer.Scope) predicate.User {
	in := user.ID(me.Self())
	switch scope {
	case viewer.All:
		in = user.IDGT(0)
	case viewer.Team:
		in = user.Or(in, database.OneOf(user.FieldBusinessID, me.Businesses))
	}
	if me.Key != 0 {
		in = user.And(in, user.Not(user.HasRolesWith(role.Builtin(viewer.Owner))))
	}
	return in
}

// Addressed matches the people whom the viewer may tell of something: everybody, and for API keys those
// within a scope.
func Addressed(me *viewer.Viewer, scope viewer.Scope) predicate.User {
	if me.Key == 0 {
		scope = viewer.All
	}
	return InScope(me, scope)
}

// Named returns a query of people, each of whom is within a scope of the viewer; else NOT_FOUND
// on a field.
func Named(
	ctx context.Context, me *viewer.Viewer, scope viewer.Scope, field string, ids []int,
) (*ent.UserQuery, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	q := ent.FromContext(ctx).User.Query().Where(user.IDIn(ids...), InScope(me, scope))
	n, err := q.Clone().Count(database.Unprepared(ctx))
	if err == nil && n < len(ids) {
		err = errs.Field(errs.NotFound, field, nil)
	}
	return q, err
}
