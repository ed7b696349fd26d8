package telemetry

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	otlptracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// A receiver is a collector that refuses the first requests.
type receiver struct {
	mu      sync.Mutex
	refuse  []int // statuses of the first answers
	headers []http.Header
	paths   []string
	spans   []*otlptracepb.Span
}

func (c *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.headers, c.paths = append(c.headers, r.Header), append(c.paths, r.URL.Path)
	if len(c.refuse) > 0 {
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(c.refuse[0])
		c.refuse = c.refuse[1:]
		return
	}
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		body, _ = gzip.NewReader(r.Body) // a body that is none fails below
	}
	text, err := io.ReadAll(body)
	var batch otlptracepb.TracesData
	if err == nil {
		err = proto.Unmarshal(text, &batch)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for _, resource := range batch.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			c.spans = append(c.spans, scope.Spans...)
		}
	}
}

// setAll sets variables as a list of NAME=value.
func setAll(t *testing.T, vars string) {
	t.Helper()
	for pair := range strings.FieldsSeq(vars) {
		name, value, _ := strings.Cut(pair, "=")
		t.Setenv("OTEL_"+name, value)
	}
}

func TestSettings(t *testing.T) {
	notPEM := filepath.Join(t.TempDir(), "none.pem")
	if err := os.WriteFile(notPEM, []byte("canary"), 0o600); err != nil {
		t.Fatal(err)
	}
	const to = "EXPORTER_OTLP_ENDPOINT=http://collector:4318 "
	for _, tt := range []struct{ vars, url, fault string }{
		{"", "", ""},
		{"SERVICE_NAME=x", "", ""},
		{to, "http://collector:4318/v1/traces", ""},
		{"TRACES_EXPORTER=otlp", "http://localhost:4318/v1/traces", ""},
		{"TRACES_EXPORTER=none " + to, "", ""},
		{"SDK_DISABLED=TRUE " + to, "", ""},
		{"SDK_DISABLED=false " + to, "http://collector:4318/v1/traces", ""},
		{"EXPORTER_OTLP_ENDPOINT=https://c/base/", "https://c/base/v1/traces", ""},
		{to + "EXPORTER_OTLP_TRACES_ENDPOINT=https://t/path", "https://t/path", ""},
		{to + "EXPORTER_OTLP_PROTOCOL=http/protobuf", "http://collector:4318/v1/traces", ""},
		{to + "EXPORTER_OTLP_PROTOCOL=grpc", "", "OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf"},
		{to + "EXPORTER_OTLP_TRACES_PROTOCOL=http/json", "", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL must be http/protobuf"},
		{"TRACES_EXPORTER=canary", "", "OTEL_TRACES_EXPORTER must be otlp or none"},
		{"EXPORTER_OTLP_ENDPOINT=canary:4318", "", "OTEL_EXPORTER_OTLP_ENDPOINT must begin with"},
		{"EXPORTER_OTLP_TRACES_ENDPOINT=http://", "", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must begin with"},
		{to + "EXPORTER_OTLP_HEADERS=canary", "", "OTEL_EXPORTER_OTLP_HEADERS must be a list"},
		{to + "EXPORTER_OTLP_HEADERS=a=%zz", "", "OTEL_EXPORTER_OTLP_HEADERS must be a list"},
		{to + "EXPORTER_OTLP_TIMEOUT=10s", "", "OTEL_EXPORTER_OTLP_TIMEOUT must be a number"},
		{to + "EXPORTER_OTLP_TIMEOUT=0", "", "OTEL_EXPORTER_OTLP_TIMEOUT must be a number"},
		{to + "EXPORTER_OTLP_COMPRESSION=canary", "", "OTEL_EXPORTER_OTLP_COMPRESSION must be gzip or none"},
		{to + "TRACES_SAMPLER=canary", "", "OTEL_TRACES_SAMPLER must be one of always_on, "},
		{to + "TRACES_SAMPLER=traceidratio TRACES_SAMPLER_ARG=1.5", "", "OTEL_TRACES_SAMPLER_ARG must be"},
		{to + "TRACES_SAMPLER=parentbased_traceidratio TRACES_SAMPLER_ARG=NaN", "", "OTEL_TRACES_SAMPLER_ARG must be"},
		{to + "TRACES_SAMPLER=traceidratio TRACES_SAMPLER_ARG=0.01", "http://collector:4318/v1/traces", ""},
		{to + "EXPORTER_OTLP_CERTIFICATE=" + notPEM, "", "OTEL_EXPORTER_OTLP_CERTIFICATE must name"},
		{to + "EXPORTER_OTLP_CLIENT_CERTIFICATE=" + notPEM, "", "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE and"},
	} {
		t.Run(tt.vars, func(t *testing.T) {
			setAll(t, tt.vars)
			s, err := readSettings()
			if tt.fault == "" && (err != nil || s.url != tt.url || s.on != (tt.url != "")) {
				t.Errorf("%q, on %v, %v; want %q", s.url, s.on, err, tt.url)
			}
			if tt.fault != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.fault) || strings.Contains(err.Error(), "canary")) {
				t.Errorf("%v, want %s", err, tt.fault)
			}
		})
	}
}

// opened returns a tracer whose spans go to a receiver, and the lines that it logs.
func opened(t *testing.T, c *receiver, vars string) (*Tracer, *bytes.Buffer) {
	t.Helper()
	srv := httptest.NewServer(c)
	t.Cleanup(srv.Close)
	setAll(t, "EXPORTER_OTLP_ENDPOINT="+srv.URL+" "+vars)
	lines := new(bytes.Buffer)
	tracer, err := Open("v1", slog.New(slog.NewTextHandler(lines, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tracer.Close(context.Background()) }) // a second time where the test did
	return tracer, lines
}

func TestExport(t *testing.T) {
	c := &receiver{refuse: []int{503}}
	tracer, lines := opened(t, c, "EXPORTER_OTLP_HEADERS=api-key=a%20b,tenant=7 EXPORTER_OTLP_COMPRESSION=gzip")
	_, span := tracer.Request(t.Context(), http.Header{}, "GET")
	span.Set("http.route", "/user")
	span.Fail("Internal Server Error")
	span.End()
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(c.headers) != 2 || len(c.spans) != 1 || lines.Len() != 0 {
		t.Fatalf("%d requests, %d spans, log %s", len(c.headers), len(c.spans), lines)
	}
	h, s := c.headers[1], c.spans[0]
	if h.Get("Api-Key") != "a b" || h.Get("Tenant") != "7" || h.Get("Content-Type") != "application/x-protobuf" {
		t.Errorf("headers %v", h)
	}
	if s.Name != "GET" || s.Kind != otlptracepb.Span_SPAN_KIND_SERVER || len(s.ParentSpanId) != 0 ||
		s.Status.Code != otlptracepb.Status_STATUS_CODE_ERROR || s.Status.Message != "" || len(s.Attributes) != 2 {
		t.Errorf("span %v", s)
	}
}

// TestRefusedExport logs once that spans are not taken, and that they are again. It sends nothing to where
// an answer leads.
func TestRefusedExport(t *testing.T) {
	c := &receiver{refuse: []int{400, 307}}
	tracer, lines := opened(t, c, "")
	for range 3 {
		_, span := tracer.Resume(t.Context(), "", "job x")
		span.End()
		if err := tracer.provider.ForceFlush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.spans) != 1 || len(c.paths) != 3 || strings.Contains(fmt.Sprint(c.paths), "elsewhere") {
		t.Errorf("%d spans by %v", len(c.spans), c.paths)
	}
	if got := strings.Count(lines.String(), "the collector takes no spans"); got != 1 {
		t.Errorf("%d warnings: %s", got, lines)
	}
	if !strings.Contains(lines.String(), "takes spans again") || strings.Contains(lines.String(), "127.0.0.1") {
		t.Errorf("log %s", lines)
	}
}

// TestInbound takes the trace of a caller where its traceparent is one, and where the variables say so.
func TestInbound(t *testing.T) {
	const trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	for _, tt := range []struct {
		name, vars, sent string
		within, on       bool
	}{
		{"sampled", "", "00-" + trace + "-" + parent + "-01", true, true},
		{"not sampled", "", "00-" + trace + "-" + parent + "-00", true, false},
		{"none", "", "", false, true},
		{"not one", "", "00-" + trace + "-01", false, true},
		{"zeros", "", "00-00000000000000000000000000000000-" + parent + "-01", false, true},
		{"not wanted", "PROPAGATORS=none", "00-" + trace + "-" + parent + "-01", false, true},
		{"among others", "PROPAGATORS=b3,tracecontext", "00-" + trace + "-" + parent + "-01", true, true},
		{"no sampling", "TRACES_SAMPLER=always_off", "00-" + trace + "-" + parent + "-01", true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tracer, _ := opened(t, &receiver{}, tt.vars)
			ctx, span := tracer.Request(t.Context(), http.Header{"Traceparent": {tt.sent}, "Tracestate": {"a=canary"}}, "GET")
			got := Parent(ctx)
			if got == nil || len(*got) != 55 || strings.Contains(*got, trace) != tt.within || strings.Contains(*got, parent) {
				t.Errorf("within %v", got)
			}
			if span.On() != tt.on || On(ctx) != tt.on {
				t.Errorf("on %v, want %v", span.On(), tt.on)
			}
			if s := span.of.SpanContext().TraceState().String(); s != "" {
				t.Errorf("trace state %s", s)
			}
			later, resumed := tracer.Resume(context.Background(), *got, "job x")
			if resumed.On() != tt.on || (*Parent(later))[:36] != (*got)[:36] {
				t.Errorf("resumed %v as %v", *got, *Parent(later))
			}
		})
	}
}

func TestLog(t *testing.T) {
	tracer, _ := opened(t, &receiver{}, "")
	ctx, span := tracer.Request(t.Context(), http.Header{}, "GET")
	defer span.End()
	out := new(bytes.Buffer)
	log := tracer.Log(slog.New(slog.NewTextHandler(out, nil))).With("a", 1)
	log.InfoContext(ctx, "traced")
	log.InfoContext(t.Context(), "other")
	if id := (*Parent(ctx))[3:35]; strings.Count(out.String(), " a=1 traceId="+id+"\n") != 1 || strings.Count(out.String(), "traceId") != 1 {
		t.Errorf("log %s", out)
	}
	plain := slog.New(slog.NewTextHandler(out, nil))
	if (*Tracer)(nil).Log(plain) != plain {
		t.Error("without a tracer the log is another one")
	}
}

// off does what a request, a statement, a job and a message do, without a tracer.
func off(ctx context.Context, h http.Header) {
	var tracer *Tracer
	ctx, request := tracer.Request(ctx, h, "GET")
	request.Set("http.route", "/user")
	request.SetInt("http.response.status_code", 200)
	request.Name("GET /user")
	if On(ctx) {
		panic("a span is recorded")
	}
	ctx, span := Start(ctx, Client, "SELECT users")
	span.Fail("away")
	span.End()
	Of(ctx).End()
	if Parent(ctx) != nil {
		panic("there is a trace")
	}
	_, job := tracer.Resume(ctx, "", "job x")
	job.End()
	request.End()
}

func TestNothingIsAllocatedWhenOff(t *testing.T) {
	ctx, h := t.Context(), http.Header{"Traceparent": {"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}}
	if n := testing.AllocsPerRun(100, func() { off(ctx, h) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkOff(b *testing.B) {
	ctx, h := b.Context(), http.Header{"Traceparent": {"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}}
	b.ReportAllocs()
	for b.Loop() {
		off(ctx, h)
	}
}
