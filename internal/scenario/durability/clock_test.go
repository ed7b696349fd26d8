package durability

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

// A slowCarrier is a messaging gateway that takes a message after 3 s, in which another server
// looks for due messages more than once, or when it is asked to carry the same one again.
type slowCarrier struct {
	mu    sync.Mutex
	texts map[string]string        // by the message's id
	again map[string]chan struct{} // by the message's id, has a value for each time that it came again
}

// ServeHTTP implements http.Handler.
func (c *slowCarrier) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m struct{ ID, Text string }
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	again, came := c.again[m.ID]
	if !came {
		again = make(chan struct{}, 9)
		c.texts[m.ID], c.again[m.ID] = m.Text, again
	}
	c.mu.Unlock()
	if came {
		again <- struct{}{}
		return
	}
	select {
	case <-again:
		again <- struct{}{} // so that the test finds it
	case <-time.After(3 * time.Second):
	}
}

// await waits for a text that a pattern matches.
func (c *slowCarrier) await(t *testing.T, pattern string) string {
	t.Helper()
	wanted := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		c.mu.Lock()
		texts := slices.Collect(maps.Values(c.texts))
		c.mu.Unlock()
		if i := slices.IndexFunc(texts, wanted.MatchString); i >= 0 {
			return texts[i]
		}
	}
	t.Fatalf("no message like %s was sent", pattern)
	return ""
}

// TestFastClock has two servers on one database, the second of which runs on a machine whose
// clock is ten minutes fast. While the first sends a code or an invitation, the second leaves the
// message alone; and the code that the first made is good on the second.
func TestFastClock(t *testing.T) {
	t.Parallel() // it waits
	database := testdb.MySQL(t)
	carrier := &slowCarrier{texts: map[string]string{}, again: map[string]chan struct{}{}}
	gateway := httptest.NewServer(carrier)
	t.Cleanup(gateway.Close)
	on := func(ahead time.Duration) *harness.Server {
		return harness.New(t, database, func(c *server.Config) {
			c.Now, c.Clock = nil, nil
			c.Machine = func() time.Time { return time.Now().Add(ahead) }
			c.SMSURL, c.SMSSecret = gateway.URL, "between the gateway and us"
		})
	}
	right, fast := on(0), on(10*time.Minute)
	if got := time.Until(fast.Services.Now()).Abs(); got > time.Second {
		t.Errorf("the time of the fast machine's server is %v off", got)
	}
	admin := httptest.NewRecorder()
	fast.Admin.ServeHTTP(admin, httptest.NewRequest("GET", "/metrics", nil))
	if !regexp.MustCompile(`\nworkforce_clock_ahead_seconds (599\.9|600)`).MatchString(admin.Body.String()) {
		t.Error("the metric does not tell that the machine is ten minutes fast")
	}
	if line := "the clocks of this machine and of the database differ"; !strings.Contains(fast.Log.Lines(), line) ||
		strings.Contains(right.Log.Lines(), line) {
		t.Errorf("the fast machine alone is to log %q:\n%s", line, fast.Log.Lines())
	}

	right.Must(t, []apitest.Scenario{
		{Name: "registers", Method: "POST", Path: "/device/register", Body: `{"deviceId":"clock","platform":"android"}`,
			Status: 200, Want: `{"deviceToken":"<token wfd>"}`, Save: map[string]string{"device": "/deviceToken"}},
		{Name: "logs in", Method: "POST", Path: "/user/login", Header: map[string]string{"X-Device-Token": "{{device}}"},
			Body:   `{"username":"admin@demo.test","password":"` + demo.Password + `"}`,
			Status: 200, Want: `"<any>"`, Save: map[string]string{"user": "/userToken"}},
	})
	code := carrier.await(t, `^\d{6} `)[:6]
	waitSent(t, right)
	fast.Vars = right.Vars
	fast.Must(t, []apitest.Scenario{
		{Name: "verifies on the fast machine", Method: "POST", Path: "/authorize/verify", Body: `{"otp":"` + code + `"}`,
			Header: map[string]string{"X-Device-Token": "{{device}}", "x-User-Token": "{{user}}"},
			Status: http.StatusOK, Want: `{"verified":true}`},
		{Name: "gets tokens", Path: "/authorize/access-token", Header: map[string]string{"x-User-Token": "{{user}}"},
			Status: http.StatusOK, Want: `"<any>"`, Save: map[string]string{"admin.access": "/accessToken"}},
	})
	right.Must(t, []apitest.Scenario{harness.Asks("invites", "admin",
		`mutation{createUser(input:{name:"Wati",email:"wati@demo.test"}){name}}`, `{"createUser":{"name":"Wati"}}`)})
	carrier.await(t, `wati@demo\.test`)
	waitSent(t, right)
	carrier.mu.Lock()
	defer carrier.mu.Unlock()
	for id, again := range carrier.again {
		if len(again) > 0 {
			t.Errorf("message %s was sent more than once: %.40s", id, carrier.texts[id])
		}
	}
	if log := fast.Log.Lines() + right.Log.Lines(); strings.Contains(log, "status=failed") {
		t.Errorf("a message was given up: %s", log)
	}
}

// waitSent waits until no message waits to be sent.
func waitSent(t *testing.T, s *harness.Server) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		var queued int
		err := s.Store.DB.Reader.QueryRow("SELECT COUNT(*) FROM messages WHERE status = 'queued'").Scan(&queued)
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("%d messages are queued, %v", queued, err)
		}
		if queued == 0 {
			return
		}
	}
}
