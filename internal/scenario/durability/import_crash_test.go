package durability

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	entFile "workforce/ent/file"
	entJob "workforce/ent/job"
	"workforce/ent/user"
	"workforce/ent/userimport"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// importing names the database of the server that TestDyingImport is to be, and whether
// its import is a partial one.
const importing = "WORKFORCE_TEST_IMPORTING"

// TestDyingImport is, in a process of its own, a server that kills itself when it has
// written the people of an import, of a partial one those of its second block, and is
// about to commit.
func TestDyingImport(t *testing.T) {
	database, partial := strings.CutPrefix(os.Getenv(importing), "partial ")
	if database == "" {
		return // this is the test's own process
	}
	s := harness.New(t, database)
	blocks := 0
	s.Store.Ent.UserImport.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if _, ok := m.Field(userimport.FieldFaultCount); ok && m.Op().Is(ent.OpUpdate) {
				if blocks++; blocks == 2 || !partial {
					_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
					select {}
				}
			}
			return next.Mutate(ctx, m)
		})
	})
	s.SignIn(t, "andini", "admin@demo.test")
	var table strings.Builder
	table.WriteString("name,email\n")
	for i := range 1200 {
		fmt.Fprintf(&table, "Person %d,p%d@crash.test\n", i, i)
	}
	input := map[string]any{"file": nil, "partial": partial}
	a, err := s.AskUpload(t, "andini", `mutation($input:ImportUsersInput!){importUsers(input:$input){job{id}}}`, map[string]any{"input": input}, "input.file", []byte(table.String()))
	if err != nil || !json.Valid([]byte(a.Body)) {
		t.Fatal(a, err)
	}
	time.Sleep(time.Minute)
}

// endLease ends the lease of a job that a dead server ran; by itself it ends after 15 s.
func endLease(t *testing.T, s *harness.Server, kind string) {
	t.Helper()
	s.Store.Ent.Job.Update().Where(entJob.Kind(kind), entJob.LeaseUntilNotNil()).SetLeaseUntil(time.Unix(0, 0)).ExecX(viewer.System(t.Context()))
}

// TestKilledImport kills a server that imports people. Another one goes on: everybody is
// there once, and the table is gone.
func TestKilledImport(t *testing.T) {
	t.Parallel() // it waits for other processes
	for name, written := range map[string]int{"": 0, "partial ": 500} {
		t.Run(name+"import", func(t *testing.T) {
			testdb.Each(t, func(t *testing.T, database string) {
				child := exec.Command(os.Args[0], "-test.run=^TestDyingImport$")
				child.Env = append(os.Environ(), importing+"="+name+database)
				said, err := child.CombinedOutput()
				if child.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
					t.Fatalf("the server ended with %v, want it killed: %s", err, said)
				}
				s, ctx := harness.New(t, database), viewer.System(t.Context())
				people := s.Store.Ent.User.Query().Where(sql.FieldHasSuffix(user.FieldEmailKey, "@crash.test"))
				if n := people.Clone().CountX(ctx); n != written {
					t.Errorf("the dead left %d people, want %d", n, written)
				}
				endLease(t, s, "user_import")
				s.Wait(t, "the end of its job", func() bool {
					return s.Store.Ent.Job.Query().Where(entJob.Kind("user_import"), entJob.StateEQ(entJob.StateDone), entJob.Attempts(2)).ExistX(ctx)
				})
				row := s.Store.Ent.UserImport.Query().OnlyX(ctx)
				if n := people.Clone().CountX(ctx); n != 1200 || row.Created != 1200 || row.Updated != 0 || row.FaultCount != 0 {
					t.Errorf("%d people, %v", n, row)
				}
				s.Wait(t, "the end of the table", func() bool {
					return !s.Store.Ent.File.Query().Where(entFile.MediaType("text/csv")).ExistX(ctx)
				})
			})
		})
	}
}
