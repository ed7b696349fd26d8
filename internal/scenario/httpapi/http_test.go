package httpapi

import (
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
)

// gated is a server with minimum versions, and one origin that may call.
func gated(s *server.Config) {
	s.MinAppVersion, s.UpdateURL, s.CORSOrigins = "android=2.3.0,web=1.0.0", "https://example.com/update", "https://app.example.com"
}

// TestVersionGate refuses old apps in both APIs, and nowhere else.
func TestVersionGate(t *testing.T) {
	const meta = `{"minimumVersion":"2.3.0","updateUrl":"https://example.com/update"}`
	refused := harness.ProblemText("UPGRADE_REQUIRED", "Update the app", "426", "Version 2.3.0 or newer of the app is needed.", "[]", meta)
	upgrade := map[string]string{"Upgrade": "android/2.3.0", "Connection": "Upgrade"}
	with := func(version string, tokens ...string) map[string]string {
		h := map[string]string{"X-App-Version": version, "X-Language": "en"}
		for i := 0; i+1 < len(tokens); i += 2 {
			h[tokens[i]] = tokens[i+1]
		}
		return h
	}
	register := func(name, platform, version string, status int, want string) apitest.Scenario {
		sc := apitest.Scenario{Name: "registering " + name, Path: "/device/register", Header: with(version),
			Body: `{"deviceId":"x","platform":"` + platform + `"}`, Status: status, Want: want}
		if status == 426 {
			sc.WantHeader = upgrade
		}
		return sc
	}
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		s.SignIn(t, "budi", "budi@demo.test") // on Android, without a version
		var all []apitest.Scenario
		for header, token := range map[string]string{
			"Authorization": "Bearer {{budi.access}}", "x-Access-Token": "{{budi.access}}", "x-User-Token": "{{budi.user}}",
			"x-Refresh-Token": "{{budi.refresh}}", "X-Device-Token": "{{budi.device}}",
		} {
			all = append(all,
				apitest.Scenario{Name: "too old by " + header, Path: "/user/profile", Header: with("2.2.9", header, token), Status: 426, Want: refused, WantHeader: upgrade},
				apitest.Scenario{Name: "GraphQL too old by " + header, Path: "/graphql", Body: `{"query":"{__typename}"}`, Header: with("2.2.9", header, token), Status: 426, WantHeader: upgrade,
					Want: `{"errors":[{"message":"Version 2.3.0 or newer of the app is needed.","extensions":{"code":"UPGRADE_REQUIRED","errors":[],"meta":` + meta + `,"requestId":"<any>"}}]}`})
		}
		for _, version := range []string{"", "2.3.0", "2.10.0", "3", "new", "2.3.x"} {
			all = append(all, apitest.Scenario{Name: "let through: " + version, Path: "/user/profile", Header: with(version, "x-Access-Token", "{{budi.access}}"), Status: 200})
		}
		for _, path := range []string{"/healthz", "/readyz", "/openapi.json", "/docs", "/playground", "/errors/NOT_FOUND", "/metrics"} {
			all = append(all, apitest.Scenario{Name: path, Path: path, Header: with("0.0.1", "x-Access-Token", "{{budi.access}}"), Status: 200})
		}
		s.Run(t, append(all,
			register("an old app", "android", "2.2.9", 426, refused),
			register("a new app", "android", "2.3.0", 200, `{"deviceToken":"<token wfd>"}`),
			register("an app without a minimum", "ios", "0.0.1", 200, `{"deviceToken":"<token wfd>"}`),
			register("an unknown platform", "x", "0.0.1", 422, ""),
			apitest.Scenario{Name: "without a token there is no platform", Path: "/user/profile", Header: with("0.0.1"), Status: 401, Want: harness.UnsignedText("access", "missing")},
			apitest.Scenario{Name: "before faults of the request", Path: "/user?limit=0", Header: with("2.2.9", "x-Access-Token", "{{budi.access}}"), Status: 426, Want: refused},
			apitest.Scenario{Name: "no control is relaxed", Path: "/user/profile", Header: with("2.2.9", "x-Access-Token", "{{budi.access}}x"), Status: 401, Want: harness.UnsignedText("access", "invalid")},
		))
		t.Run("origins", func(t *testing.T) { origins(t, s) })
	}, gated)
}

// origins are asked by browsers.
func origins(t *testing.T, s *harness.Server) {
	const app = "https://app.example.com"
	headers := "authorization,idempotency-key,x-access-token,x-app-version,x-device-token,x-language,x-refresh-token,x-req-id,x-user-token"
	s.Run(t, []apitest.Scenario{
		{Name: "preflight", Method: "OPTIONS", Path: "/attendance/clockIn", Status: 204,
			Header:     map[string]string{"Origin": app, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": headers},
			WantHeader: map[string]string{"Access-Control-Allow-Origin": app, "Access-Control-Allow-Methods": "POST", "Access-Control-Allow-Headers": headers}},
		{Name: "preflight of a stranger", Method: "OPTIONS", Path: "/attendance/clockIn", Status: 204,
			Header:     map[string]string{"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"},
			WantHeader: map[string]string{"Access-Control-Allow-Origin": "", "Access-Control-Allow-Methods": ""}},
		{Name: "answer", Path: "/user", Header: harness.SignedIn("budi", "Origin", app), WantHeader: map[string]string{"Access-Control-Allow-Origin": app,
			"Access-Control-Expose-Headers": "X-Total-Count, Link, Etag, X-Req-Id, Idempotent-Replayed, Retry-After, Ratelimit-Limit, Ratelimit-Remaining, Ratelimit-Reset, Content-Disposition, Content-Language, Deprecation, Sunset"}},
		{Name: "refusal", Path: "/user", Status: 401, Header: map[string]string{"Origin": app}, WantHeader: map[string]string{"Access-Control-Allow-Origin": app}},
		{Name: "answer to a stranger", Path: "/user", Header: harness.SignedIn("budi", "Origin", "https://evil.example"), WantHeader: map[string]string{"Access-Control-Allow-Origin": ""}},
	})
}
