package roster

import (
	"context"
	"maps"
	"slices"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	entCorrection "workforce/ent/correction"
	"workforce/ent/employeeshift"
	"workforce/ent/shiftassignment"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/approval"
	"workforce/internal/app/audit"
	"workforce/internal/app/input"
	"workforce/internal/app/scheduling"
	"workforce/internal/audittrail"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// AssignShift gives a person a shift and returns the assignment's id.
func (s *Service) AssignShift(ctx context.Context, in model.AssignShiftInput) (int, error) {
	if err := scheduling.WritableOne(ctx, "userId", in.UserID); err != nil {
		return 0, err
	}
	given, err := s.assign(ctx, model.AssignShiftsInput{
		UserIds: []int{in.UserID}, ShiftID: in.ShiftID, StartsOn: in.StartsOn, EndsOn: in.EndsOn, Weekdays: in.Weekdays, EveryWeeks: in.EveryWeeks,
	})
	if err != nil {
		return 0, err
	}
	return given[in.UserID].id, given[in.UserID].err
}

// AssignShifts gives people a shift, and answers for each in the order given.
func (s *Service) AssignShifts(ctx context.Context, in model.AssignShiftsInput) ([]*model.AssignedShift, error) {
	given, err := s.assign(ctx, in)
	if err != nil {
		return nil, err
	}
	return answers(in.UserIds, given), nil
}

// A given is what became of one person of a list: the id of a new row, or an error.
type given struct {
	id  int
	err error
}

// answers says what became of people, in the order of a list.
func answers(users []int, of map[int]given) []*model.AssignedShift {
	list := make([]*model.AssignedShift, len(users))
	for i, id := range users {
		list[i] = &model.AssignedShift{UserID: id}
		if g := of[id]; g.err != nil {
			list[i].Code = new(errs.CodeOf(g.err).String())
		} else {
			list[i].AssignmentID = &g.id
		}
	}
	return list
}

// assign gives people a shift, those who can have it.
func (s *Service) assign(ctx context.Context, in model.AssignShiftsInput) (map[int]given, error) {
	days, err := checkAssignment(in)
	if err == nil {
		err = scheduling.Assignable(ctx, "shiftId", in.ShiftID)
	}
	if err != nil {
		return nil, err
	}
	me := viewer.From(ctx)
	today, err := s.Plans.CompanyToday(ctx)
	if err != nil {
		return nil, err
	}
	return s.give(ctx, in.UserIds, max(today.AddDays(-1), days.StartsOn), func(p *scheduling.Person) {
		p.Plan.Assignments = append(p.Plan.Assignments, shift.Assigned{Shift: in.ShiftID, Assignment: days})
	}, func(o shift.Planned) bool { return o.Origin == shift.ByAssignment && o.Assignment == 0 }, newRows{
		shifts: []int{in.ShiftID}, subject: ent.TypeShiftAssignment, action: "shift_assignment.created",
		facts: func(int) map[string]any { return assignmentFacts(in.ShiftID, in.StartsOn, in.EndsOn.Value()) },
		create: func(ctx context.Context, ids []int) error {
			return ent.FromContext(ctx).ShiftAssignment.MapCreateBulk(ids, func(c *ent.ShiftAssignmentCreate, i int) {
				c.SetCompanyID(me.CompanyID).SetUserID(ids[i]).SetShiftID(in.ShiftID).SetStartsOn(in.StartsOn).
					SetNillableEndsOn(in.EndsOn.Value()).SetWeekdays(days.Weekdays).SetEveryWeeks(days.EveryWeeks)
			}).Exec(ctx)
		},
		read: func(ctx context.Context, ids []int) (map[int]int, error) {
			rows, err := ent.FromContext(ctx).ShiftAssignment.Query().
				Where(shiftassignment.UserIDIn(ids...), shiftassignment.ShiftID(in.ShiftID), shiftassignment.StartsOn(in.StartsOn)).
				Order(ent.Asc(shiftassignment.FieldID)).All(ctx)
			made := map[int]int{}
			for _, a := range rows {
				made[a.UserID] = a.ID
			}
			return made, err
		},
	})
}

// newRows are the rows that give people something, one each.
type newRows struct {
	shifts          []int // that the plan of each gets
	subject, action string
	facts           func(user int) map[string]any
	create          func(ctx context.Context, users []int) error
	read            func(ctx context.Context, users []int) (ids map[int]int, err error)
}

// give adds something to the plans of people, and writes it for those where nothing
// clashes from a date on: in a number of statements that does not grow with them. add adds
// it to a plan; touched tells its occurrences.
func (s *Service) give(ctx context.Context, users []int, from shift.Date, add func(*scheduling.Person), touched func(shift.Planned) bool, rows newRows) (map[int]given, error) {
	allowed, err := scheduling.Writable(ctx, users)
	if err != nil {
		return nil, err
	}
	ids, company := scheduling.Sorted(users...), viewer.From(ctx).CompanyID
	out, err := refuse(ctx, ids, allowed)
	if err != nil {
		return nil, err
	}
	ids = slices.DeleteFunc(ids, func(id int) bool { return out[id].err != nil })
	if len(ids) == 0 {
		return out, nil
	}
	if err := scheduling.Lock(viewer.System(ctx), company, ids); err != nil {
		return nil, err
	}
	c, err := scheduling.NewClashes(ctx, company, ids, from)
	if err == nil {
		err = c.Table.Add(ctx, rows.shifts...)
	}
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		add(c.People[id])
		if err := c.Of(id, "userId", touched); err != nil {
			out[id] = given{err: err}
		}
	}
	ids = slices.DeleteFunc(ids, func(id int) bool { return out[id].err != nil })
	return out, s.write(ctx, company, ids, rows, out)
}

// refuse answers for those of a list whose shifts the viewer may not change: FORBIDDEN for
// whom they see, NOT_FOUND for others.
func refuse(ctx context.Context, ids []int, allowed map[int]*ent.User) (map[int]given, error) {
	out := map[int]given{}
	for _, id := range ids {
		if allowed[id] == nil {
			out[id] = given{err: errs.New(errs.NotFound, nil)}
		}
	}
	if len(out) == 0 {
		return out, nil
	}
	seen, err := ent.FromContext(ctx).User.Query().Where(user.IDIn(slices.Collect(maps.Keys(out))...), user.Active(true)).IDs(ctx)
	for _, id := range seen {
		out[id] = given{err: errs.New(errs.Forbidden, nil)}
	}
	return out, err
}

// write writes what people were given, and tells them.
func (s *Service) write(ctx context.Context, company int, ids []int, rows newRows, out map[int]given) error {
	if len(ids) == 0 {
		return nil
	}
	sys := viewer.System(ctx)
	for part := range slices.Chunk(ids, scheduling.Written) {
		if err := rows.create(audittrail.WithoutTrail(sys), part); err != nil {
			return err
		}
	}
	made, err := rows.read(sys, ids)
	if err != nil {
		return err
	}
	var events []audit.Event
	for _, id := range ids {
		out[id] = given{id: made[id]}
		events = append(events, audit.Event{
			Action: rows.action, Company: company, Subject: rows.subject, ID: made[id], Facts: rows.facts(id),
		})
	}
	for part := range slices.Chunk(events, scheduling.Written) {
		if err := s.Plans.Audit.Record(ctx, part...); err != nil {
			return err
		}
	}
	if err := s.Plans.Outdate(ctx, company, ids...); err != nil {
		return err
	}
	return s.Plans.Tell(ctx, message.ShiftsChanged, scheduling.Notice{}, ids...)
}

// checkAssignment returns the days of an assignment, or its faults.
func checkAssignment(in model.AssignShiftsInput) (shift.Assignment, error) {
	var faults errs.Faults
	checkPeople(&faults, in.UserIds)
	days := shift.Assignment{StartsOn: shift.Date(in.StartsOn), EndsOn: shift.Date(input.Value(in.EndsOn.Value())), Weekdays: in.Weekdays.Value(), EveryWeeks: 1}
	checkPeriod(&faults, in.StartsOn, in.EndsOn.Value())
	switch {
	case days.Weekdays == nil:
		days.Weekdays = []int{1, 2, 3, 4, 5, 6, 7}
	case len(days.Weekdays) == 0:
		faults.Add("weekdays", errs.Required, nil)
	default:
		setting.CheckWeekdays(&faults, "weekdays", days.Weekdays)
	}
	if n := in.EveryWeeks.Value(); n != nil {
		if days.EveryWeeks = *n; *n < 1 || *n > 8 {
			faults.Add("everyWeeks", errs.OutOfRange, errs.Meta{"min": 1, "max": 8})
		}
	}
	return days, faults.Err()
}

// assignmentFacts are what the audit has of a new assignment.
func assignmentFacts(shiftID int, startsOn string, endsOn *string) map[string]any {
	return map[string]any{"shift_id": shiftID, "starts_on": startsOn, "ends_on": endsOn}
}

// checkPeople adds a fault for a list of people that is empty or too long.
func checkPeople(faults *errs.Faults, ids []int) {
	switch {
	case len(ids) == 0:
		faults.Add("userIds", errs.Required, nil)
	case len(ids) > maxPeople:
		faults.Add("userIds", errs.TooMany, errs.Meta{"max": maxPeople})
	}
}

// checkPeriod adds a fault for a last date before the first.
func checkPeriod(faults *errs.Faults, from string, until *string) {
	if until != nil && *until < from {
		faults.Add("endsOn", errs.OutOfRange, errs.Meta{"min": from, "max": "9998-12-31"})
	}
}

// changeableAssignment returns an assignment of somebody whose shifts the viewer changes,
// which nobody else changes until the transaction ends.
func changeableAssignment(ctx context.Context, id int) (*ent.ShiftAssignment, error) {
	of := ent.FromContext(ctx).ShiftAssignment.Query().Where(shiftassignment.ID(id))
	a, err := of.Clone().Only(ctx)
	if err != nil {
		return nil, err
	}
	if err := scheduling.MayChange(ctx, a.UserID); err != nil {
		return nil, err
	}
	if err := scheduling.Lock(viewer.System(ctx), a.CompanyID, []int{a.UserID}); err != nil {
		return nil, err
	}
	return of.Only(ctx) // as the one before left it
}

// UpdateAssignment sets the last date of an assignment.
func (s *Service) UpdateAssignment(ctx context.Context, id int, in model.UpdateShiftAssignmentInput) error {
	a, err := changeableAssignment(ctx, id)
	if err != nil {
		return err
	}
	until, isGiven := in.EndsOn.ValueOK()
	if !isGiven {
		return nil
	}
	var faults errs.Faults
	checkPeriod(&faults, a.StartsOn, until)
	if err := faults.Err(); err != nil {
		return err
	}
	update := a.Update()
	if until == nil {
		update.ClearEndsOn()
	} else {
		if err := unattended(ctx, a, *until); err != nil {
			return err
		}
		update.SetEndsOn(*until)
	}
	if err := update.Exec(ctx); err != nil {
		return err
	}
	return s.changed(ctx, a.CompanyID, a.UserID, "endsOn", func(o shift.Planned) bool { return o.Assignment == a.ID })
}

// unattended fails with CONFLICT where an assignment has attendances after a date; "" is
// before all.
func unattended(ctx context.Context, a *ent.ShiftAssignment, after string) error {
	n, err := ent.FromContext(ctx).Attendance.Query().
		Where(entAttendance.UserID(a.UserID), entAttendance.WorkDateGT(after), entAttendance.HasEmployeeShiftWith(employeeshift.AssignmentID(a.ID))).
		Count(viewer.System(ctx))
	if err == nil && n > 0 {
		err = errs.Conflicts(errs.Worked, "", errs.Meta{"attendances": n})
	}
	return err
}

// uncorrected fails with CONFLICT where corrections name occurrences of an assignment.
func uncorrected(ctx context.Context, a *ent.ShiftAssignment) error {
	n, err := ent.FromContext(ctx).Correction.Query().
		Where(entCorrection.CompanyID(a.CompanyID), entCorrection.UserID(a.UserID), entCorrection.HasEmployeeShiftWith(employeeshift.AssignmentID(a.ID))).
		Count(viewer.System(ctx))
	if err == nil && n > 0 {
		err = errs.Conflicts(errs.Worked, "", errs.Meta{"corrections": n})
	}
	return err
}

// changed has the occurrences of a person follow a change of their plan, and tells them.
func (s *Service) changed(ctx context.Context, company, userID int, field string, touched func(shift.Planned) bool) error {
	today, err := s.Plans.CompanyToday(ctx)
	if err != nil {
		return err
	}
	if err := s.Plans.Change(ctx, company, []int{userID}, today, field, touched); err != nil {
		return err
	}
	return s.Plans.Tell(ctx, message.ShiftsChanged, scheduling.Notice{}, userID)
}

// SplitAssignment parts an assignment at a date, and returns the id of the second part. One
// that was parted there is not parted again.
func (s *Service) SplitAssignment(ctx context.Context, id int, in model.SplitShiftAssignmentInput) (int, error) {
	a, err := changeableAssignment(ctx, id)
	if err != nil {
		return 0, err
	}
	if second, err := secondPart(ctx, a, shift.Date(in.Date)); err != nil || second != 0 {
		return second, err
	}
	last := "9998-12-31"
	if a.EndsOn != nil {
		last = *a.EndsOn
	}
	if in.Date <= a.StartsOn || in.Date > last {
		return 0, errs.Because("date", errs.OutOfRange, errs.Meta{"min": string(shift.Date(a.StartsOn).AddDays(1)), "max": last})
	}
	second, err := ent.FromContext(ctx).ShiftAssignment.Create().SetCompanyID(a.CompanyID).SetUserID(a.UserID).SetShiftID(a.ShiftID).
		SetStartsOn(secondStart(scheduling.Assigned(a).Assignment, shift.Date(in.Date))).SetNillableEndsOn(a.EndsOn).SetWeekdays(a.Weekdays).SetEveryWeeks(a.EveryWeeks).Save(ctx)
	if err != nil {
		return 0, err
	}
	if err := a.Update().SetEndsOn(string(shift.Date(in.Date).AddDays(-1))).Exec(ctx); err != nil {
		return 0, err
	}
	// its occurrences are the second part's now, whatever is attended
	err = ent.FromContext(ctx).EmployeeShift.Update().Where(employeeshift.AssignmentID(a.ID), employeeshift.DateGTE(in.Date)).
		SetAssignmentID(second.ID).Exec(viewer.System(ctx))
	if err != nil {
		return 0, err
	}
	return second.ID, s.Plans.Outdate(ctx, a.CompanyID, a.UserID)
}

// secondPart returns the second part of an assignment that was parted at a date; 0 for
// none.
func secondPart(ctx context.Context, a *ent.ShiftAssignment, d shift.Date) (int, error) {
	if a.EndsOn == nil || *a.EndsOn != string(d.AddDays(-1)) {
		return 0, nil
	}
	days := scheduling.Assigned(a).Assignment
	days.EndsOn = ""
	rows, err := ent.FromContext(ctx).ShiftAssignment.Query().
		Where(shiftassignment.UserID(a.UserID), shiftassignment.ShiftID(a.ShiftID), shiftassignment.EveryWeeks(a.EveryWeeks),
			shiftassignment.StartsOnIn(secondStart(days, d), string(d))).
		Order(ent.Asc(shiftassignment.FieldID)).All(ctx)
	for _, r := range rows {
		if slices.Equal(r.Weekdays, a.Weekdays) {
			return r.ID, nil
		}
	}
	return 0, err
}

// secondStart returns the first date of the second part of an assignment: the date, or for
// a cycle of weeks the first that the assignment covers, so that the cycle goes on.
func secondStart(days shift.Assignment, d shift.Date) string {
	for n := 0; days.EveryWeeks > 1 && n < 7*days.EveryWeeks; n++ {
		if next := d.AddDays(n); days.Covers(next) {
			return string(next)
		}
	}
	return string(d)
}

// DeleteAssignment deletes an assignment without attendances and corrections.
func (s *Service) DeleteAssignment(ctx context.Context, id int) error {
	a, err := changeableAssignment(ctx, id)
	if err != nil {
		return err
	}
	if err := unattended(ctx, a, ""); err != nil {
		return err
	}
	if err := uncorrected(ctx, a); err != nil {
		return err
	}
	if err := unlocked(ctx, s.Plans, a); err != nil {
		return err
	}
	if err := removeOccurrences(ctx, a); err != nil {
		return err
	}
	if err := ent.FromContext(ctx).ShiftAssignment.DeleteOne(a).Exec(ctx); err != nil {
		return err
	}
	return s.changed(ctx, a.CompanyID, a.UserID, "id", func(shift.Planned) bool { return false })
}

// unlocked fails with CONFLICT where an assignment has occurrences in a period that the
// viewer may not change any more: with them, their results would go.
func unlocked(ctx context.Context, plans *scheduling.Planner, a *ent.ShiftAssignment) error {
	today, err := plans.CompanyToday(ctx)
	if err != nil {
		return err
	}
	sys := viewer.System(ctx)
	past, err := ent.FromContext(ctx).EmployeeShift.Query().Where(employeeshift.AssignmentID(a.ID), employeeshift.DateLT(string(today))).
		Order(ent.Asc(employeeshift.FieldDate)).Select(employeeshift.FieldDate).Strings(sys)
	if err != nil {
		return err
	}
	u, err := ent.FromContext(ctx).User.Get(sys, a.UserID)
	if err != nil {
		return err
	}
	var dates []shift.Date
	for _, d := range past {
		dates = append(dates, shift.Date(d))
	}
	return approval.CheckLock(ctx, "attendance", u, today, "", dates...)
}

// removeOccurrences deletes the occurrences of an assignment, none of which has an
// attendance.
func removeOccurrences(ctx context.Context, a *ent.ShiftAssignment) error {
	return scheduling.RemoveOccurrences(ctx, employeeshift.AssignmentID(a.ID), scheduling.WithoutAttendance(a.UserID))
}
