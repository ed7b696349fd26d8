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
	"workforce/ent/personexport"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// exporting names the database of the server that TestDyingExport is to be.
const exporting = "WORKFORCE_TEST_EXPORTING"

// TestDyingExport is, in a process of its own, a server that kills itself when it has
// stored the file of an export and is about to name it.
func TestDyingExport(t *testing.T) {
	database := os.Getenv(exporting)
	if database == "" {
		return // this is the test's own process
	}
	s := harness.New(t, database)
	s.Store.Ent.PersonExport.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if _, ok := m.Field(personexport.FieldFileID); ok {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
			return next.Mutate(ctx, m)
		})
	})
	s.SignIn(t, "budi", "budi@demo.test")
	s.GraphQL(t, s.HeaderOf("budi"), `mutation{exportOwnData{id}}`, nil, nil)
	time.Sleep(time.Minute)
}

// TestKilledExport kills a server that makes an export. Another one makes it once
// the lease has ended by itself, and one file is left.
func TestKilledExport(t *testing.T) {
	t.Parallel() // it waits for other processes
	testdb.Each(t, func(t *testing.T, database string) {
		child := exec.Command(os.Args[0], "-test.run=^TestDyingExport$")
		child.Env = append(os.Environ(), exporting+"="+database)
		said, err := child.CombinedOutput()
		if child.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("the server ended with %v, want it killed: %s", err, said)
		}
		s, ctx := harness.New(t, database), viewer.System(t.Context())
		files := s.Store.Ent.File.Query().Where(entFile.MediaType("application/zip"))
		if left := files.Clone().AllX(ctx); len(left) != 1 || left[0].PendingSince == nil {
			t.Fatalf("the dead left %v, want one file that no row names", left)
		}
		s.Wait(t, "the export", func() bool { return s.Store.Ent.PersonExport.Query().Where(personexport.FileIDNotNil()).ExistX(ctx) })
		s.Wait(t, "the end of its job", func() bool {
			return s.Store.Ent.Job.Query().Where(entJob.Kind("person_export"), entJob.StateEQ(entJob.StateDone), entJob.Attempts(2)).ExistX(ctx)
		})
		s.Clock.Advance(2 * time.Hour)
		if err := s.Services.Files.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
		row := s.Store.Ent.PersonExport.Query().OnlyX(ctx)
		if left := files.Clone().AllX(ctx); len(left) != 1 || left[0].ID != *row.FileID || left[0].PendingSince != nil {
			t.Errorf("left %v, want file %d", left, *row.FileID)
		}
		objects := 0
		err = s.Blobs.List(ctx, 0, func(name string) error {
			if strings.HasSuffix(name, ".zip") {
				objects++
			}
			return nil
		})
		if err != nil || objects != 1 {
			t.Errorf("%d objects, %v", objects, err)
		}
	})
}
