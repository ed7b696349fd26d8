package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/ent/employeeshift"
	"workforce/ent/shift"
	"workforce/ent/shiftassignment"
	"workforce/graph/connection"
	"workforce/graph/model"
)

func (r *mutationResolver) ClockIn(ctx context.Context, input model.ClockInInput) (*model.ClockIn, error) {
	if _, err := r.Attendance.ClockIn(ctx, input); err != nil {
		return nil, err
	}
	return &model.ClockIn{ClockedIn: true}, nil
}

func (r *mutationResolver) ClockOut(ctx context.Context, input model.ClockOutInput) (*model.ClockOut, error) {
	if err := r.Attendance.ClockOut(ctx, input); err != nil {
		return nil, err
	}
	return &model.ClockOut{ClockedOut: true}, nil
}

func (r *queryResolver) AttendanceToday(ctx context.Context) (*model.AttendanceToday, error) {
	return r.Resolver.Attendance.Today(ctx)
}

func (r *queryResolver) ShiftToday(ctx context.Context) ([]*model.ShiftToday, error) {
	return r.Resolver.Attendance.ShiftsToday(ctx)
}

func (r *queryResolver) AllowedLocations(ctx context.Context) ([]*model.AllowedLocation, error) {
	return r.Resolver.Attendance.AllowedLocations(ctx)
}

func (r *queryResolver) Attendance(ctx context.Context, id int) (*ent.Attendance, error) {
	return connection.One(ctx, ent.FromContext(ctx).Attendance.Query().Where(attendance.ID(id)))
}

func (r *queryResolver) Shift(ctx context.Context, id int) (*ent.Shift, error) {
	return connection.One(ctx, ent.FromContext(ctx).Shift.Query().Where(shift.ID(id)))
}

func (r *queryResolver) ShiftAssignment(ctx context.Context, id int) (*ent.ShiftAssignment, error) {
	return connection.One(ctx, ent.FromContext(ctx).ShiftAssignment.Query().Where(shiftassignment.ID(id)))
}

func (r *queryResolver) EmployeeShift(ctx context.Context, id int) (*ent.EmployeeShift, error) {
	return connection.One(ctx, ent.FromContext(ctx).EmployeeShift.Query().Where(employeeshift.ID(id)))
}
