package project

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"workforce/ent"
	entProject "workforce/ent/project"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

type world struct {
	*apptest.World
	projects     *Service
	ana, budi    *ent.User
	gone, theirs *ent.User // inactive; of another company
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{World: apptest.New(t)}
	w.projects = &Service{Now: w.Now}
	w.budi, w.ana, w.gone = w.User(t, "Budi"), w.User(t, "Ana", viewer.Owner), w.User(t, "Gone") // whose names are in another order than their ids
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		c, err := db.Company.Create().SetName("Other").SetTimezone("UTC").SetLocale("en").SetCreatedAt(apptest.Now).Save(ctx)
		if err != nil {
			return err
		}
		w.theirs, err = db.User.Create().SetCompanyID(c.ID).SetName("Omar").SetEmail("o@other.test").SetEmailKey("o@other.test").SetCreatedAt(apptest.Now).Save(ctx)
		if err != nil {
			return err
		}
		return db.User.UpdateOne(w.gone).SetActive(false).Exec(ctx)
	})
	return w
}

// do runs a step in the name of somebody, and returns its code.
func (w *world) do(u *ent.User, role string, step func(ctx context.Context) error) string {
	return apptest.Code(w.Try(w.As(u, role), func(ctx context.Context, _ *ent.Client) error { return step(ctx) }))
}

// create adds a project in the name of the owner.
func (w *world) create(in model.CreateProjectInput) (id int, code string) {
	code = w.do(w.ana, viewer.Owner, func(ctx context.Context) (err error) {
		id, err = w.projects.Create(ctx, in)
		return err
	})
	return id, code
}

func (w *world) update(id int, in model.UpdateProjectInput) string {
	return w.do(w.ana, viewer.Owner, func(ctx context.Context) error { return w.projects.Update(ctx, id, in) })
}

// members returns the names of a project's members, by name.
func (w *world) members(id int) string {
	var names []string
	for _, u := range w.DB.Project.Query().Where(entProject.ID(id)).QueryMembers().AllX(w.System()) {
		names = append(names, u.Name)
	}
	return strings.Join(names, ", ")
}

func text(s string) input.Omittable[*string] { return input.Given(&s) }

func TestCreate(t *testing.T) {
	w := newWorld(t)
	many := make([]int, maxMembers+1)
	for i := range many {
		many[i] = w.ana.ID
	}
	tests := []struct {
		name string
		in   model.CreateProjectInput
		want string
	}{
		{"all members", model.CreateProjectInput{Name: " Lobi ", Code: text("LB-1"), Color: text("#1E90FF"), StartsOn: text("2026-03-01"), EndsOn: text("2026-03-01"),
			BudgetHours: input.Given(new(maxBudget)), OpenToAll: input.Given(new(false)), MemberIds: input.Given([]int{w.budi.ID, w.ana.ID, w.budi.ID})}, ""},
		{"without a name", model.CreateProjectInput{Name: " "}, "VALIDATION_FAILED name required"},
		{"a code that is taken", model.CreateProjectInput{Name: "X", Code: text("lb-1")}, "VALIDATION_FAILED code already_taken"},
		{"a code with a space", model.CreateProjectInput{Name: "X", Code: text("L B")}, "VALIDATION_FAILED code bad_format"},
		{"a code that is too long", model.CreateProjectInput{Name: "X", Code: text(strings.Repeat("a", maxCode+1))}, "VALIDATION_FAILED code too_long"},
		{"no colour", model.CreateProjectInput{Name: "X", Color: text("blue")}, "VALIDATION_FAILED color bad_format"},
		{"an end before the start", model.CreateProjectInput{Name: "X", StartsOn: text("2026-03-02"), EndsOn: text("2026-03-01")}, "VALIDATION_FAILED endsOn out_of_range"},
		{"no budget", model.CreateProjectInput{Name: "X", BudgetHours: input.Given(new(0))}, "VALIDATION_FAILED budgetHours out_of_range"},
		{"too large a budget", model.CreateProjectInput{Name: "X", BudgetHours: input.Given(new(maxBudget + 1))}, "VALIDATION_FAILED budgetHours out_of_range"},
		{"too many members", model.CreateProjectInput{Name: "X", MemberIds: input.Given(many)}, "VALIDATION_FAILED memberIds too_many"},
		{"somebody who left", model.CreateProjectInput{Name: "X", MemberIds: input.Given([]int{w.gone.ID})}, "NOT_FOUND memberIds"},
		{"somebody of another company", model.CreateProjectInput{Name: "X", MemberIds: input.Given([]int{w.ana.ID, w.theirs.ID})}, "NOT_FOUND memberIds"},
		{"codes are optional", model.CreateProjectInput{Name: "Lobi", Code: text(" ")}, ""},
	}
	var ids []int
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			id, code := w.create(tt.in)
			if strings.TrimSpace(code) != tt.want {
				t.Errorf("%q, want %q", code, tt.want)
			}
			if code == "" {
				ids = append(ids, id)
			}
		})
	}
	list := w.DB.Project.Query().Order(ent.Asc(entProject.FieldID)).AllX(w.System())
	if len(list) != len(ids) || !slices.EqualFunc(list, ids, func(p *ent.Project, id int) bool { return p.ID == id }) {
		t.Errorf("%d projects, want %v", len(list), ids)
	}
	if p := list[0]; p.Name != "Lobi" || *p.Code != "LB-1" || *p.Color != "#1e90ff" || p.OpenToAll || p.Status != entProject.StatusActive || w.members(p.ID) != "Ana, Budi" {
		t.Errorf("created %v with %s", p, w.members(p.ID))
	}
	if p := list[1]; p.Code != nil || !p.OpenToAll {
		t.Errorf("created %v", p)
	}
	for _, role := range []string{viewer.Employee, viewer.Manager} {
		code := w.do(w.budi, role, func(ctx context.Context) error {
			_, err := w.projects.Create(ctx, model.CreateProjectInput{Name: "X"})
			return err
		})
		if code != "FORBIDDEN" {
			t.Errorf("by %s: %q", role, code)
		}
	}
}

func TestUpdate(t *testing.T) {
	w := newWorld(t)
	id, _ := w.create(model.CreateProjectInput{Name: "Lobi", StartsOn: text("2026-03-10"), EndsOn: text("2026-03-20"), MemberIds: input.Given([]int{w.ana.ID})})
	tests := []struct {
		name string
		in   model.UpdateProjectInput
		want string
	}{
		{"a start after the end that it has", model.UpdateProjectInput{StartsOn: text("2026-03-21")}, "VALIDATION_FAILED startsOn out_of_range"},
		{"an end before the start that it has", model.UpdateProjectInput{EndsOn: text("2026-03-09")}, "VALIDATION_FAILED endsOn out_of_range"},
		{"no status", model.UpdateProjectInput{Status: input.Given[*entProject.Status](nil)}, "VALIDATION_FAILED status required"},
		{"neither open nor closed", model.UpdateProjectInput{OpenToAll: input.Given[*bool](nil)}, "VALIDATION_FAILED openToAll required"},
		{"no name", model.UpdateProjectInput{Name: input.Given[*string](nil)}, "VALIDATION_FAILED name required"},
		{"other members", model.UpdateProjectInput{MemberIds: input.Given([]int{w.budi.ID})}, ""},
		{"no end", model.UpdateProjectInput{EndsOn: input.Given[*string](nil), StartsOn: text("2026-03-21")}, ""},
		{"archived", model.UpdateProjectInput{Status: input.Given(new(entProject.StatusArchived))}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if code := w.update(id, tt.in); code != tt.want {
				t.Errorf("%q, want %q", code, tt.want)
			}
		})
	}
	p := w.DB.Project.GetX(w.System(), id)
	if got := fmt.Sprint(p.Name, *p.StartsOn, p.EndsOn, p.Status, w.members(id)); got != fmt.Sprint("Lobi", "2026-03-21", (*string)(nil), entProject.StatusArchived, "Budi") {
		t.Errorf("it is %s", got)
	}
}

func TestWork(t *testing.T) {
	w := newWorld(t)
	open, _ := w.create(model.CreateProjectInput{Name: "Open"})
	closed, _ := w.create(model.CreateProjectInput{Name: "Closed", OpenToAll: input.Given(new(false)), MemberIds: input.Given([]int{w.budi.ID})})
	archived, _ := w.create(model.CreateProjectInput{Name: "Archived"})
	if code := w.update(archived, model.UpdateProjectInput{Status: input.Given(new(entProject.StatusArchived))}); code != "" {
		t.Fatal(code)
	}
	tests := []struct {
		name  string
		id    int
		users []int
		want  string
	}{
		{"open to all", open, []int{w.ana.ID, w.budi.ID}, ""},
		{"of members", closed, []int{w.budi.ID, w.budi.ID}, ""},
		{"of nobody", closed, nil, ""},
		{"of one who is no member", closed, []int{w.budi.ID, w.ana.ID}, "FORBIDDEN assigneeIds"},
		{"archived", archived, nil, "CONFLICT projectId"},
		{"unknown", 999_999, nil, "NOT_FOUND projectId"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code := w.do(w.budi, viewer.Employee, func(ctx context.Context) error {
				p, err := Open(ctx, "projectId", tt.id)
				if err != nil {
					return err
				}
				return CheckMembers(ctx, "assigneeIds", p, tt.users...)
			})
			if code != tt.want {
				t.Errorf("%q, want %q", code, tt.want)
			}
		})
	}
}

// TestDeleteCategory refuses to delete a category on which time is booked, also of a task without it.
func TestDeleteCategory(t *testing.T) {
	w := newWorld(t)
	c := w.DB.TaskCategory.Create().SetCompanyID(w.Company.ID).SetName("C").SaveX(w.System())
	k := w.DB.Task.Create().SetCompanyID(w.Company.ID).SetCreatorID(w.budi.ID).SetTitle("T").SetCreatedAt(apptest.Now).SetUpdatedAt(apptest.Now).SaveX(w.System())
	e := w.DB.TimeEntry.Create().SetCompanyID(w.Company.ID).SetUserID(w.budi.ID).SetTaskID(k.ID).SetCategoryID(c.ID).SetKind("booked").SetDate("2026-03-10").
		SetLastDate("2026-03-10").SetTimezone("Asia/Jakarta").SetCreatedAt(apptest.Now).SetUpdatedAt(apptest.Now).SaveX(w.System())
	remove := func() error {
		return w.Try(w.As(w.ana, viewer.Owner), func(ctx context.Context, _ *ent.Client) error { return w.projects.DeleteCategory(ctx, c.ID) })
	}
	if err := remove(); fmt.Sprint(apptest.Code(err), " ", errs.As(err).Meta) != "CONFLICT map[children:0 conflict:HAS_TASKS entries:1 tasks:0]" {
		t.Errorf("with time: %v %v", err, errs.As(err).Meta)
	}
	w.DB.TimeEntry.DeleteOneID(e.ID).ExecX(w.System())
	if err := remove(); err != nil {
		t.Errorf("unused: %v", err)
	}
}

func TestDelete(t *testing.T) {
	w := newWorld(t)
	ids := map[string]int{}
	for _, name := range []string{"unused", "with a task", "with a deleted task"} {
		ids[name], _ = w.create(model.CreateProjectInput{Name: name, MemberIds: input.Given([]int{w.budi.ID})})
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		task := func(project string) *ent.TaskCreate {
			return db.Task.Create().SetCompanyID(w.Company.ID).SetCreatorID(w.budi.ID).SetTitle("T").SetProjectID(ids[project]).SetCreatedAt(apptest.Now).SetUpdatedAt(apptest.Now)
		}
		if err := task("with a task").Exec(ctx); err != nil {
			return err
		}
		return task("with a deleted task").SetDeletedAt(apptest.Now).Exec(ctx)
	})
	for name, want := range map[string]string{"unused": "", "with a task": "CONFLICT map[conflict:HAS_TASKS entries:0 tasks:1]", "with a deleted task": ""} {
		err := w.Try(w.As(w.ana, viewer.Owner), func(ctx context.Context, _ *ent.Client) error { return w.projects.Delete(ctx, ids[name]) })
		code := apptest.Code(err)
		if err != nil {
			code += fmt.Sprint(" ", errs.As(err).Meta)
		}
		if left := w.DB.Project.Query().Where(entProject.ID(ids[name])).ExistX(w.System()); code != want || left != (want != "") {
			t.Errorf("%s: %q, want %q; left: %t", name, code, want, left)
		}
	}
	if code := w.do(w.budi, viewer.Employee, func(ctx context.Context) error { return w.projects.Delete(ctx, ids["with a task"]) }); code != "FORBIDDEN" {
		t.Errorf("by an employee: %q", code)
	}
}
