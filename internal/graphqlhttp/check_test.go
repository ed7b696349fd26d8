package graphqlhttp

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
)

const tagged = `{"query":"mutation($i:Rename!){rename(input:$i)}","variables":{"i":{"name":"a","tags":`

// TestCheckOrder shows that the caller is checked once, after the document and
// before the variables.
func TestCheckOrder(t *testing.T) {
	many := tagged + `["a"` + strings.Repeat(`,"a"`, MaxValues) + `]}}}`
	deep := tagged + strings.Repeat("[", 50) + strings.Repeat("]", 50) + `}}}`
	tests := []struct {
		name, body string
		checks     int
		code       string // where the caller is let through
		status     int
	}{
		{"not JSON", `{`, 0, "BAD_REQUEST", 400},
		{"variables of text", `{"query":"{hello}","variables":"a"}`, 0, "BAD_REQUEST", 400},
		{"syntax", quoted("{"), 0, "BAD_REQUEST", 200},
		{"unknown field", quoted("{nosuch}"), 0, "BAD_REQUEST", 200},
		{"too many tokens", quoted("{" + strings.Repeat("hello ", MaxTokens) + "}"), 0, "BAD_REQUEST", 200},
		{"no such operation", `{"query":"query A{hello}","operationName":"B"}`, 0, "BAD_REQUEST", 200},
		{"subscription", quoted("subscription{tick}"), 0, "BAD_REQUEST", 200},
		{"good", quoted("{hello}"), 1, "", 200},
		{"good, kept", quoted("{hello}"), 1, "", 200},
		{"faulty variables", tagged + `[{}]}}}`, 1, "VALIDATION_FAILED", 200},
		{"too many values", many, 1, "PAYLOAD_TOO_LARGE", 413},
		{"too deep", deep, 1, "PAYLOAD_TOO_LARGE", 413},
		{"too costly", quoted("{users(first:100000){nodes{id}}}"), 1, "BAD_REQUEST", 200},
	}
	var denied gqlerror.List
	checks := 0
	srv := serverOf(nil, newAPI(func(ctx context.Context, oc *graphql.OperationContext) (context.Context, gqlerror.List) {
		checks++
		if oc.Operation == nil || oc.Headers == nil || oc.Variables != nil {
			t.Errorf("checks %+v", oc)
		}
		return ctx, denied
	}))
	for _, tt := range tests {
		checks, denied = 0, nil
		if got := post(t, srv, tt.body); got.code() != tt.code || got.status != tt.status || checks != tt.checks {
			t.Errorf("%s: %d %.200s after %d checks, want %d %s after %d", tt.name, got.status, got.text, checks, tt.status, tt.code, tt.checks)
		}
		denied = gqlerror.List{gqlerror.Wrap(errs.New(errs.Unauthenticated, nil))}
		if tt.checks == 1 {
			tt.code = "UNAUTHENTICATED"
		}
		if got := post(t, srv, tt.body); got.code() != tt.code {
			t.Errorf("%s, refused: %.200s, want %s", tt.name, got.text, tt.code)
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/graphql?"+url.Values{"query": {"mutation{__typename}"}}.Encode(), nil)
	r.Header.Set("X-Req-Id", "1")
	if checks = 0; send(t, srv, r).status != 405 || checks != 0 {
		t.Errorf("a mutation by GET: checked %d times", checks)
	}
}

// TestAdmit shows that an operation is admitted after the check and before its
// variables are read, and leaves at its end.
func TestAdmit(t *testing.T) {
	api := newAPI(nil)
	var refusal error
	admitted, inside := 0, 0
	api.Admit = func(_ context.Context, op *ast.OperationDefinition) (func(), error) {
		admitted++
		inside++
		return func() { inside-- }, refusal
	}
	srv := serverOf(nil, api)
	tests := []struct {
		body string
		code string
		want int // how often it is admitted
	}{
		{quoted("{hello}"), "", 1},
		{tagged + `[{}]}}}`, "VALIDATION_FAILED", 1},
		{quoted("{nosuch}"), "BAD_REQUEST", 0},
	}
	for _, tt := range tests {
		admitted = 0
		if got := post(t, srv, tt.body); got.code() != tt.code || admitted != tt.want || inside != 0 {
			t.Errorf("%s: %.100s, admitted %d times, %d inside, want %q, %d, 0", tt.body, got.text, admitted, inside, tt.code, tt.want)
		}
	}
	refusal = &errs.Error{Code: errs.Unavailable, RetryAfter: 2 * time.Second}
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(quoted("{hello}")))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	srv.ServeHTTP(w, r)
	if w.Code != 503 || w.Header().Get("Retry-After") != "2" || !strings.Contains(w.Body.String(), `"errors":[{"message"`) {
		t.Errorf("refused: %d, Retry-After %q: %s", w.Code, w.Header().Get("Retry-After"), w.Body)
	}
}

// TestVariablesAtTheLimit takes as many values, as deep, as are allowed.
func TestVariablesAtTheLimit(t *testing.T) {
	srv := newServer(nil)
	values := tagged + `["a"` + strings.Repeat(`,"a"`, MaxValues-4) + `]}}}` // and i, name, tags
	if got := post(t, srv, values); got.code() != "" {
		t.Errorf("%d values: %.200s", MaxValues, got.text)
	}
	if got := post(t, srv, strings.Replace(values, `["a"`, `["a","a"`, 1)); got.status != 413 {
		t.Errorf("%d values: %d %.200s", MaxValues+1, got.status, got.text)
	}
	where := func(depth int) string { // the variables are one object more
		return `{"query":"query($w:Where){find(id:1,where:$w)}","variables":{"w":` +
			strings.Repeat(`{"not":`, depth-2) + `{"name":"a"}` + strings.Repeat("}", depth-2) + `}}`
	}
	if got := post(t, srv, where(40)); got.code() != "" {
		t.Errorf("depth 40: %.200s", got.text)
	}
	if got := post(t, srv, where(41)); got.status != 413 {
		t.Errorf("depth 41: %d %.200s", got.status, got.text)
	}
}

// TestManyValues refuses as many values as a body holds at next to no cost.
func TestManyValues(t *testing.T) {
	srv := newServer(nil)
	body := tagged + "[" + strings.Repeat("{},", (MaxBytes-len(tagged)-8)/3) + `{}]}}}`
	cheaply(t, func() {
		if got := post(t, srv, body); got.status != 413 || len(body) > MaxBytes {
			t.Errorf("%d bytes: %d %.200s", len(body), got.status, got.text)
		}
	})
}

// TestPanic shows that a panic outside of the resolvers is INTERNAL, in
// GraphQL's shape.
func TestPanic(t *testing.T) {
	srv := serverOf(nil, newAPI(func(context.Context, *graphql.OperationContext) (context.Context, gqlerror.List) { panic("secret") }))
	if got := query(t, srv, "{hello}"); got.status != 500 || got.code() != "INTERNAL" || strings.Contains(got.text, "secret") {
		t.Errorf("%d %s", got.status, got.text)
	}
}
