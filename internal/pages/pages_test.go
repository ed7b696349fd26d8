package pages

import (
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"workforce/internal/errs"
)

func newMux(cfg Config) *http.ServeMux {
	mux := http.NewServeMux()
	Register(mux, cfg)
	return mux
}

func get(h http.Handler, path string, header http.Header) *httptest.ResponseRecorder {
	return do(h, http.MethodGet, path, header)
}

func do(h http.Handler, method, path string, header http.Header) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	if header != nil {
		r.Header = header
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestRoutes(t *testing.T) {
	all := Config{Playground: true, Docs: true}
	tests := []struct {
		cfg          Config
		method, path string
		status       int
		contentType  string
		contains     string
	}{
		{all, "GET", "/", 200, "text/html; charset=utf-8", `href="/playground"`},
		{all, "GET", "/", 200, "text/html; charset=utf-8", `href="/docs"`},
		{Config{}, "GET", "/", 200, "text/html; charset=utf-8", `href="/app/"`},
		{all, "HEAD", "/", 200, "text/html; charset=utf-8", ""},
		{all, "POST", "/", 405, "", ""},
		{all, "GET", "/nothing", 404, "", ""},
		{all, "GET", "/playground", 200, "text/html; charset=utf-8", "<title>Workforce playground</title>"},
		{all, "POST", "/playground", 405, "", ""},
		{all, "GET", "/docs", 200, "text/html; charset=utf-8", "<title>Workforce API reference</title>"},
		{all, "GET", "/assets/licenses.txt", 200, "text/plain; charset=utf-8", "MIT"},
		{all, "GET", "/assets/nothing.js", 404, "application/json", `"code":"NOT_FOUND"`},
		{all, "GET", "/assets/", 404, "", ""},
		{all, "GET", "/assets/..%2Fplayground.html", 404, "application/json", `"code":"NOT_FOUND"`},
		{all, "GET", "/images/avatar.png", 200, "image/png", "\x89PNG"},
		{Config{}, "GET", "/images/company.png", 200, "image/png", "\x89PNG"},
		{all, "GET", "/errors", 404, "", ""},
		{all, "GET", "/errors/", 404, "", ""},
		{all, "GET", "/errors/INTERNAL", 200, "text/html; charset=utf-8", "HTTP status 500 Internal Server Error"},
		{all, "GET", "/errors/internal", 404, "application/json", `"code":"NOT_FOUND"`},
		{all, "GET", "/errors/NO_SUCH_CODE", 404, "application/json", `"code":"NOT_FOUND"`},
		{all, "GET", "/errors/%3Cscript%3E", 404, "application/json", `"code":"NOT_FOUND"`},
		{Config{Docs: true}, "GET", "/playground", 404, "", ""},
		{Config{Docs: true}, "GET", "/docs", 200, "text/html; charset=utf-8", ""},
		{Config{Playground: true}, "GET", "/docs", 404, "", ""},
		{Config{Playground: true}, "GET", "/playground", 200, "text/html; charset=utf-8", ""},
		{Config{}, "GET", "/assets/licenses.txt", 404, "", ""},
		{Config{}, "GET", "/errors/FORBIDDEN", 200, "text/html; charset=utf-8", "Tidak diizinkan"},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			res := do(newMux(tt.cfg), tt.method, tt.path, nil)
			if res.Code != tt.status {
				t.Fatalf("status %d, want %d", res.Code, tt.status)
			}
			if got := res.Header().Get("Content-Type"); tt.contentType != "" && got != tt.contentType {
				t.Errorf("Content-Type %q, want %q", got, tt.contentType)
			}
			if !strings.Contains(res.Body.String(), tt.contains) {
				t.Errorf("%q is not in %.300q", tt.contains, res.Body)
			}
		})
	}
}

func TestHomeLinksOnlyWhatIsOn(t *testing.T) {
	body := get(newMux(Config{}), "/", nil).Body.String()
	for _, link := range []string{"/playground", "/docs"} {
		if strings.Contains(body, `href="`+link+`"`) {
			t.Errorf("links to %s, which is off", link)
		}
	}
}

func TestHeaders(t *testing.T) {
	mux := newMux(Config{Playground: true, Docs: true})
	hashed := regexp.MustCompile(`/assets/playground-[^"]+\.js`).FindString(get(mux, "/playground", nil).Body.String())
	tests := []struct{ path, cache, policy string }{
		{"/", "private, no-cache", "default-src 'none'"},
		{"/errors/FORBIDDEN", "private, no-cache", "default-src 'none'"},
		{"/playground", "private, no-cache", "default-src 'self'"},
		{"/docs", "private, no-cache", "default-src 'self'"},
		{"/assets/licenses.txt", "private, no-cache", "default-src 'self'"},
		{hashed, "public, max-age=31536000, immutable", "default-src 'self'"},
		{"/images/avatar.png", "public, max-age=86400", ""},
		{"/images/company.png", "public, max-age=86400", ""},
	}
	for _, tt := range tests {
		h := get(mux, tt.path, nil).Header()
		if got := h.Get("Cache-Control"); got != tt.cache {
			t.Errorf("%s: Cache-Control %q, want %q", tt.path, got, tt.cache)
		}
		if got := h.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("%s: X-Content-Type-Options %q", tt.path, got)
		}
		policy := h.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, tt.policy) {
			t.Errorf("%s: policy %q, want %q first", tt.path, policy, tt.policy)
		}
		if tt.policy == "" {
			continue
		}
		for _, want := range []string{"frame-ancestors 'none'", "base-uri 'none'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: policy %q lacks %s", tt.path, policy, want)
			}
		}
		for _, loose := range []string{"http", "unsafe-eval", "script-src", "*"} {
			if strings.Contains(policy, loose) {
				t.Errorf("%s: policy %q has %s", tt.path, policy, loose)
			}
		}
	}
}

// TestCodePages checks that each code's page has its title in both languages, and
// nothing of a template left in it.
func TestCodePages(t *testing.T) {
	mux := newMux(Config{})
	for _, code := range errs.Codes() {
		entry, _ := errs.Describe(code.String())
		body := get(mux, "/errors/"+code.String(), nil).Body.String()
		for _, want := range []string{code.String(), entry.En.Title, entry.ID.Title} {
			if !strings.Contains(body, html.EscapeString(want)) {
				t.Errorf("%s: %q is not in the page", code, want)
			}
		}
		for _, bad := range []string{"{{", "no value", "%!", "<p></p>"} {
			if strings.Contains(body, bad) {
				t.Errorf("%s: %q in the page", code, bad)
			}
		}
	}
}

// TestConflictPage checks that the page of CONFLICT lists its reasons with their texts, and
// that no other page does.
func TestConflictPage(t *testing.T) {
	body := get(newMux(Config{}), "/errors/CONFLICT", nil).Body.String()
	for reason := range errs.ConflictTexts() {
		if !strings.Contains(body, "<dt><code>"+string(reason)+"</code></dt>") {
			t.Errorf("%s is not in the page", reason)
		}
	}
	for _, want := range []string{"The period from ‹lockedFrom› to ‹lockedUntil› is locked.", "Periode ‹lockedFrom› sampai ‹lockedUntil› terkunci."} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not in the page", want)
		}
	}
	if body := get(newMux(Config{}), "/errors/CYCLE", nil).Body.String(); strings.Contains(body, "meta.conflict") {
		t.Error("the page of CYCLE has reasons of CONFLICT")
	}
}

func TestSampleNamesTheFacts(t *testing.T) {
	tests := []struct {
		code     errs.Code
		contains string
	}{
		{errs.OutsideLocation, "You are ‹distanceMeters› m from ‹address›; the limit is ‹radiusMeters› m."},
		{errs.OutsideLocation, "Anda berada ‹distanceMeters› m dari ‹address›; batasnya ‹radiusMeters› m."},
		{errs.Unauthenticated, "A valid ‹token› token is needed."},
		{errs.PayloadTooLarge, "larger than ‹limit› bytes"},
		{errs.Internal, "Something went wrong on our side."},
	}
	for _, tt := range tests {
		body := get(newMux(Config{}), "/errors/"+tt.code.String(), nil).Body.String()
		if !strings.Contains(body, tt.contains) {
			t.Errorf("%s: %q is not in the page", tt.code, tt.contains)
		}
	}
}
