package correction

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/ent/address"
	entAttendance "workforce/ent/attendance"
	entCorrection "workforce/ent/correction"
	"workforce/ent/employeeshift"
	"workforce/graph/model"
	"workforce/internal/app/approval"
	"workforce/internal/app/input"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/tx"
	"workforce/internal/blob"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/revision"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A wish is a request with the rows that it refers to.
type wish struct {
	revision.Change
	occurrence *ent.EmployeeShift
	attendance *ent.Attendance // nil where one is to be added
	zone       *time.Location
	reason     string
}

// Request asks for a correction of one of the viewer's attendances, and returns the
// request's id.
func (s *Service) Request(ctx context.Context, in model.RequestCorrectionInput) (int, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return 0, err
	}
	w, err := s.read(ctx, me, in)
	if err != nil {
		return 0, err
	}
	var picture *ent.File
	if u := in.Attachment.Value(); u != nil {
		if picture, err = s.Files.Picture(ctx, "attachment", u.File, longestSide); err != nil {
			return 0, err
		}
	}
	if err := scheduling.Lock(viewer.System(ctx), me.CompanyID, []int{me.UserID}); err != nil {
		return 0, err
	}
	after, err := s.check(ctx, me, &w, in.AttendanceID.Value())
	if err != nil {
		return 0, err
	}
	return s.save(ctx, me, w, after, picture)
}

// read checks the members of a request, and reads its occurrence.
func (s *Service) read(ctx context.Context, me *viewer.Viewer, in model.RequestCorrectionInput) (wish, error) {
	var faults errs.Faults
	w := wish{Change: revision.Change{In: instant(in.ClockInAt.Value()), Out: instant(in.ClockOutAt.Value()), AddressID: in.AddressID.Value()}}
	w.reason = input.Required(&faults, "reason", &in.Reason, tx.MaxNote)
	adds := in.AttendanceID.Value() == nil
	for _, member := range []struct {
		field   string
		missing bool
	}{{"clockInAt", w.In == nil}, {"clockOutAt", w.Out == nil}, {"addressId", w.AddressID == nil}} {
		if adds && member.missing {
			faults.Add(member.field, errs.Required, nil)
		}
	}
	if !adds && w.In == nil && w.Out == nil && w.AddressID == nil {
		faults.Add("clockInAt", errs.Required, nil)
	}
	if err := faults.Err(); err != nil {
		return w, err
	}
	o, err := ent.FromContext(ctx).EmployeeShift.Query().Where(employeeshift.ID(in.EmployeeShiftID), employeeshift.UserID(me.UserID)).Only(ctx)
	if err != nil {
		return w, input.Referenced("employeeShiftId", !ent.IsNotFound(err), notMissing(err))
	}
	w.occurrence, w.zone = o, shift.ZoneNamed(o.Timezone)
	return w, checkAddress(ctx, w.AddressID)
}

// instant returns a time in UTC, to the microsecond; nil for none.
func instant(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	return new(t.UTC().Truncate(time.Microsecond))
}

// notMissing returns err unless it says that a row is missing.
func notMissing(err error) error {
	if ent.IsNotFound(err) {
		return nil
	}
	return err
}

// checkAddress refuses a work site that the viewer does not see, and one that is not in
// use; nil is none.
func checkAddress(ctx context.Context, id *int) error {
	if id == nil {
		return nil
	}
	site, err := ent.FromContext(ctx).Address.Query().Where(address.ID(*id)).Only(ctx)
	if err != nil {
		return input.Referenced("addressId", !ent.IsNotFound(err), notMissing(err))
	}
	if !site.Active {
		return errs.Field(errs.LocationNotAllowed, "addressId", nil)
	}
	return nil
}

// check returns the attendance as the request would leave it. The viewer's row is locked.
func (s *Service) check(ctx context.Context, me *viewer.Viewer, w *wish, id *int) (after revision.Version, err error) {
	var before revision.Version
	if id != nil {
		w.attendance, err = ent.FromContext(ctx).Attendance.Query().
			Where(entAttendance.ID(*id), entAttendance.UserID(me.UserID), entAttendance.EmployeeShiftID(w.occurrence.ID)).Only(ctx)
		if err != nil {
			return after, input.Referenced("attendanceId", !ent.IsNotFound(err), notMissing(err))
		}
		before, w.zone = versionOf(w.attendance), shift.ZoneNamed(w.attendance.ClockedInZone)
	}
	if err := approval.CheckLock(ctx, resource, nil, s.Desk.Plans.Today(shift.ZoneNamed(me.Timezone)), "employeeShiftId", shift.Date(w.occurrence.Date)); err != nil {
		return after, err
	}
	after = w.Apply(before, w.zone, s.Now())
	if err := s.checkTimes(*w, before, after); err != nil {
		return after, err
	}
	if err := s.checkPending(ctx, me, *w, after); err != nil {
		return after, err
	}
	others, err := s.attendancesOf(ctx, me.CompanyID, []int{me.UserID}, after.Covers(timesheet.Longest))
	if err == nil {
		err = checkOverlap(others, id, after, blamed(w.Change))
	}
	return after, err
}

// blamed returns the member of a request that says where an attendance is.
func blamed(c revision.Change) string {
	if c.In == nil && c.Out != nil {
		return "clockOutAt"
	}
	return "clockInAt"
}

// checkTimes refuses times that cannot be, and a request that changes nothing.
func (s *Service) checkTimes(w wish, before, after revision.Version) error {
	now, o := s.Now(), w.occurrence
	window := shift.Occurrence{ClockInFrom: o.ClockInFrom, ClockInUntil: o.ClockInUntil}
	at := func(t time.Time) errs.Time { return errs.Time{Time: t.In(w.zone)} }
	if w.In != nil {
		switch {
		case w.In.After(now):
			return errs.Because("clockInAt", errs.OutOfRange, errs.Meta{"min": at(o.ClockInFrom), "max": at(now)})
		case !window.Open(*w.In):
			return errs.Field(errs.ShiftWindowClosed, "clockInAt", errs.Meta{"clockInFrom": at(o.ClockInFrom), "clockInUntil": at(o.ClockInUntil)})
		}
	}
	latest := after.In.At.Add(timesheet.Longest)
	if now.Before(latest) {
		latest = now
	}
	if after.Out != nil && (!after.Out.At.After(after.In.At) || after.Out.At.After(latest)) {
		field := "clockOutAt"
		if w.Out == nil {
			return errs.Because("clockInAt", errs.OutOfRange, errs.Meta{"min": at(after.Out.At.Add(-timesheet.Longest)), "max": at(after.Out.At.Add(-1))})
		}
		return errs.Because(field, errs.OutOfRange, errs.Meta{"min": at(after.In.At.Add(1)), "max": at(latest)})
	}
	same := before.Exists() && after.In.At.Equal(before.In.At) && after.AddressID == before.AddressID && (after.Out == nil) == (before.Out == nil) &&
		(after.Out == nil || after.Out.At.Equal(before.Out.At)) && !before.NeedsConfirmation
	if same {
		return errs.Because(blamed(w.Change), errs.SameAs, errs.Meta{"other": "attendanceId"})
	}
	return nil
}

// checkPending refuses a request while another one of the person waits for the same time,
// or for the same attendance.
func (s *Service) checkPending(ctx context.Context, me *viewer.Viewer, w wish, after revision.Version) error {
	covers := after.Covers(timesheet.Longest)
	same := entCorrection.And(entCorrection.CoversFromLT(covers.End), entCorrection.CoversUntilGT(covers.Start))
	if w.attendance != nil {
		same = entCorrection.Or(same, entCorrection.AttendanceID(w.attendance.ID))
	}
	waits, err := ent.FromContext(ctx).Correction.Query().
		Where(entCorrection.UserID(me.UserID), entCorrection.StateEQ(entCorrection.StatePending), entCorrection.ExpiresAtGT(s.Now()), same).Exist(viewer.System(ctx))
	if err == nil && waits {
		err = errs.Conflicts(errs.AlreadyRequested, "employeeShiftId", nil)
	}
	return err
}

// save writes a request and tells a manager.
func (s *Service) save(ctx context.Context, me *viewer.Viewer, w wish, after revision.Version, picture *ent.File) (int, error) {
	covers := after.Covers(timesheet.Longest)
	create := ent.FromContext(ctx).Correction.Create().SetCompanyID(me.CompanyID).SetUserID(me.UserID).
		SetEmployeeShiftID(w.occurrence.ID).SetDate(w.occurrence.Date).SetAdds(w.attendance == nil).
		SetNillableClockInAt(w.In).SetNillableClockOutAt(w.Out).SetNillableAddressID(w.AddressID).
		SetCoversFrom(covers.Start).SetCoversUntil(covers.End).SetReason(w.reason).
		SetCreatedAt(s.Now()).SetExpiresAt(s.Desk.ExpiresAt(ctx))
	if w.attendance != nil {
		create.SetAttendanceID(w.attendance.ID)
	}
	if picture != nil {
		if err := s.Files.Use(ctx, picture.ID); err != nil {
			return 0, err
		}
		create.SetAttachment(blob.Ref(picture.Name)).SetAttachmentFileID(picture.ID)
	}
	c, err := create.Save(viewer.System(ctx))
	if err != nil {
		return 0, err
	}
	return c.ID, s.Desk.Ask(ctx, message.CorrectionAsked, me.UserID, w.occurrence.Date)
}
