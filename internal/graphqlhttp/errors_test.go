package graphqlhttp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
	"workforce/internal/request"
	"workforce/internal/variables"
)

func TestStatus(t *testing.T) {
	fail := func(code string) string { return `{fail(code:"` + code + `")}` }
	hard := func(code string) string { return `{failHard(code:"` + code + `")}` }
	tests := []struct {
		name, text    string
		json, graphQL int
		code, data    string
	}{
		{"success", "{hello}", 200, 200, "", `{"hello":"x"}`},
		{"syntax", "{", 200, 400, "BAD_REQUEST", ""},
		{"empty", "", 200, 400, "BAD_REQUEST", ""},
		{"validation", "{nosuch}", 200, 400, "BAD_REQUEST", ""},
		{"no such operation", "query A{hello} query B{hello}", 200, 400, "BAD_REQUEST", ""},
		{"a variable", "query($id:Int!){find(id:$id)}", 200, 400, "VALIDATION_FAILED", ""},
		{"a limit", "{users(first:100000){nodes{id}}}", 200, 400, "BAD_REQUEST", ""},
		{"introspection", "{__schema{types{name}}}", 200, 403, "FORBIDDEN", ""},
		{"a subscription", "subscription{tick}", 200, 400, "BAD_REQUEST", ""},
		{"part failed", fail("FORBIDDEN"), 200, 200, "FORBIDDEN", `{"fail":null}`},
		{"part limited", fail("RATE_LIMITED"), 200, 200, "RATE_LIMITED", `{"fail":null}`},
		{"all failed", hard("UNAUTHENTICATED"), 200, 200, "UNAUTHENTICATED", "null"},
		{"invalid", hard("VALIDATION_FAILED"), 200, 200, "VALIDATION_FAILED", "null"},
		{"limited", hard("RATE_LIMITED"), 429, 429, "RATE_LIMITED", "null"},
		{"unavailable", hard("UNAVAILABLE"), 503, 503, "UNAVAILABLE", "null"},
		{"too old", hard("UPGRADE_REQUIRED"), 426, 426, "UPGRADE_REQUIRED", "null"},
		{"a bug", hard("sql"), 200, 200, "INTERNAL", "null"},
		{"a panic", "{panics}", 200, 200, "INTERNAL", `{"panics":null}`},
	}
	srv := newServer(nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for accept, status := range map[string]int{asJSON: tt.json, asGraphQL: tt.graphQL} {
				got := query(t, srv, tt.text, accept)
				if got.status != status || got.code() != tt.code || string(got.body.Data) != tt.data {
					t.Errorf("%s: got %d %s, want %d %s with data %s", accept, got.status, got.text, status, tt.code, tt.data)
				}
				if media := strings.TrimPrefix(accept, "Accept: "); got.header.Get("Content-Type") != media {
					t.Errorf("Content-Type %q, want %q", got.header.Get("Content-Type"), media)
				}
				if strings.Contains(got.text, "secret") {
					t.Errorf("leaks: %s", got.text)
				}
				if h := got.header; status == 429 && (h.Get("Retry-After") != "2" || h.Get("RateLimit-Limit") != "5") {
					t.Errorf("header %v", h)
				}
			}
		})
	}
}

func TestErrorShape(t *testing.T) {
	got := query(t, newServer(nil), `{a:fail(code:"CYCLE") b:fail(code:"missing row")}`)
	want := `{"errors":[` +
		`{"message":"Nothing can be moved below itself, or merged into itself or what is below it.","path":["a"],"extensions":{"code":"CYCLE","errors":[],"meta":{"a":1},"requestId":"req-1"}},` +
		`{"message":"There is nothing here by that name or number.","path":["b"],"extensions":{"code":"NOT_FOUND","errors":[],"meta":{},"requestId":"req-1"}}` +
		`],"data":{"a":null,"b":null}}`
	if got.text != want {
		t.Errorf("got  %s\nwant %s", got.text, want)
	}
}

func TestFaults(t *testing.T) {
	const rename = "mutation($i:Rename!){rename(input:$i)}"
	const coordinate = `query($v:String!){c:coordinate(latitude:$v)}`
	tests := []struct {
		name, text, variables string
		code, field, detail   string
		path                  []any
	}{
		{"missing", rename, `{}`, "VALIDATION_FAILED", "input", "This is required.", nil},
		{"null", rename, `{"i":null}`, "VALIDATION_FAILED", "input", "This is required.", nil},
		{"missing member", rename, `{"i":{}}`, "VALIDATION_FAILED", "name", "This is required.", nil},
		{"deep", rename, `{"i":{"name":"a","phone":{"number":"secret"}}}`, "VALIDATION_FAILED", "phone.number", "This must be integer.", nil},
		{"in a list", rename, `{"i":{"name":"a","tags":["b",{}]}}`, "VALIDATION_FAILED", "tags[1]", "This must be string.", nil},
		{"not an object", rename, `{"i":"secret"}`, "VALIDATION_FAILED", "input", "This must be object.", nil},
		{"unknown", rename, `{"i":{"name":"a","secret":1}}`, "VALIDATION_FAILED", "secret", "This cannot be read.", nil},
		{"enum", "query($g:Gender){find(id:1,gender:$g)}", `{"g":"secret is not a valid thing"}`, "VALIDATION_FAILED", "g", "This must be one of male, female.", nil},
		{"number too large", "query($n:Int!){find(id:$n)}", `{"n":99999999999999999999}`, "VALIDATION_FAILED", "n", "This must be integer.", nil},
		{"argument's own reader", coordinate, `{"v":"bad"}`, "VALIDATION_FAILED", "latitude", "This cannot be read.", []any{"c"}},
		{"argument's own fault", coordinate, `{"v":"far"}`, "VALIDATION_FAILED", "latitude", "This must lie between -90 and 90.", []any{"c"}},
		{"argument's own code", coordinate, `{"v":"none"}`, "NOT_FOUND", "latitude", "There is nothing here by that name or number.", []any{"c"}},
	}
	srv := newServer(nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := post(t, srv, `{"query":"`+tt.text+`","variables":`+tt.variables+`}`)
			if len(got.body.Errors) != 1 {
				t.Fatalf("got %s", got.text)
			}
			e := got.body.Errors[0]
			if want := []errs.FaultDetail{{Field: tt.field, Code: tt.code, Detail: tt.detail}}; got.code() != tt.code || !reflect.DeepEqual(e.Extensions.Errors, want) {
				t.Errorf("got %s %v, want %s %v", got.code(), e.Extensions.Errors, tt.code, want)
			}
			if !reflect.DeepEqual(e.Path, tt.path) {
				t.Errorf("path %v, want %v", e.Path, tt.path)
			}
			if strings.Contains(strings.ReplaceAll(got.text, `"field":"secret"`, ""), "secret") {
				t.Errorf("echoes the value: %s", got.text)
			}
		})
	}
}

func TestAllFaults(t *testing.T) {
	tests := []struct{ text, variables, want string }{
		{"mutation($i:Rename!){rename(input:$i)}", `{"i":{"name":[],"phone":{},"tags":["a",{},null],"y":1,"x":1}}`,
			"name phone.number tags[1] tags[2] x y"},
		{"mutation($input:Rename!){rename(input:$input)}", `{"input":{"phone":5,"tags":{}}}`, "name phone tags"},
		{"query($w:Where,$n:Int!,$g:Gender!=male){find(id:$n,where:$w,gender:$g)}", `{"w":{"and":{"gender":"x","ids":["a"]}},"g":null}`,
			"w.and.ids[0] w.and.gender n g"},
		{"query($w:Where){find(id:1,where:$w)}", `{"w":{"ids":[` + strings.Repeat("{},", 200) + `{}]}}`, strings.Join(indexed("w.ids", variables.MaxFaults), " ")},
	}
	srv := newServer(nil)
	for _, tt := range tests {
		got := post(t, srv, `{"query":"`+tt.text+`","variables":`+tt.variables+`}`)
		var fields []string
		for _, e := range got.body.Errors[0].Extensions.Errors {
			fields = append(fields, e.Field)
		}
		if all := strings.Join(fields, " "); len(got.body.Errors) != 1 || got.code() != "VALIDATION_FAILED" || all != tt.want {
			t.Errorf("%s: got %s, want %s", tt.variables, got.text, tt.want)
		}
	}
}

// indexed returns the paths of the first n elements of a list.
func indexed(list string, n int) (paths []string) {
	for i := range n {
		paths = append(paths, fmt.Sprintf("%s[%d]", list, i))
	}
	return paths
}

func TestDeveloperMessages(t *testing.T) {
	srv := newServer(yes)
	for text, want := range map[string]string{
		"{nosuch}": `Cannot query field "nosuch" on type "Query".`,
		"{":        "Expected Name, found <EOF>",
		"{users(first:100000){nodes{id}}}": "The operation exceeds the limit of 20000 for cost (the objects that it may return, its filters and its passwords): it has at least 100001. " +
			"Ask for shorter lists by first, last or limit, for fewer lists inside lists, or send passwords in several requests.",
	} {
		got := query(t, srv, text)
		if len(got.body.Errors) != 1 || got.body.Errors[0].Message != want {
			t.Errorf("%s: got %s, want %q", text, got.text, want)
		}
	}
	if got := query(t, srv, "{nosuch}"); len(got.body.Errors[0].Locations) != 1 {
		t.Errorf("locations: %s", got.text)
	}
	if got := query(t, srv, "{"+numbered(100, "nosuch%d ")+"}"); len(got.body.Errors) != maxErrors {
		t.Errorf("%d errors shown, want %d", len(got.body.Errors), maxErrors)
	}
	if got := query(t, srv, "{"+strings.Repeat("ä", 1000)+"}"); len(got.text) > 1000 {
		t.Errorf("%d bytes", len(got.text))
	}
}

func TestClip(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{strings.Repeat("a", 200), strings.Repeat("a", 200)},
		{strings.Repeat("a", 201), strings.Repeat("a", 200) + "…"},
		{strings.Repeat("ä", 150), strings.Repeat("ä", 100) + "…"},
	} {
		if got := clip(tt.in); got != tt.want {
			t.Errorf("clip(%d bytes) = %q, want %q", len(tt.in), got, tt.want)
		}
	}
}

func TestPresentKeepsTheCause(t *testing.T) {
	ctx := request.NewContext(t.Context(), &request.Info{ID: "r", Language: "id"})
	present := Presenter(classify)
	cause := errs.New(errs.NotFound, nil)
	once := present(ctx, gqlerror.WrapPath(ast.Path{ast.PathName("user")}, fmt.Errorf("load: %w", cause)))
	if !errors.Is(once, cause) || once.Message != "" || once.Extensions != nil || once.Path.String() != "user" {
		t.Errorf("got %+v", once)
	}
	if shown := localized(ctx, once); shown.Message != "Data yang diminta tidak ditemukan." || shown.Path.String() != "user" {
		t.Errorf("shown %+v", shown)
	}
	if twice := present(ctx, once); !reflect.DeepEqual(once, twice) {
		t.Errorf("presented again: %+v, want %+v", twice, once)
	}
	refused := present(ctx, Refuse(errs.BadRequest, errs.Meta{"max": 1}, "The request is too large."))
	if twice := present(ctx, refused); localized(ctx, refused).Message != "Permintaan terlalu besar." || !reflect.DeepEqual(refused, twice) {
		t.Errorf("presented again: %+v, want %+v", twice, refused)
	}
	if e := errs.As(refused); e.Code != errs.BadRequest || e.Meta["max"] != 1 {
		t.Errorf("developerError is %v", e)
	}
	if present(ctx, nil) != nil {
		t.Error("no error is presented as one")
	}
}

func TestClassifySeesOnlyTheUnclassified(t *testing.T) {
	var seen []string
	present := Presenter(func(_ context.Context, err error) error {
		seen = append(seen, err.Error())
		return err
	})
	for _, err := range []error{
		errs.Conflicts(errs.Duplicate, "", nil),
		&errs.Error{Err: errors.New("panic")},
		Refuse(errs.BadRequest, nil, "no"),
		context.Canceled,
		fmt.Errorf("sql: %w", context.DeadlineExceeded),
		errors.New("plain"),
		gqlerror.Errorf("must not be null"),
	} {
		present(t.Context(), err)
	}
	if want := []string{"plain", "must not be null"}; !reflect.DeepEqual(seen, want) {
		t.Errorf("classify saw %q, want %q", seen, want)
	}
}

func TestUnpresentedErrorShowsNothing(t *testing.T) {
	srv := newServer(nil)
	srv.AroundOperations(func(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
		return graphql.OneShot(graphql.ErrorResponse(ctx, "cannot commit transaction: secret"))
	})
	for accept, status := range map[string]int{asJSON: 200, asGraphQL: 500} {
		got := query(t, srv, "{hello}", accept)
		if got.code() != "INTERNAL" || got.status != status || strings.Contains(got.text, "secret") || strings.Contains(got.text, `"data"`) {
			t.Errorf("%s: %d %s", accept, got.status, got.text)
		}
	}
}

func TestDroppedDataIsNull(t *testing.T) {
	srv := newServer(nil)
	srv.AroundResponses(func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		return &graphql.Response{Errors: next(ctx).Errors}
	})
	got := query(t, srv, `{fail(code:"CONFLICT")}`, asGraphQL)
	if got.status != 200 || string(got.body.Data) != "null" || got.code() != "CONFLICT" {
		t.Errorf("%d %s", got.status, got.text)
	}
}

func TestRespondExtensions(t *testing.T) {
	srv := newServer(nil)
	srv.AroundResponses(func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		graphql.RegisterExtension(ctx, "a", 1)
		return next(ctx)
	})
	if got := query(t, srv, "{hello}"); got.text != `{"data":{"hello":"x"},"extensions":{"a":1}}` {
		t.Errorf("got %s", got.text)
	}
}

func TestMetaWithoutJSONForm(t *testing.T) {
	list := gqlerror.List{gqlerror.Wrap(errs.Conflicts(errs.Duplicate, "", errs.Meta{"f": func() {}}))}
	if got := string(encodeErrors(t.Context(), list)); !strings.Contains(got, `"code":"CONFLICT"`) || !strings.Contains(got, `"meta":{}`) {
		t.Errorf("got %s", got)
	}
}

func TestRecoverLogs(t *testing.T) {
	var log bytes.Buffer
	ctx := request.NewContext(t.Context(), &request.Info{ID: "req-9"})
	err := Recover(slog.New(slog.NewTextHandler(&log, nil)))(ctx, "boom")
	if !errs.Is(err, errs.Internal) || !strings.Contains(err.Error(), "boom") {
		t.Errorf("got %v", err)
	}
	for _, want := range []string{"boom", "req-9", "TestRecoverLogs"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q: %s", want, log.String())
		}
	}
}
