package day

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/ent/company"
	"workforce/ent/employeeshift"
	"workforce/ent/predicate"
	"workforce/internal/app/job"
	"workforce/internal/setting"
)

// batch is of how many occurrences a job finds results in one transaction, which holds
// SQLite's writer.
const batch = 200

// evaluating is the periodic job that finds the results of shifts that are over. What it
// has done is marked in the rows themselves: a run after one that ended in the middle, or
// after days without any, goes on where there is no result yet.
func (s *Service) evaluating() job.Kind {
	return job.Kind{Name: "shift_results", Every: 5 * time.Minute, Run: s.evaluateDue}
}

func (s *Service) evaluateDue(ctx context.Context, r *job.Run) error {
	companies, err := ent.FromContext(ctx).Company.Query().Order(ent.Asc(company.FieldID)).All(ctx)
	if err != nil {
		return err
	}
	for _, c := range companies {
		if err := s.evaluateOf(ctx, r, c); err != nil {
			return err
		}
	}
	return nil
}

// evaluateOf finds the results of a company, the oldest first.
func (s *Service) evaluateOf(ctx context.Context, r *job.Run, c *ent.Company) error {
	now := s.Now()
	var last *ent.EmployeeShift
	for {
		list, err := due(ctx, c, now, last)
		if err != nil || len(list) == 0 {
			return err
		}
		last = list[len(list)-1]
		by := map[int][]*ent.EmployeeShift{}
		for _, o := range list {
			by[o.UserID] = append(by[o.UserID], o)
		}
		err = each(ctx, s, r, "shift_results", by, func(ctx context.Context, of []*ent.EmployeeShift) error {
			_, err := s.evaluate(ctx, scope{c.ID, of, false, now})
			return err
		})
		if err != nil {
			return err
		}
	}
}

// due returns the next occurrences of a company after one, by the end of their windows,
// that may have a result now: the window is over and nothing is open, and what has no
// attendance waited for offline events.
func due(ctx context.Context, c *ent.Company, now time.Time, after *ent.EmployeeShift) ([]*ent.EmployeeShift, error) {
	over := now.Add(-time.Minute) // the last minute is a whole one
	waited := over.Add(-time.Duration(setting.OfflineHours.Of(c.Settings)) * time.Hour)
	q := ent.FromContext(ctx).EmployeeShift.Query().
		Where(employeeshift.CompanyID(c.ID), employeeshift.EvaluatedAtIsNil(), employeeshift.ClockInUntilLTE(over),
			employeeshift.Or(employeeshift.ClockInUntilLTE(waited), attended("")), employeeshift.Not(attended(" AND x.open_marker = 1")))
	if after != nil {
		q.Where(employeeshift.ClockInUntilGTE(after.ClockInUntil),
			employeeshift.Or(employeeshift.ClockInUntilGT(after.ClockInUntil), employeeshift.IDGT(after.ID)))
	}
	return q.Order(ent.Asc(employeeshift.FieldClockInUntil, employeeshift.FieldID)).Limit(batch).
		Select(employeeshift.FieldUserID, employeeshift.FieldDate, employeeshift.FieldClockInUntil).All(ctx)
}

// attended matches the occurrences with an attendance of some kind.
func attended(which string) predicate.EmployeeShift {
	return func(sel *sql.Selector) {
		sel.Where(sql.ExprP(fmt.Sprintf("EXISTS (SELECT 1 FROM %s x WHERE x.%s = %s AND x.%s = %s%s)", attendance.Table,
			attendance.FieldUserID, sel.C(employeeshift.FieldUserID), attendance.FieldEmployeeShiftID, sel.C(employeeshift.FieldID), which)))
	}
}

// each runs a step of a job for the items of people, for all of them in one transaction.
// Where that fails it runs the step for each person alone, so that what is wrong with one
// person does not stop the others: it is logged, and tried again by the next run. It fails
// where the step fails for everybody of several.
func each[T any](ctx context.Context, s *Service, r *job.Run, name string, by map[int][]T, step func(context.Context, []T) error) error {
	var all []T
	users := slices.Sorted(maps.Keys(by))
	for _, id := range users {
		all = append(all, by[id]...)
	}
	err := r.Commit(ctx, func(ctx context.Context) error { return step(ctx, all) })
	if err == nil || ctx.Err() != nil || job.IsLost(err) {
		return err
	}
	failed := 0
	for _, id := range users {
		err = r.Commit(ctx, func(ctx context.Context) error { return step(ctx, by[id]) })
		if ctx.Err() != nil || job.IsLost(err) {
			return err
		}
		if err != nil {
			failed++
			s.Log.WarnContext(ctx, "the days of a person failed", "job", name, "user", id, "error", err)
		}
	}
	if failed == len(users) && failed > 1 {
		return err
	}
	return nil
}
