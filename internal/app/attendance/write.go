package attendance

import (
	"context"

	"entgo.io/ent/dialect/sql/sqlgraph"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/ent/position"
	"workforce/internal/app/plan"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/verdict"
	"workforce/internal/viewer"
)

// open writes the attendance that a clock-in opens, and registers the face.
func (e *clockEvent) open(ctx context.Context) (*ent.Attendance, error) {
	local, offset := shift.Wall(e.at, zoneOf(e.occurrence))
	create := ent.FromContext(ctx).Attendance.Create().
		SetCompanyID(e.me.CompanyID).SetUserID(e.me.UserID).SetEmployeeShiftID(e.shiftID).SetAddressID(e.site.ID).
		SetWorkDate(e.occurrence.Date).
		SetClockedInAt(e.at).SetClockedInLocal(local).SetClockedInOffset(offset).SetClockedInZone(e.occurrence.Timezone).
		SetClockedInReceivedAt(e.now).SetNillableClockedInRecordedAt(e.recordedAt).SetClockedInSource(attendance.ClockedInSource(e.source)).
		SetClockedInLatitude(e.here.Lat).SetClockedInLongitude(e.here.Lng).SetNillableClockedInAccuracy(e.accuracy).
		SetNillableClockedInMocked(e.mocked).SetClockedInDistance(e.distance).SetClockedInGeofence(attendance.ClockedInGeofence(e.geofence)).
		SetNillableClockedInNote(e.note).SetClockedInFlags(e.flags).SetClockedInDeviceID(e.me.DeviceID).
		SetClockedInVerdict(e.judged)
	if needsReview(e) {
		create.SetClockedInReview(attendance.ClockedInReviewPending)
	}
	if err := keepFaceIn(ctx, e, create.Mutation()); err != nil {
		return nil, err
	}
	ctx = viewer.WithVisible(ctx, attendance.EdgeEmployeeShift, e.shiftID)
	a, err := create.Save(viewer.WithVisible(ctx, attendance.EdgeAddress, e.site.ID))
	if ent.IsConstraintError(err) {
		return nil, errs.New(errs.AlreadyClockedIn, errs.Meta{"since": errs.Time{Time: e.at.In(zoneOf(e.occurrence))}})
	}
	if err == nil {
		err = e.keepPosition(ctx, position.SourceClockIn)
	}
	return a, err
}

// keepPosition adds where the event was to the person's positions. They need not have
// consented: the attendance has it too. An event of the same instant was kept already.
func (e *clockEvent) keepPosition(ctx context.Context, source position.Source) error {
	_, err := ent.FromContext(ctx).ExecContext(ctx, insertPosition,
		e.me.CompanyID, e.me.UserID, e.at, e.now, e.here.Lat, e.here.Lng, e.accuracy, string(source))
	if sqlgraph.IsUniqueConstraintError(err) {
		return nil
	}
	return err
}

// close writes the end of the open attendance, in the zone of its clock-in.
func (e *clockEvent) close(ctx context.Context) error {
	zone := e.current.ClockedInZone
	local, offset := shift.Wall(e.at, plan.ZoneNamed(zone))
	change := ent.FromContext(ctx).Attendance.Update().
		SetClockedOutAt(e.at).SetClockedOutLocal(local).SetClockedOutOffset(offset).SetClockedOutZone(zone).
		SetClockedOutReceivedAt(e.now).SetNillableClockedOutRecordedAt(e.recordedAt).SetClockedOutSource(attendance.ClockedOutSource(e.source)).
		SetClockedOutLatitude(e.here.Lat).SetClockedOutLongitude(e.here.Lng).SetNillableClockedOutAccuracy(e.accuracy).
		SetNillableClockedOutMocked(e.mocked).SetClockedOutDistance(e.distance).SetClockedOutGeofence(attendance.ClockedOutGeofence(e.geofence)).
		SetNillableClockedOutNote(e.note).SetClockedOutFlags(e.flags).SetClockedOutDeviceID(e.me.DeviceID).
		SetClockedOutVerdict(e.judged)
	if needsReview(e) {
		change.SetClockedOutReview(attendance.ClockedOutReviewPending)
	}
	if err := keepFaceOut(ctx, e, change.Mutation()); err != nil {
		return err
	}
	if err := e.end(ctx, change); err != nil {
		return err
	}
	return e.keepPosition(ctx, position.SourceClockOut)
}

// needsReview reports whether somebody must decide about the event's flags.
func needsReview(e *clockEvent) bool {
	return verdict.NeedsReview(e.flags, setting.OfflineApproval.Of(e.me.Settings))
}

// end applies a change that ends the open attendance.
func (e *clockEvent) end(ctx context.Context, change *ent.AttendanceUpdate) error {
	n, err := change.ClearOpenMarker().Where(attendance.ID(e.current.ID)).Save(ctx)
	if err == nil && n == 0 {
		err = errs.New(errs.NotFound, nil)
	}
	return err
}
