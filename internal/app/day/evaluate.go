package day

import (
	"context"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/ent/shiftresult"
	"workforce/internal/app/plan"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// written is how many results one statement writes.
const written = 500

// A scope says of which occurrences of a company results are found.
type scope struct {
	company int
	of      []*ent.EmployeeShift // their ids, users and dates
	again   bool                 // those that have a result, too
	now     time.Time
}

// Recompute finds the results of occurrences of a company anew in the transaction of ctx,
// whoever its viewer is: what is open or not over has none afterwards. Where that changes
// the overtime of other occurrences of their dates, or weeks where the company has a weekly
// rule, it changes theirs too. It returns how many results were stored.
func (s *Service) Recompute(ctx context.Context, company int, ids ...int) (int, error) {
	ctx = viewer.System(ctx)
	var list []*ent.EmployeeShift
	for part := range slices.Chunk(plan.Sorted(ids...), written) {
		found, err := ent.FromContext(ctx).EmployeeShift.Query().
			Where(employeeshift.CompanyID(company), employeeshift.IDIn(part...)).
			Select(employeeshift.FieldUserID, employeeshift.FieldDate).All(ctx)
		if err != nil {
			return 0, err
		}
		list = append(list, found...)
	}
	return s.evaluate(ctx, scope{company, list, true, s.Now()})
}

// Outdate has a job find the result of an occurrence anew, because what was clocked for it
// changed in the transaction of ctx.
func Outdate(ctx context.Context, id int) error {
	return ent.FromContext(ctx).EmployeeShift.Update().Where(employeeshift.ID(id)).ClearEvaluatedAt().Exec(viewer.System(ctx))
}

// evaluate stores the results of occurrences that are ready in the transaction of ctx,
// whose viewer is the system. It locks the rows of their people.
func (s *Service) evaluate(ctx context.Context, sc scope) (int, error) {
	if len(sc.of) == 0 {
		return 0, nil
	}
	var users []int
	asked := map[int]bool{}
	for _, o := range sc.of {
		users, asked[o.ID] = append(users, o.UserID), true
	}
	users = plan.Sorted(users...)
	if err := plan.Lock(ctx, sc.company, users); err != nil {
		return 0, err
	}
	company, err := ent.FromContext(ctx).Company.Get(ctx, sc.company)
	if err != nil {
		return 0, err
	}
	d, err := load(ctx, company, users, sc.period(timesheet.PolicyOf(company.Settings)), employment...)
	if err != nil {
		return 0, err
	}
	found := map[int]*finding{}
	for _, id := range users {
		d.assess(id, sc.now, found)
	}
	return sc.store(ctx, d, found, asked)
}

// period returns the dates on which the overtime of the occurrences depends.
func (sc scope) period(p timesheet.Policy) timesheet.Period {
	var out timesheet.Period
	for i, o := range sc.of {
		affected := p.Affected(shift.Date(o.Date))
		if i == 0 {
			out = affected
		}
		out.From, out.To = min(out.From, affected.From), max(out.To, affected.To)
	}
	return out
}

// A finding is what an occurrence came to.
type finding struct {
	*ent.EmployeeShift
	timesheet.Assessment
}

// assess finds what the occurrences of a person came to.
func (d *days) assess(id int, now time.Time, into map[int]*finding) {
	list := d.occurrences[id]
	works, offs := make([]timesheet.Work, len(list)), make([]timesheet.Off, len(list))
	for i, o := range list {
		works[i], offs[i] = d.work(o), d.off(o)
	}
	for i, a := range timesheet.Assess(works, offs, d.policy, now) {
		into[list[i].ID] = &finding{list[i], a}
	}
}

// store writes the results that were asked for, and returns how many.
func (sc scope) store(ctx context.Context, d *days, found map[int]*finding, asked map[int]bool) (int, error) {
	var ready, unready []int
	for id := range asked {
		f := found[id]
		switch {
		case f == nil || f.EvaluatedAt != nil && !sc.again: // deleted, or another was faster
		case f.Ready:
			ready = append(ready, id)
		case f.EvaluatedAt != nil:
			unready = append(unready, id)
		}
	}
	slices.Sort(ready)
	for part := range slices.Chunk(ready, written) {
		if err := sc.write(ctx, part, found); err != nil {
			return 0, err
		}
	}
	if !sc.again {
		return len(ready), nil
	}
	if err := forget(ctx, unready); err != nil {
		return 0, err
	}
	return len(ready), sc.writeOvertime(ctx, d, found, asked)
}

// write stores results, in the place of those that there are, and marks the occurrences.
func (sc scope) write(ctx context.Context, ids []int, found map[int]*finding) error {
	db := ent.FromContext(ctx)
	err := db.ShiftResult.MapCreateBulk(ids, func(c *ent.ShiftResultCreate, i int) {
		f := found[ids[i]]
		c.SetCompanyID(sc.company).SetUserID(f.UserID).SetEmployeeShiftID(f.ID).SetDate(f.Date).SetEvaluatedAt(sc.now).
			SetStatus(shiftresult.Status(f.Status)).SetOff(f.Off).SetLateSeconds(seconds(f.Late)).SetEarlySeconds(seconds(f.Early)).
			SetWorkedSeconds(seconds(f.Worked)).SetExpectedSeconds(seconds(f.Expected)).SetOvertimeSeconds(seconds(f.Overtime))
	}).OnConflict(sql.ConflictColumns(shiftresult.FieldEmployeeShiftID), sql.ResolveWith(replace)).Exec(ctx)
	if err != nil {
		return err
	}
	mark := db.EmployeeShift.Update().Where(employeeshift.IDIn(ids...)).SetEvaluatedAt(sc.now)
	if sc.again {
		return mark.Exec(ctx)
	}
	n, err := mark.Where(employeeshift.EvaluatedAtIsNil()).Save(ctx)
	if err == nil && n != len(ids) { // somebody changed them without the lock
		err = errs.New(errs.Unavailable, nil)
	}
	return err
}

// replace sets the columns of a result that there is.
func replace(u *sql.UpdateSet) {
	for _, column := range []string{
		shiftresult.FieldStatus, shiftresult.FieldOff, shiftresult.FieldLateSeconds, shiftresult.FieldEarlySeconds,
		shiftresult.FieldWorkedSeconds, shiftresult.FieldExpectedSeconds, shiftresult.FieldOvertimeSeconds, shiftresult.FieldEvaluatedAt,
	} {
		u.SetExcluded(column)
	}
}

// forget removes the results of occurrences.
func forget(ctx context.Context, ids []int) error {
	for part := range slices.Chunk(plan.Sorted(ids...), written) {
		if _, err := ent.FromContext(ctx).ShiftResult.Delete().Where(shiftresult.EmployeeShiftIDIn(part...)).Exec(ctx); err != nil {
			return err
		}
		err := ent.FromContext(ctx).EmployeeShift.Update().Where(employeeshift.IDIn(part...)).ClearEvaluatedAt().Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// writeOvertime changes the overtime of the other results on which those that were asked
// for have an effect.
func (sc scope) writeOvertime(ctx context.Context, d *days, found map[int]*finding, asked map[int]bool) error {
	affected := map[int]map[shift.Date]bool{} // of each person
	for _, o := range sc.of {
		if affected[o.UserID] == nil {
			affected[o.UserID] = map[shift.Date]bool{}
		}
		for _, date := range d.policy.Affected(shift.Date(o.Date)).Dates() {
			affected[o.UserID][date] = true
		}
	}
	var others []int
	for id, f := range found {
		if !asked[id] && f.EvaluatedAt != nil && affected[f.UserID][shift.Date(f.Date)] {
			others = append(others, id)
		}
	}
	slices.Sort(others)
	for part := range slices.Chunk(others, written) {
		stored, err := ent.FromContext(ctx).ShiftResult.Query().Where(shiftresult.EmployeeShiftIDIn(part...)).All(ctx)
		if err != nil {
			return err
		}
		for _, r := range stored {
			if overtime := seconds(found[r.EmployeeShiftID].Overtime); overtime != r.OvertimeSeconds {
				if err := r.Update().SetOvertimeSeconds(overtime).Exec(ctx); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// seconds returns whole seconds.
func seconds(d time.Duration) int { return int(d / time.Second) }
