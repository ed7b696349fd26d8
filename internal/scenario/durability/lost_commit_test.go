package durability

import (
	"bytes"
	"fmt"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"workforce/ent/requestrecord"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// What a wire does with the next commit that passes it.
const (
	passes       = iota
	loseAnswer   // commits, and hangs up before the answer
	loseQuestion // hangs up before the database hears of it
	deadlock     // rolls back, and says that there was a deadlock
	refuse       // says that the node is not ready, and does not tell the database; a rollback too
	keepRefused  // commits, and says that the node is not ready
)

// A wire lies between a server and its database.
type wire struct {
	net.Listener
	database string // host:port
	next     atomic.Int32
	lines    sync.WaitGroup
}

// newWire returns a wire to the database of a URL, and the URL by way of it.
func newWire(t *testing.T, database string) (*wire, string) {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{Listener: listener, database: u.Host}
	w.lines.Go(w.serve)
	t.Cleanup(func() {
		_ = listener.Close()
		w.lines.Wait()
	})
	u.Host = listener.Addr().String()
	return w, u.String()
}

func (w *wire) serve() {
	for {
		client, err := w.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", w.database)
		if err != nil {
			_ = client.Close()
			continue
		}
		l := &line{client: client, server: server, wire: w}
		w.lines.Go(l.toServer)
		w.lines.Go(l.toClient)
	}
}

// A line is one connection through the wire. Either end closes both.
type line struct {
	client, server net.Conn
	wire           *wire
	does           atomic.Int32 // with the answer to come
}

func (l *line) close() { _, _ = l.client.Close(), l.server.Close() }

var (
	commit      = append([]byte{7, 0, 0, 0, 3}, "COMMIT"...)
	rollback    = append([]byte{9, 0, 0, 0, 3}, "ROLLBACK"...)
	deadlockErr = errorPacket(1213, "#40001Deadlock found when trying to get lock")
	notReadyErr = errorPacket(1047, "#08S01WSREP has not yet prepared node for application use")
)

// errorPacket is a server's answer to a statement.
func errorPacket(number uint16, text string) []byte {
	body := append([]byte{0xff, byte(number), byte(number >> 8)}, text...)
	return append([]byte{byte(len(body)), 0, 0, 1}, body...)
}

func (l *line) toServer() {
	defer l.close()
	buf := make([]byte, 64<<10)
	for {
		n, err := l.client.Read(buf)
		if err != nil {
			return
		}
		packet := buf[:n]
		if bytes.Equal(packet, rollback) && l.wire.next.CompareAndSwap(refuse, passes) {
			packet = nil
		}
		if bytes.Equal(packet, commit) {
			does := l.wire.next.Swap(passes)
			l.does.Store(does)
			switch does {
			case loseQuestion:
				return
			case deadlock:
				packet = rollback
			case refuse:
				packet = nil
			}
		}
		if packet == nil {
			l.does.Store(passes)
			if _, err := l.client.Write(notReadyErr); err != nil {
				return
			}
			continue
		}
		if _, err := l.server.Write(packet); err != nil {
			return
		}
	}
}

func (l *line) toClient() {
	defer l.close()
	buf := make([]byte, 64<<10)
	for {
		n, err := l.server.Read(buf)
		if err != nil {
			return
		}
		packet := buf[:n]
		switch l.does.Swap(passes) {
		case loseAnswer:
			return
		case deadlock:
			packet = deadlockErr
		case keepRefused:
			packet = notReadyErr
		}
		if _, err := l.client.Write(packet); err != nil {
			return
		}
	}
}

// pass moves the clock to budi's next clock event. The jobs that are due then have committed what
// they commit, so that the wire meets no other commit than that of the next request.
func pass(t *testing.T, s *harness.Server) {
	t.Helper()
	s.Pass(t, "budi")
	harness.WaitForJobs(t, s)
}

// TestCommitsThatGoWrong cuts the line to the database at the commit of clock
// events. Each takes place once, and the app hears so: at once where the request
// has an id, else when it tries again.
func TestCommitsThatGoWrong(t *testing.T) {
	w, database := newWire(t, testdb.MySQL(t))
	s := harness.New(t, database)
	s.SignIn(t, "budi", "budi@demo.test")
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	id := 0
	cut := func(does int32, about string, r apitest.Scenario, entries int) {
		t.Helper()
		id++
		pass(t, s)
		w.next.Store(does)
		s.Run(t, []apitest.Scenario{harness.Named(harness.Under(r, fmt.Sprint("request-", id)), about)})
		if w.next.Load() != passes {
			t.Fatalf("%s: no commit passed", about)
		}
		if rows := s.Attendances(t, "budi@demo.test"); len(rows) != entries {
			t.Errorf("%s: left %d attendances, want %d", about, len(rows), entries)
		}
	}
	cut(loseAnswer, "in, the answer is lost", harness.ClockIn("budi"), 1)
	cut(loseAnswer, "out, the answer is lost", harness.ClockOut("budi"), 1)
	cut(loseQuestion, "in, the commit is lost", harness.ClockIn("budi"), 2)
	cut(loseQuestion, "out, the commit is lost", harness.ClockOut("budi"), 2)
	cut(deadlock, "in, a deadlock", harness.ClockIn("budi"), 3)
	cut(deadlock, "out, a deadlock", harness.ClockOut("budi"), 3)
	cut(refuse, "in, the node refuses to commit", harness.ClockIn("budi"), 4)
	cut(refuse, "out, the node refuses to commit", harness.ClockOut("budi"), 4)
	cut(keepRefused, "in, the node refuses what others keep", harness.ClockIn("budi"), 5)
	cut(keepRefused, "out, the node refuses what others keep", harness.ClockOut("budi"), 5)

	// What an older request under the same id and body left is no proof.
	s.Pass(t, "budi")
	s.Run(t, []apitest.Scenario{harness.Under(harness.ClockIn("budi"), "again")})
	s.Clock.Advance(1e9)
	s.Run(t, []apitest.Scenario{harness.Under(harness.ClockOut("budi"), "again")}) // which makes the id a constant
	pass(t, s)
	w.next.Store(loseQuestion)
	s.Run(t, []apitest.Scenario{harness.Named(harness.Under(harness.ClockIn("budi"), "again"), "in under a known id, the commit is lost")})
	if rows := s.Attendances(t, "budi@demo.test"); len(rows) != 7 || rows[6].ClockedOutAt != nil {
		t.Errorf("left %v, want a seventh and open attendance", rows)
	}
	s.Pass(t, "budi")
	s.Run(t, []apitest.Scenario{harness.ClockOut("budi")})

	pass(t, s)
	w.next.Store(loseAnswer)
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.Refused(harness.ClockIn("budi"), 503, "UNAVAILABLE", `{}`), "in without an id, the answer is lost"),
		harness.Named(harness.ClockIn("budi"), "again"),
	})
	if rows := s.Attendances(t, "budi@demo.test"); len(rows) != 8 {
		t.Errorf("left %d attendances, want 8", len(rows))
	}
}

// TestRollbackThatIsRefused has a node refuse the rollback of a refused request.
// Nothing of the request is left, whatever its connection would be used for next.
func TestRollbackThatIsRefused(t *testing.T) {
	w, database := newWire(t, testdb.MySQL(t))
	s := harness.New(t, database)
	s.SignIn(t, "budi", "budi@demo.test")
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	far := harness.Under(harness.Refused(harness.ClockIn("budi", harness.Far...), 422, "OUTSIDE_ALLOWED_LOCATION", `{"distanceMeters":4217,"radiusMeters":100}`, "latitude"), "far")
	w.next.Store(refuse)
	s.Run(t, []apitest.Scenario{harness.Named(far, "the rollback is refused")})
	if w.next.Load() != passes {
		t.Fatal("no rollback passed")
	}
	s.Run(t, []apitest.Scenario{harness.Named(far, "again"), harness.Under(harness.ClockIn("budi"), "near")})
	records := s.Store.Ent.RequestRecord.Query().Where(requestrecord.Outcome("")).CountX(viewer.System(t.Context()))
	if records != 0 {
		t.Errorf("%d records without an outcome", records)
	}
}
