package parallel

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"workforce/ent"
	"workforce/ent/clockstate"
	entTask "workforce/ent/task"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/timeweek"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/app/tx"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// worktimeRaces are races about timers, entries and weeks of budi's.
func worktimeRaces() []race {
	system := viewer.System(context.Background())
	mine := entTimeEntry.HasUserWith(user.Email("budi@demo.test"))
	entries := func(s *harness.Server) *ent.TimeEntryQuery { return s.Store.Ent.TimeEntry.Query().Where(mine) }
	budi := func(s *harness.Server) *ent.User {
		return s.Store.Ent.User.Query().Where(user.Email("budi@demo.test")).OnlyX(system)
	}
	ask := func(field string) func(i int) apitest.Scenario {
		return func(i int) apitest.Scenario { return distinct(mutation(harness.Bearer("budi"), field)(i), i) }
	}
	// empty removes what budi booked, and what is kept of it.
	empty := func(t *testing.T, s *harness.Server) {
		t.Helper()
		err := tx.With(system, s.Store.Ent, func(db *ent.Client) error {
			db.TimeEntry.Delete().Where(entTimeEntry.CorrectsIDNotNil()).ExecX(system)
			db.TimeEntry.Delete().ExecX(system)
			db.TimeWeek.Delete().ExecX(system)
			db.Project.Update().SetTrackedSeconds(0).SetEntryCount(0).SetTimers(0).SetTimersStarted(0).ExecX(system)
			db.Task.Update().SetTrackedSeconds(0).SetEntryCount(0).SetTimers(0).SetTimersStarted(0).ExecX(system)
			db.ClockState.Update().SetTimers(0).ExecX(system)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	// booked saves an hour of budi's.
	booked := func(t *testing.T, s *harness.Server) {
		empty(t, s)
		one := mutation(harness.Bearer("budi"), `createTimeEntry(input: {title: "Raced", startAt: "2026-03-09T08:00:00+07:00", endAt: "2026-03-09T09:00:00+07:00"}) { id }`)(0)
		one.Save = map[string]string{"entry": "/data/createTimeEntry/id"}
		s.Run(t, []apitest.Scenario{one})
	}
	submitted := func(t *testing.T, s *harness.Server) {
		booked(t, s)
		one := mutation(harness.Bearer("budi"), `submitWeek(input: {date: "2026-03-09"}) { id }`)(0)
		one.Save = map[string]string{"week": "/data/submitWeek/id"}
		s.Run(t, []apitest.Scenario{one})
	}
	// sums fails unless the task keeps what its entries are, and the person how many run.
	sums := func(t *testing.T, s *harness.Server, n, running int) {
		t.Helper()
		list, seconds, runs := entries(s).AllX(system), 0, 0
		for _, e := range list {
			seconds += e.Seconds
			if e.Slot != nil {
				runs++
			}
		}
		kept := s.Store.Ent.Task.Query().Where(entTask.Title("Raced")).AllX(system)
		timers := s.Store.Ent.ClockState.Query().Where(clockstate.UserID(budi(s).ID)).OnlyX(system).Timers
		if len(list) != n || runs != running || timers != running || len(kept) != 1 || kept[0].EntryCount != n || kept[0].TrackedSeconds != seconds || kept[0].Timers != running {
			t.Errorf("%d entries of %d s, %d run, the person keeps %d, tasks %v; want %d and %d", len(list), seconds, runs, timers, kept, n, running)
		}
	}
	return []race{
		{"start a timer", empty, 0, ask(`startTimer(input: {title: "Raced"}) { id }`), func(t *testing.T, s *harness.Server, got answers) {
			exactly(map[string]int{"": 20})(t, s, got)
			sums(t, s, 20, 1)
		}},
		{"stop a timer", nil, 0, ask(`stopTimer { alreadyStopped }`), func(t *testing.T, s *harness.Server, got answers) {
			exactly(map[string]int{"": 1, "NO_RUNNING_TIMER": 19})(t, s, got)
			sums(t, s, 20, 0)
		}},
		{"restart a timer", booked, 0, ask(`restartTimer(id: "{{entry}}") { id }`), func(t *testing.T, s *harness.Server, got answers) {
			exactly(map[string]int{"": 20})(t, s, got)
			sums(t, s, 21, 1)
		}},
		{"book time", empty, 0, ask(`createTimeEntry(input: {title: "Raced", startAt: "2026-03-09T08:00:00+07:00", endAt: "2026-03-09T09:00:00+07:00"}) { id }`),
			func(t *testing.T, s *harness.Server, got answers) {
				exactly(map[string]int{"": 20})(t, s, got)
				sums(t, s, 20, 0)
			}},
		{"save an activity", empty, 0, ask(`saveActivity(input: {title: "Raced", startAt: "2026-03-10T09:00:00+07:00"}) { id }`), func(t *testing.T, s *harness.Server, got answers) {
			exactly(map[string]int{"": 20})(t, s, got)
			sums(t, s, 20, 1)
		}},
		{"change an entry", booked, 0, func(i int) apitest.Scenario {
			return ask(fmt.Sprintf(`updateTimeEntry(id: "{{entry}}", input: {endAt: "2026-03-09T09:%02d:00+07:00"}) { id }`, i))(i)
		}, func(t *testing.T, s *harness.Server, got answers) {
			exactly(map[string]int{"": 20})(t, s, got)
			sums(t, s, 1, 0)
		}},
		{"submit a week", booked, 0, ask(`submitWeek(input: {date: "2026-03-09"}) { id }`),
			exactly(map[string]int{"": 1, "CONFLICT": 19}, rows("weeks", 1, func(s *harness.Server) int { return s.Store.Ent.TimeWeek.Query().CountX(system) }))},
		{"decide about a week", submitted, 0, func(i int) apitest.Scenario {
			return distinct(mutation(harness.Bearer("admin"), fmt.Sprintf(`decideWeek(id: "{{week}}", input: {approve: %v}) { id }`, i%2 == 0))(i), i)
		}, exactly(map[string]int{"": 1, "CONFLICT": 19}, rows("decided weeks", 1, func(s *harness.Server) int {
			return s.Store.Ent.TimeWeek.Query().Where(timeweek.DecidedAtNotNil()).CountX(system)
		}))},
		{"correct an entry", submitted, 0, ask(`correctTimeEntry(id: "{{entry}}", input: {seconds: -1800, note: "raced", date: "2026-03-08"}) { id }`),
			exactly(map[string]int{"": 2, "VALIDATION_FAILED": 18}, rows("corrections", 2, func(s *harness.Server) int {
				id, _ := strconv.Atoi(s.Vars["entry"])
				return entries(s).Where(entTimeEntry.CorrectsID(id)).CountX(system)
			}))},
		{"delete an entry", booked, 0, ask(`deleteTimeEntry(id: "{{entry}}") { deleted }`), func(t *testing.T, s *harness.Server, got answers) {
			exactly(map[string]int{"": 1, "NOT_FOUND": 19})(t, s, got)
			sums(t, s, 0, 0)
		}},
	}
}
