package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/viewer"
)

const (
	second = time.Second
	minute = time.Minute
	hour   = time.Hour
	day24  = 24 * time.Hour
)

// head pairs names and values of headers.
func head(pairs ...string) map[string]string {
	h := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		h[pairs[i]] = pairs[i+1]
	}
	return h
}

// problemBody is the body of an error; errors and meta are JSON.
func problemBody(status int, code, title, detail, errors, meta string) string {
	return fmt.Sprintf(`{"type":"http://wf.test/errors/%[2]s","code":"%[2]s","title":"%[3]s","status":%[1]d,"detail":"%[4]s","requestId":"<any>","errors":%[5]s,"meta":%[6]s}`,
		status, code, title, detail, errors, meta)
}

// tokenProblem is the body of UNAUTHENTICATED.
func tokenProblem(kind, reason string) string {
	return problemBody(401, "UNAUTHENTICATED", "Not signed in", "A valid "+kind+" token is needed.", `[]`,
		`{"reason":"`+reason+`","token":"`+kind+`"}`)
}

// memberProblem is the body of VALIDATION_FAILED; faults pairs members and what
// is said of them.
func memberProblem(faults ...string) string {
	return problemBody(422, "VALIDATION_FAILED", "Invalid input", "Some of what was sent is missing or wrong; see errors.",
		faultList("VALIDATION_FAILED", faults...), `{}`)
}

func faultList(code string, faults ...string) string {
	var list []string
	for i := 0; i < len(faults); i += 2 {
		list = append(list, fmt.Sprintf(`{"field":"%s","code":"%s","detail":"%s"}`, faults[i], code, faults[i+1]))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// codeProblem is the body of an error about a one-time code.
func codeProblem(code string) string {
	texts := map[string][2]string{
		"OTP_INVALID":   {"Wrong code", "The code is wrong."},
		"OTP_EXPIRED":   {"Code expired", "The code has expired; ask for a new one."},
		"OTP_EXHAUSTED": {"Too many wrong codes", "Too many wrong tries; ask for a new code."},
	}
	text := texts[code]
	return problemBody(422, code, text[0], text[1], faultList(code, "otp", text[1]), `{}`)
}

// limitProblem is the body of RATE_LIMITED.
func limitProblem(seconds int) string {
	return problemBody(429, "RATE_LIMITED", "Too many requests", fmt.Sprintf("Too many requests; try again in %d seconds.", seconds),
		`[]`, fmt.Sprintf(`{"retryAfterSeconds":%d}`, seconds))
}

var (
	wrongLogin = problemBody(401, "INVALID_CREDENTIALS", "Wrong user name or password", "The user name or the password is wrong.", `[]`, `{}`)

	keyInvalid = problemBody(422, "PASSWORD_KEY_INVALID", "Password cannot be decrypted", "The password is not encrypted for a key that is in use.",
		faultList("PASSWORD_KEY_INVALID", "password", "The password is not encrypted for a key that is in use."), `{}`)
)

// jwe has the form of an encrypted password.
const jwe = "eyJhbGciOiJSU0EtT0FFUC0yNTYifQ.AA.AA.AA.AA"

// budiProfile is Budi's; <face> stands for his face.
const budiProfile = `{"name":"Budi Santoso","email":"budi@demo.test","image":"images/avatar.png","mobileNumber":{"country_code":62,"number":"08401100003"},"gender":"male","salutaion":null,"locale":"id","designations":[{"id":"<digits>","name":"Staf Operasional"}],"faceLandmark":<face>}`

func budiWith(face string) string { return strings.Replace(budiProfile, "<face>", face, 1) }

// register registers a device under a name and keeps its token as name.device.
func register(name string) apitest.Scenario {
	return apitest.Scenario{
		Name: name + " registers", Path: "/device/register", Body: `{"deviceId":"` + name + `","platform":"android"}`,
		Want: `{"deviceToken":"<token wfd>"}`, Save: map[string]string{name + ".device": "/deviceToken"},
	}
}

// login signs somebody in on a device and keeps the user token as device.user.
func login(device, username, password string) apitest.Scenario {
	return apitest.Scenario{
		Name: username + " logs in on " + device, Path: "/user/login", Header: deviceOf(device),
		Body: `{"username":"` + username + `","password":"` + password + `"}`, Save: map[string]string{device + ".user": "/userToken"},
	}
}

// deviceOf is the header with the token of a device.
func deviceOf(device string) map[string]string {
	return head("X-Device-Token", "{{"+device+".device}}")
}

// sessionOf is the headers with a device's token and the user token on it.
func sessionOf(device string) map[string]string {
	return head("X-Device-Token", "{{"+device+".device}}", "x-User-Token", "{{"+device+".user}}")
}

func bearerOf(name string) map[string]string { return head("Authorization", "Bearer {{"+name+"}}") }

// verify gives a code on a device.
func verify(name, device, code string, status int, want string) apitest.Scenario {
	return apitest.Scenario{
		Name: name, Path: "/authorize/verify", Header: sessionOf(device), Body: `{"otp":"` + code + `"}`, Status: status, Want: want,
	}
}

// pairOf asks for a token pair on a device and keeps it.
func pairOf(device string) apitest.Scenario {
	return apitest.Scenario{
		Name: device + " gets tokens", Path: "/authorize/access-token", Header: head("x-User-Token", "{{"+device+".user}}"),
		Want: freshPair, WantHeader: head("Cache-Control", "no-store"),
		Save: map[string]string{device + ".access": "/accessToken", device + ".refresh": "/refreshToken"},
	}
}

const freshPair = `{"accessToken":"<token wfa>","refreshToken":"<token wfr>","tokenType":"Bearer","expiresIn":900,"refreshExpiresIn":2592000}`

// wrongCode returns another code than the right one.
func wrongCode(code string) string {
	if code[5] == '0' {
		return code[:5] + "1"
	}
	return code[:5] + "0"
}

// An answer is one answer to a request of many.
type answer struct {
	status int
	body   string
}

// ask sends one request; header and body are sent as they are.
func (s *testServer) ask(method, path string, header map[string]string, body string) (answer, error) {
	req, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	resp, err := s.HTTP.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, string(text)}, err
}

// askAtOnce sends a request n times, 50 at a time.
func (s *testServer) askAtOnce(t *testing.T, n int, method, path string, header map[string]string, body string) []answer {
	t.Helper()
	answers, errs := make([]answer, n), make([]error, n)
	gate := make(chan struct{}, 50)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			answers[i], errs[i] = s.ask(method, path, header, body)
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	return answers
}

// statuses counts the answers of each status.
func statuses(answers []answer) map[int]int {
	counts := map[int]int{}
	for _, a := range answers {
		counts[a.status]++
	}
	return counts
}

// wantSent fails unless so many codes went to an address by now. What is
// written is sent before a message that is written later.
func (s *testServer) wantSent(t *testing.T, to string, want int) {
	t.Helper()
	if want > 0 {
		s.Log.Code(t, to, want)
	}
	if got := len(s.Log.Messages(to)); got != want {
		t.Errorf("%d codes to %s, want %d", got, to, want)
	}
	ctx := viewer.System(t.Context())
	kept, err := s.store.ent.Message.Query().All(ctx)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, m := range kept {
		if m.Destination == to && strings.HasSuffix(m.Kind, "_code") {
			n++
		}
	}
	if n != want {
		t.Errorf("%d codes to %s were written, want %d", n, to, want)
	}
}

// setActive activates or deactivates a user.
func (s *testServer) setActive(t *testing.T, email string, active bool) {
	t.Helper()
	ctx := viewer.System(ent.NewContext(t.Context(), s.store.ent))
	rewrite(t, ctx, s.store.ent, func(db *ent.Client) {
		db.User.Update().Where(user.EmailKey(email)).SetActive(active).ExecX(ctx)
	})
}

// inEnglish asks in English, where a request asks for no language, while f runs.
func inEnglish(s *testServer, f func()) {
	before := s.HTTP.Transport
	s.HTTP.Transport = english{before}
	defer func() { s.HTTP.Transport = before }()
	f()
}

type english struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (e english) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Header.Get("X-Language") == "" {
		r = r.Clone(r.Context())
		r.Header.Set("X-Language", "en")
	}
	return e.RoundTripper.RoundTrip(r)
}
