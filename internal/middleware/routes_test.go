package middleware

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"workforce/internal/errs"
)

// testMux has routes of every shape the server uses.
func testMux() *http.ServeMux {
	mux := http.NewServeMux()
	echo := func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Pattern) }
	for _, pattern := range []string{
		"GET /user", "POST /user/login", "GET /user/{id}", "DELETE /user/{id}",
		"/graphql", "GET /files/", "GET /tree/{rest...}", "GET /end/{$}",
	} {
		mux.HandleFunc(pattern, echo)
	}
	return mux
}

func TestRoutes(t *testing.T) {
	tests := []struct {
		method, target string
		status         int
		want           string // the pattern served, or Allow
	}{
		{"GET", "/user", 200, "GET /user"},
		{"GET", "/user?page=1&x=//../", 200, "GET /user"},
		{"HEAD", "/user", 200, "GET /user"},
		{"GET", "/user/42", 200, "GET /user/{id}"},
		{"GET", "/user/a%2Fb", 200, "GET /user/{id}"},
		{"GET", "/files/a/b", 200, "GET /files/"},
		{"GET", "/files/", 200, "GET /files/"},
		{"GET", "/tree/a/b", 200, "GET /tree/{rest...}"},
		{"GET", "/end/", 200, "GET /end/{$}"},
		{"PATCH", "/graphql", 200, "/graphql"},
		{"OPTIONS", "/graphql", 200, "/graphql"},

		{"GET", "/", 404, ""},
		{"GET", "/nothing", 404, ""},
		{"BREW", "/nothing", 404, ""},
		{"OPTIONS", "/nothing", 404, ""},
		{"GET", "//user", 404, ""},
		{"GET", "/user//42", 404, ""},
		{"GET", "/user/", 404, ""},
		{"GET", "/user/42/", 404, ""},
		{"GET", "/user/../user", 404, ""},
		{"GET", "/user/./42", 404, ""},
		{"GET", "/user/%2e%2e", 404, ""},
		{"GET", "/user/%2E", 404, ""},
		{"GET", "/user/%2e%2e%2fuser", 404, ""},
		{"GET", "/files/%2e%2e/secret", 404, ""},
		{"GET", "/files/a%2f%2fb", 404, ""},
		{"GET", "/files/..%2f..%2fsecret", 404, ""},
		{"GET", "/files", 404, ""},
		{"POST", "/files", 404, ""},
		{"GET", "/tree", 404, ""},
		{"GET", "/end", 404, ""},
		{"POST", "/user/../user/login", 404, ""},
		{"OPTIONS", "//user", 404, ""},
		{"GET", "/USER", 404, ""},

		{"POST", "/user", 405, "GET, HEAD, OPTIONS"},
		{"BREW", "/user", 405, "GET, HEAD, OPTIONS"},
		{"PUT", "/user/42", 405, "GET, HEAD, DELETE, OPTIONS"},
		{"PUT", "/user/login", 405, "POST, OPTIONS"},
		{"POST", "/files/a", 405, "GET, OPTIONS"},
		{"OPTIONS", "/user", 204, "GET, HEAD, OPTIONS"},
		{"HEAD", "/files/a", 405, "GET, OPTIONS"},
	}
	writes := func(pattern string) bool { return strings.HasPrefix(pattern, "GET /files/") }
	h := Wrap(testMux(), Config{PublicURL: "https://api.example.com", Writes: writes})
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.target, func(t *testing.T) {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(tt.method, tt.target, nil))
			got := w.Body.String()
			if w.Code != 200 {
				got = w.Header().Get("Allow")
			}
			if w.Code != tt.status || got != tt.want {
				t.Errorf("got %d %q, want %d %q", w.Code, got, tt.status, tt.want)
			}
			if w.Header().Get("Location") != "" {
				t.Errorf("redirected to %s", w.Header().Get("Location"))
			}
			if w.Code >= 400 {
				checkProblem(t, w.Result())
			}
		})
	}
}

// checkProblem checks that an answer is an error as all are.
func checkProblem(t *testing.T, resp *http.Response) {
	t.Helper()
	var p errs.Problem
	if err := json.NewDecoder(resp.Body).Decode(&p); err != nil {
		t.Fatalf("body: %v", err)
	}
	if p.Status != resp.StatusCode || p.RequestID == "" || p.RequestID != resp.Header.Get("X-Req-Id") ||
		p.Type != "https://api.example.com/errors/"+p.Code {
		t.Errorf("status %d, X-Req-Id %q, body %+v", resp.StatusCode, resp.Header.Get("X-Req-Id"), p)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json", "Cache-Control": "no-store", "Content-Language": "en",
		"X-Content-Type-Options": "nosniff", "Vary": "Accept-Encoding, Accept-Language, X-Language",
	} {
		if got := resp.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestRequestsWithoutPath(t *testing.T) {
	h := Wrap(testMux(), Config{})
	for _, line := range []struct{ method, uri string }{{"GET", "*"}, {"CONNECT", "example.com:443"}} {
		r := httptest.NewRequest(line.method, "/", nil)
		r.RequestURI, r.URL.Path = line.uri, map[string]string{"*": "*"}[line.uri]
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != 404 {
			t.Errorf("%v: %d, want 404", line, w.Code)
		}
	}
}
