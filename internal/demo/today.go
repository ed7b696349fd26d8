package demo

import (
	"context"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	entLeave "workforce/ent/leave"
	"workforce/ent/leavetype"
	entPosition "workforce/ent/position"
	"workforce/internal/verdict"
)

// A turnout is when somebody comes today and goes, if they have a shift.
type turnout struct {
	email   string
	in, out int // minutes after the start and the end of the shift; negative before
}

// turnouts are those of the decider's people who work today, of each shift some on time and one or
// two late. All others are left to whoever tries to clock in; they are missing meanwhile.
var turnouts = []turnout{
	{"indah@demo.test", -14, 6}, {"kartika@demo.test", -7, 11}, {"lukman@demo.test", 17, 22}, {inaccurate, 6, 4},
	{"slamet@demo.test", -9, 3}, {"hendra@demo.test", 8, 5},
}

const (
	inaccurate = "sumarni@demo.test" // clocks in today where the position is poor
	onLeave    = "rizky@demo.test"   // has leave today
)

// addToday adds, in the company of the decider, what their people have done today until now.
func addToday(ctx context.Context, f *filler) error {
	if f.named(decider) == nil {
		return nil
	}
	for _, step := range []func(context.Context) error{
		f.turnOut, f.flagInaccurate, f.keepPositions, f.addResultsToday, f.takeLeave,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// turnOut has the turnouts clock in and out, as far as it is time.
func (f *filler) turnOut(ctx context.Context) error {
	var users []*ent.User
	for _, t := range turnouts {
		users = append(users, f.named(t.email))
	}
	occurrences, err := f.addOccurrences(ctx, f.today(), users)
	if err != nil {
		return err
	}
	var list []entry
	for i, t := range turnouts {
		o, site := occurrences[users[i].ID], f.site(f.people[f.index(t.email)])
		if o == nil {
			continue
		}
		e := entry{
			occurrence: o, site: site,
			in: o.StartAt.Add(between(f.random, t.in, t.in+1)), out: o.EndAt.Add(between(f.random, t.out, t.out+1)),
			inPoint: near(f.random, site), outPoint: near(f.random, site),
		}
		if e.out.After(f.now) {
			e.out = time.Time{}
		}
		if !e.in.After(f.now) {
			list = append(list, e)
		}
	}
	return f.addEntries(ctx, list)
}

// ofToday selects the attendances of today.
func (f *filler) ofToday() *ent.AttendanceQuery {
	return f.db.Attendance.Query().
		Where(entAttendance.CompanyID(f.company.ID), entAttendance.WorkDate(string(f.today()))).
		Order(ent.Asc(entAttendance.FieldID))
}

// flagInaccurate flags today's clock-in of inaccurate, if there is one.
func (f *filler) flagInaccurate(ctx context.Context) error {
	a, err := f.ofToday().Where(entAttendance.UserID(f.named(inaccurate).ID)).WithAddress().Only(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	by := f.judged(a.Edges.Address.Radius, ofClockIn...)
	update := a.Update().SetClockedInAccuracy(float64(2 * by.AccuracyMeters)).
		SetClockedInNote("Sinyal lemah di dalam gudang")
	f.flagClockIn(update, by, verdict.LowAccuracy)
	return update.Exec(ctx)
}

// keepPositions keeps the positions of today's clock events, as clocking does without consent.
func (f *filler) keepPositions(ctx context.Context) error {
	list, err := f.ofToday().All(ctx)
	if err != nil {
		return err
	}
	var creates []*ent.PositionCreate
	add := func(user int, at time.Time, lat, lng float64, source entPosition.Source) *ent.PositionCreate {
		create := f.db.Position.Create().SetCompanyID(f.company.ID).SetUserID(user).SetRecordedAt(at).SetReceivedAt(at).
			SetLatitude(lat).SetLongitude(lng).SetSource(source)
		creates = append(creates, create)
		return create
	}
	for _, a := range list {
		add(a.UserID, a.ClockedInAt, a.ClockedInLatitude, a.ClockedInLongitude, entPosition.SourceClockIn).
			SetNillableAccuracy(a.ClockedInAccuracy)
		if a.ClockedOutAt != nil {
			add(a.UserID, *a.ClockedOutAt, *a.ClockedOutLatitude, *a.ClockedOutLongitude, entPosition.SourceClockOut)
		}
	}
	return f.db.Position.CreateBulk(creates...).Exec(ctx)
}

// addResultsToday finds the results of the shifts of today whose people have gone.
func (f *filler) addResultsToday(ctx context.Context) error {
	ids, err := f.ofToday().Where(entAttendance.ClockedOutAtNotNil()).QueryEmployeeShift().IDs(ctx)
	if err != nil {
		return err
	}
	return f.findResults(ctx, ids)
}

// takeLeave has onLeave have leave today, if they have a shift.
func (f *filler) takeLeave(ctx context.Context) error {
	u, today := f.named(onLeave), string(f.today())
	occurrences, err := f.addOccurrences(ctx, f.today(), []*ent.User{u})
	if err != nil || occurrences[u.ID] == nil {
		return err
	}
	annual, err := f.db.LeaveType.Query().
		Where(leavetype.CompanyID(f.company.ID), leavetype.Name("Cuti tahunan")).OnlyID(ctx)
	if err != nil {
		return err
	}
	asked := f.now.AddDate(0, 0, -6)
	return f.db.Leave.Create().SetCompanyID(f.company.ID).SetUserID(u.ID).SetLeaveTypeID(annual).
		SetStartsOn(today).SetEndsOn(today).SetDates([]string{today}).SetReason("Mengurus surat-surat").
		SetCreatedAt(asked).SetExpiresAt(asked.AddDate(0, 0, decisionDays)).SetState(entLeave.StateApproved).
		SetDecidedBy(f.named(decider).ID).SetDecidedAt(asked.Add(5 * time.Hour)).Exec(ctx)
}
