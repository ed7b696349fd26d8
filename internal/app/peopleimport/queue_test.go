package peopleimport

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/auditevent"
	entFile "workforce/ent/file"
	entJob "workforce/ent/job"
	"workforce/ent/user"
	"workforce/ent/userimport"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/job"
	"workforce/internal/app/tx"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// queue uploads a table for which a job is to be queued.
func (f *fixture) queue(t testing.TB, ctx context.Context, in Upload) *Job {
	t.Helper()
	j, err := f.tryQueue(ctx, in)
	if err != nil || j == nil {
		t.Fatalf("%v, %v; want a job", j, err)
	}
	return j
}

func (f *fixture) tryQueue(ctx context.Context, in Upload) (j *Job, err error) {
	ctx, deferred := tx.WithDeferred(ctx)
	for again := true; again; again = deferred.Run(ctx) {
		err = tx.Run(ctx, f.DB, func(ctx context.Context) (err error) {
			_, j, err = f.service.ImportUpload(ctx, in)
			return err
		})
	}
	return j, err
}

// find returns an import.
func (f *fixture) find(t testing.TB, ctx context.Context, id int) *Job {
	t.Helper()
	j, err := f.service.Find(ctx, id)
	if err != nil || j == nil {
		t.Fatalf("%v, %v; want import %d", j, err, id)
	}
	return j
}

// work runs jobs until something is the case.
func (f *fixture) work(t testing.TB, done func() bool) {
	t.Helper()
	ctx, stop := context.WithTimeout(f.System(), time.Minute)
	defer stop()
	ended := make(chan struct{})
	go func() { defer close(ended); f.service.Jobs.Run(ctx) }()
	for !done() && ctx.Err() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	<-ended
	if !done() {
		t.Fatal("the jobs do not end")
	}
}

// workOff runs jobs until an import has ended, and returns it.
func (f *fixture) workOff(t testing.TB, ctx context.Context, id int) *Job {
	t.Helper()
	f.work(t, func() bool {
		f.Advance(100 * time.Millisecond) // until another try is due
		row := f.DB.UserImport.GetX(f.System(), id)
		return row.Outcome != nil && f.DB.Job.Query().Where(entJob.ID(*row.JobID), entJob.FinishedAtNotNil()).ExistX(f.System())
	})
	return f.find(t, ctx, id)
}

// tables returns how many tables are stored.
func (f *fixture) tables() int {
	return f.DB.File.Query().Where(sql.FieldHasPrefix(entFile.FieldMediaType, "text/")).CountX(f.System())
}

// imported returns how many people many made.
func (f *fixture) imported() int {
	return f.DB.User.Query().Where(sql.FieldHasSuffix(user.FieldEmailKey, "@many.test")).CountX(f.System())
}

func upload(text string, change ...func(*Upload)) Upload {
	in := Upload{Field: "file", File: strings.NewReader(text)}
	for _, c := range change {
		c(&in)
	}
	return in
}

func dryUpload(in *Upload)     { in.DryRun = true }
func partialUpload(in *Upload) { in.Partial = true }

// summary returns what an import did.
func (j *Job) summary() string {
	text := fmt.Sprint(j.Status, " ", j.Progress, "% ", j.Created, " ", j.Updated, " ", j.Total)
	for _, f := range j.Faults[:min(3, len(j.Faults))] {
		text += fmt.Sprintf(" [%d %s %s %s]", f.Row, f.Column, f.Code, f.Reason)
	}
	return text
}

// TestQueued imports by a job: whole, in part, again, and dry.
func TestQueued(t *testing.T) {
	f := newFixture(t)
	admin := f.As(f.User(t, "ben", viewer.Admin), viewer.Admin)
	f.User(t, "ann", viewer.Owner)
	good := many(1200, "Person", "Jakarta", "Cook")
	bad := good + "Nobody,,,,,,,,,,\nAnna,ann@acme.test,,,,,,,,,\n"
	for _, tt := range []struct {
		name   string
		in     Upload
		want   string
		people int
	}{
		{"a dry run", upload(good, dryUpload), "done 100% 1200 0 0", 0},
		{"a dry run with faults", upload(bad, dryUpload), "done 100% 1200 0 2 [1202 email VALIDATION_FAILED required] [1203  FORBIDDEN ]", 0},
		{"faults", upload(bad), "done 100% 0 0 2 [1202 email VALIDATION_FAILED required] [1203  FORBIDDEN ]", 0},
		{"many faults", upload("email,gender\n" + strings.Repeat("x,x\n", 1000)), "done 100% 0 0 3000 [2 email VALIDATION_FAILED bad_format] [2 gender VALIDATION_FAILED not_one_of] [2 name VALIDATION_FAILED required]", 0},
		{"in part", upload(bad, partialUpload), "done 100% 1200 0 2 [1202 email VALIDATION_FAILED required] [1203  FORBIDDEN ]", 1200},
		{"again", upload(good), "done 100% 0 0 0", 1200},
		{"others", upload(many(1300, "Human", "Bandung", "Driver")), "done 100% 100 1200 0", 1300},
	} {
		j := f.queue(t, admin, tt.in)
		if j.Status != model.ImportStatusQueued || j.Outcome != nil || f.tables() != 1 {
			t.Errorf("%s: %s, %d tables", tt.name, j.summary(), f.tables())
		}
		if got := f.workOff(t, admin, j.ID).summary(); got != tt.want || f.imported() != tt.people || f.tables() != 0 {
			t.Errorf("%s: %s with %d people and %d tables, want %s with %d", tt.name, got, f.imported(), f.tables(), tt.want, tt.people)
		}
	}
	ben := f.DB.User.Query().Where(user.Name("ben")).OnlyIDX(f.System())
	for action, want := range map[string]int{"user.created": 1300, "user.updated": 1200, "user_role.created": 1300, "user_designation.created": 2500, "user_designation.deleted": 1200, "users.imported": 4} {
		if n := f.DB.AuditEvent.Query().Where(auditevent.Action(action), auditevent.ActorID(ben)).CountX(f.System()); n != want {
			t.Errorf("%d events %s of the admin, want %d", n, action, want)
		}
	}
}

// TestQueuedAtOnce has 20 requests import one table: one job does.
func TestQueuedAtOnce(t *testing.T) {
	f := newFixture(t)
	ben := f.User(t, "ben", viewer.Admin)
	f.User(t, "ann", viewer.Owner)
	text := many(300, "Person", "", "")
	ids := make([]int, 20)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			j, err := f.tryQueue(f.As(ben, viewer.Admin), upload(text))
			for errs.Is(err, errs.Unavailable) { // tables are read one at a time
				j, err = f.tryQueue(f.As(ben, viewer.Admin), upload(text))
			}
			if err != nil {
				t.Error(err)
				return
			}
			ids[i] = j.ID
		})
	}
	wg.Wait()
	if ids = slices.Compact(ids); len(ids) != 1 {
		t.Fatalf("imports %v", ids)
	}
	// two that differ, and those of another caller, are imports of their own
	other := f.queue(t, f.As(ben, viewer.Admin), upload(text, partialUpload))
	anna := f.queue(t, f.As(f.User(t, "eve", viewer.Admin), viewer.Admin), upload(text))
	admin := f.As(ben, viewer.Admin)
	for _, id := range []int{ids[0], other.ID, anna.ID} {
		if j := f.workOff(t, admin, id); j.Status != model.ImportStatusDone {
			t.Errorf("%d: %s", id, j.summary())
		}
	}
	if f.imported() != 300 || f.tables() != 0 {
		t.Errorf("%d people, %d tables", f.imported(), f.tables())
	}
}

// TestErasedBeforeUse has a table erased after it was stored, and before its import is
// queued, as at the end of an equal one: it is stored again.
func TestErasedBeforeUse(t *testing.T) {
	f := newFixture(t)
	admin := f.As(f.User(t, "ben", viewer.Admin), viewer.Admin)
	ctx, deferred := tx.WithDeferred(admin)
	var j *Job
	var err error
	in, runs := upload(many(300, "Person", "", "")), 0
	for again := true; again; again = deferred.Run(ctx) {
		if runs++; runs == 2 {
			f.Advance(2 * time.Hour)
			if err := f.service.Files.Sweep(f.System()); err != nil || f.tables() != 0 {
				t.Fatalf("%d tables, %v", f.tables(), err)
			}
		}
		err = tx.Run(ctx, f.DB, func(ctx context.Context) (err error) {
			_, j, err = f.service.ImportUpload(ctx, in)
			return err
		})
	}
	if err != nil || j == nil || runs != 3 {
		t.Fatalf("%v, %v in %d runs", j, err, runs)
	}
	if done := f.workOff(t, admin, j.ID); done.summary() != "done 100% 300 0 0" {
		t.Error(done.summary())
	}
}

// TestQueueBound refuses the 21st import that waits.
func TestQueueBound(t *testing.T) {
	f := newFixture(t)
	admin := f.As(f.User(t, "ben", viewer.Admin), viewer.Admin)
	for i := range maxQueued {
		f.queue(t, admin, upload(many(251, fmt.Sprint(i), "", "")))
	}
	if _, err := f.tryQueue(admin, upload(many(251, "More", "", ""))); apptest.Code(err) != "RATE_LIMITED" {
		t.Errorf("one more: %v", err)
	}
	if n := f.DB.Job.Query().CountX(f.System()); n != maxQueued {
		t.Errorf("%d jobs", n)
	}
}

// TestKilled has the instance die in each block of an import, which another one resumes:
// nobody is doubled, and what was written counts once.
func TestKilled(t *testing.T) {
	for _, tt := range []struct {
		name    string
		change  []func(*Upload)
		block   int // before the commit of which it dies
		written int // people who are there then
	}{
		{"all or nobody", nil, 1, 0}, {"the first block", []func(*Upload){partialUpload}, 1, 0},
		{"the second block", []func(*Upload){partialUpload}, 2, 500}, {"the last block", []func(*Upload){partialUpload}, 3, 999},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			admin := f.As(f.User(t, "ben", viewer.Admin), viewer.Admin)
			died, blocks, written := errors.New("died"), 0, -1
			f.DB.UserImport.Use(func(next ent.Mutator) ent.Mutator {
				return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
					if _, ok := m.Field(userimport.FieldCreated); ok && m.Op().Is(ent.OpUpdate) {
						if blocks++; blocks == tt.block {
							return nil, died
						}
						if blocks == tt.block+1 {
							written = f.imported()
						}
					}
					return next.Mutate(ctx, m)
				})
			})
			text := many(600, "Person", "", "Cook") + "Nobody,,,,,,,,,,\n" + strings.Join(strings.SplitAfter(many(1200, "Person", "", "Cook"), "\n")[601:], "")
			want := "done 100% 1200 0 1 [602 email VALIDATION_FAILED required]"
			if tt.change == nil {
				text, want = many(1200, "Person", "", "Cook"), "done 100% 1200 0 0"
			}
			j := f.queue(t, admin, upload(text, tt.change...))
			if got := f.workOff(t, admin, j.ID).summary(); got != want || f.imported() != 1200 || f.tables() != 0 {
				t.Errorf("%s, %d people, %d tables; want %s", got, f.imported(), f.tables(), want)
			}
			if n := f.DB.Job.Query().Where(entJob.Attempts(2)).CountX(f.System()); n != 1 || written != tt.written {
				t.Errorf("%d jobs were tried twice; %d people were there, want %d", n, written, tt.written)
			}
		})
	}
}

// TestCancel ends imports that wait, and one between two blocks.
func TestCancel(t *testing.T) {
	f := newFixture(t)
	ben := f.User(t, "ben", viewer.Admin)
	admin := f.As(ben, viewer.Admin)
	cancel := func(ctx context.Context, id int) (j *Job, err error) {
		err = tx.Run(ctx, f.DB, func(ctx context.Context) error { j, err = f.service.Cancel(ctx, id); return err })
		return j, err
	}
	waits := f.queue(t, admin, upload(many(1200, "Person", "", "")))
	stranger := viewer.NewContext(ent.NewContext(context.Background(), f.DB), &viewer.Viewer{UserID: 99, CompanyID: 99, Permissions: viewer.Permissions(viewer.Owner)})
	for name, tt := range map[string]struct {
		ctx  context.Context
		id   int
		want string
	}{
		"another company's": {stranger, waits.ID, "NOT_FOUND"}, "none": {admin, 99, "NOT_FOUND"},
		"an employee": {f.As(ben, viewer.Employee), waits.ID, "FORBIDDEN"}, "nobody": {f.System(), waits.ID, "UNAUTHENTICATED"},
	} {
		if _, err := cancel(tt.ctx, tt.id); apptest.Code(err) != tt.want {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
	if j, err := f.service.Find(stranger, waits.ID); !errs.Is(err, errs.NotFound) {
		t.Errorf("another company sees %v, %v", j, err)
	}
	if j, err := f.service.Find(f.As(ben, viewer.Manager), waits.ID); !errs.Is(err, errs.NotFound) {
		t.Errorf("a manager sees %v, %v", j, err)
	}
	if j, err := cancel(admin, waits.ID); err != nil || j.summary() != "cancelled 0% 0 0 0" || f.tables() != 0 || j.FinishedAt == nil {
		t.Errorf("%v, %v, %d tables", j, err, f.tables())
	}
	if _, err := cancel(admin, waits.ID); apptest.Conflict(err) != "ENDED" {
		t.Errorf("again: %v", err)
	}
	var runs *Job
	once := sync.OnceFunc(func() {
		if _, err := cancel(admin, runs.ID); err != nil {
			t.Error(err)
		}
	})
	f.DB.Job.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if n, ok := m.Field(entJob.FieldProgress); ok && n.(int) > 1200 { // the first block is written
				once()
			}
			return next.Mutate(ctx, m)
		})
	})
	runs = f.queue(t, admin, upload(many(1200, "Person", "", ""), partialUpload))
	f.work(t, func() bool {
		return f.DB.Job.Query().Where(entJob.ID(*runs.JobID), entJob.FinishedAtNotNil()).ExistX(f.System())
	})
	if j := f.find(t, admin, runs.ID); j.summary() != "cancelled 0% 500 0 0" || f.imported() != 500 || f.tables() != 0 {
		t.Errorf("%s, %d people, %d tables; want the first block", j.summary(), f.imported(), f.tables())
	}
}

// TestFailed shows imports that fail as a whole, and ends those whose job is gone.
func TestFailed(t *testing.T) {
	f := newFixture(t)
	ann := f.User(t, "ann", viewer.Owner)
	owner := f.As(ann, viewer.Owner)
	text := many(300, "Person", "", "")
	leaves := text + "ann,ann@acme.test,,,,,,,,,2026-12-31\n"
	j := f.workOff(t, owner, f.queue(t, owner, upload(leaves)).ID)
	if j.summary() != "done 100% 0 0 1 [302 leftOn CONFLICT ]" || f.imported() != 0 || f.tables() != 0 {
		t.Errorf("the last owner leaves: %s, %d people, %d tables", j.summary(), f.imported(), f.tables())
	}
	ben := f.User(t, "ben", viewer.Admin)
	id := f.queue(t, f.As(ben, viewer.Admin), upload(text)).ID
	f.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOneID(ben.ID).SetActive(false).Exec(ctx)
	})
	if j := f.workOff(t, owner, id); j.summary() != "failed 0% 0 0 1 [0  FORBIDDEN ]" || f.imported() != 0 {
		t.Errorf("who asked left: %s", j.summary())
	}
	f.DB.UserImport.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if n, ok := m.Field(userimport.FieldCreated); ok && n.(int) > 0 {
				return nil, errors.New("broken")
			}
			return next.Mutate(ctx, m)
		})
	})
	broken := f.queue(t, owner, upload(text))
	f.work(t, func() bool {
		f.Advance(time.Second)
		return f.DB.Job.Query().Where(entJob.ID(*broken.JobID), entJob.StateEQ(entJob.StateFailed)).ExistX(f.System())
	})
	if j := f.find(t, owner, broken.ID); j.Status != model.ImportStatusFailed || f.tables() != 1 {
		t.Errorf("%s, %d tables", j.summary(), f.tables())
	}
	again := f.queue(t, owner, upload(text))
	if again.ID == broken.ID {
		t.Error("a failed import is taken for one that waits")
	}
	f.Advance(time.Hour + time.Second)
	if err := f.service.Clean(f.System()); err != nil {
		t.Fatal(err)
	}
	if j := f.find(t, owner, broken.ID); j.summary() != "failed 0% 0 0 1 [0  UNAVAILABLE ]" || j.FinishedAt == nil {
		t.Errorf("after an hour: %s", j.summary())
	}
	if j := f.find(t, owner, again.ID); j.Status != model.ImportStatusQueued || f.tables() != 1 {
		t.Errorf("the one that waits: %s, %d tables", j.summary(), f.tables())
	}
	f.Advance(keptFor)
	if err := f.service.Clean(f.System()); err != nil {
		t.Fatal(err)
	}
	if n := f.DB.UserImport.Query().CountX(f.System()); n != 0 || f.tables() != 0 {
		t.Errorf("after a week: %d imports, %d tables", n, f.tables())
	}
	f.work(t, func() bool {
		return f.DB.Job.Query().Where(entJob.ID(*again.JobID), entJob.StateEQ(entJob.StateDone)).ExistX(f.System())
	})
	if f.imported() != 0 {
		t.Error("a job imports what was deleted")
	}
}

// TestBlocks counts what one transaction writes: 500 people of a partial import, and no
// statement for each person but the update of who changes.
func TestBlocks(t *testing.T) {
	f := newFixture(t)
	statements, versions := map[string]int{}, 0
	f.DB.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if m.Op().Is(ent.OpUpdate | ent.OpUpdateOne | ent.OpDelete | ent.OpDeleteOne) {
				statements[m.Type()]++
			}
			return next.Mutate(ctx, m)
		})
	})
	ctx := database.RecordStatements(f.System(), func(_ context.Context, text string) {
		if strings.HasPrefix(text, "INSERT INTO directory_versions") {
			versions++
		}
	})
	var blocks []int
	i := &run{Service: f.service, Options: Options{Company: f.Company.ID, Partial: true}}
	i.commit = func(ctx context.Context, step func(context.Context) error) error {
		before := f.imported()
		err := tx.Run(ctx, f.DB, step)
		blocks = append(blocks, f.imported()-before)
		return err
	}
	for _, tt := range []struct {
		text     string
		blocks   []int
		versions int
		want     map[string]int
	}{
		{many(1200, "Person", "Jakarta", "Cook | Driver"), []int{500, 500, 200}, 3, map[string]int{ent.TypeClockState: 3}},
		{many(1200, "Human", "Bandung", "Cook"), []int{0, 0, 0}, 3, map[string]int{
			// of each block: the lock, the people, one by one, and for all of them their periods
			ent.TypeUser: 1200, ent.TypeUserDesignation: 3, ent.TypeBusinessPeriod: 6, ent.TypeDesignationPeriod: 6, ent.TypeClockState: 9,
		}},
	} {
		lines, _, err := read(strings.NewReader(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		i.lines, blocks, versions = lines, nil, 0
		clear(statements)
		if _, err := i.do(ctx); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(blocks, tt.blocks) || versions != tt.versions || fmt.Sprint(statements) != fmt.Sprint(tt.want) {
			t.Errorf("blocks of %v people, %d versions, %v; want %v, %d, %v", blocks, versions, statements, tt.blocks, tt.versions, tt.want)
		}
	}
}

// TestTenThousand imports as many people as a table may have, while another writer
// waits for its turn; fewer with the race detector, which makes a transaction
// outlast leases. It tells how long that took; the bound of 5 s is exceeded tenfold
// before it fails, since other tests run beside it.
func TestTenThousand(t *testing.T) {
	f := newFixture(t)
	ann := f.User(t, "ann", viewer.Owner)
	owner := f.As(ann, viewer.Owner)
	var longest time.Duration
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			began := time.Now()
			err := tx.With(f.System(), f.DB, func(db *ent.Client) error {
				return db.Company.UpdateOneID(f.Company.ID).SetName("Acme").Exec(f.System())
			})
			if err != nil {
				t.Error(err)
			}
			longest = max(longest, time.Since(began))
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	people := 10_000
	if raceEnabled {
		people = 2_000
	}
	for _, tt := range []struct{ text, want string }{
		{many(people, "Person", "Jakarta", "Cook | Driver"), fmt.Sprintf("done 100%% %d 0 0", people)},
		{many(people, "Human", "Bandung", "Cook"), fmt.Sprintf("done 100%% 0 %d 0", people)},
	} {
		began := time.Now()
		if got := f.workOff(t, owner, f.queue(t, owner, upload(tt.text)).ID).summary(); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
		t.Logf("%s in %v", tt.want, time.Since(began))
	}
	close(stop)
	<-ended
	t.Logf("another writer waited for %v", longest)
	if longest > 50*time.Second {
		t.Errorf("another writer waited for %v", longest)
	}
}

// TestMayRunAgain has a job without its payload fail.
func TestMayRunAgain(t *testing.T) {
	f := newFixture(t)
	if err := f.service.Importing().Run(f.System(), &job.Run{}); err == nil {
		t.Error("a job without a payload is no error")
	}
}
