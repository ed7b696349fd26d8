package durability

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/employeeshift"
	entJob "workforce/ent/job"
	"workforce/internal/app/approval"
	"workforce/internal/app/audit"
	"workforce/internal/app/correction"
	"workforce/internal/app/job"
	"workforce/internal/app/leave"
	"workforce/internal/app/notify"
	"workforce/internal/app/results"
	"workforce/internal/app/roster"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/tx"
	"workforce/internal/database"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/sealed"
	"workforce/internal/server"
	"workforce/internal/shift"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// The tables that the jobs of days write, with the columns that differ from run to run.
var (
	writtenTables = []string{
		"shift_results", "messages", "audit_events", "corrections", "leaves", "shift_swaps", "attendances", "employee_shifts", "clock_states",
	}
	drawnColumns = map[string][]string{
		"employee_shifts": {"id"}, "shift_results": {"id"}, "audit_events": {"id"}, "messages": {"id", "sealed_text"},
	}
)

// A backlog is what the jobs of days find when they stood still for a week.
type backlog struct {
	*server.Store
	now   time.Time
	kinds []job.Kind
}

func (b *backlog) Now() time.Time { return b.now }

// newBacklog fills a database with the demo, where all jobs ran a week ago. Since then people
// came and went, some forgot to clock out at the end, and requests waited.
func newBacklog(t *testing.T, url string) *backlog {
	t.Helper()
	ctx := viewer.System(t.Context())
	s, err := server.OpenStore(ctx, url, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	b := &backlog{Store: s, now: harness.Morning}
	if err := demo.Fill(ctx, s.Ent, b.now, "hash"); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	notifications := notify.New(sealed.NewSealer("messages", sealed.Key{}))
	notifications.DB, notifications.Now, notifications.Log = s.Ent, b.Now, log
	recorder := &audit.Recorder{DB: s.Ent, Now: b.Now, Log: log}
	plans := &scheduling.Planner{DB: s.Ent, Now: b.Now, Jobs: job.New(), Notify: notifications, Audit: recorder}
	days := &results.Service{DB: s.Ent, Now: b.Now, Log: log, Notify: notifications, Audit: recorder}
	desk := &approval.Desk{Plans: plans}
	corrections := &correction.Service{DB: s.Ent, Now: b.Now, Desk: desk, Audit: recorder, Days: days}
	absences := &leave.Service{Now: b.Now, Desk: desk, Days: days}
	b.kinds = append(days.Kinds(), plans.Kinds()[0], corrections.Expiring(), absences.Expiring(), (&roster.Service{Plans: plans}).Expiring())
	for _, k := range b.kinds {
		b.run(t, k, 0)
	}
	b.wait(t)
	return b
}

// wait lets a week pass.
func (b *backlog) wait(t *testing.T) {
	t.Helper()
	from := b.now
	b.now = b.now.AddDate(0, 0, 8)
	err := tx.With(viewer.System(t.Context()), b.Ent, func(db *ent.Client) error {
		ctx := viewer.System(context.Background())
		db.Correction.Update().SetExpiresAt(from.AddDate(0, 0, 3)).ExecX(ctx)
		db.Leave.Update().SetExpiresAt(from.AddDate(0, 0, 3)).ExecX(ctx)
		site := map[int]int{}
		for _, a := range db.Address.Query().AllX(ctx) {
			site[a.CompanyID] = a.ID
		}
		worked := map[int][]*ent.EmployeeShift{}
		for i, o := range db.EmployeeShift.Query().Where(employeeshift.StartAtGT(from), employeeshift.EndAtLT(b.now)).Order(ent.Asc(employeeshift.FieldStartAt)).AllX(ctx) {
			if i%3 > 0 && !db.Attendance.Query().Where(entAttendance.UserID(o.UserID), entAttendance.OpenMarker(1)).ExistX(ctx) {
				worked[o.UserID] = append(worked[o.UserID], o)
			}
		}
		for user, list := range worked {
			for i, o := range list {
				local, offset := shift.Wall(o.StartAt, shift.ZoneNamed(o.Timezone))
				a := db.Attendance.Create().SetCompanyID(o.CompanyID).SetUserID(user).SetEmployeeShiftID(o.ID).SetAddressID(site[o.CompanyID]).
					SetWorkDate(o.Date).SetClockedInAt(o.StartAt).SetClockedInLocal(local).SetClockedInOffset(offset).SetClockedInZone(o.Timezone).
					SetClockedInReceivedAt(o.StartAt).SetClockedInLatitude(-6).SetClockedInLongitude(106).SetClockedInSource("app").SetClockedInGeofence("inside").SaveX(ctx)
				if i < len(list)-1 || user%2 == 0 {
					a.Update().ClearOpenMarker().SetClockedOutAt(o.EndAt).SetClockedOutReceivedAt(o.EndAt).SetClockedOutSource("app").ExecX(ctx)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// run runs a job once on an instance of its own, which stops at a statement, 0 for never. It
// returns how many statements the job ran.
func (b *backlog) run(t *testing.T, kind job.Kind, stop int) int {
	t.Helper()
	var n atomic.Int32
	r := job.New(job.Kind{Name: kind.Name + " once", Attempts: 1, Run: func(ctx context.Context, r *job.Run) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		err := kind.Run(database.RecordStatements(ctx, func(context.Context, string) {
			if int(n.Add(1)) == stop {
				cancel()
			}
		}), r)
		if stop > 0 && err == nil {
			return errors.New("it was not stopped")
		}
		return err
	}})
	r.DB, r.Now, r.Log = b.Ent, b.Now, slog.New(slog.DiscardHandler)
	ctx := viewer.System(t.Context())
	var id int
	err := tx.Run(ctx, b.Ent, func(ctx context.Context) (err error) {
		id, err = r.Enqueue(ctx, job.Request{Kind: kind.Name + " once"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	running, end := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); r.Run(running) }()
	for b.Ent.Job.Query().Where(entJob.ID(id), entJob.FinishedAtIsNil()).ExistX(ctx) {
		time.Sleep(time.Millisecond)
	}
	end()
	<-done
	if j := b.Ent.Job.GetX(ctx, id); (j.ErrorCode == nil) != (stop == 0) {
		t.Fatalf("%s, stopped at %d: %v", kind.Name, stop, j)
	}
	return int(n.Load())
}

// exec runs statements on one connection, where rows may name others that are gone meanwhile.
func (b *backlog) exec(t *testing.T, statements ...string) {
	t.Helper()
	off, on := "PRAGMA foreign_keys=OFF", "PRAGMA foreign_keys=ON"
	if b.DB.Dialect != "sqlite3" {
		off, on = "SET FOREIGN_KEY_CHECKS=0", "SET FOREIGN_KEY_CHECKS=1"
	}
	c, err := b.DB.Writer.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, text := range slices.Concat([]string{off}, statements, []string{on}) {
		if _, err := c.ExecContext(t.Context(), text); err != nil {
			t.Fatal(text, err)
		}
	}
}

// keep keeps the rows as they are, for restore.
func (b *backlog) keep(t *testing.T) {
	t.Helper()
	var all []string
	for _, table := range writtenTables {
		all = append(all, "CREATE TABLE kept_"+table+" AS SELECT * FROM "+table)
	}
	b.exec(t, all...)
}

// restore brings the rows back that keep kept.
func (b *backlog) restore(t *testing.T) {
	t.Helper()
	all := []string{"BEGIN"}
	for _, table := range writtenTables {
		all = append(all, "DELETE FROM "+table, "INSERT INTO "+table+" SELECT * FROM kept_"+table)
	}
	b.exec(t, append(all, "COMMIT")...)
}

// rows returns the rows of the tables, in order.
func (b *backlog) rows(t *testing.T) (all []string) {
	t.Helper()
	for _, table := range writtenTables {
		found, err := b.DB.Reader.QueryContext(t.Context(), "SELECT * FROM "+table)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, texts(t, table, found)...)
	}
	slices.Sort(all)
	return all
}

// texts returns rows of a table as text, and closes them.
func texts(t *testing.T, table string, found *sql.Rows) (all []string) {
	t.Helper()
	defer found.Close()
	columns, err := found.Columns()
	if err != nil {
		t.Fatal(err)
	}
	values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for found.Next() {
		if err := found.Scan(into...); err != nil {
			t.Fatal(err)
		}
		text := table
		for i, column := range columns {
			if !slices.Contains(drawnColumns[table], column) {
				text += fmt.Sprintf(" %s=%q", column, values[i].String)
			}
		}
		all = append(all, text)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

var stops = flag.Int("stops", 10, "at how many of its statements each job of days is stopped at most")

// TestCatchUp runs each job of days after it stood still for a week, stops it at statements
// of it, and runs it again: the rows are those of a run that nothing stopped.
func TestCatchUp(t *testing.T) {
	t.Parallel() // the database is its own
	testdb.Each(t, func(t *testing.T, url string) {
		b := newBacklog(t, url)
		b.keep(t)
		before := b.rows(t)
		for _, kind := range b.kinds {
			t.Run(kind.Name, func(t *testing.T) {
				b.restore(t)
				statements := b.run(t, kind, 0)
				want := b.rows(t)
				if slices.Equal(want, before) && kind.Name != "shift_swaps" { // the demo has none
					t.Fatal("there was nothing to do")
				}
				for stop := 1; stop < statements; stop += max(1, statements / *stops) {
					b.restore(t)
					b.run(t, kind, stop)
					b.run(t, kind, 0)
					if got := b.rows(t); !slices.Equal(got, want) {
						t.Fatalf("stopped at statement %d of %d: %s", stop, statements, difference(got, want))
					}
				}
				b.run(t, kind, 0)
				if got := b.rows(t); !slices.Equal(got, want) {
					t.Errorf("once more: %s", difference(got, want))
				}
				t.Logf("%d statements", statements)
			})
		}
	})
}

// difference returns the lines that one of two lists alone has.
func difference(got, want []string) string {
	var out strings.Builder
	for _, of := range []struct {
		sign        string
		list, other []string
	}{{"+", got, want}, {"-", want, got}} {
		for _, line := range of.list {
			if out.Len() > 4000 {
				break
			}
			if !slices.Contains(of.other, line) {
				fmt.Fprintf(&out, "\n%s%s", of.sign, line)
			}
		}
	}
	return fmt.Sprintf("%d rows, want %d%s", len(got), len(want), out.String())
}
