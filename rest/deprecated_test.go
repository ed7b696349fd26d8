package rest

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
	"workforce/internal/graphqlhttp"
	"workforce/internal/request"
)

const goingSchema = `
directive @secret on FIELD_DEFINITION
directive @token(kinds: [TokenKind!]!, optional: Boolean = false, all: Boolean = false) on FIELD_DEFINITION
enum TokenKind { DEVICE USER ACCESS REFRESH }
scalar Upload
type Query {
  task(id: ID, "The id." old: ID @deprecated(reason: "Use id. Since 2026-02-01.")): Task
}
type Mutation { save(input: TaskInput!): Task }
type Task { id: ID!, title: String! etag: String @deprecated(reason: "Use id. Since 2026-03-01.") }
enum Priority {
  LOW
  NONE @deprecated(reason: "Leave it out. Since 2026-04-01, until 2027-05-01.")
}
input TaskInput {
  title: String
  name: String @deprecated(reason: "Use title. Since 2026-05-01, until 2027-06-01.")
  priority: Priority
  parent: TaskInput
}
`

var goingDocuments = map[string]string{
	"find.graphql": `
"Finds a task."
query Find($id: ID, $old: ID) @endpoint(method: GET, path: "/find/{id}")
@deprecated(reason: "Use GET /task. Since 2026-06-01, until 2027-07-01.") {
  task(id: $id, old: $old) { id title @deprecated(reason: "It is empty. Since 2026-07-01.") etag }
}`,
	"get.graphql": `
query Get($id: ID, $old: ID) @endpoint(method: GET, path: "/task") { task(id: $id, old: $old) { id } }`,
	"save.graphql": `
mutation Save(
  $title: String
  $name: String
  $kind: Priority @deprecated(reason: "It is ignored. Since 2026-08-01.")
  $parent: TaskInput
) @endpoint(method: POST, path: "/task") {
  save(input: {title: $title, name: $name, priority: $kind, parent: $parent}) { id }
}`,
	"plain.graphql": `query Plain($id: ID) @endpoint(method: GET, path: "/plain") { task(id: $id) { id } }`,
}

func goingService(t *testing.T) *service {
	t.Helper()
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: goingSchema})
	if err != nil {
		t.Fatal(err)
	}
	api, err := load(schema, documentsOf(goingDocuments))
	if err != nil {
		t.Fatal(err)
	}
	s := &service{http.NewServeMux(), &canned{schema: schema, data: `{"task":{"id":"1"},"save":{"id":"1"}}`}, api}
	gql := handler.New(s.canned)
	gql.AddTransport(api)
	graphqlhttp.New(schema, api.Types, nil, nil).Install(gql, nil)
	if err := api.Register(s.ServeMux, gql); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestDeprecatedHeaders has answers and refusals say what of their request will go, and nothing else.
func TestDeprecatedHeaders(t *testing.T) {
	s := goingService(t)
	var info *request.Info
	withInfo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		info = &request.Info{PublicURL: "https://work.test", Header: r.Header, Reply: w.Header()}
		s.api.Docs = true
		s.ServeMux.ServeHTTP(w, r.WithContext(request.NewContext(r.Context(), info)))
	})
	served := &service{http.NewServeMux(), s.canned, s.api}
	served.Handle("/", withInfo)
	const (
		may  = "Sat, 01 May 2027 00:00:00 GMT"
		june = "Tue, 01 Jun 2027 00:00:00 GMT"
		july = "Thu, 01 Jul 2027 00:00:00 GMT"
	)
	const link = `<https://work.test/docs>; rel="deprecation"; type="text/html"`
	for _, tt := range []struct {
		name, method, target, body string
		fails                      bool
		status                     int
		since, until, used         string
	}{
		{"an operation", "GET", "/find/1", "", false, 200, "@1780272000", july, "Find"},
		{"a refusal", "GET", "/find/1", "", true, 404, "@1780272000", july, "Find"},
		{"a request that cannot be read", "GET", "/find/1?old=%00", "", false, 400, "@1780272000", july, "Find"},
		{"and a member", "GET", "/find/1?old=1", "", false, 200, "@1769904000", july, "Find Query.task(old:)"},
		{"a member", "GET", "/task?old=1", "", false, 200, "@1769904000", "", "Query.task(old:)"},
		{"without it", "GET", "/task?id=1", "", false, 200, "", "", ""},
		{"nothing", "GET", "/plain?id=1", "", false, 200, "", "", ""},
		{"one of the input", "POST", "/task", `{"name":"a"}`, false, 200, "@1777593600", june, "TaskInput.name"},
		{"one of a document", "POST", "/task", `{"kind":"LOW"}`, false, 200, "@1785542400", "", "Save.kind"},
		{"a value", "POST", "/task", `{"parent":{"priority":"NONE"}}`, false, 200, "@1775001600", may, "Priority.NONE"},
		{"deep", "POST", "/task", `{"parent":{"parent":{"name":null}}}`, false, 200, "@1777593600", june, "TaskInput.name"},
		{"one that is refused", "POST", "/task", `{"name":"a"}`, true, 404, "@1777593600", june, "TaskInput.name"},
		{"members that cannot be read", "POST", "/task", `{"name":"a","title":[]}`, false, 422, "", "", ""},
		{"none of these", "POST", "/task", `{"title":"a","parent":{"priority":"LOW"}}`, false, 200, "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.errors = nil
			if tt.fails {
				s.errors = []*gqlerror.Error{gqlerror.Wrap(errs.New(errs.NotFound, nil))}
			}
			w := served.do(tt.method, tt.target, tt.body)
			h, wantLink := w.Header(), ""
			if tt.since != "" {
				wantLink = link
			}
			used := strings.Join(info.Operation.Deprecated, " ")
			dates := h.Get("Deprecation") == tt.since && h.Get("Sunset") == tt.until
			if w.Code != tt.status || !dates || h.Get("Link") != wantLink || used != tt.used {
				t.Errorf("%d %s %v, used %q", w.Code, w.Body, h, used)
			}
		})
	}
}

// TestDeprecatedDocument has openapi.json say the same.
func TestDeprecatedDocument(t *testing.T) {
	text, err := goingService(t).api.OpenAPI(Info{Title: "Test", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	type marked struct {
		Name, Description string
		Deprecated        bool
	}
	var doc struct {
		Paths map[string]map[string]struct {
			Deprecated  bool
			Description string
			Parameters  []marked
			Responses   map[string]struct{ Headers map[string]any }
		}
		Components struct {
			Schemas map[string]struct {
				Description string
				Properties  map[string]marked
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	find, get, plain := doc.Paths["/find/{id}"]["get"], doc.Paths["/task"]["get"], doc.Paths["/plain"]["get"]
	const about = "Finds a task.\n\nDeprecated. Use GET /task. Since 2026-06-01, until 2027-07-01."
	if !find.Deprecated || find.Description != about {
		t.Errorf("the operation: %+v", find)
	}
	warned, quiet := get.Responses["200"].Headers, plain.Responses["200"].Headers
	if get.Deprecated || plain.Deprecated || warned["Deprecation"] == nil || quiet["Deprecation"] != nil {
		t.Errorf("others: %+v, %+v", get, plain)
	}
	const aboutOld = "The id.\n\nDeprecated. Use id. Since 2026-02-01."
	if old := get.Parameters[1]; !old.Deprecated || old.Description != aboutOld || get.Parameters[0].Deprecated {
		t.Errorf("parameters: %+v", get.Parameters)
	}
	for _, tt := range []struct {
		schema, member, want string
	}{
		{"Task", "id", ""},
		{"Task", "title", "Deprecated. It is empty. Since 2026-07-01."},
		{"Task", "etag", "Deprecated. Use id. Since 2026-03-01."},
		{"SaveRequest", "title", ""},
		{"SaveRequest", "name", "Deprecated. Use title. Since 2026-05-01, until 2027-06-01."},
		{"SaveRequest", "kind", "Deprecated. It is ignored. Since 2026-08-01."},
		{"TaskInput", "name", "Deprecated. Use title. Since 2026-05-01, until 2027-06-01."},
		{"TaskInput", "title", ""},
	} {
		got, ok := doc.Components.Schemas[tt.schema].Properties[tt.member]
		if !ok || got.Deprecated != (tt.want != "") || got.Description != tt.want {
			t.Errorf("%s.%s: %+v, want %q", tt.schema, tt.member, got, tt.want)
		}
	}
	const none = "NONE: Deprecated. Leave it out. Since 2026-04-01, until 2027-05-01."
	if got := doc.Components.Schemas["Priority"].Description; got != none {
		t.Errorf("Priority: %q", got)
	}
}

// TestDeprecatedReason refuses a document whose reason does not tell since when.
func TestDeprecatedReason(t *testing.T) {
	const endpoint = `@endpoint(method: GET, path: "/a") `
	for _, tt := range []struct{ text, want string }{
		{endpoint + `@deprecated(reason: "Use b.") { running { id } }`, "a.graphql:1:45: @deprecated: the reason"},
		{endpoint + `@deprecated { running { id } }`, `"reason"`},
		{endpoint + `@deprecated(reason: "A. Since 2026-01-01, until 2026-06-01.") { running { id } }`, "less than 12"},
		{`($id: ID! @deprecated(reason: "B.")) ` + endpoint + `{ task(id: $id) { id } }`, "1:20: @deprecated: the reason"},
		{endpoint + `{ running { id @deprecated(reason: "B. Since yesterday.") } }`, "@deprecated: the reason"},
		{endpoint + `{ running { ... @deprecated(reason: "B. Since 2026-01-01.") { id } } }`, "used on INLINE_FRAGMENT"},
		{endpoint + `@deprecated(reason: "Use b. Since 2026-01-01.") { running { id } }`, ""},
	} {
		text, want := "query A "+tt.text, tt.want
		_, err := load(loadSchema(t), documentsOf(map[string]string{"a.graphql": text}))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s\n%v, want %q", text, err, want)
		}
	}
}
