package httpapi

import (
	"fmt"
	"maps"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
	"workforce/internal/web"
)

// TestRefusalMetrics counts refused sign-ins and clock-ins by field and code, those of
// both APIs and under whatever alias.
func TestRefusalMetrics(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		s.SignIn(t, "budi", "budi@demo.test")
		s.Run(t, []apitest.Scenario{
			{Path: "/user/login", Header: harness.DeviceOf("budi"), Body: `{"username":"nobody@demo.test","password":"wrong"}`, Status: 401},
			{Path: "/graphql", Header: harness.DeviceOf("budi"), Status: 200,
				Body: `{"query":"mutation{canary:login(input:{username:\"nobody@demo.test\",password:\"wrong\"}){verified}}"}`},
			{Path: "/attendance/clockIn", Header: harness.Bearer("budi"), Body: `{"addressId":"999999999"}`, Status: 422},
			{Method: "GET", Path: "/user/profile", Status: 401},
			{Method: "GET", Path: "/user/profile", Header: harness.Bearer("budi"), Status: 200},
		})
		for line, want := range map[string]bool{
			`workforce_refusals_total{code="INVALID_CREDENTIALS",field="login"} 2`: true,
			`workforce_refusals_total{code="VALIDATION_FAILED",field="clockIn"} 1`: true,
			`workforce_refusals_total{code="UNAUTHENTICATED",field="profile"} 1`:   true,
			`workforce_messages{status="queued"}`:                                  true,
			`workforce_messages{status="failed"} 0`:                                true,
			`workforce_messages_oldest_queued_seconds`:                             true,
			`workforce_idempotency_claims_in_progress 0`:                           true,
			`canary`: false,
		} {
			wantMetric(t, s, line, want)
		}
	})
}

func wantMetric(t *testing.T, s *harness.Server, line string, want bool) {
	t.Helper()
	metrics := httptest.NewRecorder()
	s.Admin.ServeHTTP(metrics, httptest.NewRequest("GET", "/metrics", nil))
	if strings.Contains(metrics.Body.String(), line) != want {
		t.Errorf("/metrics has %s: %v, want %v\n%s", line, !want, want, ours(metrics.Body.String()))
	}
}

// ownDocument returns a query of the web app without variables, and its name.
func ownDocument(t *testing.T) (name, text string) {
	t.Helper()
	all, err := web.Documents()
	if err != nil {
		t.Fatal(err)
	}
	texts := slices.Sorted(maps.Values(all))
	i := slices.IndexFunc(texts, func(s string) bool { return regexp.MustCompile(`^query \w+ ?\{`).MatchString(s) })
	if i < 0 {
		t.Fatalf("no query without variables among %d", len(texts))
	}
	return regexp.MustCompile(`\w+`).FindAllString(texts[i], 2)[1], texts[i]
}

// TestOperationMetrics holds that operations are measured, and logged, under the names of the documents
// that the server knows and no others, however they end, and that sign-ins and clock events are counted
// by what they are.
func TestOperationMetrics(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		s.SignIn(t, "budi", "budi@demo.test")
		s.SaveSites(t, "budi")
		s.SaveShift(t, "budi")
		name, text := ownDocument(t)
		query := func(id, document string) apitest.Scenario {
			return apitest.Scenario{Path: "/graphql", Header: harness.Bearer("budi", "X-Req-Id", id), Status: 200,
				Body: apitest.Query(document, nil)}
		}
		keyed := harness.Bearer("budi", "Idempotency-Key", "the-clock-in", "X-Req-Id", "clocking")
		clockIn := harness.ClockIn("budi")
		clockIn.Header = keyed
		s.Run(t, []apitest.Scenario{
			{Path: "/user/login", Header: harness.DeviceOf("budi"), Body: `{"username":"nobody@demo.test","password":"wrong"}`, Status: 401},
			{Path: "/attendance/clockIn", Header: harness.Bearer("budi"), Body: `{"addressId":"999999999"}`, Status: 422},
			{Path: "/attendance/clockIn", Header: harness.Bearer("budi"), Body: `{"addressId":[]}`, Status: 422},
			clockIn,
			harness.Replayed(clockIn),
			{Method: "GET", Path: "/user/profile", Status: 401},
			query("own", text),
			query("made-up", "query Canary{profile{name}}"),
			query("pretends", "query "+name+"{profile{name}}"),
			{Path: "/graphql", Header: harness.Bearer("budi", "X-Req-Id", "outdated"), Status: 200,
				Body:       apitest.Query(`{taskImages(taskId:"999999999"){id}}`, nil),
				WantHeader: map[string]string{"Deprecation": "@1795910400", "Sunset": ""}},
		})
		const count = "workforce_graphql_duration_seconds_count"
		for line, want := range map[string]bool{
			count + `{kind="mutation",operation="Login",outcome="ok"} 1`:                              true,
			count + `{kind="mutation",operation="Login",outcome="refused"} 1`:                         true,
			count + `{kind="mutation",operation="ClockIn",outcome="refused"} 2`:                       true,
			count + `{kind="mutation",operation="ClockIn",outcome="ok"} 2`:                            true,
			count + `{kind="query",operation="Profile",outcome="refused"} 1`:                          true,
			count + `{kind="query",operation="` + name + `",outcome="ok"} 1`:                          true,
			count + `{kind="query",operation="other",outcome="ok"} 2`:                                 true,
			`workforce_deprecated_uses_total{what="Query.taskImages(taskId:)"} 1`:                     true,
			`workforce_sign_ins_total{method="password",outcome="INVALID_CREDENTIALS"} 1`:             true,
			`workforce_sign_ins_total{method="password",outcome="ok"} 1`:                              true,
			`workforce_sign_ins_total{method="code",outcome="ok"} 1`:                                  true,
			`workforce_clock_events_total{event="in",outcome="ok",source="app"} 1`:                    true,
			`workforce_clock_events_total{event="in",outcome="VALIDATION_FAILED",source="unknown"} 1`: true,
			`workforce_sql_duration_seconds_count{kind="select"}`:                                     true,
			`workforce_sql_duration_seconds_count{kind="commit"}`:                                     true,
			`workforce_build_info{revision="",version="unknown"} 1`:                                   true,
			`anary`: false,
		} {
			wantMetric(t, s, line, want)
		}
		if line := requestLine(s, "outdated"); !strings.Contains(line, " deprecated=[Query.taskImages(taskId:)]") {
			t.Errorf("what is deprecated: %q", line)
		}
		for id, operation := range map[string]string{"own": name, "made-up": "other", "pretends": "other", "clocking": "ClockIn"} {
			line := requestLine(s, id)
			if !strings.Contains(line, " operation="+operation) {
				t.Errorf("%s: %q, want the operation %s", id, line, operation)
			}
		}
	})
}

// requestLine returns the line of the access log of a request.
func requestLine(s *harness.Server, id string) (line string) {
	for l := range strings.Lines(s.Log.Lines()) {
		if strings.HasPrefix(l, "request ") && strings.Contains(l, "requestId="+id+" ") {
			line = l
		}
	}
	return line
}

var workforceLine = regexp.MustCompile(`(?m)^workforce_.*$`)

func ours(metrics string) string { return strings.Join(workforceLine.FindAllString(metrics, -1), "\n") }

// TestAccessLogNamesPerson holds that a line of the access log has the ids of the
// person and the company of the request's tokens, and none where nobody is known.
func TestAccessLogNamesPerson(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		s.SignIn(t, "budi", "budi@demo.test")
		budi := s.Store.Ent.User.Query().Where(user.EmailKey("budi@demo.test")).OnlyX(viewer.System(t.Context()))
		named := fmt.Sprintf(" user=%d company=%d", budi.ID, budi.CompanyID)
		tests := []struct {
			id, path string
			header   map[string]string
			status   int
			want     bool
		}{
			{"by-access", "/user/profile", harness.Bearer("budi"), 200, true},
			{"by-refresh", "/authorize/refresh-token", map[string]string{"x-Refresh-Token": "{{budi.refresh}}"}, 200, true},
			{"malformed", "/graphql", harness.Bearer("budi"), 400, true},
			{"by-none", "/user/profile", nil, 401, false},
			{"by-device", "/encrypt", harness.DeviceOf("budi"), 200, false},
			{"of-a-page", "/docs", harness.Bearer("budi"), 200, false},
		}
		for _, tt := range tests {
			header := map[string]string{"X-Req-Id": tt.id}
			for name, value := range tt.header {
				header[name] = value
			}
			s.Run(t, []apitest.Scenario{{Method: "GET", Path: tt.path, Header: header, Status: tt.status}})
			line := requestLine(s, tt.id)
			if line == "" || strings.Contains(line, named) != tt.want || strings.Contains(line, " user=") != tt.want {
				t.Errorf("%s: %q, want%s: %v", tt.path, line, named, tt.want)
			}
		}
	})
}
