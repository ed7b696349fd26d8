package results

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/employeeshift"
	entJob "workforce/ent/job"
	"workforce/ent/shiftresult"
	"workforce/internal/app/apptest"
	"workforce/internal/app/audit"
	"workforce/internal/app/job"
	"workforce/internal/app/notify"
	"workforce/internal/app/scheduling"
	"workforce/internal/sealed"
	"workforce/internal/setting"
	"workforce/internal/shift"
)

// A world is a company on Wednesday, 11 March 2026, with one site and two people.
type world struct {
	*apptest.World
	*Service
	DB          *ent.Client // of both
	site        *ent.Address
	budi, citra *ent.User
	day         *ent.Shift // 08:00 to 17:00 with an hour of break, graces 0
	texts       *strings.Builder
}

func (w *world) Now() time.Time { return w.World.Now() }

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{World: apptest.New(t), texts: &strings.Builder{}}
	w.DB = w.World.DB
	notifications := notify.New(sealed.NewSealer("messages", sealed.Key{}))
	notifications.Now = w.Now
	w.Service = &Service{
		DB: w.DB, Now: w.Now, Log: slog.New(slog.NewTextHandler(w.texts, nil)), Notify: notifications,
		Audit: &audit.Recorder{DB: w.DB, Now: w.Now, Log: slog.New(slog.DiscardHandler)},
	}
	w.budi, w.citra = w.User(t, "Budi"), w.User(t, "Citra")
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		w.site, err = db.Address.Create().SetCompanyID(w.Company.ID).SetName("Pusat").SetAddress("Jalan 1").SetLatitude(-6).SetLongitude(106).Save(ctx)
		if err != nil {
			return err
		}
		w.day, err = db.Shift.Create().SetCompanyID(w.Company.ID).SetName("Pagi").SetStartTime("08:00").SetEndTime("17:00").
			SetBreaks([]string{"12:00-13:00"}).SetLateGraceMinutes(0).SetEarlyGraceMinutes(0).Save(ctx)
		return err
	})
	w.site, w.day = w.site.Unwrap(), w.day.Unwrap()
	return w
}

// jakarta reads a local time of 11 March, or of the date that is in it.
func jakarta(text string) time.Time {
	if len(text) == len("15:04") {
		text = "2026-03-11 " + text
	}
	at, err := time.ParseInLocation("2006-01-02 15:04", text, shift.ZoneNamed("Asia/Jakarta"))
	if err != nil {
		panic(err)
	}
	return at.UTC()
}

// plan adds the occurrence of a shift on a date.
func (w *world) plan(t *testing.T, u *ent.User, s *ent.Shift, date shift.Date, change func(*ent.EmployeeShiftCreate)) (o *ent.EmployeeShift) {
	t.Helper()
	v := scheduling.Present(s)
	at := v.Time(shift.ZoneNamed("Asia/Jakarta")).On(date)
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		create := db.EmployeeShift.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetShiftID(s.ID).SetShiftVersion(1).SetOrigin(employeeshift.OriginPlannedDay).
			SetName(s.Name).SetDate(string(date)).SetTimezone("Asia/Jakarta").SetStartAt(at.StartAt).SetEndAt(at.EndAt).
			SetClockInFrom(at.ClockInFrom).SetClockInUntil(at.ClockInUntil).SetBreaks(s.Breaks).SetBreakSeconds(at.BreakSeconds).
			SetNillableLateGraceMinutes(s.LateGraceMinutes).SetNillableEarlyGraceMinutes(s.EarlyGraceMinutes)
		if change != nil {
			change(create)
		}
		o, err = create.Save(ctx)
		return err
	})
	return o.Unwrap()
}

// attend adds an attendance; out is "" for an open one.
func (w *world) attend(t *testing.T, o *ent.EmployeeShift, in, out string) (a *ent.Attendance) {
	t.Helper()
	local, offset := shift.Wall(jakarta(in), shift.ZoneNamed(o.Timezone))
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		create := db.Attendance.Create().SetCompanyID(o.CompanyID).SetUserID(o.UserID).SetEmployeeShiftID(o.ID).SetAddressID(w.site.ID).
			SetWorkDate(o.Date).SetClockedInAt(jakarta(in)).SetClockedInLocal(local).SetClockedInOffset(offset).SetClockedInZone(o.Timezone).
			SetClockedInReceivedAt(jakarta(in)).SetClockedInLatitude(-6).SetClockedInLongitude(106).SetClockedInSource("app").SetClockedInGeofence("inside")
		if a, err = create.Save(ctx); err == nil && out != "" {
			a, err = a.Update().ClearOpenMarker().SetClockedOutAt(jakarta(out)).SetClockedOutReceivedAt(jakarta(out)).SetClockedOutSource("app").Save(ctx)
		}
		return err
	})
	return a.Unwrap()
}

// set sets settings of the company.
func (w *world) set(v setting.Values) {
	w.do(func(ctx context.Context, db *ent.Client) {
		db.Company.UpdateOneID(w.Company.ID).SetSettings(v).ExecX(ctx)
	})
}

// do runs a step in a transaction.
func (w *world) do(step func(context.Context, *ent.Client)) {
	err := w.Try(w.System(), func(ctx context.Context, db *ent.Client) error { step(ctx, db); return nil })
	if err != nil {
		panic(err)
	}
}

// run runs jobs as one that is due once, on an instance of its own.
func (w *world) run(t *testing.T, kinds ...job.Kind) {
	t.Helper()
	for _, k := range kinds {
		every := k
		every.Every = 0 // once
		r := job.New(every)
		r.DB, r.Now, r.Log = w.DB, w.Now, w.Log
		w.Change(t, func(ctx context.Context, _ *ent.Client) error {
			_, err := r.Enqueue(ctx, job.Request{Kind: k.Name})
			return err
		})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { r.Run(ctx); close(done) }()
		for w.DB.Job.Query().Where(entJob.FinishedAtIsNil()).CountX(w.System()) > 0 {
			time.Sleep(time.Millisecond)
		}
		stop()
		<-done
	}
}

// result returns the result of an occurrence; nil for none.
func (w *world) result(o *ent.EmployeeShift) *ent.ShiftResult {
	list := w.DB.ShiftResult.Query().Where(shiftresult.EmployeeShiftID(o.ID)).AllX(w.System())
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

func (w *world) read(a *ent.Attendance) *ent.Attendance {
	return w.DB.Attendance.Query().Where(entAttendance.ID(a.ID)).OnlyX(w.System())
}
