package messaging

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

// A gateway is a messaging gateway that takes what is signed with its secret.
type gateway struct {
	mu     sync.Mutex
	down   bool
	asked  map[string]int               // by the message's id
	taken  map[string]map[string]string // the messages, by id
	faults []string
}

// ServeHTTP implements http.Handler.
func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	var m map[string]string
	if err == nil {
		err = json.Unmarshal(body, &m)
	}
	if err == nil {
		err = signedBy(GatewaySecret, r.Header.Get("X-Signature"), body)
	}
	if members := slices.Sorted(maps.Keys(m)); err == nil && strings.Join(members, " ") != "callbackUrl channel id text to" {
		err = fmt.Errorf("members %q", members)
	}
	if err != nil {
		g.faults = append(g.faults, err.Error())
	}
	g.asked[m["id"]]++
	if g.down {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if g.taken[m["id"]] != nil {
		g.faults = append(g.faults, "message "+m["id"]+" came twice")
	}
	g.taken[m["id"]] = m
}

// signedBy checks a signature as the gateway's operator would.
func signedBy(secret, signature string, body []byte) error {
	stamp, sum, ok := strings.Cut(strings.TrimPrefix(signature, "t="), ",v1=")
	at, err := strconv.ParseInt(stamp, 10, 64)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(stamp + "." + string(body)))
	if !ok || err != nil || hex.EncodeToString(mac.Sum(nil)) != sum {
		return fmt.Errorf("signature %q", signature)
	}
	if age := time.Unix(at, 0).Sub(harness.Morning); age.Abs() > 5*time.Minute { // the servers were started with --clock
		return fmt.Errorf("signed %v after they started", age)
	}
	return nil
}

func (g *gateway) setDown(down bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.down = down
}

// to returns what was taken for an address.
func (g *gateway) to(address string) (found []map[string]string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, m := range g.taken {
		if m["to"] == address {
			found = append(found, m)
		}
	}
	return found
}

// TestMessagesLeaveOnce runs two servers on one database with a gateway that
// comes and goes.
func TestMessagesLeaveOnce(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		g := &gateway{asked: map[string]int{}, taken: map[string]map[string]string{}}
		carrier := httptest.NewServer(g)
		t.Cleanup(carrier.Close)
		useGateway := func(s *server.Config) { s.SMSURL, s.SMSSecret = carrier.URL, GatewaySecret }
		one, two := harness.New(t, database, useGateway), harness.New(t, database, useGateway)

		t.Run("each once", func(t *testing.T) { eachOnce(t, g, one) })
		t.Run("again after a failure", func(t *testing.T) { carriedAgain(t, g, one, two) })
		t.Run("never after the code has expired", func(t *testing.T) { givenUp(t, g, one, two) })
		g.mu.Lock()
		defer g.mu.Unlock()
		if len(g.faults) > 0 {
			t.Errorf("the gateway found fault: %q", g.faults)
		}
		for _, s := range []*harness.Server{one, two} {
			if log := s.Log.Lines(); strings.Contains(log, "kode") || strings.Contains(log, "code") {
				t.Errorf("the log holds a message's text:\n%s", log)
			}
		}
	})
}

func eachOnce(t *testing.T, g *gateway, s *harness.Server) {
	people := []string{"agus", "ayu", "dimas", "fitri", "hendra", "indah", "joko", "maya"}
	s.Run(t, []apitest.Scenario{harness.Register("a")})
	for _, name := range people {
		s.Run(t, []apitest.Scenario{harness.Forgot("a", name+"@demo.test")})
	}
	for _, name := range people {
		if m := sent(t, s, name+"@demo.test", isSent); m.SealedText == nil || m.Attempts != 1 {
			t.Errorf("after sending, the text is gone or it was tried %d times", m.Attempts)
		}
		got := g.to(name + "@demo.test")
		if len(got) != 1 || got[0]["channel"] != "email" || got[0]["callbackUrl"] != "http://wf.test/messaging-gateway/callback" ||
			!regexp.MustCompile(`^\d{6} `).MatchString(got[0]["text"]) {
			t.Errorf("the gateway took %v for %s", got, name)
		}
	}
}

func carriedAgain(t *testing.T, g *gateway, one, two *harness.Server) {
	g.setDown(true)
	one.Run(t, []apitest.Scenario{harness.Login("a", "+628401100003", demo.Password)})
	start := one.Clock.Now()
	for i, wait := range []time.Duration{5 * time.Second, 10 * time.Second} {
		m := sent(t, one, "+628401100003", func(m *ent.Message) bool { return m.Attempts == i+1 && m.DueAt.Equal(start.Add(wait)) })
		if m.SealedText == nil || m.Status != entMessage.StatusQueued {
			t.Errorf("after failure %d the message is %v", i+1, m.Status)
		}
		start = start.Add(wait)
		g.setDown(i == 0)
		one.Clock.Set(start)
		two.Clock.Set(start)
	}
	m := sent(t, one, "+628401100003", isSent)
	if got := g.to("+628401100003"); len(got) != 1 || got[0]["channel"] != "sms" || m.Attempts != 3 || m.SealedText == nil {
		t.Errorf("the gateway took %v, at try %d", got, m.Attempts)
	}
}

func givenUp(t *testing.T, g *gateway, one, two *harness.Server) {
	g.setDown(true)
	one.Run(t, []apitest.Scenario{harness.Forgot("a", "+628401123789")})
	sent(t, one, "+628401123789", func(m *ent.Message) bool { return m.Attempts == 1 && m.DueAt.Equal(one.Clock.Now().Add(5*time.Second)) })
	g.setDown(false)
	later := one.Clock.Now().Add(5 * time.Minute)
	one.Clock.Set(later)
	two.Clock.Set(later)
	m := sent(t, one, "+628401123789", func(m *ent.Message) bool { return m.Status == entMessage.StatusFailed })
	if got := g.to("+628401123789"); len(got) != 0 || m.SealedText != nil {
		t.Errorf("an expired code was sent: %v; text kept: %v", got, m.SealedText != nil)
	}
	told := func() string { return one.Log.Lines() + two.Log.Lines() } // once the row is written
	one.Wait(t, "the log to tell that a message was given up", func() bool { return strings.Contains(told(), "to=+628401123789") })
}

// TestSecretsAreKeptNowhere looks for tokens, codes and passwords in the log and
// in the bytes of the database.
func TestSecretsAreKeptNowhere(t *testing.T) {
	database := testdb.SQLite(t)
	s := harness.New(t, database)
	s.SignIn(t, "a", "budi@demo.test")
	s.Run(t, []apitest.Scenario{
		{Name: "a wrong password", Path: "/user/login", Header: harness.DeviceOf("a"), Body: `{"username":"budi@demo.test","password":"canary-wrong"}`, Status: 401},
		{Name: "a password in a malformed body", Path: "/user/login", Header: harness.DeviceOf("a"), Body: `{"password":"canary-malformed",`, Status: 400},
		{Name: "a password in a malformed query", Path: "/graphql", Header: harness.DeviceOf("a"), Body: `{"query":"mutation { login(input: {username: \"x\", password: \"canary-query\"}) { no } }"}`},
		{Name: "rotate", Path: "/device/register", Header: harness.DeviceOf("a"), Body: `{"deviceId":"a","platform":"web"}`, Save: map[string]string{"next.device": "/deviceToken"}},
		harness.Refresh("refresh", "{{a.refresh}}", "b"),
		harness.Forgot("a", "budi@demo.test"),
	})
	code := s.Log.Code(t, "budi@demo.test", 2)
	s.Run(t, []apitest.Scenario{
		harness.Reset("a weak password", "a", "{{a.reset}}", code, "budi@demo.test", 422, ""),
		harness.Reset("a password", "a", "{{a.reset}}", code, "canary-reset", 200, ""),
		harness.Login("a", "budi@demo.test", "canary-reset"),
		harness.Forgot("a", "budi@demo.test"),
	})
	s.WantSent(t, "budi@demo.test", 3)
	sent(t, s, "budi@demo.test", isSent)
	secrets := []string{"canary-", demo.Password}
	for name, value := range s.Vars {
		if strings.Contains(value, "_") && name != "a.reset" {
			secrets = append(secrets, value, strings.SplitN(value, "_", 2)[1])
		}
	}
	if len(secrets) < 2*6 {
		t.Fatalf("too few tokens: %q", secrets)
	}
	kept := map[string]string{"log": s.Log.Lines()}
	path := strings.TrimPrefix(database, "sqlite:")
	for _, file := range []string{path, path + "-wal"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		kept[file] = string(text)
	}
	for place, text := range kept {
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				t.Errorf("%s holds %q", place, secret)
			}
		}
		for _, m := range s.Log.Messages("budi@demo.test") {
			alone := regexp.MustCompile(`(^|[^0-9])` + m[:6] + `([^0-9]|$)`)
			if alone.MatchString(text) || bytes.Contains([]byte(text), []byte(m)) {
				t.Errorf("%s holds the code %s", place, m[:6])
			}
		}
	}
}
