package timeentry

import (
	"context"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/timeweek"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/input"
	"workforce/internal/viewer"
)

// TestWhyCorrected says why an entry with corrections does not change, and why one is not corrected.
func TestWhyCorrected(t *testing.T) {
	w := newWorld(t)
	budi := w.User(t, "Budi")
	end := apptest.Now.Truncate(time.Second)
	start := end.Add(-time.Hour)
	id, code := w.save(budi, model.SaveActivityInput{Title: input.Given(new("Rapat")), StartAt: input.Given(&start), EndAt: input.Given(&end)})
	if code != "" {
		t.Fatal(code)
	}
	week := func(state timeweek.State) {
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			if _, err := db.TimeWeek.Delete().Exec(ctx); err != nil {
				return err
			}
			return db.TimeWeek.Create().SetCompanyID(w.Company.ID).SetUserID(budi.ID).SetStartsOn("2026-03-09").SetEndsOn("2026-03-15").
				SetSeconds(0).SetState(state).SetSubmittedAt(apptest.Now).Exec(ctx)
		})
	}
	made := 0
	correct := func(of int) func(context.Context) error {
		return func(ctx context.Context) error {
			n, err := w.entries.Correct(ctx, of, model.CorrectTimeEntryInput{Seconds: -3600, Note: "x", Date: input.Given(new("2026-03-08"))})
			made = max(made, n)
			return err
		}
	}
	why := func(about, want string, do func(context.Context) error) {
		t.Helper()
		var got string
		w.do(budi, viewer.Employee, func(ctx context.Context) error {
			err := do(ctx)
			got = apptest.Conflict(err)
			return err
		})
		if got != want {
			t.Errorf("%s: %q, want %q", about, got, want)
		}
	}
	why("an open entry is corrected", "NOT_LOCKED", correct(id))
	week(timeweek.StateSubmitted)
	why("a locked entry is corrected", "", correct(id))
	why("a correction is corrected", "STATE", correct(made))
	why("a locked entry is deleted", "LOCKED_PERIOD", func(ctx context.Context) error { return w.entries.Delete(ctx, id) })
	week(timeweek.StateRejected)
	why("a corrected entry is deleted", "CORRECTED", func(ctx context.Context) error { return w.entries.Delete(ctx, id) })
}
