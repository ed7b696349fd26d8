package attendance

import (
	"context"
	"syscall"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	entExemption "workforce/ent/exemption"
	"workforce/graph/model"
	"workforce/internal/setting"
)

// BenchmarkRules measures a clock-in in its transaction on SQLite, without a server: with
// all policies off, and with each rule alone on and broken, so that it is judged to its end.
// What a rule costs is the difference from "none". cpu-ns/op is the CPU time of the
// process, which other work on the machine hardly changes.
func BenchmarkRules(b *testing.B) {
	for _, rule := range []struct {
		name    string
		policy  string // of the settings, that flags; "" for none
		prepare func(b *testing.B, w *world)
		change  func(i int, in *model.ClockInInput)
	}{
		{name: "none"},
		{name: "geofence", policy: "geofenceIn", change: func(_ int, in *model.ClockInInput) { in.Latitude = given(centerNorth(500)) }},
		{name: "accuracy", policy: "accuracy", change: func(_ int, in *model.ClockInInput) { in.Accuracy = given(200.0) }},
		{name: "mocked", policy: "mock", change: func(_ int, in *model.ClockInInput) { in.Mocked = given(true) }},
		{name: "speed", policy: "speed", prepare: func(b *testing.B, w *world) {
			w.attend(b, w.today, "08:00", "09:59", func(a *ent.AttendanceUpdateOne) { a.SetClockedOutLatitude(-7).SetClockedOutLongitude(centerLng) })
		}},
		{name: "face sent, off", prepare: register, change: sendsFace},
		{name: "face", policy: "face", prepare: register, change: sendsFace},
		{name: "device", policy: "device", prepare: func(b *testing.B, w *world) {
			other := w.User(b, "Agus")
			w.signIn(b, w.user, 7)
			w.signIn(b, other, 7)
			o := w.occurrence(b, w.assign(b, other, w.assignment.Edges.Shift), "2026-03-11")
			w.attend(b, o, "08:00", "09:00", func(a *ent.AttendanceUpdateOne) { a.SetClockedOutDeviceID(7) })
		}},
		{name: "allowed addresses", prepare: func(b *testing.B, w *world) {
			w.Change(b, func(ctx context.Context, db *ent.Client) error {
				return db.AllowedPlace.Create().SetCompanyID(w.Company.ID).SetOf("user").SetUserID(w.user.ID).SetAddressID(w.site.ID).Exec(ctx)
			})
		}},
		{name: "exemptions", prepare: func(b *testing.B, w *world) {
			w.Change(b, func(ctx context.Context, db *ent.Client) error {
				for _, name := range []string{"geofence", "accuracy", "mock", "speed", "device", "face"} {
					db.Exemption.Create().SetCompanyID(w.Company.ID).SetUserID(w.user.ID).SetRule(entExemption.Rule(name)).SetEndsOn("2026-12-31").ExecX(ctx)
				}
				return nil
			})
		}},
	} {
		b.Run(rule.name, func(b *testing.B) {
			w := newWorld(b)
			w.settings = setting.Values{}
			for _, name := range []string{"geofenceIn", "geofenceOut", "accuracy", "mock", "speed", "device", "face"} {
				w.settings[name] = setting.Off
			}
			if rule.policy != "" {
				w.settings[rule.policy] = setting.Flag
			}
			if rule.prepare != nil {
				rule.prepare(b, w)
			}
			kept := w.DB.Attendance.Query().IDsX(w.System())
			var spent time.Duration
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				before := cpu(b)
				_, err := w.clockIn(func(in *model.ClockInInput) {
					if rule.change != nil {
						rule.change(i, in)
					}
				})
				spent += cpu(b) - before
				b.StopTimer()
				if err != nil {
					b.Fatal(err)
				}
				w.Change(b, func(ctx context.Context, db *ent.Client) error {
					_, err := db.Attendance.Delete().Where(entAttendance.IDNotIn(kept...)).Exec(ctx)
					return err
				})
				b.StartTimer()
			}
			b.ReportMetric(float64(spent)/float64(b.N), "cpu-ns/op")
		})
	}
}

// register registers a face, and leaves.
func register(b *testing.B, w *world) {
	if _, err := w.clockIn(func(in *model.ClockInInput) { in.FaceLandmark = sent(oval(0)) }); err != nil {
		b.Fatal(err)
	}
	w.Change(b, func(ctx context.Context, db *ent.Client) error {
		_, err := db.Attendance.Delete().Exec(ctx)
		return err
	})
}

// sendsFace sends the face, another array each time.
func sendsFace(i int, in *model.ClockInInput) {
	points := oval(0)
	for p := range points {
		points[p].X += 1e-4 * float64((i*7+p*13)%11) / 11
	}
	points[0].Y += 1e-9 * float64(i+1)
	in.FaceLandmark = sent(points)
}

// cpu returns the CPU time that the process has used.
func cpu(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
