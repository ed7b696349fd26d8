package correction

import (
	"context"
	"strconv"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/revision"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// versionOf returns an attendance as it is.
func versionOf(a *ent.Attendance) revision.Version {
	v := revision.Version{
		In: revision.End{
			At: a.ClockedInAt, Local: a.ClockedInLocal, Offset: a.ClockedInOffset, Zone: a.ClockedInZone, Source: string(a.ClockedInSource),
		},
		AddressID: a.AddressID, NeedsConfirmation: a.NeedsConfirmation,
	}
	if a.ClockedOutAt == nil {
		return v
	}
	v.Out = &revision.End{
		At: *a.ClockedOutAt, Local: input.Value(a.ClockedOutLocal), Offset: input.Value(a.ClockedOutOffset), Zone: input.Value(a.ClockedOutZone),
		Source: string(input.Value(a.ClockedOutSource)), ReceivedAt: a.ClockedOutReceivedAt,
	}
	if a.ClosingRule != nil {
		v.ClosingRule = string(*a.ClosingRule)
	}
	return v
}

// setVersion makes an attendance what a version says.
func setVersion(m *ent.AttendanceMutation, v revision.Version) {
	m.SetAddressID(v.AddressID)
	m.SetNeedsConfirmation(v.NeedsConfirmation)
	m.SetClockedInAt(v.In.At)
	m.SetClockedInLocal(v.In.Local)
	m.SetClockedInOffset(v.In.Offset)
	m.SetClockedInSource(entAttendance.ClockedInSource(v.In.Source))
	m.SetAutoClosed(v.ClosingRule != "")
	m.ClearClosingRule()
	if v.ClosingRule != "" {
		m.SetClosingRule(entAttendance.ClosingRule(v.ClosingRule))
	}
	m.ClearCheckAt() // it is found out again
	if v.Out == nil {
		m.SetOpenMarker(1)
		m.ClearClockedOutAt()
		m.ClearClockedOutLocal()
		m.ClearClockedOutOffset()
		m.ClearClockedOutZone()
		m.ClearClockedOutSource()
		m.ClearClockedOutReceivedAt()
		return
	}
	m.ClearOpenMarker()
	m.SetClockedOutAt(v.Out.At)
	m.SetClockedOutLocal(v.Out.Local)
	m.SetClockedOutOffset(v.Out.Offset)
	m.SetClockedOutZone(v.Out.Zone)
	m.SetClockedOutSource(entAttendance.ClockedOutSource(v.Out.Source))
	if v.Out.ReceivedAt != nil {
		m.SetClockedOutReceivedAt(*v.Out.ReceivedAt)
	} else {
		m.ClearClockedOutReceivedAt()
	}
}

// freeMarker is the marker of a closed attendance until it is cleared: ent writes the
// marker of an open one where none is given.
const freeMarker = -1

// add writes an attendance that nobody clocked: it has no position but the work site's.
func (s *Service) add(ctx context.Context, c *ent.Correction, site *ent.Address, v revision.Version) (*ent.Attendance, error) {
	ctx = viewer.System(ctx)
	create := ent.FromContext(ctx).Attendance.Create().SetCompanyID(c.CompanyID).SetUserID(c.UserID).SetEmployeeShiftID(c.EmployeeShiftID).
		SetWorkDate(c.Date).SetClockedInZone(v.In.Zone).SetClockedInReceivedAt(s.Now()).
		SetClockedInLatitude(site.Latitude).SetClockedInLongitude(site.Longitude).SetClockedInGeofence(entAttendance.ClockedInGeofenceOff)
	setVersion(create.Mutation(), v)
	a, err := create.SetOpenMarker(freeMarker).Save(ctx)
	if err != nil {
		return nil, err
	}
	return a, a.Update().ClearOpenMarker().Exec(ctx)
}

// attendancesOf reads the attendances of people that may overlap a time, in one statement.
func (s *Service) attendancesOf(ctx context.Context, company int, people []int, covers shift.Interval) ([]*ent.Attendance, error) {
	return ent.FromContext(ctx).Attendance.Query().
		Where(entAttendance.CompanyID(company), entAttendance.UserIDIn(people...), entAttendance.ClockedInAtLT(covers.End),
			entAttendance.Or(entAttendance.ClockedOutAtGT(covers.Start), entAttendance.ClockedOutAtIsNil())).
		All(viewer.System(ctx))
}

// checkOverlap returns CONFLICT on a field, with the attendance of a list that a version overlaps.
// id is that of the version, nil for a new one.
func checkOverlap(list []*ent.Attendance, id *int, v revision.Version, field string) error {
	for _, a := range list {
		if id != nil && a.ID == *id {
			continue
		}
		if revision.Overlap(versionOf(a).Covers(timesheet.Longest), v.Covers(timesheet.Longest)) {
			zone := shift.ZoneNamed(a.ClockedInZone)
			since := errs.Time{Time: a.ClockedInAt.In(zone), Exact: true}
			with := errs.Meta{"attendanceId": strconv.Itoa(a.ID), "since": since}
			if a.ClockedOutAt != nil {
				with["until"] = errs.Time{Time: a.ClockedOutAt.In(zone), Exact: true}
			}
			return errs.Conflicts(errs.Overlap, field, with)
		}
	}
	return nil
}

// Shown returns a version as it is answered; nil for none.
func Shown(v revision.Version) *model.AttendanceVersion {
	if !v.Exists() {
		return nil
	}
	out := &model.AttendanceVersion{
		ClockInAt: local(v.In), ClockInSource: v.In.Source, AddressID: v.AddressID, NeedsConfirmation: v.NeedsConfirmation,
	}
	if v.Out != nil {
		out.ClockOutAt, out.ClockOutSource = new(local(*v.Out)), &v.Out.Source
	}
	return out
}

// local returns the time of an end in its zone.
func local(e revision.End) time.Time { return e.At.In(shift.ZoneNamed(e.Zone)) }
