package websession

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/internal/errs"
	"workforce/internal/request"
)

// operations stands for those of the server: each answers with a text, or fails, and records
// what it was called with.
type operations struct {
	answers map[string]string // by path
	fails   map[string]error
	calls   []string
}

func (o *operations) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	call := r.URL.Path
	for _, name := range slices.Sorted(maps.Values(headers)) {
		if value := r.Header.Get(name); value != "" {
			call += " " + strings.TrimPrefix(name, "X-") + "=" + value
		}
	}
	o.calls = append(o.calls, call+" "+string(body))
	if r.Header.Get("Cookie") != "" || r.Header.Get("Idempotency-Key") != "" || r.Header.Get("Authorization") != "" {
		o.calls = append(o.calls, "headers of the page")
	}
	if err := o.fails[r.URL.Path]; err != nil {
		delete(o.fails, r.URL.Path) // once
		request.Fail(w, r, err)
		return
	}
	_, _ = io.WriteString(w, o.answers[r.URL.Path])
}

func unauthenticated(kind, reason string) error {
	return errs.New(errs.Unauthenticated, errs.Meta{"token": kind, "reason": reason})
}

const signedInAnswer = `{"state":"signed_in","userId":"7","accessToken":"a","expiresIn":900}`

// TestExchanges follows each endpoint: what it is sent, which operations it calls with what, what
// it answers and which cookies it sets.
func TestExchanges(t *testing.T) {
	waits := errs.New(errs.VerificationRequired, errs.Meta{"reason": "approval"})
	for _, tt := range []struct {
		name, endpoint, cookies, body string
		fails                         map[string]error
		calls                         []string
		status                        int
		want                          string // the answer, or the code of the refusal
		set                           string // cookies, "-" before those that are cleared
	}{
		{"a new browser", "sign-in", "", `{"username":"u","password":"p"}`, nil,
			[]string{`/register {"deviceId":"*","model":"Browser"}`,
				`/sign-in Device-Token=d {"password":"[p]","username":"u"}`},
			200, `{"state":"code","channel":"email","destination":"u***","expiresIn":300}`, "wf_device=d wf_user=u"},
		{"a known browser", "sign-in", "wf_device=x", `{"username":"u","password":"p"}`, nil,
			[]string{`/sign-in Device-Token=x {"password":"[p]","username":"u"}`},
			200, `{"state":"code","channel":"email","destination":"u***","expiresIn":300}`, "wf_user=u"},
		{"a revoked browser", "sign-in", "wf_device=x", `{"username":"u","password":"p"}`,
			map[string]error{"/sign-in": unauthenticated("device", "revoked")},
			[]string{`/sign-in Device-Token=x *`, `/register *`, `/sign-in Device-Token=d *`},
			200, `{"state":"code","channel":"email","destination":"u***","expiresIn":300}`, "wf_device=d wf_user=u"},
		{"over a session", "sign-in", "wf_device=x; wf_refresh=r", `{"username":"u","password":"p"}`, nil,
			[]string{`/sign-in *`, `/sign-out Device-Token=x Refresh-Token=r {}`},
			200, `{"state":"code","channel":"email","destination":"u***","expiresIn":300}`, "-wf_refresh wf_user=u"},
		{"a wrong password", "sign-in", "wf_device=x; wf_refresh=r", `{"username":"u","password":"p"}`,
			map[string]error{"/sign-in": errs.New(errs.InvalidCredentials, nil)}, []string{`/sign-in *`}, 401,
			"INVALID_CREDENTIALS", ""},
		{"a session that cannot be ended", "sign-in", "wf_device=x; wf_refresh=r", `{"username":"u","password":"p"}`,
			map[string]error{"/sign-out": errs.New(errs.Unavailable, nil)}, []string{`/sign-in *`, `/sign-out *`},
			503, "UNAVAILABLE", ""},
		{"no password", "sign-in", "wf_device=x", `{"username":"u"}`, nil,
			[]string{`/sign-in Device-Token=x {"password":"","username":"u"}`},
			200, "", "wf_user=u"},
		{"a code", "verify", "wf_device=x; wf_user=u", `{"otp":"1"}`, nil,
			[]string{`/verify Device-Token=x User-Token=u {"otp":"1"}`, `/pair Device-Token=x User-Token=u {}`}, 200,
			signedInAnswer, "wf_refresh=r2"},
		{"a wrong code", "verify", "wf_device=x; wf_user=u", `{"otp":"1"}`,
			map[string]error{"/verify": errs.Field(errs.OTPInvalid, "otp", nil)}, []string{`/verify *`}, 422,
			"OTP_INVALID", ""},
		{"a code that awaits approval", "verify", "wf_device=x; wf_user=u", `{"otp":"1"}`,
			map[string]error{"/verify": waits}, []string{`/verify *`}, 200, `{"state":"approval"}`, ""},
		{"a code, then approval", "verify", "wf_device=x; wf_user=u", `{"otp":"1"}`,
			map[string]error{"/pair": waits}, []string{`/verify *`, `/pair *`}, 200, `{"state":"approval"}`, ""},
		{"on after approval", "resume", "wf_device=x; wf_user=u", `{}`, nil, []string{`/pair *`}, 200, signedInAnswer,
			"wf_refresh=r2"},
		{"on before the code", "resume", "wf_device=x; wf_user=u", `{}`,
			map[string]error{"/pair": errs.New(errs.VerificationRequired, nil)}, []string{`/pair *`}, 403,
			"VERIFICATION_REQUIRED", ""},
		{"the next token", "refresh", "wf_device=x; wf_refresh=r", `{}`, nil,
			[]string{`/refresh Device-Token=x Refresh-Token=r {}`}, 200, signedInAnswer, "wf_refresh=r2"},
		{"without its browser", "refresh", "wf_refresh=r", `{}`, nil, nil, 401, "UNAUTHENTICATED", ""},
		{"without a session", "refresh", "wf_device=x", `{}`, nil, nil, 401, "UNAUTHENTICATED", ""},
		{"of a session that ended", "refresh", "wf_device=x; wf_refresh=r", `{}`,
			map[string]error{"/refresh": unauthenticated("refresh", "revoked")}, []string{`/refresh *`}, 401,
			"UNAUTHENTICATED", ""},
		{"out", "sign-out", "wf_device=x; wf_refresh=r; wf_user=u", `{}`, nil, []string{`/sign-out *`},
			200, `{"signedOut":true}`, "-wf_refresh -wf_user"},
		{"out of a session that ended", "sign-out", "wf_device=x; wf_refresh=r", `{}`,
			map[string]error{"/sign-out": unauthenticated("access", "missing")}, []string{`/sign-out *`}, 200,
			`{"signedOut":true}`, "-wf_refresh -wf_user"},
		{"out of none", "sign-out", "", `{}`, nil, nil, 200, `{"signedOut":true}`, "-wf_user"},
		{"a forgotten password", "forgot", "wf_device=x", `{"username":"u"}`, nil,
			[]string{`/forgot Device-Token=x {"username":"u"}`},
			200, `{"channel":"email","destination":"u***","expiresIn":600}`, "wf_reset=123"},
		{"a new password", "reset", "wf_device=x; wf_reset=123", `{"otp":"1","password":"p"}`, nil,
			[]string{`/reset Device-Token=x {"id":"123","otp":"1","password":"[p]"}`}, 200, `{"reset":true}`,
			"-wf_reset"},
		{"a new password too late", "reset", "wf_device=x", `{"otp":"1","password":"p"}`, nil, nil, 422,
			"OTP_EXPIRED", ""},
		{"an operator's link", "recover", "", `{"token":"t","password":"p"}`, nil,
			[]string{`/register *`, `/recover Device-Token=d {"password":"[p]","token":"t"}`},
			200, `{"recovered":true}`, "wf_device=d"},
		{"an operator's link, over a session", "recover", "wf_device=x; wf_refresh=r; wf_user=u",
			`{"token":"t","password":"p"}`, nil,
			[]string{`/recover Device-Token=x Refresh-Token=r User-Token=u *`, `/sign-out *`},
			200, `{"recovered":true}`, "-wf_refresh"},
		{"a link that is void", "recover", "wf_device=x; wf_refresh=r", `{"token":"t","password":"p"}`,
			map[string]error{"/recover": errs.New(errs.NotFound, nil)}, []string{`/recover *`}, 404, "NOT_FOUND", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := &operations{fails: maps.Clone(tt.fails), answers: map[string]string{
				"/register": `{"deviceToken":"d"}`, "/verify": `{"verified":true}`, "/sign-out": `{"loggedOut":true}`,
				"/reset": `{"name":"U"}`, "/recover": `{"recovered":true}`,
				"/sign-in": `{"userToken":"u","verified":false,"verification":{"channel":"email","destination":"u***","expiresIn":300}}`,
				"/pair":    `{"accessToken":"a","refreshToken":"r2","expiresIn":900,"refreshExpiresIn":60,"userId":"7"}`,
				"/refresh": `{"accessToken":"a","refreshToken":"r2","expiresIn":900,"refreshExpiresIn":60,"userId":"7"}`,
				"/forgot":  `{"id":"123","channel":"email","destination":"u***","expiresIn":600}`,
			}}
			resp := post(o, tt.endpoint, tt.cookies, tt.body)
			text := strings.TrimSpace(resp.Body.String())
			if resp.Code != tt.status || !matches(text, tt.status, tt.want) {
				t.Errorf("%d %s, want %d %s", resp.Code, text, tt.status, tt.want)
			}
			if got := setBy(resp.Result()); got != tt.set {
				t.Errorf("cookies %q, want %q", got, tt.set)
			}
			if !slices.EqualFunc(o.calls, tt.calls, isLike) {
				t.Errorf("calls %q, want %q", o.calls, tt.calls)
			}
		})
	}
}

// post sends a request of the app's own page.
func post(o *operations, endpoint, cookies, body string) *httptest.ResponseRecorder {
	mux := http.NewServeMux()
	(&Sessions{
		Call: o, Own: func(*http.Request) bool { return true }, UserLife: 15 * time.Minute,
		Encrypt: func(_ context.Context, _, text string) (string, error) { return "[" + text + "]", nil },
	}).Register(mux)
	r := httptest.NewRequest(http.MethodPost, Path+endpoint, strings.NewReader(body))
	r.Header = http.Header{
		"Content-Type": {"application/json; charset=utf-8"}, "Cookie": {cookies}, "Idempotency-Key": {"k"},
		"Authorization": {"Bearer x"},
	}
	resp := httptest.NewRecorder()
	mux.ServeHTTP(resp, r)
	return resp
}

// matches compares an answer with what is wanted: all of it, or the code of a refusal.
func matches(text string, status int, want string) bool {
	if status == http.StatusOK {
		return want == "" || text == want
	}
	var problem struct{ Code string }
	return json.Unmarshal([]byte(text), &problem) == nil && problem.Code == want
}

// setBy lists the cookies that an answer sets, by name.
func setBy(resp *http.Response) string {
	var all []string
	for _, c := range resp.Cookies() {
		if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" {
			all = append(all, "open ")
		}
		if c.MaxAge < 0 {
			all = append(all, "-"+c.Name)
			continue
		}
		all = append(all, c.Name+"="+c.Value)
	}
	slices.SortFunc(all, func(a, b string) int { return strings.Compare(strings.Trim(a, "-"), strings.Trim(b, "-")) })
	return strings.Join(all, " ")
}

// isLike compares a call with a pattern, in which * stands for anything behind it or within a text.
func isLike(call, pattern string) bool {
	before, after, any := strings.Cut(pattern, "*")
	return call == pattern || any && strings.HasPrefix(call, before) && strings.HasSuffix(call, after)
}
