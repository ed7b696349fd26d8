package demo

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/ent/clockstate"
	entTask "workforce/ent/task"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/timeweek"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// A worker is a person who books time on a task of theirs on each weekday of the last fortnight.
type worker struct {
	person int    // of the company
	note   string // of the second entry of a day
	runs   time.Duration
}

// workers are those of a company with many people: of two a timer has been running for some time.
var workers = []worker{
	{3, "Menunggu umpan balik penguji", 40 * time.Minute},
	{4, "", 95 * time.Minute},
	{6, "Bersama tim gudang", 0},
}

// addTime adds time entries, and the weeks of the first worker: the first is approved, the second
// waits for a decision.
func addTime(ctx context.Context, f *filler) error {
	if len(f.users) < 10 {
		return nil
	}
	for i, w := range workers {
		who := f.users[w.person]
		on, err := f.db.Task.Query().Where(entTask.CreatorID(who.ID)).Order(ent.Asc(entTask.FieldID)).First(ctx)
		if err != nil {
			return err
		}
		if err := addBooked(ctx, f, w, on); err != nil {
			return err
		}
		if i > 0 {
			continue
		}
		for n, state := range []timeweek.State{timeweek.StateApproved, timeweek.StateSubmitted} {
			if err := addWeek(ctx, f, who, timesheet.Week(f.today().AddDays(7*n-14), 1), state); err != nil {
				return err
			}
		}
	}
	return nil
}

// addBooked adds the entries of a worker, and what the task and the project keep of them.
func addBooked(ctx context.Context, f *filler, w worker, on *ent.Task) error {
	seconds, count := 0, 0
	add := func(kind entTimeEntry.Kind, start time.Time, length time.Duration, note string) *ent.TimeEntryCreate {
		count++
		seconds += int(length / time.Second)
		create := timeEntry(f, on, w.person, kind, start, length)
		if note != "" {
			create.SetNote(note)
		}
		return create
	}
	for d := f.today().AddDays(-14); d < f.today(); d = d.AddDays(1) {
		if d.Weekday() > 5 {
			continue
		}
		morning := d.In(f.zone).Add(time.Duration(9*60+7*w.person) * time.Minute)
		if err := add(entTimeEntry.KindTimer, morning, 150*time.Minute, "").Exec(ctx); err != nil {
			return err
		}
		if err := add(entTimeEntry.KindBooked, morning.Add(4*time.Hour), 2*time.Hour, w.note).Exec(ctx); err != nil {
			return err
		}
	}
	timers, started := 0, int64(0)
	if w.runs > 0 {
		start := f.now.Add(-w.runs).Truncate(time.Second)
		timers, started = 1, start.Unix()
		if err := add(entTimeEntry.KindTimer, start, 0, "").SetSlot(1).Exec(ctx); err != nil {
			return err
		}
		if err := f.db.ClockState.Update().Where(clockstate.UserID(f.users[w.person].ID)).SetTimers(1).Exec(ctx); err != nil {
			return err
		}
	}
	err := f.db.Task.UpdateOneID(on.ID).SetTrackedSeconds(seconds).SetEntryCount(count).SetTimers(timers).SetTimersStarted(started).Exec(ctx)
	if err != nil || on.ProjectID == nil {
		return err
	}
	return f.db.Project.UpdateOneID(*on.ProjectID).AddTrackedSeconds(seconds).AddEntryCount(count).AddTimers(timers).AddTimersStarted(started).Exec(ctx)
}

// timeEntry builds the row of time of a person on a task of theirs; with no length it runs.
func timeEntry(f *filler, on *ent.Task, person int, kind entTimeEntry.Kind, start time.Time, length time.Duration) *ent.TimeEntryCreate {
	d := string(shift.DateOf(start, f.zone))
	create := f.db.TimeEntry.Create().SetCompanyID(f.company.ID).SetUserID(f.users[person].ID).SetTaskID(on.ID).SetNillableProjectID(on.ProjectID).
		SetNillableCategoryID(on.CategoryID).SetKind(kind).SetStartedAt(start.UTC()).SetDate(d).SetLastDate("9998-12-31").SetTimezone(f.zone.String()).
		SetTags([]string{"demo"}).SetCreatedAt(start.UTC()).SetUpdatedAt(start.UTC())
	if length > 0 {
		create.SetEndedAt(start.Add(length).UTC()).SetSeconds(int(length / time.Second)).SetLastDate(d)
	}
	return create
}

// addWeek adds a week that was submitted on its last day.
func addWeek(ctx context.Context, f *filler, who *ent.User, p timesheet.Period, state timeweek.State) error {
	booked, err := f.db.TimeEntry.Query().
		Where(entTimeEntry.UserID(who.ID), entTimeEntry.DateGTE(string(p.From)), entTimeEntry.LastDateLTE(string(p.To))).Select(entTimeEntry.FieldSeconds).Ints(ctx)
	if err != nil {
		return err
	}
	sum := 0
	for _, n := range booked {
		sum += n
	}
	at := p.To.In(f.zone).Add(-8 * time.Hour).UTC()
	create := f.db.TimeWeek.Create().SetCompanyID(f.company.ID).SetUserID(who.ID).SetStartsOn(string(p.From)).SetEndsOn(string(p.To)).
		SetSeconds(sum).SetState(state).SetSubmittedAt(at)
	if state == timeweek.StateApproved {
		create.SetDecidedBy(f.users[1].ID).SetDecidedAt(at.Add(time.Hour))
	}
	return create.Exec(ctx)
}
