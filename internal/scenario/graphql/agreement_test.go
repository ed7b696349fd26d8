package graphql

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

// agreementSteps is how many operations the property test sends to both APIs.
const agreementSteps = 600

// drawn lists what the members of requests are drawn from, by name; the first is
// what succeeds, if anything does.
var drawn = map[string][]any{
	"username":        {"budi@demo.test", "BUDI@demo.test", "nobody@demo.test", "08401100003", "x", ""},
	"password":        {demo.Password, "another-secret-7", "short", "a.b.c.d.e", ""},
	"oldPassword":     {demo.Password, "another-secret-7", "wrong", ""},
	"newPassword":     {"another-secret-7", demo.Password, "short", "password123", ""},
	"otp":             {"000000", "abc", ""},
	"id":              {"3", "123456789012345", "x", ""},
	"deviceId":        {"phone", "", strings.Repeat("x", 300)},
	"platform":        {"android", "ios", "symbian"},
	"model":           {"Model"},
	"value":           {"text", "", strings.Repeat("x", 2000)},
	"addressId":       {"1", "2", "999", "x"},
	"employeeShiftId": {"{{shift}}", "999", "x"},
	"latitude":        {"-6.2", "0", "91", "abc"},
	"longitude":       {"106.816666", "0", "abc"},
	"accuracy":        {5.5, -1.0},
	"mocked":          {true, false},
	"note":            {"a note", strings.Repeat("x", 251)},
	"recordedAt":      {"2026-03-10T09:00:00+07:00", "2020-01-01T00:00:00Z", "yesterday"},
	"search":          {"bu", "nobody like this"},
	"designationId":   {"1", "999", "x"},
	"businessId":      {"1", "999", "x"},
	"page":            {1, 0, 3},
	"limit":           {2, 0, 1001},
}

var drawnPeople = map[string]string{"budi": "budi@demo.test", "andini": "admin@demo.test"}

// TestAPIsAgree drives two servers alike, one by REST and the other by GraphQL,
// with operations, tokens and members that are drawn at random, and wants the
// same outcome of every step.
func TestAPIsAgree(t *testing.T) {
	byREST, byGraphQL := harness.New(t, testdb.SQLite(t)), harness.New(t, testdb.SQLite(t))
	for _, s := range []*harness.Server{byREST, byGraphQL} {
		for name, email := range drawnPeople {
			s.SignIn(t, name, email)
		}
		s.Vars["shift"] = s.ShiftToday(t, "budi")
	}
	if byREST.Vars["shift"] != byGraphQL.Vars["shift"] {
		t.Fatal("the servers differ to begin with")
	}
	seed := uint64(time.Now().UnixNano())
	r, succeeded := rand.New(rand.NewPCG(seed, 1)), map[string]bool{}
	all := slices.DeleteFunc(harness.Documents(t), func(d harness.Document) bool { // of forms, whose faults have other names, or who need a limit
		return strings.Contains(d.Text, "Upload") || d.Method == "GET" && (d.Path == "/task" || d.Path == "/widget/tasks")
	})
	for n := range agreementSteps {
		d, who := all[r.IntN(len(all))], []string{"budi", "andini"}[r.IntN(2)]
		tokens, members := drawTokens(r), drawMembers(r, d, byREST.Vars["shift"])
		path, rest := inPath(d.Path, members)
		body := ""
		if d.Method == "GET" || d.Method == "DELETE" {
			path += "?" + query(rest)
		} else {
			body = harness.JSON(t, rest)
		}
		resp, got := byREST.Send(t, d.Method, path, body, drawnHeader(byREST, who, tokens))
		if resp.StatusCode == 200 && strings.HasSuffix(d.Path, "/download") {
			got = linkTo(t, resp)
		}
		a := byGraphQL.AskGraphQL(t, drawnHeader(byGraphQL, who, tokens), bounded(d), members)
		if diff := difference(t, resp.StatusCode, got, a); diff != "" {
			t.Fatalf("seed %d, step %d: %s %s %v %s\n%s", seed, n, who, d.Method, tokens, path+body, diff)
		}
		if d.Path != "/device/register" || tokens["device"] == "device" { // else it is another device
			keepTokens(byREST, who, got)
			keepTokens(byGraphQL, who, unwrappedOr(t, a))
		}
		step := time.Duration(r.IntN(30)) * time.Second
		if a.Code() == "" {
			succeeded[d.Path] = true
		}
		if a.Code() == "UNAUTHENTICATED" && r.IntN(2) == 0 {
			step += 2 * time.Minute // no guesses are too recent then
		}
		for _, s := range []*harness.Server{byREST, byGraphQL} {
			harness.WaitForJobs(t, s) // how far a report is
			s.Clock.Advance(step)
			if step >= 2*time.Minute {
				signInAgain(t, s, who)
			}
		}
	}
	if len(succeeded) < len(all)/3 {
		t.Errorf("seed %d: only %v succeeded", seed, succeeded)
	}
}

// linkTo returns the answer of GraphQL where REST sent a file: its name, and a link to it.
func linkTo(t *testing.T, file *http.Response) []byte {
	t.Helper()
	_, params, err := mime.ParseMediaType(file.Header.Get("Content-Disposition"))
	if err != nil {
		t.Fatal(err)
	}
	return []byte(harness.JSON(t, map[string]any{"fileName": params["filename"], "url": "http://wf.test/files/"}))
}

// inPath writes the members that a path names into it, and returns the path and the
// other members. A path always has them: members gets those that it lacks.
func inPath(path string, members map[string]any) (written string, rest map[string]any) {
	rest = maps.Clone(members)
	for part := range strings.SplitSeq(path, "/") {
		name, ok := strings.CutPrefix(part, "{")
		if !ok {
			continue
		}
		name = strings.TrimSuffix(name, "}")
		value, _ := members[name].(string)
		if value == "" {
			value = "3"
		}
		members[name] = value
		path = strings.Replace(path, part, url.PathEscape(value), 1)
		delete(rest, name)
	}
	return path, rest
}

// signInAgain gives somebody new tokens, on a device that they trust, where their
// password is one of those that are drawn.
func signInAgain(t *testing.T, s *harness.Server, who string) {
	t.Helper()
	device := map[string]string{"X-Device-Token": s.Vars[who+".device"]}
	for _, password := range []string{demo.Password, "another-secret-7"} {
		body := `{"username":"` + drawnPeople[who] + `","password":"` + password + `"}`
		if resp, got := s.Send(t, "POST", "/user/login", body, device); resp.StatusCode == 200 {
			keepTokens(s, who, got)
			break
		}
	}
	_, got := s.Send(t, "GET", "/authorize/access-token", "", map[string]string{"X-User-Token": s.Vars[who+".user"]})
	keepTokens(s, who, got)
}

// drawTokens says what is sent in each header: the token of that kind, mostly,
// that of another, nonsense, or nothing ("").
func drawTokens(r *rand.Rand) map[string]string {
	tokens := map[string]string{}
	for header := range harness.TokenHeaders {
		tokens[header] = header
	}
	if r.IntN(4) > 0 {
		return tokens
	}
	kinds := []string{"access", "refresh", "user", "device"}
	tokens[kinds[r.IntN(4)]] = []string{"", "nonsense", kinds[r.IntN(4)]}[r.IntN(3)]
	return tokens
}

func drawnHeader(s *harness.Server, who string, tokens map[string]string) map[string]string {
	h := map[string]string{"X-Language": "en"}
	for header, kind := range tokens {
		switch kind {
		case "":
		case "nonsense":
			h[harness.TokenHeaders[header]] = kind
		default:
			h[harness.TokenHeaders[header]] = s.Vars[who+"."+kind]
		}
	}
	return h
}

var variable = regexp.MustCompile(`\$(\w+): `)

// drawMembers draws the members of a request: most of them right, some of them
// left out, and in bodies some null or of another type.
func drawMembers(r *rand.Rand, d harness.Document, shift string) map[string]any {
	members := map[string]any{}
	head, _, _ := strings.Cut(d.Text, "{")
	for _, m := range variable.FindAllStringSubmatch(head, -1) {
		pool, inBody := drawn[m[1]], d.Method == "POST" || d.Method == "PUT"
		if len(pool) == 0 {
			continue
		}
		switch k := r.IntN(20); {
		case k < 12:
			members[m[1]] = pool[0]
		case k < 16:
			members[m[1]] = pool[r.IntN(len(pool))]
		case k == 16 && inBody:
			members[m[1]] = nil
		case k == 17 && inBody:
			members[m[1]] = map[string]any{}
		}
		if members[m[1]] == "{{shift}}" {
			members[m[1]] = shift
		}
	}
	if _, ok := members["limit"]; !ok && (d.Path == "/user" || d.Method == "GET" && d.Path == "/ticket") {
		members["limit"] = 1000 // GraphQL refuses the lists without one, for their cost
	}
	return members
}

func query(members map[string]any) string {
	values := url.Values{}
	for name, v := range members {
		text, _ := json.Marshal(v)
		values.Set(name, strings.Trim(string(text), `"`))
	}
	return values.Encode()
}

// chance is what differs between servers: tokens, ids of requests, links to files, keys and
// what they encrypt.
var chance = regexp.MustCompile(`http://wf\.test/files/[^"]*|wf[adru]_[\w-]+|"id":"\d{15}"|"(?:kid|n)":"[\w-]+"|eyJ[\w-]+(?:\.[\w-]+){4}`)

// difference compares the answers of both APIs.
func difference(t *testing.T, status int, body []byte, a harness.GraphQLAnswer) string {
	t.Helper()
	if status == 200 {
		body := harness.InUTC(string(body))
		return cmp.Diff(chance.ReplaceAllString(body, "…"), chance.ReplaceAllString(string(unwrappedOr(t, a)), "…"))
	}
	var want harness.ProblemFacts
	if err := json.Unmarshal(body, &want); err != nil || len(a.Errors) != 1 {
		return string(body) + "\n" + a.Text
	}
	got := a.Errors[0].Extensions
	for _, fault := range append(want.Errors, got.Errors...) {
		delete(fault, "detail") // the expectation, worded by each API
	}
	return cmp.Diff(want, got)
}

// unwrappedOr is unwrapped, and the whole text of an answer with errors.
func unwrappedOr(t *testing.T, a harness.GraphQLAnswer) []byte {
	t.Helper()
	if len(a.Errors) > 0 {
		return []byte(a.Text)
	}
	return unwrapped(t, a.Data)
}

// keepTokens makes somebody go on with the tokens of an answer.
func keepTokens(s *harness.Server, who string, body []byte) {
	var given struct{ AccessToken, RefreshToken, UserToken, DeviceToken string }
	_ = json.Unmarshal(body, &given) // a list holds none
	for kind, token := range map[string]string{
		"access": given.AccessToken, "refresh": given.RefreshToken, "user": given.UserToken, "device": given.DeviceToken,
	} {
		if token != "" {
			s.Vars[who+"."+kind] = token
		}
	}
}
