package harness

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

// Day is 24 hours.
const Day = 24 * time.Hour

// Head pairs names and values of headers.
func Head(pairs ...string) map[string]string {
	h := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		h[pairs[i]] = pairs[i+1]
	}
	return h
}

// ProblemBody is the body of an error; errors and meta are JSON.
func ProblemBody(status int, code, title, detail, errors, meta string) string {
	return fmt.Sprintf(`{"type":"http://wf.test/errors/%[2]s","code":"%[2]s","title":"%[3]s","status":%[1]d,"detail":"%[4]s","requestId":"<any>","errors":%[5]s,"meta":%[6]s}`,
		status, code, title, detail, errors, meta)
}

// MemberProblem is the body of VALIDATION_FAILED; faults pairs members and what
// is said of them.
func MemberProblem(faults ...string) string {
	return ProblemBody(422, "VALIDATION_FAILED", "Invalid input", "Some of what was sent is missing or wrong; see errors.",
		FaultList("VALIDATION_FAILED", faults...), `{}`)
}

func FaultList(code string, faults ...string) string {
	var list []string
	for i := 0; i < len(faults); i += 2 {
		list = append(list, fmt.Sprintf(`{"field":"%s","code":"%s","detail":"%s"}`, faults[i], code, faults[i+1]))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// Register registers a device under a name and keeps its token as name.device.
func Register(name string) apitest.Scenario {
	return apitest.Scenario{
		Name: name + " registers", Path: "/device/register", Body: `{"deviceId":"` + name + `","platform":"android"}`,
		Want: `{"deviceToken":"<token wfd>"}`, Save: map[string]string{name + ".device": "/deviceToken"},
	}
}

// Login signs somebody in on a device and keeps the user token as device.user.
func Login(device, username, password string) apitest.Scenario {
	return apitest.Scenario{
		Name: username + " logs in on " + device, Path: "/user/login", Header: DeviceOf(device),
		Body: `{"username":"` + username + `","password":"` + password + `"}`, Save: map[string]string{device + ".user": "/userToken"},
	}
}

// DeviceOf is the header with the token of a device.
func DeviceOf(device string) map[string]string {
	return Head("X-Device-Token", "{{"+device+".device}}")
}

// SessionOf is the headers with a device's token and the user token on it.
func SessionOf(device string) map[string]string {
	return Head("X-Device-Token", "{{"+device+".device}}", "x-User-Token", "{{"+device+".user}}")
}

// Verify gives a code on a device.
func Verify(name, device, code string, status int, want string) apitest.Scenario {
	return apitest.Scenario{
		Name: name, Path: "/authorize/verify", Header: SessionOf(device), Body: `{"otp":"` + code + `"}`, Status: status, Want: want,
	}
}

const FreshPair = `{"accessToken":"<token wfa>","refreshToken":"<token wfr>","tokenType":"Bearer","expiresIn":900,"refreshExpiresIn":2592000}`

// An Answer is one answer to a request of many.
type Answer struct {
	Status int
	Body   string
}

// Ask sends one request; header and body are sent as they are.
func (s *Server) Ask(method, path string, header map[string]string, body string) (Answer, error) {
	req, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	resp, err := s.HTTP.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return Answer{resp.StatusCode, string(text)}, err
}

// AskAtOnce sends a request n times, 50 at a time.
func (s *Server) AskAtOnce(t *testing.T, n int, method, path string, header map[string]string, body string) []Answer {
	t.Helper()
	answers, errs := make([]Answer, n), make([]error, n)
	gate := make(chan struct{}, 50)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			answers[i], errs[i] = s.Ask(method, path, header, body)
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

// Statuses counts the answers of each status.
func Statuses(answers []Answer) map[int]int {
	counts := map[int]int{}
	for _, a := range answers {
		counts[a.Status]++
	}
	return counts
}

// WantSent fails unless so many codes went to an address by now. What is
// written is sent before a message that is written later.
func (s *Server) WantSent(t *testing.T, to string, want int) {
	t.Helper()
	if want > 0 {
		s.Log.Code(t, to, want)
	}
	if got := len(s.Log.Messages(to)); got != want {
		t.Errorf("%d codes to %s, want %d", got, to, want)
	}
	ctx := viewer.System(t.Context())
	kept, err := s.Store.Ent.Message.Query().All(ctx)
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

// SetActive activates or deactivates a user.
func (s *Server) SetActive(t *testing.T, email string, active bool) {
	t.Helper()
	ctx := viewer.System(ent.NewContext(t.Context(), s.Store.Ent))
	Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) {
		db.User.Update().Where(user.EmailKey(email)).SetActive(active).ExecX(ctx)
	})
}
