package fuzz

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

const (
	defaultSeed  = 20260310
	defaultSteps = 1500 // requests
	stepsAServer = 1000 // then a new one: requests change passwords, and people
)

// people are those who send requests; nobody sends none.
var people = map[string]string{
	"budi": "budi@demo.test", "ratna": "manager@demo.test", "andini": "admin@demo.test", "daeng": "admin@tetangga.test",
}

// TestAPIs sends requests at random. FUZZTIME says how many, as 5000x, or for how
// long, as 1m; FUZZSEED which.
func TestAPIs(t *testing.T) {
	seed, err := strconv.ParseUint(cmp.Or(os.Getenv("FUZZSEED"), strconv.Itoa(defaultSeed)), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	more := until(t, os.Getenv("FUZZTIME"))
	fmt.Printf("seed %d\n", seed)
	r, step, answered := rand.New(rand.NewPCG(seed, 1)), 0, map[string]int{}
	for round := 0; more(step) && !t.Failed(); round++ {
		t.Run(fmt.Sprint("server ", round), func(t *testing.T) {
			d := newDriver(t, r)
			d.answered = answered
			for end := step + stepsAServer; step < end && more(step) && !t.Failed(); step++ {
				d.step(t)
			}
		})
	}
	fmt.Printf("%d requests, answered %v\n", step, answered)
}

// until returns a function that reports whether to go on after some steps.
func until(t *testing.T, amount string) func(step int) bool {
	t.Helper()
	steps := defaultSteps
	if n, isCount := strings.CutSuffix(amount, "x"); isCount {
		var err error
		if steps, err = strconv.Atoi(n); err != nil {
			t.Fatal(err)
		}
	} else if amount != "" {
		long, err := time.ParseDuration(amount)
		if err != nil {
			t.Fatal(err)
		}
		end := time.Now().Add(long)
		return func(int) bool { return time.Now().Before(end) }
	}
	return func(step int) bool { return step < steps }
}

// A driver sends requests to one server.
type driver struct {
	*harness.Server
	*rand.Rand

	openAPI *openapi3.T
	check   apitest.Check
	schema  *ast.Schema

	answered map[string]int // statuses and codes
	signIns  int
}

func newDriver(t *testing.T, r *rand.Rand) *driver {
	t.Helper()
	d := &driver{Rand: r, Server: harness.New(t, testdb.SQLite(t))}
	for event := range d.Services.Limiter.Limits {
		d.Services.Limiter.Limits[event] = 1 << 30
	}
	for _, name := range names {
		d.SignIn(t, name, people[name])
	}
	text, err := d.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := apitest.OpenAPI(text)
	if err != nil {
		t.Fatal(err)
	}
	d.check = doc.Check
	if d.openAPI, err = openapi3.NewLoader().LoadFromData(text); err != nil {
		t.Fatal(err)
	}
	d.schema = d.Services.Schema().Schema()
	return d
}

var names = []string{"andini", "budi", "daeng", "ratna"}

// step sends one request.
func (d *driver) step(t *testing.T) {
	t.Helper()
	who := names[d.IntN(len(names))]
	header := d.header(who)
	if d.IntN(2) == 0 {
		d.rest(t, who, header)
	} else {
		d.graphQL(t, who, header)
	}
	if d.IntN(20) == 0 {
		d.Clock.Advance(time.Duration(d.IntN(120)) * time.Second)
	}
}

// header is one with somebody's tokens, most of the time, and others at random.
func (d *driver) header(who string) map[string]string {
	h := map[string]string{}
	for _, kind := range []string{"access", "device", "refresh", "user"} {
		name := harness.TokenHeaders[kind]
		switch token := d.Vars[who+"."+kind]; d.IntN(30) {
		case 0:
		case 1:
			h[name] = d.headerText()
		default:
			h[name] = token
		}
	}
	for _, name := range []string{"X-Req-Id", "X-Language", "X-App-Version", "Idempotency-Key", "Accept-Language", "Accept", "If-None-Match", "X-Forwarded-For", "Origin"} {
		if d.IntN(12) == 0 {
			h[name] = d.headerText()
		}
	}
	return h
}

// headerText is text that a header can hold.
func (d *driver) headerText() string {
	return one(d, "a", "en", "id", "1.2.3", "99999999999999999999.0.0", "*", "*/*", "application/problem+json", `"a", W/"b"`, "1.2.3.4, ::1", "http://a", `"key"`, `"`,
		strings.Repeat("x", 200), "wfa_x", "Bearer ", "\u00e9", fmt.Sprint(d.IntN(5)), "in;q=0.5, *;q=nan")
}

// one returns one of several values.
func one[T any](d *driver, values ...T) T { return values[d.IntN(len(values))] }

// keep goes on with the tokens of an answer, and signs somebody in again whose are
// no longer valid.
func (d *driver) keep(t *testing.T, who string, status int, body []byte) {
	t.Helper()
	var given struct{ AccessToken, RefreshToken, UserToken string }
	_ = json.Unmarshal(body, &given) // a list holds none
	for kind, token := range map[string]string{"access": given.AccessToken, "refresh": given.RefreshToken, "user": given.UserToken} {
		if token != "" {
			d.Vars[who+"."+kind] = token
		}
	}
	if status != http.StatusUnauthorized || d.signIns > 150 || d.IntN(2) == 0 {
		return
	}
	d.signIns++
	_, answer := d.Send(t, "POST", "/user/login", `{"username":"`+people[who]+`","password":"`+demo.Password+`"}`,
		map[string]string{"X-Device-Token": d.Vars[who+".device"]})
	if json.Unmarshal(answer, &given) == nil && given.UserToken != "" {
		d.Vars[who+".user"] = given.UserToken
		_, answer = d.Send(t, "GET", "/authorize/access-token", "", map[string]string{"X-User-Token": given.UserToken})
		if json.Unmarshal(answer, &given) == nil && given.AccessToken != "" {
			d.Vars[who+".access"], d.Vars[who+".refresh"] = given.AccessToken, given.RefreshToken
		}
	}
}

// refused reports a status that is the server's fault.
func refused(resp *http.Response) error {
	if resp.StatusCode < 500 || resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") != "" {
		return nil
	}
	return fmt.Errorf("status %d, Retry-After %q", resp.StatusCode, resp.Header.Get("Retry-After"))
}
