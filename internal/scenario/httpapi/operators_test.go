package httpapi

import (
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
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
			metrics := httptest.NewRecorder()
			s.Admin.ServeHTTP(metrics, httptest.NewRequest("GET", "/metrics", nil))
			if strings.Contains(metrics.Body.String(), line) != want {
				t.Errorf("/metrics has %s: %v, want %v\n%s", line, !want, want, ours(metrics.Body.String()))
			}
		}
	})
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
			var line string
			for l := range strings.Lines(s.Log.Lines()) {
				if strings.HasPrefix(l, "request ") && strings.Contains(l, "requestId="+tt.id+" ") {
					line = l
				}
			}
			if line == "" || strings.Contains(line, named) != tt.want || strings.Contains(line, " user=") != tt.want {
				t.Errorf("%s: %q, want%s: %v", tt.path, line, named, tt.want)
			}
		}
	})
}
