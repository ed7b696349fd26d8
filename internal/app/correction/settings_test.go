package correction_test

import (
	"context"
	"testing"
	"time"

	"workforce/ent"
	entCorrection "workforce/ent/correction"
	"workforce/graph/model"
	"workforce/internal/app/files"
	"workforce/internal/app/input"
	"workforce/internal/blob"
	"workforce/internal/setting"
)

// asked asks for a correction of an attendance of 10 March, and returns its id.
func (w *world) asked(t testing.TB) int {
	t.Helper()
	first := w.worked(t, "08:05", "12:00")
	id, err := w.request(model.RequestCorrectionInput{
		EmployeeShiftID: w.occurrence("2026-03-10"), AttendanceID: input.Given(&first), ClockInAt: at("2026-03-10 08:00"), Reason: "x",
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestRequestDays has a company say how long a request waits.
func TestRequestDays(t *testing.T) {
	for days, settings := range map[int]setting.Values{14: nil, 3: {"requestDays": 3}} {
		w := newWorld(t)
		w.settings = settings
		got, want := w.Client().Correction.GetX(w.System(), w.asked(t)).ExpiresAt, w.World.Now().AddDate(0, 0, days)
		if !got.Equal(want) {
			t.Errorf("a request expires at %v, want %v", got, want)
		}
	}
}

// TestAttachmentDays deletes the picture of a request, and its object, as long after the
// decision as the company says.
func TestAttachmentDays(t *testing.T) {
	for days, settings := range map[int]setting.Values{365: nil, 40: {"attachmentDays": 40}} {
		w := newWorld(t)
		id := w.asked(t)
		f, err := w.Service.Files.Put(t.Context(), w.Company.ID, files.Content{Data: []byte("a picture"), MediaType: "image/png"})
		if err != nil {
			t.Fatal(err)
		}
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			if err := w.Service.Files.Use(ctx, f.ID); err != nil {
				return err
			}
			if err := db.Company.UpdateOneID(w.Company.ID).SetSettings(settings).Exec(ctx); err != nil {
				return err
			}
			return db.Correction.UpdateOneID(id).SetAttachment(blob.Ref(f.Name)).SetAttachmentFileID(f.ID).Exec(ctx)
		})
		if err := w.decide(id, false); err != nil {
			t.Fatal(err)
		}
		for _, step := range []struct {
			pass time.Duration
			left int
		}{{time.Duration(days) * 24 * time.Hour, 1}, {time.Second, 0}} {
			w.Advance(step.pass)
			if err := w.Clean(w.System()); err != nil {
				t.Fatal(err)
			}
			pictures := w.Client().Correction.Query().Where(entCorrection.AttachmentNotNil(), entCorrection.AttachmentFileIDNotNil()).CountX(w.System())
			objects := 0
			if err := w.World.Objects.List(t.Context(), 0, func(string) error { objects++; return nil }); err != nil {
				t.Fatal(err)
			}
			if pictures != step.left || objects != step.left {
				t.Errorf("after %d days and %v: %d pictures, %d objects, want %d", days, step.pass, pictures, objects, step.left)
			}
		}
	}
}
