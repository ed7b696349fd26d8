package hostile

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"workforce/internal/scenario/harness"
)

// upgrade asks for a WebSocket from an address, with more lines of a header.
func upgrade(address string, lines ...string) string {
	return sent("GET", "/graphql", "", append([]string{
		"Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
		"Sec-WebSocket-Protocol: graphql-transport-ws", "X-Forwarded-For: " + address,
	}, lines...)...)
}

// dialing opens a socket, or does not; the connection is closed with the test.
func dialing(t *testing.T, p *process, text string) (resp *http.Response, body string) {
	t.Helper()
	conn, err := net.Dial("tcp", p.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, strings.ReplaceAll(text, authorization, "")); err != nil {
		t.Fatal(err)
	}
	resp, err = http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: "GET"})
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return resp, ""
	}
	read, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(read)
}

// TestSocketsOfStrangers has one network open a thousand sockets on which nobody signs in:
// it is refused, and told so, others are not, and no line of the log is an error.
func TestSocketsOfStrangers(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + t.TempDir() + "/test.db"
	p := start(t, harness.Build(t), database, harness.KeyFile(t, database))
	statuses := map[int]int{}
	for n := range 1000 {
		address := "192.0.2.1"
		if n%2 == 0 {
			address = fmt.Sprintf("2001:db8:1:2::%x", n+1)
		}
		resp, body := dialing(t, p, upgrade(address))
		statuses[resp.StatusCode]++
		if resp.StatusCode == 429 && (resp.Header.Get("Retry-After") == "" || !strings.Contains(body, `"code":"RATE_LIMITED"`)) {
			t.Fatalf("%v %s", resp.Header, body)
		}
	}
	if statuses[101] < 200 || statuses[429] < 700 || statuses[101]+statuses[429] != 1000 {
		t.Errorf("answers: %v", statuses)
	}
	for _, address := range []string{"192.0.2.2", "2001:db8:1:3::1"} {
		if resp, body := dialing(t, p, upgrade(address)); resp.StatusCode != 101 {
			t.Errorf("%s: %d %s", address, resp.StatusCode, body)
		}
	}
	if log := p.logged(); strings.Contains(log, "ERROR") {
		t.Errorf("log: %.500s", log[strings.Index(log, "ERROR"):])
	}
}

// TestOriginsOfSockets lets no page listen whose name leads to the server.
func TestOriginsOfSockets(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + t.TempDir() + "/test.db"
	p := start(t, harness.Build(t), database, harness.KeyFile(t, database))
	for _, lines := range [][]string{
		{"Origin: http://wf.test"}, {"Origin: https://wf.test"}, {"Origin: null"}, {"Origin: "}, {"Origin: http://wf.test@evil.test"},
		{"Origin: http://wf.test", "Origin: http://wf.test"}, {"Origin: http://wf.test", "X-Forwarded-Host: wf.test"},
		{"Origin: http://wf.test", "Forwarded: host=wf.test"}, {"Origin: http://wf.test", "Referer: http://wf.test/"},
	} {
		resp, body := dialing(t, p, upgrade("192.0.2.1", lines...))
		if resp.StatusCode != 403 || !strings.Contains(body, `"code":"FORBIDDEN"`) || resp.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%q: %d %s", lines, resp.StatusCode, body)
		}
	}
}
