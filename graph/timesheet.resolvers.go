package graph

import (
	"context"
	"workforce/graph/model"
	"workforce/internal/app/timesheets"
	"workforce/internal/scalar"
)

func (r *queryResolver) TimesheetWidget(ctx context.Context, from *scalar.DateOrTime, to *scalar.DateOrTime, userID *int) (*model.TimesheetWidget, error) {
	return r.Resolver.Sheets.Widget(ctx, userID, bound(from), bound(to))
}

func (r *queryResolver) Timesheet(ctx context.Context, userIds []int, businessID *int, from *scalar.DateOrTime, to *scalar.DateOrTime, by model.TimesheetUnit, rounding *model.TimesheetRounding, page *int, limit *int) (*model.Timesheet, error) {
	return r.Resolver.Sheets.Timesheet(ctx, timesheets.Filter{
		UserIDs: userIds, BusinessID: businessID, From: bound(from), To: bound(to), By: by, Rounding: rounding, Page: timesheets.Page{Number: page, Limit: limit},
	})
}

func (r *queryResolver) AttendanceSummary(ctx context.Context, date *string, businessID *int, addressID *int, group *model.AttendanceGroupName, page *int, limit *int) (*model.AttendanceSummary, error) {
	return r.Resolver.Sheets.Summary(ctx, timesheets.Team{
		Date: date, BusinessID: businessID, AddressID: addressID, Group: group,
		Page: timesheets.Page{Number: page, Limit: limit},
	})
}
