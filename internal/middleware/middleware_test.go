package middleware

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// failing serves handlers that fail in every way, and logs to the buffer.
func failing(t *testing.T) (*httptest.Server, *bytes.Buffer) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /early", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "5")
		w.Header().Set("ETag", `"x"`)
		panic("secret")
	})
	mux.HandleFunc("GET /late", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "half")
		panic("secret")
	})
	mux.HandleFunc("GET /held", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", revalidate)
		_, _ = io.WriteString(w, "half")
		panic("secret")
	})
	mux.HandleFunc("GET /abort", func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("GET /fine", func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "fine") })
	mux.HandleFunc("GET /silent", func(w http.ResponseWriter, r *http.Request) {})
	mux.HandleFunc("GET /full", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(503) })
	log := new(bytes.Buffer)
	h := Wrap(mux, Config{PublicURL: "https://api.example.com", Log: slog.New(slog.NewTextHandler(log, nil))})
	srv := httptest.NewUnstartedServer(h)
	srv.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	srv.Start()
	t.Cleanup(srv.Close)
	return srv, log
}

func TestPanicAnswersInternal(t *testing.T) {
	srv, log := failing(t)
	resp, err := http.Get(srv.URL + "/early")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 500 || strings.Contains(string(body), "secret") || resp.Header.Get("ETag") != "" {
		t.Errorf("got %v %d %s", err, resp.StatusCode, body)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	checkProblem(t, resp)
	srv.Close() // the log is complete then
	id := resp.Header.Get("X-Req-Id")
	if text := log.String(); strings.Count(text, "panic=secret") != 1 || !strings.Contains(text, "requestId="+id) ||
		!strings.Contains(text, "middleware_test.go") {
		t.Errorf("log:\n%s", text)
	}
}

// TestLateAnswer answers after the write deadline of the request has passed.
func TestLateAnswer(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /late", func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).SetWriteDeadline(time.Unix(1, 0)); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	srv := httptest.NewServer(Wrap(mux, Config{}))
	defer srv.Close()
	client := http.Client{Transport: &http.Transport{DisableCompression: true}}
	resp, err := client.Get(srv.URL + "/late")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); resp.StatusCode != 503 || err != nil {
		t.Errorf("%d %s %v", resp.StatusCode, body, err)
	}
}

func TestHalfAnAnswerIsCutOff(t *testing.T) {
	for _, encoding := range []string{"identity", "gzip"} {
		for _, path := range []string{"/late", "/held", "/abort"} {
			srv, log := failing(t)
			r, err := http.NewRequest("GET", srv.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Accept-Encoding", encoding)
			resp, err := http.DefaultTransport.RoundTrip(r)
			if err == nil {
				_, err = io.ReadAll(resp.Body)
				_ = resp.Body.Close()
			}
			if err == nil {
				t.Errorf("%s %s: a whole answer, %d", encoding, path, resp.StatusCode)
			}
			srv.Close()
			if got, want := strings.Count(log.String(), "panic=secret"), strings.Count("/late /held", path); got != want {
				t.Errorf("%s %s: logged %d times, want %d", encoding, path, got, want)
			}
			if !strings.Contains(log.String(), "aborted=true") {
				t.Errorf("%s %s: log:\n%s", encoding, path, log)
			}
		}
	}
}

func TestAccessLog(t *testing.T) {
	tests := []struct {
		target string
		want   []string
	}{
		{"/fine?token=canary", []string{"level=INFO", "method=GET", "path=/fine ", "status=200", "bytes=4", "remote=192.0.2.1", "requestId=r1", "aborted=false", "duration="}},
		{"/silent", []string{"level=INFO", "status=200", "bytes=0"}},
		{"/nothing%0alevel=ERROR", []string{"level=INFO", "status=404", `path="/nothing\nlevel=ERROR"`}},
		{"/early", []string{"level=ERROR msg=request", "status=500"}},
		{"/full", []string{"level=WARN msg=request", "status=503"}},
	}
	for _, tt := range tests {
		t.Run(tt.target, func(t *testing.T) {
			srv, log := failing(t)
			r := httptest.NewRequest("GET", tt.target, strings.NewReader("canary"))
			r.Header.Set("X-Req-Id", "r1")
			r.Header.Set("Authorization", "Bearer canary")
			srv.Config.Handler.ServeHTTP(httptest.NewRecorder(), r)
			lines := strings.Split(strings.TrimSpace(log.String()), "\n")
			line := lines[len(lines)-1]
			for _, want := range tt.want {
				if !strings.Contains(line, want) {
					t.Errorf("no %s in %s", want, line)
				}
			}
			if strings.Contains(log.String(), "canary") {
				t.Errorf("log holds a secret:\n%s", log)
			}
		})
	}
}

func TestMetrics(t *testing.T) {
	reg := prometheus.NewRegistry()
	h := Wrap(testMux(), Config{Metrics: reg})
	for _, line := range []string{"GET /user/1", "GET /user/2", "HEAD /user", "BREW /user", "GET /nothing"} {
		method, target, _ := strings.Cut(line, " ")
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, target, nil))
	}
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]uint64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			key := f.GetName()
			for _, l := range m.GetLabel() { // sorted by name
				key += " " + l.GetValue()
			}
			got[key] += uint64(m.GetCounter().GetValue()) + m.GetHistogram().GetSampleCount() + uint64(m.GetGauge().GetValue())
		}
	}
	for key, want := range map[string]uint64{
		"http_requests_total 200 get GET /user/{id}":       2,
		"http_requests_total 200 head GET /user":           1,
		"http_requests_total 405 unknown ":                 1,
		"http_requests_total 404 get ":                     1,
		"http_request_duration_seconds get GET /user/{id}": 2,
		"http_request_duration_seconds head GET /user":     1,
		"http_requests_in_flight":                          0,
	} {
		if n, ok := got[key]; !ok || n != want {
			t.Errorf("%s = %d (there: %v), want %d", key, n, ok, want)
		}
	}
}

func TestCORS(t *testing.T) {
	origins, err := ParseOrigins([]string{"https://app.example.com", "https://*.example.org"})
	if err != nil {
		t.Fatal(err)
	}
	const request = "authorization,content-type,idempotency-key,if-none-match,x-access-token,x-app-version," +
		"x-device-token,x-language,x-refresh-token,x-req-id,x-user-token"
	tests := []struct {
		name, method, origin string
		headers              []string
		status               int
		allow                string
	}{
		{"preflight", "OPTIONS", "https://app.example.com", []string{"Access-Control-Request-Method", "DELETE", "Access-Control-Request-Headers", request}, 204, "https://app.example.com"},
		{"preflight by wildcard", "OPTIONS", "https://a.example.org", []string{"Access-Control-Request-Method", "POST"}, 204, "https://a.example.org"},
		{"preflight of another origin", "OPTIONS", "https://evil.example", []string{"Access-Control-Request-Method", "POST"}, 204, ""},
		{"preflight of a name like it", "OPTIONS", "https://app.example.com.evil.example", []string{"Access-Control-Request-Method", "POST"}, 204, ""},
		{"preflight of another scheme", "OPTIONS", "http://app.example.com", []string{"Access-Control-Request-Method", "POST"}, 204, ""},
		{"preflight of another method", "OPTIONS", "https://app.example.com", []string{"Access-Control-Request-Method", "TRACE"}, 204, ""},
		{"preflight of another header", "OPTIONS", "https://app.example.com", []string{"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "x-signature"}, 204, ""},
		{"request", "GET", "https://app.example.com", nil, 200, "https://app.example.com"},
		{"request of another origin", "GET", "https://evil.example", nil, 200, ""},
		{"request of no origin", "GET", "null", nil, 200, ""},
		{"error", "POST", "https://app.example.com", nil, 405, "https://app.example.com"},
	}
	h := Wrap(testMux(), Config{CORS: origins})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(tt.method, "/user", nil)
			r.Header.Set("Origin", tt.origin)
			for i := 0; i < len(tt.headers); i += 2 {
				r.Header.Set(tt.headers[i], tt.headers[i+1])
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if got := w.Header().Get("Access-Control-Allow-Origin"); w.Code != tt.status || got != tt.allow {
				t.Errorf("got %d %q, want %d %q", w.Code, got, tt.status, tt.allow)
			}
			if w.Header().Get("X-Req-Id") == "" || !strings.Contains(w.Header().Get("Vary"), "X-Language, Origin") {
				t.Errorf("headers %v", w.Header())
			}
			if tt.method == "GET" && tt.allow != "" {
				for _, name := range []string{"Etag", "X-Total-Count", "Retry-After", "Ratelimit-Reset", "Content-Disposition"} {
					if !strings.Contains(w.Header().Get("Access-Control-Expose-Headers"), name) {
						t.Errorf("%s is not exposed", name)
					}
				}
			}
		})
	}
}

func TestNoCORS(t *testing.T) {
	origins, err := ParseOrigins(nil)
	if err != nil || origins != nil {
		t.Fatalf("got %v, %v", origins, err)
	}
	r := httptest.NewRequest("OPTIONS", "/user", nil)
	r.Header.Set("Origin", "https://app.example.com")
	r.Header.Set("Access-Control-Request-Method", "GET")
	w := httptest.NewRecorder()
	Wrap(testMux(), Config{CORS: origins}).ServeHTTP(w, r)
	if w.Code != 204 || w.Header().Get("Allow") != "GET, HEAD, OPTIONS" || w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("got %d %v", w.Code, w.Header())
	}
}

func TestParseOriginsRefuses(t *testing.T) {
	for _, bad := range []string{"", "app.example.com", "https://app.example.com/", "https://app.example.com/x", "https://", "null", "https://u@h", "//h"} {
		if _, err := ParseOrigins([]string{bad}); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
	for _, good := range []string{"*", "https://app.example.com", "http://localhost:5173", "capacitor://localhost", "http://[::1]:8080"} {
		if _, err := ParseOrigins([]string{good}); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
}
