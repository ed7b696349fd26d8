package position

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/auditevent"
	entPosition "workforce/ent/position"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/audit"
	"workforce/internal/app/input"
	"workforce/internal/app/tx"
	"workforce/internal/database"
	"workforce/internal/period"
)

// A world is a company with somebody who consents and clocked in at 09:00.
type world struct {
	*apptest.World
	*Service
	user *ent.User
}

func (w *world) Now() time.Time { return w.World.Now() }

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{World: apptest.New(t)}
	w.Service = &Service{Now: w.Now, Audit: &audit.Recorder{DB: w.DB, Now: w.Now, Log: slog.New(slog.DiscardHandler)}}
	w.user = w.User(t, "Budi")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		in := w.Now().Add(-time.Hour)
		site := db.Address.Create().SetCompanyID(w.Company.ID).SetName("Pusat").SetAddress("Jalan 1").SetLatitude(-6.2).SetLongitude(106.8).SaveX(ctx)
		s := db.Shift.Create().SetCompanyID(w.Company.ID).SetName("Pagi").SetStartTime("08:00").SetEndTime("17:00").SaveX(ctx)
		o := db.EmployeeShift.Create().SetCompanyID(w.Company.ID).SetUserID(w.user.ID).SetShiftID(s.ID).SetShiftVersion(1).SetName("Pagi").
			SetDate("2026-03-11").SetStartAt(in).SetEndAt(in).SetClockInFrom(in).SetClockInUntil(in).SetBreakSeconds(0).SetTimezone("Asia/Jakarta").SaveX(ctx)
		db.Attendance.Create().SetCompanyID(w.Company.ID).SetUserID(w.user.ID).SetEmployeeShiftID(o.ID).SetAddressID(site.ID).SetWorkDate("2026-03-11").
			SetClockedInAt(in).SetClockedInLocal("2026-03-11T09:00:00").SetClockedInOffset(25200).SetClockedInZone("Asia/Jakarta").SetClockedInReceivedAt(in).
			SetClockedInLatitude(-6.2).SetClockedInLongitude(106.8).SetClockedInSource("app").SetClockedInGeofence("inside").ExecX(ctx)
		return db.User.UpdateOneID(w.user.ID).SetCoordinateConsentAt(in).Exec(ctx)
	})
	return w
}

// points returns points of the last minutes, a second apart.
func (w *world) points(n int) model.ReportCoordinatesInput {
	in := model.ReportCoordinatesInput{Points: make([]*model.CoordinatePointInput, n)}
	for i := range in.Points {
		in.Points[i] = &model.CoordinatePointInput{
			Latitude: input.Given[any]("-6.2"), Longitude: input.Given[any]("106.8"), Accuracy: input.Given[any]("5"),
			RecordedAt: input.Given[any](w.Now().Add(-time.Duration(i) * time.Second).Format(time.RFC3339)),
		}
	}
	return in
}

// report reports points in a transaction.
func (w *world) report(ctx context.Context, in model.ReportCoordinatesInput) (out *model.ReportedCoordinates, err error) {
	err = tx.Run(ctx, w.DB, func(ctx context.Context) error {
		out, err = w.Report(ctx, in)
		return err
	})
	return out, err
}

// TestReportStatements reports 1 and 500 points with the same number of statements.
func TestReportStatements(t *testing.T) {
	var took []int32
	for _, n := range []int{1, 500} {
		w := newWorld(t)
		var statements atomic.Int32
		out, err := w.report(database.CountStatements(w.As(w.user, "employee"), &statements), w.points(n))
		if err != nil || out.Accepted != n {
			t.Fatalf("%d points: %+v, %v", n, out, err)
		}
		if shown := w.DB.Position.Query().Where(entPosition.HiddenIsNil()).CountX(w.System()); shown != 1 {
			t.Errorf("%d points: %d are shown, want the earliest alone", n, shown)
		}
		took = append(took, statements.Load())
	}
	if took[0] != took[1] || took[0] == 0 {
		t.Errorf("1 and 500 points took %d statements", took)
	}
}

// TestReportAtOnce reports the same points many times at once, while consent is given
// again.
func TestReportAtOnce(t *testing.T) {
	w := newWorld(t)
	in := w.points(50)
	var running sync.WaitGroup
	for range 20 {
		running.Go(func() {
			if out, err := w.report(w.As(w.user, "employee"), in); err != nil || out.Accepted != 50 {
				t.Errorf("%+v, %v", out, err)
			}
		})
		running.Go(func() {
			err := tx.Run(w.As(w.user, "employee"), w.DB, func(ctx context.Context) error {
				_, err := w.SetConsent(ctx, true)
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	if stored := w.DB.Position.Query().CountX(w.System()); stored != 50 {
		t.Errorf("%d are stored, want 50", stored)
	}
}

// TestReadIsRecorded refuses positions of others where the read cannot be recorded.
func TestReadIsRecorded(t *testing.T) {
	w := newWorld(t)
	manager := w.User(t, "Ratna", "admin")
	ctx, other := w.As(manager, "admin"), HistoryFilter{UserID: &w.user.ID}
	for range 2 {
		if _, err := w.History(ctx, other); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.History(ctx, HistoryFilter{}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Summary(ctx, other); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Summary(ctx, HistoryFilter{}); err != nil {
		t.Fatal(err)
	}
	recorded := w.DB.AuditEvent.Query().Where(auditevent.Action(audit.CoordinatesRead), auditevent.SubjectID(w.user.ID)).CountX(w.System())
	if all := w.DB.AuditEvent.Query().Where(auditevent.Action(audit.CoordinatesRead)).CountX(w.System()); recorded != 3 || all != 3 {
		t.Errorf("%d of %d events are about the person, want 3 of 3", recorded, all)
	}
	w.DB.AuditEvent.Use(func(ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(context.Context, ent.Mutation) (ent.Value, error) { return nil, fmt.Errorf("full") })
	})
	if _, err := w.History(ctx, other); err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("History without the audit: %v", err)
	}
	if _, err := w.Summary(ctx, other); err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("Summary without the audit: %v", err)
	}
	if out, err := w.report(w.As(w.user, "employee"), w.points(1)); err != nil || out.Accepted != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	shown, err := w.DB.Position.Query().Paginate(ctx, nil, new(10), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.RecordRead(ctx, shown); err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("RecordRead without the audit: %v", err)
	}
	if err := w.RecordRead(w.As(w.user, "employee"), shown); err != nil {
		t.Errorf("one's own: %v", err)
	}
}

// TestLongHistory reads the way of somebody who reported more positions than a history has,
// and what all of them come to.
func TestLongHistory(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(w.user, "employee")
	day := HistoryFilter{From: new(period.Day("2026-03-11")), To: new(period.Day("2026-03-11"))}
	at := func(i int) time.Time { return w.Now().Add(time.Duration(i) * time.Second) }
	add := func(from, to int) {
		t.Helper()
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			for ; from < to; from += 500 {
				first := from
				err := db.Position.MapCreateBulk(make([]struct{}, min(500, to-first)), func(c *ent.PositionCreate, i int) {
					n := first + i // north, a metre to the right, north ...
					c.SetCompanyID(w.Company.ID).SetUserID(w.user.ID).SetRecordedAt(at(n)).SetReceivedAt(at(n)).
						SetLatitude(-6.2 + float64(n)*20/111_195).SetLongitude(106.8 + float64(n%2)/111_195).SetSource(entPosition.SourceReport)
					if n == 5000 {
						c.SetSource(entPosition.SourceClockOut)
					}
				}).Exec(ctx)
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	add(0, 10_000)
	q, err := w.History(ctx, day)
	if err != nil || q.CountX(ctx) != 10_000 {
		t.Fatalf("%d positions, %v; want all", q.CountX(ctx), err)
	}
	add(10_000, 10_010)
	if q, err = w.History(ctx, day); err != nil {
		t.Fatal(err)
	}
	n, kept := q.Clone().CountX(ctx), q.Clone().Where(entPosition.SourceEQ(entPosition.SourceClockOut)).CountX(ctx)
	if n < 3 || n > 100 || kept != 1 {
		t.Errorf("%d positions, of clock-outs %d; want those of a straight way, and the clock-out", n, kept)
	}
	sum, err := w.Summary(ctx, day)
	if err != nil || sum.PositionCount != 10_010 || sum.DistanceMeters < 200_180 || sum.DistanceMeters > 200_700 || sum.MovingSeconds != 10_009 || len(sum.Stops) != 0 {
		t.Errorf("%+v, %v", sum, err)
	}
}

// TestSummaryOfStops sums up somebody who stood at two places.
func TestSummaryOfStops(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(w.user, "employee")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		for second, north := range map[int]float64{0: 0, 600: 20, 660: 520, 720: 1020, 1320: 1030} {
			at := w.Now().Add(time.Duration(second) * time.Second)
			c := db.Position.Create().SetCompanyID(w.Company.ID).SetUserID(w.user.ID).SetRecordedAt(at).SetReceivedAt(at).
				SetLatitude(-6.2 + north/111_195).SetLongitude(106.8).SetSource(entPosition.SourceReport)
			if err := c.Exec(ctx); err != nil {
				return err
			}
			hidden := db.Position.Create().SetCompanyID(w.Company.ID).SetUserID(w.user.ID).SetRecordedAt(at.Add(time.Second)).SetReceivedAt(at).
				SetLatitude(50).SetLongitude(8).SetSource(entPosition.SourceReport).SetHidden(entPosition.HiddenImpossible)
			if err := hidden.Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	sum, err := w.Summary(ctx, HistoryFilter{From: new(period.Day("2026-03-11")), To: new(period.Day("2026-03-11"))})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(sum.PositionCount, sum.DistanceMeters, sum.MovingSeconds, sum.StandingSeconds)
	for _, s := range sum.Stops {
		got += fmt.Sprintf(" %.4f %s %d", s.Latitude.Degrees, s.From.Sub(w.Now()), s.Seconds)
	}
	if want := "5 1000 120 1200 -6.2000 0s 600 -6.1908 12m0s 600"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
