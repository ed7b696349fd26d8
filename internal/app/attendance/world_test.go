package attendance

import (
	"context"
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/plantest"
	"workforce/internal/app/apptest/servicetest"
	"workforce/internal/app/input"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/tx"
	"workforce/internal/app/worktime"
	"workforce/internal/face"
	"workforce/internal/scalar"
	"workforce/internal/sealed"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// center is the position of the world's work site.
var center = scalar.Coordinate{Degrees: -6.2, Valid: true}

// centerLng is its longitude, in degrees.
const centerLng = 106.816666

// metre is one metre to the north, in degrees.
const metre = 180 / (math.Pi * 6_371_000)

// jakarta reads a time in Jakarta: of the tests' day as 15:04 or 15:04:05, of
// another as 2006-01-02 15:04.
func jakarta(text string) time.Time {
	zone, err := shift.Zone("Asia/Jakarta")
	if err != nil {
		panic(err)
	}
	for _, layout := range []string{"2006-01-02 15:04:05", "2006-01-02 15:04"} {
		for _, date := range []string{"", "2026-03-11 "} {
			if t, err := time.ParseInLocation(layout, date+text, zone); err == nil {
				return t.UTC()
			}
		}
	}
	panic(text)
}

// A world is a company with a work site of 100 metres and somebody who works from
// 08:00 to 17:00 with a break at noon, every day.
type world struct {
	*apptest.World
	*Service
	user       *ent.User
	site       *ent.Address
	assignment *ent.ShiftAssignment
	today      *ent.EmployeeShift
	settings   setting.Values // of the company; nil for the defaults
}

// newWorld returns a world at 10:00 in which nobody clocked in yet.
func newWorld(t testing.TB) *world {
	t.Helper()
	return newWorldOn(t, testdb.SQLite(t))
}

// newWorldOn is newWorld in the empty database of a URL.
func newWorldOn(t testing.TB, url string) *world {
	t.Helper()
	w := &world{World: apptest.On(t, url)}
	s, key := servicetest.New(t, w.World), sealed.Key{}
	w.Service = &Service{
		Now: w.Now, Faces: sealed.NewSealer("faces", key), FaceKey: sealed.NewRing(key).Derive("face digests"), Notify: s.Notify, Audit: s.Audit,
		Work: &worktime.Service{Now: w.Now, Plans: s.Plans}, Days: s.Days,
	}
	w.user = w.User(t, "Budi")
	w.site = w.addSite(t, nil)
	w.assignment = w.assign(t, w.user, w.addShift(t, "08:00", "17:00", func(s *ent.ShiftCreate) { s.SetBreaks([]string{"12:00-13:00"}) }))
	w.today = w.occurrence(t, w.assignment, "2026-03-11")
	return w
}

// Now is the clock of the world.
func (w *world) Now() time.Time { return w.World.Now() }

// addSite adds a work site with a radius of 100 metres.
func (w *world) addSite(t testing.TB, change func(*ent.AddressCreate)) (site *ent.Address) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		create := db.Address.Create().SetCompanyID(w.Company.ID).SetName("Pusat").SetAddress("Jalan 1").
			SetLatitude(center.Degrees).SetLongitude(centerLng).SetRadius(100)
		if change != nil {
			change(create)
		}
		site, err = create.Save(ctx)
		return err
	})
	return site.Unwrap()
}

// addShift adds a shift with margins of an hour.
func (w *world) addShift(t testing.TB, start, end string, change func(*ent.ShiftCreate)) (s *ent.Shift) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		create := db.Shift.Create().SetCompanyID(w.Company.ID).SetName(start + "–" + end).SetStartTime(start).SetEndTime(end)
		if change != nil {
			change(create)
		}
		s, err = create.Save(ctx)
		return err
	})
	return s.Unwrap()
}

// assign gives a user a shift, every day.
func (w *world) assign(t testing.TB, u *ent.User, s *ent.Shift) (a *ent.ShiftAssignment) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		a, err = db.ShiftAssignment.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetShiftID(s.ID).
			SetStartsOn("2026-01-01").SetWeekdays([]int{1, 2, 3, 4, 5, 6, 7}).Save(ctx)
		return err
	})
	a = a.Unwrap()
	a.Edges.Shift = s
	return a
}

// occurrence adds the occurrence of an assignment on a date.
func (w *world) occurrence(t testing.TB, a *ent.ShiftAssignment, date shift.Date) (o *ent.EmployeeShift) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		zone := w.Company.Timezone
		if own := a.Edges.Shift.Timezone; own != nil {
			zone = *own
		}
		o, err = plantest.Add(ctx, scheduling.NewOccurrence(a, a.Edges.Shift, shift.ZoneNamed(zone), date))
		return err
	})
	return o.Unwrap()
}

// attend adds an attendance; out is "" for an open one.
func (w *world) attend(t testing.TB, o *ent.EmployeeShift, in, out string, change func(*ent.AttendanceUpdateOne)) (a *ent.Attendance) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		a, err = entered(db, o, w.site.ID, jakarta(in)).Save(ctx)
		if err != nil {
			return err
		}
		update := a.Update()
		if out != "" {
			update.ClearOpenMarker().SetClockedOutAt(jakarta(out)).SetClockedOutReceivedAt(jakarta(out)).SetClockedOutSource("app")
		}
		if change != nil {
			change(update)
		}
		a, err = update.Save(ctx)
		return err
	})
	return a.Unwrap()
}

// entered returns the creation of an open attendance.
func entered(db *ent.Client, o *ent.EmployeeShift, site int, in time.Time) *ent.AttendanceCreate {
	local, offset := shift.Wall(in, shift.ZoneNamed(o.Timezone))
	return db.Attendance.Create().SetCompanyID(o.CompanyID).SetUserID(o.UserID).SetEmployeeShiftID(o.ID).SetAddressID(site).
		SetWorkDate(o.Date).SetClockedInAt(in).SetClockedInLocal(local).SetClockedInOffset(offset).SetClockedInZone(o.Timezone).
		SetClockedInReceivedAt(in).SetClockedInLatitude(center.Degrees).SetClockedInLongitude(centerLng).
		SetClockedInSource("app").SetClockedInGeofence("inside")
}

// attendances returns somebody's attendances in the order of their ids.
func (w *world) attendances(u *ent.User) []*ent.Attendance {
	return w.DB.Attendance.Query().Where(entAttendance.UserID(u.ID)).Order(ent.Asc(entAttendance.FieldID)).AllX(w.System())
}

// on returns the context of an employee who uses a device, outside of a
// transaction.
func (w *world) on(u *ent.User, device int) context.Context {
	ctx := w.As(u, viewer.Employee)
	viewer.From(ctx).DeviceID, viewer.From(ctx).Settings = device, w.settings
	return ctx
}

// viewer returns the world's user on a device.
func (w *world) viewer(device int) *viewer.Viewer { return viewer.From(w.on(w.user, device)) }

// signIn adds a session of a user on a device.
func (w *world) signIn(t testing.TB, u *ent.User, device int) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		for n := db.Device.Query().CountX(ctx); n < device; n++ {
			err := db.Device.Create().SetDeviceID(fmt.Sprint("phone ", n)).SetPlatform("android").
				SetTokenHash(fmt.Appendf(make([]byte, 0, 32), "%032d", n)).SetCreatedAt(apptest.Now).Exec(ctx)
			if err != nil {
				return err
			}
		}
		n := db.Session.Query().CountX(ctx)
		return db.Session.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(device).
			SetFamily(fmt.Appendf(nil, "%016d", n)).SetCreatedAt(apptest.Now).Exec(ctx)
	})
}

// clockIn clocks the world's user in, in a transaction.
func (w *world) clockIn(change ...func(*model.ClockInInput)) (opened int, err error) {
	in := model.ClockInInput{
		AddressID: given(w.site.ID), EmployeeShiftID: given(w.today.ID),
		Latitude: given(center), Longitude: given(scalar.Coordinate{Degrees: centerLng, Valid: true}),
	}
	for _, c := range change {
		c(&in)
	}
	err = tx.Run(w.on(w.user, 7), w.DB, func(ctx context.Context) error {
		opened, err = w.ClockIn(ctx, in)
		return err
	})
	return opened, err
}

// clockOut clocks the world's user out, in a transaction.
func (w *world) clockOut(change ...func(*model.ClockOutInput)) error {
	in := model.ClockOutInput{
		EmployeeShiftID: given(w.today.ID),
		Latitude:        given(center), Longitude: given(scalar.Coordinate{Degrees: centerLng, Valid: true}),
	}
	for _, c := range change {
		c(&in)
	}
	return tx.Run(w.on(w.user, 8), w.DB, func(ctx context.Context) error { return w.ClockOut(ctx, in) })
}

// given returns a member of an input.
func given[T any](v T) input.Omittable[*T] { return input.Given(&v) }

// oval returns landmarks of a plausible face, moved to the right.
func oval(right float64) []face.Point {
	points := make([]face.Point, 24)
	for i := range points {
		part, angle := float64(i+1)/24, 2.399963*float64(i)
		points[i] = face.Point{
			X: 0.5 + right + 0.15*math.Sqrt(part)*math.Cos(angle), Y: 0.5 + 0.2*math.Sqrt(part)*math.Sin(angle), Z: -0.05 * (1 - part),
		}
	}
	return points
}

// sent returns landmarks as an input has them.
func sent(points []face.Point) input.Omittable[scalar.Landmarks] {
	return input.Given(scalar.Landmarks(points))
}

// wantCode compares the code of an error, as apptest.Code gives it.
func wantCode(t *testing.T, about string, err error, want string) {
	t.Helper()
	if got := apptest.Code(err); got != want {
		t.Errorf("%s: got %q, want %q", about, got, want)
	}
}

// times formats what happened when.
func times(a *ent.Attendance) string {
	out := "open"
	if a.ClockedOutAt != nil {
		out = a.ClockedOutAt.In(shift.ZoneNamed("Asia/Jakarta")).Format("02 15:04:05")
	}
	return fmt.Sprintf("%s to %s", a.ClockedInAt.In(shift.ZoneNamed("Asia/Jakarta")).Format("02 15:04:05"), out)
}

// centerNorth is a latitude some metres north of the work site.
func centerNorth(metres float64) scalar.Coordinate {
	return scalar.Coordinate{Degrees: center.Degrees + metres*metre, Valid: true}
}

// nothing returns a member of an input that is null.
func nothing[T any]() input.Omittable[*T] { return input.Given[*T](nil) }
