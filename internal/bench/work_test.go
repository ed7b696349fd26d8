package bench

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"workforce/internal/shift"
	"workforce/internal/textform"
)

// groupingQuery asks for the booked time of a month by project, and in each by person.
const groupingQuery = `query Grouping($from: DateOrTime, $to: DateOrTime) {
  timeTotals(from: $from, to: $to, by: project, then: user) {
    from to seconds taskCount overlapping
    groups { key label seconds taskCount groups { key label seconds taskCount } }
  }
}`

// groupingOf returns the body that asks for the time of the 31 days before today.
func groupingOf(now time.Time, zone string) string {
	to := shift.DateOf(now, handZone(zone)).AddDays(-1)
	body, _ := json.Marshal(map[string]any{ // text
		"operationName": "Grouping", "query": groupingQuery, "variables": map[string]any{"from": to.AddDays(-30), "to": to},
	})
	return string(body)
}

// tasksOf asks for one page of 50 tasks at random.
func tasksOf(tasks int) func(benchCaller) []byte {
	random := rand.New(rand.NewPCG(6, 7))
	return func(c benchCaller) []byte {
		return render("GET", fmt.Sprintf("/task?limit=50&page=%d", 1+random.IntN(tasks/50)), c.token, "")
	}
}

// What a company works on.
const (
	workTasks      = 1000
	workProjects   = 40
	workCategories = 8
	workDays       = 31 // before today
)

// tasks puts projects, categories and tasks with assignees and pictures into a company.
func (f *benchFill) tasks(c *benchCompany) {
	var projects, categories, tasks, links, images [][]any
	for i := range workProjects {
		name := fmt.Sprintf("%s %d", oneOf(f.random, "Gedung", "aplikasi", "Świątynia", "Örnek"), i)
		projects = append(projects, []any{f.id("projects"), c.id, name, textform.SortKey(name), f.now})
	}
	for i := range workCategories {
		name := fmt.Sprintf("Jenis %d", i)
		categories = append(categories, []any{f.id("task_categories"), c.id, name, textform.SortKey(name)})
	}
	for i := range workTasks {
		id, at := f.id("tasks"), f.now.Add(-time.Duration(i)*time.Minute)
		lat, lng := oneOf(f.random, nil, -6.2001), any(106.8166)
		if lat == nil {
			lng = nil
		}
		tasks = append(tasks, []any{
			id, c.id, c.users[i%len(c.users)], fmt.Sprintf("Pekerjaan %d “%s”", i, pick(f.random, givenNames)), oneOf(f.random, nil, "Catatan\nbaris dua"),
			oneOf(f.random, "open", "in_progress", "done"), oneOf(f.random, "low", "normal", "high", "urgent"), pick(f.random, projects)[0],
			oneOf(f.random, nil, pick(f.random, categories)[0]), oneOf(f.random, nil, at), oneOf(f.random, nil, at.Add(time.Hour)), lat, lng, at, at,
		})
		for _, at := range f.random.Perm(len(c.users))[:1+f.random.IntN(3)] {
			links = append(links, []any{f.id("task_assignees"), c.id, id, c.users[at]})
		}
		for n := range f.random.IntN(4) {
			image := f.id("task_images")
			name := func(kind string) string { return fmt.Sprintf("file:%d/%s%031d.jpg", c.id, kind, image) }
			images = append(images, []any{
				image, c.id, id, c.users[0], name("a"), name("b"), oneOf(f.random, nil, fmt.Sprintf("Foto %d", n)), "image/jpeg", 1600, 1200, 234_567, at,
			})
		}
	}
	f.insert("projects", "id, company_id, name, sort_name, created_at", projects)
	f.insert("task_categories", "id, company_id, name, sort_name", categories)
	f.insert("tasks", "id, company_id, creator_id, title, description, status, priority, project_id, category_id, start_at, due_at, latitude, longitude, created_at, updated_at", tasks)
	f.insert("task_assignees", "id, company_id, task_id, user_id", links)
	f.insert("task_images", "id, company_id, task_id, user_id, url, thumbnail_url, caption, content_type, width, height, size, created_at", images)
	for _, t := range tasks {
		c.tasks = append(c.tasks, benchTask{t[0].(int), t[7].(int), t[8]})
	}
}

// A benchTask is a task with its project and, unless nil, its category.
type benchTask struct {
	id, project int
	category    any
}

// book books time of each person on five tasks a day. One entry of fifty goes over midnight.
func (f *benchFill) book(c *benchCompany) {
	var rows [][]any
	zone := handZone(f.zone)
	today := shift.DateOf(f.now, zone)
	for _, user := range c.users {
		for ago := workDays; ago > 0; ago-- {
			date := today.AddDays(-ago)
			at := date.In(zone).Add(8 * time.Hour)
			for n := range 5 {
				t := pick(f.random, c.tasks)
				end := at.Add(time.Duration(600+f.random.IntN(6000)) * time.Second)
				if n == 4 && f.random.IntN(10) == 0 {
					at, end = date.AddDays(1).In(zone).Add(-time.Hour), date.AddDays(1).In(zone).Add(time.Hour)
				}
				last := shift.DateOf(end.Add(-time.Second), zone)
				rows = append(rows, []any{
					f.id("time_entries"), c.id, user, t.id, t.project, t.category, "booked", at.UTC(), end.UTC(), int(end.Sub(at) / time.Second),
					string(date), string(last), f.zone, "[]", f.now, f.now,
				})
				at = end
			}
		}
	}
	f.insert("time_entries", "id, company_id, user_id, task_id, project_id, category_id, kind, started_at, ended_at, seconds, date, last_date, timezone, tags, created_at, updated_at", rows)
	for column, table := range map[string]string{"task_id": "tasks", "project_id": "projects"} {
		for sum, of := range map[string]string{"tracked_seconds": "COALESCE(SUM(e.seconds), 0)", "entry_count": "COUNT(*)"} {
			f.exec("UPDATE "+table+" SET "+sum+" = (SELECT "+of+" FROM time_entries e WHERE e."+column+" = "+table+".id) WHERE company_id = ?", c.id)
		}
	}
}
