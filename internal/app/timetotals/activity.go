package timetotals

import (
	"context"
	"time"

	"workforce/ent"
	entProject "workforce/ent/project"
	entTask "workforce/ent/task"
	entTaskCategory "workforce/ent/taskcategory"
	"workforce/ent/taskimage"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/timeentry"
	"workforce/internal/booking"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/period"
	"workforce/internal/scalar"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// Activities returns what was booked on a date, by start: at most limit, all for nil. Without a
// date it is today where the person is, else where the viewer is. NOT_FOUND on userId,
// VALIDATION_FAILED on limit.
func (s *Service) Activities(ctx context.Context, date *string, userID, limit *int) ([]*model.Activity, error) {
	f := Filter{UserIDs: listOf(userID)}
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkLimit(limit); err != nil {
		return nil, err
	}
	if date == nil {
		whose, err := input.Person(me, "userId", userID)
		if err != nil {
			return nil, err
		}
		zone, err := scheduling.ZoneOf(ctx, whose)
		if err != nil {
			return nil, err
		}
		date = new(string(shift.DateOf(s.Now(), zone)))
	}
	day := period.Day(shift.Date(*date))
	f.From, f.To = &day, &day
	of, err := s.scope(ctx, f, "userId")
	if err != nil {
		return nil, err
	}
	list, err := of.entries(ctx, "userId")
	if err != nil {
		return nil, err
	}
	return of.activities(ctx, first(list, limit))
}

// checkLimit refuses a limit that is not from 1 to as many entries as are listed.
func checkLimit(limit *int) error {
	if limit != nil && (*limit < 1 || *limit > maxEntries) {
		return errs.Because("limit", errs.OutOfRange, errs.Meta{"min": 1, "max": maxEntries})
	}
	return nil
}

// first returns the first items of a list: at most limit, all for nil.
func first[T any](list []T, limit *int) []T {
	if limit == nil {
		return list
	}
	return list[:min(len(list), *limit)]
}

// Running returns the latest timer that the viewer runs; nil for none.
func (s *Service) Running(ctx context.Context) (*model.Activity, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	list, err := ent.FromContext(ctx).TimeEntry.Query().Where(entTimeEntry.UserID(me.UserID), entTimeEntry.SlotNotNil()).
		Order(ent.Desc(entTimeEntry.FieldStartedAt, entTimeEntry.FieldID)).Limit(1).All(ctx)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return s.activity(ctx, list)
}

// Activity returns one entry that the viewer sees.
func (s *Service) Activity(ctx context.Context, id int) (*model.Activity, error) {
	e, err := ent.FromContext(ctx).TimeEntry.Query().Where(entTimeEntry.ID(id)).Only(ctx)
	if err != nil {
		return nil, err
	}
	return s.activity(ctx, []*ent.TimeEntry{e})
}

func (s *Service) activity(ctx context.Context, list []*ent.TimeEntry) (*model.Activity, error) {
	out, err := (&scope{now: s.Now().Truncate(time.Second)}).activities(ctx, list)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// entries reads the entries of the scope, by start. VALIDATION_FAILED on a field where there are
// too many to list.
func (s *scope) entries(ctx context.Context, field string) ([]*ent.TimeEntry, error) {
	if s.empty {
		return nil, nil
	}
	q := ent.FromContext(ctx).TimeEntry.Query().
		Where(entTimeEntry.CompanyID(s.me.CompanyID), entTimeEntry.DateLTE(string(s.period.To)), entTimeEntry.LastDateGTE(string(s.period.From)))
	if s.UserIDs != nil {
		q.Where(entTimeEntry.UserIDIn(s.UserIDs...))
	}
	list, err := q.Order(ent.Asc(entTimeEntry.FieldStartedAt, entTimeEntry.FieldID)).Limit(maxEntries + 1).All(ctx)
	if err == nil && len(list) > maxEntries {
		err = errs.Because(field, errs.TooMany, errs.Meta{"max": maxEntries})
	}
	return list, err
}

// activities returns entries as apps show them, with what they were booked on, in four
// statements.
func (s *scope) activities(ctx context.Context, list []*ent.TimeEntry) ([]*model.Activity, error) {
	out := make([]*model.Activity, len(list))
	if len(list) == 0 {
		return out, nil
	}
	on, err := readWork(ctx, list)
	if err != nil {
		return nil, err
	}
	for i, e := range list {
		zone := shift.ZoneNamed(e.Timezone)
		a := &model.Activity{
			ID: e.ID, TaskID: e.TaskID, Title: on.titles[e.TaskID], Note: e.Note, Running: e.Slot != nil, DurationSeconds: e.Seconds,
			StartAt: in(e.StartedAt, zone), EndAt: in(e.EndedAt, zone), ImageCount: on.images[e.TaskID],
			Latitude: degrees(e.Latitude), Longitude: degrees(e.Longitude),
		}
		if a.Running {
			a.DurationSeconds = timeentry.SpanOf(e).Seconds(s.now)
		}
		if e.ProjectID != nil {
			a.Project = on.projects[*e.ProjectID]
		}
		if e.CategoryID != nil {
			a.Category = on.categories[*e.CategoryID]
		}
		out[i] = a
	}
	return out, nil
}

// A workTable is what entries were booked on, by id.
type workTable struct {
	titles     map[int]string
	images     map[int]int // how many of a task the viewer sees
	projects   map[int]*ent.Project
	categories map[int]*ent.TaskCategory
}

// readWork returns what entries were booked on. Who reads the time reads the title of the task;
// the rest of it for those alone who see it.
func readWork(ctx context.Context, list []*ent.TimeEntry) (*workTable, error) {
	tasks, projects, categories := map[int]bool{}, map[int]bool{}, map[int]bool{}
	for _, e := range list {
		tasks[e.TaskID] = true
		if e.ProjectID != nil {
			projects[*e.ProjectID] = true
		}
		if e.CategoryID != nil {
			categories[*e.CategoryID] = true
		}
	}
	db := ent.FromContext(ctx)
	out := &workTable{titles: map[int]string{}, images: map[int]int{}, projects: map[int]*ent.Project{}, categories: map[int]*ent.TaskCategory{}}
	named, err := db.Task.Query().Where(database.OneOf(entTask.FieldID, keysOf(tasks))).Select(entTask.FieldID, entTask.FieldTitle).
		All(viewer.System(ctx))
	if err != nil {
		return nil, err
	}
	for _, t := range named {
		out.titles[t.ID] = t.Title
	}
	var counts []struct {
		TaskID int `sql:"task_id"`
		Count  int
	}
	err = db.TaskImage.Query().Where(database.OneOf(taskimage.FieldTaskID, keysOf(tasks)), taskimage.DeletedAtIsNil()).GroupBy(taskimage.FieldTaskID).Aggregate(ent.Count()).Scan(ctx, &counts)
	if err != nil {
		return nil, err
	}
	for _, c := range counts {
		out.images[c.TaskID] = c.Count
	}
	if len(projects) > 0 {
		found, err := db.Project.Query().Where(database.OneOf(entProject.FieldID, keysOf(projects))).All(ctx)
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			out.projects[p.ID] = p
		}
	}
	if len(categories) > 0 {
		found, err := db.TaskCategory.Query().Where(database.OneOf(entTaskCategory.FieldID, keysOf(categories))).All(ctx)
		if err != nil {
			return nil, err
		}
		for _, c := range found {
			out.categories[c.ID] = c
		}
	}
	return out, nil
}

func keysOf(set map[int]bool) []int {
	ids := make([]int, 0, len(set))
	for id := range set {
		ids = append(ids, id)
	}
	return ids
}

// listOf returns a list of one id; nil for nil.
func listOf(id *int) []int {
	if id == nil {
		return nil
	}
	return []int{*id}
}

// in returns an instant in a zone; nil for nil.
func in(at *time.Time, zone *time.Location) *time.Time {
	if at == nil {
		return nil
	}
	return new(at.In(zone))
}

// degrees returns a coordinate; nil for nil.
func degrees(d *float64) *scalar.Coordinate {
	if d == nil {
		return nil
	}
	return &scalar.Coordinate{Degrees: *d, Valid: true}
}

// Users returns the people with time booked in a period, by name.
func (s *Service) Users(ctx context.Context, from, to *period.Bound) ([]*model.ActivityUser, error) {
	of, err := s.scope(ctx, Filter{From: from, To: to}, "")
	if err != nil {
		return nil, err
	}
	sums := booking.NewTotals(of.period, 1, false, booking.ByUser)
	if err := of.add(ctx, sums, timesheet.Rounding{}, booking.ByUser); err != nil {
		return nil, err
	}
	people, err := peopleOf(ctx, sums.Groups)
	if err != nil || len(people) == 0 {
		return []*model.ActivityUser{}, err
	}
	ids := make([]int, len(people))
	for i, p := range people {
		ids[i] = p.ID
	}
	runs := map[int]bool{}
	timers, err := ent.FromContext(ctx).TimeEntry.Query().Where(database.OneOf(entTimeEntry.FieldUserID, ids), entTimeEntry.SlotNotNil()).
		Unique(true).Select(entTimeEntry.FieldUserID).Ints(ctx)
	for _, id := range timers {
		runs[id] = true
	}
	out := make([]*model.ActivityUser, len(people))
	for i, p := range people {
		out[i] = &model.ActivityUser{User: p.User, TaskCount: p.group.Tasks(), TrackedSeconds: p.group.Seconds, Running: runs[p.ID]}
	}
	return out, err
}

// A person is somebody with their group.
type person struct {
	*ent.User
	group *booking.Group
}

// peopleOf returns the people of groups by user, by name.
func peopleOf(ctx context.Context, groups []*booking.Group) ([]person, error) {
	ids := idsOf(groups, 0)
	if len(ids) == 0 {
		return nil, nil
	}
	byID := map[string]*booking.Group{}
	for _, g := range groups {
		byID[g.Key] = g
	}
	users, err := ent.FromContext(ctx).User.Query().Where(database.OneOf(user.FieldID, ids)).Order(ent.Asc(user.FieldSortName, user.FieldID)).All(ctx)
	out := make([]person, len(users))
	for i, u := range users {
		out[i] = person{u, byID[keyOf(u.ID)]}
	}
	return out, err
}

// Task returns the task of an entry that the viewer sees.
func (s *Service) Task(ctx context.Context, id int) (int, error) {
	e, err := ent.FromContext(ctx).TimeEntry.Query().Where(entTimeEntry.ID(id)).Select(entTimeEntry.FieldTaskID).Only(ctx)
	if err != nil {
		return 0, err
	}
	return e.TaskID, nil
}
