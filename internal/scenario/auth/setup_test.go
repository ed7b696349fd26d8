package auth

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent/setuplink"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// bootstrapToken is that of the tests' settings.
const bootstrapToken = "0123456789-0123456789_0123456789ab"

// empty returns a server on an empty database.
func empty(t *testing.T, database string, change ...func(*server.Config)) *harness.Server {
	return harness.New(t, database, append(change, func(s *server.Config) { s.Demo, s.Clock = false, nil })...)
}

// founding is what the form of the first start holds, with changes.
func founding(token string, changes ...string) url.Values {
	form := url.Values{
		"token": {token}, "companyName": {"PT Contoh"}, "timezone": {"Asia/Jakarta"}, "locale": {"id"},
		"name": {"Sri Wahyuni"}, "email": {"sri@contoh.id"}, "phone": {"+62 811 123 789"}, "password": {"correct horse battery"},
	}
	for i := 0; i+1 < len(changes); i += 2 {
		form.Set(changes[i], changes[i+1])
	}
	return form
}

// page sends a request to the page of the first start: the form, nil for GET.
func page(t *testing.T, s *harness.Server, language, path string, form url.Values) (int, string, http.Header) {
	t.Helper()
	method, body := http.MethodGet, ""
	if form != nil {
		method, body = http.MethodPost, form.Encode()
	}
	resp, err := send(s, method, path, body, language)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text), resp.Header
}

func send(s *harness.Server, method, path, body, language string) (*http.Response, error) {
	r, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept-Language", language)
	return http.DefaultClient.Do(r)
}

// companies returns how many companies and users there are.
func companies(t *testing.T, s *harness.Server) (companies, users int) {
	t.Helper()
	ctx := viewer.System(context.Background())
	return s.Store.Ent.Company.Query().CountX(ctx), s.Store.Ent.User.Query().CountX(ctx)
}

var sixDigits = regexp.MustCompile(`<code>(\d{6})</code>`)

// TestFirstStart creates the first company with the link of an empty database, and
// signs its owner in with the code of the page: no carrier is set.
func TestFirstStart(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		s := empty(t, database)
		if !strings.HasPrefix(s.SetupPath, "/setup?token=") {
			t.Fatalf("path %q", s.SetupPath)
		}
		token := strings.TrimPrefix(s.SetupPath, "/setup?token=")
		status, text, h := page(t, s, "en", s.SetupPath, nil)
		if status != 200 || !strings.Contains(text, `name="companyName"`) || !strings.Contains(text, `value="`+token+`"`) {
			t.Fatalf("%d %.2000s", status, text)
		}
		policy := h.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "form-action 'self'") || h.Get("Cache-Control") != "no-store" ||
			h.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("headers %v", h)
		}
		refusesFounding(t, s, token)

		status, text, _ = page(t, s, "en", "/setup", founding(token))
		code := sixDigits.FindStringSubmatch(text)
		if status != 200 || code == nil || !strings.Contains(text, "until 2026-03-11 09:00 WIB.") || !strings.Contains(text, `<a href="app/start" `) {
			t.Fatalf("%d %.2000s", status, text)
		}
		if c, u := companies(t, s); c != 1 || u != 1 {
			t.Errorf("%d companies and %d users", c, u)
		}
		if status, text, _ := page(t, s, "en", "/setup", nil); status != 410 || !strings.Contains(text, "This installation already has a company") {
			t.Errorf("without a link: %d %.1000s", status, text)
		}
		for _, form := range []url.Values{nil, founding(token), founding(token, "email", "other@contoh.id")} {
			path := s.SetupPath
			if form != nil {
				path = "/setup"
			}
			if status, text, _ := page(t, s, "id", path, form); status != 410 || !strings.Contains(text, "Instalasi ini sudah memiliki perusahaan") || strings.Contains(text, "<form") {
				t.Errorf("a used link: %d %.1000s", status, text)
			}
		}
		firstSignIn(t, s, code[1])
		if again := empty(t, database); again.SetupPath != "" {
			t.Error("a database with a company gets a link")
		}
		if strings.Contains(s.Log.Lines(), token) || strings.Contains(s.Log.Lines(), code[1]) {
			t.Error("the token or the code is in the log")
		}
	})
}

// refusesFounding sends forms that create nothing and leave the link valid.
func refusesFounding(t *testing.T, s *harness.Server, token string) {
	for _, tt := range []struct {
		name, language string
		form           url.Values
		status         int
		want           []string // in the page
	}{
		{"no token", "en", founding(""), 410, []string{"never existed"}},
		{"another token", "en", founding(bootstrapToken), 410, []string{"never existed"}},
		{"nothing", "en", url.Values{"token": {token}}, 422, []string{
			`id="companyName-fault">This is required.`, `id="timezone-fault">This must look like Asia/Jakarta.`, `id="locale-fault">This must be one of id, en.`,
			`id="name-fault">This is required.`, `id="email-fault">This is required.`, `id="password-fault">`,
		}},
		{"in Indonesian", "id", founding(token, "name", " "), 422, []string{`<html lang="id">`, "Belum ada yang dibuat", `value="PT Contoh"`, `id="name-fault">`}},
		{"a zone that is none", "en", founding(token, "timezone", "Jakarta"), 422, []string{`id="timezone-fault"`}},
		{"an address that is none", "en", founding(token, "email", "sri"), 422, []string{`id="email-fault"`}},
		{"a number that is none", "en", founding(token, "phone", "12"), 422, []string{`id="phone-fault">This must look like &#43;62811123789.`}},
		{"a weak password", "en", founding(token, "password", "contoh"), 422, []string{`id="password-fault"`}},
		{"markup", "en", founding(token, "name", `"><script>alert(1)</script>`, "timezone", ""), 422, []string{`value="&#34;&gt;&lt;script&gt;`}},
		{"too much", "en", founding(token, "name", strings.Repeat("x", 70_000)), 413, nil},
	} {
		status, text, _ := page(t, s, tt.language, "/setup", tt.form)
		if status != tt.status {
			t.Errorf("%s: status %d, want %d", tt.name, status, tt.status)
		}
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in %.4000s", tt.name, want, text)
			}
		}
		if strings.Contains(text, "correct horse") || strings.Contains(text, "<script") {
			t.Errorf("%s: the page shows %.4000s", tt.name, text)
		}
	}
	if c, u := companies(t, s); c != 0 || u != 0 {
		t.Errorf("%d companies and %d users", c, u)
	}
}

// firstSignIn signs the owner in on one device with the code, which is good for no
// other.
func firstSignIn(t *testing.T, s *harness.Server, code string) {
	wrong := "000000"
	if code == wrong {
		wrong = "000001"
	}
	login := func(device string) apitest.Scenario {
		return harness.Login(device, "sri@contoh.id", "correct horse battery")
	}
	verify := func(name, device, code string, status int, want string) apitest.Scenario {
		v := harness.Verify(name, device, code, status, want)
		v.Header["X-Language"] = "en"
		return v
	}
	s.Run(t, []apitest.Scenario{
		harness.Register("office"), harness.Register("home"), login("office"), login("home"),
		verify("a wrong code", "office", wrong, 422, codeProblem("OTP_INVALID")),
		verify("the code of the page", "office", code, 200, `{"verified":true}`),
		verify("the code again on another device", "home", code, 422, codeProblem("OTP_INVALID")),
		{Name: "tokens", Path: "/authorize/access-token", Header: harness.SessionOf("office"), Status: 200,
			Want: `{"accessToken":"<any>","refreshToken":"<any>","tokenType":"Bearer","expiresIn":900,"refreshExpiresIn":2592000}`,
			Save: map[string]string{"owner.access": "/accessToken"}},
		{Name: "permission", Path: "/user/permission", Header: map[string]string{"Authorization": "Bearer {{owner.access}}"}, Status: 200,
			Want: `{"roles":[{"id":"<digits>","name":"Owner"}],"permissions":"<any>"}`},
	})
}

// TestBootstrapToken starts servers with a token in the settings: it is not shown, and
// ends after an hour.
func TestBootstrapToken(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		set := func(s *server.Config) { s.BootstrapToken = bootstrapToken }
		s := empty(t, database, set)
		if s.SetupPath != "" {
			t.Errorf("the link is shown: %s", s.SetupPath)
		}
		const path = "/setup?token=" + bootstrapToken
		s.Clock.Advance(time.Hour - time.Second)
		if status, _, _ := page(t, s, "en", path, nil); status != 200 {
			t.Errorf("before the end of the hour: %d", status)
		}
		s.Clock.Advance(time.Second)
		for name, form := range map[string]url.Values{"the link": nil, "the form": founding(bootstrapToken)} {
			if status, _, _ := page(t, s, "en", path, form); status != 410 {
				t.Errorf("%s after an hour: %d", name, status)
			}
		}
		s = empty(t, database, set) // which makes it valid again
		if status, _, _ := page(t, s, "en", path, nil); status != 200 {
			t.Errorf("after another start: %d", status)
		}
	})
}

// TestFirstCompanyAtOnce submits the form 20 times at once, with one link and with two,
// and has servers start meanwhile: one company with one owner is created, and no link
// outlives that.
func TestFirstCompanyAtOnce(t *testing.T) {
	for name, links := range map[string]int{"one link": 1, "two links": 2} {
		t.Run(name, func(t *testing.T) {
			testdb.Each(t, func(t *testing.T, database string) {
				s, tokens := empty(t, database), []string{}
				for range links {
					tokens = append(tokens, strings.TrimPrefix(empty(t, database).SetupPath, "/setup?token="))
				}
				var mu sync.Mutex
				var all sync.WaitGroup
				got := map[int]int{}
				for i := range 20 {
					form := founding(tokens[i%links], "email", "owner"+string(rune('a'+i))+"@contoh.id", "phone", "")
					all.Go(func() {
						resp, err := send(s, http.MethodPost, "/setup", form.Encode(), "en")
						if err != nil {
							t.Error(err)
							return
						}
						_ = resp.Body.Close()
						mu.Lock()
						defer mu.Unlock()
						got[resp.StatusCode]++
					})
					all.Go(func() {
						if _, err := s.Services.Setup.Offer(t.Context(), form.Get("email")); err != nil {
							t.Error(err)
						}
					})
				}
				all.Wait()
				if got[200] != 1 || got[200]+got[410]+got[429] != 20 {
					t.Errorf("statuses %v, want one 200 and else 410 or 429", got)
				}
				if c, u := companies(t, s); c != 1 || u != 1 {
					t.Errorf("%d companies and %d users", c, u)
				}
				if n := s.Store.Ent.SetupLink.Query().Where(setuplink.ClosedAtIsNil()).CountX(viewer.System(t.Context())); n != 0 {
					t.Errorf("%d links are valid", n)
				}
			})
		})
	}
}
