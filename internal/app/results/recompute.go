package results

import (
	"context"
	"slices"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/ent/role"
	"workforce/ent/shiftresult"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/approval"
	"workforce/internal/app/audit"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/worktime"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// The bounds of what one request may ask for.
const (
	maxPeople = 100
	maxDays   = 31
)

// RecomputeResults finds the results of past shifts of people anew, as the viewer asks, and
// answers for each in the order given.
func (s *Service) RecomputeResults(
	ctx context.Context, in model.RecomputeShiftResultsInput,
) (_ []*model.RecomputedShifts, err error) {
	defer errs.Step(&err, "results: find results again")
	var faults errs.Faults
	checkPeriod(&faults, in.UserIds, in.From, in.To, maxDays)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	refused, err := approvable(ctx, in.UserIds, s.unlocked(ctx, in.From, in.To))
	if err != nil {
		return nil, err
	}
	out, counted := make([]*model.RecomputedShifts, len(in.UserIds)), map[int]int{}
	var allowed []int
	for _, id := range scheduling.Sorted(in.UserIds...) {
		if refused[id] == "" {
			allowed = append(allowed, id)
		}
	}
	if len(allowed) > 0 {
		if counted, err = s.recompute(ctx, allowed, in.From, in.To); err != nil {
			return nil, err
		}
	}
	for i, id := range in.UserIds {
		out[i] = &model.RecomputedShifts{UserID: id, Count: counted[id]}
		if code := refused[id]; code != "" {
			out[i].Code = new(code.String())
		}
	}
	return out, nil
}

// recompute finds the results of people anew, and returns how many each has.
func (s *Service) recompute(ctx context.Context, users []int, from, to string) (map[int]int, error) {
	me, counted := viewer.From(ctx), map[int]int{}
	list, err := ent.FromContext(ctx).EmployeeShift.Query().
		Where(employeeshift.CompanyID(me.CompanyID), employeeshift.UserIDIn(users...), employeeshift.DateGTE(from), employeeshift.DateLTE(to)).
		Select(employeeshift.FieldUserID, employeeshift.FieldDate).All(viewer.System(ctx))
	if err != nil {
		return nil, err
	}
	now := s.Now()
	if _, err := s.evaluate(viewer.System(ctx), scope{me.CompanyID, targets(list), true, now}, nil); err != nil {
		return nil, err
	}
	var stored []struct {
		UserID int `json:"user_id"`
		Count  int `json:"count"`
	}
	err = ent.FromContext(ctx).ShiftResult.Query().
		Where(shiftresult.UserIDIn(users...), shiftresult.DateGTE(from), shiftresult.DateLTE(to), shiftresult.EvaluatedAt(now)).
		GroupBy(shiftresult.FieldUserID).Aggregate(ent.Count()).Scan(viewer.System(ctx), &stored)
	if err != nil {
		return nil, err
	}
	for _, r := range stored {
		counted[r.UserID] = r.Count
	}
	events := make([]audit.Event, len(users))
	for i, id := range users {
		events[i] = audit.Event{
			Action: audit.ResultsRecomputed, Company: me.CompanyID, Subject: ent.TypeUser, ID: id, Actor: me.UserID,
			Facts: map[string]any{"from": from, "to": to, "count": counted[id]},
		}
	}
	return counted, s.Audit.Record(ctx, events...)
}

// checkPeriod adds the faults of people and dates.
func checkPeriod(faults *errs.Faults, users []int, from, to string, days int) {
	if n := len(users); n == 0 || n > maxPeople {
		faults.Add("userIds", errs.OutOfRange, errs.Meta{"min": 1, "max": maxPeople})
	}
	if from > to {
		faults.Add("from", errs.OutOfRange, errs.Meta{"min": "0001-01-01", "max": to})
	} else if shift.Date(to).Days(shift.Date(from)) >= days {
		faults.Add("to", errs.OutOfRange, errs.Meta{"min": from, "max": string(shift.Date(from).AddDays(days - 1))})
	}
}

// unlocked returns a function that returns CONFLICT where a date of a period is locked for
// the viewer and a person.
func (s *Service) unlocked(ctx context.Context, from, to string) func(*ent.User) error {
	me := viewer.From(ctx)
	today := shift.DateOf(s.Now(), shift.ZoneNamed(me.Timezone))
	dates := timesheet.Period{From: shift.Date(from), To: shift.Date(to)}.Dates()
	return func(u *ent.User) error { return approval.CheckLockOf(me, "attendance", u, today, "", dates...) }
}

// approvable returns why the viewer does not change the attendance of people; "" where they
// do: within the scope of attendance.approve, not about themselves, about owners as one of
// them alone, and where nothing is locked.
func approvable(ctx context.Context, ids []int, unlocked func(*ent.User) error) (map[int]errs.Code, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	users, err := ent.FromContext(ctx).User.Query().Where(user.IDIn(ids...)).All(ctx)
	if err != nil {
		return nil, err
	}
	owners, err := ent.FromContext(ctx).User.Query().Where(user.IDIn(ids...), user.HasRolesWith(role.Builtin(viewer.Owner))).IDs(viewer.System(ctx))
	if err != nil {
		return nil, err
	}
	refused := map[int]errs.Code{}
	for _, id := range ids {
		refused[id] = errs.NotFound
	}
	scope := me.Scope("attendance", "approve")
	for _, u := range users {
		delete(refused, u.ID)
		if u.ID == me.UserID || !me.Reaches(scope, u.ID, u.BusinessID) || slices.Contains(owners, u.ID) && !me.Owner {
			refused[u.ID] = errs.Forbidden
		} else if err := unlocked(u); err != nil {
			refused[u.ID] = errs.CodeOf(err)
		}
	}
	return refused, nil
}

// maxLateness is how many days of lateness one request asks for.
const maxLateness = 366

// Lateness counts how often people came late and left early in a period. NOT_FOUND on userIds
// unless the viewer reads the attendance of each.
func (s *Service) Lateness(ctx context.Context, users []int, from, to string) (_ []*model.Lateness, err error) {
	defer errs.Step(&err, "results: read lateness")
	var faults errs.Faults
	checkPeriod(&faults, users, from, to, maxLateness)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	me := viewer.From(ctx)
	_, err = worktime.Named(ctx, me, ent.Facts[ent.TypeAttendance].Access.Reads(me), "userIds", users)
	if err != nil {
		return nil, err
	}
	list, err := ent.FromContext(ctx).ShiftResult.Query().
		Where(shiftresult.UserIDIn(users...), shiftresult.DateGTE(from), shiftresult.DateLTE(to)).
		Select(shiftresult.FieldUserID, shiftresult.FieldDate, shiftresult.FieldLateSeconds, shiftresult.FieldEarlySeconds).
		Order(ent.Asc(shiftresult.FieldUserID, shiftresult.FieldDate)).All(ctx)
	out := []*model.Lateness{}
	late, early := "", "" // the last dates that were counted
	for _, r := range list {
		if n := len(out); n == 0 || out[n-1].UserID != r.UserID {
			out, late, early = append(out, &model.Lateness{UserID: r.UserID}), "", ""
		}
		of := out[len(out)-1]
		if r.LateSeconds > 0 && r.Date != late {
			of.LateDays, late = of.LateDays+1, r.Date
		}
		if r.EarlySeconds > 0 && r.Date != early {
			of.EarlyDays, early = of.EarlyDays+1, r.Date
		}
		of.LateSeconds += r.LateSeconds
		of.EarlySeconds += r.EarlySeconds
	}
	return out, err
}
