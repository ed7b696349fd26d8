package hostile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/internal/app/tx"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/setting"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// The most that a request may cost, in a company of 1,000 people.
var (
	mostUnknown  = cost{cpu: 250 * time.Millisecond, peak: 64 << 20}
	mostSignedIn = cost{cpu: time.Second, peak: 128 << 20}
)

// TestHostileRequests sends each request alone to a server with a company of 1,000
// people, of which the caller sees everything. None is expensive, every one is
// answered, and none is the server's fault.
func TestHostileRequests(t *testing.T) {
	if _, err := os.Stat("/proc/self/clear_refs"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("NOT TESTED: what a request costs is measured on Linux alone")
	}
	if n := len(all()); n < 300 {
		t.Errorf("%d requests", n)
	}
	bin := harness.Build(t)
	testdb.Each(t, func(t *testing.T, database string) {
		t.Parallel() // each database has servers of its own
		tokens, key := fill(t, database)
		newSite := func(t *testing.T) *site {
			s := &site{T: t, tokens: tokens, start: func() *process { return start(t, bin, database, key) }}
			s.restart()
			return s
		}
		var whole []hostile
		for _, h := range all() {
			switch {
			case strings.HasPrefix(database, "mysql:") && !(h.token && strings.Contains(h.text, "POST /graphql")): // they hardly reach it
			case h.half: // all wait at once, each at a server of its own
				t.Run(h.name, func(t *testing.T) {
					t.Parallel()
					newSite(t).try(t, h)
				})
			default:
				whole = append(whole, h)
			}
		}
		t.Run("whole", func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			for _, h := range whole {
				t.Run(h.name, func(t *testing.T) { s.try(t, h) })
			}
		})
	})
}

// A site is a server that may be replaced by a new one.
type site struct {
	*testing.T
	*process
	tokens string
	start  func() *process
	sent   int
}

// restart starts a new server, and does what is done once.
func (s *site) restart() {
	if s.process != nil {
		s.stop()
	}
	s.process = s.start()
	s.send(s.T, hostile{text: sent("GET", "/user?limit=1", "")}.with(s.tokens))
}

// try sends a request, and sends it again to new servers, where there is no garbage
// of others, if it seems to cost too much.
func (s *site) try(t *testing.T, h hostile) {
	h = h.with(s.tokens)
	most := mostUnknown
	if h.token {
		most = mostSignedIn
	}
	var a answer
	spent := s.measure(t, func() { a = s.send(t, s.next(h)) })
	tooMuch := spent.cpu > most.cpu || spent.allocated > most.peak
	for n := 0; tooMuch && n < 2; n++ {
		t.Logf("%v; again on a new server", spent)
		s.restart()
		spent = s.measure(t, func() { a = s.send(t, s.next(h)) })
		tooMuch = spent.cpu > most.cpu || spent.peak > most.peak
	}
	t.Logf("%d, %d bytes, %v", a.status, len(a.text), spent)
	if tooMuch {
		t.Error("it costs too much")
	}
}

// An answer is what is looked at of an answer; zero where the client waits for none.
type answer struct {
	status int
	text   []byte
}

// with returns the request with somebody's tokens.
func (h hostile) with(tokens string) hostile {
	h.text = strings.ReplaceAll(h.text, authorization, tokens)
	return h
}

// once stands for text that differs each time that a request is sent.
const once = "ONCE"

// next returns the request as it is sent now.
func (s *site) next(h hostile) hostile {
	s.sent++
	h.text = strings.ReplaceAll(h.text, once, fmt.Sprintf("%04d", s.sent))
	return h
}

// send sends a request and reads its answer. No status is the server's fault, but
// for 503 with Retry-After, and for what net/http does not implement of HTTP.
func (p *process) send(t *testing.T, h hostile) answer {
	t.Helper()
	conn, err := net.Dial("tcp", p.addr)
	if err != nil {
		t.Fatalf("%v\n%s", err, p.logged())
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if h.open {
		_, _ = io.WriteString(conn, h.text) // the server may close it
		return answer{}
	}
	go func() { _, _ = io.WriteString(conn, h.text) }() // the server may close it before the end
	method, _, _ := strings.Cut(h.text, " ")
	resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Errorf("half an answer: %v", err)
	}
	if bytes.Contains(body, []byte(`"code":"INTERNAL"`)) {
		t.Errorf("answer: %.500s", body)
	}
	if kind := resp.Header.Get("Content-Type"); resp.StatusCode >= 400 && resp.Header.Get("X-Req-Id") != "" && method != "HEAD" &&
		!json.Valid(body) { // net/http answers what it cannot read without the server
		t.Errorf("status %d as %q: %.100s", resp.StatusCode, kind, body)
	}
	switch resp.StatusCode {
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
	case http.StatusServiceUnavailable:
		if resp.Header.Get("Retry-After") == "" {
			t.Error("503 without Retry-After")
		}
	default:
		if resp.StatusCode >= 500 {
			t.Errorf("status %d", resp.StatusCode)
		}
	}
	return answer{resp.StatusCode, body}
}

// fill fills a database with a company of 1,000 people, and returns the lines of a
// request's header with the tokens of an owner, and the server's key.
func fill(t *testing.T, database string) (tokens, key string) {
	t.Helper()
	s := harness.New(t, database)
	ctx := viewer.System(ent.NewContext(t.Context(), s.Store.Ent))
	hash, err := s.Services.Hasher.Hash(ctx, demo.Password)
	if err != nil {
		t.Fatal(err)
	}
	err = tx.With(ctx, s.Store.Ent, func(db *ent.Client) error {
		if err := demo.FillMany(ctx, db, harness.Morning.UTC(), hash, 1000); err != nil {
			return err
		}
		return db.Company.Update().SetSettings(setting.Values{}.With(map[string]any{"uploadMegabytes": 10_000})).Exec(ctx) // each upload costs
	})
	if err != nil {
		t.Fatal(err)
	}
	phone := s.SignIn(t, "owner", "person5@many.test")
	return "Authorization: Bearer " + phone.Access + "\r\nX-Device-Token: " + phone.Device + "\r\nX-User-Token: " + phone.User + "\r\n",
		harness.KeyFile(t, database)
}
