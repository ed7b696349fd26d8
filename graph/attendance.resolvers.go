package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/attendance"
	"workforce/ent/employeeshift"
	"workforce/ent/shift"
	"workforce/ent/shiftassignment"
	"workforce/graph/model"
	"workforce/internal/scalar"
	"workforce/internal/viewer"
)

func (r *mutationResolver) ClockIn(ctx context.Context, input model.ClockInInput) (*model.ClockIn, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	e, err := r.readClockIn(ctx, me, input)
	if err != nil {
		return nil, err
	}
	done := &model.ClockIn{ClockedIn: true}
	if err := e.begin(ctx, arrival); err != nil {
		return nil, err
	}
	repeat, err := e.repeatsClockIn(ctx)
	if err != nil || repeat {
		return done, err
	}
	if err := e.closeForgotten(ctx); err != nil {
		return nil, err
	}
	if err := e.judge(e.site.GeofenceIn == address.GeofenceInBlock, e.site.GeofenceIn != address.GeofenceInOff); err != nil {
		return nil, err
	}
	a, err := e.open(ctx)
	if err != nil {
		return nil, err
	}
	opened(ctx, a.ID)
	return done, nil
}

func (r *mutationResolver) ClockOut(ctx context.Context, input model.ClockOutInput) (*model.ClockOut, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	e, err := r.readClockOut(me, input)
	if err != nil {
		return nil, err
	}
	done := &model.ClockOut{ClockedOut: true}
	if err := e.begin(ctx, departure); err != nil {
		return nil, err
	}
	repeat, err := e.repeatsClockOut(ctx)
	if err != nil || repeat {
		return done, err
	}
	if err := e.judgeOut(); err != nil {
		return nil, err
	}
	return done, e.close(ctx)
}

func (r *queryResolver) AttendanceToday(ctx context.Context) (*model.AttendanceToday, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	day, err := r.today(ctx, me)
	if err != nil {
		return nil, err
	}
	return day.attendance(), nil
}

func (r *queryResolver) ShiftToday(ctx context.Context) ([]*model.ShiftToday, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	day, err := r.today(ctx, me)
	if err != nil {
		return nil, err
	}
	return day.shifts(), nil
}

func (r *queryResolver) AllowedLocations(ctx context.Context) ([]*model.AllowedLocation, error) {
	sites, err := ent.FromContext(ctx).Address.Query().Order(ent.Asc(address.FieldSortName, address.FieldID)).All(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]*model.AllowedLocation, len(sites))
	for i, s := range sites {
		list[i] = &model.AllowedLocation{
			AddressID: s.ID, Name: s.Name, Address: s.Address, Radius: s.Radius,
			Latitude: scalar.Coordinate{Degrees: s.Latitude, Valid: true}, Longitude: scalar.Coordinate{Degrees: s.Longitude, Valid: true},
		}
	}
	return list, nil
}

func (r *queryResolver) Attendance(ctx context.Context, id int) (*ent.Attendance, error) {
	return only(ctx, ent.FromContext(ctx).Attendance.Query().Where(attendance.ID(id)))
}

func (r *queryResolver) Shift(ctx context.Context, id int) (*ent.Shift, error) {
	return only(ctx, ent.FromContext(ctx).Shift.Query().Where(shift.ID(id)))
}

func (r *queryResolver) ShiftAssignment(ctx context.Context, id int) (*ent.ShiftAssignment, error) {
	return only(ctx, ent.FromContext(ctx).ShiftAssignment.Query().Where(shiftassignment.ID(id)))
}

func (r *queryResolver) EmployeeShift(ctx context.Context, id int) (*ent.EmployeeShift, error) {
	return only(ctx, ent.FromContext(ctx).EmployeeShift.Query().Where(employeeshift.ID(id)))
}
