package auth

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"workforce/ent/device"
	"workforce/ent/session"
	entToken "workforce/ent/token"
	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// profileAs asks for a profile with an access token.
func profileAs(name, token string, status int, reason string) apitest.Scenario {
	sc := apitest.Scenario{Name: name, Path: "/user/profile", Header: harness.Head("x-Access-Token", token), Status: status}
	if status == 401 {
		sc.Want = tokenProblem("access", reason)
	}
	return sc
}

func refreshFails(name, token, reason string) apitest.Scenario {
	return apitest.Scenario{Name: name, Path: "/authorize/refresh-token", Header: harness.Head("x-Refresh-Token", token), Status: 401, Want: tokenProblem("refresh", reason)}
}

// again signs in anew on a trusted device.
func again(device, email string) []apitest.Scenario {
	return []apitest.Scenario{harness.Login(device, email, demo.Password), pairOf(device)}
}

// tokenScenarios follow tokens through their lives.
func tokenScenarios(t *testing.T, s *harness.Server) {
	s.SignIn(t, "a", "budi@demo.test")
	s.SignIn(t, "b", "admin@demo.test")
	inEnglish(s, func() {
		t.Run("access token", func(t *testing.T) { accessTokens(t, s) })
		t.Run("token info", func(t *testing.T) { tokenInfo(t, s) })
		t.Run("refresh token", func(t *testing.T) { refreshTokens(t, s) })
		t.Run("lifetimes", func(t *testing.T) { lifetimes(t, s) })
		t.Run("refresh at once", func(t *testing.T) { refreshAtOnce(t, s) })
		t.Run("logout", func(t *testing.T) { logouts(t, s) })
	})
}

func accessTokens(t *testing.T, s *harness.Server) {
	s.Vars["old"], s.Vars["old.refresh"] = s.Vars["a.access"], s.Vars["a.refresh"]
	get := func(name string, header map[string]string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/authorize/access-token", Header: header, Status: status, Want: want}
	}
	s.Run(t, []apitest.Scenario{
		profileAs("the first pair works", "{{old}}", 200, ""),
		pairOf("a"),
		profileAs("asking again replaced it", "{{old}}", 401, "revoked"),
		refreshFails("its refresh token too", "{{old.refresh}}", "revoked"),
		profileAs("by the second", "{{a.access}}", 200, ""),
		get("with its device's token", harness.SessionOf("a"), 200, harness.FreshPair),
		get("with another device's token", harness.Head("X-User-Token", "{{a.user}}", "X-Device-Token", "{{b.device}}"), 401, tokenProblem("device", "invalid")),
		get("with a device token that is none", harness.Head("X-User-Token", "{{a.user}}", "X-Device-Token", "x"), 401, tokenProblem("device", "invalid")),
		get("the user token as bearer", bearerOf("a.user"), 200, harness.FreshPair),
		get("a bearer of another kind is passed over", bearerOf("a.device"), 401, tokenProblem("user", "missing")),
		get("its own header wins when valid", harness.Head("X-User-Token", "{{a.user}}", "Authorization", "Bearer nonsense"), 200, harness.FreshPair),
		get("the bearer when its own header is not", harness.Head("X-User-Token", "nonsense", "Authorization", "bearer {{a.user}}"), 200, harness.FreshPair),
		get("none", nil, 401, tokenProblem("user", "missing")),
		{Name: "HEAD", Method: "HEAD", Path: "/authorize/access-token", Header: harness.SessionOf("a"), Status: 405, WantHeader: harness.Head("Allow", "/GET.*/", "ETag", "")},
		{Name: "through GraphQL", Path: "/graphql", Header: harness.Head("X-User-Token", "{{a.user}}"), Body: apitest.Query(`mutation { accessToken { tokenType expiresIn accessToken } }`, nil),
			Want: `{"data":{"accessToken":{"tokenType":"Bearer","expiresIn":900,"accessToken":"<token wfa>"}}}`, WantHeader: harness.Head("Cache-Control", "no-store"),
			Save: map[string]string{"a.access": "/data/accessToken/accessToken"}},
		profileAs("that one works", "{{a.access}}", 200, ""),
		{Name: "refused through GraphQL", Path: "/graphql", Body: apitest.Query(`mutation { accessToken { tokenType } }`, nil),
			Want: `{"errors":[{"message":"A valid user token is needed.","path":["accessToken"],"extensions":{"code":"UNAUTHENTICATED","errors":[],"meta":{"reason":"missing","token":"user"},"requestId":"<any>"}}],"data":null}`},
	})
	s.Clock.Advance(15*time.Minute - 1000)
	s.Run(t, []apitest.Scenario{get("the last moment of a user token", harness.Head("X-User-Token", "{{a.user}}"), 200, harness.FreshPair)})
	s.Clock.Advance(1000)
	s.Run(t, []apitest.Scenario{get("an expired user token", harness.Head("X-User-Token", "{{a.user}}"), 401, tokenProblem("user", "expired"))})
}

func tokenInfo(t *testing.T, s *harness.Server) {
	s.Clock.Set(harness.Morning)
	s.Run(t, again("a", "budi@demo.test"))

	s.Run(t, []apitest.Scenario{{
		Name: "of an access token", Path: "/user/token-info", Header: bearerOf("a.access"),
		Want: `{"active":true,"userId":"<digits>","deviceId":"a","companyId":"<digits>","issuedAt":"2026-03-10T02:00:00Z","expiresAt":"2026-03-10T02:15:00Z","permissions":"<any>"}`,
		Save: map[string]string{"permissions": "/permissions"},
	}})
	var got []string
	if err := json.Unmarshal([]byte(s.Vars["permissions"]), &got); err != nil || strings.Join(got, " ") != strings.Join(viewer.Permissions(viewer.Employee), " ") {
		t.Errorf("permissions %q, want those of an employee; %v", got, err)
	}
	s.Run(t, []apitest.Scenario{
		{Name: "through GraphQL", Path: "/graphql", Header: bearerOf("a.access"), Body: apitest.Query(`{ tokenInfo { active deviceId issuedAt } }`, nil),
			Want: `{"data":{"tokenInfo":{"active":true,"deviceId":"a","issuedAt":"2026-03-10T02:00:00Z"}}}`},
		{Name: "of none", Path: "/user/token-info", Status: 401, Want: tokenProblem("access", "missing")},
	})
}

func refreshTokens(t *testing.T, s *harness.Server) {
	s.Run(t, again("a", "budi@demo.test"))
	s.Run(t, []apitest.Scenario{
		harness.Refresh("it gives the next pair", "{{a.refresh}}", "second"),
		profileAs("which works", "{{second.access}}", 200, ""),
	})
	s.Clock.Advance(time.Minute)
	lost := harness.Refresh("a minute later it gives the same pair: the answer was lost", "{{a.refresh}}", "repeat")
	lost.Want = `{"accessToken":"{{second.access}}","refreshToken":"{{second.refresh}}","tokenType":"Bearer","expiresIn":840,"refreshExpiresIn":2591940}`
	s.Run(t, []apitest.Scenario{
		lost,
		{Name: "HEAD does nothing", Method: "HEAD", Path: "/authorize/refresh-token", Header: harness.Head("X-Refresh-Token", "{{second.refresh}}"), Status: 405, WantHeader: harness.Head("Allow", "/GET.*/")},
		harness.Refresh("the successor is used", "{{second.refresh}}", "third"),
		refreshFails("then the first is misused", "{{a.refresh}}", "revoked"),
		profileAs("and the whole family ended", "{{third.access}}", 401, "revoked"),
		refreshFails("with its newest refresh token", "{{third.refresh}}", "revoked"),
		{Name: "and its user token", Path: "/authorize/access-token", Header: harness.Head("X-User-Token", "{{a.user}}"), Status: 401, Want: tokenProblem("user", "revoked")},
	})
	s.Run(t, again("a", "budi@demo.test"))
	s.Run(t, []apitest.Scenario{harness.Refresh("spent", "{{a.refresh}}", "second")})
	s.Clock.Advance(61 * time.Second)
	s.Run(t, []apitest.Scenario{
		refreshFails("61 s later it is misused", "{{a.refresh}}", "revoked"),
		profileAs("and the family ended", "{{second.access}}", 401, "revoked"),
	})
	s.Run(t, again("a", "budi@demo.test"))
	s.Run(t, []apitest.Scenario{
		{Name: "with its device's token", Path: "/authorize/refresh-token", Header: harness.Head("X-Device-Token", "{{a.device}}", "Authorization", "Bearer {{a.refresh}}"),
			Want: harness.FreshPair, Save: map[string]string{"a.refresh": "/refreshToken", "a.access": "/accessToken"}},
		{Name: "through GraphQL", Path: "/graphql", Header: harness.Head("X-Refresh-Token", "{{a.refresh}}"), Body: apitest.Query(`mutation { refreshToken { accessToken refreshToken expiresIn } }`, nil),
			Want: `{"data":{"refreshToken":{"accessToken":"<token wfa>","refreshToken":"<token wfr>","expiresIn":900}}}`,
			Save: map[string]string{"a.refresh": "/data/refreshToken/refreshToken", "a.access": "/data/refreshToken/accessToken"}},
		{Name: "with another device's token", Path: "/authorize/refresh-token", Header: harness.Head("X-Device-Token", "{{b.device}}", "X-Refresh-Token", "{{a.refresh}}"),
			Status: 401, Want: tokenProblem("device", "invalid")},
		profileAs("which ended the family", "{{a.access}}", 401, "revoked"),
	})
}

func lifetimes(t *testing.T, s *harness.Server) {
	s.Clock.Set(harness.Morning)
	s.Run(t, again("a", "budi@demo.test"))
	s.Clock.Advance(15*time.Minute - 1000)
	s.Run(t, []apitest.Scenario{profileAs("the last moment of an access token", "{{a.access}}", 200, "")})
	s.Clock.Advance(1000)
	s.Run(t, []apitest.Scenario{profileAs("an expired access token", "{{a.access}}", 401, "expired")})
	s.Clock.Set(harness.Morning.Add(30*harness.Day - 1000))
	s.Run(t, []apitest.Scenario{harness.Refresh("the last moment of an idle refresh token", "{{a.refresh}}", "a")})
	s.Clock.Advance(30 * harness.Day)
	s.Run(t, []apitest.Scenario{refreshFails("30 days idle", "{{a.refresh}}", "expired")})

	s.Clock.Set(harness.Morning)
	s.Run(t, again("a", "budi@demo.test"))
	for i := range 4 {
		s.Clock.Set(harness.Morning.Add(harness.Day * 20 * time.Duration(i+1)))
		next := harness.Refresh("used every 20 days", "{{a.refresh}}", "a")
		if i == 3 { // ten days are left of 90
			next.Want = strings.Replace(harness.FreshPair, "2592000", "864000", 1)
		}
		s.Run(t, []apitest.Scenario{next})
	}
	s.Clock.Set(harness.Morning.Add(90 * harness.Day))
	s.Run(t, []apitest.Scenario{refreshFails("90 days in all", "{{a.refresh}}", "expired")})
}

func refreshAtOnce(t *testing.T, s *harness.Server) {
	s.Clock.Set(harness.Morning)
	s.Run(t, again("a", "budi@demo.test"))
	answers := s.AskAtOnce(t, 50, "GET", "/authorize/refresh-token", harness.Head("X-Refresh-Token", s.Vars["a.refresh"]), "")
	for _, a := range answers {
		if a.Status != 200 || a.Body != answers[0].Body {
			t.Fatalf("of 50 at once one got %v, another %v", answers[0], a)
		}
	}
	ctx := viewer.System(t.Context())
	family, err := s.Store.Ent.Session.Query().Where(session.RevokedAtIsNil(), session.HasDeviceWith(device.DeviceID("a"))).Order(session.ByID()).All(ctx)
	if err != nil || len(family) == 0 {
		t.Fatal(family, err)
	}
	live, err := s.Store.Ent.Token.Query().Where(entToken.SessionID(family[len(family)-1].ID), entToken.KindEQ(entToken.KindRefresh), entToken.SpentAtIsNil(), entToken.RevokedAtIsNil()).Count(ctx)
	if err != nil || live != 1 {
		t.Errorf("%d live successors, %v; want 1", live, err)
	}
}

func logouts(t *testing.T, s *harness.Server) {
	s.Clock.Set(harness.Morning)
	out := func(name string, header map[string]string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: "POST", Path: "/user/logout", Header: header, Status: status, Want: want}
	}
	const done = `{"loggedOut":true}`
	s.Run(t, again("a", "budi@demo.test"))
	s.Run(t, []apitest.Scenario{
		out("with nothing", nil, 401, tokenProblem("access", "missing")),
		out("with a user token", harness.Head("X-User-Token", "{{a.user}}"), 401, tokenProblem("access", "missing")),
		out("with an access token", bearerOf("a.access"), 200, done),
		out("a second time", bearerOf("a.access"), 401, tokenProblem("access", "revoked")),
		profileAs("the access token ended", "{{a.access}}", 401, "revoked"),
		refreshFails("the refresh token ended", "{{a.refresh}}", "revoked"),
		{Name: "the user token ended", Path: "/authorize/access-token", Header: harness.SessionOf("a"), Status: 401, Want: tokenProblem("user", "revoked")},
		works("the device stays", "{{a.device}}"),
	})
	s.Run(t, again("a", "budi@demo.test"))
	s.Run(t, []apitest.Scenario{
		out("with a refresh token", harness.Head("X-Refresh-Token", "{{a.refresh}}"), 200, done),
		out("a second time", harness.Head("X-Refresh-Token", "{{a.refresh}}"), 401, tokenProblem("refresh", "revoked")),
	})
	s.Run(t, again("a", "budi@demo.test"))
	s.Clock.Advance(time.Hour)
	s.Run(t, []apitest.Scenario{
		out("with an expired access token", harness.Head("X-Access-Token", "{{a.access}}"), 200, done),
		out("a second time", harness.Head("X-Access-Token", "{{a.access}}"), 401, tokenProblem("access", "revoked")),
	})
	s.Run(t, again("a", "budi@demo.test"))
	s.Run(t, []apitest.Scenario{
		{Name: "through GraphQL", Path: "/graphql", Header: bearerOf("a.access"), Body: apitest.Query(`mutation { logout { loggedOut } }`, nil), Want: `{"data":{"logout":{"loggedOut":true}}}`},
		profileAs("ended", "{{a.access}}", 401, "revoked"),
	})
	s.Run(t, again("a", "budi@demo.test"))
	s.Clock.Advance(31 * harness.Day)
	s.Run(t, []apitest.Scenario{out("with an expired refresh token", harness.Head("X-Refresh-Token", "{{a.refresh}}"), 401, tokenProblem("refresh", "expired"))})
	s.Clock.Set(harness.Morning)
	answers := s.AskAtOnce(t, 20, "POST", "/user/logout", harness.Head("X-Refresh-Token", s.Vars["a.refresh"]), "")
	if got := harness.Statuses(answers); got[200] != 1 || got[401] != 19 {
		t.Errorf("20 logouts at once: %v, want one", got)
	}
}
