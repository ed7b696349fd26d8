package report

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	row "workforce/ent/report"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/period"
	"workforce/internal/scalar"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// A team is a world with a manager of budi and sari; joko is in no team, and ratu is an owner in it.
type team struct {
	*world
	manager, sari, joko, ratu *ent.User
	id                        int
}

func newTeam(t *testing.T) *team {
	t.Helper()
	w := &team{world: newWorld(t)}
	w.manager, w.ratu = w.User(t, "Manager", viewer.Manager), w.User(t, "Ratu", viewer.Owner)
	w.sari, w.joko = w.User(t, "Sari"), w.User(t, "Joko")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		b := db.Business.Create().SetCompanyID(w.Company.ID).SetName("Lobi").SetManagerID(w.manager.ID).SaveX(ctx)
		w.id = b.ID
		return db.User.Update().Where(user.IDIn(w.budi.ID, w.sari.ID, w.ratu.ID)).SetBusinessID(b.ID).Exec(ctx)
	})
	return w
}

// with returns the context of somebody with permissions, who manages the team.
func (w *team) with(u *ent.User, role string, more ...string) context.Context {
	ctx := w.As(u, role, w.id)
	v := viewer.From(ctx)
	v.Permissions = slices.Sorted(slices.Values(append(v.Permissions, more...)))
	return ctx
}

// do runs a step in a transaction, and returns the code of its error.
func (w *team) do(ctx context.Context, step func(context.Context) error) string {
	return codeOf(w.Try(ctx, func(ctx context.Context, _ *ent.Client) error { return step(ctx) }))
}

// codeOf returns the code of an error: of a row that its viewer does not see it is NOT_FOUND.
func codeOf(err error) string {
	if ent.IsNotFound(err) {
		return string(errs.NotFound)
	}
	return apptest.Code(err)
}

// is reports whether a code is one that is wanted, whatever its reason.
func is(got, want string) bool { return got == want || want != "" && strings.HasPrefix(got, want+" ") }

// TestGenerateRefused says which reports are refused, and why.
func TestGenerateRefused(t *testing.T) {
	type request = model.GenerateReportInput
	w := newTeam(t)
	on := func(date string) input.Omittable[*scalar.DateOrTime] {
		return input.Given(&scalar.DateOrTime{Bound: period.Day(shift.Date(date))})
	}
	kind := func(k row.Kind) input.Omittable[*row.Kind] { return input.Given(&k) }
	of := func(u *ent.User) input.Omittable[*int] { return input.Given(&u.ID) }
	project := w.DB.Project.Create().SetCompanyID(w.Company.ID).SetName("P").SetCreatedAt(apptest.Now).SaveX(w.System()).ID
	nobody := ent.NewContext(t.Context(), w.DB)
	tasksOnly := w.As(w.budi, viewer.Employee)
	viewer.From(tasksOnly).Permissions = []string{"report.read.own", "report.write.own", "task.read.own"}
	budi, manager, admin := w.As(w.budi, viewer.Employee), w.with(w.manager, viewer.Manager), w.As(w.joko, viewer.Admin)
	for _, tt := range []struct {
		about string
		who   context.Context
		in    request
		want  string
	}{
		{"nobody", nobody, request{}, "UNAUTHENTICATED"},
		{"from after to", budi, request{From: on("2026-03-11"), To: on("2026-03-10")}, "VALIDATION_FAILED from"},
		{"367 days", budi, request{From: on("2025-01-01"), To: on("2026-01-02")}, "VALIDATION_FAILED to"},
		{"366 days", budi, request{From: on("2025-01-01"), To: on("2026-01-01")}, ""},
		{"of oneself", budi, request{UserID: of(w.budi)}, ""},
		{"of a colleague", budi, request{UserID: of(w.sari)}, "NOT_FOUND userId"},
		{"of nobody", admin, request{UserID: input.Given(new(99999))}, "NOT_FOUND userId"},
		{"of one of the team", manager, request{UserID: of(w.sari)}, ""},
		{"of one of no team", manager, request{UserID: of(w.joko)}, "NOT_FOUND userId"},
		{"leave of a colleague", budi, request{Kind: kind(row.KindLeave), UserID: of(w.sari)}, "NOT_FOUND userId"},
		{"of a project", budi, request{ProjectID: input.Given(&project)}, ""},
		{"of no project", budi, request{ProjectID: input.Given(new(99999))}, "NOT_FOUND projectId"},
		{"attendance of a project", budi, request{Kind: kind(row.KindAttendance), ProjectID: input.Given(&project)},
			"VALIDATION_FAILED projectId excludes"},
		{"tasks, which one reads", tasksOnly, request{Format: input.Given(new(row.FormatCsv))}, ""},
		{"leave, which one does not read", tasksOnly, request{Kind: kind(row.KindLeave)}, "FORBIDDEN kind"},
		{"attendance, which one does not read", tasksOnly, request{Kind: kind(row.KindTimesheet)}, "FORBIDDEN kind"},
	} {
		got := w.do(tt.who, func(ctx context.Context) error { _, err := w.reports.Generate(ctx, tt.in); return err })
		if !is(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
		w.DB.Report.Delete().ExecX(w.System())
	}
}

// TestCancel says whose reports are cancelled by whom, while they are made.
func TestCancel(t *testing.T) {
	w := newTeam(t)
	rows := map[*ent.User]int{}
	for _, u := range []*ent.User{w.budi, w.ratu} {
		rows[u] = w.row(t, u, row.KindTask, func(*ent.ReportCreate) {})
	}
	for _, tt := range []struct {
		about string
		who   context.Context
		of    *ent.User
		want  string
	}{
		{"one's own", w.As(w.budi, viewer.Employee), w.budi, ""},
		{"a colleague's", w.As(w.sari, viewer.Employee), w.budi, "NOT_FOUND"},
		{"one that is only seen", w.with(w.manager, viewer.Manager), w.budi, "FORBIDDEN"},
		{"one of the team", w.with(w.manager, viewer.Manager, "report.write.team"), w.budi, ""},
		{"one of a team that one does not manage", w.As(w.manager, viewer.Manager), w.budi, "NOT_FOUND"},
		{"an owner's in the team", w.with(w.manager, viewer.Manager, "report.write.team"), w.ratu, "FORBIDDEN"},
		{"an owner's by an administrator", w.As(w.joko, viewer.Admin), w.ratu, "FORBIDDEN"},
		{"an owner's by another owner", w.As(w.joko, viewer.Owner), w.ratu, ""},
		{"an owner's own", w.As(w.ratu, viewer.Owner), w.ratu, ""},
	} {
		id := rows[tt.of]
		for state, ended := range map[row.Status]bool{
			row.StatusQueued: false, row.StatusRunning: false, row.StatusDone: true, row.StatusFailed: true,
			row.StatusCancelled: true,
		} {
			w.DB.Report.UpdateOneID(id).SetStatus(state).ExecX(w.System())
			want, after := tt.want, row.StatusCancelled
			if want == "" && ended {
				want = "CONFLICT"
			}
			if want != "" {
				after = state
			}
			got := w.do(tt.who, func(ctx context.Context) error { return w.reports.Cancel(ctx, id) })
			if now := w.DB.Report.GetX(w.System(), id).Status; !is(got, want) || now != after {
				t.Errorf("%s, %s: %q, then %s, want %q, then %s", tt.about, state, got, now, want, after)
			}
		}
	}
}

// row adds a report of somebody's.
func (w *world) row(t *testing.T, u *ent.User, kind row.Kind, set func(*ent.ReportCreate)) (id int) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		create := db.Report.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetKind(kind).SetFormat(row.FormatCsv).
			SetFromDate("2026-03-01").SetToDate("2026-03-31").SetLanguage("en").SetTimezone("Asia/Jakarta").
			SetCreatedAt(apptest.Now).SetExpiresAt(apptest.Now.Add(keptFor))
		set(create)
		r, err := create.Save(ctx)
		if err == nil {
			id = r.ID
		}
		return err
	})
	return id
}

// TestReady says who gets the file of a report, and when.
func TestReady(t *testing.T) {
	w := newTeam(t)
	f, err := w.reports.Files.PutFile(w.System(), w.Company.ID, "text/csv", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	reach := func(r reach) func(*ent.ReportCreate) {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return func(c *ent.ReportCreate) {
			c.SetStatus(row.StatusDone).SetFinishedAt(apptest.Now).SetObject(f.Name).SetReach(string(text))
		}
	}
	own := reach(reachOf(viewer.From(w.As(w.budi, viewer.Employee)), row.KindTask))
	more := reach(reachOf(viewer.From(w.with(w.budi, viewer.Manager)), row.KindTask))
	status := func(s row.Status) func(*ent.ReportCreate) {
		return func(c *ent.ReportCreate) {
			if c.SetStatus(s); s != row.StatusQueued && s != row.StatusRunning {
				c.SetFinishedAt(apptest.Now)
			}
		}
	}
	budi := w.As(w.budi, viewer.Employee)
	for _, tt := range []struct {
		about string
		set   func(*ent.ReportCreate)
		who   context.Context
		after time.Duration
		want  string
		retry time.Duration
	}{
		{"its owner", own, budi, 0, "", 0},
		{"its owner, at the end of seven days", own, budi, keptFor - time.Microsecond, "", 0},
		{"its owner, after seven days", own, budi, keptFor, "NOT_FOUND", 0},
		{"its owner, who reads more", own, w.As(w.budi, viewer.Admin), 0, "", 0},
		{"its owner, who reads less", more, budi, 0, "FORBIDDEN", 0},
		{"an administrator", own, w.As(w.joko, viewer.Admin), 0, "FORBIDDEN", 0},
		{"a colleague", own, w.As(w.sari, viewer.Employee), 0, "NOT_FOUND", 0},
		{"a reach that cannot be read", func(c *ent.ReportCreate) { own(c); c.SetReach("{") }, budi, 0, "FORBIDDEN", 0},
		{"queued", status(row.StatusQueued), budi, 0, "REPORT_NOT_READY", retryAfter},
		{"running", status(row.StatusRunning), budi, 0, "REPORT_NOT_READY", retryAfter},
		{"failed", status(row.StatusFailed), budi, 0, "REPORT_NOT_READY", 0},
		{"cancelled", status(row.StatusCancelled), budi, 0, "REPORT_NOT_READY", 0},
	} {
		id := w.row(t, w.budi, row.KindTask, tt.set)
		w.Set(apptest.Now.Add(tt.after))
		err := w.reports.Ready(tt.who, id)
		if codeOf(err) != tt.want || errs.As(err).RetryAfter != tt.retry {
			t.Errorf("%s: %v, want %q after %v", tt.about, err, tt.want, tt.retry)
		}
		r := w.DB.Report.GetX(w.System(), id)
		link, err := w.reports.Link(tt.who, r)
		seconds, _ := w.reports.LinkSeconds(tt.who, r)
		ready := tt.want == ""
		if (link != nil) != ready || (seconds != nil) != ready || ready && *seconds != 300 || err != nil {
			t.Errorf("%s: link %v for %v s, %v", tt.about, link, seconds, err)
		}
	}
	r := &ent.Report{Kind: row.KindOvertime, FromDate: "2026-03-01", ToDate: "2026-03-31", Format: row.FormatPdf}
	rostertest.Want(t, "file name", FileName(r), "overtime-2026-03-01-2026-03-31.pdf")
}
