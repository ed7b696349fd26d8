package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/entgql"
	"workforce/graph/connection"
	"workforce/graph/generated"
)

func (r *queryResolver) APIKeys(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.APIKeyOrder, where *ent.APIKeyWhereInput) (*ent.APIKeyConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.APIKeyConnection, error) {
			return ent.FromContext(ctx).APIKey.Query().Paginate(ctx, after, first, before, last, ent.WithAPIKeyOrder(orderBy), ent.WithAPIKeyFilter(where.Filter))
		})
}

func (r *queryResolver) Addresses(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.AddressOrder, where *ent.AddressWhereInput) (*ent.AddressConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.AddressConnection, error) {
			return ent.FromContext(ctx).Address.Query().Paginate(ctx, after, first, before, last, ent.WithAddressOrder(orderBy), ent.WithAddressFilter(where.Filter))
		})
}

func (r *queryResolver) AllowedPlaces(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, where *ent.AllowedPlaceWhereInput) (*ent.AllowedPlaceConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.AllowedPlaceConnection, error) {
			return ent.FromContext(ctx).AllowedPlace.Query().Paginate(ctx, after, first, before, last, ent.WithAllowedPlaceFilter(where.Filter))
		})
}

func (r *queryResolver) Attendances(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.AttendanceOrder, where *ent.AttendanceWhereInput) (*ent.AttendanceConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.AttendanceConnection, error) {
			return ent.FromContext(ctx).Attendance.Query().Paginate(ctx, after, first, before, last, ent.WithAttendanceOrder(orderBy), ent.WithAttendanceFilter(where.Filter))
		})
}

func (r *queryResolver) AuditEvents(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.AuditEventOrder, where *ent.AuditEventWhereInput) (*ent.AuditEventConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.AuditEventConnection, error) {
			return ent.FromContext(ctx).AuditEvent.Query().Paginate(ctx, after, first, before, last, ent.WithAuditEventOrder(orderBy), ent.WithAuditEventFilter(where.Filter))
		})
}

func (r *queryResolver) Businesses(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.BusinessOrder, where *ent.BusinessWhereInput) (*ent.BusinessConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.BusinessConnection, error) {
			return ent.FromContext(ctx).Business.Query().Paginate(ctx, after, first, before, last, ent.WithBusinessOrder(orderBy), ent.WithBusinessFilter(where.Filter))
		})
}

func (r *queryResolver) Corrections(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.CorrectionOrder, where *ent.CorrectionWhereInput) (*ent.CorrectionConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.CorrectionConnection, error) {
			return ent.FromContext(ctx).Correction.Query().Paginate(ctx, after, first, before, last, ent.WithCorrectionOrder(orderBy), ent.WithCorrectionFilter(where.Filter))
		})
}

func (r *queryResolver) Designations(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.DesignationOrder, where *ent.DesignationWhereInput) (*ent.DesignationConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.DesignationConnection, error) {
			return ent.FromContext(ctx).Designation.Query().Paginate(ctx, after, first, before, last, ent.WithDesignationOrder(orderBy), ent.WithDesignationFilter(where.Filter))
		})
}

func (r *queryResolver) Devices(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, where *ent.DeviceWhereInput) (*ent.DeviceConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.DeviceConnection, error) {
			return ent.FromContext(ctx).Device.Query().Paginate(ctx, after, first, before, last, ent.WithDeviceFilter(where.Filter))
		})
}

func (r *queryResolver) DeviceApprovals(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, where *ent.DeviceApprovalWhereInput) (*ent.DeviceApprovalConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.DeviceApprovalConnection, error) {
			return ent.FromContext(ctx).DeviceApproval.Query().Paginate(ctx, after, first, before, last, ent.WithDeviceApprovalFilter(where.Filter))
		})
}

func (r *queryResolver) EmployeeShifts(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.EmployeeShiftOrder, where *ent.EmployeeShiftWhereInput) (*ent.EmployeeShiftConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.EmployeeShiftConnection, error) {
			return ent.FromContext(ctx).EmployeeShift.Query().Paginate(ctx, after, first, before, last, ent.WithEmployeeShiftOrder(orderBy), ent.WithEmployeeShiftFilter(where.Filter))
		})
}

func (r *queryResolver) Exemptions(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.ExemptionOrder, where *ent.ExemptionWhereInput) (*ent.ExemptionConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.ExemptionConnection, error) {
			return ent.FromContext(ctx).Exemption.Query().Paginate(ctx, after, first, before, last, ent.WithExemptionOrder(orderBy), ent.WithExemptionFilter(where.Filter))
		})
}

func (r *queryResolver) FaceResets(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.FaceResetOrder, where *ent.FaceResetWhereInput) (*ent.FaceResetConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.FaceResetConnection, error) {
			return ent.FromContext(ctx).FaceReset.Query().Paginate(ctx, after, first, before, last, ent.WithFaceResetOrder(orderBy), ent.WithFaceResetFilter(where.Filter))
		})
}

func (r *queryResolver) FallbackShifts(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, where *ent.FallbackShiftWhereInput) (*ent.FallbackShiftConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.FallbackShiftConnection, error) {
			return ent.FromContext(ctx).FallbackShift.Query().Paginate(ctx, after, first, before, last, ent.WithFallbackShiftFilter(where.Filter))
		})
}

func (r *queryResolver) Holidays(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.HolidayOrder, where *ent.HolidayWhereInput) (*ent.HolidayConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.HolidayConnection, error) {
			return ent.FromContext(ctx).Holiday.Query().Paginate(ctx, after, first, before, last, ent.WithHolidayOrder(orderBy), ent.WithHolidayFilter(where.Filter))
		})
}

func (r *queryResolver) Leaves(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.LeaveOrder, where *ent.LeaveWhereInput) (*ent.LeaveConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.LeaveConnection, error) {
			return ent.FromContext(ctx).Leave.Query().Paginate(ctx, after, first, before, last, ent.WithLeaveOrder(orderBy), ent.WithLeaveFilter(where.Filter))
		})
}

func (r *queryResolver) LeaveTypes(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.LeaveTypeOrder, where *ent.LeaveTypeWhereInput) (*ent.LeaveTypeConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.LeaveTypeConnection, error) {
			return ent.FromContext(ctx).LeaveType.Query().Paginate(ctx, after, first, before, last, ent.WithLeaveTypeOrder(orderBy), ent.WithLeaveTypeFilter(where.Filter))
		})
}

func (r *queryResolver) Messages(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.MessageOrder, where *ent.MessageWhereInput) (*ent.MessageConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.MessageConnection, error) {
			return ent.FromContext(ctx).Message.Query().Paginate(ctx, after, first, before, last, ent.WithMessageOrder(orderBy), ent.WithMessageFilter(where.Filter))
		})
}

func (r *queryResolver) OvertimeApprovals(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.OvertimeApprovalOrder, where *ent.OvertimeApprovalWhereInput) (*ent.OvertimeApprovalConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.OvertimeApprovalConnection, error) {
			return ent.FromContext(ctx).OvertimeApproval.Query().Paginate(ctx, after, first, before, last, ent.WithOvertimeApprovalOrder(orderBy), ent.WithOvertimeApprovalFilter(where.Filter))
		})
}

func (r *queryResolver) PlannedDays(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.PlannedDayOrder, where *ent.PlannedDayWhereInput) (*ent.PlannedDayConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.PlannedDayConnection, error) {
			return ent.FromContext(ctx).PlannedDay.Query().Paginate(ctx, after, first, before, last, ent.WithPlannedDayOrder(orderBy), ent.WithPlannedDayFilter(where.Filter))
		})
}

func (r *queryResolver) Coordinates(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.PositionOrder, where *ent.PositionWhereInput) (*ent.PositionConnection, error) {
	recorded := false // gqlgen may answer after the plan could not
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.PositionConnection, error) {
			conn, err := ent.FromContext(ctx).Position.Query().Paginate(ctx, after, first, before, last, ent.WithPositionOrder(orderBy), ent.WithPositionFilter(where.Filter))
			if err == nil && !recorded {
				recorded = true
				err = r.Resolver.Coordinates.RecordRead(ctx, conn)
			}
			return conn, err
		})
}

func (r *queryResolver) Projects(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.ProjectOrder, where *ent.ProjectWhereInput) (*ent.ProjectConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.ProjectConnection, error) {
			return ent.FromContext(ctx).Project.Query().Paginate(ctx, after, first, before, last, ent.WithProjectOrder(orderBy), ent.WithProjectFilter(where.Filter))
		})
}

func (r *queryResolver) Reports(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.ReportOrder, where *ent.ReportWhereInput) (*ent.ReportConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.ReportConnection, error) {
			return ent.FromContext(ctx).Report.Query().Paginate(ctx, after, first, before, last, ent.WithReportOrder(orderBy), ent.WithReportFilter(where.Filter))
		})
}

func (r *queryResolver) ReportSchedules(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.ReportScheduleOrder, where *ent.ReportScheduleWhereInput) (*ent.ReportScheduleConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.ReportScheduleConnection, error) {
			return ent.FromContext(ctx).ReportSchedule.Query().Paginate(ctx, after, first, before, last, ent.WithReportScheduleOrder(orderBy), ent.WithReportScheduleFilter(where.Filter))
		})
}

func (r *queryResolver) Roles(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.RoleOrder, where *ent.RoleWhereInput) (*ent.RoleConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.RoleConnection, error) {
			return ent.FromContext(ctx).Role.Query().Paginate(ctx, after, first, before, last, ent.WithRoleOrder(orderBy), ent.WithRoleFilter(where.Filter))
		})
}

func (r *queryResolver) Rotations(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.RotationOrder, where *ent.RotationWhereInput) (*ent.RotationConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.RotationConnection, error) {
			return ent.FromContext(ctx).Rotation.Query().Paginate(ctx, after, first, before, last, ent.WithRotationOrder(orderBy), ent.WithRotationFilter(where.Filter))
		})
}

func (r *queryResolver) RotationAssignments(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, where *ent.RotationAssignmentWhereInput) (*ent.RotationAssignmentConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.RotationAssignmentConnection, error) {
			return ent.FromContext(ctx).RotationAssignment.Query().Paginate(ctx, after, first, before, last, ent.WithRotationAssignmentFilter(where.Filter))
		})
}

func (r *queryResolver) Sessions(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.SessionOrder, where *ent.SessionWhereInput) (*ent.SessionConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.SessionConnection, error) {
			return ent.FromContext(ctx).Session.Query().Paginate(ctx, after, first, before, last, ent.WithSessionOrder(orderBy), ent.WithSessionFilter(where.Filter))
		})
}

func (r *queryResolver) Shifts(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.ShiftOrder, where *ent.ShiftWhereInput) (*ent.ShiftConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.ShiftConnection, error) {
			return ent.FromContext(ctx).Shift.Query().Paginate(ctx, after, first, before, last, ent.WithShiftOrder(orderBy), ent.WithShiftFilter(where.Filter))
		})
}

func (r *queryResolver) ShiftAssignments(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, where *ent.ShiftAssignmentWhereInput) (*ent.ShiftAssignmentConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.ShiftAssignmentConnection, error) {
			return ent.FromContext(ctx).ShiftAssignment.Query().Paginate(ctx, after, first, before, last, ent.WithShiftAssignmentFilter(where.Filter))
		})
}

func (r *queryResolver) ShiftResults(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.ShiftResultOrder, where *ent.ShiftResultWhereInput) (*ent.ShiftResultConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.ShiftResultConnection, error) {
			return ent.FromContext(ctx).ShiftResult.Query().Paginate(ctx, after, first, before, last, ent.WithShiftResultOrder(orderBy), ent.WithShiftResultFilter(where.Filter))
		})
}

func (r *queryResolver) ShiftSwaps(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.ShiftSwapOrder, where *ent.ShiftSwapWhereInput) (*ent.ShiftSwapConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.ShiftSwapConnection, error) {
			return ent.FromContext(ctx).ShiftSwap.Query().Paginate(ctx, after, first, before, last, ent.WithShiftSwapOrder(orderBy), ent.WithShiftSwapFilter(where.Filter))
		})
}

func (r *queryResolver) Tasks(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.TaskOrder, where *ent.TaskWhereInput) (*ent.TaskConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.TaskConnection, error) {
			return ent.FromContext(ctx).Task.Query().Paginate(ctx, after, first, before, last, ent.WithTaskOrder(orderBy), ent.WithTaskFilter(where.Filter))
		})
}

func (r *queryResolver) TaskCategories(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.TaskCategoryOrder, where *ent.TaskCategoryWhereInput) (*ent.TaskCategoryConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.TaskCategoryConnection, error) {
			return ent.FromContext(ctx).TaskCategory.Query().Paginate(ctx, after, first, before, last, ent.WithTaskCategoryOrder(orderBy), ent.WithTaskCategoryFilter(where.Filter))
		})
}

func (r *queryResolver) Tickets(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.TicketOrder, where *ent.TicketWhereInput) (*ent.TicketConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.TicketConnection, error) {
			return ent.FromContext(ctx).Ticket.Query().Paginate(ctx, after, first, before, last, ent.WithTicketOrder(orderBy), ent.WithTicketFilter(where.Filter))
		})
}

func (r *queryResolver) TicketCategories(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.TicketCategoryOrder, where *ent.TicketCategoryWhereInput) (*ent.TicketCategoryConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.TicketCategoryConnection, error) {
			return ent.FromContext(ctx).TicketCategory.Query().Paginate(ctx, after, first, before, last, ent.WithTicketCategoryOrder(orderBy), ent.WithTicketCategoryFilter(where.Filter))
		})
}

func (r *queryResolver) TimeEntries(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.TimeEntryOrder, where *ent.TimeEntryWhereInput) (*ent.TimeEntryConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.TimeEntryConnection, error) {
			return ent.FromContext(ctx).TimeEntry.Query().Paginate(ctx, after, first, before, last, ent.WithTimeEntryOrder(orderBy), ent.WithTimeEntryFilter(where.Filter))
		})
}

func (r *queryResolver) TimeWeeks(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.TimeWeekOrder, where *ent.TimeWeekWhereInput) (*ent.TimeWeekConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.TimeWeekConnection, error) {
			return ent.FromContext(ctx).TimeWeek.Query().Paginate(ctx, after, first, before, last, ent.WithTimeWeekOrder(orderBy), ent.WithTimeWeekFilter(where.Filter))
		})
}

func (r *queryResolver) Users(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.UserOrder, where *ent.UserWhereInput) (*ent.UserConnection, error) {
	return connection.Of(ctx, connection.Bounds{After: after, First: first, Before: before, Last: last},
		func(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (*ent.UserConnection, error) {
			return r.People.Users(ctx).Paginate(ctx, after, first, before, last, ent.WithUserOrder(orderBy), ent.WithUserFilter(where.Filter))
		})
}

func (r *Resolver) Address() generated.AddressResolver { return &addressResolver{r} }

func (r *Resolver) Attendance() generated.AttendanceResolver { return &attendanceResolver{r} }

func (r *Resolver) Business() generated.BusinessResolver { return &businessResolver{r} }

func (r *Resolver) Company() generated.CompanyResolver { return &companyResolver{r} }

func (r *Resolver) Correction() generated.CorrectionResolver { return &correctionResolver{r} }

func (r *Resolver) Designation() generated.DesignationResolver { return &designationResolver{r} }

func (r *Resolver) FallbackShift() generated.FallbackShiftResolver { return &fallbackShiftResolver{r} }

func (r *Resolver) Holiday() generated.HolidayResolver { return &holidayResolver{r} }

func (r *Resolver) Leave() generated.LeaveResolver { return &leaveResolver{r} }

func (r *Resolver) OvertimeApproval() generated.OvertimeApprovalResolver {
	return &overtimeApprovalResolver{r}
}

func (r *Resolver) PlannedDay() generated.PlannedDayResolver { return &plannedDayResolver{r} }

func (r *Resolver) Project() generated.ProjectResolver { return &projectResolver{r} }

func (r *Resolver) Query() generated.QueryResolver { return &queryResolver{r} }

func (r *Resolver) Report() generated.ReportResolver { return &reportResolver{r} }

func (r *Resolver) Role() generated.RoleResolver { return &roleResolver{r} }

func (r *Resolver) Rotation() generated.RotationResolver { return &rotationResolver{r} }

func (r *Resolver) RotationAssignment() generated.RotationAssignmentResolver {
	return &rotationAssignmentResolver{r}
}

func (r *Resolver) Shift() generated.ShiftResolver { return &shiftResolver{r} }

func (r *Resolver) ShiftAssignment() generated.ShiftAssignmentResolver {
	return &shiftAssignmentResolver{r}
}

func (r *Resolver) ShiftSwap() generated.ShiftSwapResolver { return &shiftSwapResolver{r} }

func (r *Resolver) ShiftVersion() generated.ShiftVersionResolver { return &shiftVersionResolver{r} }

func (r *Resolver) Task() generated.TaskResolver { return &taskResolver{r} }

func (r *Resolver) TaskAttachment() generated.TaskAttachmentResolver {
	return &taskAttachmentResolver{r}
}

func (r *Resolver) TicketAttachment() generated.TicketAttachmentResolver {
	return &ticketAttachmentResolver{r}
}

func (r *Resolver) User() generated.UserResolver { return &userResolver{r} }

type (
	addressResolver            struct{ *Resolver }
	attendanceResolver         struct{ *Resolver }
	businessResolver           struct{ *Resolver }
	companyResolver            struct{ *Resolver }
	correctionResolver         struct{ *Resolver }
	designationResolver        struct{ *Resolver }
	fallbackShiftResolver      struct{ *Resolver }
	holidayResolver            struct{ *Resolver }
	leaveResolver              struct{ *Resolver }
	overtimeApprovalResolver   struct{ *Resolver }
	plannedDayResolver         struct{ *Resolver }
	projectResolver            struct{ *Resolver }
	queryResolver              struct{ *Resolver }
	reportResolver             struct{ *Resolver }
	roleResolver               struct{ *Resolver }
	rotationResolver           struct{ *Resolver }
	rotationAssignmentResolver struct{ *Resolver }
	shiftResolver              struct{ *Resolver }
	shiftAssignmentResolver    struct{ *Resolver }
	shiftSwapResolver          struct{ *Resolver }
	shiftVersionResolver       struct{ *Resolver }
	taskResolver               struct{ *Resolver }
	taskAttachmentResolver     struct{ *Resolver }
	ticketAttachmentResolver   struct{ *Resolver }
	userResolver               struct{ *Resolver }
)
