package definition

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"workforce/ent"
	"workforce/ent/rotationassignment"
	"workforce/ent/shiftassignment"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/definition"
	"workforce/internal/errs"
	"workforce/internal/shift"
)

// An assigned is a shift or a rotation that a person has, or is to have.
type assigned struct {
	id       int
	user     int
	shift    int // 0 for a rotation
	rotation int
	startsOn string
	endsOn   *string
	weekdays []int // of a shift, in order
	every    int   // weeks, of a shift
	firstDay int   // of a rotation
	element  *definition.Element
}

// key returns what tells an assignment from others: all of it but its last date.
func (a *assigned) key() string {
	return fmt.Sprint(a.user, a.shift, a.rotation, a.startsOn, a.weekdays, a.every, a.firstDay)
}

// ended reports whether an assignment ended before a date.
func (a *assigned) ended(today shift.Date) bool { return a.endsOn != nil && *a.endsOn < string(today) }

var everyDay = []int{1, 2, 3, 4, 5, 6, 7}

// readAssignments returns those of active people, by person and first date.
func readAssignments(ctx context.Context, people *peopleTable) (list []*assigned, err error) {
	db := ent.FromContext(ctx)
	shifts, err := db.ShiftAssignment.Query().Order(ent.Asc(shiftassignment.FieldUserID,
		shiftassignment.FieldStartsOn, shiftassignment.FieldID)).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range shifts {
		days := slices.Clone(a.Weekdays)
		slices.Sort(days)
		list = append(list, &assigned{
			id: a.ID, user: a.UserID, shift: a.ShiftID, startsOn: a.StartsOn, endsOn: a.EndsOn, weekdays: days,
			every: a.EveryWeeks,
		})
	}
	rotations, err := db.RotationAssignment.Query().
		Order(ent.Asc(rotationassignment.FieldUserID, rotationassignment.FieldStartsOn,
			rotationassignment.FieldID)).All(ctx)
	for _, a := range rotations {
		list = append(list, &assigned{id: a.ID, user: a.UserID, rotation: a.RotationID, startsOn: a.StartsOn,
			endsOn: a.EndsOn, firstDay: a.FirstDay})
	}
	return slices.DeleteFunc(list, func(a *assigned) bool { return people.email[a.user] == "" }), err
}

// applyAssignments sets roles, deletes assignments where the file is pruned, ends them, and makes new ones.
func (r *run) applyAssignments(ctx context.Context) error {
	people, err := r.everybody(ctx)
	if err != nil {
		return err
	}
	rows, err := readAssignments(ctx, people)
	if err != nil {
		return err
	}
	known, named, roles := map[string]*assigned{}, map[string]bool{}, &givenRoles{users: map[int]bool{}}
	for _, a := range rows {
		known[a.key()] = a
	}
	var created, ended []*assigned
	for _, e := range r.file.Elements[definition.Assignments] {
		if e.Has("roles") {
			if err := r.readRoles(ctx, e, roles); err != nil {
				return err
			}
			continue
		}
		a, ok, err := r.assignment(ctx, e)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if named[a.key()] {
			r.because(e, "email", errs.Twice, errs.Meta{"value": e.Name()})
			continue
		}
		named[a.key()] = true
		switch is := known[a.key()]; {
		case is == nil:
			created = append(created, a)
		case e.Has("endsOn") && !equal(is.endsOn, a.endsOn):
			a.id = is.id
			ended = append(ended, a)
			r.changed(Update, e, Member{"endsOn", plain(is.endsOn), plain(a.endsOn)})
		default:
			r.result.Unchanged++
		}
	}
	if err := r.giveRoles(ctx, roles); err != nil {
		return err
	}
	if r.Prune {
		if err := r.pruneAssignments(ctx, rows, named); err != nil {
			return err
		}
	}
	for _, a := range ended {
		if err := r.end(ctx, a); err != nil {
			return err
		}
	}
	return r.assignAll(ctx, created)
}

func equal(a, b *string) bool { return input.Value(a) == input.Value(b) }

// changed notes a change of an assignment.
func (r *run) changed(action string, e *definition.Element, members ...Member) {
	r.result.Changes = append(r.result.Changes, Change{Action: action, Section: definition.Assignments,
		Name: e.Name(), Members: members})
}

// assignee returns the id of the person of an element; 0 where there is a fault.
func (r *run) assignee(ctx context.Context, e *definition.Element) (int, error) {
	found, ok, err := r.person(ctx, e, "email")
	id, _ := found.(int)
	if err == nil && ok && id == 0 {
		r.because(e, "email", errs.Required, nil)
	}
	return id, err
}

// assignment reads an element; false where it has a fault.
func (r *run) assignment(ctx context.Context, e *definition.Element) (a *assigned, ok bool, err error) {
	a = &assigned{startsOn: e.Text("startsOn"), element: e}
	if a.user, err = r.assignee(ctx, e); err != nil {
		return nil, false, err
	}
	ok = a.user != 0
	if !e.Has("startsOn") {
		r.because(e, "startsOn", errs.Required, nil)
		ok = false
	}
	if until := e.Text("endsOn"); until != "" {
		a.endsOn = &until
	}
	for _, m := range []struct {
		member, section, other string
		into                   *int
		excludes               []string
	}{
		{"shift", definition.Shifts, "rotation", &a.shift, []string{"rotation", "firstDay"}},
		{"rotation", definition.Rotations, "shift", &a.rotation, []string{"weekdays", "everyWeeks"}},
	} {
		if !e.Has(m.member) {
			if !e.Has(m.other) && m.member == "shift" {
				r.because(e, "shift", errs.Required, nil)
				ok = false
			}
			continue
		}
		for _, other := range m.excludes {
			if e.Has(other) {
				r.because(e, other, errs.Excludes, errs.Meta{"other": m.member})
				ok = false
			}
		}
		id, good, err := r.reference(ctx, e, m.member, m.section, nameKey(e.Text(m.member)))
		if err != nil {
			return nil, false, err
		}
		*m.into, _ = id.(int)
		ok = ok && good
	}
	if a.shift != 0 {
		a.weekdays, a.every = everyDay, 1
		if days, given := e.Values["weekdays"].([]int); given {
			a.weekdays = slices.Sorted(slices.Values(days))
		}
		if n, given := e.Values["everyWeeks"].(int); given {
			a.every = n
		}
	} else if a.firstDay = 1; e.Has("firstDay") {
		a.firstDay, _ = e.Values["firstDay"].(int)
	}
	return a, ok, nil
}

// pruneAssignments deletes those that the file does not name, but for those that have ended.
func (r *run) pruneAssignments(ctx context.Context, rows []*assigned, named map[string]bool) error {
	today, err := r.Roster.Plans.CompanyToday(ctx)
	if err != nil {
		return err
	}
	for _, a := range rows {
		if named[a.key()] || a.ended(today) {
			continue
		}
		name, err := r.nameOf(ctx, a)
		if err != nil {
			return err
		}
		if a.shift != 0 {
			err = r.Roster.DeleteAssignment(ctx, a.id)
		} else {
			err = r.Roster.DeleteRotationAssignment(ctx, a.id)
		}
		if err := r.pruned(definition.Assignments, name, err); err != nil {
			return err
		}
	}
	return nil
}

// nameOf returns what an assignment that the company has is called.
func (r *run) nameOf(ctx context.Context, a *assigned) (string, error) {
	values, err := r.valuesOf(ctx, a)
	return definition.NameOf(definition.SectionOf(definition.Assignments), values), err
}

// end sets the last date of an assignment.
func (r *run) end(ctx context.Context, a *assigned) error {
	var err error
	switch {
	case a.shift != 0:
		err = r.Roster.UpdateAssignment(ctx, a.id, model.UpdateShiftAssignmentInput{EndsOn: input.Given(a.endsOn)})
	case a.endsOn == nil:
		err = errs.Because("endsOn", errs.Required, nil)
	default:
		err = r.Roster.EndRotation(ctx, a.id, model.EndRotationInput{EndsOn: *a.endsOn})
	}
	if err != nil {
		return r.refused(a.element, err)
	}
	return nil
}

// assignAll gives people what they do not have.
func (r *run) assignAll(ctx context.Context, list []*assigned) error {
	var shifts, rotations []*assigned
	for _, a := range list {
		if a.shift != 0 {
			shifts = append(shifts, a)
		} else {
			rotations = append(rotations, a)
		}
	}
	inputs := make([]model.AssignShiftInput, len(shifts))
	for i, a := range shifts {
		inputs[i] = model.AssignShiftInput{
			UserID: a.user, ShiftID: a.shift, StartsOn: a.startsOn, EndsOn: input.Given(a.endsOn),
			Weekdays:   input.Given(a.weekdays),
			EveryWeeks: input.Given(&a.every),
		}
	}
	if len(shifts) > 0 {
		refused, err := r.Roster.AssignAll(ctx, inputs)
		if err != nil {
			return err
		}
		for i, a := range shifts {
			if err := r.given(a, refused[i]); err != nil {
				return err
			}
		}
	}
	return r.rotate(ctx, rotations)
}

// given notes that a person was given something, or was refused it.
func (r *run) given(a *assigned, refused error) error {
	if refused != nil {
		return r.refused(a.element, refused)
	}
	r.changed(Create, a.element)
	return nil
}

// atOnce is how many people are given a rotation at once.
const atOnce = 1000

// rotate gives people rotations, to those who begin alike together: the earliest first, since each ends the
// one before.
func (r *run) rotate(ctx context.Context, list []*assigned) error {
	slices.SortStableFunc(list, func(a, b *assigned) int { return cmp.Compare(a.startsOn, b.startsOn) })
	next := map[int]*assigned{} // by user
	for _, a := range slices.Backward(list) {
		if later := next[a.user]; later != nil && (a.endsOn == nil || *a.endsOn >= later.startsOn) {
			if a.endsOn != nil || a.startsOn == later.startsOn {
				r.because(a.element, "startsOn", errs.Crosses, errs.Meta{"other": "assignments"})
				continue
			}
			a.endsOn = new(string(shift.Date(later.startsOn).AddDays(-1)))
		}
		next[a.user] = a
	}
	groups, order := map[string][]*assigned{}, []string{}
	for _, a := range list {
		key := fmt.Sprint(a.startsOn, a.rotation, a.firstDay, input.Value(a.endsOn))
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], a)
	}
	for _, key := range order {
		for part := range slices.Chunk(groups[key], atOnce) {
			if err := r.rotateAlike(ctx, part); err != nil {
				return err
			}
		}
	}
	return nil
}

// rotateAlike gives people the same rotation from the same date on.
func (r *run) rotateAlike(ctx context.Context, list []*assigned) error {
	in := model.AssignRotationInput{
		RotationID: list[0].rotation, StartsOn: list[0].startsOn, EndsOn: input.Given(list[0].endsOn),
		FirstDay: input.Given(&list[0].firstDay),
	}
	for _, a := range list {
		in.UserIds = append(in.UserIds, a.user)
	}
	refused, err := r.Roster.GiveRotation(ctx, in)
	if errs.CodeOf(err) == errs.Internal && err != nil {
		return err
	}
	for _, a := range list {
		if err := r.given(a, cmp.Or(err, refused[a.user])); err != nil {
			return err
		}
	}
	return nil
}
