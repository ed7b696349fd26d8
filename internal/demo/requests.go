package demo

import (
	"context"
	"slices"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	entCorrection "workforce/ent/correction"
	entLeave "workforce/ent/leave"
	"workforce/ent/leavetype"
	entPosition "workforce/ent/position"
	"workforce/ent/shiftresult"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// decisionDays is for how many days the demo's requests can be decided.
const decisionDays = 14

// lockAfter is after how many days a calendar month of the demo is locked: the past fortnight
// is still open.
const lockAfter = 20

// addCalendar adds a holiday to come and the half one before it, and locks former months.
func addCalendar(ctx context.Context, f *filler) error {
	day := f.today().AddDays(45)
	err := f.db.Holiday.CreateBulk(
		f.db.Holiday.Create().SetCompanyID(f.company.ID).SetName("Menjelang hari jadi").SetDate(string(day.AddDays(-1))).SetHalf(true),
		f.db.Holiday.Create().SetCompanyID(f.company.ID).SetName("Hari jadi perusahaan").SetDate(string(day)),
	).Exec(ctx)
	if err != nil {
		return err
	}
	settings := f.company.Settings.With(map[string]any{setting.LockAfterDays.Name: lockAfter})
	return f.db.Company.UpdateOneID(f.company.ID).SetSettings(settings).Exec(ctx)
}

// addRequests adds types of leave and, where there are employees enough, a leave and a
// correction that wait and one of each that was decided, decisions about overtime, and the
// positions of somebody's day.
func (f *filler) addRequests(ctx context.Context) error {
	allowance := 12.0
	annual, err := f.db.LeaveType.Create().SetCompanyID(f.company.ID).SetName("Cuti tahunan").SetYearlyAllowance(allowance).Save(ctx)
	if err != nil {
		return err
	}
	for name, set := range map[string]func(*ent.LeaveTypeCreate){
		"Sakit":            func(*ent.LeaveTypeCreate) {},
		"Izin tanpa upah":  func(t *ent.LeaveTypeCreate) { t.SetPaid(false).SetUnit(leavetype.UnitHour) },
		"Kerja dari rumah": func(t *ent.LeaveTypeCreate) { t.SetWorkFromHome(true).SetUnit(leavetype.UnitDay) },
	} {
		create := f.db.LeaveType.Create().SetCompanyID(f.company.ID).SetName(name)
		set(create)
		if err := create.Exec(ctx); err != nil {
			return err
		}
	}
	// Of the last of the list, whose manager is there to decide.
	people := slices.Clone(f.users)
	slices.Reverse(people)
	people = slices.DeleteFunc(people, func(u *ent.User) bool { return f.managerOf(u) == 0 })
	if len(people) < 2 {
		return nil
	}
	if err := f.addLeave(ctx, annual, people[0], people[1]); err != nil {
		return err
	}
	if err := f.addCorrections(ctx, people[0], people[1]); err != nil {
		return err
	}
	if err := f.addOvertime(ctx, people); err != nil {
		return err
	}
	return addTrack(ctx, f, people[2%len(people)])
}

// addOvertime approves the latest overtime of one person, and refuses that of another.
func (f *filler) addOvertime(ctx context.Context, people []*ent.User) error {
	approve := true
	for _, u := range people {
		r, err := f.db.ShiftResult.Query().Where(shiftresult.UserID(u.ID), shiftresult.OvertimeSecondsGT(0), shiftresult.StatusEQ(shiftresult.StatusPresent)).
			Order(ent.Desc(shiftresult.FieldDate)).First(ctx)
		if ent.IsNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		create := f.db.OvertimeApproval.Create().SetCompanyID(f.company.ID).SetUserID(u.ID).SetDate(r.Date).SetApproved(approve).SetSeconds(0).
			SetDecidedBy(f.managerOf(u)).SetDecidedAt(f.now.Add(-2 * time.Hour))
		if approve {
			create.SetSeconds(r.OvertimeSeconds)
		} else {
			create.SetNote("Tidak diminta")
		}
		if err := create.Exec(ctx); err != nil || !approve {
			return err
		}
		approve = false
	}
	return nil
}

// addTrack has the phone of somebody, who consents, report positions of their latest
// attendance: to a customer 2 km to the east, and back.
func addTrack(ctx context.Context, f *filler, u *ent.User) error {
	a, err := f.db.Attendance.Query().Where(entAttendance.UserID(u.ID), entAttendance.ClockedOutLatitudeNotNil()).
		Order(ent.Desc(entAttendance.FieldWorkDate, entAttendance.FieldID)).First(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	var creates []*ent.PositionCreate
	add := func(at time.Time, lat, lng float64, source entPosition.Source) {
		creates = append(creates, f.db.Position.Create().SetCompanyID(f.company.ID).SetUserID(u.ID).SetRecordedAt(at).SetReceivedAt(at.Add(time.Second)).
			SetLatitude(lat).SetLongitude(lng).SetAccuracy(8).SetSource(source))
	}
	lat, lng := a.ClockedInLatitude, a.ClockedInLongitude
	add(a.ClockedInAt, lat, lng, entPosition.SourceClockIn)
	for minute := 60; minute <= 180; minute += 5 {
		away := min(1, max(0, float64(min(minute-70, 170-minute))/20)) // of the way to the customer
		add(a.ClockedInAt.Add(time.Duration(minute)*time.Minute), lat, lng+0.018*away, entPosition.SourceReport)
	}
	add(*a.ClockedOutAt, *a.ClockedOutLatitude, *a.ClockedOutLongitude, entPosition.SourceClockOut)
	if err := f.db.Position.CreateBulk(creates...).Exec(ctx); err != nil {
		return err
	}
	return f.db.User.UpdateOneID(u.ID).SetCoordinateConsentAt(a.ClockedInAt).Exec(ctx)
}

// managerOf returns who manages the business of a person; 0 for nobody else.
func (f *filler) managerOf(u *ent.User) int {
	of := slices.IndexFunc(f.users, func(other *ent.User) bool { return other.ID == u.ID })
	unit := slices.IndexFunc(f.companyData.units, func(d unitData) bool { return d.name == f.people[of].unit })
	manager := slices.IndexFunc(f.people, func(p personData) bool { return p.email == f.companyData.units[unit].manager })
	if manager < 0 || manager == of {
		return 0
	}
	return f.users[manager].ID
}

// addLeave adds a leave that waits and one that was approved, both to come.
func (f *filler) addLeave(ctx context.Context, t *ent.LeaveType, waits, approved *ent.User) error {
	create := func(u *ent.User, from, to shift.Date, reason string) *ent.LeaveCreate {
		var dates []string
		for _, d := range (timesheet.Period{From: from, To: to}).Dates() {
			dates = append(dates, string(d))
		}
		return f.db.Leave.Create().SetCompanyID(f.company.ID).SetUserID(u.ID).SetLeaveTypeID(t.ID).SetStartsOn(string(from)).SetEndsOn(string(to)).
			SetDates(dates).SetReason(reason).SetCreatedAt(f.now.Add(-26 * time.Hour)).SetExpiresAt(f.now.AddDate(0, 0, decisionDays-1))
	}
	from := f.today().AddDays(21).Monday()
	if err := create(waits, from, from.AddDays(1), "Acara keluarga").Exec(ctx); err != nil {
		return err
	}
	return create(approved, from.AddDays(2), from.AddDays(2), "Urusan pribadi").SetState(entLeave.StateApproved).
		SetDecidedBy(f.managerOf(approved)).SetDecidedAt(f.now.Add(-2 * time.Hour)).Exec(ctx)
}

// addCorrections adds a correction that waits and one that was refused, of the latest
// attendances of two people.
func (f *filler) addCorrections(ctx context.Context, waits, refused *ent.User) error {
	for _, u := range []*ent.User{waits, refused} {
		a, err := f.db.Attendance.Query().Where(entAttendance.UserID(u.ID), entAttendance.ClockedOutAtNotNil()).Order(ent.Desc(entAttendance.FieldWorkDate, entAttendance.FieldID)).First(ctx)
		if ent.IsNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		in := a.ClockedInAt.Add(-10 * time.Minute)
		create := f.db.Correction.Create().SetCompanyID(f.company.ID).SetUserID(u.ID).SetEmployeeShiftID(a.EmployeeShiftID).SetAttendanceID(a.ID).
			SetDate(a.WorkDate).SetClockInAt(in).SetCoversFrom(in).SetCoversUntil(*a.ClockedOutAt).SetReason("Lupa absen saat tiba").
			SetCreatedAt(f.now.Add(-26 * time.Hour)).SetExpiresAt(f.now.AddDate(0, 0, decisionDays-1))
		if u == refused {
			create.SetState(entCorrection.StateRefused).SetDecidedBy(f.managerOf(u)).SetDecidedAt(f.now.Add(-2 * time.Hour)).SetDecisionNote("Tidak ada saksi")
		}
		if err := create.Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}
