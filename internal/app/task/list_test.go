package task

import (
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entTask "workforce/ent/task"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/input"
	"workforce/internal/period"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// TestList lists tasks of budi: four, of which each is a second younger than the one before.
func TestList(t *testing.T) {
	w := newWorld(t)
	db, sys := w.DB(), w.System()
	p := db.Project.Create().SetCompanyID(w.Company.ID).SetName("P").SetCreatedAt(apptest.Now).SaveX(sys)
	c := db.TaskCategory.Create().SetCompanyID(w.Company.ID).SetName("C").SaveX(sys)
	at := func(text string) input.Omittable[*time.Time] {
		due, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return input.Given(&due)
	}
	for _, in := range []model.SaveTaskInput{
		{Title: "a", DueAt: at("2026-03-09T10:00:00Z")},
		{Title: "b", Status: input.Given(new(entTask.StatusInProgress)), DueAt: at("2026-03-10T16:59:59Z"),
			ProjectID: input.Given(&p.ID)},
		{Title: "c", Status: input.Given(new(entTask.StatusDone)), DueAt: at("2026-03-10T17:00:00Z"),
			CategoryID: input.Given(&c.ID)},
		{Title: "d", Description: input.Given(new("catatan rapat"))},
	} {
		w.save(t, in)
		w.Advance(time.Second)
	}
	done := entTask.StatusDone
	for _, tt := range []struct {
		name   string
		filter Filter
		want   string // titles, the newest first, or a code
	}{
		{"all", Filter{}, "d c b a"},
		{"by status", Filter{Status: &done}, "c"},
		{"by project", Filter{ProjectID: &p.ID}, "b"},
		{"by category", Filter{CategoryID: &c.ID}, "c"},
		{"by assignee", Filter{AssigneeID: &w.budi.ID}, "d c b a"},
		{"by another assignee", Filter{AssigneeID: &w.sari.ID}, ""},
		{"due on a day", Filter{From: bound("2026-03-10"), To: bound("2026-03-10")}, "b"},
		{"due from a day", Filter{From: bound("2026-03-10")}, "c b"},
		{"due to a day", Filter{To: bound("2026-03-09")}, "a"},
		{"due before an instant", Filter{To: bound("2026-03-10T23:59:59+07:00")}, "a"},
		{"due from an instant", Filter{From: bound("2026-03-10T23:59:59+07:00")}, "c b"},
		{"by a word of the description", Filter{Search: new("RAPAT")}, "d"},
		{"by words that none has", Filter{Search: new("rapat scanner")}, ""},
		{"by status and project", Filter{Status: &done, ProjectID: &p.ID}, ""},
		{"an unknown project", Filter{ProjectID: new(99999)}, "NOT_FOUND projectId"},
		{"an unknown category", Filter{CategoryID: new(99999)}, "NOT_FOUND categoryId"},
		{"an unknown person", Filter{AssigneeID: new(99999)}, "NOT_FOUND assigneeId"},
		{"from after to", Filter{From: bound("2026-03-11"), To: bound("2026-03-10")}, "VALIDATION_FAILED from"},
		{"more than 366 days", Filter{From: bound("2026-01-01"), To: bound("2027-01-02")}, "VALIDATION_FAILED to"},
		{"366 days", Filter{From: bound("2026-01-01"), To: bound("2027-01-01")}, "c b a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx := w.As(w.budi, viewer.Employee)
			q, err := w.List(ctx, tt.filter)
			got := apptest.Code(err)
			if err == nil {
				got = titles(NewestFirst(q).AllX(ctx))
			}
			if got != tt.want && !strings.HasPrefix(got, tt.want+" ") {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	colleague := w.As(w.sari, viewer.Employee)
	if q, err := w.List(colleague, Filter{}); err != nil || q.CountX(colleague) != 0 {
		t.Errorf("a colleague sees them: %v", err)
	}
}

// bound returns one end of a period: a day or an instant.
func bound(text string) *period.Bound {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return new(period.Instant(at))
	}
	return new(period.Day(shift.Date(text)))
}

// titles returns the titles of tasks.
func titles(list []*ent.Task) string {
	var all []string
	for _, one := range list {
		all = append(all, one.Title)
	}
	return strings.Join(all, " ")
}

// TestWidget counts the tasks that budi is assigned to. Its items are the unfinished ones, the soonest
// due first, those without a time last.
func TestWidget(t *testing.T) {
	w := newWorld(t)
	due := func(d time.Duration) input.Omittable[*time.Time] { return input.Given(new(apptest.Now.Add(d))) }
	for _, in := range []model.SaveTaskInput{
		{Title: "never"},
		{Title: "tomorrow", DueAt: due(24 * time.Hour), Status: input.Given(new(entTask.StatusInProgress))},
		{Title: "late", DueAt: due(-time.Microsecond)},
		{Title: "now", DueAt: due(0)},
		{Title: "done", DueAt: due(-time.Hour), Status: input.Given(new(entTask.StatusDone))},
		{Title: "cancelled", Status: input.Given(new(entTask.StatusCancelled))},
		{Title: "nobody's", AssigneeIds: input.Given([]int{})},
	} {
		w.save(t, in)
	}
	for _, tt := range []struct {
		who   *ent.User
		limit *int
		want  model.TasksWidget
		items string
	}{
		{w.budi, nil, model.TasksWidget{Open: 3, InProgress: 1, Overdue: 1, DoneToday: 1}, "late now tomorrow never"},
		{w.budi, new(2), model.TasksWidget{Open: 3, InProgress: 1, Overdue: 1, DoneToday: 1}, "late now"},
		{w.sari, nil, model.TasksWidget{}, ""},
	} {
		ctx := w.As(tt.who, viewer.Employee)
		got, q, err := w.Widget(ctx, tt.limit)
		if err != nil {
			t.Fatal(err)
		}
		if got.Open != tt.want.Open || got.InProgress != tt.want.InProgress || got.Overdue != tt.want.Overdue ||
			got.DoneToday != tt.want.DoneToday {
			t.Errorf("%s: %+v, want %+v", tt.who.Name, got, tt.want)
		}
		if items := titles(q.AllX(ctx)); items != tt.items {
			t.Errorf("%s: items %q, want %q", tt.who.Name, items, tt.items)
		}
	}
	_, _, err := w.Widget(w.As(w.budi, viewer.Employee), new(51))
	if apptest.Code(err) != "VALIDATION_FAILED limit out_of_range" {
		t.Errorf("51 items: %v", err)
	}
}
