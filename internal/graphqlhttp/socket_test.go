package graphqlhttp

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/coder/websocket"
)

func TestParseMessage(t *testing.T) {
	tests := []struct {
		text string
		want message
		ok   bool
	}{
		{`{"type":"ping"}`, message{Type: "ping"}, true},
		{`{"type":"ping","payload":null,"more":1}`, message{Type: "ping"}, true},
		{` {"id":"1","type":"subscribe","payload":{"query":"x"}} `, message{"subscribe", "1", json.RawMessage(`{"query":"x"}`)}, true},
		{text: ``}, {text: `null`}, {text: `[]`}, {text: `"ping"`}, {text: `{}`}, {text: `{"type":null}`}, {text: `{"type":1}`},
		{text: `{"type":"ping"}{}`}, {text: `{"type":"ping","id":1}`}, {text: `{"type":"ping","payload":[]}`}, {text: `{"type":"ping","payload":"x"}`},
	}
	for _, tt := range tests {
		got, ok := parseMessage([]byte(tt.text))
		if ok != tt.ok || ok && (got.Type != tt.want.Type || got.ID != tt.want.ID || string(got.Payload) != string(tt.want.Payload)) {
			t.Errorf("%s: %+v, %v", tt.text, got, ok)
		}
	}
}

func TestTokensOf(t *testing.T) {
	h := tokensOf([]byte(`{"authorization":"Bearer a","x-Access-Token":"b","X-DEVICE-TOKEN":"c","n":1,"o":{},"x":null}`))
	want := http.Header{"Authorization": {"Bearer a"}, "X-Access-Token": {"b"}, "X-Device-Token": {"c"}}
	for name := range want {
		if h.Get(name) != want.Get(name) {
			t.Errorf("%s: %q", name, h.Get(name))
		}
	}
	if len(h) != len(want) || len(tokensOf(nil)) != 0 || len(tokensOf([]byte(`[]`))) != 0 {
		t.Errorf("got %v", h)
	}
}

// FuzzMessage reads messages of clients: what is read can be written and read again.
func FuzzMessage(f *testing.F) {
	for _, text := range []string{
		`{"type":"connection_init","payload":{"Authorization":"Bearer x"}}`, `{"id":"1","type":"subscribe","payload":{"query":"x","variables":{}}}`,
		`{"type":"ping"}`, `{"id":"1","type":"complete"}`, `{"type":`, `[[[[`, `{"type":"a","type":"b"}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, ok := parseMessage(text)
		if !ok {
			return
		}
		tokensOf(m.Payload)
		written, err := json.Marshal(m)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if again, ok := parseMessage(written); !ok || again.Type != m.Type || again.ID != m.ID {
			t.Fatalf("%s was read as %+v, and %s as %+v", text, m, written, again)
		}
	})
}

// A quietStream is a connection that is told nothing.
type quietStream struct{ closed chan struct{} }

func (quietStream) Allowed(*http.Request) bool                     { return true }
func (s quietStream) Open(*http.Request, Receiver) (Stream, error) { return s, nil }
func (quietStream) Crowded() bool                                  { return false }
func (quietStream) SignIn(context.Context, http.Header) error      { return nil }
func (quietStream) Context(ctx context.Context) context.Context    { return ctx }
func (quietStream) Listen(string)                                  {}
func (quietStream) Ignore(string)                                  {}
func (quietStream) Overflow()                                      {}
func (s quietStream) Close()                                       { close(s.closed) }

// TestDeadPeer closes the socket of a client that answers no ping, and keeps one that
// does.
func TestDeadPeer(t *testing.T) {
	const alive = 50 * time.Millisecond
	for _, answers := range []bool{true, false} {
		api, stream := newAPI(nil), quietStream{make(chan struct{})}
		api.Streams, api.Alive = stream, alive
		server := httptest.NewServer(serverOf(nil, api))
		defer server.Close()
		c, _, err := websocket.Dial(t.Context(), server.URL, &websocket.DialOptions{Subprotocols: []string{subprotocol}})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.CloseNow() }()
		if err := c.Write(t.Context(), websocket.MessageText, []byte(`{"type":"connection_init"}`)); err != nil {
			t.Fatal(err)
		}
		patience := 20 * time.Second
		if answers {
			go func() {
				for { // reading answers pings
					if _, _, err := c.Read(t.Context()); err != nil {
						return
					}
				}
			}()
			patience = 10 * alive
		}
		select {
		case <-stream.closed:
			if answers {
				t.Error("a client that answers was closed")
			}
		case <-time.After(patience):
			if !answers {
				t.Error("a client that does not answer was not closed")
			}
		}
	}
}
