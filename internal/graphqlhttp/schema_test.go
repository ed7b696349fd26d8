package graphqlhttp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/errs"
	"workforce/internal/operation"
	"workforce/internal/request"
	"workforce/internal/variables"
)

const testSchema = `
type Query {
	hello: String
	greet: String @deprecated(reason: "Use hello. Since 2026-02-01, until 2027-03-01.")
	find(id: Int!, gender: Gender, where: Where): String
	fail(code: String!): String
	failHard(code: String!): String!
	panics: String
	slow: String
	coordinate(latitude: String!): String
	user: User
	users(first: Int, last: Int, before: String): UserConnection!
	employees(page: Int, limit: Int = 20): [User!]!
	everybody: [User!]!
	pages(page: Int, limit: Int): UserList!
	few: [User!]! @cost(length: 100)
	sheet(userIds: [Int!], userId: Int, from: String, to: String, limit: Int): UserList! @cost(length: 50, perPersonDay: 0.5)
	late(userIds: [Int!]!, from: String, to: String): [User!]! @cost(perPersonDay: 0.5)
	sums(userIds: [Int!], from: String, to: String): Sums! @cost(length: 10, people: 100, perPersonDay: 0.5)
	team(userId: Int, userIds: [Int!], limit: Int): UserList! @cost(length: 50, atLeast: 5000)
	way(userId: Int, from: String, to: String, limit: Int): UserList! @cost(perDay: 100)
	plan(weeks: Int = 1, limit: Int): PlanList! @cost(length: 50, perPersonDay: 0.5)
}
type PlanList { people: [Planned!]! }
type Planned { id: ID! shifts: [User!]! @cost(lengthPerDay: 1) leaves: [User!]! @cost(length: 1) }
type Sums { seconds: Int groups: [User!]! }
directive @cost(
  length: Int, lengthPerDay: Float, people: Int, atLeast: Int, perDay: Float, perPersonDay: Float
) on FIELD_DEFINITION
scalar Upload
type Mutation {
  rename(input: Rename!): String upload(input: Files!): String one(file: Upload): String
  change(input: Change!): String assign(input: Many!): [Planned!]!
}
directive @hashed on INPUT_FIELD_DEFINITION
input Change { old: String @hashed password: String @hashed name: String }
input Many { userIds: [Int!] items: [Int!] }
input Files { image: Upload images: [Upload!] name: String }
type Subscription { tick: Int }
type UserConnection { totalCount: Int! pageInfo: PageInfo! edges: [UserEdge!]! nodes: [User!]! }
type UserEdge { node: User! }
type PageInfo { hasNextPage: Boolean! }
type User { id: ID! name: String boss: User designations: [Designation!]! reports(first: Int): UserConnection! found(where: Where): String }
type UserList { nodes: [User!]! }
type Designation { id: ID! name: String holders: [User!]! }
input Rename { name: String! phone: Phone tags: [String!] }
input Phone { number: Int! area: String @deprecated(reason: "It is in number. Since 2026-01-01.") }
input Where {
	not: Where and: [Where!] or: [Where!] name: String nameIn: [String!] nameIsNil: Boolean ids: [Int!] gender: Gender
	hasBoss: Boolean hasBossWith: [Where!]
}
enum Gender { male female }
`

// testExec answers every field of testSchema: text is "x", lists have one item.
type testExec struct{ schema *ast.Schema }

func (e testExec) Schema() *ast.Schema { return e.schema }

func (testExec) Complexity(context.Context, string, string, int, map[string]any) (int, bool) {
	return 0, false
}

func (e testExec) Exec(ctx context.Context) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	root := e.schema.Query
	if oc.Operation.Operation == ast.Mutation {
		root = e.schema.Mutation
	}
	done := false
	return func(ctx context.Context) *graphql.Response {
		if done {
			return nil
		}
		done = true
		data, ok := e.object(ctx, root, oc.Operation.SelectionSet)
		if !ok {
			data = []byte("null")
		}
		return &graphql.Response{Data: data}
	}
}

func (e testExec) object(ctx context.Context, def *ast.Definition, sel ast.SelectionSet) (json.RawMessage, bool) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range graphql.CollectFields(graphql.GetOperationContext(ctx), sel, []string{def.Name}) {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := e.field(ctx, def, f)
		if err != nil && f.Definition.Type.NonNull {
			return nil, false
		}
		fmt.Fprintf(&b, "%q:%s", f.Alias, value)
	}
	b.WriteByte('}')
	return b.Bytes(), true
}

func (e testExec) field(ctx context.Context, def *ast.Definition, f graphql.CollectedField) (value json.RawMessage, err error) {
	fc := &graphql.FieldContext{Object: def.Name, Field: f}
	ctx = graphql.WithFieldContext(ctx, fc)
	defer func() {
		if v := recover(); v != nil {
			err = graphql.Recover(ctx, v)
		}
		if err != nil {
			graphql.AddError(ctx, err)
			value = []byte("null")
		}
	}()
	args := f.ArgumentMap(graphql.GetOperationContext(ctx).Variables)
	if f.Name == "coordinate" {
		ctx := graphql.WithPathContext(ctx, graphql.NewPathWithField("latitude"))
		if err := coordinate(args["latitude"]); err != nil {
			return nil, graphql.ErrorOnPath(ctx, err)
		}
	}
	fc.Args = args
	switch f.Name {
	case "__typename":
		return json.Marshal(def.Name)
	case "__type", "__schema":
		if graphql.GetOperationContext(ctx).DisableIntrospection {
			return nil, errors.New("introspection disabled")
		}
		return []byte("null"), nil
	case "fail", "failHard":
		return nil, failure(args["code"].(string))
	case "upload", "one":
		return json.Marshal(strings.Join(filesIn("", args), " "))
	case "panics":
		panic("secret panic")
	case "slow":
		<-ctx.Done()
		return nil, fmt.Errorf("query: %w", ctx.Err())
	}
	return e.value(ctx, f)
}

func (e testExec) value(ctx context.Context, f graphql.CollectedField) (json.RawMessage, error) {
	value := json.RawMessage(`"x"`)
	if f.Definition.Type.Name() == "Int" {
		value = json.RawMessage("1")
	}
	if len(f.Selections) > 0 {
		value, _ = e.object(ctx, e.schema.Types[f.Definition.Type.Name()], f.Selections)
	}
	if f.Definition.Type.Elem != nil {
		value = fmt.Appendf(nil, "[%s]", value)
	}
	return value, nil
}

// coordinate is a scalar's reader: it classifies one mistake of two.
func coordinate(v any) error {
	switch v {
	case "far":
		return &errs.Error{Code: errs.Invalid, Faults: []errs.Fault{
			{Code: errs.Invalid, Reason: errs.OutOfRange, Meta: errs.Meta{"min": -90, "max": 90}}}}
	case "none":
		return errs.New(errs.NotFound, nil)
	case "bad":
		return errors.New("strconv: secret value")
	}
	return nil
}

func failure(code string) error {
	switch code {
	case "sql":
		return errors.New("Error 1146: table secret does not exist")
	case "missing row":
		return errNoRow
	}
	return &errs.Error{Code: errs.Code(code), Meta: errs.Meta{"a": 1}, RetryAfter: 1500 * time.Millisecond,
		Limit: &errs.Limit{Limit: 5, Reset: time.Minute}, Err: errors.New("secret cause")}
}

var errNoRow = errors.New("no row")

func classify(_ context.Context, err error) error {
	if errors.Is(err, errNoRow) {
		return errs.New(errs.NotFound, nil)
	}
	return err
}

func newServer(introspect func(context.Context) bool) *handler.Server {
	return serverOf(introspect, newAPI(nil))
}

var parsed = gqlparser.MustLoadSchema(&ast.Source{Input: testSchema})

func newAPI(check operation.Check) *API {
	return New(parsed, variables.NewTypes(parsed, variables.Options{}), check, nil)
}

func serverOf(introspect func(context.Context) bool, api *API) *handler.Server {
	srv := handler.New(testExec{parsed})
	api.Install(srv, introspect)
	srv.SetErrorPresenter(Presenter(classify))
	srv.SetRecoverFunc(Recover(slog.New(slog.DiscardHandler)))
	return srv
}

func yes(context.Context) bool { return true }

// answer is a response as a client sees it.
type answer struct {
	status int
	header http.Header
	text   string
	body   struct {
		Errors []struct {
			Message    string
			Path       []any
			Locations  []any
			Extensions struct {
				Code      string
				Meta      map[string]any
				Errors    []errs.FaultDetail
				RequestID string
			}
		}
		Data json.RawMessage
	}
}

func (a answer) code() string {
	if len(a.body.Errors) == 0 {
		return ""
	}
	return a.body.Errors[0].Extensions.Code
}

func send(t *testing.T, h http.Handler, r *http.Request) answer {
	t.Helper()
	w := httptest.NewRecorder()
	r = r.WithContext(request.NewContext(r.Context(), &request.Info{ID: "req-1", Header: r.Header, Reply: w.Header()}))
	h.ServeHTTP(w, r)
	a := answer{status: w.Code, header: w.Header(), text: w.Body.String()}
	if err := json.Unmarshal(w.Body.Bytes(), &a.body); err != nil {
		t.Fatalf("%s %s: body %.300q: %v", r.Method, r.URL.Path, a.text, err)
	}
	return a
}

// post sends a body; the header is "Name: value" lines.
func post(t *testing.T, h http.Handler, body string, header ...string) answer {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	setLines(r.Header, header)
	return send(t, h, r)
}

func setLines(h http.Header, lines []string) {
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		h.Set(name, value)
	}
}

func query(t *testing.T, h http.Handler, text string, header ...string) answer {
	t.Helper()
	return post(t, h, quoted(text), header...)
}

func quoted(text string) string {
	b, _ := json.Marshal(map[string]string{"query": text})
	return string(b)
}
