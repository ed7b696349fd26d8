package live

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"workforce/ent"
	"workforce/ent/device"
	entToken "workforce/ent/token"
	"workforce/ent/user"
	"workforce/internal/app/tx"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// What idle subscribers may cost the server's process.
const (
	idleSubscribers = 2000
	idleMemory      = 100 << 20
)

// TestIdleMemory opens many sockets, each of a session of its own and with a subscription,
// to a process of its own, and looks at its memory when they are idle.
func TestIdleMemory(t *testing.T) {
	t.Parallel() // it waits
	if _, err := os.Stat("/proc/self/status"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("NOT TESTED: the memory of a process is not known here: ", err)
	}
	database, addr := "sqlite:"+filepath.Join(t.TempDir(), "test.db"), harness.FreeAddr(t)
	cmd := exec.Command(harness.Build(t), "serve", "--demo", "--log-level=warn", "--addr="+addr, "--database="+database)
	cmd.Dir, cmd.Stderr = t.TempDir(), os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })

	var first *websocket.Conn
	for began := time.Now(); first == nil; time.Sleep(50 * time.Millisecond) {
		c, _, err := websocket.Dial(t.Context(), "http://"+addr+"/graphql", nil)
		if first = c; err != nil && time.Since(began) > patience {
			t.Fatal(err)
		}
	}
	_ = first.CloseNow()
	tokens := newTokens(t, database, idleSubscribers)
	before := settled(t, cmd.Process.Pid)
	var last *socket
	for i := range idleSubscribers {
		c, _, err := websocket.Dial(t.Context(), "http://"+addr+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
		if err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		t.Cleanup(func() { _ = c.CloseNow() })
		s := &socket{c, t}
		s.send(fmt.Sprintf(`{"type":"connection_init","payload":{"Authorization":"Bearer %s"}}`, tokens[i]))
		s.want(`{"type":"connection_ack"}`)
		s.subscribe("1", changed)
		s.settle()
		last = s
	}
	after := settled(t, cmd.Process.Pid)
	t.Logf("%d MiB before, %d MiB with %d subscribers", before>>20, after>>20, idleSubscribers)
	if after-before > idleMemory {
		t.Errorf("%d subscribers cost %d MiB, want at most %d", idleSubscribers, (after-before)>>20, idleMemory>>20)
	}

	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	last.wantClose(1001, "Going away")
	if err := cmd.Wait(); err != nil { // although the others do not read
		t.Error(err)
	}
}

var residentLine = regexp.MustCompile(`(?m)^RssAnon:\s+(\d+) kB$`)

// settled returns the memory of a process when it has been idle for a while: its own, without the pages of
// the binary, of which each job that runs brings up to 60 MiB for a quarter of a second.
func settled(t *testing.T, pid int) int {
	t.Helper()
	time.Sleep(12 * time.Second) // an idle server returns memory, and looks at tokens
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(string(residentLine.FindSubmatch(status)[1]))
	if err != nil {
		t.Fatal(err)
	}
	return n << 10
}

// newTokens returns the access tokens of new sessions of somebody.
func newTokens(t *testing.T, database string, n int) (tokens []string) {
	t.Helper()
	store, err := server.OpenStore(t.Context(), database, false, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	now := time.Now().UTC()
	err = tx.Run(viewer.System(t.Context()), store.Ent, func(ctx context.Context) error {
		db := ent.FromContext(ctx)
		who := db.User.Query().Where(user.EmailKey("budi@demo.test")).OnlyX(ctx)
		for i := range n {
			family := make([]byte, 32)
			rand.Read(family) // never fails
			phone := db.Device.Create().SetDeviceID(fmt.Sprint("phone ", i)).SetPlatform(device.PlatformAndroid).
				SetTokenHash(family).SetCreatedAt(now).SaveX(ctx)
			session := db.Session.Create().SetCompanyID(who.CompanyID).SetUserID(who.ID).SetDeviceID(phone.ID).
				SetFamily(family[:16]).SetCreatedAt(now).SetVerifiedAt(now).SetEndsAt(now.Add(time.Hour)).SaveX(ctx)
			access, err := token.New(token.Access, rand.Reader)
			if err != nil {
				return err
			}
			hash := access.Hash()
			db.Token.Create().SetCompanyID(who.CompanyID).SetSessionID(session.ID).SetKind(entToken.KindAccess).SetHash(hash[:]).
				SetGeneration(1).SetIssuedAt(now).SetExpiresAt(now.Add(time.Hour)).ExecX(ctx)
			tokens = append(tokens, access.Text())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}
