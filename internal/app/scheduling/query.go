package scheduling

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/employeeshift"
	"workforce/ent/predicate"
	entShift "workforce/ent/shift"
	"workforce/ent/shiftresult"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// Assignable fails on a field for shifts that the viewer does not see, and for archived
// ones.
func Assignable(ctx context.Context, field string, ids ...int) (err error) {
	defer errs.Step(&err, "scheduling: find who can be assigned")
	ids = Sorted(ids...)
	found, err := ent.FromContext(ctx).Shift.Query().Where(entShift.IDIn(ids...)).All(ctx)
	if err != nil {
		return err
	}
	if len(found) < len(ids) {
		return errs.Field(errs.NotFound, field, nil)
	}
	for _, s := range found {
		if !s.Active {
			return errs.Conflicts(errs.Archived, field, errs.Meta{"shift": s.Name})
		}
	}
	return nil
}

// ShiftsByID reads shifts.
func ShiftsByID(ctx context.Context, ids []int) (_ map[int]*ent.Shift, err error) {
	defer errs.Step(&err, "scheduling: read shifts")
	rows, err := ent.FromContext(ctx).Shift.Query().Where(entShift.IDIn(Sorted(ids...)...)).All(ctx)
	found := map[int]*ent.Shift{}
	for _, s := range rows {
		found[s.ID] = s
	}
	return found, err
}

// RemoveOccurrences deletes occurrences with their results.
func RemoveOccurrences(ctx context.Context, where ...predicate.EmployeeShift) (err error) {
	defer errs.Step(&err, "scheduling: remove occurrences")
	ctx, db := viewer.System(ctx), ent.FromContext(ctx)
	if _, err := db.ShiftResult.Delete().Where(shiftresult.HasEmployeeShiftWith(where...)).Exec(ctx); err != nil {
		return err
	}
	_, err = db.EmployeeShift.Delete().Where(where...).Exec(ctx)
	return err
}

// WithoutAttendance matches the occurrences of a user that nobody clocked in for.
func WithoutAttendance(userID int) func(*sql.Selector) {
	return func(sel *sql.Selector) {
		t := sql.Table(entAttendance.Table)
		sel.Where(sql.NotIn(sel.C(employeeshift.FieldID), sql.Select(t.C(entAttendance.FieldEmployeeShiftID)).From(t).Where(sql.EQ(t.C(entAttendance.FieldUserID), userID))))
	}
}
