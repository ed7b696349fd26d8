package scheduling

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// Change makes the occurrences of people anew after what plans their shifts changed in
// the transaction of ctx. It is CONFLICT on a field where somebody would have overlapping
// shifts, one of which the change touches, from a date on.
func (s *Planner) Change(
	ctx context.Context, company int, ids []int, from shift.Date, field string, touched func(shift.Planned) bool,
) (err error) {
	defer errs.Step(&err, "scheduling: change what plans shifts")
	if len(ids) == 0 {
		return nil
	}
	if err := Lock(viewer.System(ctx), company, ids); err != nil {
		return err
	}
	c, err := NewClashes(ctx, company, ids, from)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := c.Of(id, field, touched); err != nil {
			return err
		}
	}
	return s.Outdate(ctx, company, ids...)
}

// Clashes finds shifts of people that cannot be worked both. People with the same plan are
// looked at once.
type Clashes struct {
	People  map[int]*Person
	Table   *Timetable
	from    shift.Date
	several bool              // a person may have several shifts on a date
	known   map[string]*clash // by plan; nil for none
}

// A clash is two occurrences that somebody cannot have both.
type clash struct {
	a, b     shift.Planned
	together bool // they do not overlap, but are on one date
}

func NewClashes(ctx context.Context, company int, ids []int, from shift.Date) (*Clashes, error) {
	people, table, err := Load(viewer.System(ctx), company, ids, from.AddDays(-2))
	return &Clashes{people, table, from, setting.SeveralShifts.Of(viewer.From(ctx).Settings), map[string]*clash{}}, err
}

// Of returns CONFLICT on a field where two shifts of a person clash, one of which was
// touched.
func (c *Clashes) Of(id int, field string, touched func(shift.Planned) bool) (err error) {
	defer errs.Step(&err, "scheduling: read plans")
	p := c.People[id]
	key := keyOf(p)
	found, ok := c.known[key]
	if !ok {
		found = c.find(p, touched)
		c.known[key] = found
	}
	if found == nil {
		return nil
	}
	meta := errs.Meta{
		"userId": strconv.Itoa(id), "shift": c.Table.Shifts[found.a.Shift].Name, "date": string(found.a.Date),
		"otherShift": c.Table.Shifts[found.b.Shift].Name, "otherDate": string(found.b.Date),
	}
	if found.together {
		meta["reason"] = setting.SeveralShifts.Name
		return errs.Conflicts(errs.OneShiftADay, field, meta)
	}
	return errs.Conflicts(errs.ShiftOverlap, field, meta)
}

// keyOf is the same for people whose shifts are the same: it has of assignments whether
// they are new, and not whose they are.
func keyOf(p *Person) string {
	plan := p.Plan
	plan.Assignments = slices.Clone(plan.Assignments)
	for i := range plan.Assignments {
		plan.Assignments[i].ID = min(plan.Assignments[i].ID, 1)
	}
	return fmt.Sprint(p.Zone, plan)
}

// find returns the first clash of a person's shifts, nil for none.
func (c *Clashes) find(p *Person, touched func(shift.Planned) bool) *clash {
	for _, span := range c.spans(p) {
		all := p.Plan.Between(span[0].AddDays(-2), span[1], c.Table.At(p.Zone))
		if a, b, overlap := shift.Overlap(all, touched); overlap {
			return &clash{a: a, b: b}
		}
		if a, b, together := shift.Together(all, touched); together && !c.several {
			return &clash{a, b, true}
		}
	}
	return nil
}

// spans returns the first and last dates of the periods in which a person's shifts are
// looked at: from the first date on, and from each later one on which something of their
// plan or a shift changes, for a cycle of the plan and no less than Looked days. What
// begins in years is met there, whatever was planned first.
func (c *Clashes) spans(p *Person) (spans [][2]shift.Date) {
	days := max(Looked, cycle(&p.Plan, longest))
	starts := append(append([]shift.Date{c.from}, changes(&p.Plan, c.from)...), c.Table.changes(c.from)...)
	slices.Sort(starts)
	for _, start := range starts {
		last := start.AddDays(days)
		if len(last) > len(latest) {
			last = latest
		}
		if n := len(spans); n > 0 && start <= spans[n-1][1] {
			spans[n-1][1] = last
		} else {
			spans = append(spans, [2]shift.Date{start, last})
		}
	}
	return spans
}

// changes returns the dates behind one on which a shift gets another working time.
func (t *Timetable) changes(behind shift.Date) (dates []shift.Date) {
	for id, s := range t.Shifts {
		for _, v := range append([]Version{Present(s)}, t.former[id]...) {
			if v.From > behind {
				dates = append(dates, v.From)
			}
		}
	}
	return dates
}

// changes returns the dates behind one on which an assignment or a rotation of the plan
// begins, or has ended the day before. From each until the next, the plan repeats itself,
// but for single dates.
func changes(p *shift.Plan, behind shift.Date) []shift.Date {
	var dates []shift.Date
	add := func(starts, ends shift.Date) {
		dates = append(dates, starts)
		if ends != "" {
			dates = append(dates, ends.AddDays(1))
		}
	}
	for _, a := range p.Assignments {
		add(a.StartsOn, a.EndsOn)
	}
	for _, r := range p.Rotations {
		add(r.StartsOn, r.EndsOn)
	}
	return slices.DeleteFunc(dates, func(d shift.Date) bool { return d <= behind })
}

// cycle returns after how many days the plan repeats itself: a multiple of its weeks and
// of the days of its rotations, or limit where that is less.
func cycle(p *shift.Plan, limit int) int {
	days := 7
	join := func(n int) {
		if n > 0 {
			days = min(days/gcd(days, n)*n, limit)
		}
	}
	for _, a := range p.Assignments {
		join(7 * a.EveryWeeks)
	}
	for _, r := range p.Rotations {
		join(len(r.Days))
	}
	return days
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
