package hostile

import (
	"bufio"
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
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// The most that a request may cost, in a company of 1,000 people.
var (
	mostUnknown  = cost{cpu: 250 * time.Millisecond, peak: 64 << 20}
	mostSignedIn = cost{cpu: time.Second, peak: 128 << 20}
)

// exceeds reports whether c is more than most. Memory that was never allocated was
// not in use, and neither was what the process did not get.
func (c cost) exceeds(most cost) bool {
	return c.cpu > most.cpu || c.allocated > most.peak && c.peak > most.peak
}

// TestHostileRequests sends each request alone to a server with a company of 1,000
// people, of which the caller sees everything. None is expensive, every one is
// answered, and none is the server's fault.
func TestHostileRequests(t *testing.T) {
	if _, err := os.Stat("/proc/self/clear_refs"); err != nil {
		t.Skip("the memory of a process is measured on Linux")
	}
	requests := all()
	if len(requests) < 300 {
		t.Errorf("%d requests", len(requests))
	}
	database := testdb.SQLite(t)
	tokens, key := fill(t, database)
	bin := build(t)
	p := start(t, bin, database, key)
	p.send(t, hostile{text: sent("GET", "/user", "") + sent("GET", "/user/profile", "")}.with(tokens)) // what is done once
	for _, h := range requests {
		parent := t
		t.Run(h.name, func(t *testing.T) {
			h := h.with(tokens)
			most := mostUnknown
			if h.token {
				most = mostSignedIn
			}
			var a answer
			spent := p.measure(t, func() { a = p.send(t, h) })
			for range 2 { // on a new server, where nothing is left of other requests
				if !spent.exceeds(most) {
					break
				}
				t.Logf("%v; again on a new server", spent)
				p.stop()
				p = start(parent, bin, database, key)
				p.send(t, hostile{text: sent("GET", "/user", "")}.with(tokens))
				spent = p.measure(t, func() { a = p.send(t, h) })
			}
			t.Logf("%d, %d bytes, %v", a.status, a.size, spent)
			if spent.exceeds(most) {
				t.Error("it costs too much")
			}
		})
	}
}

// An answer is what is looked at of an answer; zero where the client waits for none.
type answer struct{ status, size int }

// with returns the request with somebody's tokens.
func (h hostile) with(tokens string) hostile {
	h.text = strings.ReplaceAll(h.text, authorization, tokens)
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
	size, err := io.Copy(io.Discard, resp.Body)
	if err != nil {
		t.Errorf("half an answer: %v", err)
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
	return answer{resp.StatusCode, int(size)}
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
	err = tx.With(ctx, s.Store.Ent, func(db *ent.Client) error { return demo.FillMany(ctx, db, harness.Morning.UTC(), hash, 1000) })
	if err != nil {
		t.Fatal(err)
	}
	phone := s.SignIn(t, "owner", "person5@many.test")
	return "Authorization: Bearer " + phone.Access + "\r\nX-Device-Token: " + phone.Device + "\r\nX-User-Token: " + phone.User + "\r\n",
		harness.KeyFile(t, database)
}
