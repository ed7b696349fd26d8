package middleware

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// A sink is a client that reads nothing.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(int)             {}
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }

// benchMux answers what phones ask most, without the work: little, and a long
// list.
func benchMux() *http.ServeMux {
	mux := http.NewServeMux()
	for path, size := range map[string]int{"GET /user/profile": 400, "GET /user": 400_000, "GET /users/{id}": 4_000_000} {
		body := []byte(`"` + strings.Repeat("employee ", size/9) + `"`)
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Set("Content-Type", "application/json")
			h.Set("Cache-Control", revalidate)
			h.Set("Content-Length", strconv.Itoa(len(body)))
			_, _ = w.Write(body)
		})
	}
	return mux
}

func benchHandler(log io.Writer) http.Handler {
	return Wrap(benchMux(), Config{
		PublicURL: "http://wf.test", Metrics: prometheus.NewRegistry(), Log: slog.New(slog.NewJSONHandler(log, nil)),
		Writes: func(string) bool { return false },
	})
}

// BenchmarkLayers is what a request pays before and after its handler.
func BenchmarkLayers(b *testing.B) {
	layers := benchHandler(io.Discard)
	for _, tt := range []struct{ name, path, header, value string }{
		{"small", "/user/profile", "X-Req-Id", "0123456789abcdef"},
		{"small without id", "/user/profile", "Accept", "*/*"},
		{"small with language", "/user/profile", "Accept-Language", "id-ID,id;q=0.9,en;q=0.8"},
		{"400 KB", "/user", "X-Req-Id", "0123456789abcdef"},
		{"400 KB not modified", "/user", "If-None-Match", entityTag([]byte(`"`+strings.Repeat("employee ", 400_000/9)+`"`), false)},
	} {
		b.Run(tt.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequest("GET", tt.path, nil)
				r.Header.Set(tt.header, tt.value)
				layers.ServeHTTP(&sink{http.Header{}}, r)
			}
		})
	}
}

// BenchmarkLoopback is the same with a connection, beside the bare handlers.
func BenchmarkLoopback(b *testing.B) {
	for _, h := range []struct {
		name string
		http.Handler
	}{{"bare", benchMux()}, {"layers", benchHandler(io.Discard)}} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		srv := &http.Server{Handler: h.Handler}
		go func() { _ = srv.Serve(listener) }()
		for _, path := range []string{"/user/profile", "/user", "/users/1"} {
			b.Run(h.name+path, func(b *testing.B) {
				client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
				b.ReportAllocs()
				for b.Loop() {
					resp, err := client.Get("http://" + listener.Addr().String() + path)
					if err != nil {
						b.Fatal(err)
					}
					_, _ = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
				}
			})
		}
		_ = srv.Close()
	}
}
