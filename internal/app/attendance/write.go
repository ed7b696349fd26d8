package attendance

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql/sqlgraph"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	entPosition "workforce/ent/position"
	"workforce/internal/app/policysql"
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
	id, err := policysql.Insert(ctx, entAttendance.Table, append(faceColumns,
		policysql.Set(entAttendance.FieldCompanyID, r.me.CompanyID),
		policysql.Set(entAttendance.FieldUserID, r.me.UserID),
		policysql.Set(entAttendance.FieldEmployeeShiftID, r.shiftID),
		policysql.Set(entAttendance.FieldAddressID, f.site.ID),
		policysql.Set(entAttendance.FieldWorkDate, f.occurrence.Date),
		policysql.Set(entAttendance.FieldOpenMarker, 1),
		policysql.Set(entAttendance.FieldNeedsConfirmation, false),
		policysql.Set(entAttendance.FieldClockedInAt, r.at()),
		policysql.Set(entAttendance.FieldClockedInLocal, local),
		policysql.Set(entAttendance.FieldClockedInOffset, offset),
		policysql.Set(entAttendance.FieldClockedInZone, f.occurrence.Timezone),
		policysql.Set(entAttendance.FieldClockedInReceivedAt, r.receivedAt),
		policysql.Set(entAttendance.FieldClockedInRecordedAt, r.recordedAt),
		policysql.Set(entAttendance.FieldClockedInSource, r.source()),
		policysql.Set(entAttendance.FieldClockedInLatitude, r.position.Lat),
		policysql.Set(entAttendance.FieldClockedInLongitude, r.position.Lng),
		policysql.Set(entAttendance.FieldClockedInAccuracy, r.accuracy),
		policysql.Set(entAttendance.FieldClockedInMocked, r.mocked),
		policysql.Set(entAttendance.FieldClockedInDistance, d.distance),
		policysql.Set(entAttendance.FieldClockedInGeofence, d.geofence),
		policysql.Set(entAttendance.FieldClockedInNote, r.note),
		policysql.SetJSON(entAttendance.FieldClockedInFlags, d.flags),
		policysql.Set(entAttendance.FieldClockedInDeviceID, r.me.DeviceID),
		policysql.SetJSON(entAttendance.FieldClockedInVerdict, d.judged),
		policysql.Set(entAttendance.FieldClockedInReview, string(review)),
		policysql.Set(entAttendance.FieldClockedOutReview, string(entAttendance.ClockedOutReviewNone)),
		policysql.Set(entAttendance.FieldClockedOutFaceVerdict, string(entAttendance.ClockedOutFaceVerdictNone)),
	)...)
	if sqlgraph.IsConstraintError(err) {
		return 0, errs.New(errs.AlreadyClockedIn, errs.Meta{"since": errs.Time{Time: r.at().In(zone)}})
	}
	if err != nil {
		return 0, fmt.Errorf("write the attendance: %w", err)
	}
	s.Live.AttendanceChanged(ctx, r.me.CompanyID, id, r.me.UserID)
	if d.review {
		s.Live.InboxChanged(ctx, r.me.CompanyID)
	}
	return id, keepPosition(ctx, r, entPosition.SourceClockIn)
}

// keepPosition adds the position of the event to the person's positions. They need not have
// consented: the attendance has it too. An event of the same instant was kept already.
func keepPosition(ctx context.Context, r *request, source entPosition.Source) error {
	_, err := policysql.Insert(ctx, entPosition.Table,
		policysql.Set(entPosition.FieldCompanyID, r.me.CompanyID),
		policysql.Set(entPosition.FieldUserID, r.me.UserID),
		policysql.Set(entPosition.FieldRecordedAt, r.at()),
		policysql.Set(entPosition.FieldReceivedAt, r.receivedAt),
		policysql.Set(entPosition.FieldLatitude, r.position.Lat),
		policysql.Set(entPosition.FieldLongitude, r.position.Lng),
		policysql.Set(entPosition.FieldAccuracy, r.accuracy),
		policysql.Set(entPosition.FieldSource, string(source)),
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
