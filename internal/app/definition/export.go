package definition

import (
	"context"
	"io"
	"slices"

	"workforce/ent"
	"workforce/internal/app/tx"
	"workforce/internal/definition"
	"workforce/internal/errs"
)

// Export writes what a company is as a file that Apply reads, by the operator: applied to the company it
// changes nothing. Assignments that have ended are left out. VALIDATION_FAILED on the section where several
// have a name. ctx is in no transaction.
func (s *Service) Export(ctx context.Context, w io.Writer, company int) (err error) {
	defer errs.Step(&err, "definition: export")
	var elements map[string][]map[string]any
	err = tx.Run(ctx, s.DB, func(ctx context.Context) error {
		ctx, err := s.operator(ctx, company)
		if err != nil {
			return err
		}
		elements, err = newRun(s, &definition.File{}, Options{}).all(ctx)
		return err
	})
	if err != nil {
		return err
	}
	return definition.Write(w, elements)
}

// all returns the elements of all sections.
func (r *run) all(ctx context.Context) (map[string][]map[string]any, error) {
	c, err := ent.FromContext(ctx).Company.Query().Only(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string][]map[string]any{}
	if settings := settingsOf(c); settings != nil {
		out[definition.Company] = settings
	}
	for _, s := range definition.Sections() {
		switch {
		case s.Single:
		case s.Name == definition.Assignments:
			out[s.Name], err = r.allAssignments(ctx)
		default:
			out[s.Name], err = r.elements(ctx, s.Name)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// elements returns those of a section. An archived one whose name another one has is left out.
func (r *run) elements(ctx context.Context, section string) ([]map[string]any, error) {
	t, err := r.table(ctx, section)
	if err != nil {
		return nil, err
	}
	list := []map[string]any{}
	for _, o := range t.all {
		if o.twin {
			return nil, errs.Because(section+" "+o.name, errs.SameName, nil)
		}
		if o.builtin != "" || t.byKey[o.key] != o {
			continue
		}
		values, err := r.named(ctx, section, o.values)
		if err != nil {
			return nil, err
		}
		list = append(list, values)
	}
	return list, nil
}

// named returns the members of an input as a file has them: names for ids, and nothing that is not there.
func (r *run) named(ctx context.Context, section string, values map[string]any) (out map[string]any, err error) {
	out = map[string]any{}
	for member, v := range values {
		name := member
		switch member {
		case "parentId", "businessId", "addressId":
			name = members[member]
			of := map[string]string{"parentId": section, "businessId": definition.Businesses,
				"addressId": definition.Sites}[member]
			v, err = r.nameByID(ctx, of, v)
		case "managerId":
			name = members[member]
			var p *peopleTable
			if p, err = r.everybody(ctx); err == nil && v != nil {
				if v = p.email[v.(int)]; v == "" { // who left
					v = nil
				}
			}
		case "days":
			v, err = r.dayNames(ctx, v.([]*int))
		case "latitude", "longitude":
			v = degrees(v)
		case "points":
			points := []map[string]any{}
			for _, p := range v.([]map[string]any) {
				points = append(points, map[string]any{"latitude": degrees(p["latitude"]), "longitude": degrees(p["longitude"])})
			}
			v = points
		}
		if err != nil {
			return nil, err
		}
		out[name] = v
	}
	return out, nil
}

func degrees(coordinate any) any { return coordinate.(map[string]any)["Degrees"] }

// nameByID returns what an element of a section is called, or its path; nil for none.
func (r *run) nameByID(ctx context.Context, section string, id any) (any, error) {
	if id == nil {
		return nil, nil
	}
	t, err := r.table(ctx, section)
	if err != nil || t.byID[id.(int)] == nil {
		return nil, err
	}
	return t.byID[id.(int)].name, nil
}

// dayNames returns the names of the shifts of a rotation; "" is a day off.
func (r *run) dayNames(ctx context.Context, days []*int) (any, error) {
	list := make([]string, len(days))
	for i, id := range days {
		if id == nil {
			continue
		}
		name, err := r.nameByID(ctx, definition.Shifts, *id)
		if err != nil {
			return nil, err
		}
		list[i], _ = name.(string)
	}
	return list, nil
}

// allAssignments returns the roles of people, and the assignments that have not ended.
func (r *run) allAssignments(ctx context.Context) ([]map[string]any, error) {
	people, err := r.everybody(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := readAssignments(ctx, people)
	if err != nil {
		return nil, err
	}
	today, err := r.Roster.Plans.CompanyToday(ctx)
	if err != nil {
		return nil, err
	}
	list, err := r.allRoles(ctx, people)
	for _, a := range rows {
		if a.ended(today) {
			continue
		}
		values, err := r.valuesOf(ctx, a)
		if err != nil {
			return nil, err
		}
		list = append(list, values)
	}
	return list, err
}

// valuesOf returns an assignment as a file has it.
func (r *run) valuesOf(ctx context.Context, a *assigned) (map[string]any, error) {
	people, err := r.everybody(ctx)
	if err != nil {
		return nil, err
	}
	values := map[string]any{"email": people.email[a.user], "startsOn": a.startsOn, "endsOn": plain(a.endsOn)}
	section, member, id := definition.Shifts, "shift", a.shift
	if a.shift == 0 {
		section, member, id = definition.Rotations, "rotation", a.rotation
		values["firstDay"] = a.firstDay
	} else {
		values["everyWeeks"] = a.every
		if !slices.Equal(a.weekdays, everyDay) {
			values["weekdays"] = a.weekdays
		}
	}
	values[member], err = r.nameByID(ctx, section, id)
	return values, err
}
