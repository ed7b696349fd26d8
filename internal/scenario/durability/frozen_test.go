package durability

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"workforce/ent"
	entTicket "workforce/ent/ticket"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// freezing names the database of the server that TestFreezingServer is to be.
const freezing = "WORKFORCE_TEST_FREEZING"

// TestFreezingServer is, in a process of its own, a server that stops itself when it has written a
// ticket and is about to commit: it holds the counter of the company's tickets.
func TestFreezingServer(t *testing.T) {
	database := os.Getenv(freezing)
	if database == "" {
		return // this is the test's own process
	}
	s := harness.New(t, database)
	s.Store.Ent.Ticket.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			made, err := next.Mutate(ctx, m)
			if m.Op().Is(ent.OpCreate) { // not where a job changes another ticket
				_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
				time.Sleep(100 * time.Millisecond) // another thread may have got the signal, and stop this one later
			}
			return made, err
		})
	})
	s.SignIn(t, "budi", "budi@demo.test")
	fmt.Println("frozen:", s.AskGraphQL(t, s.HeaderOf("budi"), newTicket, nil).Text)
	time.Sleep(time.Minute)
}

const newTicket = `mutation{saveTicket(input:{subject:"Frozen"}){number}}`

// isStopped reports whether a process is stopped by a signal.
func isStopped(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return err == nil && bytes.HasPrefix(state, []byte("T"))
}

// TestFrozenServer stops the process of a server within a transaction. MariaDB ends the transaction
// after 10 s; then another server saves tickets. What the first one was about to commit is gone.
func TestFrozenServer(t *testing.T) {
	t.Parallel() // it waits for another process
	database := testdb.MySQL(t)
	s := harness.New(t, database)
	s.SignIn(t, "siti", "siti@demo.test")
	child, said := exec.Command(os.Args[0], "-test.run=^TestFreezingServer$", "-test.v"), &harness.Buffer{}
	child.Env, child.Stdout, child.Stderr = append(os.Environ(), freezing+"="+database), said, said
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = child.Process.Kill() // it sleeps
		_ = child.Wait()
	}()
	for deadline := time.Now().Add(time.Minute); !isStopped(child.Process.Pid); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the server does not stop: %s", said)
		}
	}
	frozen, refused := time.Now(), 0
	for saved := false; !saved; {
		a := s.AskGraphQL(t, s.HeaderOf("siti"), newTicket, nil)
		switch a.Code() {
		case "":
			saved = true
		case "UNAVAILABLE":
			refused++
		default:
			t.Fatal(a.Text)
		}
		if took := time.Since(frozen); took > 15*time.Second {
			t.Fatalf("no ticket for %v, %d refused", took, refused)
		}
	}
	t.Logf("a ticket after %v, %d refused", time.Since(frozen), refused)
	if err := child.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if !said.Written.Wait(func() bool { return strings.Contains(said.String(), "frozen: ") }) ||
		!strings.Contains(said.String(), "UNAVAILABLE") {
		t.Errorf("the frozen server answers %s", said)
	}
	ctx := viewer.System(t.Context())
	of := s.Store.Ent.Ticket.Query().Where(entTicket.Subject("Frozen")).OnlyX(ctx)
	if n := s.Store.Ent.Ticket.Query().Where(entTicket.CompanyID(of.CompanyID)).CountX(ctx); of.Number != n {
		t.Errorf("ticket %d of %d", of.Number, n)
	}
}
