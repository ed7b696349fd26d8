package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"workforce/ent"
	entProject "workforce/ent/project"
	entTask "workforce/ent/task"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/timeweek"
	"workforce/internal/shift"
	"workforce/internal/textform"
	"workforce/internal/timesheet"
)

// bookedTime is what those of the large company who book time book on each day of work.
const bookedTime = 2 * time.Hour

// A booking is time of a person.
type booking struct {
	person int
	start  time.Time
}

// book adds what a person books of a stint: one in ten, who work by day, does.
func (w *yearWriter) book(s stint) {
	if s.person%10 == 8 {
		w.booked = append(w.booked, booking{s.person, s.in.Add(time.Hour)})
	}
}

// addBookings adds the time that was booked from a date up to another, which is not included:
// a task for each person, its entries and, but for this week, the weeks, which are approved.
func (w *yearWriter) addBookings(ctx context.Context, from, until shift.Date) error {
	on, err := w.addYearTasks(ctx, from, until)
	if err != nil || len(on) == 0 {
		return err
	}
	entries, count := &bulk{table: entTimeEntry.Table}, map[int]int{}
	for _, b := range w.booked {
		t := on[w.users[b.person].ID]
		m := timeEntry(w.filler, t, b.person, entTimeEntry.KindBooked, b.start, bookedTime).Mutation()
		if entries.columns == nil {
			entries.columns = m.Fields()
		}
		if err := entries.add(ctx, cellsOf(m, entries.columns)); err != nil {
			return err
		}
		count[t.ID]++
	}
	if err := entries.flush(ctx); err != nil {
		return err
	}
	by := map[int][]int{}
	for id, n := range count {
		by[n] = append(by[n], id)
	}
	for n, ids := range by {
		for part := range slices.Chunk(ids, atOnce) {
			err := w.db.Task.Update().Where(entTask.IDIn(part...)).SetTrackedSeconds(n * seconds(bookedTime)).SetEntryCount(n).Exec(ctx)
			if err != nil {
				return err
			}
		}
	}
	of := on[w.users[w.booked[0].person].ID].ProjectID
	err = w.db.Project.UpdateOneID(*of).AddTrackedSeconds(len(w.booked) * seconds(bookedTime)).AddEntryCount(len(w.booked)).Exec(ctx)
	if err != nil {
		return err
	}
	return w.addYearWeeks(ctx)
}

// addYearTasks adds a task for each person who booked time from a date up to another, and
// returns them by person.
func (w *yearWriter) addYearTasks(ctx context.Context, from, until shift.Date) (map[int]*ent.Task, error) {
	var people []int
	for _, b := range w.booked {
		people = append(people, w.users[b.person].ID)
	}
	slices.Sort(people)
	people = slices.Compact(people)
	if len(people) == 0 {
		return nil, nil
	}
	of, err := w.db.Project.Query().
		Where(entProject.CompanyID(w.company.ID), entProject.OpenToAll(true), entProject.BudgetHoursIsNil(), entProject.StatusEQ(entProject.StatusActive)).
		Order(ent.Asc(entProject.FieldID)).FirstID(ctx)
	if err != nil {
		return nil, err
	}
	title := fmt.Sprintf("Bongkar muat dari %s", from)
	created, due := from.In(w.zone).Add(7*time.Hour).UTC(), until.In(w.zone).Add(-6*time.Hour).UTC()
	made := make(map[int]*ent.Task, len(people))
	for part := range slices.Chunk(people, atOnce) {
		err := w.db.Task.MapCreateBulk(part, func(t *ent.TaskCreate, i int) {
			t.SetCompanyID(w.company.ID).SetCreatorID(part[i]).SetTitle(title).SetProjectID(of).SetDueAt(due).SetCreatedAt(created).SetUpdatedAt(created)
			if t.SetStatus(entTask.StatusInProgress); until <= w.today() {
				t.SetStatus(entTask.StatusDone).SetCompletedAt(due).SetUpdatedAt(due)
			}
		}).Exec(ctx)
		if err != nil {
			return nil, err
		}
		tasks, err := w.db.Task.Query().
			Where(entTask.CompanyID(w.company.ID), entTask.CreatorIDIn(part...), entTask.Title(title), entTask.CreatedAt(created)).All(ctx)
		if err != nil {
			return nil, err
		}
		for _, t := range tasks {
			made[t.CreatorID] = t
		}
		if err := w.addTaskParts(ctx, tasks, textform.Words(title)); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// addTaskParts adds the assignees and words of tasks.
func (w *yearWriter) addTaskParts(ctx context.Context, tasks []*ent.Task, words []string) error {
	err := w.db.TaskAssignee.MapCreateBulk(tasks, func(a *ent.TaskAssigneeCreate, i int) {
		a.SetCompanyID(w.company.ID).SetTaskID(tasks[i].ID).SetUserID(tasks[i].CreatorID)
	}).Exec(ctx)
	if err != nil {
		return err
	}
	var rows []*ent.TaskWordCreate
	for _, t := range tasks {
		for _, word := range words {
			rows = append(rows, w.db.TaskWord.Create().SetCompanyID(w.company.ID).SetTaskID(t.ID).SetWord(word))
		}
	}
	return w.db.TaskWord.CreateBulk(rows...).Exec(ctx)
}

// addYearWeeks adds the weeks in which time was booked, but this one: each was submitted on
// its last day, and approved by the manager of the business.
func (w *yearWriter) addYearWeeks(ctx context.Context) error {
	type week struct {
		person int
		starts shift.Date
	}
	sums, order := map[week]int{}, []week{}
	for _, b := range w.booked {
		of := week{b.person, shift.DateOf(b.start, w.zone).Monday()}
		if of.starts == w.today().Monday() {
			continue
		}
		if sums[of] == 0 {
			order = append(order, of)
		}
		sums[of] += seconds(bookedTime)
	}
	for part := range slices.Chunk(order, atOnce) {
		err := w.db.TimeWeek.MapCreateBulk(part, func(c *ent.TimeWeekCreate, i int) {
			of := part[i]
			p := timesheet.Week(of.starts, 1)
			at := p.To.In(w.zone).Add(-8 * time.Hour).UTC()
			c.SetCompanyID(w.company.ID).SetUserID(w.users[of.person].ID).SetStartsOn(string(p.From)).SetEndsOn(string(p.To)).
				SetSeconds(sums[of]).SetState(timeweek.StateApproved).SetSubmittedAt(at).
				SetNillableDecidedBy(w.units[w.people[of.person].unit].ManagerID).SetDecidedAt(at.Add(time.Hour))
		}).Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}
