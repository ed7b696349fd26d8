package privacy

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/auditevent"
	entFile "workforce/ent/file"
	entJob "workforce/ent/job"
	"workforce/ent/personexport"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/job"
	"workforce/internal/viewer"
)

// ask asks for the export of a user's own data.
func (w *exportWorld) ask(t testing.TB, u *ent.User) (out *model.DataExport) {
	t.Helper()
	err := w.in(w.As(u, viewer.Employee), func(ctx context.Context) (err error) {
		out, err = w.export.Ask(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// own returns the export that a user asked for; nil for none.
func (w *exportWorld) own(t testing.TB, u *ent.User) *model.DataExport {
	t.Helper()
	out, err := w.export.Own(w.As(u, viewer.Employee))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// made asks for an export and runs its job.
func (w *exportWorld) made(t testing.TB, u *ent.User) *model.DataExport {
	t.Helper()
	w.ask(t, u)
	w.run(t, func() bool { return w.own(t, u).Status == model.DataExportStatusDone })
	return w.own(t, u)
}

func TestAsk(t *testing.T) {
	w := newExportWorld(t)
	ani, budi := w.person(t, "Ani"), w.person(t, "Budi")
	if w.own(t, ani) != nil {
		t.Error("there is one before")
	}
	for _, err := range []error{
		w.in(w.System(), func(ctx context.Context) error { _, err := w.export.Ask(ctx); return err }),
		func() error { _, err := w.export.Own(w.System()); return err }(),
	} {
		if apptest.Code(err) != "UNAUTHENTICATED" {
			t.Errorf("nobody: %v", err)
		}
	}
	first := w.ask(t, ani)
	if first.Status != model.DataExportStatusQueued || first.URL != nil || first.ExpiresAt != nil || first.Size != nil || first.ExpiresIn != nil || first.Progress != 0 {
		t.Errorf("%+v", first)
	}
	if again := w.ask(t, ani); again.ID != first.ID {
		t.Errorf("another one while it is queued: %+v", again)
	}
	done := w.made(t, ani)
	if done.ID != first.ID || done.Progress != 100 || !done.ExpiresAt.Equal(w.Now().Add(keptFor)) || *done.ExpiresIn != 300 || !strings.Contains(*done.URL, "X-Amz-Expires=300&") {
		t.Errorf("%+v", done)
	}
	if w.own(t, budi) != nil {
		t.Error("budi has ani's")
	}
	name := w.DB.File.Query().Where(entFile.MediaType(mediaType)).OnlyX(w.System()).Name
	if !strings.Contains(*done.URL, name) {
		t.Errorf("%s leads not to %s", *done.URL, name)
	}
	in, err := w.export.Objects.Get(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(in)
	if err != nil || len(data) != *done.Size {
		t.Errorf("%d of %d bytes, %v", len(data), *done.Size, err)
	}
	if entries, m := unpack(t, data); *m.Person != ani.ID || !strings.Contains(texts(entries), "note of Ani") || strings.Contains(texts(entries), "Budi") {
		t.Errorf("%+v", m)
	}
	w.Advance(sameFor - time.Second)
	if again := w.ask(t, ani); again.ID != first.ID || again.Status != model.DataExportStatusDone {
		t.Errorf("another one within five minutes: %+v", again)
	}
	w.Advance(time.Second)
	next := w.made(t, ani)
	if next.ID == first.ID {
		t.Error("the same one after five minutes")
	}
	if files := w.DB.File.Query().Where(entFile.MediaType(mediaType)).AllX(w.System()); len(files) != 1 || files[0].Name == name || files[0].PendingSince != nil {
		t.Errorf("%v", files)
	}
	if _, err := w.export.Objects.Get(t.Context(), name); err == nil {
		t.Error("the first file is there")
	}
	if n := w.DB.AuditEvent.Query().Where(auditevent.Action("user.exported"), auditevent.SubjectID(ani.ID)).CountX(w.System()); n != 2 {
		t.Errorf("%d events, want one for each export", n)
	}
}

// TestAskAtOnce asks 20 times at once: before there is one, and when one is to be
// replaced.
func TestAskAtOnce(t *testing.T) {
	w := newExportWorld(t)
	ani := w.person(t, "Ani")
	for round := range 2 {
		var wg sync.WaitGroup
		ids := make([]int, 20)
		for i := range ids {
			wg.Go(func() { ids[i] = w.ask(t, ani).ID })
		}
		wg.Wait()
		for _, id := range ids {
			if id != ids[0] {
				t.Fatalf("round %d: %v", round, ids)
			}
		}
		if n := w.DB.Job.Query().Where(entJob.Kind(makingKind)).CountX(w.System()); n != round+1 {
			t.Errorf("round %d: %d jobs", round, n)
		}
		w.made(t, ani)
		w.Advance(sameFor)
	}
	if n := w.DB.File.Query().Where(entFile.MediaType(mediaType)).CountX(w.System()); n != 1 {
		t.Errorf("%d files", n)
	}
}

// TestStopped makes an export whose instance dies before it ends, at the worst time: the
// file is written and no row names it. Another instance makes it, and one file is left.
func TestStopped(t *testing.T) {
	w := newExportWorld(t)
	ani := w.person(t, "Ani")
	w.ask(t, ani)
	died := errors.New("died")
	making, runs := w.export.Making(), atomic.Int32{}
	w.export.Jobs.Add(job.Kind{Name: makingKind, Run: func(ctx context.Context, r *job.Run) error {
		if runs.Add(1) > 1 {
			return making.Run(ctx, r)
		}
		var out bytes.Buffer
		if err := w.export.person(ctx, &out, ani.CompanyID, ani.ID, quietly); err != nil {
			return err
		}
		if _, err := w.export.Files.PutFile(ctx, ani.CompanyID, mediaType, bytes.NewReader(out.Bytes())); err != nil {
			return err
		}
		return died
	}})
	w.run(t, func() bool {
		w.Advance(100 * time.Millisecond) // until the next try is due
		return w.own(t, ani).Status == model.DataExportStatusDone
	})
	w.Advance(2 * time.Hour)
	if err := w.export.Files.Sweep(w.System()); err != nil {
		t.Fatal(err)
	}
	row := w.DB.PersonExport.Query().OnlyX(w.System())
	if files := w.DB.File.Query().Where(entFile.MediaType(mediaType)).AllX(w.System()); len(files) != 1 || files[0].ID != *row.FileID || runs.Load() != 2 {
		t.Errorf("%v after %d runs, want %d", files, runs.Load(), *row.FileID)
	}
	if err := making.Run(w.System(), &job.Run{}); err == nil {
		t.Error("a job without a payload is no error")
	}
}

// TestDropped makes an export that is deleted meanwhile, as when the person is erased.
func TestDropped(t *testing.T) {
	w := newExportWorld(t)
	ani := w.person(t, "Ani")
	w.ask(t, ani)
	row := w.DB.PersonExport.Query().OnlyX(w.System())
	making := w.export.Making()
	w.export.Jobs.Add(job.Kind{Name: makingKind, Run: func(ctx context.Context, r *job.Run) error {
		if err := w.DB.PersonExport.DeleteOneID(row.ID).Exec(ctx); err != nil {
			return err
		}
		if err := w.export.make(ctx, r, row); !errors.Is(err, errDropped) {
			t.Errorf("it is made: %v", err)
		}
		return making.Run(ctx, r)
	}})
	w.run(t, func() bool {
		return w.DB.Job.Query().Where(entJob.Kind(makingKind), entJob.StateEQ(entJob.StateDone)).ExistX(w.System())
	})
	if w.own(t, ani) != nil {
		t.Error("it is back")
	}
}

// TestFailed shows an export whose job failed for good, and makes another one.
func TestFailed(t *testing.T) {
	w := newExportWorld(t)
	ani := w.person(t, "Ani")
	first := w.ask(t, ani)
	update := func(change func(*ent.JobUpdate)) {
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			u := db.Job.Update().Where(entJob.Kind(makingKind), entJob.NameNotNil())
			change(u)
			return u.Exec(ctx)
		})
	}
	update(func(u *ent.JobUpdate) { u.SetState(entJob.StateRunning).SetProgress(3).SetTotal(4) })
	if got := w.own(t, ani); got.Status != model.DataExportStatusRunning || got.Progress != 75 {
		t.Errorf("%+v", got)
	}
	update(func(u *ent.JobUpdate) { u.SetState(entJob.StateFailed).SetFinishedAt(w.Now()).ClearName() })
	if got := w.ask(t, ani); got.Status != model.DataExportStatusFailed || got.ID != first.ID {
		t.Errorf("%+v", got)
	}
	w.Advance(sameFor)
	if got := w.ask(t, ani); got.Status != model.DataExportStatusQueued || got.ID == first.ID {
		t.Errorf("%+v", got)
	}
	second := w.own(t, ani).ID
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		_, err := db.Job.Delete().Exec(ctx)
		return err
	})
	if got := w.own(t, ani); got.Status != model.DataExportStatusFailed {
		t.Errorf("without its job: %+v", got)
	}
	if got := w.ask(t, ani); got.Status != model.DataExportStatusQueued || got.ID == second {
		t.Errorf("without its job: %+v", got)
	}
}

// TestClean deletes exports with their files after seven days.
func TestClean(t *testing.T) {
	w := newExportWorld(t)
	ani, budi := w.person(t, "Ani"), w.person(t, "Budi")
	w.made(t, ani)
	w.Advance(time.Hour)
	w.made(t, budi)
	for _, step := range []struct {
		after time.Duration
		left  int
	}{{0, 2}, {keptFor - time.Hour - time.Microsecond, 2}, {time.Microsecond, 1}, {time.Hour, 0}} {
		w.Advance(step.after)
		if err := w.export.Clean(w.System()); err != nil {
			t.Fatal(err)
		}
		rows, files := w.DB.PersonExport.Query().CountX(w.System()), w.DB.File.Query().Where(entFile.MediaType(mediaType)).CountX(w.System())
		if rows != step.left || files != step.left {
			t.Errorf("after %v: %d rows and %d files, want %d", step.after, rows, files, step.left)
		}
	}
	if w.own(t, ani) != nil || w.DB.PersonExport.Query().Where(personexport.UserID(budi.ID)).ExistX(w.System()) {
		t.Error("it is there")
	}
}
