package demo

import (
	"context"
	"math"
	"slices"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/device"
	entLeave "workforce/ent/leave"
	"workforce/ent/leavetype"
	"workforce/ent/overtimeapproval"
	"workforce/ent/shiftresult"
	"workforce/ent/shiftswap"
	"workforce/internal/geofence"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/verdict"
	"workforce/internal/viewer"
)

// decider is the manager for whom something of each kind waits.
const decider = "manager@demo.test"

// undecidedOvertime are those for whom dates of overtime of some of their people wait, and of how many.
var undecidedOvertime = map[string]int{decider: 2, LargeOwner: 8}

// decidedOvertime is of how many past days overtime is decided about: longer than any waits.
const decidedOvertime = 35

// addInbox decides about the overtime of the last days, and in the company of the decider adds what
// waits for them.
func addInbox(ctx context.Context, f *filler) error {
	if err := f.decideOvertime(ctx); err != nil {
		return err
	}
	if f.named(decider) == nil {
		return nil
	}
	phone, err := f.addPhone(ctx)
	if err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{
		func(ctx context.Context) error { return f.flagEvents(ctx, phone) },
		f.askCorrections, f.askLeaves, f.askSwap,
		func(ctx context.Context) error { return f.askDevice(ctx, phone) },
		func(ctx context.Context) error {
			return f.db.FaceReset.Create().SetCompanyID(f.company.ID).SetUserID(f.named("nur@demo.test").ID).
				SetReason("Sekarang memakai kacamata").SetRequestedAt(f.now.Add(-29 * time.Hour)).Exec(ctx)
		},
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// named returns the person with an e-mail address; nil where the company has none.
func (f *filler) named(email string) *ent.User {
	i := f.index(email)
	if i < 0 {
		return nil
	}
	return f.users[i]
}

// index returns which of the people has an e-mail address; -1 where the company has none.
func (f *filler) index(email string) int {
	return slices.IndexFunc(f.people, func(p personData) bool { return p.email == email })
}

// chains returns who leads each person, the nearest first, without themselves. Nobody leads an
// owner: others may not decide about one.
func (f *filler) chains() map[int][]int {
	ids, units := make(map[string]int, len(f.users)), make(map[string]unitData, len(f.companyData.units))
	for i, u := range f.users {
		ids[f.people[i].email] = u.ID
	}
	for _, u := range f.companyData.units {
		units[u.name] = u
	}
	chains := make(map[int][]int, len(f.users))
	for i, u := range f.users {
		if f.people[i].role == viewer.Owner {
			continue
		}
		for unit, ok := units[f.people[i].unit]; ok; unit, ok = units[unit.parent] {
			if m := ids[unit.manager]; m != 0 && m != u.ID {
				chains[u.ID] = append(chains[u.ID], m)
			}
		}
	}
	return chains
}

// decideOvertime approves the overtime of the last days that nobody has decided about, but the latest
// of a few people. What only the person themselves could decide stays.
func (f *filler) decideOvertime(ctx context.Context) error {
	results, err := f.db.ShiftResult.Query().
		Where(shiftresult.CompanyID(f.company.ID), shiftresult.OvertimeSecondsGT(0),
			shiftresult.DateGTE(string(f.today().AddDays(-decidedOvertime))),
			shiftresult.StatusNEQ(shiftresult.StatusNeedsConfirmation)).
		Select(shiftresult.FieldUserID, shiftresult.FieldDate, shiftresult.FieldOvertimeSeconds).
		Order(ent.Desc(shiftresult.FieldDate), ent.Desc(shiftresult.FieldID)).All(ctx)
	if err != nil {
		return err
	}
	decided, err := f.db.OvertimeApproval.Query().Where(overtimeapproval.CompanyID(f.company.ID)).All(ctx)
	if err != nil {
		return err
	}
	done := map[userDate]bool{}
	for _, d := range decided {
		done[userDate{d.UserID, d.Date}] = true
	}
	chains, waits := f.chains(), f.waits()
	rows := &bulk{table: overtimeapproval.Table}
	ctx = ent.NewContext(ctx, f.db)
	for _, r := range results {
		key, by := userDate{r.UserID, r.Date}, chains[r.UserID]
		if len(by) == 0 || done[key] {
			continue
		}
		done[key] = true
		if waits(r.UserID, by) {
			continue
		}
		m := f.approval(r, by[0]).Mutation()
		if rows.columns == nil {
			rows.columns = m.Fields()
		}
		if err := rows.add(ctx, cellsOf(m, rows.columns)); err != nil {
			return err
		}
	}
	return rows.flush(ctx)
}

// waits returns what says whether overtime of a person whom somebody leads stays undecided.
func (f *filler) waits() func(user int, by []int) bool {
	left, seen := map[int]int{}, map[int]bool{}
	for email, n := range undecidedOvertime {
		if u := f.named(email); u != nil {
			left[u.ID] = n
		}
	}
	return func(user int, by []int) bool {
		i := slices.IndexFunc(by, func(id int) bool { return left[id] > 0 })
		if i < 0 || seen[user] {
			return false
		}
		left[by[i]]--
		seen[user] = true
		return true
	}
}

// approval approves the overtime of a result, at five in the afternoon of the next day.
func (f *filler) approval(r *ent.ShiftResult, by int) *ent.OvertimeApprovalCreate {
	at := shift.Date(r.Date).AddDays(1).In(f.zone).Add(17 * time.Hour)
	if at.After(f.now) {
		at = f.now.Add(-time.Hour)
	}
	return f.db.OvertimeApproval.Create().SetCompanyID(f.company.ID).SetUserID(r.UserID).
		SetDate(r.Date).SetApproved(true).SetSeconds(r.OvertimeSeconds).SetDecidedBy(by).SetDecidedAt(at.UTC())
}

// addPhone adds a phone that nobody trusts. No token has its hash.
func (f *filler) addPhone(ctx context.Context) (*ent.Device, error) {
	return f.db.Device.Create().SetDeviceID("demo-phone").
		SetPlatform(device.PlatformAndroid).SetModel("Samsung Galaxy A55").
		SetTokenHash([]byte("the hash of no token of any phone")[:32]).SetCreatedAt(f.now.Add(-4 * time.Hour)).Save(ctx)
}

// latest returns the latest attendance of somebody.
func (f *filler) latest(ctx context.Context, u *ent.User) (*ent.Attendance, error) {
	return f.db.Attendance.Query().Where(entAttendance.UserID(u.ID), entAttendance.ClockedOutAtNotNil()).
		Order(ent.Desc(entAttendance.FieldWorkDate, entAttendance.FieldID)).First(ctx)
}

// flagEvents flags the end of an attendance of four people, each for another reason.
func (f *filler) flagEvents(ctx context.Context, phone *ent.Device) error {
	for _, e := range []struct {
		email string
		flag  func(update *ent.AttendanceUpdateOne, a *ent.Attendance, radius *int)
	}{
		{"agus@demo.test", f.flagOutside},
		{"lukman@demo.test", f.flagPosition},
		{"fitri@demo.test", func(update *ent.AttendanceUpdateOne, _ *ent.Attendance, radius *int) {
			f.flagClockIn(update.SetClockedInDeviceID(phone.ID), f.judged(radius, ofClockIn...), verdict.SharedDevice)
		}},
		{"sumarni@demo.test", f.flagFace},
	} {
		a, err := f.latest(ctx, f.named(e.email))
		if err != nil {
			return err
		}
		update := f.db.Attendance.UpdateOneID(a.ID)
		e.flag(update, a, f.site(f.people[f.index(e.email)]).Radius)
		if err := update.Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// judged is what an event of a site with a radius is judged by, by the policies of a position and
// the like as well as by those of every event.
func (f *filler) judged(radius *int, of ...setting.Key[string]) verdict.Judged {
	by := verdict.Judged{
		Policies: map[string]string{}, RadiusMeters: radius,
		AccuracyMeters: setting.AccuracyMeters.Of(f.company.Settings), SpeedLimitKmh: setting.SpeedKmh.Of(f.company.Settings),
	}
	for _, key := range append(of, setting.Accuracy, setting.Mock, setting.Speed) {
		by.Policies[key.Name] = key.Of(f.company.Settings)
	}
	return by
}

// ofClockIn are the policies of a clock-in alone.
var ofClockIn = []setting.Key[string]{setting.GeofenceIn, setting.Device, setting.Face}

// flagClockIn flags a clock-in, which then waits for a decision.
func (f *filler) flagClockIn(update *ent.AttendanceUpdateOne, by verdict.Judged, flags ...string) {
	update.SetClockedInFlags(flags).SetClockedInVerdict(by).SetClockedInReview(entAttendance.ClockedInReviewPending)
}

// flagOutside has a clock-out lie some 600 metres north of the site.
func (f *filler) flagOutside(update *ent.AttendanceUpdateOne, a *ent.Attendance, radius *int) {
	const away = 0.0054 // degrees
	site := f.sites["Kantor Pusat"]
	out := geofence.Point{Lat: math.Round((*a.ClockedOutLatitude+away)*1e6) / 1e6, Lng: *a.ClockedOutLongitude}
	metres := int(geofence.Distance(geofence.Point{Lat: site.Latitude, Lng: site.Longitude}, out))
	update.SetClockedOutLatitude(out.Lat).SetClockedOutDistance(metres).
		SetClockedOutGeofence(entAttendance.ClockedOutGeofenceOutside).SetClockedOutFlags([]string{verdict.Outside}).
		SetClockedOutNote("Langsung dari kantor pelanggan").SetClockedOutVerdict(f.judged(radius, setting.GeofenceOut)).
		SetClockedOutReview(entAttendance.ClockedOutReviewPending)
}

// flagPosition has the phone say that the position of a clock-in is poor and made up.
func (f *filler) flagPosition(update *ent.AttendanceUpdateOne, _ *ent.Attendance, radius *int) {
	by := f.judged(radius, ofClockIn...)
	update.SetClockedInAccuracy(float64(3 * by.AccuracyMeters)).SetClockedInMocked(true)
	f.flagClockIn(update, by, verdict.LowAccuracy, verdict.Mock)
}

// flagFace has the face of a clock-in differ from the registered one.
func (f *filler) flagFace(update *ent.AttendanceUpdateOne, _ *ent.Attendance, radius *int) {
	part := func(key setting.Key[int]) float64 { return float64(key.Of(f.company.Settings)) / 1000 }
	by := f.judged(radius, ofClockIn...)
	by.Face = &verdict.FaceLimits{
		Match: part(setting.FaceMatch), Doubtful: part(setting.FaceDoubtful), Replay: part(setting.FaceReplay),
	}
	update.SetFaceVerdict(entAttendance.FaceVerdictMismatch).SetFaceMatched(false).SetFaceVersion(1).
		SetFaceDistance(2 * by.Face.Doubtful).SetFacePolicy(entAttendance.FacePolicyFlag)
	f.flagClockIn(update, by, "face_mismatch")
}

// askCorrections adds two corrections that wait: of a clock-in and of a clock-out.
func (f *filler) askCorrections(ctx context.Context) error {
	for i, email := range []string{"ayu@demo.test", "indah@demo.test"} {
		a, err := f.latest(ctx, f.named(email))
		if err != nil {
			return err
		}
		create := f.db.Correction.Create().SetCompanyID(f.company.ID).SetUserID(a.UserID).
			SetEmployeeShiftID(a.EmployeeShiftID).SetAttendanceID(a.ID).SetDate(a.WorkDate).
			SetCreatedAt(f.now.Add(time.Duration(-23-i) * time.Hour)).SetExpiresAt(f.now.AddDate(0, 0, decisionDays-1))
		in, out := a.ClockedInAt, *a.ClockedOutAt
		if i == 0 {
			in = in.Add(-8 * time.Minute)
			create.SetClockInAt(in).SetReason("Antrean di pintu masuk")
		} else {
			out = out.Add(12 * time.Minute)
			create.SetClockOutAt(out).SetReason("Ponsel mati saat pulang")
		}
		if err := create.SetCoversFrom(in).SetCoversUntil(out).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// askLeaves adds three leaves that wait. One is on a date on which a colleague of the same team is
// away.
func (f *filler) askLeaves(ctx context.Context) error {
	types, err := f.db.LeaveType.Query().Where(leavetype.CompanyID(f.company.ID)).All(ctx)
	if err != nil {
		return err
	}
	monday := f.today().AddDays(21).Monday()
	for i, l := range []struct {
		email, kind string
		first, last int // days after monday
		reason      string
		approved    bool
	}{
		{"siti@demo.test", "Cuti tahunan", 2, 4, "Menikahkan adik", true},
		{"agus@demo.test", "Cuti tahunan", 3, 4, "Mudik", false},
		{"maya@demo.test", "Kerja dari rumah", 0, 1, "Perbaikan atap rumah", false},
		{"kartika@demo.test", "Cuti tahunan", 0, 0, "Wisuda anak", false},
	} {
		t := slices.IndexFunc(types, func(t *ent.LeaveType) bool { return t.Name == l.kind })
		var dates []string
		for d := l.first; d <= l.last; d++ {
			dates = append(dates, string(monday.AddDays(d)))
		}
		create := f.db.Leave.Create().SetCompanyID(f.company.ID).SetUserID(f.named(l.email).ID).SetLeaveTypeID(types[t].ID).
			SetWorkFromHome(types[t].WorkFromHome).SetStartsOn(dates[0]).SetEndsOn(dates[len(dates)-1]).SetDates(dates).
			SetReason(l.reason).SetCreatedAt(f.now.Add(time.Duration(i-22) * time.Hour)).
			SetExpiresAt(f.now.AddDate(0, 0, decisionDays-1))
		if l.approved {
			create.SetState(entLeave.StateApproved).SetDecidedBy(f.named(decider).ID).SetDecidedAt(f.now.Add(-3 * time.Hour))
		}
		if err := create.Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// askSwap adds a swap of next week that the colleague has agreed to: a day for a night.
func (f *filler) askSwap(ctx context.Context) error {
	date := f.today().AddDays(7).Monday().AddDays(2)
	one, other := f.pattern("Pagi").hours, f.shifts["Malam"]
	return f.db.ShiftSwap.Create().SetCompanyID(f.company.ID).SetUserID(f.named("agus@demo.test").ID).
		SetDate(string(date)).SetShiftID(f.shifts["Pagi"].ID).SetColleagueID(f.named("dimas@demo.test").ID).
		SetWantedDate(string(date)).
		SetWantedShiftID(other.ID).SetState(shiftswap.StateAgreed).SetNote("Mengantar anak ke dokter").
		SetCreatedAt(f.now.Add(-20 * time.Hour)).SetExpiresAt(one.On(date).StartAt.UTC()).Exec(ctx)
}

// askDevice has somebody ask to trust a phone.
func (f *filler) askDevice(ctx context.Context, phone *ent.Device) error {
	return f.db.DeviceApproval.Create().SetCompanyID(f.company.ID).SetUserID(f.named("joko@demo.test").ID).
		SetDeviceID(phone.ID).SetPlatform(string(phone.Platform)).SetNillableModel(phone.Model).
		SetRequestedAt(f.now.Add(-4 * time.Hour)).SetExpiresAt(f.now.Add(68 * time.Hour)).Exec(ctx)
}
