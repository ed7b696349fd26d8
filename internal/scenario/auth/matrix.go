package auth

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"workforce/ent/device"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// taken lists the operations that take another token than an access token alone,
// with the kinds any one of which is enough.
var taken = map[string][]string{
	"POST /device/register":        {},
	"GET /encrypt":                 {},
	"POST /encrypt":                {"device"},
	"POST /user/login":             {"device"},
	"POST /user/logout":            {"access", "refresh"},
	"POST /user/forgot-password":   {"device"},
	"POST /user/reset-password":    {"device"},
	"POST /authorize/verify":       {"device"}, // and a user token, which the matrix leaves out
	"GET /authorize/access-token":  {"user"},
	"GET /authorize/refresh-token": {"refresh"},
}

// spends lists the operations after which the tokens are no longer what they were.
var spends = map[string]bool{
	"POST /user/logout": true, "GET /authorize/access-token": true, "GET /authorize/refresh-token": true,
}

// bodies are what the operations with required members need to come as far as
// their tokens.
var bodies = map[string]string{
	"POST /device/register":      `{"deviceId":"m","platform":"web"}`,
	"POST /encrypt":              `{"value":"x"}`,
	"POST /user/login":           `{"username":"budi@demo.test","password":"demo-password"}`,
	"POST /user/forgot-password": `{"username":"budi@demo.test"}`,
	"POST /user/reset-password":  `{"id":"1","otp":"1","password":"new-password"}`,
	"POST /authorize/verify":     `{"otp":"1"}`,
	"PUT /user/change-password":  `{"oldPassword":"x","newPassword":"new-password"}`,
	"POST /task":                 `{"title":"x"}`,
}

// tokenMatrixScenarios send each kind of token in each header, and as the web app's
// cookies, to every operation that openapi.json names.
func tokenMatrixScenarios(t *testing.T, s *harness.Server) {
	s.SignIn(t, "m", "budi@demo.test")
	s.SignIn(t, "owner", "admin@demo.test")
	operations := documented(t, s)
	inEnglish(s, func() {
		s.Run(t, []apitest.Scenario{makesKey("owner", "m.key", `permissions: ["user.read.all"]`)})
		for _, operation := range operations {
			matrix(t, s, operation)
		}
		t.Run("reasons", func(t *testing.T) { tokenReasons(t, s, operations) })
	})
}

// documented returns the operations of openapi.json that take tokens or nothing, such as GET /task.
func documented(t *testing.T, s *harness.Server) (operations []string) {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]struct{ Security []map[string][]string }
	}
	text, err := s.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for method, op := range doc.Paths[path] {
			if len(op.Security) > 0 && op.Security[0]["signature"] != nil {
				continue
			}
			operations = append(operations, strings.ToUpper(method)+" "+path)
		}
	}
	return operations
}

// deadMatrix sends tokens that do not count, for one reason, in each header to
// all operations that take a token. None is let in.
func deadMatrix(t *testing.T, s *harness.Server, operations []string, reason string, tokens map[string]string) {
	for _, operation := range operations {
		kinds, ok := taken[operation]
		switch {
		case !ok:
			kinds = []string{"access"}
		case operation == "POST /authorize/verify":
			kinds = []string{"device", "user"}
		case len(kinds) == 0:
			continue
		}
		for kind, token := range tokens {
			for _, header := range []string{"access", "refresh", "user", "device", "bearer"} {
				got := tryToken(t, s, operation, token, header)
				own := slices.Contains(kinds, kind) && (header == kind || header == "bearer")
				if got == "" || own && !strings.HasSuffix(got, " "+reason) {
					t.Errorf("%s with the %s token, %s, in %s: refused with %q", operation, kind, reason, header, got)
				}
			}
		}
	}
}

// matrix sends each kind of token in each header to one operation.
func matrix(t *testing.T, s *harness.Server, operation string) {
	kinds, ok := taken[operation]
	if !ok {
		kinds = []string{"access"}
	}
	for _, kind := range []string{"access", "refresh", "user", "device", "key"} {
		for _, header := range []string{"access", "refresh", "user", "device", "bearer", "cookie"} {
			admitted := len(kinds) == 0 || slices.Contains(kinds, kind) && (header == kind || header == "bearer") ||
				kind == "key" && slices.Contains(kinds, "access") && header == "bearer" // in place of an access token
			got := tryToken(t, s, operation, s.Vars["m."+kind], header)
			want := ""
			if !admitted {
				want = blamed(kinds, kind, header)
			}
			if operation == "POST /authorize/verify" { // takes both
				want = verifyBlames(kind, header)
			}
			if got != want {
				t.Errorf("%s with the %s token in %s: refused with %q, want %q", operation, kind, header, got, want)
			}
			if admitted && got == "" && spends[operation] {
				s.Run(t, again("m", "budi@demo.test"))
			}
		}
	}
}

// blamed is what a refusal says of a token in a header where an operation takes
// none of the kind there.
func blamed(kinds []string, kind, header string) string {
	if slices.Contains(kinds, header) { // its own header holds another kind
		return header + " invalid"
	}
	return kinds[0] + " missing"
}

// verifyBlames is blamed for the one operation that takes a device and a user
// token.
func verifyBlames(kind, header string) string {
	switch {
	case kind == "device" && (header == "device" || header == "bearer"):
		return "user missing"
	case header == "device":
		return "device invalid"
	case header == "user" && kind != "user":
		return "user invalid"
	}
	return "device missing"
}

// tryToken sends one token with an operation and returns how UNAUTHENTICATED
// names it, "" for any other answer.
func tryToken(t *testing.T, s *harness.Server, operation, token, header string) string {
	t.Helper()
	method, path, _ := strings.Cut(operation, " ")
	body := bodies[operation]
	if body == "" && method != "GET" && method != "DELETE" {
		body = `{}`
	}
	h := harness.Head("Content-Type", "application/json")
	switch header {
	case "bearer":
		h["Authorization"] = "Bearer " + token
	case "cookie": // those of the web app count for its session's endpoints alone
		for _, kind := range []string{"access", "refresh", "user", "device"} {
			h["Cookie"] += "wf_" + kind + "=" + token + "; __Host-wf_" + kind + "=" + token + "; "
		}
	default:
		h[harness.TokenHeaders[header]] = token
	}
	path = strings.NewReplacer("{id}", "1", "{imageId}", "1").Replace(path)
	got, err := s.Ask(method, path, h, body)
	if err != nil {
		t.Fatal(err)
	}
	var problem struct {
		Code string
		Meta struct{ Token, Reason string }
	}
	_ = json.Unmarshal([]byte(got.Body), &problem) // a success may be a list
	switch {
	case got.Status >= 500:
		t.Errorf("%s: %v", operation, got)
	case problem.Code == "UNAUTHENTICATED":
		return problem.Meta.Token + " " + problem.Meta.Reason
	}
	if strings.HasPrefix(token, "wfd_") && operation == "POST /device/register" { // rotated
		var registered struct{ DeviceToken string }
		if err := json.Unmarshal([]byte(got.Body), &registered); err == nil && (header == "device" || header == "bearer") {
			s.Vars["m.device"] = registered.DeviceToken
		}
	}
	return ""
}

// tokenReasons refuses each kind of token for each reason, in its own header and
// as bearer.
func tokenReasons(t *testing.T, s *harness.Server, operations []string) {
	uses := map[string]string{
		"access": "/user/profile", "user": "/authorize/access-token", "refresh": "/authorize/refresh-token", "device": "/user/login",
	}
	refused := func(kind, token, reason string) {
		var body, method string
		if kind == "device" {
			method, body = "POST", bodies["POST /user/login"]
		}
		for _, h := range []map[string]string{harness.Head(harness.TokenHeaders[kind], token), harness.Head("Authorization", "Bearer "+token)} {
			if token == "" {
				h = nil
			}
			s.Run(t, []apitest.Scenario{{Name: kind + " " + reason, Method: method, Path: uses[kind], Header: h, Body: body, Status: 401,
				Want: tokenProblem(kind, reason), WantHeader: harness.Head("WWW-Authenticate", `Bearer realm="workforce"`, "Cache-Control", "no-store")}})
		}
	}
	s.Run(t, again("m", "budi@demo.test"))
	all := []string{"access", "refresh", "user", "device"}
	valid, malformed := map[string]string{}, map[string]string{}
	for _, kind := range all {
		token := s.Vars["m."+kind]
		valid[kind], malformed[kind] = token, token+"A"
		last := map[bool]string{true: "B", false: "A"}[token[len(token)-1] == 'A']
		refused(kind, "", "missing")
		refused(kind, token[:len(token)-1]+last, "invalid") // the checksum is wrong
		refused(kind, token+"A", "invalid")
		refused(kind, "nonsense", "invalid")
	}
	deadMatrix(t, s, operations, "invalid", malformed)
	s.Run(t, []apitest.Scenario{
		{Name: "the reason is that of its own header", Path: "/user/profile", Header: harness.Head("X-Access-Token", "nonsense", "Authorization", "Bearer {{m.user}}"), Status: 401, Want: tokenProblem("access", "invalid")},
		{Name: "another scheme is no bearer", Path: "/user/profile", Header: harness.Head("Authorization", "Basic {{m.access}}"), Status: 401, Want: tokenProblem("access", "missing")},
		{Name: "a valid bearer counts beside a wrong header", Path: "/user/profile", Header: harness.Head("X-Access-Token", "nonsense", "Authorization", "Bearer {{m.access}}")},
		{Name: "a valid header counts beside a wrong bearer", Path: "/user/profile", Header: harness.Head("X-Access-Token", "{{m.access}}", "Authorization", "Bearer nonsense")},
		{Name: "in Indonesian", Path: "/user/profile", Header: harness.Head("X-Language", "id"), Status: 401,
			Want: harness.ProblemBody(401, "UNAUTHENTICATED", "Belum masuk", "Anda belum masuk atau sesi Anda sudah berakhir; silakan masuk kembali.", `[]`, `{"reason":"missing","token":"access"}`)},
	})
	s.Clock.Advance(91 * harness.Day)
	for _, kind := range []string{"access", "refresh", "user"} {
		refused(kind, s.Vars["m."+kind], "expired")
	}
	deadMatrix(t, s, slices.DeleteFunc(slices.Clone(operations), func(o string) bool { return o == "POST /user/logout" }), "expired",
		map[string]string{"access": valid["access"], "refresh": valid["refresh"], "user": valid["user"]})
	s.Clock.Set(harness.Morning)
	s.SetActive(t, "budi@demo.test", false)
	for _, kind := range []string{"access", "refresh", "user"} {
		refused(kind, s.Vars["m."+kind], "revoked")
	}
	s.SetActive(t, "budi@demo.test", true)
	s.Run(t, []apitest.Scenario{profileAs("active again", s.Vars["m.access"], 200, "")})
	if err := s.Store.Ent.Device.Update().Where(device.DeviceID("m")).SetRevokedAt(s.Clock.Now()).Exec(viewer.System(t.Context())); err != nil {
		t.Fatal(err)
	}
	for _, kind := range all { // with their device
		refused(kind, s.Vars["m."+kind], "revoked")
	}
	deadMatrix(t, s, operations, "revoked", valid)
}
