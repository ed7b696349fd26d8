package connection

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"workforce/ent"
	"workforce/ent/predicate"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/internal/database"
	"workforce/internal/viewer"
)

// The details of a person (ent.Details) are what the company's directory does not
// show of them. Whoever may not read a person beyond the directory gets null and
// empty lists for them, and no filter uses them.

// AroundRootFields is the gqlgen root field middleware of HideDetails and Shared.
func AroundRootFields(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	return next(AroundEvents(ctx))
}

// AroundEvents returns the context in which a subscription shows an event, as
// AroundRootFields does for other fields.
func AroundEvents(ctx context.Context) context.Context {
	return withMemo(ctx)
}

// HideDetails is the gqlgen field middleware that hides the details of people from
// viewers who may not read them, and keeps filters from using them.
func HideDetails(ctx context.Context, next graphql.Resolver) (any, error) {
	fc := graphql.GetFieldContext(ctx)
	if where, given := fc.Args["where"]; given && details(ctx) < viewer.All {
		confine(reflect.ValueOf(where), readable(ctx))
	}
	if !isDetail(fc.Object, fc.Field.Name) {
		return next(ctx)
	}
	shown, err := readsDetails(ctx, fc.Parent.Result)
	if shown || err != nil {
		return next(ctx)
	}
	if fc.Field.Definition.Type.Elem == nil {
		return nil, nil
	}
	list, err := next(ctx)
	if err != nil {
		return nil, err
	}
	return reflect.MakeSlice(reflect.TypeOf(list), 0, 0).Interface(), nil
}

// details returns the scope of people whose details the viewer reads.
func details(ctx context.Context) viewer.Scope {
	me := viewer.From(ctx)
	scope := ent.Facts[ent.TypeUser].Access.Details(me)
	if me.Key != 0 {
		scope = min(scope, viewer.Team) // those of owners no API key reads
	}
	return scope
}

func isDetail(object, field string) bool { return slices.Contains(ent.Details[object], field) }

// readsDetails reports whether the viewer reads the details of a person, who is the
// result of a field or an element of it.
func readsDetails(ctx context.Context, person any) (bool, error) {
	scope := details(ctx)
	if scope == viewer.All {
		return true, nil
	}
	u, ok := person.(*ent.User)
	if element, is := person.(**ent.User); is {
		u, ok = *element, true
	}
	if !ok || u == nil {
		return false, nil
	}
	me := viewer.From(ctx)
	if u.ID == me.Self() {
		return true, nil
	}
	if scope < viewer.Team {
		return false, nil
	}
	team, err := Shared(ctx, "the viewer's team", func(ctx context.Context) (map[int]bool, error) {
		ids, err := ent.FromContext(ctx).User.Query().Where(inTeam(me)).IDs(ctx)
		team := make(map[int]bool, len(ids))
		for _, id := range ids {
			team[id] = true
		}
		return team, err
	})
	return team[u.ID], err
}

// readable matches the people whose details the viewer reads, of those in scope own
// or team. It is never NULL in SQL, whose NOT would be NULL too.
func readable(ctx context.Context) predicate.User {
	me := viewer.From(ctx)
	if details(ctx) < viewer.Team {
		return user.ID(me.Self())
	}
	return user.Or(user.ID(me.Self()), inTeam(me))
}

// inTeam matches the people of the businesses that a viewer manages, of those that bound an API key, or of the
// company where nothing bounds it.
func inTeam(me *viewer.Viewer) predicate.User {
	team := user.And(user.BusinessIDNotNil(), database.OneOf(user.FieldBusinessID, me.Businesses))
	if me.Key == 0 {
		return team
	}
	commoners := user.Not(user.HasRolesWith(role.Builtin(viewer.Owner)))
	if ent.Facts[ent.TypeUser].Access.Details(me) == viewer.All {
		return commoners
	}
	return user.And(team, commoners)
}

// confine adds a condition to every part of a filter that has conditions on details
// of people. Where the condition does not hold, such a part is false whatever the
// details are.
func confine(where reflect.Value, condition predicate.User) {
	switch where.Kind() {
	case reflect.Slice:
		for i := range where.Len() {
			confine(where.Index(i), condition)
		}
		return
	case reflect.Pointer:
		if where.IsNil() || where.Elem().Kind() != reflect.Struct {
			return
		}
	default:
		return
	}
	for field, value := range where.Elem().Fields() {
		if isFilter(field.Type) {
			confine(value, condition)
		}
	}
	if w, ok := where.Interface().(*ent.UserWhereInput); ok && usesDetails(where.Elem()) {
		w.AddPredicates(condition)
	}
}

// isFilter reports whether a type is *XWhereInput or a list of it.
func isFilter(t reflect.Type) bool {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t.Kind() == reflect.Pointer && strings.HasSuffix(t.Elem().Name(), "WhereInput")
}

// usesDetails reports whether a filter of people has a condition on a detail.
func usesDetails(where reflect.Value) bool {
	for field, value := range where.Fields() {
		if !value.IsZero() && slices.ContainsFunc(ent.Details[ent.TypeUser], func(name string) bool {
			return filters(field.Tag.Get("json"), name)
		}) {
			return true
		}
	}
	return false
}

// filters reports whether a member of a filter, such as activeNEQ or hasRolesWith, is
// about a field.
func filters(member, field string) bool {
	return strings.HasPrefix(member, field) || strings.HasPrefix(member, "has"+strings.ToUpper(field[:1])+field[1:])
}
