package rest

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

var update = flag.Bool("update", false, "write the golden files anew")

func openAPI(t *testing.T) []byte {
	t.Helper()
	doc, err := loadAPI(t).OpenAPI(Info{Title: "Test", Version: "1", Description: "A test.", Servers: []string{"http://127.0.0.1:8080"}})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestOpenAPIGolden(t *testing.T) {
	const file = "testdata/openapi.json"
	got := openAPI(t)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is stale (%v): look at what -update changes", file, err)
	}
	if again := openAPI(t); !bytes.Equal(got, again) {
		t.Error("two runs give two documents")
	}
}

// TestOpenAPIHolds validates the document, and answers of the service against it.
func TestOpenAPIHolds(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(openAPI(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	routes, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	s := newService(t)
	tests := []struct {
		name, method, target, body, data string
		ok                               bool
	}{
		{"list", "GET", "/user?page=1&per-page=5&designation=1", "", `{"users":{"totalCount":1,"nodes":[{"id":1,"name":"a","salutaion":null,"mobileNumber":{"country_code":null,"number":null},"designations":[{"id":"3","name":"x"}]}]}}`, true},
		{"number for text", "GET", "/user", "", `{"users":{"totalCount":1,"nodes":[{"id":1,"name":7,"salutaion":null,"mobileNumber":{"country_code":null,"number":null},"designations":[]}]}}`, false},
		{"null in place of a member", "GET", "/user", "", `{"users":{"totalCount":1,"nodes":[{"id":null,"name":"","salutaion":null,"mobileNumber":{"country_code":null,"number":null},"designations":[]}]}}`, false},
		{"missing member", "GET", "/user", "", `{"users":{"totalCount":1,"nodes":[{"id":1}]}}`, false},
		{"null as answer", "GET", "/tasks/running", "", `{"running":null}`, true},
		{"null members", "GET", "/task/1", "", `{"task":{"id":"1","title":"","status":"done","dueAt":null,"latitude":null,"etag":null}}`, true},
		{"unknown status", "GET", "/task/1", "", `{"task":{"id":"1","title":"","status":"new","dueAt":null,"latitude":null,"etag":null}}`, false},
		{"error", "GET", "/task/1", "", `{"task":null}`, true},
		{"write", "POST", "/task", `{"title":"a","status":null,"parent":{"title":"b","parent":null}}`, `{"saveTask":{"id":"1","version":1,"status":"open"}}`, true},
		{"fragments", "GET", "/organization/nodes", "", `{"nodes":[{"id":"1","name":"a"},{"id":"2","label":"b"}]}`, true},
		{"body in a list", "GET", "/user/edges", "", `{"edges":{"totalCount":2,"edges":[{"node":{"name":"a"},"cursor":""},{"node":null,"cursor":""}]}}`, true},
		{"face", "POST", "/attendance/clockIn", `{"addressId":1,"latitude":-6.2,"faceLandmark":[{"x":0.5,"y":0.5,"z":null}]}`, `{"clockIn":{"clockedIn":true}}`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s.data = tt.data
			w := s.do(tt.method, tt.target, tt.body, "Content-Type", "application/json")
			r := httptest.NewRequest(tt.method, "http://127.0.0.1:8080"+tt.target, strings.NewReader(tt.body))
			r.Header.Set("Content-Type", "application/json")
			route, params, err := routes.FindRoute(r)
			if err != nil {
				t.Fatal(err)
			}
			options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true}
			in := &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route, Options: options}
			if err := openapi3filter.ValidateRequest(t.Context(), in); err != nil {
				t.Errorf("request: %v", err)
			}
			w.Header().Set("X-Req-Id", "r1") // which the middleware sets
			out := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: w.Code, Header: w.Header(), Options: options}
			out.SetBodyBytes(w.Body.Bytes())
			if err := openapi3filter.ValidateResponse(t.Context(), out); (err == nil) != tt.ok {
				t.Errorf("answer %s: %v", w.Body, err)
			}
		})
	}
}

func TestOpenAPISecurity(t *testing.T) {
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string
			Security    json.RawMessage
		}
	}
	if err := json.Unmarshal(openAPI(t), &doc); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ method, path, id, want string }{
		{"get", "/user", "listEmployees", `[{"accessToken":[]},{"bearer":[]}]`},
		{"get", "/authorize/access-token", "accessToken", `[{"userToken":[]},{"bearer":[]}]`},
		{"post", "/authorize/verify", "verify", `[{"deviceToken":[],"userToken":[]},{"bearer":[],"userToken":[]},{"bearer":[],"deviceToken":[]}]`},
		{"post", "/device/register", "register", `[{},{"deviceToken":[]},{"bearer":[]}]`},
		{"get", "/encrypt", "encryptionKeys", `[]`},
		{"post", "/task", "saveTask", `[{"accessToken":[]},{"bearer":[]}]`},
		{"put", "/tasks", "saveTask2", `[{"accessToken":[]},{"bearer":[]}]`},
	} {
		op := doc.Paths[tt.path][tt.method]
		var got bytes.Buffer
		if err := json.Compact(&got, op.Security); err != nil || got.String() != tt.want || op.OperationID != tt.id {
			t.Errorf("%s %s: %s %s, want %s %s", tt.method, tt.path, op.OperationID, &got, tt.id, tt.want)
		}
	}
}

var (
	outsideCode = regexp.MustCompile("`[^`]*`")
	angle       = regexp.MustCompile(`.{0,30}(<|\\u003c).{0,30}`)
)

// TestBuiltInDocument holds that all operations are there, each group of the built-in
// documents is described, operations and schemas have the names that the apps' developers
// know, required members are not null, and every example has a telling text.
func TestBuiltInDocument(t *testing.T) {
	text, err := os.ReadFile("../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Tags  []struct{ Name, Description string }
		Paths map[string]map[string]struct{ OperationID, Summary, Description string }

		Components struct {
			Schemas map[string]struct {
				Required   []string
				Properties map[string]struct{ Type json.RawMessage }
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, operations := range doc.Paths {
		count += len(operations)
	}
	if count != 56 {
		t.Errorf("%d operations", count)
	}
	for name, schema := range doc.Components.Schemas {
		if strings.ContainsAny(name, "0123456789") {
			t.Errorf("%s is a second schema of its name: give it a fragment in shapes.graphql", name)
		}
		for _, member := range schema.Required {
			if strings.HasSuffix(name, "Request") && bytes.Contains(schema.Properties[member].Type, []byte("null")) {
				t.Errorf("%s: %s is required and may be null", name, member)
			}
		}
	}
	if got := angle.FindAllString(outsideCode.ReplaceAllString(string(text), ""), -1); len(got) > 0 {
		t.Errorf("angle brackets outside of code, which Markdown may take for a tag: %q", got)
	}
	for _, tag := range doc.Tags {
		if tag.Description == "" {
			t.Errorf("rest/operations/%s/README.md does not describe the group", tag.Name)
		}
	}
	for _, tt := range []struct{ path, method, id, summary string }{
		{"/device/register", "post", "registerDevice", "Register Device"},
		{"/user", "get", "getUsersList", "Get Users List"},
		{"/attendance/clockIn", "post", "clockIn", "Clock In"},
		{"/privelge/role", "get", "getRoleList", "Get Role List"},
		{"/user/login", "post", "login", "Login"},
		{"/messaging-gateway/callback", "post", "callback", "Callback"},
	} {
		if op := doc.Paths[tt.path][tt.method]; op.OperationID != tt.id || op.Summary != tt.summary || op.Description == "" {
			t.Errorf("%s %s: %+v, want %s, %s", tt.method, tt.path, op, tt.id, tt.summary)
		}
	}
	if n := bytes.Count(text, []byte(`"`+placeholder+`"`)); n > 0 {
		t.Errorf("%d examples are %q: add their operations to rest/operations/tour.json", n, placeholder)
	}
}
