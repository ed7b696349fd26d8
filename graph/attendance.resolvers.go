package graph

import (
	"context"
	"fmt"
	"workforce/ent"
	"workforce/graph/model"
)

func (r *mutationResolver) ClockIn(ctx context.Context, input model.ClockInInput) (*model.ClockIn, error) {
	panic(fmt.Errorf("not implemented: ClockIn - clockIn"))
}

func (r *mutationResolver) ClockOut(ctx context.Context, input model.ClockOutInput) (*model.ClockOut, error) {
	panic(fmt.Errorf("not implemented: ClockOut - clockOut"))
}

func (r *queryResolver) AttendanceToday(ctx context.Context) (*model.AttendanceToday, error) {
	panic(fmt.Errorf("not implemented: AttendanceToday - attendanceToday"))
}

func (r *queryResolver) ShiftToday(ctx context.Context) ([]*model.ShiftToday, error) {
	panic(fmt.Errorf("not implemented: ShiftToday - shiftToday"))
}

func (r *queryResolver) AllowedLocations(ctx context.Context) ([]*model.AllowedLocation, error) {
	panic(fmt.Errorf("not implemented: AllowedLocations - allowedLocations"))
}

func (r *queryResolver) Attendance(ctx context.Context, id int) (*ent.Attendance, error) {
	panic(fmt.Errorf("not implemented: Attendance - attendance"))
}

func (r *queryResolver) Shift(ctx context.Context, id int) (*ent.Shift, error) {
	panic(fmt.Errorf("not implemented: Shift - shift"))
}

func (r *queryResolver) ShiftAssignment(ctx context.Context, id int) (*ent.ShiftAssignment, error) {
	panic(fmt.Errorf("not implemented: ShiftAssignment - shiftAssignment"))
}

func (r *queryResolver) EmployeeShift(ctx context.Context, id int) (*ent.EmployeeShift, error) {
	panic(fmt.Errorf("not implemented: EmployeeShift - employeeShift"))
}
