package report

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	row "workforce/ent/report"
	"workforce/ent/reportschedule"
	"workforce/graph/model"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/app/input"
	"workforce/internal/viewer"
)

// create makes a schedule, and returns its id and the code of the error.
func (w *team) create(ctx context.Context, in model.CreateReportScheduleInput) (id int, code string) {
	code = w.do(ctx, func(ctx context.Context) (err error) {
		id, err = w.reports.CreateSchedule(ctx, in)
		return err
	})
	return id, code
}

// TestScheduleRefused says to whom one has reports sent, and of whom.
func TestScheduleRefused(t *testing.T) {
	type request = model.CreateReportScheduleInput
	w := newTeam(t)
	left := w.User(t, "Lina")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOne(left).SetActive(false).Exec(ctx)
	})
	budi, manager, admin := w.As(w.budi, viewer.Employee), w.with(w.manager, viewer.Manager), w.As(w.joko, viewer.Admin)
	sender := w.with(w.manager, viewer.Manager, "report.write.team")
	id := func(u *ent.User) input.Omittable[*int] { return input.Given(&u.ID) }
	for _, tt := range []struct {
		about string
		who   context.Context
		in    request
		want  string
	}{
		{"nobody", ent.NewContext(t.Context(), w.DB), request{}, "UNAUTHENTICATED"},
		{"for oneself", budi, request{}, ""},
		{"for oneself, named", budi, request{RecipientID: id(w.budi)}, ""},
		{"for a colleague", budi, request{RecipientID: id(w.sari)}, "FORBIDDEN recipientId"},
		{"for nobody", admin, request{RecipientID: input.Given(new(99999))}, "NOT_FOUND recipientId"},
		{"for the team, whose reports one reads", manager, request{RecipientID: id(w.sari)}, "FORBIDDEN recipientId"},
		{"for the team", sender, request{RecipientID: id(w.sari)}, ""},
		{"for one of no team", sender, request{RecipientID: id(w.joko)}, "FORBIDDEN recipientId"},
		{"for an owner in the team", sender, request{RecipientID: id(w.ratu)}, "FORBIDDEN recipientId"},
		{"for an owner", admin, request{RecipientID: id(w.ratu)}, "FORBIDDEN recipientId"},
		{"for an owner, by another", w.As(w.joko, viewer.Owner), request{RecipientID: id(w.ratu)}, ""},
		{"for one who has left", admin, request{RecipientID: id(left)}, "FORBIDDEN recipientId"},
		{"of whom the recipient does not read", admin, request{RecipientID: id(w.budi), UserID: id(w.sari)},
			"FORBIDDEN recipientId"},
		{"of whom the recipient reads", admin, request{RecipientID: id(w.manager), UserID: id(w.sari)}, ""},
		{"of whom one does not read", sender, request{RecipientID: id(w.budi), UserID: id(w.joko)}, "NOT_FOUND userId"},
		{"of no project", budi, request{ProjectID: input.Given(new(99999))}, "NOT_FOUND projectId"},
		{"leave of a project", budi, request{Kind: row.KindLeave, ProjectID: input.Given(new(99999))},
			"VALIDATION_FAILED projectId excludes"},
	} {
		if tt.in.Every = reportschedule.EveryWeek; tt.in.Kind == "" {
			tt.in.Kind = row.KindTask
		}
		if _, got := w.create(tt.who, tt.in); !is(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
	}
}

// TestScheduleBound gives a person twenty schedules, whoever made them.
func TestScheduleBound(t *testing.T) {
	w := newTeam(t)
	admin, budi := w.As(w.joko, viewer.Admin), w.As(w.budi, viewer.Employee)
	in := model.CreateReportScheduleInput{Kind: row.KindTask, Every: reportschedule.EveryMonth}
	for i := range maxSchedules {
		ctx, in := budi, in
		if i%2 == 0 {
			ctx, in.RecipientID = admin, input.Given(&w.budi.ID)
		}
		if _, code := w.create(ctx, in); code != "" {
			t.Errorf("%d: %q", i, code)
		}
	}
	_, code := w.create(budi, in)
	rostertest.Want(t, "one more", code, "CONFLICT")
	_, code = w.create(admin, in)
	rostertest.Want(t, "for somebody else", code, "")
}

// TestScheduleChange: a schedule is due anew where its unit changes or it is resumed, and stays as it is else.
func TestScheduleChange(t *testing.T) {
	w := newTeam(t)
	budi := w.As(w.budi, viewer.Employee)
	id, code := w.create(budi, model.CreateReportScheduleInput{Kind: row.KindTask, Every: reportschedule.EveryWeek})
	if code != "" {
		t.Fatal(code)
	}
	type change = model.UpdateReportScheduleInput
	week, month := input.Given(new(reportschedule.EveryWeek)), input.Given(new(reportschedule.EveryMonth))
	active := func(v bool) input.Omittable[*bool] { return input.Given(&v) }
	for _, tt := range []struct {
		about string
		now   string
		in    change
		want  string
	}{
		{"nothing", "2026-03-11 10:00:00", change{}, "week true 2026-03-16 06:00"},
		{"each month", "2026-03-11 10:00:00", change{Every: month}, "month true 2026-04-01 06:00"},
		{"each week again", "2026-03-11 10:00:00", change{Every: week}, "week true 2026-03-16 06:00"},
		{"the same, once it is due", "2026-03-17 10:00:00", change{Every: week, Active: active(true)},
			"week true 2026-03-16 06:00"},
		{"stopped", "2026-03-17 10:00:00", change{Active: active(false)}, "week false 2026-03-16 06:00"},
		{"resumed, without what was due meanwhile", "2026-03-24 10:00:00", change{Active: active(true)},
			"week true 2026-03-30 06:00"},
	} {
		w.Set(jakarta(t, tt.now))
		code := w.do(budi, func(ctx context.Context) error { return w.reports.UpdateSchedule(ctx, id, tt.in) })
		s := w.DB.ReportSchedule.GetX(w.System(), id)
		got := fmt.Sprint(s.Every, " ", s.Active, " ", s.DueAt.Add(7*time.Hour).Format("2006-01-02 15:04"))
		if code != "" || got != tt.want {
			t.Errorf("%s: %q, %s, want %s", tt.about, code, got, tt.want)
		}
	}
	for _, tt := range []struct {
		about string
		who   context.Context
		want  string
	}{
		{"a colleague", w.As(w.sari, viewer.Employee), "NOT_FOUND"},
		{"who sees it", w.with(w.manager, viewer.Manager), "FORBIDDEN"},
		{"who writes the reports of the team", w.with(w.manager, viewer.Manager, "report.write.team"), ""},
		{"once it is gone", budi, "NOT_FOUND"},
	} {
		update := func(ctx context.Context) error {
			return w.reports.UpdateSchedule(ctx, id, change{Every: month})
		}
		remove := func(ctx context.Context) error { return w.reports.DeleteSchedule(ctx, id) }
		if got := w.do(tt.who, update); got != tt.want {
			t.Errorf("changed by %s: %q, want %q", tt.about, got, tt.want)
		}
		if got := w.do(tt.who, remove); got != tt.want {
			t.Errorf("deleted by %s: %q, want %q", tt.about, got, tt.want)
		}
	}
}

// ask asks for what is due, twice, and returns the reports that are there then, the oldest period first.
func (w *team) ask(t *testing.T) string {
	t.Helper()
	for range 2 {
		if err := w.reports.Asking().Run(w.System(), nil); err != nil {
			t.Fatal(err)
		}
	}
	var list []string
	for _, r := range w.DB.Report.Query().Order(ent.Asc(row.FieldFromDate, row.FieldToDate)).AllX(w.System()) {
		list = append(list, fmt.Sprintf("%s %s-%s %s %s", r.Kind, r.FromDate[5:], r.ToDate[5:], r.Format, r.Language))
	}
	w.DB.Report.Delete().ExecX(w.System())
	return strings.Join(list, ", ")
}

// TestScheduleDue asks for the report of each week and month that is over, once.
func TestScheduleDue(t *testing.T) {
	w := newTeam(t)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOne(w.budi).SetLocale("en").Exec(ctx)
	})
	budi := w.As(w.budi, viewer.Employee)
	weekly, _ := w.create(budi, model.CreateReportScheduleInput{Kind: row.KindAttendance, Every: reportschedule.EveryWeek})
	w.create(w.As(w.sari, viewer.Employee), model.CreateReportScheduleInput{
		Kind: row.KindTask, Format: input.Given(new(row.FormatCsv)), Every: reportschedule.EveryMonth,
	})
	ask := func(now, want string) {
		t.Helper()
		w.Set(jakarta(t, now))
		rostertest.Want(t, now, w.ask(t), want)
	}
	ask("2026-03-16 05:59:59", "")
	ask("2026-03-16 06:00:00", "attendance 03-09-03-15 xlsx en")
	ask("2026-03-17 06:00:00", "")
	ask("2026-04-06 06:30:00", "task 03-01-03-31 csv id, attendance 03-16-03-22 xlsx en, "+
		"attendance 03-23-03-29 xlsx en, attendance 03-30-04-05 xlsx en")
	due := jakarta(t, "2026-04-13 06:00:00")
	if s := w.DB.ReportSchedule.GetX(w.System(), weekly); !s.DueAt.Equal(due) || !s.MadeAt.Equal(w.Now()) {
		t.Errorf("due %v, made %v", s.DueAt, s.MadeAt)
	}
	setActive := func(active bool) {
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			return db.User.UpdateOne(w.budi).SetActive(active).Exec(ctx)
		})
	}
	setActive(false)
	ask("2026-04-13 06:00:00", "")
	setActive(true)
	ask("2026-04-13 07:00:00", "") // that week is left out
	ask("2026-04-20 06:00:00", "attendance 04-13-04-19 xlsx en")
	ask("2026-05-02 12:00:00", "task 04-01-04-30 csv id, attendance 04-20-04-26 xlsx en")
	w.DB.ReportSchedule.UpdateOneID(weekly).SetActive(false).ExecX(w.System())
	ask("2026-05-11 06:00:00", "")
}

// TestScheduleTold tells the owner of a scheduled report where it is, and nobody of one that they asked for.
func TestScheduleTold(t *testing.T) {
	w := newTeam(t)
	budi := w.As(w.budi, viewer.Employee)
	id, _ := w.create(budi, model.CreateReportScheduleInput{Kind: row.KindTask, Every: reportschedule.EveryWeek})
	for about, want := range map[string]int{"scheduled": 1, "asked for": 0} {
		r := w.row(t, w.budi, row.KindTask, func(c *ent.ReportCreate) {
			if want > 0 {
				c.SetScheduleID(id)
			}
		})
		b := w.reports.building(viewer.From(budi), questionOf(w.DB.Report.GetX(w.System(), r)), nil)
		f, err := w.reports.Files.PutFile(w.System(), w.Company.ID, "text/csv", strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		err = w.Try(w.System(), func(ctx context.Context, db *ent.Client) error {
			return b.finish(ctx, db.Report.GetX(ctx, r), f)
		})
		if n := w.DB.Message.Query().CountX(w.System()); err != nil || n != want {
			t.Errorf("%s: %d messages, %v, want %d", about, n, err, want)
		}
		w.DB.Message.Delete().ExecX(w.System())
	}
	rostertest.Want(t, "the link", w.reports.link(7), "http://wf.test/task/report/7/download")
}
