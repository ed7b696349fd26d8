package attendance

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql/sqlgraph"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	entPosition "workforce/ent/position"
	"workforce/internal/app/rows"
	"workforce/internal/errs"
	"workforce/internal/shift"
)

// open writes the attendance that a clock-in opens, its face and its position, and returns the id.
// ALREADY_CLOCKED_IN if another one is open.
func (s *Service) open(ctx context.Context, r *request, f *facts, d decision) (int, error) {
	faceColumns, err := s.storeFaceIn(ctx, r, f, d)
	if err != nil {
		return 0, err
	}
	zone := f.occurrence.zone()
	local, offset := shift.Wall(r.at(), zone)
	review := entAttendance.ClockedInReviewNone
	if d.review {
		review = entAttendance.ClockedInReviewPending
	}
	id, err := rows.Insert(ctx, entAttendance.Table, append(faceColumns,
		rows.Set(entAttendance.FieldCompanyID, r.me.CompanyID),
		rows.Set(entAttendance.FieldUserID, r.me.UserID),
		rows.Set(entAttendance.FieldEmployeeShiftID, r.shiftID),
		rows.Set(entAttendance.FieldAddressID, f.site.ID),
		rows.Set(entAttendance.FieldWorkDate, f.occurrence.Date),
		rows.Set(entAttendance.FieldOpenMarker, 1),
		rows.Set(entAttendance.FieldNeedsConfirmation, false),
		rows.Set(entAttendance.FieldClockedInAt, r.at()),
		rows.Set(entAttendance.FieldClockedInLocal, local),
		rows.Set(entAttendance.FieldClockedInOffset, offset),
		rows.Set(entAttendance.FieldClockedInZone, f.occurrence.Timezone),
		rows.Set(entAttendance.FieldClockedInReceivedAt, r.receivedAt),
		rows.Set(entAttendance.FieldClockedInRecordedAt, r.recordedAt),
		rows.Set(entAttendance.FieldClockedInSource, r.source()),
		rows.Set(entAttendance.FieldClockedInLatitude, r.position.Lat),
		rows.Set(entAttendance.FieldClockedInLongitude, r.position.Lng),
		rows.Set(entAttendance.FieldClockedInAccuracy, r.accuracy),
		rows.Set(entAttendance.FieldClockedInMocked, r.mocked),
		rows.Set(entAttendance.FieldClockedInDistance, d.distance),
		rows.Set(entAttendance.FieldClockedInGeofence, d.geofence),
		rows.Set(entAttendance.FieldClockedInNote, r.note),
		rows.SetJSON(entAttendance.FieldClockedInFlags, d.flags),
		rows.Set(entAttendance.FieldClockedInDeviceID, r.me.DeviceID),
		rows.SetJSON(entAttendance.FieldClockedInVerdict, d.judged),
		rows.Set(entAttendance.FieldClockedInReview, string(review)),
		rows.Set(entAttendance.FieldClockedOutReview, string(entAttendance.ClockedOutReviewNone)),
		rows.Set(entAttendance.FieldClockedOutFaceVerdict, string(entAttendance.ClockedOutFaceVerdictNone)),
	)...)
	if sqlgraph.IsConstraintError(err) {
		return 0, errs.New(errs.AlreadyClockedIn, errs.Meta{"since": errs.Time{Time: r.at().In(zone)}})
	}
	if err != nil {
		return 0, fmt.Errorf("write the attendance: %w", err)
	}
	s.Live.AttendanceChanged(ctx, r.me.CompanyID, id, r.me.UserID)
	return id, keepPosition(ctx, r, entPosition.SourceClockIn)
}

// keepPosition adds the position of the event to the person's positions. They need not have
// consented: the attendance has it too. An event of the same instant was kept already.
func keepPosition(ctx context.Context, r *request, source entPosition.Source) error {
	_, err := rows.Insert(ctx, entPosition.Table,
		rows.Set(entPosition.FieldCompanyID, r.me.CompanyID),
		rows.Set(entPosition.FieldUserID, r.me.UserID),
		rows.Set(entPosition.FieldRecordedAt, r.at()),
		rows.Set(entPosition.FieldReceivedAt, r.receivedAt),
		rows.Set(entPosition.FieldLatitude, r.position.Lat),
		rows.Set(entPosition.FieldLongitude, r.position.Lng),
		rows.Set(entPosition.FieldAccuracy, r.accuracy),
		rows.Set(entPosition.FieldSource, string(source)),
	)
	if err == nil || sqlgraph.IsUniqueConstraintError(err) {
		return nil
	}
	return fmt.Errorf("keep the position: %w", err)
}

// close writes the end of the open attendance, in the zone of its clock-in, its face and its
// position.
func (s *Service) close(ctx context.Context, r *request, f *facts, d decision) error {
	zone := f.open.Zone
	local, offset := shift.Wall(r.at(), shift.ZoneNamed(zone))
	change := ent.FromContext(ctx).Attendance.Update().Where(entAttendance.ID(f.open.ID)).ClearOpenMarker().
		SetClockedOutAt(r.at()).SetClockedOutLocal(local).SetClockedOutOffset(offset).SetClockedOutZone(zone).
		SetClockedOutReceivedAt(r.receivedAt).SetNillableClockedOutRecordedAt(r.recordedAt).
		SetClockedOutSource(entAttendance.ClockedOutSource(r.source())).
		SetClockedOutLatitude(r.position.Lat).SetClockedOutLongitude(r.position.Lng).
		SetNillableClockedOutAccuracy(r.accuracy).
		SetNillableClockedOutMocked(r.mocked).SetClockedOutDistance(d.distance).
		SetClockedOutGeofence(entAttendance.ClockedOutGeofence(d.geofence)).
		SetNillableClockedOutNote(r.note).SetClockedOutFlags(d.flags).SetClockedOutDeviceID(r.me.DeviceID).
		SetClockedOutVerdict(d.judged)
	if d.review {
		change.SetClockedOutReview(entAttendance.ClockedOutReviewPending)
	}
	if err := s.storeFaceOut(ctx, r, f, d, change.Mutation()); err != nil {
		return err
	}
	n, err := change.Save(ctx)
	if err != nil {
		return fmt.Errorf("close the attendance: %w", err)
	}
	if n == 0 {
		return errs.New(errs.NotFound, nil)
	}
	s.Live.AttendanceChanged(ctx, r.me.CompanyID, f.open.ID, r.me.UserID)
	return keepPosition(ctx, r, entPosition.SourceClockOut)
}
