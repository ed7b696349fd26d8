package bench

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"workforce/internal/contact"
	"workforce/internal/shift"
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
		projects = append(projects, []any{f.id("projects"), c.id, name, contact.SortKey(name), f.now})
	}
	for i := range workCategories {
		name := fmt.Sprintf("Jenis %d", i)
		categories = append(categories, []any{f.id("task_categories"), c.id, name, contact.SortKey(name)})
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

// A workReader reads tasks and what booked time adds up to straightforwardly.
type workReader struct {
	db                          *sql.DB
	link                        linkFunc
	count, page                 *sql.Stmt
	sums, split, projects, team *sql.Stmt
}

// A linkFunc returns the link that clients see of a stored file.
type linkFunc func(text string) (string, error)

func newWorkReader(db *sql.DB, link linkFunc) (s workReader, err error) {
	s.db, s.link = db, link
	err = prepareAll(db, map[**sql.Stmt]string{
		&s.count: "SELECT COUNT(*) FROM tasks WHERE company_id = ? AND deleted_at IS NULL",
		&s.page: "SELECT t.id, t.version, t.title, t.description, t.status, t.priority, p.id, p.name, c.id, c.name, t.start_at, t.due_at, t.completed_at, " +
			"t.latitude, t.longitude, t.tracked_seconds, t.timers, t.timers_started, t.created_at, t.updated_at FROM tasks t " +
			"LEFT JOIN projects p ON p.id = t.project_id LEFT JOIN task_categories c ON c.id = t.category_id " +
			"WHERE t.company_id = ? AND t.deleted_at IS NULL ORDER BY t.created_at DESC, t.id DESC LIMIT ? OFFSET ?",
		&s.sums: "SELECT project_id, user_id, task_id, SUM(seconds) FROM time_entries WHERE company_id = ? AND date BETWEEN ? AND ? AND last_date = date " +
			"GROUP BY project_id, user_id, task_id",
		&s.split: "SELECT project_id, user_id, task_id, started_at, ended_at, timezone FROM time_entries " +
			"WHERE company_id = ? AND date <= ? AND last_date >= ? AND last_date <> date",
		&s.projects: "SELECT id, name, sort_name FROM projects WHERE company_id = ?",
		&s.team:     "SELECT id, name, sort_name FROM users WHERE company_id = ?",
	})
	return s, err
}

type taskJSON struct {
	ID              int         `json:"id,string"`
	Version         int         `json:"version"`
	Title           string      `json:"title"`
	Description     *string     `json:"description"`
	Status          string      `json:"status"`
	Priority        string      `json:"priority"`
	Project         *namedJSON  `json:"project"`
	Category        *namedJSON  `json:"category"`
	Assignees       []faceJSON  `json:"assignees"`
	StartAt         *string     `json:"startAt"`
	DueAt           *string     `json:"dueAt"`
	CompletedAt     *string     `json:"completedAt"`
	Latitude        *string     `json:"latitude"`
	Longitude       *string     `json:"longitude"`
	Images          []imageJSON `json:"images"`
	Running         bool        `json:"running"`
	DurationSeconds int         `json:"durationSeconds"`
	CreatedAt       string      `json:"createdAt"`
	UpdatedAt       string      `json:"updatedAt"`
}

type namedJSON struct {
	ID   int    `json:"id,string"`
	Name string `json:"name"`
}

type faceJSON struct {
	ID    int    `json:"id,string"`
	Name  string `json:"name"`
	Image string `json:"image"`
}

type imageJSON struct {
	ID           int     `json:"id,string"`
	URL          string  `json:"url"`
	ThumbnailURL string  `json:"thumbnailUrl"`
	Caption      *string `json:"caption"`
	ContentType  string  `json:"contentType"`
	Width        int     `json:"width"`
	Height       int     `json:"height"`
	Size         int     `json:"size"`
	CreatedAt    string  `json:"createdAt"`
}

// show answers a page of tasks.
func (s workReader) show(w http.ResponseWriter, r *http.Request, c handCaller) error {
	ctx := r.Context()
	page, _ := strconv.Atoi(r.FormValue("page"))
	limit, _ := strconv.Atoi(r.FormValue("limit"))
	var total int
	if err := s.count.QueryRowContext(ctx, c.company).Scan(&total); err != nil {
		return err
	}
	list, err := s.read(ctx, c, limit, (page-1)*limit)
	if err != nil {
		return err
	}
	w.Header().Set("X-Total-Count", strconv.Itoa(total))
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetEscapeHTML(false) // links have &
	if err := e.Encode(list); err != nil {
		return err
	}
	sendBody(w, bytes.TrimSuffix(body.Bytes(), []byte("\n")))
	return nil
}

func (s workReader) read(ctx context.Context, c handCaller, limit, offset int) ([]*taskJSON, error) {
	rows, err := s.page.QueryContext(ctx, c.company, limit, offset)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list, byID, now := []*taskJSON{}, map[int]*taskJSON{}, time.Now().Unix()
	var of []any
	for rows.Next() {
		t := &taskJSON{Assignees: []faceJSON{}, Images: []imageJSON{}}
		var project, category *int
		var projectName, categoryName *string
		var start, due, completed *time.Time
		var lat, lng *float64
		var timers, started int64
		var created, updated time.Time
		err := rows.Scan(&t.ID, &t.Version, &t.Title, &t.Description, &t.Status, &t.Priority, &project, &projectName, &category, &categoryName,
			&start, &due, &completed, &lat, &lng, &t.DurationSeconds, &timers, &started, &created, &updated)
		if err != nil {
			return nil, err
		}
		if project != nil {
			t.Project = &namedJSON{*project, *projectName}
		}
		if category != nil {
			t.Category = &namedJSON{*category, *categoryName}
		}
		t.StartAt, t.DueAt, t.CompletedAt = rfc3339(start), rfc3339(due), rfc3339(completed)
		t.Latitude, t.Longitude = sixDigits(lat), sixDigits(lng)
		t.Running, t.DurationSeconds = timers > 0, t.DurationSeconds+int(timers*now-started)
		t.CreatedAt, t.UpdatedAt = created.Format(time.RFC3339), updated.Format(time.RFC3339)
		list, byID[t.ID], of = append(list, t), t, append(of, t.ID)
	}
	if err := rows.Err(); err != nil || len(of) == 0 {
		return list, err
	}
	marks := strings.Repeat(", ?", len(of))[2:]
	if err := s.addAssignees(ctx, byID, marks, of); err != nil {
		return nil, err
	}
	return list, s.addImages(ctx, byID, marks, of)
}

func rfc3339(t *time.Time) *string {
	if t == nil {
		return nil
	}
	text := t.Format(time.RFC3339)
	return &text
}

func sixDigits(d *float64) *string {
	if d == nil {
		return nil
	}
	text := strconv.FormatFloat(*d, 'f', 6, 64)
	return &text
}

func (s workReader) addAssignees(ctx context.Context, to map[int]*taskJSON, marks string, of []any) error {
	rows, err := s.db.QueryContext(ctx, "SELECT a.task_id, u.id, u.name, u.image FROM task_assignees a JOIN users u ON u.id = a.user_id "+
		"WHERE a.task_id IN ("+marks+") ORDER BY u.sort_name, u.id", of...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var task int
		var p faceJSON
		if err := rows.Scan(&task, &p.ID, &p.Name, &p.Image); err != nil {
			return err
		}
		to[task].Assignees = append(to[task].Assignees, p)
	}
	return rows.Err()
}

func (s workReader) addImages(ctx context.Context, to map[int]*taskJSON, marks string, of []any) error {
	rows, err := s.db.QueryContext(ctx, "SELECT task_id, id, url, thumbnail_url, caption, content_type, width, height, size, created_at FROM task_images "+
		"WHERE task_id IN ("+marks+") AND deleted_at IS NULL ORDER BY id", of...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var task int
		var i imageJSON
		var created time.Time
		if err := rows.Scan(&task, &i.ID, &i.URL, &i.ThumbnailURL, &i.Caption, &i.ContentType, &i.Width, &i.Height, &i.Size, &created); err != nil {
			return err
		}
		i.CreatedAt = created.Format(time.RFC3339)
		if i.URL, err = s.link(i.URL); err != nil {
			return err
		}
		if i.ThumbnailURL, err = s.link(i.ThumbnailURL); err != nil {
			return err
		}
		to[task].Images = append(to[task].Images, i)
	}
	return rows.Err()
}

type totalsJSON struct {
	From        string       `json:"from"`
	To          string       `json:"to"`
	Seconds     int          `json:"seconds"`
	TaskCount   int          `json:"taskCount"`
	Overlapping bool         `json:"overlapping"`
	Groups      []*groupJSON `json:"groups"`
}

type groupJSON struct {
	Key       string        `json:"key"`
	Label     string        `json:"label"`
	Seconds   int           `json:"seconds"`
	TaskCount int           `json:"taskCount"`
	Groups    []*personJSON `json:"groups"`

	id    int
	sort  string
	tasks map[int]bool
	byID  map[int]*personJSON
}

type personJSON struct {
	Key       string `json:"key"`
	Label     string `json:"label"`
	Seconds   int    `json:"seconds"`
	TaskCount int    `json:"taskCount"`

	id    int
	sort  string
	tasks map[int]bool
}

// A handName is what something is called, and how it is sorted.
type handName struct{ name, sort string }

// group adds up the time of a period. Everything here has a project, and nothing runs.
func (s workReader) group(ctx context.Context, c handCaller, from, to string) (*totalsJSON, error) {
	out, tasks, byID := &totalsJSON{From: from, To: to}, map[int]bool{}, map[int]*groupJSON{}
	add := func(project, user, task, seconds int) {
		g := byID[project]
		if g == nil {
			g = &groupJSON{id: project, Key: strconv.Itoa(project), tasks: map[int]bool{}, byID: map[int]*personJSON{}}
			byID[project], out.Groups = g, append(out.Groups, g)
		}
		p := g.byID[user]
		if p == nil {
			p = &personJSON{id: user, Key: strconv.Itoa(user), tasks: map[int]bool{}}
			g.byID[user], g.Groups = p, append(g.Groups, p)
		}
		out.Seconds, g.Seconds, p.Seconds = out.Seconds+seconds, g.Seconds+seconds, p.Seconds+seconds
		tasks[task], g.tasks[task], p.tasks[task] = true, true, true
	}
	if err := s.addSums(ctx, c, from, to, add); err != nil {
		return nil, err
	}
	if err := s.addSplit(ctx, c, from, to, add); err != nil {
		return nil, err
	}
	projects, err := readNames(s.projects.QueryContext(ctx, c.company))
	if err != nil {
		return nil, err
	}
	people, err := readNames(s.team.QueryContext(ctx, c.company))
	if err != nil {
		return nil, err
	}
	for _, g := range out.Groups {
		g.Label, g.sort, g.TaskCount = projects[g.id].name, projects[g.id].sort, len(g.tasks)
		for _, p := range g.Groups {
			p.Label, p.sort, p.TaskCount = people[p.id].name, people[p.id].sort, len(p.tasks)
		}
		slices.SortFunc(g.Groups, func(a, b *personJSON) int { return cmp.Or(cmp.Compare(a.sort, b.sort), a.id-b.id) })
	}
	slices.SortFunc(out.Groups, func(a, b *groupJSON) int { return cmp.Or(cmp.Compare(a.sort, b.sort), a.id-b.id) })
	out.TaskCount = len(tasks)
	return out, nil
}

func (s workReader) addSums(ctx context.Context, c handCaller, from, to string, add func(project, user, task, seconds int)) error {
	rows, err := s.sums.QueryContext(ctx, c.company, from, to)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var project, user, task, seconds int
		if err := rows.Scan(&project, &user, &task, &seconds); err != nil {
			return err
		}
		add(project, user, task, seconds)
	}
	return rows.Err()
}

// addSplit adds the entries over midnight: what is within the period.
func (s workReader) addSplit(ctx context.Context, c handCaller, from, to string, add func(project, user, task, seconds int)) error {
	rows, err := s.split.QueryContext(ctx, c.company, to, from)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var project, user, task int
		var start, end time.Time
		var zone string
		if err := rows.Scan(&project, &user, &task, &start, &end, &zone); err != nil {
			return err
		}
		within := shift.Interval{Start: shift.Date(from).In(handZone(zone)), End: shift.Date(to).AddDays(1).In(handZone(zone))}
		add(project, user, task, int(overlap(shift.Interval{Start: start, End: end}, within)/time.Second))
	}
	return rows.Err()
}

func readNames(rows *sql.Rows, err error) (map[int]handName, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names := map[int]handName{}
	for rows.Next() {
		var id int
		var n handName
		if err := rows.Scan(&id, &n.name, &n.sort); err != nil {
			return nil, err
		}
		names[id] = n
	}
	return names, rows.Err()
}
