package durability

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"workforce/ent"
	entFile "workforce/ent/file"
	entJob "workforce/ent/job"
	entReport "workforce/ent/report"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// reporting names the database of the server that TestDyingReport is to be.
const reporting = "WORKFORCE_TEST_REPORTING"

// TestDyingReport is, in a process of its own, a server that kills itself when it has
// stored the file of a report and is about to name it.
func TestDyingReport(t *testing.T) {
	database := os.Getenv(reporting)
	if database == "" {
		return // this is the test's own process
	}
	s := harness.New(t, database)
	s.Store.Ent.Report.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if _, ok := m.Field(entReport.FieldFileID); ok {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
			return next.Mutate(ctx, m)
		})
	})
	s.SignIn(t, "budi", "budi@demo.test")
	s.GraphQL(t, s.HeaderOf("budi"), `mutation{generateReport(input:{kind:attendance,format:csv}){id}}`, nil, nil)
	time.Sleep(time.Minute)
}

// TestKilledReport kills a server that makes a report. Another one makes it, and one
// file is left.
func TestKilledReport(t *testing.T) {
	t.Parallel() // it waits for other processes
	testdb.Each(t, func(t *testing.T, database string) {
		child := exec.Command(os.Args[0], "-test.run=^TestDyingReport$")
		child.Env = append(os.Environ(), reporting+"="+database)
		said, err := child.CombinedOutput()
		if child.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("the server ended with %v, want it killed: %s", err, said)
		}
		s, ctx := harness.New(t, database), viewer.System(t.Context())
		files := s.Store.Ent.File.Query().Where(entFile.MediaType("text/csv"))
		if left := files.Clone().AllX(ctx); len(left) != 1 || left[0].PendingSince == nil {
			t.Fatalf("the dead left %v, want one file that no row names", left)
		}
		// As if it had died before its first progress: the next run writes the same values.
		s.Store.Ent.Report.Update().Where(entReport.StatusEQ(entReport.StatusRunning)).SetProgress(0).ExecX(ctx)
		endLease(t, s, "report")
		s.Wait(t, "the report", func() bool {
			return s.Store.Ent.Report.Query().Where(entReport.FileIDNotNil(), entReport.FormatEQ(entReport.FormatCsv)).ExistX(ctx)
		})
		s.Wait(t, "the end of its job", func() bool {
			return s.Store.Ent.Job.Query().Where(entJob.Kind("report"), entJob.StateEQ(entJob.StateDone), entJob.Attempts(2)).ExistX(ctx)
		})
		s.Clock.Advance(2 * time.Hour)
		if err := s.Services.Files.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
		row := s.Store.Ent.Report.Query().Where(entReport.FormatEQ(entReport.FormatCsv)).OnlyX(ctx)
		if left := files.Clone().AllX(ctx); len(left) != 1 || left[0].ID != *row.FileID || left[0].PendingSince != nil {
			t.Errorf("left %v, want file %d", left, *row.FileID)
		}
		objects := 0
		err = s.Blobs.List(ctx, 0, func(name string) error {
			if strings.HasSuffix(name, ".csv") {
				objects++
			}
			return nil
		})
		if err != nil || objects != 1 {
			t.Errorf("%d objects, %v", objects, err)
		}
	})
}
