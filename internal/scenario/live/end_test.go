package live

import (
	"context"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/apikey"
	"workforce/ent/session"
	"workforce/ent/user"
	"workforce/ent/userrole"
	"workforce/internal/app/tx"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// metric returns the value of a metric without labels.
func metric(t testing.TB, s *harness.Server, name string) string {
	t.Helper()
	out := httptest.NewRecorder()
	s.Admin.ServeHTTP(out, httptest.NewRequest("GET", "/metrics", nil))
	found := regexp.MustCompile(`(?m)^` + name + ` (.*)$`).FindStringSubmatch(out.Body.String())
	if found == nil {
		t.Fatalf("/metrics has no %s", name)
	}
	return found[1]
}

// wantStreams waits until so many connections are open.
func wantStreams(t testing.TB, s *harness.Server, n string) {
	t.Helper()
	for began := time.Now(); metric(t, s, "workforce_streams") != n; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatalf("%s streams are open, want %s", metric(t, s, "workforce_streams"), n)
		}
	}
}

// TestSignedOut ends the connections of a session with it, at once, and no others.
func TestSignedOut(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		signIn(t, s)
		budi, admin, sse := listen(t, s, "budi", changed), listen(t, s, "admin", changed), stream(t, s, "budi", changed)
		began := time.Now()
		s.GraphQL(t, s.HeaderOf("budi"), `mutation { logout { loggedOut } }`, nil, nil)
		budi.wantClose(4401, "Unauthorized")
		if event, _ := sse.next(); event != "complete" {
			t.Errorf("SSE got %q", event)
		}
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("it took %v", took)
		}
		admin.nothing()
		c := dial(t, s)
		c.send(initOf(s, "budi"))
		c.wantClose(4403, "")
		if got := stream(t, s, "budi", changed); got.StatusCode != 401 || got.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("SSE with a revoked token: %d", got.StatusCode)
		}
	})
}

// TestExpired ends connections when their token expires.
func TestExpired(t *testing.T) {
	t.Parallel() // it waits
	s := newServer(t, "sqlite:"+t.TempDir()+"/test.db")
	budi, sse := listen(t, s, "budi", changed), stream(t, s, "admin", changed)
	s.Clock.Advance(14 * time.Minute)
	time.Sleep(1200 * time.Millisecond)
	budi.nothing()
	s.Clock.Advance(time.Minute + time.Second)
	budi.wantClose(4401, "Unauthorized")
	if event, _ := sse.next(); event != "complete" {
		t.Errorf("SSE got %q", event)
	}
}

// TestRevokedElsewhere ends the connections of a session that another instance ended.
func TestRevokedElsewhere(t *testing.T) {
	t.Parallel() // it waits
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		signIn(t, s)
		budi := listen(t, s, "budi", changed)
		began := time.Now()
		_, err := s.Store.DB.Writer.ExecContext(t.Context(), "UPDATE "+session.Table+" SET revoked_at = ? WHERE user_id = (SELECT id FROM users WHERE email = ?)",
			s.Clock.Now(), "budi@demo.test")
		if err != nil {
			t.Fatal(err)
		}
		budi.wantClose(4401, "")
		if took := time.Since(began); took > 8*time.Second { // 5, on a machine with other work
			t.Errorf("it took %v", took)
		}
	})
}

// TestKey shows events to a program with an API key, but for those of owners, and ends its connections with it.
func TestKey(t *testing.T) {
	t.Parallel() // it waits
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		signIn(t, s)
		makes := `mutation { createApiKey(input: {name: "x", permissions: ["attendance.read.all"]}) { token apiKey { id } } }`
		var made struct {
			CreateAPIKey struct {
				Token  string
				APIKey struct{ ID string }
			}
		}
		s.GraphQL(t, s.HeaderOf("admin"), makes, nil, &made)
		s.Vars["key.access"] = made.CreateAPIKey.Token
		key, sse := listen(t, s, "key", changed), stream(t, s, "key", changed)
		clock(t, s, harness.ClockIn("admin")) // an owner
		key.nothing()
		clock(t, s, harness.ClockIn("budi"))
		key.wantEvent("open budi@demo.test")
		if event, data := sse.next(); event != "next" || !strings.Contains(data, "budi@demo.test") {
			t.Errorf("SSE got %q, %q", event, data)
		}
		s.GraphQL(t, s.HeaderOf("admin"), `mutation { revokeApiKey(id: "`+made.CreateAPIKey.APIKey.ID+`") { id } }`, nil, nil)
		key.wantClose(4401, "Unauthorized")
		if event, _ := sse.next(); event != "complete" {
			t.Errorf("SSE got %q", event)
		}
		s.GraphQL(t, s.HeaderOf("admin"), makes, nil, &made)
		s.Vars["key.access"] = made.CreateAPIKey.Token
		key = listen(t, s, "key", changed)
		began := time.Now()
		_, err := s.Store.DB.Writer.ExecContext(t.Context(), "UPDATE "+apikey.Table+" SET revoked_at = ?", s.Clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		key.wantClose(4401, "")
		if took := time.Since(began); took > 8*time.Second { // 5, on a machine with other work
			t.Errorf("it took %v", took)
		}
	})
}

// TestPermissionRemoved shows the next event to nobody who lost the permission.
func TestPermissionRemoved(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		signIn(t, s)
		s.SignIn(t, "manager", "manager@demo.test")
		manager, admin := listen(t, s, "manager", changed), listen(t, s, "admin", changed)
		clock(t, s, harness.ClockIn("budi"))
		manager.wantEvent("open budi@demo.test")
		admin.wantEvent("open budi@demo.test")

		ctx := viewer.System(t.Context())
		them := s.Store.Ent.User.Query().Where(user.EmailKey("manager@demo.test")).OnlyX(ctx)
		if err := tx.With(ctx, s.Store.Ent, func(db *ent.Client) error {
			_, err := db.UserRole.Delete().Where(userrole.UserID(them.ID)).Exec(ctx)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		clock(t, s, harness.ClockIn("admin"))
		admin.wantEvent("open admin@demo.test")
		time.Sleep(50 * time.Millisecond)
		manager.nothing()
	})
}

// TestManySockets lets a session have 20 connections.
func TestManySockets(t *testing.T) {
	s := newServer(t, "sqlite:"+t.TempDir()+"/test.db")
	var all []*socket
	for range 20 {
		all = append(all, open(t, s, "budi"))
	}
	c := dial(t, s)
	c.send(initOf(s, "budi"))
	c.wantClose(4429, "Too many sockets of this session")
	if got := stream(t, s, "budi", changed).StatusCode; got != 429 {
		t.Errorf("SSE: %d, want 429", got)
	}
	open(t, s, "admin")
	_ = all[0].CloseNow()
	wantStreams(t, s, "20")
	open(t, s, "budi")
}

// TestStops ends connections when the server stops, and takes no more.
func TestStops(t *testing.T) {
	s := newServer(t, "sqlite:"+t.TempDir()+"/test.db")
	budi, idle, sse := listen(t, s, "budi", changed), dial(t, s), stream(t, s, "admin", changed)
	done := make(chan struct{})
	go func() { defer close(done); s.Services.Live.Stop(t.Context()) }()
	budi.wantClose(1001, "Going away")
	idle.wantClose(1001, "Going away")
	if event, _ := sse.next(); event != "complete" {
		t.Errorf("SSE got %q", event)
	}
	<-done
	if _, resp, err := tryDial(t, s); err == nil || resp.StatusCode != 503 {
		t.Errorf("a socket while it stops: %v", err)
	}
}

// TestMissed tells clients that events may have been missed.
func TestMissed(t *testing.T) {
	s := newServer(t, "sqlite:"+t.TempDir()+"/test.db")
	budi, sse, idle := listen(t, s, "budi", changed), stream(t, s, "admin", changed), open(t, s, "agus")
	if _, err := s.Store.DB.Writer.ExecContext(t.Context(), "ALTER TABLE attendances RENAME TO hidden"); err != nil {
		t.Fatal(err)
	}
	me := s.Store.Ent.User.Query().Where(user.EmailKey("budi@demo.test")).OnlyX(viewer.System(t.Context()))
	s.Services.Live.AttendanceChanged(context.Background(), me.CompanyID, 1, me.ID)
	budi.wantClose(4500, "MISSED")
	event, data := sse.next()
	if event != "error" || !strings.Contains(data, `"reason":"MISSED"`) {
		t.Errorf("SSE got %s %s", event, data)
	}
	if event, _ := sse.next(); event != "complete" {
		t.Errorf("then SSE got %q", event)
	}
	idle.nothing()
	if got := metric(t, s, "workforce_streams_missed_total"); got != "2" {
		t.Errorf("%s streams missed something", got)
	}
}
