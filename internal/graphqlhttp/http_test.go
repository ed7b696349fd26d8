package graphqlhttp

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestMalformed(t *testing.T) {
	const secret = "hunter2"
	tests := []struct {
		name, body string
		header     []string
		status     int
		code       string
	}{
		{"empty", "", nil, 400, "BAD_REQUEST"},
		{"not JSON", `{"query":"` + secret, nil, 400, "BAD_REQUEST"},
		{"no JSON at all", secret, nil, 400, "BAD_REQUEST"},
		{"null", "null", nil, 400, "BAD_REQUEST"},
		{"a batch", `[{"query":"{hello}","x":"` + secret + `"}]`, nil, 400, "BAD_REQUEST"},
		{"an empty batch", `[]`, nil, 400, "BAD_REQUEST"},
		{"text", `"` + secret + `"`, nil, 400, "BAD_REQUEST"},
		{"trailing data", `{"query":"{hello}"} {"` + secret + `":1}`, nil, 400, "BAD_REQUEST"},
		{"not UTF-8", "{\"query\":\"{hello}\",\"x\":\"\xff" + secret + "\"}", nil, 400, "BAD_REQUEST"},
		{"null query", `{"query":null,"x":"` + secret + `"}`, nil, 400, "BAD_REQUEST"},
		{"wrong case", `{"Query":"{hello}","x":"` + secret + `"}`, nil, 400, "BAD_REQUEST"},
		{"variables of text", `{"query":"{hello}","variables":"` + secret + `"}`, nil, 400, "BAD_REQUEST"},
		{"too large", `{"query":"{hello}","x":"` + secret + strings.Repeat(" ", MaxBytes) + `"}`, nil, 413, "PAYLOAD_TOO_LARGE"},
		{"too large, not JSON", secret + strings.Repeat("[", MaxBytes), nil, 413, "PAYLOAD_TOO_LARGE"},
		{"a form", "query=" + secret, []string{"Content-Type: application/x-www-form-urlencoded"}, 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"plain text", quoted("{hello}"), []string{"Content-Type: text/plain"}, 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"multipart without a preflight header", quoted("{hello}"), []string{"Content-Type: multipart/form-data; boundary=a"}, 400, "BAD_REQUEST"},
		{"no type", quoted("{hello}"), []string{"Content-Type: "}, 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"another charset", quoted("{hello}"), []string{"Content-Type: application/json; charset=utf-16"}, 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"answer of another type", quoted("{hello}"), []string{"Accept: text/html, image/*;q=0.8"}, 406, "BAD_REQUEST"},
		{"answer of no type", quoted("{hello}"), []string{"Accept: application/json;q=0"}, 406, "BAD_REQUEST"},
	}
	srv := newServer(nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := post(t, srv, tt.body, tt.header...)
			if got.status != tt.status || got.code() != tt.code {
				t.Errorf("got %d %s, want %d %s", got.status, got.code(), tt.status, tt.code)
			}
			if strings.Contains(got.text, secret) || strings.Contains(got.text, `"data"`) {
				t.Errorf("the answer shows too much: %s", got.text)
			}
			if e := got.body.Errors[0]; e.Message == "" || e.Extensions.RequestID != "req-1" {
				t.Errorf("message %q, requestId %q", e.Message, e.Extensions.RequestID)
			}
			if h := got.header; h.Get("Cache-Control") != "no-store" || h.Get("Content-Type") != mediaJSON || h.Get("Content-Language") != "en" {
				t.Errorf("header %v", h)
			}
		})
	}
}

func TestBodyAtTheLimit(t *testing.T) {
	body := quoted("{hello}")
	body += strings.Repeat(" ", MaxBytes-len(body))
	if got := post(t, newServer(nil), body); got.text != `{"data":{"hello":"x"}}` {
		t.Errorf("at the limit: %s", got.text)
	}
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body+" "))
	r.Header.Set("Content-Type", "application/json")
	r.ContentLength = -1 // not said beforehand
	if got := send(t, newServer(nil), r); got.status != 413 {
		t.Errorf("over the limit: %d %s", got.status, got.text)
	}
}

type brokenBody struct{}

func (brokenBody) Read([]byte) (int, error) { return 0, errors.New("secret network") }

func TestUnreadableBody(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "/graphql", brokenBody{})
	r.Header.Set("Content-Type", "application/json")
	if got := send(t, newServer(nil), r); got.status != 400 || strings.Contains(got.text, "secret") {
		t.Errorf("%d %s", got.status, got.text)
	}
}

func TestMethods(t *testing.T) {
	srv := newServer(nil)
	for _, method := range []string{"HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"} {
		r := httptest.NewRequest(method, "/graphql", strings.NewReader(quoted("{hello}")))
		r.Header.Set("Content-Type", "application/json")
		got := send(t, srv, r)
		if got.status != 405 || got.code() != "METHOD_NOT_ALLOWED" || got.header.Get("Allow") != "GET, POST" {
			t.Errorf("%s: %d %s, Allow %q", method, got.status, got.text, got.header.Get("Allow"))
		}
	}
}

func TestGET(t *testing.T) {
	tests := []struct {
		name, query string
		header      []string
		status      int
		body        string // a part of it
	}{
		{"a query", "query={hello}", []string{"X-Req-Id: 1"}, 200, `{"data":{"hello":"x"}}`},
		{"app version", "query={hello}", []string{"X-App-Version: 1.0.0"}, 200, "data"},
		{"GraphQL-Preflight", "query={hello}", []string{"GraphQL-Preflight: 1"}, 200, "data"},
		{"a bearer value", "query={hello}", []string{"Authorization: Bearer wfa_"}, 200, "data"},
		{"a password that a browser keeps", "query={hello}", []string{"Authorization: Basic YTpi"}, 400, "BAD_REQUEST"},
		{"Apollo-Require-Preflight", "query={hello}", []string{"Apollo-Require-Preflight: 1"}, 200, "data"},
		{"a type that is not a form's", "query={hello}", []string{"Content-Type: application/json"}, 200, "data"},
		{"no such header", "query={hello}", nil, 400, "X-Req-Id"},
		{"an empty one", "query={hello}", []string{"X-Req-Id: "}, 400, "X-Req-Id"},
		{"a form's type", "query={hello}", []string{"Content-Type: text/plain;charset=utf-8"}, 400, "X-Req-Id"},
		{"a broken type", "query={hello}", []string{"Content-Type: ;"}, 400, "X-Req-Id"},
		{"Accept is no such header", "query={hello}", []string{asGraphQL}, 400, "X-Req-Id"},
		{"named", "query=query A{hello} query B{user{name}}&operationName=B", []string{"X-Req-Id: 1"}, 200, `"user"`},
		{"variables", `query=query($c:String!){fail(code:$c)}&variables={"c":"FORBIDDEN"}`, []string{"X-Req-Id: 1"}, 200, "FORBIDDEN"},
		{"empty members are absent", "query={hello}&variables=&extensions=&operationName=", []string{"X-Req-Id: 1"}, 200, "data"},
		{"no query", "variables={}", []string{"X-Req-Id: 1"}, 400, "query must"},
		{"variables of text", `query={hello}&variables="a"`, []string{"X-Req-Id: 1"}, 400, "variables must"},
		{"variables that are not JSON", `query={hello}&variables={`, []string{"X-Req-Id: 1"}, 400, "variables must"},
		{"variables and more", `query={hello}&variables={} {}`, []string{"X-Req-Id: 1"}, 400, "variables must"},
		{"extensions of a list", `query={hello}&extensions=[]`, []string{"X-Req-Id: 1"}, 400, "extensions must"},
		{"twice", "query={hello}&query={user{name}}", []string{"X-Req-Id: 1"}, 400, "once"},
	}
	srv := newServer(nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/graphql", nil)
			r.URL.RawQuery = strings.ReplaceAll(tt.query, " ", "%20")
			setLines(r.Header, tt.header)
			got := send(t, srv, r)
			if got.status != tt.status || !strings.Contains(got.text, tt.body) {
				t.Errorf("got %d %s, want %d with %s", got.status, got.text, tt.status, tt.body)
			}
		})
	}
}

func TestGETOnlyReads(t *testing.T) {
	srv := newServer(nil)
	for _, text := range []string{`mutation{rename(input:{name:"x"})}`, "mutation{__typename}"} {
		for _, accept := range []string{asJSON, asGraphQL} {
			r := httptest.NewRequest(http.MethodGet, "/graphql?"+url.Values{"query": {text}}.Encode(), nil)
			setLines(r.Header, []string{"X-Req-Id: 1", accept})
			got := send(t, srv, r)
			if got.status != 405 || got.header.Get("Allow") != "POST" || got.code() != "METHOD_NOT_ALLOWED" {
				t.Errorf("%s, %s: %d %s, Allow %q", text, accept, got.status, got.text, got.header.Get("Allow"))
			}
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/graphql?query=%zz", nil)
	r.Header.Set("X-Req-Id", "1")
	if got := send(t, srv, r); got.status != 400 {
		t.Errorf("a broken query string: %d %s", got.status, got.text)
	}
	r = httptest.NewRequest(http.MethodGet, "/graphql", nil)
	setLines(r.Header, []string{"Connection: Upgrade", "Upgrade: websocket"})
	if got := send(t, srv, r); got.status != 400 {
		t.Errorf("a WebSocket: %d %s", got.status, got.text)
	}
}

func TestNegotiate(t *testing.T) {
	tests := []struct {
		accept string
		media  string // "" is 406
	}{
		{"", mediaJSON},
		{" ", mediaJSON},
		{"*/*", mediaJSON},
		{"application/*", mediaJSON},
		{"application/json", mediaJSON},
		{"APPLICATION/JSON; charset=utf-8", mediaJSON},
		{mediaGraphQL, mediaGraphQL},
		{mediaGraphQL + ", application/json;q=0.9", mediaGraphQL},
		{"application/json, " + mediaGraphQL, mediaGraphQL},
		{mediaGraphQL + ";q=0.5, application/json", mediaJSON},
		{mediaGraphQL + ";q=0, */*", mediaJSON},
		{mediaGraphQL + ", */*;q=0.1", mediaGraphQL},
		{"application/json;q=0, */*", mediaGraphQL},
		{"application/*;q=0, */*", ""},
		{"text/html", ""},
		{"text/event-stream", ""},
		{"application/json;q=2", ""},
		{"application/json;q=NaN", ""},
		{"nonsense;;", ""},
	}
	for _, tt := range tests {
		got, ok := negotiate(http.Header{"Accept": {tt.accept}})
		if ok != (tt.media != "") || ok && got != tt.media {
			t.Errorf("Accept %q: got %q, %v, want %q", tt.accept, got, ok, tt.media)
		}
	}
}

func TestTimeout(t *testing.T) {
	for _, timeout := range []time.Duration{20 * time.Millisecond, time.Nanosecond} {
		api := newAPI(nil)
		api.Timeout = timeout
		srv := serverOf(nil, api)
		for _, accept := range []string{asJSON, asGraphQL} {
			got := query(t, srv, "{slow}", accept)
			if got.code() != "UNAVAILABLE" || strings.Contains(got.text, "deadline") {
				t.Errorf("%v, %s: %d %s, header %v", timeout, accept, got.status, got.text, got.header)
			}
		}
	}
	api := newAPI(nil)
	api.Timeout = time.Nanosecond
	got := query(t, serverOf(nil, api), "{slow}")
	if got.status != 503 || got.header.Get("Retry-After") != "1" {
		t.Errorf("no time at all: %d %s, header %v", got.status, got.text, got.header)
	}
}

// FuzzPOST sends any body: the answer is JSON, and a failure is never the
// server's own.
func FuzzPOST(f *testing.F) {
	for _, a := range audits() {
		f.Add(a.body)
	}
	f.Add(quoted("{users(first:3){nodes{name}}}"))
	f.Add(`{"query":"query($w:Where){find(id:1,where:$w)}","variables":{"w":{"and":[{"not":{"ids":[1]}}]}}}`)
	srv := newServer(yes)
	f.Fuzz(func(t *testing.T, body string) {
		got := post(t, srv, body)
		if got.status >= 500 || got.code() == "INTERNAL" && !strings.Contains(body, "sql") && !strings.Contains(body, "panics") {
			t.Errorf("%d %s", got.status, got.text)
		}
	})
}
