package plan

import (
	"context"
	"fmt"
	"strconv"

	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// Change makes the occurrences of people anew after what plans their shifts changed in
// the transaction of ctx. It is CONFLICT on a field where somebody would have overlapping
// shifts, one of which the change touches, from a date on.
func (s *Planner) Change(ctx context.Context, company int, ids []int, from shift.Date, field string, touched func(shift.Planned) bool) error {
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
func (c *Clashes) Of(id int, field string, touched func(shift.Planned) bool) error {
	p := c.People[id]
	key := fmt.Sprint(p.Zone, p.Plan)
	found, ok := c.known[key]
	if !ok {
		all := p.Plan.Between(c.from.AddDays(-2), c.from.AddDays(Looked), c.Table.At(p.Zone))
		if a, b, overlap := shift.Overlap(all, touched); overlap {
			found = &clash{a: a, b: b}
		} else if a, b, together := shift.Together(all, touched); together && !c.several {
			found = &clash{a, b, true}
		}
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
	}
	return errs.Field(errs.Conflict, field, meta)
}
