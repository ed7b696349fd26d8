package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entFile "workforce/ent/file"
	entJob "workforce/ent/job"
	entReport "workforce/ent/report"
	"workforce/ent/reportschedule"
	"workforce/ent/userrole"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/servicetest"
	"workforce/internal/app/input"
	"workforce/internal/app/job"
	"workforce/internal/app/report/reporttest"
	"workforce/internal/app/timesheets"
	"workforce/internal/app/timetotals"
	"workforce/internal/errs"
	"workforce/internal/period"
	"workforce/internal/report/pdf"
	"workforce/internal/request"
	"workforce/internal/scalar"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// A world is a company with an employee who has tasks.
type world struct {
	*apptest.World
	reports *Service
	making  job.Kind
	budi    *ent.User
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{World: apptest.New(t)}
	s, booked := servicetest.New(t, w.World), &timetotals.Service{Now: w.Now}
	w.reports = &Service{
		DB: w.DB, Now: w.Now, Jobs: s.Jobs, Objects: s.Objects, Files: s.Files, Notify: s.Notify,
		Sheets: &timesheets.Service{Now: w.Now, Booked: booked.Days}, Booked: booked, PublicURL: "http://wf.test",
	}
	w.making = w.reports.Making()
	w.reports.Jobs.Add(w.making)
	w.budi = w.User(t, "Budi")
	return w
}

// task adds tasks of budi's that were created now.
func (w *world) tasks(t *testing.T, n int) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		for i := range n {
			c := db.Task.Create().SetCompanyID(w.Company.ID).SetCreatorID(w.budi.ID).SetTitle(fmt.Sprint("Rapat ", i)).SetCreatedAt(w.Now()).SetUpdatedAt(w.Now())
			if err := c.Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// ask asks for a report as budi.
func (w *world) ask(in model.GenerateReportInput) (id int, err error) {
	err = w.Try(w.As(w.budi, viewer.Employee), func(ctx context.Context, _ *ent.Client) (err error) {
		id, err = w.reports.Generate(ctx, in)
		return err
	})
	return id, err
}

func (w *world) mustAsk(t *testing.T, in model.GenerateReportInput) int {
	t.Helper()
	id, err := w.ask(in)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// run runs jobs until a report ended, and returns it.
func (w *world) run(t *testing.T, id int) (r *ent.Report) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); w.reports.Jobs.Run(ctx) }()
	defer func() { stop(); <-done }()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if r = w.DB.Report.GetX(w.System(), id); r.FinishedAt != nil {
			return r
		}
		w.Advance(time.Second) // tries again soon
		w.reports.Jobs.WakeUp()
	}
	t.Fatalf("report %d does not end: %v", id, r)
	return nil
}

// text returns the file of a report.
func (w *world) text(t *testing.T, r *ent.Report) string {
	t.Helper()
	in, err := w.reports.Objects.Get(t.Context(), *r.Object)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	data, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func csv() model.GenerateReportInput {
	return model.GenerateReportInput{Format: input.Given(new(entReport.FormatCsv))}
}

// TestSame asks for the same, and for other things.
func TestSame(t *testing.T) {
	w := newWorld(t)
	w.tasks(t, 1)
	first := w.mustAsk(t, csv())
	if again := w.mustAsk(t, csv()); again != first {
		t.Errorf("another one while it is queued")
	}
	marked := csv()
	marked.ByteOrderMark = input.Given(new(true))
	for name, other := range map[string]model.GenerateReportInput{"format": {}, "mark": marked, "kind": {Kind: input.Given(new(entReport.KindLeave))}} {
		if id := w.mustAsk(t, other); id == first {
			t.Errorf("%s: the same", name)
		}
	}
	r := w.run(t, first)
	if r.Status != entReport.StatusDone || r.Progress != 100 || *r.Rows != 1 || !strings.Contains(w.text(t, r), "Rapat 0") {
		t.Errorf("%v: %s", r, w.text(t, r))
	}
	w.Set(r.FinishedAt.Add(sameFor - time.Microsecond))
	if again := w.mustAsk(t, csv()); again != first {
		t.Error("another one within five minutes")
	}
	w.Set(r.FinishedAt.Add(sameFor))
	next := w.mustAsk(t, csv())
	if next == first {
		t.Error("the same one after five minutes")
	}
	err := w.Try(w.As(w.budi, viewer.Employee), func(ctx context.Context, _ *ent.Client) error { return w.reports.Cancel(ctx, next) })
	if err != nil {
		t.Fatal(err)
	}
	if again := w.mustAsk(t, csv()); again == next {
		t.Error("one that was cancelled is asked for again")
	}
}

// TestBounds holds the numbers of reports that wait, and of rows of a PDF.
func TestBounds(t *testing.T) {
	w := newWorld(t)
	day := func(n int) model.GenerateReportInput {
		in := csv()
		in.From = input.Given(&scalar.DateOrTime{Bound: period.Day("2026-03-11")})
		in.To = input.Given(&scalar.DateOrTime{Bound: period.Day("2026-03-11")})
		in.Kind = input.Given(&[]entReport.Kind{entReport.KindTask, entReport.KindAttendance, entReport.KindTimesheet, entReport.KindOvertime, entReport.KindLeave, entReport.KindTicket}[n])
		return in
	}
	for n := range maxOwn {
		w.mustAsk(t, day(n))
	}
	if _, err := w.ask(day(maxOwn)); apptest.Code(err) != "RATE_LIMITED" {
		t.Errorf("one more: %v", err)
	}
	w.DB.Report.Update().SetStatus(entReport.StatusDone).SetFinishedAt(w.Now()).ExecX(w.System())
	print := model.GenerateReportInput{Format: input.Given(new(entReport.FormatPdf))}
	w.tasks(t, pdf.MaxRows)
	w.mustAsk(t, print)
	w.DB.Report.Update().ClearKey().ExecX(w.System())
	w.tasks(t, 1)
	if _, err := w.ask(print); apptest.Code(err) != "VALIDATION_FAILED format too_many" {
		t.Errorf("%d rows: %v", pdf.MaxRows+1, err)
	}
}

// TestKilled makes a report whose first try died when its file was there.
func TestKilled(t *testing.T) {
	w := newWorld(t)
	w.tasks(t, 3)
	id, tries := w.mustAsk(t, csv()), 0
	w.reports.Jobs.Add(job.Kind{Name: makingKind, Attempts: attempts, Run: func(ctx context.Context, r *job.Run) error {
		if tries++; tries == 1 {
			asked := w.DB.Report.GetX(ctx, id)
			me := &viewer.Viewer{UserID: w.budi.ID, CompanyID: w.Company.ID, Permissions: viewer.Permissions(viewer.Employee), Timezone: w.Company.Timezone}
			b := w.reports.building(me, questionOf(asked), nil)
			if _, err := b.store(ctx); err != nil {
				return err
			}
			return errors.New("the instance died")
		}
		return w.making.Run(ctx, r)
	}})
	r := w.run(t, id)
	if r.Status != entReport.StatusDone || tries != 2 {
		t.Errorf("%v after %d tries", r, tries)
	}
	w.Advance(2 * time.Hour)
	if err := w.reports.Files.Sweep(w.System()); err != nil {
		t.Fatal(err)
	}
	if n := w.DB.File.Query().Where(entFile.MediaType("text/csv")).CountX(w.System()); n != 1 {
		t.Errorf("%d files, want one", n)
	}
}

// TestDead ends reports whose job is gone.
func TestDead(t *testing.T) {
	w := newWorld(t)
	waits, dead := w.mustAsk(t, csv()), w.mustAsk(t, model.GenerateReportInput{})
	w.DB.Job.Update().Where(entJob.ID(*w.DB.Report.GetX(w.System(), dead).JobID)).SetState(entJob.StateFailed).ExecX(w.System())
	if err := w.reports.Watching().Run(w.System(), nil); err != nil {
		t.Fatal(err)
	}
	if r := w.DB.Report.GetX(w.System(), dead); r.Status != entReport.StatusFailed || *r.Failure != "UNAVAILABLE" || r.FinishedAt == nil {
		t.Errorf("%v", r)
	}
	if r := w.DB.Report.GetX(w.System(), waits); r.Status != entReport.StatusQueued {
		t.Errorf("%v", r)
	}
}

// TestRights makes a report for somebody who has lost a right, or is not active any more.
func TestRights(t *testing.T) {
	for name, lose := range map[string]func(w *world, ctx context.Context, db *ent.Client) error{
		"no role": func(w *world, ctx context.Context, db *ent.Client) error {
			_, err := db.UserRole.Delete().Where(userrole.UserID(w.budi.ID)).Exec(ctx)
			return err
		},
		"not active": func(w *world, ctx context.Context, db *ent.Client) error {
			return db.User.UpdateOneID(w.budi.ID).SetActive(false).Exec(ctx)
		},
	} {
		w := newWorld(t)
		id := w.mustAsk(t, csv())
		w.Change(t, func(ctx context.Context, db *ent.Client) error { return lose(w, ctx, db) })
		if r := w.run(t, id); r.Status != entReport.StatusFailed || *r.Failure != "FORBIDDEN" || r.FileID != nil {
			t.Errorf("%s: %v", name, r)
		}
	}
}

// TestGoneFilter makes a report of a project that is gone: it is empty.
func TestGoneFilter(t *testing.T) {
	w := newWorld(t)
	w.tasks(t, 2)
	p := w.DB.Project.Create().SetCompanyID(w.Company.ID).SetName("P").SetCreatedAt(apptest.Now).SaveX(w.System())
	in := csv()
	in.ProjectID = input.Given(&p.ID)
	id := w.mustAsk(t, in)
	w.DB.Project.DeleteOne(p).ExecX(w.System())
	if r := w.run(t, id); r.Status != entReport.StatusDone || *r.Rows != 0 {
		t.Errorf("%v", r)
	}
}

// TestEmpty makes a report of a period without a date, of every kind and format.
func TestEmpty(t *testing.T) {
	w := newWorld(t)
	at := input.Given(&scalar.DateOrTime{Bound: period.Instant(apptest.Now)})
	for kind := range shapes {
		for _, format := range []entReport.Format{entReport.FormatCsv, entReport.FormatXlsx, entReport.FormatPdf} {
			id := w.mustAsk(t, model.GenerateReportInput{Kind: input.Given(&kind), Format: input.Given(&format), From: at, To: at})
			if r := w.run(t, id); r.Status != entReport.StatusDone || *r.Rows != 0 {
				t.Errorf("%s as %s: %v", kind, format, r)
			}
		}
	}
}

// TestFonts: the fonts of the service draw what the built-in ones lack; without them the report says
// so, in the language of the report.
func TestFonts(t *testing.T) {
	w := newWorld(t)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Task.Create().SetCompanyID(w.Company.ID).SetCreatorID(w.budi.ID).SetTitle("ประชุม").
			SetCreatedAt(w.Now()).SetUpdatedAt(w.Now()).Exec(ctx)
	})
	file := func(language string) string {
		w.Advance(time.Hour) // not the report of before
		ctx := request.NewContext(w.As(w.budi, viewer.Employee), &request.Info{Language: language})
		var id int
		err := w.Try(ctx, func(ctx context.Context, _ *ent.Client) (err error) {
			id, err = w.reports.Generate(ctx, model.GenerateReportInput{Format: input.Given(new(entReport.FormatPdf))})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return reporttest.ReadPDF(t, []byte(w.text(t, w.run(t, id))))
	}
	for language, want := range map[string]string{
		"id": "Tidak ada fon untuk karakter berikut, yang ditampilkan sebagai □: Thai (U+0E0A U+0E1B U+0E21",
		"en": "No font has these characters, which are shown as □: Thai (U+0E0A U+0E1B U+0E21",
	} {
		if text := file(language); !strings.Contains(text, want) || !strings.Contains(text, "□□□") {
			t.Errorf("%s: no %q in %s", language, want, text)
		}
	}
	fonts, err := pdf.Open(reporttest.Fonts(t))
	if err != nil {
		t.Fatal(err)
	}
	w.reports.Fonts = fonts
	if text := file("id"); !strings.Contains(text, "ประชุม") || strings.Contains(text, "□") {
		t.Errorf("with fonts: %s", text)
	}
}

// TestReach compares what somebody reads with what they read when a report was made.
func TestReach(t *testing.T) {
	own, all := reach{Scope: viewer.Own}, reach{Scope: viewer.All}
	team := func(ids ...int) reach { return reach{Scope: viewer.Team, Businesses: ids} }
	timed := func(s, time viewer.Scope, ids ...int) reach { return reach{s, time, ids} }
	for i, tt := range []struct {
		have, made reach
		want       bool
	}{
		{own, own, true}, {all, own, true}, {all, all, true}, {all, team(1), true}, {team(1), own, true}, {team(1, 2), team(2), true},
		{own, all, false}, {own, team(1), false}, {team(1), all, false}, {team(1), team(1, 2), false}, {team(), team(1), false},
		{reach{}, own, false}, {reach{}, reach{}, false}, {team(), team(), true},
		{timed(viewer.All, viewer.Own), timed(viewer.All, viewer.All), false},
		{timed(viewer.Own, viewer.Team, 1), timed(viewer.Own, viewer.Team, 1), true},
		{timed(viewer.Own, viewer.Team, 1), timed(viewer.Own, viewer.Team, 1, 2), false},
		{timed(viewer.All, viewer.Team, 1), timed(viewer.All, viewer.Team, 1), true},
		{timed(viewer.All, viewer.None), timed(viewer.All, viewer.Own), false},
		{timed(viewer.All, viewer.Own), timed(viewer.All, viewer.None), true},
	} {
		if got := tt.have.includes(tt.made); got != tt.want {
			t.Errorf("%d: %v within %v: %v", i, tt.have, tt.made, got)
		}
	}
}

// TestReachOfTasks has the scope of time in the reach of reports about tasks alone.
func TestReachOfTasks(t *testing.T) {
	v := &viewer.Viewer{Permissions: []string{"attendance.read.own", "task.read.own", "time.read.team"},
		Businesses: []int{7}}
	for kind, want := range map[entReport.Kind]reach{
		entReport.KindTask: {viewer.Own, viewer.Team, []int{7}}, entReport.KindAttendance: {Scope: viewer.Own},
	} {
		if got := reachOf(v, kind); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", kind, got, want)
		}
	}
}

// TestWords has all words in both languages.
func TestWords(t *testing.T) {
	for key, w := range words {
		if w[english] == "" || w[indonesian] == "" {
			t.Errorf("%s: %q", key, w)
		}
	}
	for kind, s := range shapes {
		for _, d := range []dictionary{english, indonesian} {
			b := &building{question: question{kind: kind}, words: d}
			for i, c := range b.columns() {
				if c.Title == "" || c.Width == 0 {
					t.Errorf("%s: column %d of %v", kind, i, s)
				}
			}
		}
	}
	for tag, want := range map[string]string{"en": "en", "en-GB": "en", "id": "id", "": "id", "fr": "id", "e": "id"} {
		if got := languageOf(tag); got != want {
			t.Errorf("%q: %q", tag, got)
		}
	}
}

func TestNextDue(t *testing.T) {
	for _, tt := range []struct {
		zone, now string
		first     int
		every     reportschedule.Every
		want      string
	}{
		{"Asia/Jakarta", "2026-03-11T03:00:00Z", 1, reportschedule.EveryWeek, "2026-03-15T23:00:00Z"},
		{"Asia/Jakarta", "2026-03-15T22:59:59Z", 1, reportschedule.EveryWeek, "2026-03-15T23:00:00Z"},
		{"Asia/Jakarta", "2026-03-15T23:00:00Z", 1, reportschedule.EveryWeek, "2026-03-22T23:00:00Z"},
		{"Asia/Jakarta", "2026-03-11T03:00:00Z", 7, reportschedule.EveryWeek, "2026-03-14T23:00:00Z"},
		{"Asia/Jakarta", "2026-03-11T03:00:00Z", 1, reportschedule.EveryMonth, "2026-03-31T23:00:00Z"},
		{"Asia/Jakarta", "2026-12-31T23:00:00Z", 1, reportschedule.EveryMonth, "2027-01-31T23:00:00Z"},
		{"Europe/Berlin", "2026-03-28T12:00:00Z", 1, reportschedule.EveryWeek, "2026-03-30T04:00:00Z"},
		{"America/New_York", "2026-11-01T03:00:00Z", 1, reportschedule.EveryMonth, "2026-11-01T11:00:00Z"},
	} {
		now, err := time.Parse(time.RFC3339, tt.now)
		if err != nil {
			t.Fatal(err)
		}
		got, err := nextDue(tt.zone, tt.first, tt.every, now)
		if err != nil || got.Format(time.RFC3339) != tt.want {
			t.Errorf("%+v: %v, %v", tt, got, err)
		}
	}
}

// TestCancelled stops a report that is being made.
func TestCancelled(t *testing.T) {
	w := newWorld(t)
	w.tasks(t, 1)
	id := w.mustAsk(t, csv())
	w.DB.Report.UpdateOneID(id).SetStatus(entReport.StatusCancelled).SetFinishedAt(w.Now()).ExecX(w.System())
	r := w.DB.Report.GetX(w.System(), id)
	b := w.reports.building(&viewer.Viewer{}, questionOf(r), nil)
	f, err := w.reports.Files.PutFile(w.System(), w.Company.ID, "text/csv", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	err = w.Try(w.System(), func(ctx context.Context, _ *ent.Client) error { return b.finish(ctx, r, f) })
	if !errors.Is(err, errEnded) {
		t.Errorf("%v, want %v", err, errEnded)
	}
	if err := w.Try(w.As(w.budi, viewer.Employee), func(ctx context.Context, _ *ent.Client) error { return w.reports.Cancel(ctx, id) }); errs.CodeOf(err) != errs.Conflict {
		t.Errorf("cancelled again: %v", err)
	}
}
