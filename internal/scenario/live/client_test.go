package live

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"workforce/internal/scenario/harness"
)

// patience is how long a test waits for what must happen.
const patience = 20 * time.Second

// changed is what most tests subscribe to.
const changed = `subscription { attendanceChanged { id clockedOutAt user { email } } }`

// A socket is a client of graphql-transport-ws.
type socket struct {
	*websocket.Conn
	t testing.TB
}

// dial opens a socket of a server, with more headers: name, value.
func dial(t testing.TB, s *harness.Server, header ...string) *socket {
	t.Helper()
	c, resp, err := tryDial(t, s, header...)
	if err != nil {
		t.Fatalf("%v: %v", err, resp)
	}
	return c
}

func tryDial(t testing.TB, s *harness.Server, header ...string) (*socket, *http.Response, error) {
	h := http.Header{}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	c, resp, err := websocket.Dial(t.Context(), s.URL+"/graphql", &websocket.DialOptions{
		Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: h, Host: h.Get("Host"),
	})
	if err != nil {
		return nil, resp, err
	}
	t.Cleanup(func() { _ = c.CloseNow() })
	return &socket{c, t}, resp, nil
}

// open opens a socket of somebody who signed in under a name.
func open(t testing.TB, s *harness.Server, name string) *socket {
	t.Helper()
	c := dial(t, s)
	c.send(initOf(s, name))
	c.want(`{"type":"connection_ack"}`)
	return c
}

func initOf(s *harness.Server, name string) string {
	return fmt.Sprintf(`{"type":"connection_init","payload":{"Authorization":"Bearer %s"}}`, s.Vars[name+".access"])
}

// listen opens a socket of somebody with one subscription, which is active.
func listen(t testing.TB, s *harness.Server, name, document string) *socket {
	t.Helper()
	c := open(t, s, name)
	c.subscribe("1", document)
	c.settle()
	return c
}

func (c *socket) subscribe(id, document string) {
	c.t.Helper()
	text, _ := json.Marshal(document)
	c.send(fmt.Sprintf(`{"id":%q,"type":"subscribe","payload":{"query":%s}}`, id, text))
}

// settle waits until the server has handled all that was sent.
func (c *socket) settle() {
	c.t.Helper()
	c.send(`{"type":"ping"}`)
	c.want(`{"type":"pong"}`)
}

func (c *socket) send(text string) {
	c.t.Helper()
	if err := c.Write(c.t.Context(), websocket.MessageText, []byte(text)); err != nil {
		c.t.Fatal(err)
	}
}

// read returns the next message.
func (c *socket) read() (string, error) {
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	_, text, err := c.Read(ctx)
	return string(text), err
}

func (c *socket) want(text string) {
	c.t.Helper()
	if got, err := c.read(); err != nil || got != text {
		c.t.Fatalf("got %s, %v; want %s", got, err, text)
	}
}

// event returns the next attendance that is shown.
func (c *socket) event() string {
	c.t.Helper()
	text, err := c.read()
	var m struct {
		Type    string
		Payload struct {
			Errors any
			Data   struct {
				AttendanceChanged struct {
					ID           string
					ClockedOutAt *string
					User         struct{ Email string }
				}
			}
		}
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &m)
	}
	a := m.Payload.Data.AttendanceChanged
	if err != nil || m.Type != "next" || m.Payload.Errors != nil || a.ID == "" {
		c.t.Fatalf("got %s, %v; want an attendance", text, err)
	}
	state := "open"
	if a.ClockedOutAt != nil {
		state = "closed"
	}
	return state + " " + a.User.Email
}

func (c *socket) wantEvent(want string) {
	c.t.Helper()
	if got := c.event(); got != want {
		c.t.Fatalf("got %s, want %s", got, want)
	}
}

// nothing holds that nothing was shown until now: what was is read before the answer to
// a ping.
func (c *socket) nothing() { c.t.Helper(); c.settle() }

// wantClose waits until the server closes the socket.
func (c *socket) wantClose(code int, reason string) {
	c.t.Helper()
	for {
		text, err := c.read()
		var closed websocket.CloseError
		if errors.As(err, &closed) {
			if int(closed.Code) != code || reason != "" && closed.Reason != reason {
				c.t.Fatalf("closed with %v, want %d %s", closed, code, reason)
			}
			return
		}
		if err != nil {
			c.t.Fatalf("%v; want close %d", err, code)
		}
		c.t.Logf("before the close: %s", text)
	}
}

// An eventSource is a client of server-sent events.
type eventSource struct {
	*http.Response
	t     testing.TB
	lines *bufio.Scanner
}

// stream posts a subscription of somebody; nobody for "".
func stream(t testing.TB, s *harness.Server, name, document string, header ...string) *eventSource {
	t.Helper()
	body, _ := json.Marshal(map[string]string{"query": document})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/graphql/stream", strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	if name != "" {
		r.Header.Set("Authorization", "Bearer "+s.Vars[name+".access"])
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	r.Host = r.Header.Get("Host")
	resp, err := (&http.Client{Transport: &http.Transport{DisableCompression: true}}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return &eventSource{resp, t, bufio.NewScanner(resp.Body)}
}

// next returns the next event and its data; "" at the end.
func (e *eventSource) next() (event, data string) {
	e.t.Helper()
	timer := time.AfterFunc(patience, func() { _ = e.Body.Close() })
	defer timer.Stop()
	for e.lines.Scan() {
		line := e.lines.Text()
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			event = name
		}
		if text, ok := strings.CutPrefix(line, "data: "); ok {
			data = text
		}
		if line == "" && event != "" {
			return event, data
		}
	}
	return "", ""
}
