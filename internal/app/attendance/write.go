package attendance

import (
	"context"
	"encoding/json"
	"strconv"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/ent/facetemplate"
	"workforce/internal/errs"
	"workforce/internal/face"
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
	if len(e.points) > 0 {
		verdict, err := e.registerFace(ctx)
		if err != nil {
			return nil, err
		}
		digest := face.Digest(e.FaceKey, e.points)
		create.SetFaceVerdict(verdict).SetFaceDigest(digest[:])
	}
	ctx = viewer.WithVisible(ctx, attendance.EdgeEmployeeShift, e.shiftID)
	a, err := create.Save(viewer.WithVisible(ctx, attendance.EdgeAddress, e.site.ID))
	if ent.IsConstraintError(err) {
		return nil, errs.New(errs.AlreadyClockedIn, errs.Meta{"since": errs.Time{Time: e.at.In(zoneOf(e.occurrence))}})
	}
	return a, err
}

// registerFace stores the face of a user who has none, encrypted; provisionally
// where the event has flags.
func (e *clockEvent) registerFace(ctx context.Context) (attendance.FaceVerdict, error) {
	if e.hasFace {
		return attendance.FaceVerdictUnchecked, nil
	}
	db := ent.FromContext(ctx)
	versions, err := db.FaceTemplate.Query().Where(facetemplate.UserID(e.me.UserID)).Count(ctx)
	if err != nil {
		return "", err
	}
	plain, err := json.Marshal(e.points)
	if err != nil {
		return "", err
	}
	text, err := e.Faces.Seal(plain, strconv.Itoa(e.me.CompanyID), strconv.Itoa(e.me.UserID))
	if err != nil {
		return "", err
	}
	provisional := len(e.flags) > 0
	err = db.FaceTemplate.Create().SetCompanyID(e.me.CompanyID).SetUserID(e.me.UserID).SetVersion(versions + 1).
		SetProvisional(provisional).SetPoints(len(e.points)).SetSealed(text).SetCreatedAt(e.now).Exec(ctx)
	if err == nil {
		err = e.Notify.NotifyFace(ctx, e.me.UserID)
	}
	if provisional {
		return attendance.FaceVerdictProvisional, err
	}
	return attendance.FaceVerdictRegistered, err
}

// close writes the end of the open attendance, in the zone of its clock-in.
func (e *clockEvent) close(ctx context.Context) error {
	zone := e.current.ClockedInZone
	local, offset := shift.Wall(e.at, zoneNamed(zone))
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
	return e.end(ctx, change)
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
