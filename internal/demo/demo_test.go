package demo

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nyaruka/phonenumbers"

	"workforce/ent"
	"workforce/ent/address"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/business"
	"workforce/ent/company"
	entCorrection "workforce/ent/correction"
	"workforce/ent/employeeshift"
	"workforce/ent/holiday"
	entLeave "workforce/ent/leave"
	"workforce/ent/migrate"
	entOvertimeApproval "workforce/ent/overtimeapproval"
	entPosition "workforce/ent/position"
	_ "workforce/ent/runtime"
	entSetting "workforce/ent/setting"
	entShift "workforce/ent/shift"
	"workforce/ent/shiftassignment"
	"workforce/ent/shiftresult"
	entTask "workforce/ent/task"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/timeweek"
	"workforce/ent/user"
	"workforce/internal/app/organization"
	"workforce/internal/app/tx"
	"workforce/internal/contact"
	"workforce/internal/database"
	"workforce/internal/geofence"
	"workforce/internal/period"
	"workforce/internal/shift"
	"workforce/internal/testdb"
	"workforce/internal/textform"
	"workforce/internal/verdict"
	"workforce/internal/viewer"
)

// testNow is a Wednesday, 10:00 in Jakarta.
var testNow = time.Date(2026, 3, 11, 3, 0, 0, 0, time.UTC)

// testHash stands for a password's.
const testHash = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA"

// openDB opens a database with all tables. The context is the system's. The
// settings, SQL statements, are those of the only connection, where there are
// any.
func openDB(t *testing.T, url string, settings ...string) (context.Context, *ent.Client) {
	t.Helper()
	pool, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	ctx := viewer.System(t.Context())
	if len(settings) > 0 {
		pool.Writer.SetMaxOpenConns(1)
	}
	for _, s := range settings {
		if _, err := pool.Writer.ExecContext(ctx, s); err != nil {
			t.Fatal(err)
		}
	}
	db := ent.NewClient(ent.Driver(pool.Driver()))
	if err := migrate.Create(ctx, pool.Driver()); err != nil {
		t.Fatal(err)
	}
	return ctx, db
}

// filledDB returns a database that the demo filled at now.
func filledDB(t *testing.T, url string, now time.Time) (context.Context, *ent.Client) {
	t.Helper()
	ctx, db := openDB(t, url)
	if err := Fill(ctx, db, now, testHash); err != nil {
		t.Fatal(err)
	}
	return ctx, db
}

// must returns a function that fails the test unless a query succeeds.
func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// counts returns how many rows of each kind there are.
func counts(t *testing.T, ctx context.Context, db *ent.Client) map[string]int {
	t.Helper()
	one := must[int](t)
	return map[string]int{
		"companies":         one(db.Company.Query().Count(ctx)),
		"roles":             one(db.Role.Query().Count(ctx)),
		"users":             one(db.User.Query().Count(ctx)),
		"clock states":      one(db.ClockState.Query().Count(ctx)),
		"user roles":        one(db.UserRole.Query().Count(ctx)),
		"user designations": one(db.UserDesignation.Query().Count(ctx)),
		"designations":      one(db.Designation.Query().Count(ctx)),
		"businesses":        one(db.Business.Query().Count(ctx)),
		"addresses":         one(db.Address.Query().Count(ctx)),
		"shifts":            one(db.Shift.Query().Count(ctx)),
		"assignments":       one(db.ShiftAssignment.Query().Count(ctx)),
		"occurrences":       one(db.EmployeeShift.Query().Count(ctx)),
		"attendances":       one(db.Attendance.Query().Count(ctx)),
		"settings":          one(db.Setting.Query().Count(ctx)),
	}
}

func TestFill(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		ctx, db := openDB(t, url)
		if filled, err := Filled(ctx, db); filled || err != nil {
			t.Errorf("Filled before = %v, %v; want false", filled, err)
		}
		start := time.Now()
		if err := Fill(ctx, db, testNow, testHash); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("filling took %v", took)
		}
		if filled, err := Filled(ctx, db); !filled || err != nil {
			t.Errorf("Filled after = %v, %v; want true", filled, err)
		}
		got := counts(t, ctx, db)
		for kind, want := range map[string]int{
			"companies": 2, "roles": 10, "users": 32, "clock states": 32, "user roles": 32,
			"designations": 9, "businesses": 8, "addresses": 4, "shifts": 4, "assignments": 32, "settings": 1,
		} {
			if got[kind] != want {
				t.Errorf("%d %s, want %d", got[kind], kind, want)
			}
		}
		if got["attendances"] < 200 || got["attendances"] >= got["occurrences"] {
			t.Errorf("%d attendances of %d occurrences, want most of them", got["attendances"], got["occurrences"])
		}

		if err := Fill(ctx, db, testNow.AddDate(0, 0, 3), testHash); err != nil {
			t.Errorf("second call: %v", err)
		}
		if diff := cmp.Diff(got, counts(t, ctx, db)); diff != "" {
			t.Errorf("the second call changed the rows (-before +after):\n%s", diff)
		}
	})
}

func TestFillRefusesOtherData(t *testing.T) {
	tests := []struct {
		name string
		put  func(ctx context.Context, db *ent.Client) error
		want error
	}{
		{"a company", func(ctx context.Context, db *ent.Client) error {
			_, err := acme(ctx, db, "Nusantara Demo", "Asia/Jakarta", "id")
			return err
		}, errOtherData},
		{"a device", func(ctx context.Context, db *ent.Client) error {
			return db.Device.Create().SetDeviceID("x").SetPlatform("web").
				SetTokenHash(make([]byte, 32)).SetCreatedAt(testNow).Exec(ctx)
		}, errOtherData},
		{"the server's own settings alone", func(ctx context.Context, db *ent.Client) error {
			return db.Setting.Create().SetName("key").SetValue("fingerprint").Exec(ctx)
		}, nil},
		{"the demo, and a company made later", func(ctx context.Context, db *ent.Client) error {
			if err := Fill(ctx, db, testNow, testHash); err != nil {
				return err
			}
			_, err := acme(ctx, db, "Acme", "Asia/Jakarta", "id")
			return err
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, db := openDB(t, testdb.SQLite(t))
			if err := tt.put(ctx, db); err != nil {
				t.Fatal(err)
			}
			before := counts(t, ctx, db)
			if _, err := Filled(ctx, db); !errors.Is(err, tt.want) {
				t.Errorf("Filled: %v, want %v", err, tt.want)
			}
			if err := Fill(ctx, db, testNow, testHash); !errors.Is(err, tt.want) {
				t.Errorf("Fill: %v, want %v", err, tt.want)
			}
			if diff := cmp.Diff(before, counts(t, ctx, db)); tt.want != nil && diff != "" {
				t.Errorf("a refusal changed the rows (-before +after):\n%s", diff)
			}
		})
	}
}

// TestFillKeepsNothingOfAFailure has the second company fail: what the first
// had is gone too.
func TestFillKeepsNothingOfAFailure(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		ctx, db := openDB(t, url)
		db.User.Use(func(next ent.Mutator) ent.Mutator {
			return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
				if key, _ := m.Field(user.FieldEmailKey); key == "admin@tetangga.test" {
					return nil, errors.New("no room")
				}
				return next.Mutate(ctx, m)
			})
		})
		if err := Fill(ctx, db, testNow, testHash); err == nil || !strings.Contains(err.Error(), "Tetangga Demo: no room") {
			t.Errorf("err = %v, want that of Tetangga Demo", err)
		}
		for kind, n := range counts(t, ctx, db) {
			if n != 0 {
				t.Errorf("%d %s are left", n, kind)
			}
		}
	})
}

// TestFillAtOnce starts as several instances do: one fills, and none fails.
func TestFillAtOnce(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		ctx, db := openDB(t, url)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				if err := Fill(ctx, db, testNow, testHash); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if n := must[int](t)(db.User.Query().Count(ctx)); n != 32 {
			t.Errorf("%d users, want 32", n)
		}
	})
}

// TestFillWithStepsInIDs fills a database whose ids go up in steps, as those
// of a Galera node do.
func TestFillWithStepsInIDs(t *testing.T) {
	ctx, db := openDB(t, testdb.MySQL(t), "SET SESSION auto_increment_increment = 3", "SET SESSION auto_increment_offset = 2")
	if err := Fill(ctx, db, testNow, testHash); err != nil {
		t.Fatal(err)
	}
	checkEntries(t, ctx, db, testNow)
	checkTeam(t, ctx, db)
}

// TestDemoNames lists both companies by name, ignoring case, alike on both
// databases.
func TestDemoNames(t *testing.T) {
	want := []string{
		"Agus Setiawan", "Andini Kusumawardhani", "Asep Sutisna", "ayu Lestari", "Budi Santoso", "Cecep Hidayat",
		"dewi Anggraini", "Dimas Prasetyo", "Eko Nugroho", "Fitri Handayani", "Gita Wulandari", "hendra gunawan",
		"Indah Permatasari", "Joko Susilo", "Kartika Sari", "Lukman Hakim", "Maya Puspita", "Neng Kurniasih",
		"nur Hidayah", "Putri Maharani", "Ratna Wijayanti", "Rizky Ramadhan", "Siti Rahmawati", "Slamet Riyadi",
		"Sumarni", "tatang suherman", "Wahyu Nur'aini",
	}
	testdb.Each(t, func(t *testing.T, url string) {
		ctx, db := filledDB(t, url, testNow)
		c := must[*ent.Company](t)(db.Company.Query().Where(company.Name("Nusantara Demo")).Only(ctx))
		got := must[[]string](t)(db.User.Query().Where(user.CompanyID(c.ID)).
			Order(user.BySortName(), user.ByID()).Select(user.FieldName).Strings(ctx))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("names (-want +got):\n%s", diff)
		}
	})
}

// TestDemoPeople holds the people against what the demo promises of them.
func TestDemoPeople(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		ctx, db := filledDB(t, url, testNow)
		users := must[[]*ent.User](t)(db.User.Query().WithRoles().WithDesignations().All(ctx))
		verified, roles := map[string]string{}, map[string]string{}
		numberless, untitled, genderless, lower := 0, 0, 0, 0
		for _, u := range users {
			if !u.Active || u.PasswordHash == nil || *u.PasswordHash != testHash || u.Salutation != nil || u.LeftOn != nil {
				t.Errorf("%s: active %v, password %v, salutation %v, left %v", u.Email, u.Active, u.PasswordHash, u.Salutation, u.LeftOn)
			}
			if u.Phone != nil {
				verified[u.Email] = *u.Phone
			}
			if len(u.Edges.Roles) != 1 {
				t.Errorf("%s has %d roles", u.Email, len(u.Edges.Roles))
			} else if r := u.Edges.Roles[0]; *r.Builtin != viewer.Employee {
				roles[u.Email] = r.Name
			}
			checkNumber(t, u)
			numberless += count(u.MobileNumber == contact.NoNumber())
			untitled += count(len(u.Edges.Designations) == 0)
			genderless += count(u.Gender == nil)
			lower += count(u.Name[0] >= 'a')
		}
		if numberless < 3 || untitled < 3 || genderless < 2 || lower < 3 {
			t.Errorf("%d without number, %d without designation, %d without gender, %d in lower case; want some of each",
				numberless, untitled, genderless, lower)
		}
		wantVerified := map[string]string{
			"admin@demo.test": "+628401100001", "manager@demo.test": "+628401123789",
			"budi@demo.test": "+628401100003", "admin@tetangga.test": "+628401200001",
		}
		if diff := cmp.Diff(wantVerified, verified); diff != "" {
			t.Errorf("verified numbers (-want +got):\n%s", diff)
		}
		wantRoles := map[string]string{
			"admin@demo.test": "Owner", "admin@tetangga.test": "Owner", "manager@demo.test": "Manager",
			"siti@demo.test": "Supervisor", "asep@demo.test": "Supervisor",
		}
		if diff := cmp.Diff(wantRoles, roles); diff != "" {
			t.Errorf("roles above employee (-want +got):\n%s", diff)
		}
	})
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// checkNumber fails for half a number, and for one that may be somebody's.
func checkNumber(t *testing.T, u *ent.User) {
	t.Helper()
	n := u.MobileNumber
	if (n.CountryCode == nil) != (n.Number == nil) {
		t.Errorf("%s has half a number: %v", u.Email, n)
	}
	if n.Number == nil {
		return
	}
	key, ok := textform.NumberKey(*n.CountryCode, *n.Number)
	parsed, err := phonenumbers.Parse(key, "")
	if !ok || err != nil || phonenumbers.IsValidNumber(parsed) {
		t.Errorf("%s: %q is no number, or one that is in use", u.Email, *n.Number)
	}
}

// TestDemoRows checks that what belongs together is of one company, and that
// the manager leads some employees and not others.
func TestDemoRows(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		ctx, db := filledDB(t, url, testNow)
		checkTeam(t, ctx, db)
		for _, b := range must[[]*ent.Business](t)(db.Business.Query().WithParent().WithManager().WithUsers().All(ctx)) {
			if p := b.Edges.Parent; p != nil && p.CompanyID != b.CompanyID {
				t.Errorf("the parent of %s is of another company", b.Name)
			}
			if m := b.Edges.Manager; m != nil && m.CompanyID != b.CompanyID {
				t.Errorf("the manager of %s is of another company", b.Name)
			}
			for _, u := range b.Edges.Users {
				if u.CompanyID != b.CompanyID {
					t.Errorf("%s of %s is of another company", u.Name, b.Name)
				}
			}
		}
		site := must[*ent.Address](t)(db.Address.Query().Where(address.Name("Kantor Pusat")).Only(ctx))
		if site.Latitude != -6.2 || site.Longitude != 106.816666 || *site.Radius != 100 {
			t.Errorf("Kantor Pusat is at %v, %v, %d m", site.Latitude, site.Longitude, *site.Radius)
		}
	})
}

// checkTeam fails unless the manager's businesses hold budi and not everybody.
func checkTeam(t *testing.T, ctx context.Context, db *ent.Client) {
	t.Helper()
	led := must[[]int](t)(db.Business.Query().Where(business.Or(
		business.HasManagerWith(user.Email("manager@demo.test")),
		business.HasParentWith(business.HasManagerWith(user.Email("manager@demo.test"))),
	)).IDs(ctx))
	team := must[[]string](t)(db.User.Query().Where(user.BusinessIDIn(led...)).Select(user.FieldEmail).Strings(ctx))
	for email, want := range map[string]bool{
		"budi@demo.test": true, "siti@demo.test": true, "slamet@demo.test": true,
		"admin@demo.test": false, "asep@demo.test": false, "eko@demo.test": false, "admin@tetangga.test": false,
	} {
		if slices.Contains(team, email) != want {
			t.Errorf("%s in the manager's team: %v, want %v", email, !want, want)
		}
	}
}

func TestDemoShifts(t *testing.T) {
	for _, d := range []companyData{nusantara(), tetangga()} {
		for _, s := range d.shifts {
			s.hours.Zone = time.UTC
			o := s.hours.On("2026-03-10")
			if !o.StartAt.Before(o.EndAt) || o.ClockInUntil.Sub(o.ClockInFrom) >= 24*time.Hour {
				t.Errorf("%s of %s: occurrence %+v", s.name, d.name, o)
			}
			for _, b := range s.hours.BreaksOn(o.Date) {
				if b.Start.Before(o.StartAt) || !b.Start.Before(b.End) || b.End.After(o.EndAt) {
					t.Errorf("%s of %s: break %v outside of the shift", s.name, d.name, b)
				}
			}
		}
	}
	testdb.Each(t, func(t *testing.T, url string) {
		ctx, db := filledDB(t, url, testNow)
		free := must[*ent.Shift](t)(db.Shift.Query().Where(entShift.Name("Fleksibel")).Only(ctx))
		if free.LateGraceMinutes != nil || free.EarlyGraceMinutes != nil || free.OpensBeforeMinutes != 0 || free.ClosesAfterMinutes != 0 {
			t.Errorf("Fleksibel has graces %v, %v and margins %d, %d; want none",
				free.LateGraceMinutes, free.EarlyGraceMinutes, free.OpensBeforeMinutes, free.ClosesAfterMinutes)
		}
		day := must[*ent.Shift](t)(db.Shift.Query().Where(entShift.Name("Pagi"), entShift.StartTime("08:00")).First(ctx))
		if diff := cmp.Diff([]string{"12:00-13:00"}, day.Breaks); diff != "" || day.LateGraceMinutes == nil || *day.LateGraceMinutes != 0 {
			t.Errorf("Pagi: late grace %v, want 0; breaks (-want +got):\n%s", day.LateGraceMinutes, diff)
		}
		for _, email := range []string{"admin@demo.test", "budi@demo.test"} {
			a := must[*ent.ShiftAssignment](t)(db.ShiftAssignment.Query().
				Where(shiftassignment.HasUserWith(user.Email(email))).Only(ctx))
			if a.ShiftID != free.ID || len(a.Weekdays) != 7 || a.EndsOn != nil || a.EveryWeeks != 1 {
				t.Errorf("%s works shift %d on %v until %v", email, a.ShiftID, a.Weekdays, a.EndsOn)
			}
		}
	})
}

// TestDemoAttendance fills at times at which one shift or none runs.
func TestDemoAttendance(t *testing.T) {
	jakarta := must[*time.Location](t)(time.LoadLocation("Asia/Jakarta"))
	for _, text := range []string{
		"Mon 2026-03-09 00:00", "Tue 2026-03-10 01:00", "Wed 2026-03-11 17:10", "Thu 2026-03-12 22:00",
		"Fri 2026-03-13 06:20", "Sat 2026-03-14 05:58", "Sun 2026-03-15 23:59",
	} {
		now := must[time.Time](t)(time.ParseInLocation("Mon 2006-01-02 15:04", text, jakarta))
		t.Run(text, func(t *testing.T) {
			ctx, db := filledDB(t, testdb.SQLite(t), now)
			checkEntries(t, ctx, db, now)
		})
	}
	t.Run("mysql", func(t *testing.T) {
		ctx, db := filledDB(t, testdb.MySQL(t), testNow)
		checkEntries(t, ctx, db, testNow)
	})
}

// checkEntries fails unless every attendance is closed and before today, or of the turnouts, inside
// its window and, where it is not flagged, its site, and of one user and company throughout.
func checkEntries(t *testing.T, ctx context.Context, db *ent.Client, now time.Time) {
	t.Helper()
	entries := must[[]*ent.Attendance](t)(db.Attendance.Query().
		WithUser().WithAddress().WithEmployeeShift(func(q *ent.EmployeeShiftQuery) { q.WithAssignment().WithShift() }).All(ctx))
	if len(entries) < 200 {
		t.Errorf("%d attendances", len(entries))
	}
	events, forgot := map[int]int{}, map[string]int{}
	for _, a := range entries {
		checkEntry(t, a, now)
		forgot[a.Edges.User.Email] += count(a.NeedsConfirmation)
		today := a.WorkDate == string(shift.DateOf(now, must[*time.Location](t)(time.LoadLocation(a.ClockedInZone))))
		closed := a.ClockedOutAt != nil
		events[a.UserID] += 1 + count(closed) + count(closed && today) // today's result is found by itself
	}
	for email, n := range forgot {
		if want := count(slices.Contains(forgetful, email)); n != want {
			t.Errorf("%s forgot to clock out %d times, want %d", email, n, want)
		}
	}
	for _, s := range must[[]*ent.ClockState](t)(db.ClockState.Query().All(ctx)) {
		want := events[s.UserID]
		if must[int](t)(db.EmployeeShift.Query().Where(employeeshift.UserID(s.UserID)).Count(ctx)) > 0 {
			want++ // their results were found
		}
		if s.Events != want {
			t.Errorf("user %d has %d clock events, want %d", s.UserID, s.Events, want)
		}
	}
	for _, email := range []string{"admin@demo.test", "manager@demo.test", "budi@demo.test", "agus@demo.test"} {
		if n := must[int](t)(db.Attendance.Query().Where(entAttendance.HasUserWith(user.Email(email))).Count(ctx)); n < 5 {
			t.Errorf("%s has %d attendances", email, n)
		}
	}
	results := must[int](t)(db.ShiftResult.Query().Count(ctx))
	present := must[int](t)(db.ShiftResult.Query().Where(shiftresult.StatusEQ(shiftresult.StatusPresent)).Count(ctx))
	waiting := must[int](t)(db.ShiftResult.Query().Where(shiftresult.StatusEQ(shiftresult.StatusNeedsConfirmation)).Count(ctx))
	if results < 200 || present < 150 || waiting != len(forgetful) {
		t.Errorf("%d results, %d present, %d to be confirmed", results, present, waiting)
	}
	joinsToday := employeeshift.HasUserWith(user.Email("wahyu@demo.test"))
	if n := must[int](t)(db.EmployeeShift.Query().Where(joinsToday).Count(ctx)); n != 0 {
		t.Errorf("%d occurrences of somebody who joins today", n)
	}
}

func checkEntry(t *testing.T, a *ent.Attendance, now time.Time) {
	t.Helper()
	u, o, site := a.Edges.User, a.Edges.EmployeeShift, a.Edges.Address
	if a.AutoClosed {
		if !slices.Contains(forgetful, u.Email) || !a.NeedsConfirmation || a.ClockedOutAt.After(now) ||
			a.ClockedOutLatitude != nil {
			t.Errorf("%s on %s: closed by rule: %v", u.Email, a.WorkDate, a)
		}
		return
	}
	zone := must[*time.Location](t)(time.LoadLocation(o.Timezone))
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s on %s: "+format, append([]any{u.Email, a.WorkDate}, args...)...)
	}
	if o.UserID != u.ID || o.Edges.Assignment.UserID != u.ID || o.Edges.Shift.CompanyID != u.CompanyID ||
		a.CompanyID != u.CompanyID || o.CompanyID != u.CompanyID || site.CompanyID != u.CompanyID {
		fail("belongs to several people or companies")
	}
	window := shift.Occurrence{ClockInFrom: o.ClockInFrom, ClockInUntil: o.ClockInUntil}
	today := string(shift.DateOf(now, zone))
	if a.WorkDate != o.Date || o.Date > today || !window.Open(a.ClockedInAt) || a.ClockedInAt.After(now) {
		fail("of occurrence %s, in %v, window %v to %v", o.Date, a.ClockedInAt, o.ClockInFrom, o.ClockInUntil)
	}
	if o.Date == today && !slices.ContainsFunc(turnouts, func(x turnout) bool { return x.email == u.Email }) {
		fail("works today")
	}
	if (a.OpenMarker == nil) != (a.ClockedOutAt != nil) || a.ClockedOutAt == nil && o.Date != today {
		fail("open %v, out %v", a.OpenMarker, a.ClockedOutAt)
	}
	out := geofence.Point{Lat: a.ClockedInLatitude, Lng: a.ClockedInLongitude}
	if a.ClockedOutAt != nil {
		out = geofence.Point{Lat: *a.ClockedOutLatitude, Lng: *a.ClockedOutLongitude}
		if !a.ClockedOutAt.After(a.ClockedInAt) || a.ClockedOutAt.After(now) {
			fail("in %v, out %v, now %v", a.ClockedInAt, a.ClockedOutAt, now)
		}
	}
	if u.JoinedOn == nil || a.WorkDate < *u.JoinedOn {
		fail("works before joining on %v", u.JoinedOn)
	}
	center := geofence.Point{Lat: site.Latitude, Lng: site.Longitude}
	in := geofence.Point{Lat: a.ClockedInLatitude, Lng: a.ClockedInLongitude}
	flagged := slices.Contains(a.ClockedOutFlags, verdict.Outside)
	if r := float64(*site.Radius); !geofence.Contains(center, r, in) || geofence.Contains(center, r, out) == flagged {
		fail("%v or %v is outside of %s, or flagged so: %v", in, out, site.Name, flagged)
	}
	local, err := time.ParseInLocation("2006-01-02T15:04:05", a.ClockedInLocal, zone)
	if _, offset := local.Zone(); err != nil || !local.Equal(a.ClockedInAt) || offset != a.ClockedInOffset || a.ClockedInZone != o.Timezone {
		fail("in %v, local %q, offset %d, zone %s", a.ClockedInAt, a.ClockedInLocal, a.ClockedInOffset, a.ClockedInZone)
	}
}

// TestDemoOccurrences compares every stored occurrence with what its stored
// shift and assignment give.
func TestDemoOccurrences(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		ctx, db := filledDB(t, url, testNow)
		zones := map[int]*time.Location{}
		for _, c := range must[[]*ent.Company](t)(db.Company.Query().All(ctx)) {
			zones[c.ID] = must[*time.Location](t)(time.LoadLocation(c.Timezone))
		}
		rows := must[[]*ent.EmployeeShift](t)(db.EmployeeShift.Query().WithAssignment().WithShift().All(ctx))
		for _, o := range rows {
			s, a := o.Edges.Shift, o.Edges.Assignment
			zone := zones[o.CompanyID]
			hours := shift.Shift{
				Start: shift.Clock(s.StartTime), End: shift.Clock(s.EndTime), Zone: zone,
				OpensBefore: s.OpensBeforeMinutes, ClosesAfter: s.ClosesAfterMinutes,
			}
			for _, b := range s.Breaks {
				start, end, _ := strings.Cut(b, "-")
				hours.Breaks = append(hours.Breaks, shift.Break{Start: shift.Clock(start), End: shift.Clock(end)})
			}
			rule := shift.Assignment{StartsOn: shift.Date(a.StartsOn), Weekdays: a.Weekdays, EveryWeeks: a.EveryWeeks}
			if !rule.Covers(shift.Date(o.Date)) {
				t.Errorf("%s of assignment %d is not covered", o.Date, a.ID)
			}
			want := hours.On(shift.Date(o.Date))
			got := shift.Occurrence{
				Date: shift.Date(o.Date), StartAt: o.StartAt, EndAt: o.EndAt,
				ClockInFrom: o.ClockInFrom, ClockInUntil: o.ClockInUntil, BreakSeconds: o.BreakSeconds,
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("occurrence %d (-want +got):\n%s", o.ID, diff)
			}
			if o.Name != s.Name || o.ShiftVersion != s.Version || o.Timezone != zone.String() ||
				!cmp.Equal(o.Breaks, s.Breaks) || !cmp.Equal(o.LateGraceMinutes, s.LateGraceMinutes) || !cmp.Equal(o.EarlyGraceMinutes, s.EarlyGraceMinutes) {
				t.Errorf("occurrence %d is not of the shift as it is: %v, %v", o.ID, o, s)
			}
		}
	})
}

// TestDemoIsRepeatable fills two databases of different kinds at one time: they
// hold the same attendance.
func TestDemoIsRepeatable(t *testing.T) {
	var first []string
	testdb.Each(t, func(t *testing.T, url string) {
		ctx, db := filledDB(t, url, testNow)
		var lines []string
		for _, a := range must[[]*ent.Attendance](t)(db.Attendance.Query().WithUser().All(ctx)) {
			out := ""
			if a.ClockedOutAt != nil {
				out = a.ClockedOutAt.Format(time.RFC3339Nano)
			}
			lines = append(lines, strings.Join([]string{
				a.Edges.User.Email, a.ClockedInAt.Format(time.RFC3339Nano), out,
				geofence.FormatDegrees(a.ClockedInLatitude), strconv.FormatBool(a.ClockedOutLongitude == nil),
			}, " "))
		}
		slices.Sort(lines)
		if first == nil {
			first = lines
		}
		if diff := cmp.Diff(first, lines); diff != "" {
			t.Errorf("another attendance (-first +second):\n%s", diff)
		}
	})
}

// TestDemoMark tells when the database was filled.
func TestDemoMark(t *testing.T) {
	ctx, db := filledDB(t, testdb.SQLite(t), testNow.In(time.FixedZone("WIB", 7*3600)))
	mark := must[*ent.Setting](t)(db.Setting.Query().Where(entSetting.Name(mark)).Only(ctx))
	if mark.Value != "2026-03-11T03:00:00Z" {
		t.Errorf("value %q", mark.Value)
	}
}

// acme creates a company in a transaction of its own.
func acme(ctx context.Context, db *ent.Client, name, timezone, locale string) (c *ent.Company, err error) {
	err = tx.With(ctx, db, func(db *ent.Client) (err error) {
		c, err = organization.CreateCompany(ctx, db, testNow, name, timezone, locale)
		return err
	})
	return c, err
}

// TestDemoDays finds requests and decisions of every kind, results, a day's positions of
// somebody who consents, holidays and locked months, of which none has the past fortnight.
func TestDemoDays(t *testing.T) {
	ctx, db := filledDB(t, testdb.SQLite(t), testNow)
	for what, n := range map[string]int{
		"corrections that wait":       db.Correction.Query().Where(entCorrection.StateEQ(entCorrection.StatePending)).CountX(ctx),
		"corrections that were not":   db.Correction.Query().Where(entCorrection.StateEQ(entCorrection.StateRefused)).CountX(ctx),
		"leave that waits":            db.Leave.Query().Where(entLeave.StateEQ(entLeave.StatePending)).CountX(ctx),
		"leave that was approved":     db.Leave.Query().Where(entLeave.StateEQ(entLeave.StateApproved)).CountX(ctx),
		"overtime that was approved":  db.OvertimeApproval.Query().Where(entOvertimeApproval.Approved(true), entOvertimeApproval.SecondsGT(0)).CountX(ctx),
		"overtime that was refused":   db.OvertimeApproval.Query().Where(entOvertimeApproval.Approved(false)).CountX(ctx),
		"results of shifts":           db.ShiftResult.Query().CountX(ctx),
		"positions that are reported": db.Position.Query().Where(entPosition.SourceEQ(entPosition.SourceReport)).CountX(ctx),
		"people who consent":          db.User.Query().Where(user.CoordinateConsentAtNotNil()).CountX(ctx),
		"timers that run":             db.TimeEntry.Query().Where(entTimeEntry.SlotNotNil()).CountX(ctx) / 2,
		"time of a fortnight":         db.TimeEntry.Query().Where(entTimeEntry.SecondsGT(0)).CountX(ctx) / 60,
		"weeks that wait":             db.TimeWeek.Query().Where(timeweek.StateEQ(timeweek.StateSubmitted), timeweek.SecondsGT(0)).CountX(ctx),
		"weeks that were approved":    db.TimeWeek.Query().Where(timeweek.StateEQ(timeweek.StateApproved), timeweek.SecondsGT(0)).CountX(ctx),
		"tasks with time":             db.Task.Query().Where(entTask.EntryCountGT(0), entTask.TrackedSecondsGT(0)).CountX(ctx),
		"holidays":                    db.Holiday.Query().Where(holiday.Half(false)).CountX(ctx),
		"half holidays":               db.Holiday.Query().Where(holiday.Half(true)).CountX(ctx),
	} {
		if n == 0 {
			t.Errorf("no %s", what)
		}
	}
	locks := period.LocksOf(db.Company.Query().Order(ent.Asc(company.FieldID)).FirstX(ctx).Settings)
	for today := shift.Date("2026-03-01"); today <= "2026-03-31"; today = today.AddDays(1) {
		if _, locked := locks.Locked(today.AddDays(-14), today, period.NoPower); locked {
			t.Errorf("a fortnight ago is locked on %s", today)
		}
		if _, locked := locks.Locked(today.AddDays(-61), today, period.NoPower); !locked {
			t.Errorf("two months ago is open on %s", today)
		}
	}
	for _, p := range db.Position.Query().WithUser().AllX(ctx) {
		of := db.Attendance.Query().Where(entAttendance.UserID(p.UserID), entAttendance.ClockedInAtLTE(p.RecordedAt),
			entAttendance.Or(entAttendance.ClockedOutAtGTE(p.RecordedAt), entAttendance.ClockedOutAtIsNil()))
		if p.Source == entPosition.SourceReport && p.Edges.User.CoordinateConsentAt == nil || !of.ExistX(ctx) {
			t.Errorf("%v: without consent or off duty", p)
		}
	}
}
