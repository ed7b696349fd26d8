package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/internal/apitest"
)

// A load is people who write on two servers, or on one, and compare.
type load struct {
	*ledger
	urls     []string // of the servers
	clock    func() time.Time
	patience time.Duration // after which a request that is not acknowledged is given up
	pause    time.Duration // before a request is sent again
	settle   time.Duration // before another server is used, whose clock may be behind
	people   []*person
	running  sync.WaitGroup
}

// A person sends one request after another.
type person struct {
	email  string
	token  string
	site   string // addressId
	shift  string // employeeShiftId
	server int    // that is used, as long as it answers
	sent   int    // requests
	roles  []string
	client *http.Client
}

func newPerson(email string) *person {
	return &person{email: email, client: &http.Client{Timeout: 15 * time.Second, Transport: &http.Transport{}}}
}

// start has everybody write until ctx ends, and then until their last request is
// acknowledged.
func (l *load) start(ctx context.Context) {
	for i, p := range l.people {
		p.server = i % len(l.urls)
		l.running.Go(func() {
			defer p.client.CloseIdleConnections()
			for ctx.Err() == nil && l.once(p) {
			}
		})
	}
}

// once sends the next request of a person until it is acknowledged, some again after
// that, and reads on the other server. It reports false where the person gives up.
func (l *load) once(p *person) bool {
	p.sent++
	r := request{key: fmt.Sprintf("fault-%s-%d", strings.TrimSuffix(p.email, "@demo.test"), p.sent), kind: newRole, who: p.email}
	switch {
	case p.site != "":
		r.kind, r.at = clockOut, l.clock().UTC().Truncate(time.Millisecond)
		if p.sent%2 == 1 {
			r.kind = clockIn
		}
	case p.sent%4 == 0:
		r.kind = newUser
	}
	l.begin(r)
	if !l.resolve(p, r) {
		return false
	}
	if r.kind == newRole {
		p.roles = append(p.roles, r.key)
	}
	other := (p.server + 1) % len(l.urls)
	l.readOwn(p, r, other)
	if p.sent%5 == 0 { // as a phone that did not get the answer
		l.record(r, l.send(p, r, other))
	}
	return true
}

// resolve sends a request until it is acknowledged.
func (l *load) resolve(p *person, r request) bool {
	for began := time.Now(); ; {
		a := l.send(p, r, p.server)
		l.record(r, a)
		if a.acknowledged() {
			return true
		}
		if time.Since(began) > l.patience || !a.unknown() && a.status != 500 {
			return false
		}
		time.Sleep(l.pause)
		if a.err != nil || a.status != 409 {
			p.server = (p.server + 1) % len(l.urls)
			time.Sleep(l.settle)
		}
	}
}

// mutations are what the owner sends. Each has the request's key as a name.
var mutations = map[string]string{
	newRole: `mutation($name: String!) { createRole(input: {name: $name, permissions: []}) { name } }`,
	newUser: `mutation($name: String!, $email: String!) { createUser(input: {name: $name, email: $email, password: "a-long-password"}) { name } }`,
}

// send sends a request to a server once. Roles, users and half of the clock events
// have an Idempotency-Key, the rest an X-Req-Id.
func (l *load) send(p *person, r request, server int) answer {
	header, path, body := "Idempotency-Key", "/attendance/clockIn", ""
	if p.site != "" && p.sent%4 >= 2 {
		header = "X-Req-Id"
	}
	switch r.kind {
	case newRole, newUser:
		path = "/graphql"
		body = apitest.Query(mutations[r.kind], map[string]any{"name": r.key, "email": r.key + "@demo.test"})
	case clockOut:
		path = "/attendance/clockOut"
		fallthrough
	case clockIn:
		body = fmt.Sprintf(`{"addressId":%q,"employeeShiftId":%q,"latitude":"-6.2","longitude":"106.816666","note":%q,"recordedAt":%q}`,
			p.site, p.shift, r.key, r.at.Format(time.RFC3339Nano))
	}
	a := p.ask(l.urls[server], "POST", path, body, map[string]string{header: r.key})
	if path == "/graphql" && a.status == 200 && strings.Contains(a.body, `"errors"`) {
		a.status = 500
		if strings.Contains(a.body, `"UNAVAILABLE"`) {
			a.status = 503
		} else if strings.Contains(a.body, `"IDEMPOTENCY_IN_PROGRESS"`) {
			a.status = 409
		}
	}
	return a
}

// ask sends one request.
func (p *person) ask(url, method, path, body string, header map[string]string) answer {
	req, err := http.NewRequest(method, url+path, strings.NewReader(body))
	if err != nil {
		return answer{err: err}
	}
	req.Header.Set("Content-Type", "application/json")
	if p.token != "" {
		req.Header.Set("Authorization", "Bearer "+p.token)
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return answer{err: err}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, string(text), err}
}

// readOwn reads on a server what the person was just told of. A server that gives no
// answer is not wrong.
func (l *load) readOwn(p *person, r request, server int) {
	if r.kind == newUser {
		a := p.ask(l.urls[server], "GET", "/user?search="+r.key, "", nil)
		switch {
		case a.unknown():
		case strings.Contains(a.body, `"`+r.key+`"`):
			l.read("")
		default:
			l.read(fmt.Sprintf("the user %s is not listed at %s", r.key, l.urls[server]))
		}
		return
	}
	if r.kind == newRole {
		a := p.ask(l.urls[server], "POST", "/graphql", `{"query":"{ roleList { name } }"}`, nil)
		if a.unknown() || strings.Contains(a.body, `"UNAVAILABLE"`) {
			return
		}
		for _, name := range p.roles {
			if !strings.Contains(a.body, `"`+name+`"`) {
				l.read(fmt.Sprintf("the role %s is not listed at %s", name, l.urls[server]))
				return
			}
		}
		l.read("")
		return
	}
	a := p.ask(l.urls[server], "GET", "/attendance/today", "", nil)
	if a.unknown() {
		return
	}
	var today struct {
		Entries []struct{ ClockOutAt *string }
	}
	events := 0
	err := json.Unmarshal([]byte(a.body), &today)
	for _, e := range today.Entries {
		if events++; e.ClockOutAt != nil {
			events++
		}
	}
	if err != nil || events != p.sent {
		again := p.ask(l.urls[server], "GET", "/attendance/today", "", nil)
		l.read(fmt.Sprintf("%s at %s sees %d events of %d at %s: %d %.200s, then %d %.100s", p.email, l.clock().Format("15:04:05.000"), events, p.sent, l.urls[server], a.status, a.body, again.status, again.body))
		return
	}
	l.read("")
}

// get sends a request that succeeds and returns the answer.
func (p *person) get(t *testing.T, url, method, path, body string, header map[string]string) map[string]any {
	t.Helper()
	a := p.ask(url, method, path, body, header)
	value := map[string]any{}
	if a.status != 200 || json.Unmarshal([]byte(a.body), &value) != nil {
		t.Fatalf("%s: %s %s: %v", p.email, method, path, a)
	}
	return value
}
