package middleware

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	otlptracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"workforce/internal/telemetry"
)

// TestTraced makes a span of each request but of probes and of connections that stay open, named by the
// route and by nothing that the client chose.
func TestTraced(t *testing.T) {
	var spans []string
	to := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var batch otlptracepb.TracesData
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = proto.Unmarshal(body, &batch)
		}
		if err != nil {
			t.Error(err)
			return
		}
		for _, s := range batch.ResourceSpans[0].ScopeSpans[0].Spans {
			text := s.Name + " " + s.Status.GetCode().String()
			for _, a := range s.Attributes {
				text += " " + a.Value.GetStringValue()
			}
			spans = append(spans, text)
		}
	}))
	defer to.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", to.URL)
	mux := http.NewServeMux()
	echo := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("fail") {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}
	mux.HandleFunc("GET /users/{id}", echo)
	mux.HandleFunc("/graphql", echo)
	mux.HandleFunc("GET /healthz", echo)
	for _, tt := range []struct{ method, target, header, want string }{
		{"GET", "/users/7?token=canary", "", "GET /users/{id} STATUS_CODE_UNSET GET r1 /users/{id}"},
		{"GET", "/users/7?fail", "", "GET /users/{id} STATUS_CODE_ERROR GET r1 /users/{id} Service Unavailable"},
		{"POST", "/graphql", "", "POST /graphql STATUS_CODE_UNSET POST r1 /graphql"},
		{"CANARY", "/graphql", "", "_OTHER /graphql STATUS_CODE_UNSET _OTHER r1 /graphql"},
		{"GET", "/canary", "", "GET STATUS_CODE_UNSET GET r1"},
		{"GET", "/healthz", "", ""},
		{"GET", "/graphql", "text/event-stream", ""},
	} {
		spans = nil
		tracer, err := telemetry.Open("v1", slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(tt.method, tt.target, nil)
		r.Header.Set("X-Req-Id", "r1")
		r.Header.Set("Accept", tt.header)
		Wrap(mux, Config{Tracer: tracer}).ServeHTTP(httptest.NewRecorder(), r)
		if err := tracer.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(strings.ReplaceAll(strings.Join(spans, ","), "  ", " ")); got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.method, tt.target, got, tt.want)
		}
	}
}
