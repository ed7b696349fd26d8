package durability

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/employeeshift"
	entJob "workforce/ent/job"
	"workforce/ent/leavetype"
	entMessage "workforce/ent/message"
	entReport "workforce/ent/report"
	"workforce/ent/reportschedule"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/input"
	"workforce/internal/app/job"
	"workforce/internal/app/peopleimport"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/secretkey"
	"workforce/internal/app/tx"
	"workforce/internal/message"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/shift"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// A workplace is a server whose jobs the test runs one by one.
type workplace struct {
	*server.Server
	clock       *harness.Clock
	admin, budi *ent.User
	refused     atomic.Bool // the next change of a job fails
}

// newWorkplace returns a server with the demo on Tuesday morning, which runs no jobs.
func newWorkplace(t *testing.T, url string) *workplace {
	t.Helper()
	w := &workplace{clock: &harness.Clock{}}
	w.clock.Set(harness.Morning)
	srv, err := server.New(t.Context(), server.Config{
		Now: w.clock.Now, PasswordWork: apptest.PasswordWork, Addr: "127.0.0.1:0", PublicURL: "http://wf.test",
		Database: url, Migrate: true, SecretKeyFile: harness.KeyFile(t, url), Files: "file:" + t.TempDir(),
		Country: "ID", Demo: true, Clock: &harness.Morning,
	}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Store.Close() })
	w.Server = srv
	harness.BoundTransactions(t, srv.Store.Ent)
	srv.Store.Ent.Job.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if w.refused.CompareAndSwap(true, false) {
				return nil, errEnded
			}
			return next.Mutate(ctx, m)
		})
	})
	ctx := viewer.System(t.Context())
	w.admin = srv.Store.Ent.User.Query().Where(user.Email("admin@demo.test")).OnlyX(ctx)
	w.budi = srv.Store.Ent.User.Query().Where(user.Email("budi@demo.test")).OnlyX(ctx)
	return w
}

// as runs a step in a transaction, in the name of somebody; of the system for nil.
func (w *workplace) as(t *testing.T, u *ent.User, step func(ctx context.Context, db *ent.Client) error) {
	t.Helper()
	db := w.Store.Ent
	ctx := ent.NewContext(t.Context(), db)
	if u == nil {
		ctx = viewer.System(ctx)
	} else {
		me, err := credential.Holder(ctx, u.ID, w.clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		ctx = viewer.NewContext(ctx, me)
	}
	err := tx.Run(ctx, db, func(ctx context.Context) error { return step(ctx, ent.FromContext(ctx)) })
	if err != nil {
		t.Fatal(err)
	}
}

// enqueue has a job wait.
func (w *workplace) enqueue(t *testing.T, kind string, payload any) {
	t.Helper()
	w.as(t, nil, func(ctx context.Context, _ *ent.Client) error {
		_, err := w.Services.Jobs.Enqueue(ctx, job.Request{Kind: kind, Company: w.admin.CompanyID, Payload: payload})
		return err
	})
}

// rotateKey has rows to be sealed anew under another secret key.
func rotateKey(t *testing.T, w *workplace) {
	secret := w.Services.Secret
	if _, err := secretkey.Rotate(t.Context(), w.Store.Ent, secret.File); err != nil {
		t.Fatal(err)
	}
	for range 2 { // which turns to the next key, and asks for the job
		if err := secret.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// A task is what jobs of a kind find to do in the test, and how many messages they queue.
type task struct {
	prepare func(t *testing.T, w *workplace) // may be nil
	notices int                              // -1 for any number but none
}

// tasks are those of all kinds of jobs, once a week has passed.
func tasks() map[string]task {
	return map[string]task{
		"cleaning":              {},
		"corrections":           {prepare: expireRequests},
		"erasure":               {prepare: erase},
		"files":                 {prepare: leaveFile},
		"forgotten_attendances": {prepare: forgetClockOut, notices: -1},
		"invitations":           {prepare: invite, notices: 2},
		"leaves":                {prepare: expireRequests},
		"make_occurrences":      {prepare: func(t *testing.T, w *workplace) { w.enqueue(t, "make_occurrences", nil) }},
		"occurrences":           {prepare: unplan},
		"person_export":         {prepare: exportOwnData},
		"recharge_leaves":       {prepare: holidayDuringLeave, notices: -1},
		"recurring_tasks":       {prepare: recur},
		"report":                {prepare: askReport},
		"secret_key":            {prepare: rotateKey},
		"report_schedules":      {prepare: scheduleReport},
		"report_watch":          {prepare: orphanReport},
		"shift_results":         {},
		"shift_swaps":           {prepare: askSwap},
		"tell_shifts":           {prepare: tell, notices: 2},
		"tickets":               {prepare: lateTicket, notices: -1},
		"timers":                {prepare: longTimer, notices: 1},
		"user_import":           {prepare: importUsers},
	}
}

func expireRequests(t *testing.T, w *workplace) {
	w.as(t, nil, func(ctx context.Context, db *ent.Client) error {
		past := w.clock.Now().Add(-time.Hour)
		err := db.Correction.Update().SetExpiresAt(past).Exec(ctx)
		return errors.Join(err, db.Leave.Update().SetExpiresAt(past).Exec(ctx))
	})
}

// holidayDuringLeave makes a holiday of a date that somebody has leave on.
func holidayDuringLeave(t *testing.T, w *workplace) {
	tuesday := shift.DateOf(w.clock.Now().AddDate(0, 0, 28), time.UTC)
	leave := 0
	w.as(t, w.budi, func(ctx context.Context, db *ent.Client) (err error) {
		kind := db.LeaveType.Query().Order(ent.Asc(leavetype.FieldID)).FirstX(ctx)
		leave, err = w.Services.Leaves.Request(ctx, model.RequestLeaveInput{
			TypeID: kind.ID, StartsOn: string(tuesday), EndsOn: string(tuesday.AddDays(2)), Reason: "away",
		})
		return err
	})
	w.as(t, w.admin, func(ctx context.Context, _ *ent.Client) error {
		return w.Services.Leaves.Decide(ctx, leave, model.DecideInput{Approve: true})
	})
	w.as(t, w.admin, func(ctx context.Context, _ *ent.Client) error {
		_, err := w.Services.Organization.CreateHoliday(ctx, model.CreateHolidayInput{Name: "Off", Date: string(tuesday.AddDays(1))})
		return err
	})
	w.tellNobody(t) // of the request
}

// tellNobody drops the jobs that tell people of changes, as those of another task.
func (w *workplace) tellNobody(t *testing.T) {
	w.as(t, nil, func(ctx context.Context, db *ent.Client) error {
		_, err := db.Job.Delete().Where(entJob.Kind("tell_shifts"), entJob.StateEQ(entJob.StateQueued)).Exec(ctx)
		return err
	})
}

func erase(t *testing.T, w *workplace) {
	ctx := viewer.System(t.Context())
	agus := w.Store.Ent.User.Query().Where(user.Email("agus@demo.test")).OnlyX(ctx)
	w.as(t, w.admin, func(ctx context.Context, _ *ent.Client) error { return w.Services.Privacy.EraseUser(ctx, agus.ID) })
}

func leaveFile(t *testing.T, w *workplace) {
	left := strings.NewReader("left\n")
	if _, err := w.Services.Files.PutFile(t.Context(), w.admin.CompanyID, "text/csv", left); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(2 * time.Hour)
}

// forgetClockOut leaves people clocked in for a week.
func forgetClockOut(t *testing.T, w *workplace) {
	w.as(t, nil, func(ctx context.Context, db *ent.Client) error {
		yesterday := w.clock.Now().Add(-24 * time.Hour)
		list := db.EmployeeShift.Query().
			Where(employeeshift.StartAtLT(yesterday), employeeshift.CompanyID(w.admin.CompanyID)).
			Order(ent.Desc(employeeshift.FieldStartAt)).WithUser().AllX(ctx)
		seen := map[int]bool{}
		for _, o := range list {
			open := db.Attendance.Query().Where(entAttendance.UserID(o.UserID), entAttendance.OpenMarker(1))
			if seen[o.UserID] || len(seen) == 3 || open.ExistX(ctx) {
				continue
			}
			seen[o.UserID] = true
			site, local := db.Address.Query().FirstIDX(ctx), o.StartAt.Format("2006-01-02T15:04:05")
			db.Attendance.Create().SetCompanyID(o.CompanyID).SetUserID(o.UserID).SetEmployeeShiftID(o.ID).SetAddressID(site).
				SetWorkDate(o.Date).SetClockedInAt(o.StartAt).SetClockedInLocal(local).SetClockedInOffset(0).
				SetClockedInZone(o.Timezone).SetClockedInReceivedAt(o.StartAt).SetClockedInLatitude(-6).SetClockedInLongitude(106).
				SetClockedInSource("app").SetClockedInGeofence("inside").ExecX(ctx)
		}
		return nil
	})
}

func invite(t *testing.T, w *workplace) {
	ctx := viewer.System(t.Context())
	ids := w.Store.Ent.User.Query().Where(user.EmailIn("maya@demo.test", "ayu@demo.test")).IDsX(ctx)
	w.as(t, nil, func(ctx context.Context, db *ent.Client) error {
		return db.User.Update().Where(user.IDIn(ids...)).ClearPasswordHash().Exec(ctx)
	})
	w.enqueue(t, "invitations", map[string]any{"Users": ids})
}

func unplan(t *testing.T, w *workplace) {
	w.as(t, nil, func(ctx context.Context, db *ent.Client) error {
		future := employeeshift.And(employeeshift.StartAtGT(w.clock.Now()), employeeshift.UserID(w.budi.ID))
		if _, err := db.EmployeeShift.Delete().Where(future).Exec(ctx); err != nil {
			return err
		}
		return db.ClockState.Update().ClearPlannedUntil().Exec(ctx)
	})
}

func exportOwnData(t *testing.T, w *workplace) {
	w.as(t, w.budi, func(ctx context.Context, _ *ent.Client) error { _, err := w.Services.Privacy.Ask(ctx); return err })
}

func recur(t *testing.T, w *workplace) {
	w.as(t, w.budi, func(ctx context.Context, _ *ent.Client) error {
		daily := model.SaveTaskInput{Title: "Every day", Recurrence: input.Given(new("FREQ=DAILY"))}
		_, err := w.Services.Tasks.Save(ctx, daily)
		return err
	})
	w.clock.Advance(24 * time.Hour)
}

func askReport(t *testing.T, w *workplace) {
	w.as(t, w.budi, func(ctx context.Context, _ *ent.Client) error {
		_, err := w.Services.Reports.Generate(ctx, model.GenerateReportInput{
			Kind: input.Given(new(entReport.KindAttendance)), Format: input.Given(new(entReport.FormatCsv)),
		})
		return err
	})
}

func scheduleReport(t *testing.T, w *workplace) {
	w.as(t, w.budi, func(ctx context.Context, _ *ent.Client) error {
		_, err := w.Services.Reports.CreateSchedule(ctx, model.CreateReportScheduleInput{
			Kind: entReport.KindAttendance, Format: input.Given(new(entReport.FormatCsv)), Every: reportschedule.EveryWeek,
		})
		return err
	})
	w.clock.Advance(7 * 24 * time.Hour)
}

// orphanReport leaves a report whose job is gone.
func orphanReport(t *testing.T, w *workplace) {
	askReport(t, w)
	w.as(t, nil, func(ctx context.Context, db *ent.Client) error {
		_, err := db.Job.Delete().Where(entJob.Kind("report")).Exec(ctx)
		return err
	})
}

func askSwap(t *testing.T, w *workplace) {
	w.as(t, nil, func(ctx context.Context, db *ent.Client) error {
		o := db.EmployeeShift.Query().Where(employeeshift.UserID(w.budi.ID)).FirstX(ctx)
		return db.ShiftSwap.Create().SetCompanyID(w.budi.CompanyID).SetUserID(w.budi.ID).
			SetDate(o.Date).SetShiftID(o.ShiftID).SetWantedDate(o.Date).SetWantedShiftID(o.ShiftID).SetCreatedAt(w.clock.Now()).SetExpiresAt(w.clock.Now()).Exec(ctx)
	})
}

func tell(t *testing.T, w *workplace) {
	w.tellNobody(t)
	w.as(t, w.admin, func(ctx context.Context, _ *ent.Client) error {
		plans := &scheduling.Planner{Jobs: w.Services.Jobs}
		return plans.Tell(ctx, message.ShiftsChanged, scheduling.Notice{Date: "2026-03-12"}, w.budi.ID, w.admin.ID)
	})
}

func lateTicket(t *testing.T, w *workplace) {
	w.as(t, w.budi, func(ctx context.Context, _ *ent.Client) error {
		_, err := w.Services.Tickets.Save(ctx, model.SaveTicketInput{Subject: "Printer"})
		return err
	})
	w.clock.Advance(14 * 24 * time.Hour)
}

func longTimer(t *testing.T, w *workplace) {
	w.as(t, nil, func(ctx context.Context, db *ent.Client) error { // those of the demo end
		return db.TimeEntry.Update().SetLongAt(w.clock.Now()).Exec(ctx)
	})
	w.as(t, w.budi, func(ctx context.Context, _ *ent.Client) error {
		_, err := w.Services.Entries.Start(ctx, model.StartTimerInput{Title: input.Given(new("Long"))})
		return err
	})
	w.clock.Advance(24 * time.Hour)
}

func importUsers(t *testing.T, w *workplace) {
	var table strings.Builder
	table.WriteString("name,email\n")
	for i := range 300 {
		fmt.Fprintf(&table, "Person %d,p%d@ended.test\n", i, i)
	}
	me, err := credential.Holder(ent.NewContext(t.Context(), w.Store.Ent), w.admin.ID, w.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	ctx, deferred := tx.WithDeferred(viewer.NewContext(t.Context(), me))
	ask := func(ctx context.Context) error {
		_, queued, err := w.Services.Transfers.ImportUpload(ctx, peopleimport.Upload{
			Field: "file", File: strings.NewReader(table.String()), Invite: true,
		})
		if err == nil && queued == nil {
			err = errors.New("no job imports them")
		}
		return err
	}
	err = tx.Run(ctx, w.Store.Ent, ask)
	if deferred.Run(ent.NewContext(ctx, w.Store.Ent)) { // the table is stored outside of the transaction
		err = tx.Run(ctx, w.Store.Ent, ask)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// counters are columns that a transaction counts up to lock a row or to invalidate caches.
var counters = regexp.MustCompile(`^(clock_states .*)events="\d+"|^(directory_versions .*)version="\d+"`)

// rows returns the rows of all tables as text, but for counters; of jobs what they are to do.
func (w *workplace) rows(t *testing.T, besides int) (all []string) {
	t.Helper()
	query := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
	if w.Store.DB.Dialect == "mysql" {
		query = "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
	}
	found, err := w.Store.DB.Reader.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	var tables []string
	for found.Next() {
		var name string
		if err := found.Scan(&name); err != nil {
			t.Fatal(err)
		}
		tables = append(tables, name)
	}
	if err := errors.Join(found.Err(), found.Close()); err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		if table == "jobs" {
			continue
		}
		found, err := w.Store.DB.Reader.QueryContext(t.Context(), "SELECT * FROM `"+table+"`")
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range texts(t, table, found) {
			all = append(all, counters.ReplaceAllString(line, "$1$2"))
		}
	}
	for _, j := range w.Store.Ent.Job.Query().Where(entJob.IDNEQ(besides)).AllX(viewer.System(t.Context())) {
		all = append(all, fmt.Sprintln("jobs", j.Kind, j.CompanyID, j.State))
	}
	slices.Sort(all)
	return all
}

// A fault is how a run of a job ends once its work is committed, and before its end is recorded.
type fault func(ctx context.Context, w *workplace, r *job.Run) error

var errEnded = errors.New("ended")

// faults are an error, a panic, and the death of the instance, whose lease ends.
var faults = []fault{
	func(context.Context, *workplace, *job.Run) error { return errEnded },
	func(context.Context, *workplace, *job.Run) error { panic(errEnded) },
	func(ctx context.Context, w *workplace, r *job.Run) error {
		return w.Store.Ent.Job.Update().Where(entJob.ID(r.ID), entJob.StateEQ(entJob.StateRunning)).
			SetLeaseOwner("dead").SetLeaseUntil(time.Unix(0, 0)).Exec(viewer.System(context.WithoutCancel(ctx)))
	},
}

// fails runs a job whose first commit fails, as all that follows: the instance dies.
func (w *workplace) fails(t *testing.T, k job.Kind, id int) {
	t.Helper()
	run := k.Run
	k.Run = func(ctx context.Context, r *job.Run) error {
		w.refused.Store(true)
		return errors.Join(run(ctx, r), faults[2](ctx, w, r), errEnded)
	}
	w.run(t, k, id)
	w.refused.Store(false)
}

// once runs a job, which ends as a fault says; nil for none. It returns the job as it is
// afterwards.
func (w *workplace) once(t *testing.T, k job.Kind, id int, end fault) *ent.Job {
	t.Helper()
	run := k.Run
	var failed error
	k.Run = func(ctx context.Context, r *job.Run) error {
		if failed = run(ctx, r); failed != nil || end == nil {
			return failed
		}
		return end(ctx, w, r)
	}
	w.run(t, k, id)
	if failed != nil {
		t.Fatalf("%s: %v", k.Name, failed)
	}
	return w.Store.Ent.Job.GetX(viewer.System(t.Context()), id)
}

// run runs a job once on an instance of its own.
func (w *workplace) run(t *testing.T, k job.Kind, id int) {
	t.Helper()
	ctx, run := viewer.System(t.Context()), k.Run
	ran, began := make(chan struct{}), false // guarded by the job, which runs once at a time
	k.Attempts = 20
	k.Run = func(ctx context.Context, r *job.Run) error {
		if began { // the instance has taken it again
			return errEnded
		}
		began = true
		defer close(ran)
		return run(ctx, r)
	}
	w.as(t, nil, func(ctx context.Context, db *ent.Client) error { // it is due
		now := w.clock.Now()
		return db.Job.Update().Where(entJob.ID(id), entJob.StateEQ(entJob.StateQueued)).SetRunAt(now).SetDueAt(now).Exec(ctx)
	})
	r := job.New(k)
	r.DB, r.Now, r.Log = w.Store.Ent, w.clock.Now, slog.New(slog.DiscardHandler)
	running, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); r.Run(running) }()
	<-ran
	runs := entJob.And(entJob.ID(id), entJob.StateEQ(entJob.StateRunning), entJob.LeaseOwnerNEQ("dead"))
	for w.Store.Ent.Job.Query().Where(runs).ExistX(ctx) {
		time.Sleep(time.Millisecond)
	}
	stop()
	<-done
}

// jobOf returns the job of a kind that waits; of a periodic one it is written as the first
// instance does.
func (w *workplace) jobOf(t *testing.T, k job.Kind) int {
	t.Helper()
	if k.Every > 0 {
		now := w.clock.Now()
		w.as(t, nil, func(ctx context.Context, db *ent.Client) error {
			return db.Job.Create().SetKind(k.Name).SetName(k.Name).SetDueAt(now).SetRunAt(now).SetCreatedAt(now).Exec(ctx)
		})
	}
	waiting := w.Store.Ent.Job.Query().Where(entJob.Kind(k.Name), entJob.StateEQ(entJob.StateQueued))
	return waiting.Order(ent.Asc(entJob.FieldID)).FirstIDX(viewer.System(t.Context()))
}

// TestEndedJobs ends a job of each kind in its first transaction, and then between the commit of its
// work and the record of its end, again and again: what was to be done is done, and what the first
// whole run wrote stays as it is.
func TestEndedJobs(t *testing.T) {
	t.Parallel() // the database is its own
	testdb.Each(t, func(t *testing.T, url string) {
		w, ctx := newWorkplace(t, url), viewer.System(t.Context())
		all := tasks()
		w.clock.Advance(7 * 24 * time.Hour)
		for _, k := range w.Services.Jobs.Kinds() {
			of, known := all[k.Name]
			if !known {
				t.Errorf("no task for jobs of kind %s", k.Name)
				continue
			}
			t.Run(k.Name, func(t *testing.T) {
				if of.prepare != nil {
					of.prepare(t, w)
				}
				id := w.jobOf(t, k)
				before, messages := w.rows(t, id), w.Store.Ent.Message.Query().CountX(ctx)
				w.fails(t, k, id)
				var want []string
				for n, end := range append(slices.Clone(faults), nil) {
					j := w.once(t, k, id, end)
					got := w.rows(t, id)
					if want == nil {
						want = got
					}
					if !slices.Equal(got, want) {
						t.Fatalf("after run %d: %s", n+1, difference(got, want))
					}
					if j.FinishedAt != nil {
						break
					}
				}
				if slices.Equal(want, before) {
					t.Error("there was nothing to do")
				}
				told := w.Store.Ent.Message.Query().Where(entMessage.CreatedAt(w.clock.Now())).CountX(ctx)
				if n := w.Store.Ent.Message.Query().CountX(ctx) - messages; n != of.notices && (of.notices >= 0 || told == 0) {
					t.Errorf("%d messages, want %d", n, of.notices)
				}
				if j := w.Store.Ent.Job.GetX(ctx, id); k.Every == 0 && j.State != entJob.StateDone || j.ErrorCode != nil {
					t.Errorf("at last: %v", j)
				}
			})
		}
	})
}
