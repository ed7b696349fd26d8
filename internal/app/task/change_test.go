package task

import (
	"context"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entProject "workforce/ent/project"
	"workforce/ent/projectmember"
	entTask "workforce/ent/task"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/input"
	"workforce/internal/scalar"
	"workforce/internal/viewer"
)

func TestFollows(t *testing.T) {
	all := []entTask.Status{
		entTask.StatusOpen, entTask.StatusInProgress, entTask.StatusDone, entTask.StatusCancelled,
	}
	for _, tt := range []struct {
		from entTask.Status
		to   string // first letters of the statuses that may follow
	}{
		{entTask.StatusOpen, "oidc"}, {entTask.StatusInProgress, "oidc"}, {entTask.StatusDone, "oid"},
		{entTask.StatusCancelled, "oc"},
	} {
		got := ""
		for _, to := range all {
			if mayFollow(tt.from, to) {
				got += string(to[0])
			}
		}
		if got != tt.to {
			t.Errorf("%s is followed by %q, want %q", tt.from, got, tt.to)
		}
	}
	if mayFollow("gone", entTask.StatusOpen) {
		t.Error("an unknown status is followed")
	}
}

// TestCompleted moves a task from status to status: completedAt is when it was done, nil while it is not.
func TestCompleted(t *testing.T) {
	w := newWorld(t)
	made := w.save(t, model.SaveTaskInput{Title: "Rapat", Status: input.Given(new(entTask.StatusDone))})
	if made.CompletedAt == nil || !made.CompletedAt.Equal(apptest.Now) {
		t.Errorf("a task that is saved as done was completed at %v", made.CompletedAt)
	}
	const hour = time.Hour
	for _, tt := range []struct {
		after     time.Duration // since the last row
		to        entTask.Status
		want      string
		completed time.Duration // since the beginning; -1 for null
	}{
		{hour, entTask.StatusDone, "", 0},
		{hour, entTask.StatusCancelled, "CONFLICT status", 0},
		{hour, entTask.StatusInProgress, "", -1},
		{hour, entTask.StatusDone, "", 4 * hour},
		{hour, entTask.StatusOpen, "", -1},
		{hour, entTask.StatusCancelled, "", -1},
		{hour, entTask.StatusDone, "CONFLICT status", -1},
		{hour, entTask.StatusInProgress, "CONFLICT status", -1},
		{hour, entTask.StatusOpen, "", -1},
	} {
		w.Advance(tt.after)
		err := w.update(w.budi, viewer.Employee, made.ID, model.UpdateTaskInput{Status: input.Given(&tt.to)})
		at := w.DB().Task.GetX(w.System(), made.ID).CompletedAt
		if apptest.Code(err) != tt.want {
			t.Errorf("to %s: %v, want %q", tt.to, err, tt.want)
		}
		if (at == nil) != (tt.completed < 0) || at != nil && at.Sub(apptest.Now) != tt.completed {
			t.Errorf("%s was completed at %v, want %s after the beginning", tt.to, at, tt.completed)
		}
	}
}

// TestFaults refuses members of a task, and changes nothing then.
func TestFaults(t *testing.T) {
	w := newWorld(t)
	early, late := apptest.Now, apptest.Now.Add(time.Hour)
	made := w.save(t, model.SaveTaskInput{Title: "Rapat", DueAt: input.Given(&late)})
	other := w.save(t, model.SaveTaskInput{Title: "Piket", Recurrence: input.Given(new("FREQ=DAILY"))})
	copied := w.DB().Task.Create().SetCompanyID(w.Company.ID).SetCreatorID(w.budi.ID).SetTitle("Piket").
		SetCopyOfID(other.ID).SetCopiedOn("2026-03-10").SetCreatedAt(apptest.Now).SetUpdatedAt(apptest.Now).SaveX(w.System())
	degrees := func(d float64) input.Omittable[*scalar.Coordinate] {
		return input.Given(&scalar.Coordinate{Degrees: d, Valid: true})
	}
	long, after := strings.Repeat("x", 5001), late.Add(time.Second)
	var many []int
	for i := range 101 {
		many = append(many, 90_000+i)
	}
	for name, tt := range map[string]struct {
		in   model.UpdateTaskInput
		want string
	}{
		"no title":           {model.UpdateTaskInput{Title: input.Given[*string](nil)}, "title required"},
		"a blank title":      {model.UpdateTaskInput{Title: input.Given(new(" "))}, "title required"},
		"a long description": {model.UpdateTaskInput{Description: input.Given(&long)}, "description too_long"},
		"no status":          {model.UpdateTaskInput{Status: input.Given[*entTask.Status](nil)}, "status required"},
		"no priority":        {model.UpdateTaskInput{Priority: input.Given[*entTask.Priority](nil)}, "priority required"},
		"too many assignees": {model.UpdateTaskInput{AssigneeIds: input.Given(many)}, "assigneeIds too_many"},
		"due before its start": {model.UpdateTaskInput{StartAt: input.Given(&late), DueAt: input.Given(&early)},
			"dueAt out_of_range"},
		"start after its end": {model.UpdateTaskInput{StartAt: input.Given(&after)}, "startAt out_of_range"},
		"half a position":     {model.UpdateTaskInput{Latitude: degrees(1)}, "longitude required"},
		"no place on Earth": {model.UpdateTaskInput{Latitude: degrees(1), Longitude: degrees(181)},
			"longitude out_of_range"},
		"a rule by hours":   {model.UpdateTaskInput{Recurrence: input.Given(new("FREQ=HOURLY"))}, "recurrence not_one_of"},
		"a colleague":       {model.UpdateTaskInput{AssigneeIds: input.Given([]int{w.sari.ID})}, "FORBIDDEN assigneeIds"},
		"nobody known":      {model.UpdateTaskInput{AssigneeIds: input.Given([]int{99999})}, "NOT_FOUND assigneeIds"},
		"no project known":  {model.UpdateTaskInput{ProjectID: input.Given(new(99999))}, "NOT_FOUND projectId"},
		"no category known": {model.UpdateTaskInput{CategoryID: input.Given(new(99999))}, "NOT_FOUND categoryId"},
	} {
		t.Run(name, func(t *testing.T) {
			want := tt.want
			if strings.ToLower(want[:1]) == want[:1] {
				want = "VALIDATION_FAILED " + want
			}
			if err := w.update(w.budi, viewer.Employee, made.ID, tt.in); apptest.Code(err) != want {
				t.Errorf("%v, want %q", err, want)
			}
		})
	}
	err := w.update(w.budi, viewer.Employee, copied.ID, model.UpdateTaskInput{Recurrence: input.Given(new("FREQ=DAILY"))})
	if apptest.Code(err) != "VALIDATION_FAILED recurrence excludes" {
		t.Errorf("a rule for a copy: %v", err)
	}
	if k := w.DB().Task.GetX(w.System(), made.ID); k.Version != 1 || k.Title != "Rapat" || k.StartAt != nil {
		t.Errorf("a refused change left %v", k)
	}
	if err := w.update(w.budi, viewer.Employee, made.ID, model.UpdateTaskInput{StartAt: input.Given(&late)}); err != nil {
		t.Errorf("from its start to the same instant: %v", err)
	}
}

// TestGiven changes members: absent ones keep their value, null clears.
func TestGiven(t *testing.T) {
	w := newWorld(t)
	degree := &scalar.Coordinate{Degrees: 1.5, Valid: true}
	start := time.Date(2026, 3, 11, 9, 0, 0, 1999, time.FixedZone("WIB", 7*3600))
	made := w.save(t, model.SaveTaskInput{
		Title: " Rapat ", Description: input.Given(new("x")), StartAt: input.Given(&start),
		Recurrence: input.Given(new("freq=daily ")),
		Latitude:   input.Given(degree), Longitude: input.Given(degree), AssigneeIds: input.Given([]int{}),
	})
	if made.Title != "Rapat" || *made.Recurrence != "FREQ=DAILY" || *made.RecursOn != "2026-03-12" ||
		*made.Latitude != 1.5 {
		t.Errorf("saved %v", made)
	}
	if want := start.UTC().Truncate(time.Microsecond); !made.StartAt.Equal(want) {
		t.Errorf("begins at %v, want %v", made.StartAt, want)
	}
	if n := made.QueryAssignees().CountX(w.System()); n != 0 {
		t.Errorf("%d assignees, want none", n)
	}
	change := func(in model.UpdateTaskInput) *ent.Task {
		t.Helper()
		if err := w.update(w.budi, viewer.Employee, made.ID, in); err != nil {
			t.Fatal(err)
		}
		return w.DB().Task.GetX(w.System(), made.ID)
	}
	kept := change(model.UpdateTaskInput{Priority: input.Given(new(entTask.PriorityHigh))})
	if kept.Description == nil || kept.StartAt == nil || kept.RecursOn == nil || kept.Latitude == nil ||
		kept.Version != 2 {
		t.Errorf("absent members became %v", kept)
	}
	cleared := change(model.UpdateTaskInput{
		Description: input.Given[*string](nil), StartAt: input.Given[*time.Time](nil), Recurrence: input.Given[*string](nil),
		Latitude: input.Given[*scalar.Coordinate](nil), Longitude: input.Given[*scalar.Coordinate](nil),
	})
	if cleared.Description != nil || cleared.StartAt != nil || cleared.Recurrence != nil || cleared.RecursOn != nil ||
		cleared.Latitude != nil || cleared.Longitude != nil {
		t.Errorf("null members became %v", cleared)
	}
	assigned := change(model.UpdateTaskInput{AssigneeIds: input.Given([]int{w.budi.ID, w.budi.ID})})
	if ids := assigned.QueryAssignees().IDsX(w.System()); len(ids) != 1 || ids[0] != w.budi.ID || assigned.Version != 4 {
		t.Errorf("assigned to %v in version %d", ids, assigned.Version)
	}
}

// TestProjects saves and changes tasks of projects: open to all, of budi alone, of others, archived.
func TestProjects(t *testing.T) {
	w := newWorld(t)
	db, sys := w.DB(), w.System()
	newProject := func(open bool, status entProject.Status, members ...*ent.User) *int {
		p := db.Project.Create().SetCompanyID(w.Company.ID).SetName("P").SetOpenToAll(open).SetStatus(status).
			SetCreatedAt(apptest.Now).SaveX(sys)
		for _, u := range members {
			db.ProjectMember.Create().SetCompanyID(w.Company.ID).SetProjectID(p.ID).SetUserID(u.ID).ExecX(sys)
		}
		return &p.ID
	}
	everybodys, archived := newProject(true, entProject.StatusActive), newProject(true, entProject.StatusArchived)
	budis, others := newProject(false, entProject.StatusActive, w.budi), newProject(false, entProject.StatusActive, w.sari)
	nobody, one := input.Given([]int{}), input.Given([]int{w.budi.ID})
	for _, tt := range []struct {
		name      string
		project   *int
		assignees input.Omittable[[]int]
		save      string // the code of a new task
		update    string // of a task of budi's that comes into the project
	}{
		{"none", nil, one, "", ""},
		{"open to all", everybodys, one, "", ""},
		{"of the assignee", budis, one, "", ""},
		{"of others", others, one, "FORBIDDEN assigneeIds", "FORBIDDEN assigneeIds"},
		{"of others, who is assigned is not named", others, input.Omittable[[]int]{}, "FORBIDDEN projectId",
			"FORBIDDEN projectId"},
		{"of others, for nobody", others, nobody, "", ""},
		{"archived", archived, nobody, "CONFLICT projectId", "CONFLICT projectId"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := w.Try(w.As(w.budi, viewer.Employee), func(ctx context.Context, _ *ent.Client) error {
				_, err := w.Save(ctx, model.SaveTaskInput{Title: "x", ProjectID: input.Given(tt.project),
					AssigneeIds: tt.assignees})
				return err
			})
			if apptest.Code(err) != tt.save {
				t.Errorf("saved: %v, want %q", err, tt.save)
			}
			made := w.save(t, model.SaveTaskInput{Title: "x"})
			err = w.update(w.budi, viewer.Employee, made.ID,
				model.UpdateTaskInput{ProjectID: input.Given(tt.project), AssigneeIds: tt.assignees})
			if apptest.Code(err) != tt.update {
				t.Errorf("changed: %v, want %q", err, tt.update)
			}
		})
	}
	made := w.save(t, model.SaveTaskInput{Title: "x", ProjectID: input.Given(budis)})
	db.ProjectMember.Delete().Where(projectmember.ProjectID(*budis)).ExecX(sys)
	db.ProjectMember.Create().SetCompanyID(w.Company.ID).SetProjectID(*budis).SetUserID(w.sari.ID).ExecX(sys)
	both := input.Given([]int{w.budi.ID, w.sari.ID})
	for _, tt := range []struct {
		name string
		role string // of budi
		in   model.UpdateTaskInput
		want string
	}{
		{"who is no member any more keeps the task", viewer.Employee, model.UpdateTaskInput{Title: input.Given(new("y"))},
			""},
		{"in the same project too", viewer.Employee, model.UpdateTaskInput{ProjectID: input.Given(budis), AssigneeIds: one},
			""},
		{"and with a member", viewer.Admin, model.UpdateTaskInput{AssigneeIds: both}, ""},
		{"but gives it away", viewer.Admin, model.UpdateTaskInput{AssigneeIds: nobody}, ""},
		{"and is not assigned again", viewer.Admin, model.UpdateTaskInput{AssigneeIds: both}, "FORBIDDEN assigneeIds"},
	} {
		if err := w.update(w.budi, tt.role, made.ID, tt.in); apptest.Code(err) != tt.want {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
