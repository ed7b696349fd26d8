package live

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
)

// newServer starts a server whose people have signed in and may clock in.
func newServer(t *testing.T, database string, change ...func(*server.Config)) *harness.Server {
	s := harness.New(t, database, change...)
	signIn(t, s)
	return s
}

func signIn(t *testing.T, s *harness.Server) {
	t.Helper()
	for name, email := range map[string]string{"budi": "budi@demo.test", "admin": "admin@demo.test", "agus": "agus@demo.test", "foreign": "admin@tetangga.test"} {
		s.SignIn(t, name, email)
	}
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	s.SaveShift(t, "admin")
}

// clock sends clock events.
func clock(t *testing.T, s *harness.Server, list ...apitest.Scenario) {
	t.Helper()
	for _, one := range list {
		if got, err := s.Attempt(one); err != nil || got.Status != 200 {
			t.Fatalf("%v, %v", got, err)
		}
	}
}

// TestEvents shows a clock-in and a clock-out to those who may see them, and nothing for
// repeats and refusals.
func TestEvents(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		signIn(t, s)
		budi, admin := listen(t, s, "budi", changed), listen(t, s, "admin", changed)
		agus, foreign := listen(t, s, "agus", changed), listen(t, s, "foreign", changed)
		sse := stream(t, s, "admin", changed)

		clock(t, s, harness.Under(harness.ClockIn("budi"), "in"), harness.Under(harness.ClockIn("budi"), "in"), harness.ClockIn("budi"))
		for _, c := range []*socket{budi, admin} {
			c.wantEvent("open budi@demo.test")
			c.nothing()
		}
		if event, data := sse.next(); event != "next" || !strings.Contains(data, `"email":"budi@demo.test"`) {
			t.Errorf("sse: %s %s", event, data)
		}
		if got, err := s.Attempt(harness.ClockIn("admin", harness.Far...)); err != nil || got.Status != 422 {
			t.Fatalf("%v, %v", got, err)
		}
		s.Pass(t, "budi", "admin")
		for _, c := range []*socket{budi, admin, agus, foreign} { // the tokens were replaced
			_ = c.CloseNow()
		}
		budi, admin = listen(t, s, "budi", changed), listen(t, s, "admin", changed)
		clock(t, s, harness.ClockOut("budi"), harness.ClockIn("admin"))
		budi.wantEvent("closed budi@demo.test")
		admin.wantEvent("closed budi@demo.test")
		admin.wantEvent("open admin@demo.test")
		budi.nothing()
	})
}

// TestScope never shows anybody what they may not see.
func TestScope(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		signIn(t, s)
		agus, foreign := listen(t, s, "agus", changed), listen(t, s, "foreign", changed)
		admin := listen(t, s, "admin", changed)
		clock(t, s, harness.ClockIn("budi"))
		admin.wantEvent("open budi@demo.test") // by then it was decided for all
		time.Sleep(50 * time.Millisecond)
		agus.nothing()
		foreign.nothing()
	})
}

// TestTwentyAtOnce shows one of 20 parallel clock-ins.
func TestTwentyAtOnce(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		signIn(t, s)
		admin := listen(t, s, "admin", changed)
		var all []apitest.Scenario
		for i := range 20 {
			all = append(all, harness.Under(harness.ClockIn("budi"), fmt.Sprint("at once ", i%3)))
		}
		s.Storm(t, all)
		clock(t, s, harness.ClockIn("admin"))
		admin.wantEvent("open budi@demo.test")
		admin.wantEvent("open admin@demo.test")
		admin.nothing()
	})
}

// TestCloses ends sockets that break the protocol.
func TestCloses(t *testing.T) {
	t.Parallel() // it waits
	s := newServer(t, "sqlite:"+t.TempDir()+"/test.db")
	subscribe := `{"id":"1","type":"subscribe","payload":{"query":"subscription{attendanceChanged{id}}"}}`
	tests := []struct {
		name   string
		sent   []string
		code   int
		reason string
	}{
		{"no token", []string{`{"type":"connection_init"}`}, 4403, "Forbidden"},
		{"a bad token", []string{`{"type":"connection_init","payload":{"Authorization":"Bearer wfa_bad"}}`}, 4403, "Forbidden"},
		{"a token of another kind", []string{`{"type":"connection_init","payload":{"X-Access-Token":"` + s.Vars["budi.refresh"] + `"}}`}, 4403, "Forbidden"},
		{"a payload that is no object", []string{`{"type":"connection_init","payload":"x"}`}, 4400, ""},
		{"a second init", []string{initOf(s, "budi"), initOf(s, "budi")}, 4429, "Too many initialisation requests"},
		{"subscribing before", []string{subscribe}, 4401, "Unauthorized"},
		{"a used id", []string{initOf(s, "budi"), subscribe, subscribe}, 4409, ""},
		{"an unknown message", []string{initOf(s, "budi"), `{"type":"start"}`}, 4400, ""},
		{"an unknown message before", []string{`{"type":"x"}`}, 4400, ""},
		{"no type", []string{`{}`}, 4400, ""},
		{"no JSON", []string{`{`}, 4400, ""},
		{"no object", []string{`[]`}, 4400, ""},
		{"an id that is no text", []string{initOf(s, "budi"), `{"id":1,"type":"subscribe","payload":{"query":"x"}}`}, 4400, ""},
		{"no id", []string{initOf(s, "budi"), `{"type":"subscribe","payload":{"query":"x"}}`}, 4400, ""},
		{"a payload without a query", []string{initOf(s, "budi"), `{"id":"1","type":"subscribe","payload":{}}`}, 4400, ""},
		{"a query that is no text", []string{initOf(s, "budi"), `{"id":"1","type":"subscribe","payload":{"query":1}}`}, 4400, ""},
		{"no payload", []string{initOf(s, "budi"), `{"id":"1","type":"subscribe"}`}, 4400, ""},
		{"too large", []string{`{"type":"ping","payload":{"x":"` + strings.Repeat("x", 256<<10) + `"}}`}, 1009, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := dial(t, s)
			for _, text := range tt.sent {
				c.send(text)
			}
			c.wantClose(tt.code, tt.reason)
		})
	}
	t.Run("binary", func(t *testing.T) {
		c := open(t, s, "budi")
		if err := c.Write(t.Context(), websocket.MessageBinary, []byte(`{"type":"ping"}`)); err != nil {
			t.Fatal(err)
		}
		c.wantClose(4400, "")
	})
	t.Run("another subprotocol", func(t *testing.T) {
		conn, _, err := websocket.Dial(t.Context(), s.URL+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-ws"}})
		if err != nil {
			t.Fatal(err)
		}
		(&socket{conn, t}).wantClose(4406, "Subprotocol not acceptable")
	})
	t.Run("nothing for ten seconds", func(t *testing.T) {
		began := time.Now()
		dial(t, s).wantClose(4408, "Connection initialisation timeout")
		if took := time.Since(began); took < 9*time.Second {
			t.Errorf("closed after %v", took)
		}
	})
	wantStreams(t, s, "0")
}

// TestRefused tells what is wrong with a subscription, and goes on.
func TestRefused(t *testing.T) {
	s := newServer(t, "sqlite:"+t.TempDir()+"/test.db")
	c := open(t, s, "budi")
	for document, want := range map[string]string{
		`{ viewer { id } }`:                                         "BAD_REQUEST",
		`mutation { logout { loggedOut } }`:                         "BAD_REQUEST",
		`subscription { nothing }`:                                  "BAD_REQUEST",
		`subscription {`:                                            "BAD_REQUEST",
		`subscription { __typename }`:                               "BAD_REQUEST",
		`subscription { attendanceChanged @skip(if: true) { id } }`: "BAD_REQUEST",
		`subscription { a: attendanceChanged { id } b: attendanceChanged { id } }`:                                                             "BAD_REQUEST",
		`subscription { attendanceChanged { user { ` + strings.Repeat("business { parent { ", 8) + "id" + strings.Repeat(" } }", 8) + ` } } }`: "BAD_REQUEST",
	} {
		c.subscribe("1", document)
		got, err := c.read()
		if err != nil || !strings.HasPrefix(got, `{"type":"error","id":"1","payload":[{`) || !strings.Contains(got, `"code":"`+want+`"`) {
			t.Errorf("%s: %s, %v; want %s", document, got, err, want)
		}
	}
	for i := range 21 {
		c.subscribe(fmt.Sprint(i), changed)
	}
	if got, err := c.read(); err != nil || !strings.Contains(got, `"id":"20"`) || !strings.Contains(got, "paling banyak 20 langganan") {
		t.Errorf("the 21st: %s, %v", got, err)
	}
	c.send(`{"id":"7","type":"complete"}`)
	c.subscribe("7", changed)
	c.settle()
}

// TestHandshakes answers what is no handshake as all other errors of /graphql.
func TestHandshakes(t *testing.T) {
	s := newServer(t, "sqlite:"+t.TempDir()+"/test.db")
	good := map[string]string{
		"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
	}
	for name, change := range map[string][2]string{
		"no Connection": {"Connection", ""}, "no upgrade": {"Connection", "keep-alive"}, "an old version": {"Sec-WebSocket-Version", "8"},
		"no version": {"Sec-WebSocket-Version", ""}, "no key": {"Sec-WebSocket-Key", ""}, "a short key": {"Sec-WebSocket-Key", "YQ=="},
	} {
		header := maps.Clone(good)
		header[change[0]] = change[1]
		r, body := s.Send(t, "GET", "/graphql", "", header)
		if r.StatusCode != 400 || r.Header.Get("Content-Type") != "application/json" || !strings.HasPrefix(string(body), `{"errors":[{`) ||
			!strings.Contains(string(body), `"code":"BAD_REQUEST"`) {
			t.Errorf("%s: %d %v %s", name, r.StatusCode, r.Header, body)
		}
	}
	wantStreams(t, s, "0")
}

// TestOrigins lets pages of --public-url and of --cors-origins listen, and clients that
// are no pages. The host that a request names changes nothing.
func TestOrigins(t *testing.T) {
	s := harness.New(t, "sqlite:"+t.TempDir()+"/test.db", func(c *server.Config) {
		c.PublicURL, c.CORSOrigins = "http://wf.test/api", "https://app.example.id"
	})
	s.SignIn(t, "budi", "budi@demo.test")
	for _, tt := range []struct {
		host, origin string
		status       int
	}{
		{"", "", 101}, {"", "http://wf.test", 101}, {"", "http://WF.test", 101}, {"", "https://app.example.id", 101},
		{"", "null", 403}, {"", "https://evil.example", 403}, {"", "https://app.example.id.evil.example", 403},
		{"", "file://", 403}, {"", "x", 403}, {"", s.URL, 403}, {"", "https://wf.test", 403}, {"", "http://wf.test:81", 403},
		{"evil.test", "http://evil.test", 403}, {"evil.test", "https://evil.test", 403}, {"evil.test", "http://wf.test", 101},
		{"app.example.id", "http://app.example.id", 403}, {"evil.test", "", 101},
	} {
		header := []string{"Host", tt.host}
		if tt.origin != "" {
			header = append(header, "Origin", tt.origin)
		}
		_, resp, err := tryDial(t, s, header...)
		if resp == nil || resp.StatusCode != tt.status {
			t.Errorf("%+v: %v, %v", tt, resp, err)
		}
		wantSSE := map[int]int{101: 200, 403: 403}[tt.status]
		if got := stream(t, s, "budi", changed, header...).StatusCode; got != wantSSE {
			t.Errorf("%+v over SSE: %d, want %d", tt, got, wantSSE)
		}
	}
}
