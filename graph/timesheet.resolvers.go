package graph

import (
	"context"
	"fmt"
	"workforce/graph/model"
	"workforce/internal/scalar"
)

func (r *queryResolver) TimesheetWidget(ctx context.Context, from *scalar.DateOrTime, to *scalar.DateOrTime, userID *int) (*model.TimesheetWidget, error) {
	panic(fmt.Errorf("not implemented: TimesheetWidget - timesheetWidget"))
}

func (r *queryResolver) Timesheet(ctx context.Context, userIds []int, businessID *int, from *scalar.DateOrTime, to *scalar.DateOrTime, by model.TimesheetUnit, rounding *model.TimesheetRounding, page *int, limit *int) (*model.Timesheet, error) {
	panic(fmt.Errorf("not implemented: Timesheet - timesheet"))
}

func (r *queryResolver) AttendanceSummary(ctx context.Context, date *string, businessID *int, group *model.AttendanceGroupName, page *int, limit *int) (*model.AttendanceSummary, error) {
	panic(fmt.Errorf("not implemented: AttendanceSummary - attendanceSummary"))
}
