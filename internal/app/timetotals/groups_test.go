package timetotals

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/task"
	"workforce/ent/timeentry"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/input"
	"workforce/internal/period"
	"workforce/internal/request"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A week is a company whose people booked time on 9 and 10 March, in Jakarta: agus, who is in the team of ratna,
// and budi, who is in none. It is Wednesday, 11 March, 10:00.
type week struct {
	*apptest.World
	*Service
	agus, budi, ratna, owner      *ent.User
	team, gudang, rapat, site     int
	survei, meeting, malam, other int // entries
}

func newWeek(t *testing.T) *week {
	t.Helper()
	w := &week{World: apptest.New(t)}
	w.Service = &Service{Now: w.World.Now}
	w.agus, w.budi = w.User(t, "Agus"), w.User(t, "Budi")
	w.ratna, w.owner = w.User(t, "Ratna", viewer.Manager), w.User(t, "Andini", viewer.Owner)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		of := w.Company.ID
		w.team = db.Business.Create().SetCompanyID(of).SetName("Lobi").SetManagerID(w.ratna.ID).SaveX(ctx).ID
		w.gudang = db.Project.Create().SetCompanyID(of).SetName("Gudang").SetCreatedAt(apptest.Now).SaveX(ctx).ID
		w.rapat = db.TaskCategory.Create().SetCompanyID(of).SetName("Rapat").SaveX(ctx).ID
		address := db.Address.Create().SetCompanyID(of).SetName("Pusat").SetAddress("").SetLatitude(1).SetLongitude(1)
		w.site = address.SaveX(ctx).ID
		return db.User.UpdateOne(w.agus).SetBusinessID(w.team).Exec(ctx)
	})
	w.survei = w.book(t, w.agus, "Survei", "2026-03-09 08:00:00", "2026-03-09 08:01:40", func(c *ent.TimeEntryCreate) {
		c.SetProjectID(w.gudang).SetTags([]string{"t1", "t2"}).SetAddressID(w.site)
	})
	w.meeting = w.book(t, w.agus, "Rapat", "2026-03-09 09:00:00", "2026-03-09 09:00:50", func(c *ent.TimeEntryCreate) {
		c.SetCategoryID(w.rapat).SetTags([]string{"t1"})
	})
	w.malam = w.book(t, w.agus, "Malam", "2026-03-09 23:59:50", "2026-03-10 00:00:15", nil)
	w.other = w.book(t, w.budi, "Lain", "2026-03-10 08:00:00", "2026-03-10 08:16:40", nil)
	return w
}

// local returns an instant in Jakarta.
func local(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.ParseInLocation(time.DateTime, text, shift.ZoneNamed("Asia/Jakarta"))
	if err != nil {
		t.Fatal(err)
	}
	return at.UTC()
}

// book adds an entry on a new task of somebody; without an end it runs.
func (w *week) book(t *testing.T, u *ent.User, title, from, to string, set func(*ent.TimeEntryCreate)) (id int) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		k := db.Task.Create().SetCompanyID(w.Company.ID).SetCreatorID(u.ID).SetTitle(title).SetCreatedAt(apptest.Now).
			SetUpdatedAt(apptest.Now).SaveX(ctx)
		start := local(t, from)
		create := db.TimeEntry.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetTaskID(k.ID).
			SetTimezone("Asia/Jakarta").SetStartedAt(start).SetDate(from[:10]).SetCreatedAt(apptest.Now).SetUpdatedAt(apptest.Now)
		if to == "" {
			create.SetKind(timeentry.KindTimer).SetSlot(1).SetLastDate("9998-12-31")
		} else {
			end := local(t, to)
			create.SetKind(timeentry.KindBooked).SetEndedAt(end).SetLastDate(to[:10]).
				SetSeconds(int(end.Sub(start) / time.Second))
		}
		if set != nil {
			set(create)
		}
		id = create.SaveX(ctx).ID
		return nil
	})
	return id
}

// as returns the context of somebody of the week.
func (w *week) as(u *ent.User) context.Context {
	switch u {
	case w.ratna:
		return w.As(u, viewer.Manager, w.team)
	case w.owner:
		return w.As(u, viewer.Owner)
	}
	return w.As(u, viewer.Employee)
}

// grouped lists groups as label=seconds, with how many tasks there are, and those below them.
func grouped(groups []*model.TimeGroup) string {
	var list []string
	for _, g := range groups {
		text := fmt.Sprintf("%s=%d/%d", g.Label, g.Seconds, g.TaskCount)
		if len(g.Groups) > 0 {
			text += "(" + grouped(g.Groups) + ")"
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// TestTimeTotals adds up 9 to 11 March for those who read it.
func TestTimeTotals(t *testing.T) {
	w := newWeek(t)
	w.DB.Task.Update().Where(task.Title("Rapat")).SetStatus(task.StatusDone).ExecX(w.System())
	date, weeks := model.TimeDimensionDate, model.TimeDimensionWeek
	month, year := model.TimeDimensionMonth, model.TimeDimensionYear
	user, site, tag := model.TimeDimensionUser, model.TimeDimensionAddress, model.TimeDimensionTag
	project, category := model.TimeDimensionProject, model.TimeDimensionCategory
	kind, status := model.TimeDimensionTask, model.TimeDimensionStatus
	up := &model.TimesheetRounding{Mode: model.RoundingModeLengthUp, Minutes: 15}
	for _, tt := range []struct {
		about string
		who   *ent.User
		f     Filter
		g     Grouping
		want  string // seconds, tasks, and groups
	}{
		{"all that one reads", w.agus, Filter{}, Grouping{}, "175/3: "},
		{"by date", w.agus, Filter{}, Grouping{By: &date}, "175/3: 2026-03-09=160/3 2026-03-10=15/1"},
		{"with gaps filled", w.agus, Filter{}, Grouping{By: &date, Then: &project, FillGaps: true},
			"175/3: 2026-03-09=160/3(Gudang=100/1 No project=60/2) 2026-03-10=15/1(No project=15/1) 2026-03-11=0/0"},
		{"by tag, which overlap", w.agus, Filter{}, Grouping{By: &tag}, "175/3 overlapping: t1=150/2 t2=100/1 No tag=25/1"},
		{"by tag within", w.agus, Filter{}, Grouping{By: &site, Then: &tag},
			"175/3 overlapping: Pusat=100/1(t1=100/1 t2=100/1) No work site=75/2(t1=50/1 No tag=25/1)"},
		{"of the team", w.ratna, Filter{}, Grouping{By: &user, Then: &category},
			"175/3: Agus=175/3(Rapat=50/1 No category=125/2)"},
		{"of all", w.owner, Filter{}, Grouping{By: &weeks}, "1175/4: 2026-03-09=1175/4"},
		{"of one", w.owner, Filter{UserIDs: []int{w.budi.ID}}, Grouping{By: &kind, Then: &status},
			"1000/1: Lain=1000/1(open=1000/1)"},
		{"by status", w.agus, Filter{}, Grouping{By: &status}, "175/3: done=50/1 open=125/2"},
		{"of a project", w.owner, Filter{ProjectIDs: []int{w.gudang}}, Grouping{By: &month, Then: &year},
			"100/1: 2026-03=100/1(2026=100/1)"},
		{"of a category", w.owner, Filter{CategoryIDs: []int{w.rapat}}, Grouping{}, "50/1: "},
		{"of no task", w.owner, Filter{TaskIDs: []int{}}, Grouping{}, "0/0: "},
		{"of the second date", w.agus, Filter{From: new(period.Day("2026-03-10"))}, Grouping{}, "15/1: "},
		{"rounded up, then added up", w.agus, Filter{}, Grouping{Rounding: up}, "2700/3: "},
	} {
		if tt.f.From == nil {
			tt.f.From = new(period.Day("2026-03-09"))
		}
		tt.f.To = new(period.Day("2026-03-11"))
		ctx := request.NewContext(w.as(tt.who), &request.Info{Language: "en"})
		out, err := w.Totals(ctx, tt.f, tt.g)
		if err != nil {
			t.Errorf("%s: %v", tt.about, err)
			continue
		}
		overlapping := map[bool]string{true: " overlapping"}[out.Overlapping]
		got := fmt.Sprintf("%d/%d%s: %s", out.Seconds, out.TaskCount, overlapping, grouped(out.Groups))
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.about, got, tt.want)
		}
	}
}

// TestReadable says whose time one names: nobody's whom one does not read.
func TestReadable(t *testing.T) {
	w := newWeek(t)
	for _, tt := range []struct {
		who  *ent.User
		of   []int
		want string
	}{
		{w.agus, []int{w.agus.ID}, ""}, {w.agus, []int{w.agus.ID, w.budi.ID}, "NOT_FOUND users"},
		{w.agus, []int{w.ratna.ID}, "NOT_FOUND users"},
		{w.ratna, []int{w.agus.ID, w.ratna.ID, w.agus.ID}, ""}, {w.ratna, []int{w.budi.ID}, "NOT_FOUND users"},
		{w.owner, []int{w.agus.ID, w.budi.ID}, ""}, {w.owner, []int{99999}, "NOT_FOUND users"}, {w.agus, nil, ""},
	} {
		ctx := w.as(tt.who)
		if got := apptest.Code(readable(ctx, viewer.From(ctx), "users", tt.of)); got != tt.want {
			t.Errorf("%s names %v: %q, want %q", tt.who.Name, tt.of, got, tt.want)
		}
	}
}

// activity writes an activity: its title, project and category, its local times and seconds.
func activity(a *model.Activity) string {
	text := a.Title
	if a.Project != nil {
		text += " " + a.Project.Name
	}
	if a.Category != nil {
		text += " " + a.Category.Name
	}
	at := func(v *time.Time) string {
		if v == nil {
			return ""
		}
		return v.Format("02T15:04:05")
	}
	return fmt.Sprintf("%s %s-%s %d %t", text, at(a.StartAt), at(a.EndAt), a.DurationSeconds, a.Running)
}

func activities(list []*model.Activity) string {
	var all []string
	for _, a := range list {
		all = append(all, activity(a))
	}
	return strings.Join(all, ", ")
}

// TestActivities lists the entries of a date by start, those over midnight on both dates. Who reads the time of
// somebody reads the title of the task.
func TestActivities(t *testing.T) {
	w := newWeek(t)
	w.book(t, w.agus, "Lari", "2026-03-11 09:00:00", "", nil)
	const malam = "Malam 09T23:59:50-10T00:00:15 25 false"
	for _, tt := range []struct {
		who  *ent.User
		of   *int
		date string
		want string
	}{
		{w.agus, nil, "2026-03-09",
			"Survei Gudang 09T08:00:00-09T08:01:40 100 false, Rapat Rapat 09T09:00:00-09T09:00:50 50 false, " + malam},
		{w.agus, nil, "2026-03-10", malam},
		{w.agus, nil, "2026-03-11", "Lari 11T09:00:00- 3600 true"},
		{w.agus, nil, "2026-03-08", ""},
		{w.ratna, &w.agus.ID, "2026-03-10", malam},
		{w.ratna, nil, "2026-03-10", malam},
		{w.owner, nil, "2026-03-10", malam + ", Lain 10T08:00:00-10T08:16:40 1000 false"},
		{w.ratna, &w.budi.ID, "2026-03-10", "NOT_FOUND userId"},
	} {
		list, err := w.Activities(w.as(tt.who), &tt.date, tt.of, nil)
		got := activities(list)
		if err != nil {
			got = apptest.Code(err)
		}
		if got != tt.want {
			t.Errorf("%s on %s: %s, want %s", tt.who.Name, tt.date, got, tt.want)
		}
	}
	ctx := w.As(w.budi, viewer.Employee)
	viewer.From(ctx).Permissions = []string{"time.read.all"}
	list, err := w.Activities(ctx, new("2026-03-10"), &w.agus.ID, nil)
	if got := activities(list); err != nil || got != malam {
		t.Errorf("who does not see the task: %s, %v", got, err)
	}
}

// TestRunning has the latest timer of the viewer, and no other's.
func TestRunning(t *testing.T) {
	w := newWeek(t)
	running := func(about string, u *ent.User, want string) {
		t.Helper()
		a, err := w.Running(w.as(u))
		got := ""
		if a != nil {
			got = activity(a)
		}
		if err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", about, got, err, want)
		}
	}
	running("none", w.agus, "")
	w.book(t, w.agus, "Satu", "2026-03-11 09:30:00", "", nil)
	w.book(t, w.agus, "Dua", "2026-03-11 09:00:00", "", func(c *ent.TimeEntryCreate) { c.SetSlot(2) })
	running("the latest by start", w.agus, "Satu 11T09:30:00- 1800 true")
	running("of who reads theirs", w.ratna, "")
}

// TestUsers has the people with time in a period, by name, and who of them runs a timer now.
func TestUsers(t *testing.T) {
	w := newWeek(t)
	w.book(t, w.budi, "Lari", "2026-03-11 09:00:00", "", nil)
	for _, tt := range []struct {
		who      *ent.User
		from, to shift.Date
		want     string
	}{
		{w.owner, "2026-03-09", "2026-03-10", "Agus 175/3 false, Budi 1000/1 true, "},
		{w.owner, "2026-03-09", "2026-03-09", "Agus 160/3 false, "},
		{w.owner, "2026-03-11", "2026-03-11", "Budi 3600/1 true, "},
		{w.ratna, "2026-03-09", "2026-03-11", "Agus 175/3 false, "},
		{w.budi, "2026-03-10", "2026-03-10", "Budi 1000/1 true, "},
		{w.budi, "2026-03-09", "2026-03-09", ""},
	} {
		list, err := w.Users(w.as(tt.who), new(period.Day(tt.from)), new(period.Day(tt.to)))
		got := ""
		for _, u := range list {
			got += fmt.Sprintf("%s %d/%d %t, ", u.User.Name, u.TrackedSeconds, u.TaskCount, u.Running)
		}
		if err != nil || got != tt.want {
			t.Errorf("%s from %s to %s: %s, %v, want %s", tt.who.Name, tt.from, tt.to, got, err, tt.want)
		}
	}
}

// TestGroups puts entries into groups: one over midnight into those of both dates, with what it has of each.
func TestGroups(t *testing.T) {
	w := newWeek(t)
	w.book(t, w.agus, "Siang", "2026-03-10 12:00:00", "2026-03-10 12:00:05", nil)
	for _, tt := range []struct {
		unit model.ActivityUnit
		to   shift.Date
		want string
	}{
		{model.ActivityUnitDate, "2026-03-11", "2026-03-09 160 Survei Rapat Malam, 2026-03-10 20 Malam Siang, "},
		{model.ActivityUnitDate, "2026-03-09", "2026-03-09 160 Survei Rapat Malam, "},
		{model.ActivityUnitProject, "2026-03-11", "Gudang 100 Survei, Tanpa proyek 80 Rapat Malam Siang, "},
		{model.ActivityUnitCategory, "2026-03-11", "Rapat 50 Rapat, Tanpa kategori 130 Survei Malam Siang, "},
	} {
		ctx := request.NewContext(w.as(w.agus), &request.Info{Language: "id"})
		list, err := w.Groups(ctx, nil, new(period.Day("2026-03-09")), new(period.Day(tt.to)), tt.unit, nil)
		got := ""
		for _, g := range list {
			got += fmt.Sprint(g.Label, " ", g.TrackedSeconds)
			for _, a := range g.Tasks {
				got += " " + a.Title
			}
			got += ", "
		}
		if err != nil || got != tt.want {
			t.Errorf("by %s to %s: %s, %v, want %s", tt.unit, tt.to, got, err, tt.want)
		}
	}
	from, to := new(period.Day("2026-03-09")), new(period.Day("2026-03-10"))
	list, err := w.GroupsByUser(w.as(w.owner), nil, from, to, model.ActivityUnitDate, nil)
	got := ""
	for _, u := range list {
		got += fmt.Sprint(u.User.Name, " ", u.TrackedSeconds, ":")
		for _, g := range u.Groups {
			got += fmt.Sprint(" ", input.Value(g.Key), "=", g.TrackedSeconds, "/", g.TaskCount)
		}
		got += ", "
	}
	if want := "Agus 180: 2026-03-09=160/3 2026-03-10=20/2, Budi 1000: 2026-03-10=1000/1, "; err != nil || got != want {
		t.Errorf("by person: %s, %v, want %s", got, err, want)
	}
}

// TestDays has the seconds of each date on which somebody booked time, as far as the viewer reads it.
func TestDays(t *testing.T) {
	w := newWeek(t)
	for _, tt := range []struct {
		who  *ent.User
		to   shift.Date
		want string
	}{
		{w.agus, "2026-03-11", "map[2026-03-09:160 2026-03-10:15]"}, {w.agus, "2026-03-09", "map[2026-03-09:160]"},
		{w.ratna, "2026-03-10", "map[2026-03-09:160 2026-03-10:15]"}, {w.budi, "2026-03-11", "map[]"},
	} {
		ctx := w.as(tt.who)
		days, err := w.Days(ctx, viewer.From(ctx), w.agus.ID, timesheet.Period{From: "2026-03-09", To: tt.to})
		if got := fmt.Sprint(days); err != nil || got != tt.want {
			t.Errorf("%s to %s: %s, %v, want %s", tt.who.Name, tt.to, got, err, tt.want)
		}
	}
}
