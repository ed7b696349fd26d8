package timetotals

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/clockstate"
	entTask "workforce/ent/task"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/timeentry"
	"workforce/internal/booking"
	"workforce/internal/period"
	"workforce/internal/shift"
	"workforce/internal/testdb"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// A world is a company whose people booked time at random.
type world struct {
	*apptest.World
	people  []*ent.User
	entries []*ent.TimeEntry
	status  map[int]string // of tasks
}

// newWorld books n entries in February and March: on one date, over midnight, running, without
// time, and corrections, in two zones.
func newWorld(t *testing.T, url string, random *rand.Rand, n int) *world {
	t.Helper()
	w := &world{World: apptest.On(t, url), status: map[int]string{}}
	for _, name := range []string{"Ani", "Budi", "Citra"} {
		w.people = append(w.people, w.User(t, name))
	}
	now := w.Now().Truncate(time.Second)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		var tasks, projects, categories []int
		for i := range 4 {
			projects = append(projects, db.Project.Create().SetCompanyID(w.Company.ID).SetName(fmt.Sprint("P", i)).SetCreatedAt(now).SaveX(ctx).ID)
			categories = append(categories, db.TaskCategory.Create().SetCompanyID(w.Company.ID).SetName(fmt.Sprint("C", i)).SaveX(ctx).ID)
			k := db.Task.Create().SetCompanyID(w.Company.ID).SetCreatorID(w.people[0].ID).SetTitle(fmt.Sprint("T", i)).
				SetStatus([]entTask.Status{entTask.StatusOpen, entTask.StatusDone}[i%2]).SetCreatedAt(now).SetUpdatedAt(now).SaveX(ctx)
			tasks = append(tasks, k.ID)
			w.status[k.ID] = string(k.Status)
		}
		running := map[int]bool{}
		for range n {
			u := w.people[random.IntN(len(w.people))]
			zone := []string{"Asia/Jakarta", "America/New_York"}[random.IntN(2)]
			start := now.Add(-time.Duration(random.IntN(40*86400)) * time.Second)
			end := start.Add(time.Duration(random.IntN(30*3600)) * time.Second)
			date := func(at time.Time) string { return string(timesheet.DateOf(at, shift.ZoneNamed(zone))) }
			create := db.TimeEntry.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetTaskID(tasks[random.IntN(4)]).SetTimezone(zone).
				SetKind(entTimeEntry.KindBooked).SetDate(date(start)).SetCreatedAt(now).SetUpdatedAt(now).
				SetTags([]string{"a", "b", "c"}[:random.IntN(4)])
			if i := random.IntN(5); i < 4 {
				create.SetProjectID(projects[i])
			}
			if i := random.IntN(5); i < 4 {
				create.SetCategoryID(categories[i])
			}
			switch kind := random.IntN(10); {
			case kind == 0:
				create.SetKind(entTimeEntry.KindCorrection).SetSeconds(random.IntN(1000) - 500).SetLastDate(date(start))
			case kind == 1:
				create.SetLastDate(date(start))
			case kind == 2 && !running[u.ID]:
				running[u.ID] = true
				create.SetStartedAt(start).SetSlot(1).SetLastDate("9998-12-31")
			default:
				last := start
				if end.After(start) {
					last = end.Add(-time.Second)
				}
				create.SetStartedAt(start).SetEndedAt(end).SetSeconds(int(end.Sub(start) / time.Second)).SetLastDate(date(last))
			}
			w.entries = append(w.entries, create.SaveX(ctx))
		}
		return nil
	})
	return w
}

// engine adds up the entries without a database.
func (w *world) engine(p timesheet.Period, view timesheet.Rounding, by ...booking.Dimension) *booking.Totals {
	sums := booking.NewTotals(p, 1, false, by...)
	for _, e := range w.entries {
		f := booking.Fact{
			User: e.UserID, Task: e.TaskID, Project: valueOf(e.ProjectID), Category: valueOf(e.CategoryID), Status: w.status[e.TaskID], Tags: e.Tags,
			Date: shift.Date(e.Date), Seconds: e.Seconds,
		}
		if e.StartedAt == nil {
			sums.Add(f)
			continue
		}
		for f.Date, f.Seconds = range timeentry.SpanOf(e).Days(shift.ZoneNamed(e.Timezone), view, w.Now().Truncate(time.Second)) {
			sums.Add(f)
		}
	}
	return sums
}

// written writes the groups that have seconds, by key.
func written(t *booking.Totals, by []booking.Dimension) string {
	t.Sort(func(_ booking.Dimension, key string) string { return key })
	var lines []string
	for _, g := range t.Groups {
		for _, below := range append(slices.Clone(g.Groups), g) {
			if below.Seconds != 0 {
				lines = append(lines, fmt.Sprintf("%s/%s=%d", g.Key, below.Key, below.Seconds))
			}
		}
	}
	return fmt.Sprintf("%v %d: %s", by, t.Seconds, strings.Join(lines, " "))
}

// TestSumsOfTheDatabase are those that the engine finds, by any dimensions, in any period, rounded
// or not; and no sum takes more statements for more entries.
func TestSumsOfTheDatabase(t *testing.T) {
	dimensions := []booking.Dimension{booking.ByDate, booking.ByWeek, booking.ByMonth, booking.ByYear, booking.ByUser, booking.ByTask, booking.ByProject,
		booking.ByCategory, booking.ByStatus, booking.ByAddress, booking.ByTag}
	for name, open := range map[string]func(testing.TB) string{"sqlite": testdb.SQLite, "mysql": testdb.MySQL} {
		t.Run(name, func(t *testing.T) {
			seed := uint64(time.Now().UnixNano())
			random := rand.New(rand.NewPCG(seed, 1))
			w := newWorld(t, open(t), random, 150)
			me := &viewer.Viewer{UserID: w.people[0].ID, CompanyID: w.Company.ID, Permissions: viewer.Permissions(viewer.Owner), Timezone: w.Company.Timezone}
			ctx := viewer.NewContext(w.System(), me)
			for range 40 {
				by := []booking.Dimension{dimensions[random.IntN(len(dimensions))], dimensions[random.IntN(len(dimensions))]}[:random.IntN(3)]
				p := timesheet.Period{From: shift.Date("2026-01-30").AddDays(random.IntN(40))}
				p.To = p.From.AddDays(random.IntN(30))
				view := timesheet.Rounding{Mode: timesheet.Outward, Minutes: []int{0, 15}[random.IntN(2)]}
				of := &scope{me: me, period: p, now: w.Now().Truncate(time.Second)}
				got := booking.NewTotals(p, 1, false, by...)
				if err := of.add(ctx, got, view, by...); err != nil {
					t.Fatal(err)
				}
				if got, want := written(got, by), written(w.engine(p, view, by...), by); got != want {
					t.Errorf("seed %d, %v, rounded to %d:\n got %s\nwant %s", seed, p, view.Minutes, got, want)
				}
			}
		})
	}
}

func TestScope(t *testing.T) {
	w := &world{World: apptest.New(t)}
	ani, budi := w.User(t, "Ani"), w.User(t, "Budi")
	s := &Service{Now: w.Now}
	for _, tt := range []struct {
		about string
		role  string
		f     Filter
		g     Grouping
		want  string
	}{
		{"oneself", viewer.Employee, Filter{UserIDs: []int{ani.ID}}, Grouping{}, ""},
		{"another, by an employee", viewer.Employee, Filter{UserIDs: []int{ani.ID, budi.ID}}, Grouping{}, "NOT_FOUND userIds"},
		{"another, by an owner", viewer.Owner, Filter{UserIDs: []int{budi.ID}}, Grouping{}, ""},
		{"nobody", viewer.Owner, Filter{UserIDs: []int{4711}}, Grouping{}, "NOT_FOUND userIds"},
		{"too many people", viewer.Owner, Filter{UserIDs: make([]int, 1001)}, Grouping{}, "VALIDATION_FAILED userIds too_many"},
		{"too many tasks", viewer.Owner, Filter{TaskIDs: make([]int, 101)}, Grouping{}, "VALIDATION_FAILED taskIds too_many"},
		{"then alone", viewer.Owner, Filter{}, Grouping{Then: new(model.TimeDimensionDate)}, "VALIDATION_FAILED then needs"},
		{"a step that does not divide a day", viewer.Owner, Filter{}, Grouping{Rounding: &model.TimesheetRounding{Minutes: 7}}, "VALIDATION_FAILED rounding.minutes not_one_of"},
		{"367 days", viewer.Owner, Filter{From: new(period.Day("2026-01-01")), To: new(period.Day("2027-01-02"))}, Grouping{}, "VALIDATION_FAILED to out_of_range"},
		{"no days", viewer.Owner, Filter{From: new(period.Instant(apptest.Now)), To: new(period.Instant(apptest.Now))}, Grouping{By: new(model.TimeDimensionDate), FillGaps: true}, ""},
	} {
		out, err := s.Totals(w.As(ani, tt.role), tt.f, tt.g)
		if got := apptest.Code(err); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
		if err == nil && (out.Seconds != 0 || len(out.Groups) != 0) {
			t.Errorf("%s: %+v", tt.about, out)
		}
	}
	if _, err := s.Totals(w.System(), Filter{}, Grouping{}); apptest.Code(err) != "UNAUTHENTICATED" {
		t.Errorf("nobody: %v", err)
	}
}

// TestLimits tests that lists end after as many items as are wanted: the first by start and by name.
func TestLimits(t *testing.T) {
	w := &world{World: apptest.New(t)}
	budi, ani := w.User(t, "Budi"), w.User(t, "Ani")
	s := &Service{Now: w.Now}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		for i, u := range []*ent.User{budi, ani, budi, ani} {
			task, err := db.Task.Create().SetCompanyID(w.Company.ID).SetCreatorID(u.ID).SetTitle(u.Name).SetCreatedAt(apptest.Now).SetUpdatedAt(apptest.Now).Save(ctx)
			if err != nil {
				return err
			}
			start := apptest.Now.AddDate(0, 0, -i).Add(-2 * time.Hour)
			if i == 3 {
				start = apptest.Now.Add(-time.Hour)
			}
			date := start.Format(time.DateOnly)
			err = db.TimeEntry.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetTaskID(task.ID).SetKind("booked").SetStartedAt(start).
				SetEndedAt(start.Add(time.Minute)).SetSeconds(60).SetDate(date).SetLastDate(date).SetTimezone("Asia/Jakarta").
				SetCreatedAt(apptest.Now).SetUpdatedAt(apptest.Now).Exec(ctx)
			if err != nil {
				return err
			}
		}
		return nil
	})
	ctx, today := w.As(ani, viewer.Owner), string(shift.DateOf(w.Now(), time.UTC))
	lists := map[string]func(limit *int) (int, string, error){
		"activities": func(limit *int) (int, string, error) {
			list, err := s.Activities(ctx, &today, nil, limit)
			return len(list), fmt.Sprint(err == nil && list[0].Title == "Budi"), err
		},
		"groups": func(limit *int) (int, string, error) {
			list, err := s.Groups(ctx, nil, nil, nil, model.ActivityUnitDate, limit)
			return len(list), fmt.Sprint(err == nil && list[0].Label == "2026-03-09"), err
		},
		"people": func(limit *int) (int, string, error) {
			list, err := s.GroupsByUser(ctx, nil, nil, nil, model.ActivityUnitDate, limit)
			return len(list), fmt.Sprint(err == nil && list[0].User.Name == "Ani"), err
		},
	}
	all := map[string]int{"activities": 2, "groups": 3, "people": 2}
	for name, read := range lists {
		for _, tt := range []struct {
			limit *int
			want  int
			code  string
		}{
			{nil, all[name], ""}, {new(1), 1, ""}, {new(maxEntries), all[name], ""},
			{new(0), 0, "VALIDATION_FAILED limit out_of_range"}, {new(maxEntries + 1), 0, "VALIDATION_FAILED limit out_of_range"},
		} {
			n, first, err := read(tt.limit)
			if code := apptest.Code(err); n != tt.want || code != tt.code || first != fmt.Sprint(tt.code == "") {
				t.Errorf("%s up to %v: %d items %q, the first as wanted: %s; want %d %q", name, tt.limit, n, code, first, tt.want, tt.code)
			}
		}
	}
}

// TestToday: the day of activities begins at midnight where the person works whose they are.
func TestToday(t *testing.T) {
	w := &world{World: apptest.New(t)}
	budi, ani := w.User(t, "Budi"), w.User(t, "Ani")
	s := &Service{Now: w.Now}
	now := time.Date(2026, 3, 11, 17, 30, 0, 0, time.UTC) // past midnight in Jakarta, not in Kolkata
	w.Set(now)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		if err := db.ClockState.Update().Where(clockstate.UserID(budi.ID)).SetTimezone("Asia/Kolkata").Exec(ctx); err != nil {
			return err
		}
		k, err := db.Task.Create().SetCompanyID(w.Company.ID).SetCreatorID(budi.ID).SetTitle("T").SetCreatedAt(now).SetUpdatedAt(now).Save(ctx)
		if err != nil {
			return err
		}
		return db.TimeEntry.Create().SetCompanyID(w.Company.ID).SetUserID(budi.ID).SetTaskID(k.ID).SetKind("booked").SetStartedAt(now.Add(-time.Hour)).
			SetEndedAt(now).SetSeconds(3600).SetDate("2026-03-11").SetLastDate("2026-03-11").SetTimezone("Asia/Kolkata").SetCreatedAt(now).SetUpdatedAt(now).Exec(ctx)
	})
	for _, tt := range []struct {
		about string
		who   *ent.User
		role  string
		of    *int
		want  int
	}{
		{"one's own", budi, viewer.Employee, nil, 1}, {"of somebody", ani, viewer.Owner, &budi.ID, 1}, {"of all, elsewhere", ani, viewer.Owner, nil, 0},
	} {
		list, err := s.Activities(w.As(tt.who, tt.role), nil, tt.of, nil)
		if err != nil || len(list) != tt.want {
			t.Errorf("%s: %d activities %v, want %d", tt.about, len(list), err, tt.want)
		}
	}
}
