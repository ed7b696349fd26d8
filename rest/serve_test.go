package rest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
)

// TestAnswers shows what becomes of an operation's data.
func TestAnswers(t *testing.T) {
	const employees = `{"users":{"totalCount":7,"nodes":[{"id":1,"name":"a \"]}","salutaion":null}]}}`
	tests := []struct {
		name, method, target, body, data string
		status                           int
		want                             string
		headers                          map[string]string
	}{
		{"nested body", "GET", "/user", "", employees, 200, `[{"id":1,"name":"a \"]}","salutaion":null}]`,
			map[string]string{"X-Total-Count": "7", "Link": "", "Cache-Control": "private, no-cache", "Content-Type": "application/json"}},
		{"empty list", "GET", "/user", "", `{"users":{"totalCount":0,"nodes":[]}}`, 200, `[]`, map[string]string{"X-Total-Count": "0"}},
		{"first page", "GET", "/user?per-page=3&search=a+b", "", employees, 200, `[{"id":1,"name":"a \"]}","salutaion":null}]`, map[string]string{
			"Link": `</user?page=1&per-page=3&search=a+b>; rel="first", </user?page=2&per-page=3&search=a+b>; rel="next", </user?page=3&per-page=3&search=a+b>; rel="last"`}},
		{"last page", "GET", "/user?per-page=3&page=3", "", employees, 200, `[{"id":1,"name":"a \"]}","salutaion":null}]`, map[string]string{
			"Link": `</user?page=1&per-page=3>; rel="first", </user?page=2&per-page=3>; rel="prev", </user?page=3&per-page=3>; rel="last"`}},
		{"past the end", "GET", "/user?per-page=3&page=9", "", `{"users":{"totalCount":7,"nodes":[]}}`, 200, `[]`, map[string]string{
			"Link": `</user?page=1&per-page=3>; rel="first", </user?page=3&per-page=3>; rel="prev", </user?page=3&per-page=3>; rel="last"`}},
		{"body in a list", "GET", "/user/edges", "", `{"edges": {"totalCount": 3, "edges": [ {"node": {"name":"a"}, "cursor":"x"}, {"node":null,"cursor":"y"}, null ] }}`,
			200, `[{"name":"a"},null,null]`, map[string]string{"X-Total-Count": "3"}},
		{"body in an empty list", "GET", "/user/edges", "", `{"edges":{"totalCount":0,"edges":[]}}`, 200, `[]`, nil},
		{"header out of the body", "POST", "/task", `{"title":"a"}`, `{"saveTask":{"id":"1","version":3,"status":"open"}}`, 200, `{"id":"1","status":"open"}`,
			map[string]string{"X-Version": "3"}},
		{"first member becomes a header", "POST", "/device/register", `{"deviceId":"a"}`, `{"register":{"expiresIn":null,"accessToken":"t"}}`, 200, `{"accessToken":"t"}`,
			map[string]string{"X-Expires-In": "", "Cache-Control": "no-store"}},
		{"header of text", "POST", "/device/register", `{"deviceId":"a"}`, `{"register":{"accessToken":"t","expiresIn":"a\u0062\"c"}}`, 200, `{"accessToken":"t"}`,
			map[string]string{"X-Expires-In": `ab"c`}},
		{"list of scalars", "GET", "/encrypt", "", `{"encryptionKeys":["a","b"]}`, 200, `["a","b"]`, nil},
		{"secret", "GET", "/authorize/access-token", "", `{"accessToken":{"accessToken":"t","expiresIn":9}}`, 200, `{"accessToken":"t","expiresIn":9}`,
			map[string]string{"Cache-Control": "no-store"}},
		{"null is not found", "GET", "/task/1", "", `{"task":null}`, 404, "", map[string]string{"Cache-Control": "no-store"}},
		{"null is an answer", "GET", "/tasks/running", "", `{"running":null}`, 200, `null`, nil},
		{"null on the way", "GET", "/user", "", `{"users":null}`, 404, "", map[string]string{"X-Total-Count": ""}},
		{"data of another shape", "GET", "/user", "", `{"users":[1]}`, 500, "", nil},
		{"data cut off", "GET", "/user", "", `{"users":{"totalCount":7,"nodes":[`, 500, "", nil},
		{"no data", "GET", "/user", "", ``, 500, "", nil},
		{"HEAD of a query", "HEAD", "/task/1", "", `{"task":{"id":"1"}}`, 200, `{"id":"1"}`, nil},
	}
	s := newService(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s.data = tt.data
			w := s.do(tt.method, tt.target, tt.body)
			if w.Code != tt.status || tt.status == 200 && w.Body.String() != tt.want {
				t.Errorf("got %d %s, want %d %s", w.Code, w.Body, tt.status, tt.want)
			}
			if tt.status != 200 {
				faults(t, w) // a problem
			}
			for name, want := range tt.headers {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
		})
	}
}

// TestPickOfOtherData refuses data that have another shape than the selection.
func TestPickOfOtherData(t *testing.T) {
	api := loadAPI(t)
	for _, tt := range []struct{ pattern, data string }{
		{"GET /user", ``}, {"GET /user", `[]`}, {"GET /user", `{"users":[1]}`}, {"GET /user/edges", `{"edges":{"edges":{}}}`},
		{"GET /user/edges", `{"edges":{"edges":[1]}}`}, {"POST /task", `{"saveTask":7}`},
	} {
		if a, err := api.endpoints[tt.pattern].pick([]byte(tt.data)); err == nil {
			t.Errorf("%s: body %s", tt.data, a.body)
		}
	}
}

func TestHeadHasNoBody(t *testing.T) {
	s := newService(t)
	s.data = `{"task":{"id":"1"}}`
	srv := httptest.NewServer(s)
	defer srv.Close()
	resp, err := http.Head(srv.URL + "/task/1")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || len(body) != 0 || resp.StatusCode != 200 || resp.ContentLength != int64(len(`{"id":"1"}`)) {
		t.Errorf("got %d, length %d, body %q, %v", resp.StatusCode, resp.ContentLength, body, err)
	}
}

func TestExecutorGetsPlainGraphQL(t *testing.T) {
	s := newService(t)
	s.data = `{"users":{"totalCount":0,"nodes":[]}}`
	s.do("GET", "/user", "")
	want := `query ListEmployees ($search: String, $designationIds: [ID!], $page: Int, $limit: Int) {
users: employees(search: $search, designationIds: $designationIds, page: $page, limit: $limit) {
totalCount
nodes {
... Person
mobileNumber {
country_code: countryCode
number
}
designations {
id
name
}
}
}
}
fragment Person on Employee {
id: databaseId
name
salutaion: salutation
}
`
	if s.seen.RawQuery != want {
		t.Errorf("got\n%s\nwant\n%s", s.seen.RawQuery, want)
	}
}

func pathOf(elements ...any) (p ast.Path) {
	for _, e := range elements {
		switch e := e.(type) {
		case string:
			p = append(p, ast.PathName(e))
		case int:
			p = append(p, ast.PathIndex(e))
		}
	}
	return p
}

// TestErrors shows what becomes of an operation's errors.
func TestErrors(t *testing.T) {
	failed := func(err error, at ...any) *gqlerror.Error {
		return &gqlerror.Error{Err: err, Message: "x", Path: pathOf(at...)}
	}
	invalid := errs.New(errs.Invalid, nil)
	tests := []struct {
		name   string
		errors []*gqlerror.Error
		want   string
	}{
		{"of a resolver", []*gqlerror.Error{failed(errs.New(errs.NotFound, nil), "saveTask")}, "Not Found NOT_FOUND"},
		{"wrapped", []*gqlerror.Error{failed(fmt.Errorf("save: %w", errs.New(errs.Forbidden, nil)), "saveTask")}, "Forbidden FORBIDDEN"},
		{"unclassified", []*gqlerror.Error{failed(errors.New("Error 1146: table"), "saveTask")}, "Internal Server Error INTERNAL"},
		{"without cause", []*gqlerror.Error{gqlerror.Errorf("what")}, "Internal Server Error INTERNAL"},
		{"unknown code", []*gqlerror.Error{failed(errs.New("NEW", nil))}, "Internal Server Error INTERNAL"},
		{"highest status", []*gqlerror.Error{failed(errs.New(errs.NotFound, nil)), failed(errs.Conflicts(errs.Duplicate, "", nil)), failed(errs.New(errs.Forbidden, nil))}, "Conflict CONFLICT"},
		{"faults of all of its code, each once", []*gqlerror.Error{
			failed(errs.Because("title", errs.TooLong, errs.Meta{"max": 9}), "saveTask"),
			failed(errs.New(errs.NotFound, nil), "saveTask"),
			failed(errs.Because("title", errs.TooLong, errs.Meta{"max": 9}), "saveTask"),
			failed(errs.Because("startAt", errs.Required, nil), "saveTask"),
		}, "Unprocessable Entity VALIDATION_FAILED\ntitle: This may have at most 9 characters.\nstartAt: This is required."},
		{"variable's name to the wire's", []*gqlerror.Error{failed(errs.Because("state", errs.Required, nil), "saveTask")},
			"Unprocessable Entity VALIDATION_FAILED\nstatus: This is required."},
		{"input field's name to the wire's", []*gqlerror.Error{failed(errs.Because("status", errs.Required, nil))},
			"Unprocessable Entity VALIDATION_FAILED\nstatus: This is required."},
		{"path of an argument", []*gqlerror.Error{failed(errs.Because("input.status", errs.Required, nil), "saveTask")},
			"Unprocessable Entity VALIDATION_FAILED\nstatus: This is required."},
		{"path of an argument, going on", []*gqlerror.Error{failed(errs.Because("input.parent.title", errs.Required, nil), "saveTask")},
			"Unprocessable Entity VALIDATION_FAILED\nparent.title: This is required."},
		{"name of nothing", []*gqlerror.Error{failed(errs.Because("other[0].x", errs.Required, nil), "saveTask")},
			"Unprocessable Entity VALIDATION_FAILED\nother[0].x: This is required."},
		{"GraphQL path without a fault", []*gqlerror.Error{failed(errs.New(errs.NotFound, nil), "saveTask", "input", "parent", "parent", 3, "status")},
			"Not Found NOT_FOUND\nparent.parent[3].status: There is nothing here by that name or number."},
		{"GraphQL path with a nameless fault", []*gqlerror.Error{failed(errs.Because("", errs.BadFormat, errs.Meta{"expected": "a time"}), "saveTask", "input", "startAt")},
			"Unprocessable Entity VALIDATION_FAILED\nstartAt: This must look like a time."},
		{"path into the answer", []*gqlerror.Error{failed(invalid, "saveTask", "status")}, "Unprocessable Entity VALIDATION_FAILED"},
		{"path to an argument's object", []*gqlerror.Error{failed(invalid, "saveTask", "input")}, "Unprocessable Entity VALIDATION_FAILED"},
		{"path to nothing", []*gqlerror.Error{failed(invalid, 3, "other", "input")}, "Unprocessable Entity VALIDATION_FAILED"},
	}
	s := newService(t)
	s.data = `{"saveTask":{"id":"1","version":1,"status":"open"}}`
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s.canned.errors = tt.errors
			if got := faults(t, s.do("POST", "/task", `{"title":"a"}`)); got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// refusing is an executor that accepts no operation.
type refusing struct{ graphql.GraphExecutor }

func (refusing) CreateOperationContext(context.Context, *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	return &graphql.OperationContext{}, gqlerror.List{
		{Message: "must be defined", Path: pathOf("variable", "id"), Extensions: map[string]any{"code": "GRAPHQL_VALIDATION_FAILED"}},
	}
}

func (refusing) DispatchError(_ context.Context, list gqlerror.List) *graphql.Response {
	return &graphql.Response{Errors: list}
}

// late is an executor whose operations are over before they begin.
type late struct{ graphql.GraphExecutor }

func (late) CreateOperationContext(context.Context, *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	return &graphql.OperationContext{}, nil
}

func (late) DispatchOperation(ctx context.Context, _ *graphql.OperationContext) (graphql.ResponseHandler, context.Context) {
	return func(context.Context) *graphql.Response { return nil }, ctx
}

func TestExecutorsRefusal(t *testing.T) {
	for _, tt := range []struct {
		exec graphql.GraphExecutor
		want string
	}{
		{refusing{}, "Internal Server Error INTERNAL"},
		{late{}, "Service Unavailable UNAVAILABLE"},
	} {
		r, w := httptest.NewRequest("GET", "/task/1", nil), httptest.NewRecorder()
		r.Pattern = "GET /task/{id}"
		loadAPI(t).Do(w, r, tt.exec)
		if got := faults(t, w); got != tt.want {
			t.Errorf("%T: got %s, want %s", tt.exec, got, tt.want)
		}
	}
}

func TestSupports(t *testing.T) {
	api := loadAPI(t)
	for pattern, want := range map[string]bool{"GET /user": true, "POST /user": false, "/graphql": false, "": false} {
		if got := api.Supports(&http.Request{Pattern: pattern}); got != want {
			t.Errorf("Supports(%q) = %v", pattern, got)
		}
	}
}

func TestWrites(t *testing.T) {
	api := loadAPI(t)
	for pattern, want := range map[string]bool{
		"GET /authorize/access-token": true, "GET /user": false, "POST /task": false, "GET /healthz": false, "": false,
	} {
		if got := api.Writes(pattern); got != want {
			t.Errorf("Writes(%q) = %v", pattern, got)
		}
	}
}

type checkedKey struct{}

// TestCheck shows that the caller is checked before the request is read, and
// that the operation runs with the context of the check.
func TestCheck(t *testing.T) {
	s := newService(t)
	s.data = `{"saveTask":{"id":"1","version":3,"status":"open"}}`
	var denied gqlerror.List
	calls := 0
	s.api.Check = func(ctx context.Context, oc *graphql.OperationContext) (context.Context, gqlerror.List) {
		calls++
		if oc.Operation.Name == "" || oc.Headers == nil || oc.Variables != nil {
			t.Errorf("checks %+v", oc)
		}
		return context.WithValue(ctx, checkedKey{}, true), denied
	}
	bodies := map[string]int{
		`{"title":"a"}`: 200, `{}`: 422, `[]`: 400, `{`: 400,
		`{"title":"` + strings.Repeat("a", maxBody) + `"}`: 413,
	}
	for body, status := range bodies {
		calls = 0
		if w := s.do("POST", "/task", body); w.Code != status || calls != 1 {
			t.Errorf("%.30s: status %d after %d checks, want %d after 1: %.200s", body, w.Code, calls, status, w.Body)
		}
	}
	if w := s.do("POST", "/task", "title=a", "Content-Type", "text/plain"); w.Code != 415 {
		t.Errorf("text: status %d, want 415", w.Code)
	}
	if s.do("POST", "/task", `{"title":"a"}`); s.ctx.Value(checkedKey{}) == nil {
		t.Error("the operation runs without the context of the check")
	}
	denied = gqlerror.List{gqlerror.Wrap(errs.New(errs.Unauthenticated, nil))}
	for body := range bodies {
		if w := s.do("POST", "/task", body); w.Code != 401 || s.seen != nil {
			t.Errorf("%.30s: status %d, executed %v, want 401", body, w.Code, s.seen != nil)
		}
	}
	r := httptest.NewRequest("POST", "/task", unread{t})
	r.Pattern = "POST /task"
	s.ServeHTTP(httptest.NewRecorder(), r)
}

// TestAdmit shows that an operation is admitted once its body is read, however it
// goes on, and leaves at its end.
func TestAdmit(t *testing.T) {
	s := newService(t)
	s.data = `{"saveTask":{"id":"1","version":3,"status":"open"}}`
	var refusal error
	admitted, inside := 0, 0
	s.api.Admit = func(ctx context.Context, op *ast.OperationDefinition) (func(), error) {
		if admitted++; op.Operation != ast.Mutation || ctx.Err() != nil {
			t.Errorf("admits a %s: %v", op.Operation, ctx.Err())
		}
		inside++
		return func() { inside-- }, refusal
	}
	for body, status := range map[string]int{
		`{"title":"a"}`: 200, `{}`: 422, `[]`: 400, `{"title":"` + strings.Repeat("a", maxBody) + `"}`: 413,
	} {
		admitted = 0
		want := 1
		if status == 413 {
			want = 0
		}
		if w := s.do("POST", "/task", body); w.Code != status || admitted != want || inside != 0 {
			t.Errorf("%.30s: status %d, admitted %d times, %d inside, want %d, %d, 0", body, w.Code, admitted, inside, status, want)
		}
	}
	s.api.Check = func(ctx context.Context, _ *graphql.OperationContext) (context.Context, gqlerror.List) {
		return ctx, nil
	}
	if w := s.do("POST", "/task", `{"title":"a"}`); w.Code != 200 {
		t.Errorf("after a check: status %d", w.Code)
	}
	refusal = &errs.Error{Code: errs.Unavailable, RetryAfter: 2 * time.Second}
	w := s.do("POST", "/task", `{"title":"a"}`)
	if w.Code != 503 || w.Header().Get("Retry-After") != "2" || s.seen != nil {
		t.Errorf("refused: status %d, Retry-After %q, executed %v", w.Code, w.Header().Get("Retry-After"), s.seen != nil)
	}
}

// unread is a body that nobody may read.
type unread struct{ *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.Error("the body is read before the caller is checked")
	return 0, io.EOF
}

// TestPanic shows that a panic outside of the resolvers is INTERNAL.
func TestPanic(t *testing.T) {
	s := newService(t)
	s.api.Check = func(context.Context, *graphql.OperationContext) (context.Context, gqlerror.List) { panic("secret") }
	if got := faults(t, s.do("GET", "/task/1", "")); got != "Internal Server Error INTERNAL" {
		t.Errorf("got %s", got)
	}
}

// BenchmarkPick slices the body of 1,000 employees out of their data.
func BenchmarkPick(b *testing.B) {
	one := `{"id":17,"name":"Budi Santoso \"x\"","email":"budi@demo.test","image":"images/avatar.png","mobileNumber":{"country_code":62,"number":"812-3456-789"},` +
		`"gender":"male","salutation":null,"locale":"id","designations":[{"id":"3","name":"Engineer"},{"id":"9","name":"Lead"}]},`
	data := []byte(`{"users":{"totalCount":1000,"nodes":[` + strings.TrimSuffix(strings.Repeat(one, 1500), ",") + `]}}`)
	e := loadAPI(b).endpoints["GET /user"]
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if a, err := e.pick(data); err != nil || len(a.body) < 300_000 {
			b.Fatal(len(a.body), err)
		}
	}
}

// BenchmarkServeFace is a clock-in with a face, without its resolver.
func BenchmarkServeFace(b *testing.B) {
	s, body := newService(b), faceBody()
	s.api.Types = faceTypes(s.schema)
	s.data = `{"clockIn":{"clockedIn":true}}`
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if w := s.do("POST", "/attendance/clockIn", body); w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
}

// BenchmarkServe is what a request pays for its operation besides the resolvers.
func BenchmarkServe(b *testing.B) {
	s := newService(b)
	for _, tt := range []struct{ name, target, data string }{
		{"one", "/task/1", `{"task":{"id":"1"}}`},
		{"page", "/user?per-page=50&page=3", `{"users":{"totalCount":1000,"nodes":[` + strings.Repeat(`{"id":17},`, 49) + `{"id":17}]}}`},
	} {
		b.Run(tt.name, func(b *testing.B) {
			s.data = tt.data
			b.ReportAllocs()
			for b.Loop() {
				if w := s.do("GET", tt.target, ""); w.Code != http.StatusOK {
					b.Fatal(w.Body)
				}
			}
		})
	}
}
