package demo

import (
	"context"
	"time"

	"workforce/ent"
	entProject "workforce/ent/project"
	entTask "workforce/ent/task"
	"workforce/internal/textform"
)

// A projectData describes a project.
type projectData struct {
	name, code, color string
	archived          bool
	members           int // 0 where it is open to all
	budget            int // hours; 0 for none
}

// projects are those of a company with many people; another has the first alone.
var projects = []projectData{
	{"Pemeliharaan Gedung", "GDG", "#1e90ff", false, 0, 400},
	{"Aplikasi Pelanggan", "APP", "#2e8b57", false, 6, 1250},
	{"Migrasi Gudang", "MIG", "#ff8c00", false, 8, 600},
	{"Pelatihan Karyawan", "PLT", "#9370db", false, 0, 0},
	{"Kunjungan Pelanggan", "KJG", "#dc143c", false, 0, 200},
	{"Renovasi Lobi", "RNV", "#708090", true, 0, 80},
}

// A categoryData describes a category of tasks with those below it.
type categoryData struct {
	name, color string
	below       []string
}

var categories = []categoryData{
	{"Lapangan", "#2e8b57", []string{"Kunjungan", "Perbaikan"}},
	{"Koordinasi", "#1e90ff", []string{"Rapat", "Laporan"}},
	{"Istirahat", "#708090", nil},
}

// A taskData describes a task: due in so many days, of the n-th person of the company.
type taskData struct {
	title    string
	status   entTask.Status
	priority entTask.Priority
	project  int // of projects; -1 for none
	category string
	person   int
	due      int
}

var tasks = []taskData{
	{"Periksa pendingin ruangan lantai 3", entTask.StatusOpen, entTask.PriorityHigh, 0, "Perbaikan", 2, 1},
	{"Ganti lampu lorong", entTask.StatusInProgress, entTask.PriorityNormal, 0, "Perbaikan", 2, 0},
	{"Laporan mingguan operasional", entTask.StatusOpen, entTask.PriorityNormal, -1, "Laporan", 2, 3},
	{"Kunjungan ke PT Maju Jaya", entTask.StatusDone, entTask.PriorityHigh, 4, "Kunjungan", 2, -1},
	{"Survei kepuasan pelanggan", entTask.StatusCancelled, entTask.PriorityLow, 4, "Kunjungan", 2, -3},
	{"Uji coba rilis aplikasi", entTask.StatusInProgress, entTask.PriorityUrgent, 1, "Laporan", 3, 0},
	{"Perbaiki formulir pendaftaran", entTask.StatusOpen, entTask.PriorityHigh, 1, "Perbaikan", 4, -2},
	{"Hitung ulang stok rak A", entTask.StatusDone, entTask.PriorityNormal, 2, "Perbaikan", 5, -1},
	{"Pindahkan rak ke Cikarang", entTask.StatusOpen, entTask.PriorityNormal, 2, "Lapangan", 6, 5},
	{"Materi pelatihan keselamatan", entTask.StatusInProgress, entTask.PriorityNormal, 3, "Koordinasi", 1, 2},
	{"Rapat persiapan audit", entTask.StatusOpen, entTask.PriorityUrgent, -1, "Rapat", 1, 1},
	{"Cat ulang dinding lobi", entTask.StatusDone, entTask.PriorityLow, 5, "Perbaikan", 0, -6},
}

// addTasks adds projects, categories and tasks in every status.
func addTasks(ctx context.Context, f *filler) error {
	n := len(projects)
	if len(f.users) < 10 {
		n = 1
	}
	made := make([]*ent.Project, n)
	for i, p := range projects[:n] {
		var err error
		if made[i], err = addProject(ctx, f, p); err != nil {
			return err
		}
	}
	ids := map[string]int{}
	for _, c := range categories {
		if err := addCategory(ctx, f, c, ids); err != nil {
			return err
		}
	}
	for i, t := range tasks {
		if t.project >= n || t.person >= len(f.users) {
			continue
		}
		if err := addTask(ctx, f, i, t, made, ids); err != nil {
			return err
		}
	}
	return nil
}

func addProject(ctx context.Context, f *filler, p projectData) (*ent.Project, error) {
	create := f.db.Project.Create().SetCompanyID(f.company.ID).SetName(p.name).SetCode(p.code).SetColor(p.color).SetOpenToAll(p.members == 0).
		SetCreatedAt(opened(f))
	if p.archived {
		create.SetStatus(entProject.StatusArchived)
	}
	if p.budget > 0 {
		create.SetBudgetHours(p.budget)
	}
	made, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	return made, f.db.ProjectMember.MapCreateBulk(f.users[:p.members], func(m *ent.ProjectMemberCreate, i int) {
		m.SetCompanyID(f.company.ID).SetProjectID(made.ID).SetUserID(f.users[i].ID)
	}).Exec(ctx)
}

// opened is when the projects were created: two months ago, or when the attendance begins.
func opened(f *filler) time.Time {
	at := f.now.AddDate(0, -2, 0)
	if first := firstDate(f).In(f.zone).UTC(); first.Before(at) {
		return first
	}
	return at
}

func addCategory(ctx context.Context, f *filler, c categoryData, ids map[string]int) error {
	top, err := f.db.TaskCategory.Create().SetCompanyID(f.company.ID).SetName(c.name).SetColor(c.color).Save(ctx)
	if err != nil {
		return err
	}
	ids[c.name] = top.ID
	for _, name := range c.below {
		below, err := f.db.TaskCategory.Create().SetCompanyID(f.company.ID).SetName(name).SetColor(c.color).SetParentID(top.ID).Save(ctx)
		if err != nil {
			return err
		}
		ids[name] = below.ID
	}
	return nil
}

// addTask adds a task with its assignee, words, steps and a comment. It was created some
// days ago, the first the latest.
func addTask(ctx context.Context, f *filler, i int, t taskData, projects []*ent.Project, categories map[string]int) error {
	who, created := f.users[t.person], f.now.AddDate(0, 0, -1-i)
	due := f.today().AddDays(t.due).In(f.zone).Add(17 * time.Hour)
	create := f.db.Task.Create().SetCompanyID(f.company.ID).SetCreatorID(who.ID).SetTitle(t.title).SetStatus(t.status).SetPriority(t.priority).
		SetCategoryID(categories[t.category]).SetDueAt(due.UTC()).SetCreatedAt(created).SetUpdatedAt(created)
	if t.project >= 0 {
		create.SetProjectID(projects[t.project].ID)
	}
	if t.status == entTask.StatusDone {
		create.SetCompletedAt(f.now.Add(-time.Hour))
	}
	made, err := create.Save(ctx)
	if err != nil {
		return err
	}
	err = f.db.TaskAssignee.Create().SetCompanyID(f.company.ID).SetTaskID(made.ID).SetUserID(who.ID).Exec(ctx)
	if err != nil {
		return err
	}
	words := textform.Words(t.title)
	err = f.db.TaskWord.MapCreateBulk(words, func(w *ent.TaskWordCreate, i int) {
		w.SetCompanyID(f.company.ID).SetTaskID(made.ID).SetWord(words[i])
	}).Exec(ctx)
	if err != nil || t.status != entTask.StatusInProgress {
		return err
	}
	steps := []string{"Persiapan", "Pelaksanaan"}
	err = f.db.TaskChecklistItem.MapCreateBulk(steps, func(s *ent.TaskChecklistItemCreate, i int) {
		s.SetCompanyID(f.company.ID).SetTaskID(made.ID).SetTitle(steps[i]).SetDone(i == 0).SetPosition(i + 1)
	}).Exec(ctx)
	if err != nil {
		return err
	}
	return f.db.TaskComment.Create().SetCompanyID(f.company.ID).SetTaskID(made.ID).SetUserID(who.ID).SetText("Sedang dikerjakan.").
		SetCreatedAt(created).Exec(ctx)
}
