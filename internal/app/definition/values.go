package definition

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/internal/definition"
	"workforce/internal/errs"
	"workforce/internal/textform"
)

// decode returns an input of the API with some members.
func decode[T any](values map[string]any) (in T, err error) {
	text, err := json.Marshal(values)
	if err == nil {
		err = json.Unmarshal(text, &in)
	}
	return in, err
}

// same reports whether a member has the value that a file gives it.
func same(member string, is, to any) bool {
	return encoded(normal(member, is)) == encoded(normal(member, to))
}

func encoded(v any) string {
	text, _ := json.Marshal(v) // of plain values
	return string(text)
}

// normal returns a value as it is stored: null for text and lists that are empty.
func normal(member string, v any) any {
	switch v := v.(type) {
	case string:
		v = textform.Line(v)
		if v == "" {
			return nil
		}
		return v
	case []string:
		if member == "permissions" {
			v = slices.Clone(v)
			slices.Sort(v)
			return slices.Compact(v)
		}
	case []map[string]any:
		if len(v) == 0 {
			return nil
		}
	case map[string]any: // policies, of which null is none
		v = maps.Clone(v)
		maps.DeleteFunc(v, func(_ string, v any) bool { return v == nil })
		if len(v) == 0 {
			return nil
		}
		return v
	}
	return v
}

// coordinate returns degrees as inputs have them.
func coordinate(degrees any) any { return map[string]any{"Degrees": degrees, "Valid": true} }

// resolve returns the members of an element as inputs have them, with ids for names; false where one of
// them is nothing that there is.
func (r *run) resolve(ctx context.Context, e *definition.Element) (values map[string]any, ok bool, err error) {
	values, ok = map[string]any{}, true
	for member, v := range e.Values {
		input, good := member, true
		switch {
		case member == "parent":
			input = "parentId"
			v, good, err = r.reference(ctx, e, member, e.Section.Name, pathKey(definition.SplitPath(e.Text(member))))
		case member == "business":
			input = "businessId"
			v, good, err = r.reference(ctx, e, member, definition.Businesses, pathKey(definition.SplitPath(e.Text(member))))
		case member == "site":
			input = "addressId"
			v, good, err = r.reference(ctx, e, member, definition.Sites, nameKey(e.Text(member)))
		case member == "manager":
			input = "managerId"
			v, good, err = r.person(ctx, e, member)
		case member == "days":
			v, good, err = r.shifts(ctx, e, v.([]string))
		case member == "latitude" || member == "longitude":
			v = coordinate(v)
		case member == "points":
			points := []map[string]any{}
			for _, p := range v.([]map[string]any) {
				points = append(points, map[string]any{"latitude": coordinate(p["latitude"]),
					"longitude": coordinate(p["longitude"])})
			}
			v = points
		}
		if err != nil {
			return nil, false, err
		}
		values[input] = v
		ok = ok && good
	}
	return values, ok, nil
}

// reference returns the id of what a member of an element names; nil for null. What the file has with a
// fault is none, without another fault.
func (r *run) reference(ctx context.Context, e *definition.Element, member, section, key string) (id any,
	ok bool, err error) {
	if key == "" && e.Text(member) == "" {
		return nil, true, nil
	}
	t, err := r.table(ctx, section)
	if err != nil {
		return nil, false, err
	}
	if of := r.known(t, e, member, key); of != nil {
		return of.id, true, nil
	}
	return nil, false, nil
}

// known returns the row of a table that a member of an element names; nil where it has a fault.
func (r *run) known(t *table, e *definition.Element, member, key string) *row {
	switch of := t.byKey[key]; {
	case of == nil:
		r.because(e, member, errs.Unknown, nil)
	case of.failed:
	case of.twin:
		r.because(e, member, errs.SameName, nil)
	default:
		return of
	}
	return nil
}

// shifts returns the ids of the shifts of a rotation.
func (r *run) shifts(ctx context.Context, e *definition.Element, names []string) (ids any, ok bool, err error) {
	t, err := r.table(ctx, definition.Shifts)
	if err != nil {
		return nil, false, err
	}
	list, ok := make([]*int, len(names)), true
	for i, name := range names {
		if name == "" {
			continue
		}
		if of := r.known(t, e, "days."+itoa(i), nameKey(name)); of != nil {
			list[i] = &of.id
		} else {
			ok = false
		}
	}
	return list, ok, nil
}

// A peopleTable knows the active people of a company.
type peopleTable struct {
	byKey map[string]int
	email map[int]string
}

// everybody returns the active people.
func (r *run) everybody(ctx context.Context) (*peopleTable, error) {
	if r.people != nil {
		return r.people, nil
	}
	var err error
	r.people, err = readPeople(ctx)
	return r.people, err
}

func readPeople(ctx context.Context) (*peopleTable, error) {
	users, err := ent.FromContext(ctx).User.Query().Where(user.Active(true)).
		Select(user.FieldID, user.FieldEmail, user.FieldEmailKey).All(ctx)
	p := &peopleTable{byKey: make(map[string]int, len(users)), email: make(map[int]string, len(users))}
	for _, u := range users {
		p.byKey[u.EmailKey], p.email[u.ID] = u.ID, u.Email
	}
	return p, err
}

// person returns the id of the person whom a member of an element names; nil for null.
func (r *run) person(ctx context.Context, e *definition.Element, member string) (id any, ok bool, err error) {
	if e.Text(member) == "" {
		return nil, true, nil
	}
	p, err := r.everybody(ctx)
	if err != nil {
		return nil, false, err
	}
	key, _ := textform.EmailKey(strings.TrimSpace(e.Text(member)))
	if id, ok := p.byKey[key]; ok {
		return id, true, nil
	}
	r.because(e, member, errs.Unknown, nil)
	return nil, false, nil
}
