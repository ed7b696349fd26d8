package roster_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/app/input"
	"workforce/internal/app/roster"
	"workforce/internal/database"
	"workforce/internal/viewer"
)

// crowd is a company of n people and two shifts, a rotation of them, and work sites with a
// zone and weekly offs of their own; everybody has a fallback shift.
func crowd(t *testing.T, n int) (w *rostertest.World, ids []int) {
	w = rostertest.New(t)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		b := db.Business.Create().SetCompanyID(w.Company.ID).SetName("Unit").SaveX(ctx)
		s := db.Shift.Create().SetCompanyID(w.Company.ID).SetName("fallback").SetStartTime("01:00").SetEndTime("02:00").SaveX(ctx)
		db.FallbackShift.Create().SetCompanyID(w.Company.ID).SetBusinessID(b.ID).SetShiftID(s.ID).SetCreatedAt(apptest.Now).ExecX(ctx)
		db.Address.Create().SetCompanyID(w.Company.ID).SetName("Site").SetAddress("").SetLatitude(1).SetLongitude(1).SetBusinessID(b.ID).
			SetTimezone("Asia/Tokyo").SetWeeklyOffs([]int{7}).ExecX(ctx)
		db.User.MapCreateBulk(make([]struct{}, n), func(u *ent.UserCreate, i int) {
			email := fmt.Sprintf("u%d@acme.test", i)
			u.SetCompanyID(w.Company.ID).SetName(fmt.Sprint("User ", i)).SetEmail(email).SetEmailKey(email).SetCreatedAt(apptest.Now).SetBusinessID(b.ID)
		}).ExecX(ctx)
		ids = db.User.Query().Order(ent.Asc("id")).IDsX(ctx)[1:]
		return db.ClockState.MapCreateBulk(ids, func(c *ent.ClockStateCreate, i int) { c.SetCompanyID(w.Company.ID).SetUserID(ids[i]) }).Exec(ctx)
	})
	return w, ids
}

// statements counts those of a step in a transaction.
func statements(t *testing.T, w *rostertest.World, step func(ctx context.Context) error) int {
	t.Helper()
	var n atomic.Int32
	if err := w.Transact(database.CountStatements(w.As(w.Admin, viewer.Admin), &n), step); err != nil {
		t.Fatal(err)
	}
	return int(n.Load())
}

// TestStatements gives 10 people and 1,000 something: the number of statements does not
// grow with them, but for one more for each 500 rows that one statement writes, and one
// for each 100 people who are told.
func TestStatements(t *testing.T) {
	counts := map[string]map[int]int{}
	for _, n := range []int{10, 100, 1000} {
		w, ids := crowd(t, n)
		day := w.Shift(t, "day", "08:00", "16:00")
		var rotation int
		err := w.Do(func(ctx context.Context) error {
			r, err := w.Roster.CreateRotation(ctx, model.RotationInput{Name: "R", Days: []*int{&day.ID, nil}})
			if err == nil {
				rotation = r.ID
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		given := func(name string, step func(ctx context.Context) ([]*model.AssignedShift, error)) {
			took := statements(t, w, func(ctx context.Context) error {
				list, err := step(ctx)
				for _, a := range list {
					if a.AssignmentID == nil {
						t.Fatalf("%s: %+v", name, a)
					}
				}
				return err
			})
			if counts[name] == nil {
				counts[name] = map[int]int{}
			}
			counts[name][n] = took
		}
		given("assignShifts", func(ctx context.Context) ([]*model.AssignedShift, error) {
			return w.Roster.AssignShifts(ctx, model.AssignShiftsInput{UserIds: ids, ShiftID: day.ID, StartsOn: "2026-03-12"})
		})
		given("assignRotation", func(ctx context.Context) ([]*model.AssignedShift, error) {
			return w.Roster.AssignRotation(ctx, model.AssignRotationInput{UserIds: ids, RotationID: rotation, StartsOn: "2026-03-12"})
		})
		given("copyWeek", func(ctx context.Context) ([]*model.AssignedShift, error) {
			out, err := w.Roster.CopyWeek(ctx, model.CopyWeekInput{From: "2026-03-16", To: "2026-03-09", UserIds: input.Given(ids)})
			if err == nil && out.Copied != n {
				t.Errorf("copied %d days of %d people", out.Copied, n)
			}
			return nil, err
		})
	}
	for name, took := range counts {
		if took[10] == 0 || took[10] > 55 || took[1000] > took[100]+20 || took[1000] > 60 {
			t.Errorf("%s: statements by people %v", name, took)
		}
		t.Log(name, took)
	}
}

// TestStatementsOfWeek shows the week and four weeks of 10 people and of 200 in as many statements.
func TestStatementsOfWeek(t *testing.T) {
	counts, ofFour := map[int]int{}, map[int]int{}
	for _, n := range []int{10, 200} {
		w, ids := crowd(t, n)
		day := w.Shift(t, "day", "08:00", "16:00")
		for at := 0; at < n; at += 10 { // of a few, so that occurrences are made
			err := w.Do(func(ctx context.Context) error {
				_, err := w.Roster.AssignShifts(ctx, model.AssignShiftsInput{UserIds: ids[at : at+10], ShiftID: day.ID, StartsOn: "2026-03-11"})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		counts[n] = statements(t, w, func(ctx context.Context) error {
			out, err := w.Roster.Week(ctx, roster.Week{Limit: &n})
			if err == nil && (len(out.People) != n || out.TotalCount != n+1 || len(out.People[n-1].Shifts) < 5) {
				t.Errorf("%d people of %d", len(out.People), out.TotalCount)
			}
			return err
		})
		ofFour[n] = statements(t, w, func(ctx context.Context) error {
			out, err := w.Roster.Week(ctx, roster.Week{Weeks: new(4), Limit: &n})
			if err == nil && (len(out.People) != n || len(out.People[n-1].Shifts) != 26) {
				t.Errorf("%d people, of whom the last has %d shifts", len(out.People), len(out.People[n-1].Shifts))
			}
			return err
		})
	}
	if counts[10] == 0 || counts[10] != counts[200] || ofFour[10] == 0 || ofFour[10] != ofFour[200] {
		t.Errorf("statements by people %v, of four weeks %v", counts, ofFour)
	}
	t.Log(counts, ofFour)
}
