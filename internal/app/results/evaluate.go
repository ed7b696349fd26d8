package results

import (
	"context"
	"slices"
	"time"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/ent/shiftresult"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/worktime"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// written is how many results one statement writes, which is short enough to be prepared.
const written = 250

// A scope says of which occurrences of a company results are found.
type scope struct {
	company int
	of      []target
	again   bool // those that have a result, too
	now     time.Time
}

// A target is an occurrence whose result is asked for.
type target struct {
	id, user int
	date     shift.Date
}

// targets returns occurrences as such.
func targets(list []*ent.EmployeeShift) []target {
	out := make([]target, len(list))
	for i, o := range list {
		out[i] = target{o.ID, o.UserID, shift.Date(o.Date)}
	}
	return out
}

// Recompute finds the results of occurrences of a company anew in the transaction of ctx,
// whoever its viewer is: what is open or not over has none afterwards. Where that changes
// the overtime of other occurrences of their dates, or weeks where the company has a weekly
// rule, it changes theirs too. It returns how many results were stored.
func (s *Service) Recompute(ctx context.Context, company int, ids ...int) (_ int, err error) {
	defer errs.Step(&err, "results: find results again")
	ctx = viewer.System(ctx)
	var list []*ent.EmployeeShift
	for part := range slices.Chunk(scheduling.Sorted(ids...), written) {
		found, err := ent.FromContext(ctx).EmployeeShift.Query().
			Where(employeeshift.CompanyID(company), employeeshift.IDIn(part...)).
			Select(employeeshift.FieldUserID, employeeshift.FieldDate).All(ctx)
		if err != nil {
			return 0, err
		}
		list = append(list, found...)
	}
	return s.evaluate(ctx, scope{company, targets(list), true, s.Now()}, nil)
}

// Outdate has a job find the result of an occurrence anew, because what was clocked for it
// changed in the transaction of ctx.
func Outdate(ctx context.Context, id int) error {
	return ent.FromContext(ctx).EmployeeShift.Update().Where(employeeshift.ID(id)).ClearEvaluatedAt().Exec(viewer.System(ctx))
}

// evaluate stores the results of occurrences that are ready in the transaction of ctx,
// whose viewer is the system. It locks the rows of their people. What was read before holds
// if nobody else locked them since; nil is nothing.
func (s *Service) evaluate(ctx context.Context, sc scope, read *days) (int, error) {
	if len(sc.of) == 0 {
		return 0, nil
	}
	if err := sc.lock(ctx); err != nil {
		return 0, err
	}
	if read != nil {
		if same, err := read.unchanged(ctx, sc.users()); err != nil {
			return 0, err
		} else if !same {
			read = nil
		}
	}
	if read == nil {
		var err error
		if read, err = sc.load(ctx); err != nil {
			return 0, err
		}
	}
	n, err := sc.store(ctx, read)
	if n > 0 { // overtime may have come or gone
		s.Live.InboxChanged(ctx, sc.company)
	}
	return n, err
}

// lock locks the rows of the people.
func (sc scope) lock(ctx context.Context) error { return scheduling.Lock(ctx, sc.company, sc.users()) }

// users returns the people of the occurrences.
func (sc scope) users() []int {
	users := make([]int, len(sc.of))
	for i, o := range sc.of {
		users[i] = o.user
	}
	return scheduling.Sorted(users...)
}

// load reads the days on which the results depend, and finds what they came to.
func (sc scope) load(ctx context.Context) (*days, error) {
	company, err := ent.FromContext(ctx).Company.Get(ctx, sc.company)
	if err != nil {
		return nil, err
	}
	users, events, err := readPeople(ctx, sc.company, sc.users())
	if err != nil {
		return nil, err
	}
	d, err := load(ctx, company, users, sc.period(timesheet.PolicyOf(company.Settings)))
	if err != nil {
		return nil, err
	}
	d.events = events
	d.assess(sc.now)
	return d, nil
}

// period returns the dates on which the overtime of the occurrences depends.
func (sc scope) period(p timesheet.Policy) timesheet.Period {
	var out timesheet.Period
	for i, o := range sc.of {
		affected := p.Affected(o.date)
		if i == 0 {
			out = affected
		}
		out.From, out.To = min(out.From, affected.From), max(out.To, affected.To)
	}
	return out
}

// A finding is what a work came to.
type finding struct {
	user int
	*worktime.Work
	timesheet.Assessment
}

// assess finds what the works of people came to.
func (d *days) assess(now time.Time) {
	d.found = map[int]*finding{}
	for _, p := range d.people {
		list, offs := make([]timesheet.Work, len(p.Works)), make([]timesheet.Off, len(p.Works))
		for i := range p.Works {
			list[i], offs[i] = p.Works[i].Record.Work, p.OffFor(&p.Works[i])
			offs[i].WeeklyOff = false // a shift is planned
		}
		for i, a := range timesheet.Assess(list, offs, d.policy, now) {
			d.found[p.Works[i].ID] = &finding{p.ID, &p.Works[i], a}
		}
	}
}

// ready reports whether an occurrence may have a result now.
func (d *days) ready(id int) bool { return d.found[id] != nil && d.found[id].Ready }

// store writes the results that were asked for, and returns how many.
func (sc scope) store(ctx context.Context, d *days) (int, error) {
	found, asked := d.found, map[int]bool{}
	var ready, unready []int
	for _, o := range sc.of {
		f := found[o.id]
		asked[o.id] = true
		switch {
		case f == nil || f.Stored != nil && !sc.again: // deleted, or another was faster
		case f.Ready:
			ready = append(ready, o.id)
		case f.Stored != nil:
			unready = append(unready, o.id)
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
	return len(ready), sc.writeOvertime(ctx, d.policy, found, asked)
}

// write stores results, in the place of those that there are, and marks the occurrences.
func (sc scope) write(ctx context.Context, ids []int, found map[int]*finding) error {
	if err := sc.save(ctx, ids, found); err != nil {
		return err
	}
	n, err := sc.mark(ctx, ids)
	if err == nil && !sc.again && n != len(ids) { // somebody changed them without the lock
		err = errs.New(errs.Unavailable, nil)
	}
	return err
}

// forget removes the results of occurrences.
func forget(ctx context.Context, ids []int) error {
	for part := range slices.Chunk(scheduling.Sorted(ids...), written) {
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
func (sc scope) writeOvertime(ctx context.Context, p timesheet.Policy, found map[int]*finding, asked map[int]bool) error {
	affected := map[int]map[shift.Date]bool{} // of each person
	for _, o := range sc.of {
		if affected[o.user] == nil {
			affected[o.user] = map[shift.Date]bool{}
		}
		for _, date := range p.Affected(o.date).Dates() {
			affected[o.user][date] = true
		}
	}
	var others []int
	for id, f := range found {
		if !asked[id] && f.Stored != nil && affected[f.user][f.Date] {
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
