package graph

import (
	"context"
	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/employeeshift"
	entExemption "workforce/ent/exemption"
	entShift "workforce/ent/shift"
	"workforce/ent/shiftassignment"
	"workforce/ent/shiftresult"
	"workforce/graph/connection"
	"workforce/graph/model"
	"workforce/internal/app/attendance"
	"workforce/internal/app/live"
)

func (r *attendanceResolver) ClockedInVerdict(ctx context.Context, obj *ent.Attendance) (*model.ClockVerdict, error) {
	return attendance.ClockInVerdict(obj), nil
}

func (r *attendanceResolver) ClockedOutVerdict(ctx context.Context, obj *ent.Attendance) (*model.ClockVerdict, error) {
	return attendance.ClockOutVerdict(obj), nil
}

func (r *attendanceResolver) ClockedInPosition(ctx context.Context, obj *ent.Attendance) (*model.AttendancePosition, error) {
	sight, err := connection.Shared(ctx, "Attendance.positions", r.Coordinates.Sight)
	if err != nil {
		return nil, err
	}
	return sight.ClockIn(ctx, obj), nil
}

func (r *attendanceResolver) ClockedOutPosition(ctx context.Context, obj *ent.Attendance) (*model.AttendancePosition, error) {
	sight, err := connection.Shared(ctx, "Attendance.positions", r.Coordinates.Sight)
	if err != nil {
		return nil, err
	}
	return sight.ClockOut(ctx, obj), nil
}

func (r *mutationResolver) ClockIn(ctx context.Context, input model.ClockInInput) (*model.ClockIn, error) {
	if _, err := r.Attendances.ClockIn(ctx, input); err != nil {
		return nil, err
	}
	return &model.ClockIn{ClockedIn: true}, nil
}

func (r *mutationResolver) ClockOut(ctx context.Context, input model.ClockOutInput) (*model.ClockOut, error) {
	if err := r.Attendances.ClockOut(ctx, input); err != nil {
		return nil, err
	}
	return &model.ClockOut{ClockedOut: true}, nil
}

func (r *mutationResolver) ReviewAttendance(ctx context.Context, id int, input model.ReviewAttendanceInput) (*ent.Attendance, error) {
	if err := r.Attendances.Review(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Attendance.Query().Where(entAttendance.ID(id)))
}

func (r *mutationResolver) ReviewAttendances(ctx context.Context, input model.ReviewAttendancesInput) ([]*model.Decided, error) {
	return r.Attendances.ReviewMany(ctx, input)
}

func (r *mutationResolver) ConfirmAttendance(ctx context.Context, id int) (*ent.Attendance, error) {
	if err := r.Attendances.Confirm(ctx, id); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Attendance.Query().Where(entAttendance.ID(id)))
}

func (r *mutationResolver) RecomputeShiftResults(ctx context.Context, input model.RecomputeShiftResultsInput) ([]*model.RecomputedShifts, error) {
	return r.Days.RecomputeResults(ctx, input)
}

func (r *mutationResolver) CreateExemption(ctx context.Context, input model.CreateExemptionInput) (*ent.Exemption, error) {
	x, err := r.Attendances.CreateExemption(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Exemption.Query().Where(entExemption.ID(x.ID)))
}

func (r *mutationResolver) UpdateExemption(ctx context.Context, id int, input model.UpdateExemptionInput) (*ent.Exemption, error) {
	if err := r.Attendances.UpdateExemption(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Exemption.Query().Where(entExemption.ID(id)))
}

func (r *mutationResolver) DeleteExemption(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Attendances.DeleteExemption(ctx, id)
}

func (r *queryResolver) AttendanceToday(ctx context.Context) (*model.AttendanceToday, error) {
	return r.Resolver.Work.Today(ctx)
}

func (r *queryResolver) ShiftToday(ctx context.Context) ([]*model.ShiftToday, error) {
	return r.Resolver.Work.ShiftsToday(ctx)
}

func (r *queryResolver) AllowedLocations(ctx context.Context) ([]*model.AllowedLocation, error) {
	return r.Resolver.Attendances.AllowedLocations(ctx)
}

func (r *queryResolver) Attendance(ctx context.Context, id int) (*ent.Attendance, error) {
	return connection.One(ctx, ent.FromContext(ctx).Attendance.Query().Where(entAttendance.ID(id)))
}

func (r *queryResolver) Exemption(ctx context.Context, id int) (*ent.Exemption, error) {
	return connection.One(ctx, ent.FromContext(ctx).Exemption.Query().Where(entExemption.ID(id)))
}

func (r *queryResolver) ShiftResult(ctx context.Context, id int) (*ent.ShiftResult, error) {
	return connection.One(ctx, ent.FromContext(ctx).ShiftResult.Query().Where(shiftresult.ID(id)))
}

func (r *queryResolver) Lateness(ctx context.Context, userIds []int, from string, to string) ([]*model.Lateness, error) {
	return r.Resolver.Days.Lateness(ctx, userIds, from, to)
}

func (r *queryResolver) Shift(ctx context.Context, id int) (*ent.Shift, error) {
	return connection.One(ctx, ent.FromContext(ctx).Shift.Query().Where(entShift.ID(id)))
}

func (r *queryResolver) ShiftAssignment(ctx context.Context, id int) (*ent.ShiftAssignment, error) {
	return connection.One(ctx, ent.FromContext(ctx).ShiftAssignment.Query().Where(shiftassignment.ID(id)))
}

func (r *queryResolver) EmployeeShift(ctx context.Context, id int) (*ent.EmployeeShift, error) {
	return connection.One(ctx, ent.FromContext(ctx).EmployeeShift.Query().Where(employeeshift.ID(id)))
}

func (r *subscriptionResolver) AttendanceChanged(ctx context.Context) (<-chan *ent.Attendance, error) {
	return live.Rows[*ent.Attendance](ctx), nil
}
