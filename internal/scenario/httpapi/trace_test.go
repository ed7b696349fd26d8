package httpapi

import (
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	otlptracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	entJob "workforce/ent/job"
	entMessage "workforce/ent/message"
	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/persisted"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/telemetry"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// A collector takes spans by OTLP over HTTP.
type collector struct {
	mu    sync.Mutex
	spans []*otlptracepb.Span
	about string // the resource of the last batch
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var batch otlptracepb.TracesData
	if err == nil {
		err = proto.Unmarshal(body, &batch)
	}
	if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" {
		http.Error(w, "no batch", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, resource := range batch.ResourceSpans {
		c.about = resource.Resource.String()
		for _, scope := range resource.ScopeSpans {
			c.spans = append(c.spans, scope.Spans...)
		}
	}
}

// of returns the spans of a trace, by name; of several of a name the first.
func (c *collector) of(trace string) map[string]*otlptracepb.Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := map[string]*otlptracepb.Span{}
	for _, s := range slices.Backward(c.spans) {
		if hex.EncodeToString(s.TraceId) == trace {
			all[s.Name] = s
		}
	}
	return all
}

// assign has an owner give somebody a shift in a request with more headers: a job tells them of it.
func assign(t *testing.T, s *harness.Server, more ...string) {
	t.Helper()
	s.SignIn(t, "admin", "admin@demo.test")
	ask := func(save, mutation string, header map[string]string) apitest.Scenario {
		field, _, _ := strings.Cut(mutation, "(")
		return apitest.Scenario{Path: "/graphql", Header: header, Status: 200, Body: apitest.Query("mutation{"+mutation+"{id}}", nil),
			Want: `{"data":{"` + field + `":{"id":"<digits>"}}}`, Save: map[string]string{save: "/data/" + field + "/id"}}
	}
	s.Must(t, []apitest.Scenario{
		ask("canary", `createShift(input:{name:"Canary",startTime:"21:07",endTime:"23:00"})`, harness.Bearer("admin")),
		ask("wati", `createUser(input:{name:"Canary",email:"wati@demo.test",password:"demo-password"})`, harness.Bearer("admin")),
		ask("given", `assignShift(input:{userId:"{{wati}}",shiftId:"{{canary}}",startsOn:"2026-05-11"})`,
			harness.Bearer("admin", more...)),
	})
	told := s.Store.Ent.Message.Query().Where(entMessage.Kind("shifts_changed"), entMessage.StatusEQ(entMessage.StatusSent))
	for end := time.Now().Add(10 * time.Second); told.CountX(viewer.System(t.Context())) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nobody was told")
		}
	}
}

// TestTrace follows a phone's trace by its traceparent: to the statements of its request, to the job that
// the request queued, and to the message that the job wrote.
func TestTrace(t *testing.T) {
	spans := &collector{}
	to := httptest.NewServer(spans)
	t.Cleanup(to.Close)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", to.URL)
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test")
	testdb.Each(t, func(t *testing.T, database string) {
		const phone = "00f067aa0ba902b7"
		trace := persisted.Hash(t.Name())[:32]
		tracer, err := telemetry.Open("v1.2.3", slog.New(slog.DiscardHandler))
		if err != nil || tracer == nil {
			t.Fatal(tracer, err)
		}
		s := harness.New(t, database, func(c *server.Config) { c.Tracer = tracer })
		assign(t, s, "Traceparent", "00-"+trace+"-"+phone+"-01", "X-Req-Id", "traced")
		if line := requestLine(s, "traced"); !strings.Contains(line, "traceId="+trace) {
			t.Errorf("log: %q", line)
		}
		s.Rest()
		if err := tracer.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantTrace(t, spans, trace, phone)
		wantNoSecrets(t, spans)
	})
}

// wantTrace compares which spans of a trace are within which.
func wantTrace(t *testing.T, spans *collector, trace, phone string) {
	t.Helper()
	got := spans.of(trace)
	parents := map[string]string{ // by name
		"POST /graphql":            "",
		"mutation other":           "POST /graphql",
		"INSERT shift_assignments": "mutation other",
		"INSERT jobs":              "mutation other",
		"COMMIT":                   "mutation other",
		"job tell_shifts":          "mutation other",
		"INSERT messages":          "job tell_shifts",
		"message shifts_changed":   "job tell_shifts",
		"carry":                    "message shifts_changed",
	}
	for name, parent := range parents {
		want := phone
		if p := got[parent]; p != nil {
			want = hex.EncodeToString(p.SpanId)
		}
		if s := got[name]; s == nil {
			t.Errorf("no span %s", name)
		} else if hex.EncodeToString(s.ParentSpanId) != want {
			t.Errorf("%s is not within %s", name, parent)
		}
	}
	if t.Failed() {
		for name, s := range got {
			t.Logf("%s %x in %x %v", name, s.SpanId, s.ParentSpanId, s.Attributes)
		}
	}
	for _, want := range []string{`"workforce"`, `"v1.2.3"`, `"deployment.environment"`} {
		if !strings.Contains(spans.about, want) {
			t.Errorf("resource %s, want %s", spans.about, want)
		}
	}
}

// secret matches what no span may have: tokens, codes, addresses, numbers and exact positions.
var secret = regexp.MustCompile(`wf[adrukw]_|` + demo.Password + `|@|\+62|Canary|Bearer|\b\d{6}\b|\d\.\d{4}`)

func wantNoSecrets(t *testing.T, spans *collector) {
	t.Helper()
	spans.mu.Lock()
	defer spans.mu.Unlock()
	for _, s := range spans.spans {
		text := fmt.Sprint(s.Name, s.Attributes, s.Events, s.Status, s.TraceState)
		if found := secret.FindString(text); found != "" {
			t.Errorf("%s shows %s: %s", s.Name, found, text)
		}
	}
}

// TestNoTrace keeps no trace with jobs and messages where none are made.
func TestNoTrace(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		assign(t, s, "Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "X-Req-Id", "untraced")
		if line := requestLine(s, "untraced"); line == "" || strings.Contains(line, "traceId") {
			t.Errorf("log: %q", line)
		}
		ctx, db := viewer.System(t.Context()), s.Store.Ent
		jobs, messages := db.Job.Query(), db.Message.Query()
		if jobs.CountX(ctx) == 0 || messages.CountX(ctx) == 0 {
			t.Fatal("there are no jobs or no messages")
		}
		traced := jobs.Where(entJob.Not(entJob.TraceIsNil())).CountX(ctx) +
			messages.Where(entMessage.Not(entMessage.TraceIsNil())).CountX(ctx)
		if traced != 0 {
			t.Errorf("%d jobs and messages have a trace", traced)
		}
	})
}
