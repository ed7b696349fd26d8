package auth

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

const webApp = "https://wf.test"

// A browser has the cookies of the web app, and asks as its pages do.
type browser struct {
	*harness.Server
	cookies map[string]string // by name
	lives   map[string]int    // their Max-Age, in seconds
	header  http.Header       // of the last answer
}

func newBrowser(s *harness.Server) *browser {
	return &browser{Server: s, cookies: map[string]string{}, lives: map[string]int{}}
}

// post sends a body to an endpoint of the session, as a page of an origin.
func (b *browser) post(t *testing.T, name, body string, change ...func(*http.Request)) (int, map[string]any) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, b.URL+"/app/session/"+name, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", webApp)
	r.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64) Chrome/148.0.0.0 Safari/537.36")
	r.Header.Set("X-Language", "en")
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	for _, c := range change {
		c(r)
	}
	resp, err := b.HTTP.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var answer map[string]any
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%d %s: %v", resp.StatusCode, text, err)
	}
	b.header = resp.Header
	b.receive(t, resp)
	return resp.StatusCode, answer
}

// receive keeps the cookies of an answer, which no script reads and no other site sends.
func (b *browser) receive(t *testing.T, resp *http.Response) {
	t.Helper()
	for _, c := range resp.Cookies() {
		hidden := c.HttpOnly && c.Secure && c.SameSite == http.SameSiteStrictMode
		if !strings.HasPrefix(c.Name, "__Host-wf_") || !hidden || c.Path != "/" || c.Domain != "" {
			t.Errorf("cookie %s", c)
		}
		if c.MaxAge < 0 {
			delete(b.cookies, c.Name)
			continue
		}
		b.cookies[c.Name], b.lives[c.Name] = c.Value, c.MaxAge
	}
	if got := resp.Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control: %q", got)
	}
	if got := resp.Header.Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("Access-Control-Allow-Origin: %q", got)
	}
}

// want fails the test unless an answer has a status, and the members given, by name and value.
func (b *browser) want(t *testing.T, status int, answer map[string]any, wantStatus int, members ...any) {
	t.Helper()
	if status != wantStatus {
		t.Errorf("%d %v, want %d", status, answer, wantStatus)
	}
	for i := 0; i < len(members); i += 2 {
		if got := answer[members[i].(string)]; got != members[i+1] {
			t.Errorf("%v is %v, want %v: %v", members[i], got, members[i+1], answer)
		}
	}
}

// signIn signs somebody in, with the code that is sent, and returns the access token.
func (b *browser) signIn(t *testing.T, email string) string {
	t.Helper()
	b.Clock.Advance(2 * time.Minute)
	sent := len(b.Log.Messages(email))
	status, answer := b.post(t, "sign-in", `{"username":"`+email+`","password":"`+demo.Password+`"}`)
	if answer["state"] == "code" {
		status, answer = b.post(t, "verify", `{"otp":"`+b.Log.Code(t, email, sent+1)+`"}`)
	}
	b.want(t, status, answer, 200, "state", "signed_in", "expiresIn", 900.0)
	token, _ := answer["accessToken"].(string)
	return token
}

// reads asks who an access token is of; "" where it is refused.
func (b *browser) reads(t *testing.T, token string) string {
	t.Helper()
	var cookies []string
	for name, value := range b.cookies {
		cookies = append(cookies, name+"="+value)
	}
	header := map[string]string{"Cookie": strings.Join(cookies, "; ")}
	if token != "" {
		header["Authorization"] = "Bearer " + token
	}
	var answer struct {
		Data struct{ TokenInfo struct{ UserID string } }
	}
	_, text := b.Send(t, http.MethodPost, "/graphql", `{"query":"{tokenInfo{userId}}"}`, header)
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return answer.Data.TokenInfo.UserID
}

// TestBrowserSession follows the session of the web app through its life, and asks as pages that
// are not its own would.
func TestBrowserSession(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		s.Vars["budi"] = harness.PersonID(t, s, "budi@demo.test")
		for name, test := range map[string]func(*testing.T, *harness.Server){
			"life": browserLife, "foreign pages": foreignPages, "bodies": browserBodies, "tabs": browserTabs,
			"swapped cookies": swappedCookies,
			"another person":  anotherPerson, "new password": browserReset, "ended elsewhere": endedElsewhere,
		} {
			t.Run(name, func(t *testing.T) { test(t, s) })
		}
		t.Run("approval", func(t *testing.T) { browserApproval(t, s) }) // changes the company
	}, func(c *server.Config) { c.PublicURL, c.PasswordLegacy = webApp, "base64" })
}

func browserLife(t *testing.T, s *harness.Server) {
	b := newBrowser(s)
	status, answer := b.post(t, "refresh", `{}`)
	b.want(t, status, answer, 401, "code", "UNAUTHENTICATED")
	status, answer = b.post(t, "sign-in", `{"username":"budi@demo.test","password":"wrong"}`)
	b.want(t, status, answer, 401, "code", "INVALID_CREDENTIALS")
	device := b.cookies["__Host-wf_device"]
	if device == "" || b.lives["__Host-wf_device"] != 365*24*60*60 {
		t.Error("a browser is not registered for a year")
	}
	access := b.signIn(t, "budi@demo.test")
	if b.cookies["__Host-wf_device"] != device {
		t.Error("a browser is registered twice")
	}
	if b.lives["__Host-wf_refresh"] != 30*24*60*60 || b.lives["__Host-wf_user"] != 15*60 {
		t.Errorf("cookies live %v s", b.lives)
	}
	if got := b.reads(t, access); got != s.Vars["budi"] {
		t.Errorf("the token is that of %s", got)
	}
	if b.reads(t, "") != "" {
		t.Error("cookies alone sign in at /graphql")
	}
	status, answer = b.post(t, "refresh", `{}`)
	b.want(t, status, answer, 200, "state", "signed_in", "userId", s.Vars["budi"], "expiresIn", 900.0)
	if got := b.reads(t, answer["accessToken"].(string)); got != s.Vars["budi"] {
		t.Errorf("the next token is that of %s", got)
	}
	for name, value := range answer {
		if text, ok := value.(string); ok && name != "accessToken" && strings.HasPrefix(text, "wf") {
			t.Errorf("%s shows a secret", name)
		}
	}
	status, answer = b.post(t, "sign-out", `{}`)
	b.want(t, status, answer, 200, "signedOut", true)
	if len(b.cookies) != 1 {
		t.Errorf("cookies after signing out: %v", b.cookies)
	}
	status, answer = b.post(t, "sign-out", `{}`)
	b.want(t, status, answer, 200, "signedOut", true)
	access = b.signIn(t, "budi@demo.test") // the browser is trusted now
	if got := b.reads(t, access); got != s.Vars["budi"] {
		t.Errorf("the token is that of %s", got)
	}
}

// foreignPages are refused, and change nothing.
func foreignPages(t *testing.T, s *harness.Server) {
	b := newBrowser(s)
	b.signIn(t, "siti@demo.test")
	origin := func(list ...string) func(*http.Request) {
		return func(r *http.Request) { r.Header["Origin"] = list }
	}
	for name, change := range map[string]func(*http.Request){
		"none": origin(), "another": origin("https://evil.test"), "null": origin("null"),
		"http": origin("http://wf.test"), "port": origin("https://wf.test:8443"),
		"two": origin(webApp, webApp), "a part": origin("https://wf.test.evil.test"),
		"user":     origin("https://wf.test@evil.test"),
		"rebound":  func(r *http.Request) { r.Host = "evil.test"; r.Header.Set("Origin", "https://evil.test") },
		"loopback": origin("http://127.0.0.1"),
	} {
		for _, endpoint := range []string{
			"sign-in", "verify", "resume", "refresh", "sign-out", "forgot", "reset", "recover",
		} {
			status, answer := b.post(t, endpoint,
				`{"username":"siti@demo.test","password":"`+demo.Password+`","otp":"123456"}`, change)
			if status != 403 || answer["code"] != "FORBIDDEN" || b.header.Get("Set-Cookie") != "" {
				t.Errorf("%s, %s: %d %v", name, endpoint, status, answer)
			}
		}
	}
	status, answer := b.post(t, "refresh", `{}`, func(r *http.Request) { r.Header.Set("Origin", "HTTPS://WF.TEST") })
	b.want(t, status, answer, 200, "state", "signed_in")
}

func browserBodies(t *testing.T, s *harness.Server) {
	b := newBrowser(s)
	kind := func(text string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Content-Type", text) }
	}
	for _, text := range []string{"", "text/plain", "application/x-www-form-urlencoded",
		"multipart/form-data; boundary=x", "application/jsonp"} {
		status, answer := b.post(t, "sign-in", `{"username":"siti@demo.test","password":"`+demo.Password+`"}`,
			kind(text))
		b.want(t, status, answer, 415, "code", "UNSUPPORTED_MEDIA_TYPE")
	}
	for _, body := range []string{"", "x", "[]", "null", `"x"`, `{"username":`} {
		status, answer := b.post(t, "sign-in", body)
		b.want(t, status, answer, 400, "code", "BAD_REQUEST")
	}
	status, answer := b.post(t, "sign-in", `{"username":"`+strings.Repeat("x", 20_000)+`"}`)
	b.want(t, status, answer, 413, "code", "PAYLOAD_TOO_LARGE")
	status, answer = b.post(t, "sign-in", `{"username":7,"password":true}`)
	b.want(t, status, answer, 422, "code", "VALIDATION_FAILED")
	if faults := answer["errors"].([]any); len(faults) != 2 {
		t.Errorf("faults %v", faults)
	}
	status, answer = b.post(t, "sign-in", `{}`)
	b.want(t, status, answer, 422, "code", "VALIDATION_FAILED")
	status, answer = b.post(t, "sign-in", `{"username":"siti@demo.test","password":"`+strings.Repeat("x", 1025)+`"}`)
	b.want(t, status, answer, 422, "code", "VALIDATION_FAILED")
	if field := answer["errors"].([]any)[0].(map[string]any)["field"]; field != "password" {
		t.Errorf("the fault is on %v", field)
	}
	status, answer = b.post(t, "verify", `{"otp":"123456"}`)
	b.want(t, status, answer, 401, "code", "UNAUTHENTICATED")
	status, answer = b.post(t, "reset", `{"otp":"123456","password":"kata-sandi-baru"}`)
	b.want(t, status, answer, 422, "code", "OTP_EXPIRED")
	status, answer = b.post(t, "refresh", `{}`, func(r *http.Request) {
		r.Method, r.Body, r.ContentLength = http.MethodGet, nil, 0
	})
	b.want(t, status, answer, 405, "code", "METHOD_NOT_ALLOWED")
	status, answer = b.post(t, "nothing", `{}`)
	b.want(t, status, answer, 404, "code", "NOT_FOUND")
}

// browserTabs ask with one cookie at once, as tabs do that do not know of each other.
func browserTabs(t *testing.T, s *harness.Server) {
	b := newBrowser(s)
	b.signIn(t, "maya@demo.test")
	tabs := make([]*browser, 20)
	tokens := make([]string, len(tabs))
	var all sync.WaitGroup
	for i := range tabs {
		tabs[i] = newBrowser(s)
		for name, value := range b.cookies {
			tabs[i].cookies[name] = value
		}
		all.Go(func() {
			status, answer := tabs[i].post(t, "refresh", `{}`)
			tabs[i].want(t, status, answer, 200, "state", "signed_in")
			tokens[i], _ = answer["accessToken"].(string)
		})
	}
	all.Wait()
	distinct := slices.Compact(slices.Sorted(slices.Values(tokens)))
	if len(distinct) != 1 || b.reads(t, tokens[0]) == "" {
		t.Errorf("%d tokens", len(distinct))
	}
	for _, tab := range tabs {
		if tab.cookies["__Host-wf_refresh"] != tabs[0].cookies["__Host-wf_refresh"] {
			t.Error("tabs have different sessions")
		}
	}
	s.Clock.Advance(2 * time.Minute)
	status, answer := tabs[0].post(t, "refresh", `{}`)
	b.want(t, status, answer, 200, "state", "signed_in")
	status, answer = b.post(t, "refresh", `{}`) // a stolen copy of the first cookie
	b.want(t, status, answer, 401, "code", "UNAUTHENTICATED")
	if b.header.Get("Set-Cookie") != "" {
		t.Error("a refusal clears cookies")
	}
	if status, answer = tabs[0].post(t, "refresh", `{}`); status != 401 {
		t.Errorf("the session goes on after a misuse: %d %v", status, answer)
	}
}

func swappedCookies(t *testing.T, s *harness.Server) {
	a, b := newBrowser(s), newBrowser(s)
	a.signIn(t, "agus@demo.test")
	b.signIn(t, "dewi@demo.test")
	without := newBrowser(s)
	without.cookies["__Host-wf_refresh"] = a.cookies["__Host-wf_refresh"]
	status, answer := without.post(t, "refresh", `{}`)
	a.want(t, status, answer, 401, "code", "UNAUTHENTICATED")
	status, answer = a.post(t, "refresh", `{}`)
	a.want(t, status, answer, 200, "state", "signed_in")
	a.cookies["__Host-wf_refresh"] = b.cookies["__Host-wf_refresh"]
	status, answer = a.post(t, "refresh", `{}`)
	a.want(t, status, answer, 401, "code", "UNAUTHENTICATED")
	status, answer = b.post(t, "refresh", `{}`) // its token was on another browser
	b.want(t, status, answer, 401, "code", "UNAUTHENTICATED")
}

// anotherPerson signs in over the session of one.
func anotherPerson(t *testing.T, s *harness.Server) {
	b := newBrowser(s)
	first := b.signIn(t, "eko@demo.test")
	status, answer := b.post(t, "sign-in", `{"username":"joko@demo.test","password":"wrong"}`)
	b.want(t, status, answer, 401, "code", "INVALID_CREDENTIALS")
	if b.reads(t, first) == "" {
		t.Error("a wrong password ends a session")
	}
	second := b.signIn(t, "joko@demo.test")
	if b.reads(t, first) != "" || b.reads(t, second) == "" {
		t.Error("the session of one goes on beside that of another")
	}
}

func browserReset(t *testing.T, s *harness.Server) {
	b := newBrowser(s)
	s.Clock.Advance(2 * time.Minute)
	sent := len(s.Log.Messages("putri@demo.test"))
	status, answer := b.post(t, "forgot", `{"username":"putri@demo.test"}`)
	b.want(t, status, answer, 200, "channel", "email")
	if _, shown := answer["id"]; shown || b.cookies["__Host-wf_reset"] == "" {
		t.Errorf("%v, %v", answer, b.cookies)
	}
	code := s.Log.Code(t, "putri@demo.test", sent+1)
	status, answer = b.post(t, "reset", `{"otp":"`+code+`","password":"short"}`)
	b.want(t, status, answer, 422, "code", "PASSWORD_WEAK")
	status, answer = b.post(t, "reset",
		`{"otp":"`+code+`","password":"a2F0YS1zYW5kaS1iYXJ1"}`) // also base64 of another text
	b.want(t, status, answer, 200, "reset", true)
	if b.cookies["__Host-wf_reset"] != "" {
		t.Error("the id is kept")
	}
	s.Clock.Advance(2 * time.Minute)
	status, answer = b.post(t, "sign-in", `{"username":"putri@demo.test","password":"kata-sandi-baru"}`)
	b.want(t, status, answer, 401, "code", "INVALID_CREDENTIALS")
	status, answer = b.post(t, "sign-in", `{"username":"putri@demo.test","password":"a2F0YS1zYW5kaS1iYXJ1"}`)
	b.want(t, status, answer, 200, "state", "code")
}

func endedElsewhere(t *testing.T, s *harness.Server) {
	b := newBrowser(s)
	access := b.signIn(t, "gita@demo.test")
	_, text := s.Send(t, http.MethodPost, "/graphql", `{"query":"mutation{revokeAllSessions{id}}"}`,
		map[string]string{"Authorization": "Bearer " + access})
	status, answer := b.post(t, "refresh", `{}`)
	b.want(t, status, answer, 401, "code", "UNAUTHENTICATED")
	if b.reads(t, access) != "" || b.cookies["__Host-wf_refresh"] == "" {
		t.Errorf("the session goes on, or a cookie was cleared: %s", text)
	}
	s.Clock.Advance(time.Hour)
	status, answer = b.post(t, "resume", `{}`)
	b.want(t, status, answer, 401, "code", "UNAUTHENTICATED")
}

// browserApproval waits for somebody to approve the browser.
func browserApproval(t *testing.T, s *harness.Server) {
	s.Vars["andini.access"] = newBrowser(s).signIn(t, "admin@demo.test")
	s.Says(t, "andini", `mutation { updateCompany(input: {settings: {deviceApproval: true}}) { id } }`,
		`{"updateCompany":{"id":"<digits>"}}`)
	b := newBrowser(s)
	s.Clock.Advance(2 * time.Minute)
	sent := len(s.Log.Messages("budi@demo.test"))
	status, answer := b.post(t, "sign-in", `{"username":"budi@demo.test","password":"`+demo.Password+`"}`)
	b.want(t, status, answer, 200, "state", "code", "channel", "email")
	status, answer = b.post(t, "resume", `{}`)
	b.want(t, status, answer, 403, "code", "VERIFICATION_REQUIRED")
	code := s.Log.Code(t, "budi@demo.test", sent+1)
	for range 2 {
		status, answer = b.post(t, "verify", `{"otp":"`+code+`"}`)
		b.want(t, status, answer, 200, "state", "approval")
	}
	status, answer = b.post(t, "resume", `{}`)
	b.want(t, status, answer, 200, "state", "approval")
	_, text := s.Send(t, http.MethodPost, "/graphql",
		`{"query":"{deviceApprovals(where:{status:pending,hasUserWith:[{nameNEQ:\"Joko Susilo\"}]})`+
			`{edges{node{id model platform}}}}"}`,
		s.HeaderOf("andini"))
	var list struct {
		Data struct {
			DeviceApprovals struct {
				Edges []struct {
					Node struct{ ID, Model, Platform string }
				}
			}
		}
	}
	if err := json.Unmarshal(text, &list); err != nil || len(list.Data.DeviceApprovals.Edges) != 1 {
		t.Fatalf("%s", text)
	}
	waiting := list.Data.DeviceApprovals.Edges[0].Node
	if waiting.Model != "Chrome, Linux" || waiting.Platform != "web" {
		t.Errorf("%+v", waiting)
	}
	s.Says(t, "andini", `mutation { decideDevice(id: "`+waiting.ID+`", input: {approve: true}) { id } }`,
		`{"decideDevice":{"id":"<digits>"}}`)
	status, answer = b.post(t, "resume", `{}`)
	b.want(t, status, answer, 200, "state", "signed_in", "userId", s.Vars["budi"])
}

// TestPlainSession begins a session without HTTPS: on one's own machine alone, by any of its
// names, with cookies that browsers take there.
func TestPlainSession(t *testing.T) {
	for public, want := range map[string]map[string]int{
		"http://localhost:8080": {"http://localhost:8080": 200, "http://[::1]:8080": 200,
			"http://127.0.0.1:8080": 200, "http://127.0.0.1": 403},
		"http://wf.test": {"http://wf.test": 403, "https://wf.test": 403, "http://127.0.0.1": 403},
	} {
		s := harness.New(t, testdb.SQLite(t), func(c *server.Config) { c.PublicURL = public })
		for origin, status := range want {
			s.Clock.Advance(2 * time.Minute)
			header := map[string]string{"Origin": origin}
			resp, text := s.Send(t, http.MethodPost, "/app/session/sign-in",
				`{"username":"budi@demo.test","password":"`+demo.Password+`"}`, header)
			if resp.StatusCode != status {
				t.Errorf("a page of %s at %s: %d %s", origin, public, resp.StatusCode, text)
			}
			var names []string
			for _, c := range resp.Cookies() {
				names = append(names, c.Name)
				if c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" {
					t.Errorf("cookie %s", c)
				}
			}
			if slices.Sort(names); status == 200 && !slices.Equal(names, []string{"wf_device", "wf_user"}) {
				t.Errorf("cookies %q", names)
			}
		}
	}
}
