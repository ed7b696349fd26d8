package organization

import (
	"context"
	"maps"
	"slices"
	"time"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/businessperiod"
	"workforce/ent/clockstate"
	"workforce/ent/designation"
	"workforce/ent/designationperiod"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// batch is how many people one statement is about.
const batch = 1000

// RecordMoves records that people work in a business from a day on, 2006-01-02 in the zone of
// their company, in none for nil. The business before ended the day before; what began
// on the same day is forgotten. It belongs into the transaction that changes the users.
func RecordMoves(ctx context.Context, company int, users []int, to *int, on string) error {
	ctx = viewer.System(ctx)
	db := ent.FromContext(ctx)
	name := ""
	if to != nil {
		b, err := db.Business.Get(ctx, *to)
		if err != nil {
			return err
		}
		name = b.Name
	}
	for ids := range slices.Chunk(users, batch) {
		if err := replan(ctx, ids); err != nil {
			return err
		}
		live := businessperiod.And(businessperiod.UserIDIn(ids...), businessperiod.LiveNotNil())
		if _, err := db.BusinessPeriod.Delete().Where(live, businessperiod.FromGTE(on)).Exec(ctx); err != nil {
			return err
		}
		if err := db.BusinessPeriod.Update().Where(live).SetUntil(dayBefore(on)).ClearLive().Exec(ctx); err != nil {
			return err
		}
		if to == nil {
			continue
		}
		err := db.BusinessPeriod.MapCreateBulk(ids, func(p *ent.BusinessPeriodCreate, i int) {
			p.SetCompanyID(company).SetUserID(ids[i]).SetBusinessID(*to).SetName(name).SetFrom(on)
		}).Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// RecordDesignations records that people hold some designations from a day on, which they did
// not hold before, and that they held others until the day before. It belongs into the
// transaction that changes their designations.
func RecordDesignations(ctx context.Context, company int, users, begun, ended []int, on string) error {
	ctx = viewer.System(ctx)
	db := ent.FromContext(ctx)
	titles, err := db.Designation.Query().Where(designation.IDIn(begun...)).All(ctx)
	if err != nil {
		return err
	}
	for ids := range slices.Chunk(users, batch) {
		if err := replan(ctx, ids); err != nil {
			return err
		}
		live := designationperiod.And(designationperiod.UserIDIn(ids...), designationperiod.DesignationIDIn(ended...), designationperiod.LiveNotNil())
		if _, err := db.DesignationPeriod.Delete().Where(live, designationperiod.FromGTE(on)).Exec(ctx); err != nil {
			return err
		}
		if err := db.DesignationPeriod.Update().Where(live).SetUntil(dayBefore(on)).ClearLive().Exec(ctx); err != nil {
			return err
		}
		for _, d := range titles {
			err := db.DesignationPeriod.MapCreateBulk(ids, func(p *ent.DesignationPeriodCreate, i int) {
				p.SetCompanyID(company).SetUserID(ids[i]).SetDesignationID(d.ID).SetName(d.Name).SetFrom(on)
			}).Exec(ctx)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// replan has the shifts of people planned anew: those that nothing else plans depend on
// where they work and what they hold.
func replan(ctx context.Context, ids []int) error {
	return ent.FromContext(ctx).ClockState.Update().Where(clockstate.UserIDIn(ids...)).ClearPlannedUntil().Exec(ctx)
}

// forgetBusiness keeps of a business that is about to be deleted the name alone.
func forgetBusiness(ctx context.Context, id int) error {
	return ent.FromContext(ctx).BusinessPeriod.Update().Where(businessperiod.BusinessID(id)).ClearBusinessID().Exec(viewer.System(ctx))
}

// forgetDesignation keeps of a designation that is about to be deleted the name alone.
func forgetDesignation(ctx context.Context, id int) error {
	return ent.FromContext(ctx).DesignationPeriod.Update().Where(designationperiod.DesignationID(id)).ClearDesignationID().Exec(viewer.System(ctx))
}

// Today returns the date at an instant in the zone of the viewer's company.
func Today(ctx context.Context, now time.Time) string {
	return string(shift.DateOf(now, shift.ZoneNamed(viewer.From(ctx).Timezone)))
}

func dayBefore(date string) string { return string(shift.Date(date).AddDays(-1)) }

// A Beginning says where a new person works and what they hold from their first day on.
type Beginning struct {
	User         int
	Business     int // 0 for none
	Designations []int
	On           string // 2006-01-02 in the zone of the company
}

// BeginHistory records the first businesses and designations of people who have no history. It
// belongs into the transaction that creates the users.
func BeginHistory(ctx context.Context, company int, people []Beginning) error {
	ctx = viewer.System(ctx)
	db := ent.FromContext(ctx)
	units, titles, err := names(ctx, people)
	if err != nil {
		return err
	}
	var works []*ent.BusinessPeriodCreate
	var holds []*ent.DesignationPeriodCreate
	for _, p := range people {
		if p.Business != 0 {
			works = append(works, db.BusinessPeriod.Create().
				SetCompanyID(company).SetUserID(p.User).SetBusinessID(p.Business).SetName(units[p.Business]).SetFrom(p.On))
		}
		for _, id := range p.Designations {
			holds = append(holds, db.DesignationPeriod.Create().
				SetCompanyID(company).SetUserID(p.User).SetDesignationID(id).SetName(titles[id]).SetFrom(p.On))
		}
	}
	for part := range slices.Chunk(works, batch) {
		if err := db.BusinessPeriod.CreateBulk(part...).Exec(ctx); err != nil {
			return err
		}
	}
	for part := range slices.Chunk(holds, batch) {
		if err := db.DesignationPeriod.CreateBulk(part...).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// names returns the names of the businesses and designations of people by id.
func names(ctx context.Context, people []Beginning) (units, titles map[int]string, err error) {
	db := ent.FromContext(ctx)
	units, titles = map[int]string{}, map[int]string{}
	for _, p := range people {
		units[p.Business] = ""
		for _, id := range p.Designations {
			titles[id] = ""
		}
	}
	businesses, err := db.Business.Query().Where(business.IDIn(slices.Collect(maps.Keys(units))...)).All(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, b := range businesses {
		units[b.ID] = b.Name
	}
	designations, err := db.Designation.Query().Where(designation.IDIn(slices.Collect(maps.Keys(titles))...)).All(ctx)
	for _, d := range designations {
		titles[d.ID] = d.Name
	}
	return units, titles, err
}
