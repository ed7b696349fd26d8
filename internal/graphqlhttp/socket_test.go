package graphqlhttp

import (
	"encoding/json"
	"net/http"
	"testing"
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
