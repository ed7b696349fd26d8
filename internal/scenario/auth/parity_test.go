package auth

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	entMessage "workforce/ent/message"
	"workforce/internal/apitest"
	"workforce/internal/database"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// A step is a request about a user name, and what the client got.
type step struct {
	Name       string
	Statements []string // an INSERT as its table alone
	Status     int
	Body       string
	Limits     string // Retry-After and the RateLimit headers
}

// A visitor sends requests about one user name from an address of its own.
type visitor struct {
	*harness.Server
	device, address, username string
	steps                     []step
}

var (
	insert = regexp.MustCompile("(?s)^INSERT INTO [`\"]?(\\w+).*")
	// random matches what differs between the answers to two requests in any case, and
	// the destination, which was made of the name that was typed.
	random = regexp.MustCompile(`"(id|requestId|destination)":"[^"]*"`)
)

// standIns are the tables of rows that an account has, for which an unknown name has a
// decoy.
var standIns = map[string]string{"audit_events": "decoys", "messages": "decoys"}

// ask sends a request and records its step.
func (v *visitor) ask(t *testing.T, name, path, body string) string {
	t.Helper()
	s := step{Name: name}
	ctx := database.RecordStatements(t.Context(), func(_ context.Context, text string) {
		if found := insert.FindStringSubmatch(text); found != nil {
			text = "INSERT " + found[1]
			if decoy := standIns[found[1]]; decoy != "" {
				text = "INSERT " + decoy
			}
		}
		s.Statements = append(s.Statements, text)
	})
	r := httptest.NewRequestWithContext(ctx, "POST", path, strings.NewReader(body))
	r.RemoteAddr = v.address + ":1"
	r.Header = http.Header{"X-Device-Token": {v.device}, "Content-Type": {"application/json"}}
	w := httptest.NewRecorder()
	v.Handler.ServeHTTP(w, r)
	s.Status, s.Body = w.Code, random.ReplaceAllString(w.Body.String(), `"$1":""`)
	for _, h := range []string{"Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} {
		s.Limits += w.Header().Get(h) + " "
	}
	v.steps = append(v.steps, s)
	return w.Body.String()
}

// logIn guesses passwords until the name and then the address are limited.
func (v *visitor) logIn(t *testing.T) {
	for i := range 12 {
		v.ask(t, fmt.Sprint("login ", i), "/user/login", `{"username":"`+v.username+`","password":"wrong"}`)
		if i > 5 {
			v.Clock.Advance(time.Duration(i) * 10 * time.Second)
		}
	}
}

// forget asks for codes until there are too many, and tries codes until there are no
// tries left.
func (v *visitor) forget(t *testing.T) {
	for i := range 7 {
		body := v.ask(t, fmt.Sprint("forgot ", i), "/user/forgot-password", `{"username":"`+v.username+`"}`)
		v.ask(t, fmt.Sprint("forgot again ", i), "/user/forgot-password", `{"username":"`+v.username+`"}`)
		v.reset(t, fmt.Sprint("reset ", i), body)
		v.Clock.Advance(time.Minute)
	}
}

// reset tries codes for the request that an answer names, in vain.
func (v *visitor) reset(t *testing.T, name, asked string) {
	var request struct{ ID string }
	if err := json.Unmarshal([]byte(asked), &request); err != nil || request.ID == "" {
		return // refused
	}
	for i := range 7 {
		v.ask(t, fmt.Sprint(name, " try ", i), "/user/reset-password", `{"id":"`+request.ID+`","otp":"000000","password":"kata-sandi-baru"}`)
	}
}

// TestParity sends the same requests about user names that exist and names that do not:
// the statements, their order and the answers are the same.
func TestParity(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		s.SetActive(t, "eko@demo.test", false)
		groups := map[string][]string{ // the first is unknown
			"e-mail": {"nobody@demo.test", "maya@demo.test", "manager@demo.test", "eko@demo.test"},
			"phone":  {"+628401299991", "+628401200001", "+628401100004"},
		}
		n, begin := 0, s.Clock.Now()
		for group, names := range groups {
			for what, visit := range map[string]func(*visitor, *testing.T){"login": (*visitor).logIn, "forgot": (*visitor).forget} {
				var unknown []step
				for i, name := range names {
					n++
					s.Clock.Set(begin.Add(time.Duration(len(groups)) * 24 * time.Hour))
					key := fmt.Sprint("parity", n)
					s.Run(t, []apitest.Scenario{harness.Register(key)})
					v := &visitor{Server: s, device: s.Vars[key+".device"], address: fmt.Sprint("192.0.2.", n), username: name}
					visit(v, t)
					if i == 0 {
						unknown = v.steps
						wantLimited(t, group+" "+what, unknown)
					} else if diff := cmp.Diff(unknown, v.steps); diff != "" {
						t.Errorf("%s, %s: %s (-) and %s (+) differ\n%s", group, what, names[0], name, diff)
					}
				}
			}
		}
	})
}

// wantLimited fails the test unless requests about a name were refused and others not.
func wantLimited(t *testing.T, what string, steps []step) {
	t.Helper()
	limited := slices.ContainsFunc(steps, func(s step) bool { return s.Status == 429 })
	exhausted := !strings.Contains(what, "forgot") || slices.ContainsFunc(steps, func(s step) bool { return strings.Contains(s.Body, "OTP_EXHAUSTED") })
	if steps[0].Status == 429 || !limited || !exhausted {
		t.Errorf("%s: the requests do not reach the limits", what)
	}
}

// TestOtherName asks for codes by both names of one account, until it may be sent none,
// and by an unknown name as often: statements and answers are the same.
func TestOtherName(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		var all [][]step
		begin := s.Clock.Now()
		for i, names := range [][2]string{{"nobody@demo.test", "+628401299991"}, {"manager@demo.test", "+628401123789"}} {
			s.Clock.Set(begin)
			key := fmt.Sprint("names", i)
			s.Run(t, []apitest.Scenario{harness.Register(key)})
			v := &visitor{Server: s, device: s.Vars[key+".device"], address: fmt.Sprint("192.0.2.", i)}
			var first string
			for j := range 12 {
				v.username = names[j%2]
				asked := v.ask(t, fmt.Sprint("forgot ", j), "/user/forgot-password", `{"username":"`+v.username+`"}`)
				if j == 0 {
					first = asked
				}
				if j == 1 { // void where the names are of one account
					v.reset(t, "the first request", first)
				}
				s.Clock.Advance(31 * time.Second)
			}
			all = append(all, v.steps)
		}
		if diff := cmp.Diff(all[0], all[1]); diff != "" {
			t.Errorf("an unknown name (-) and two of one account (+) differ\n%s", diff)
		}
		sent, err := s.Store.Ent.Message.Query().Where(entMessage.Kind("reset_code")).Count(viewer.System(t.Context()))
		if err != nil || sent != 5 {
			t.Errorf("%d codes, %v; want 5 by both names", sent, err)
		}
	})
}
