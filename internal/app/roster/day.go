package roster

import (
	"context"
	"slices"

	"workforce/ent"
	entCorrection "workforce/ent/correction"
	"workforce/ent/employeeshift"
	"workforce/ent/plannedday"
	"workforce/graph/model"
	"workforce/internal/app/approval"
	"workforce/internal/app/input"
	"workforce/internal/app/scheduling"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// The bounds of a planned day.
const (
	maxDayShifts = 5
	planBack     = 31 // days
	planAhead    = 366
)

// PlanDay plans one date of a person, and returns the row's id; 0 where the usual plan is
// back. VERSION_CONFLICT where something else than what is expected is planned there.
func (s *Service) PlanDay(ctx context.Context, in model.PlanDayInput) (int, error) {
	shifts, err := s.checkDay(ctx, in)
	if err != nil {
		return 0, err
	}
	company, date := viewer.From(ctx).CompanyID, shift.Date(in.Date)
	if err := scheduling.Lock(viewer.System(ctx), company, []int{in.UserID}); err != nil {
		return 0, err
	}
	if err := checkExpected(ctx, in, shifts); err != nil {
		return 0, err
	}
	if in.ShiftIds.Value() == nil {
		if _, err := ent.FromContext(ctx).PlannedDay.Delete().Where(plannedday.UserID(in.UserID), plannedday.Date(in.Date)).Exec(viewer.System(ctx)); err != nil {
			return 0, err
		}
	} else if err := writeDay(ctx, in.UserID, date, shifts); err != nil {
		return 0, err
	}
	if err := s.planned(ctx, "shiftIds", map[int][]shift.Date{in.UserID: {date}}); err != nil {
		return 0, err
	}
	if in.ShiftIds.Value() == nil {
		return 0, nil
	}
	return ent.FromContext(ctx).PlannedDay.Query().Where(plannedday.UserID(in.UserID), plannedday.Date(in.Date)).OnlyID(ctx)
}

// checkExpected returns VERSION_CONFLICT for a day that is to have some shifts, nil for the usual plan,
// where not those are planned that the viewer says they changed. The row of the person is locked.
func checkExpected(ctx context.Context, in model.PlanDayInput, shifts []int) error {
	expected, given := in.ExpectedShiftIds.ValueOK()
	if !given {
		return nil
	}
	var planned []int
	d, err := ent.FromContext(ctx).PlannedDay.Query().
		Where(plannedday.UserID(in.UserID), plannedday.Date(in.Date)).Only(viewer.System(ctx))
	if err == nil {
		planned = append([]int{}, d.ShiftIds...)
	} else if !ent.IsNotFound(err) {
		return err
	}
	same := slices.Equal(scheduling.Sorted(expected...), scheduling.Sorted(planned...))
	if same && (expected == nil) == (planned == nil) {
		return nil
	}
	var difference input.Difference
	difference.AddIDs("shiftIds", shifts, planned)
	return difference.Conflict(nil)
}

// checkDay returns the shifts of a day to plan, or its faults.
func (s *Service) checkDay(ctx context.Context, in model.PlanDayInput) ([]int, error) {
	today, err := s.Plans.CompanyToday(ctx)
	if err != nil {
		return nil, err
	}
	var faults errs.Faults
	if first, last := string(today.AddDays(-planBack)), string(today.AddDays(planAhead)); in.Date < first || in.Date > last {
		faults.Add("date", errs.OutOfRange, errs.Meta{"min": first, "max": last})
	}
	list := in.ShiftIds.Value()
	if !in.ShiftIds.IsSet() {
		faults.Add("shiftIds", errs.Required, nil)
	} else if len(list) > maxDayShifts {
		faults.Add("shiftIds", errs.TooMany, errs.Meta{"max": maxDayShifts})
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if err := scheduling.WritableOne(ctx, "userId", in.UserID); err != nil {
		return nil, err
	}
	if err := s.unlocked(ctx, "date", in.UserID, shift.Date(in.Date)); err != nil {
		return nil, err
	}
	return scheduling.Sorted(list...), scheduling.Assignable(ctx, "shiftIds", list...)
}

// unlocked fails with CONFLICT on a field where a date is in a period that the viewer may
// not change for somebody any more.
func (s *Service) unlocked(ctx context.Context, field string, userID int, dates ...shift.Date) error {
	today, err := s.Plans.CompanyToday(ctx)
	if err != nil || slices.Min(dates) >= today { // nothing to come is locked
		return err
	}
	u, err := ent.FromContext(ctx).User.Get(viewer.System(ctx), userID)
	if err != nil {
		return err
	}
	return approval.CheckLock(ctx, "attendance", u, today, field, dates...)
}

// writeDay writes which shifts a person works on a date. That the viewer may do so was
// checked, and the row of the person is locked.
func writeDay(ctx context.Context, userID int, date shift.Date, shifts []int) error {
	if shifts == nil {
		shifts = []int{}
	}
	company := viewer.From(ctx).CompanyID
	ctx = viewer.System(ctx)
	db := ent.FromContext(ctx).PlannedDay
	d, err := db.Query().Where(plannedday.UserID(userID), plannedday.Date(string(date))).Only(ctx)
	if ent.IsNotFound(err) {
		return db.Create().SetCompanyID(company).SetUserID(userID).SetDate(string(date)).SetShiftIds(shifts).Exec(ctx)
	}
	if err != nil {
		return err
	}
	return d.Update().SetShiftIds(shifts).Exec(ctx)
}

// planned has occurrences follow what was planned for dates of people, whose rows are
// locked, and tells them. It is CONFLICT on a field where shifts overlap, or where an
// occurrence that goes has an attendance.
func (s *Service) planned(ctx context.Context, field string, days map[int][]shift.Date) error {
	company := viewer.From(ctx).CompanyID
	for _, id := range scheduling.Sorted(sortedKeys(days)...) {
		dates := days[id]
		if err := s.keepAttended(ctx, id, field, dates); err != nil {
			return err
		}
		touched := func(o shift.Planned) bool { return slices.Contains(dates, o.Date) }
		if err := s.Plans.Change(ctx, company, []int{id}, slices.Min(dates), field, touched); err != nil {
			return err
		}
		if err := s.makePast(ctx, company, id, dates); err != nil {
			return err
		}
		if err := s.Plans.Tell(ctx, message.ShiftsChanged, scheduling.Notice{Date: string(slices.Min(dates))}, id); err != nil {
			return err
		}
	}
	return nil
}

func sortedKeys[K comparable, V any](m map[K]V) (list []K) {
	for k := range m {
		list = append(list, k)
	}
	return list
}

// keepAttended refuses to plan dates without a shift that has an attendance there, or a
// correction that asks for one.
func (s *Service) keepAttended(ctx context.Context, userID int, field string, dates []shift.Date) error {
	sys, db := viewer.System(ctx), ent.FromContext(ctx)
	for _, d := range dates {
		shifts, err := s.shiftsOn(ctx, userID, d)
		if err != nil {
			return err
		}
		going := employeeshift.And(employeeshift.UserID(userID), employeeshift.Date(string(d)),
			employeeshift.Not(employeeshift.ShiftIDIn(shifts...)))
		lost, err := db.EmployeeShift.Query().Where(going, employeeshift.HasAttendancesWith()).Exist(sys)
		if err == nil && !lost {
			lost, err = db.Correction.Query().Where(entCorrection.CompanyID(viewer.From(ctx).CompanyID), entCorrection.UserID(userID), entCorrection.Date(string(d)),
				entCorrection.HasEmployeeShiftWith(going)).Exist(sys)
		}
		if err == nil && lost {
			err = errs.Conflicts(errs.Worked, field, errs.Meta{"date": string(d)})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// shiftsOn returns the shifts that the plan of a person has for a date.
func (s *Service) shiftsOn(ctx context.Context, userID int, d shift.Date) ([]int, error) {
	people, _, err := scheduling.Load(viewer.System(ctx), viewer.From(ctx).CompanyID, []int{userID}, d)
	if err != nil {
		return nil, err
	}
	var shifts []int
	for _, e := range people[userID].Plan.On(d) {
		shifts = append(shifts, e.Shift)
	}
	return shifts, nil
}

// makePast makes the occurrences of dates that are past, which nothing else makes: what
// somebody forgot to plan can be corrected by it. Those without an attendance that are not
// planned any more go; the others stay as they were made.
func (s *Service) makePast(ctx context.Context, company, userID int, dates []shift.Date) error {
	today, err := s.Plans.CompanyToday(ctx)
	if err != nil {
		return err
	}
	dates = slices.DeleteFunc(slices.Clone(dates), func(d shift.Date) bool { return d >= today })
	if len(dates) == 0 {
		return nil
	}
	ctx = viewer.System(ctx)
	people, table, err := scheduling.Load(ctx, company, []int{userID}, slices.Min(dates))
	if err != nil {
		return err
	}
	p := people[userID]
	for _, d := range dates {
		if err := removeUnplanned(ctx, userID, d, p.Plan.On(d)); err != nil {
			return err
		}
		stored, err := scheduling.ReadStored(ctx, []int{userID}, d.AddDays(-1), d.AddDays(1))
		if err != nil {
			return err
		}
		var made []*ent.EmployeeShift
		for _, o := range scheduling.Missing(p, table, stored[userID], d) {
			made = append(made, table.Occurrence(company, p, o))
		}
		if err := scheduling.Store(ctx, made, nil); err != nil {
			return err
		}
	}
	return nil
}

// removeUnplanned deletes the occurrences of a date that are not planned.
func removeUnplanned(ctx context.Context, userID int, d shift.Date, planned []shift.Entry) error {
	var shifts []int
	for _, o := range planned {
		shifts = append(shifts, o.Shift)
	}
	return scheduling.RemoveOccurrences(ctx, employeeshift.UserID(userID), employeeshift.Date(string(d)),
		employeeshift.Not(employeeshift.ShiftIDIn(shifts...)), scheduling.WithoutAttendance(userID))
}

// DayShifts returns the shifts of a planned day.
func DayShifts(ctx context.Context, d *ent.PlannedDay) ([]*ent.Shift, error) {
	found, err := scheduling.ShiftsByID(ctx, d.ShiftIds)
	var list []*ent.Shift
	for _, id := range d.ShiftIds {
		if found[id] != nil {
			list = append(list, found[id])
		}
	}
	return list, err
}

// SwapShifts swaps the occurrences of two people, and returns the days that it planned.
func (s *Service) SwapShifts(ctx context.Context, in model.SwapShiftsInput) ([]*ent.PlannedDay, error) {
	a, err := s.recent(ctx, "employeeShiftId", in.EmployeeShiftID)
	if err != nil {
		return nil, err
	}
	b, err := s.recent(ctx, "withEmployeeShiftId", in.WithEmployeeShiftID)
	if err != nil {
		return nil, err
	}
	if a.UserID == b.UserID {
		return nil, errs.Because("withEmployeeShiftId", errs.SameAs, errs.Meta{"other": "employeeShiftId"})
	}
	for _, o := range []*ent.EmployeeShift{a, b} {
		if err := scheduling.MayChange(ctx, o.UserID); err != nil {
			return nil, err
		}
	}
	return s.swap(ctx, exchange{a.UserID, shift.Date(a.Date), a.ShiftID}, exchange{b.UserID, shift.Date(b.Date), b.ShiftID}, "employeeShiftId")
}

// recent returns an occurrence that the viewer sees, or NOT_FOUND on a field; CONFLICT for
// one whose day is too long ago to be planned.
func (s *Service) recent(ctx context.Context, field string, id int) (*ent.EmployeeShift, error) {
	today, err := s.Plans.CompanyToday(ctx)
	if err != nil {
		return nil, err
	}
	o, err := ent.FromContext(ctx).EmployeeShift.Query().Where(employeeshift.ID(id)).Only(ctx)
	switch {
	case ent.IsNotFound(err):
		return nil, errs.Field(errs.NotFound, field, nil)
	case err == nil && shift.Date(o.Date) < today.AddDays(-planBack):
		return nil, errs.Conflicts(errs.TooLate, field, errs.Meta{"date": o.Date})
	}
	return o, err
}

// An exchange is a shift that somebody gives away; a user of 0 is nobody.
type exchange struct {
	user  int
	date  shift.Date
	shift int
}

// swap has two people work each other's shifts. It is CONFLICT on a field where one does
// not have the shift any more, or cannot have the other's, and where a date is locked.
func (s *Service) swap(ctx context.Context, a, b exchange, field string) ([]*ent.PlannedDay, error) {
	company := viewer.From(ctx).CompanyID
	users := slices.DeleteFunc(scheduling.Sorted(a.user, b.user), func(id int) bool { return id == 0 })
	if err := scheduling.Lock(viewer.System(ctx), company, users); err != nil {
		return nil, err
	}
	days := map[int][]shift.Date{}
	for _, move := range []struct{ gives, gets exchange }{{a, b}, {b, a}} {
		if move.gives.user == 0 {
			continue
		}
		if err := s.unlocked(ctx, field, move.gives.user, move.gives.date, move.gets.date); err != nil {
			return nil, err
		}
		if err := s.exchange(ctx, move.gives, move.gets, field); err != nil {
			return nil, err
		}
		dates := []shift.Date{move.gives.date}
		if move.gets.date != move.gives.date {
			dates = append(dates, move.gets.date)
		}
		days[move.gives.user] = dates
	}
	if err := s.planned(ctx, field, days); err != nil {
		return nil, err
	}
	var all []*ent.PlannedDay
	for _, id := range users {
		for _, d := range days[id] {
			row, err := ent.FromContext(ctx).PlannedDay.Query().Where(plannedday.UserID(id), plannedday.Date(string(d))).Only(viewer.System(ctx))
			if err != nil {
				return nil, err
			}
			all = append(all, row)
		}
	}
	return all, nil
}

// exchange plans that somebody works another's shift in the place of theirs. It is CONFLICT
// on a field where they do not have theirs any more, or have the other already.
func (s *Service) exchange(ctx context.Context, gives, gets exchange, field string) error {
	has, err := s.shiftsOn(ctx, gives.user, gives.date)
	if err != nil {
		return err
	}
	i := slices.Index(has, gives.shift)
	if i < 0 {
		return errs.Conflicts(errs.ChangedMeanwhile, field, errs.Meta{"date": string(gives.date)})
	}
	left := slices.Delete(has, i, i+1)
	on := left
	if gets.date != gives.date {
		if on, err = s.shiftsOn(ctx, gives.user, gets.date); err != nil {
			return err
		}
	}
	if slices.Contains(on, gets.shift) { // which nobody works twice
		return errs.Conflicts(errs.Duplicate, field, errs.Meta{"date": string(gets.date)})
	}
	if gets.date != gives.date {
		if err := writeDay(ctx, gives.user, gives.date, left); err != nil {
			return err
		}
	}
	return writeDay(ctx, gives.user, gets.date, scheduling.Sorted(append(on, gets.shift)...))
}
