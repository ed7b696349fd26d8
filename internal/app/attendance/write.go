package attendance

import (
	"context"

	"entgo.io/ent/dialect/sql/sqlgraph"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/ent/position"
	"workforce/internal/app/rows"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/verdict"
)

// open writes the attendance that a clock-in opens, registers the face, and returns the id.
func (e *clockEvent) open(ctx context.Context) (int, error) {
	seen, err := keepFaceIn(ctx, e)
	if err != nil {
		return 0, err
	}
	local, offset := shift.Wall(e.at, zoneOf(e.occurrence))
	review := attendance.ClockedInReviewNone
	if needsReview(e) {
		review = attendance.ClockedInReviewPending
	}
	id, err := rows.Insert(ctx, attendance.Table, append(seen,
		rows.Set(attendance.FieldCompanyID, e.me.CompanyID),
		rows.Set(attendance.FieldUserID, e.me.UserID),
		rows.Set(attendance.FieldEmployeeShiftID, e.shiftID),
		rows.Set(attendance.FieldAddressID, e.site.ID),
		rows.Set(attendance.FieldWorkDate, e.occurrence.Date),
		rows.Set(attendance.FieldOpenMarker, 1),
		rows.Set(attendance.FieldNeedsConfirmation, false),
		rows.Set(attendance.FieldClockedInAt, e.at),
		rows.Set(attendance.FieldClockedInLocal, local),
		rows.Set(attendance.FieldClockedInOffset, offset),
		rows.Set(attendance.FieldClockedInZone, e.occurrence.Timezone),
		rows.Set(attendance.FieldClockedInReceivedAt, e.now),
		rows.Set(attendance.FieldClockedInRecordedAt, e.recordedAt),
		rows.Set(attendance.FieldClockedInSource, e.source),
		rows.Set(attendance.FieldClockedInLatitude, e.here.Lat),
		rows.Set(attendance.FieldClockedInLongitude, e.here.Lng),
		rows.Set(attendance.FieldClockedInAccuracy, e.accuracy),
		rows.Set(attendance.FieldClockedInMocked, e.mocked),
		rows.Set(attendance.FieldClockedInDistance, e.distance),
		rows.Set(attendance.FieldClockedInGeofence, e.geofence),
		rows.Set(attendance.FieldClockedInNote, e.note),
		rows.SetJSON(attendance.FieldClockedInFlags, e.flags),
		rows.Set(attendance.FieldClockedInDeviceID, e.me.DeviceID),
		rows.SetJSON(attendance.FieldClockedInVerdict, e.judged),
		rows.Set(attendance.FieldClockedInReview, string(review)),
		rows.Set(attendance.FieldClockedOutReview, string(attendance.ClockedOutReviewNone)),
		rows.Set(attendance.FieldClockedOutFaceVerdict, string(attendance.ClockedOutFaceVerdictNone)),
	)...)
	if sqlgraph.IsConstraintError(err) {
		return 0, errs.New(errs.AlreadyClockedIn, errs.Meta{"since": errs.Time{Time: e.at.In(zoneOf(e.occurrence))}})
	}
	if err == nil {
		e.Live.AttendanceChanged(ctx, e.me.CompanyID, id, e.me.UserID)
		err = e.keepPosition(ctx, position.SourceClockIn)
	}
	return id, err
}

// keepPosition adds where the event was to the person's positions. They need not have
// consented: the attendance has it too. An event of the same instant was kept already.
func (e *clockEvent) keepPosition(ctx context.Context, source position.Source) error {
	_, err := rows.Insert(ctx, position.Table,
		rows.Set(position.FieldCompanyID, e.me.CompanyID),
		rows.Set(position.FieldUserID, e.me.UserID),
		rows.Set(position.FieldRecordedAt, e.at),
		rows.Set(position.FieldReceivedAt, e.now),
		rows.Set(position.FieldLatitude, e.here.Lat),
		rows.Set(position.FieldLongitude, e.here.Lng),
		rows.Set(position.FieldAccuracy, e.accuracy),
		rows.Set(position.FieldSource, string(source)),
	)
	if sqlgraph.IsUniqueConstraintError(err) {
		return nil
	}
	return err
}

// close writes the end of the open attendance, in the zone of its clock-in.
func (e *clockEvent) close(ctx context.Context) error {
	zone := e.current.ClockedInZone
	local, offset := shift.Wall(e.at, shift.ZoneNamed(zone))
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
	if err == nil {
		e.Live.AttendanceChanged(ctx, e.me.CompanyID, e.current.ID, e.me.UserID)
	}
	return err
}
