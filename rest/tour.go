package rest

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"strings"

	"workforce/internal/openapi"
	"workforce/internal/rootfield"
)

// A section is a part of the tour: requests that follow one another.
type section struct {
	Name  string
	Steps []step
}

// A step is one request of the tour: to the endpoint of an operation, or a document of GraphQL.
type step struct {
	Name      string // in place of the operation's
	Operation string
	GraphQL   string
	Request   map[string]any    // members by name; {{name}} is a variable, and files are paths below docs
	Save      map[string]string // variables, and where in the answer their values are, as in 0.id
	Until     map[string]string // members of the answer of which it is asked for again until they are as here
}

// tourFile lists, in order, requests that try every operation.
const tourFile = "tour.json"

const postmanAbout = "Every operation, in an order that works from the first to the last. " +
	"Put the code of the message into the variable `otp` before Verify and before Reset Password, or the address of the " +
	"log into `log`. The password is changed, and kept in the variable `password`."

// The scripts of the collection.
var (
	//go:embed postman/before.js
	beforeScript string
	//go:embed postman/test.js
	testScript string
	//go:embed postman/callback.js
	callbackScript string
)

// Postman returns a collection in Postman's format 2.1 of the tour: the requests one after
// another, each with a test of its answer, and a report of the messaging gateway to a path.
func (a *API) Postman(name, baseURL, callback string, report map[string]any) ([]byte, error) {
	text, err := fs.ReadFile(Operations(), tourFile)
	if err != nil {
		return nil, err
	}
	var tour []section
	if err := json.Unmarshal(text, &tour); err != nil {
		return nil, fmt.Errorf("%s: %w", tourFile, err)
	}
	folders := []openapi.Object{}
	for _, s := range tour {
		items := []openapi.Object{}
		for _, st := range s.Steps {
			item, err := a.item(st)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", tourFile, err)
			}
			items = append(items, item)
		}
		folders = append(folders, openapi.Object{"name": s.Name, "item": items})
	}
	folders = append(folders, openapi.Object{"name": "Messaging gateway", "item": []openapi.Object{{
		"name":    "Callback",
		"request": postmanRequest("POST", callback, nil, report),
		"event": []openapi.Object{
			script("prerequest", callbackScript),
			script("test", "expect(pm, {}, {}, pm.variables.get('smsSecret') ? 200 : 401);"),
		},
	}}})
	return json.MarshalIndent(openapi.Object{
		"info": openapi.Object{
			"name": name, "description": postmanAbout,
			"schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
		},
		"item":  folders,
		"event": []openapi.Object{script("prerequest", beforeScript), script("test", testScript)},
		"variable": []openapi.Object{
			{"key": "baseUrl", "value": baseURL},
			{"key": "username", "value": "admin@demo.test"}, {"key": "password", "value": "demo-password"},
		},
	}, "", "  ")
}

// item returns the request of a step with its test. Its id is the name of the operation, where the
// step has no name of its own.
func (a *API) item(s step) (openapi.Object, error) {
	name, id, request := s.Name, cmp.Or(s.Name, s.Operation), openapi.Object(nil)
	if s.GraphQL != "" {
		request = postmanRequest("POST", "/graphql", []string{"access"}, openapi.Object{"query": s.GraphQL})
	} else {
		e := a.endpointOf(s.Operation)
		if e == nil {
			return nil, fmt.Errorf("there is no operation %q", s.Operation)
		}
		for member := range s.Request {
			if e.memberOf(member) == nil {
				return nil, fmt.Errorf("%s has no member %q", s.Operation, member)
			}
		}
		if name == "" {
			name = words(s.Operation)
		}
		request = e.postman(s.Request)
	}
	save, err := json.Marshal(s.Save)
	if err != nil {
		return nil, err
	}
	until, err := json.Marshal(s.Until)
	if err != nil {
		return nil, err
	}
	return openapi.Object{
		"id": id, "name": name, "request": request,
		"event": []openapi.Object{script("test", fmt.Sprintf("expect(pm, %s, %s, 200);", save, until))},
	}, nil
}

func (a *API) endpointOf(operation string) *endpoint {
	for _, e := range a.sorted() {
		if e.Operation == operation {
			return e
		}
	}
	return nil
}

func (o *document) memberOf(wire string) *member {
	for _, m := range o.members {
		if m.wire == wire {
			return m
		}
	}
	return nil
}

// postman returns the request with members in path, query and body, and the first token that
// the operation takes, or all that it needs.
func (e *endpoint) postman(members map[string]any) openapi.Object {
	path, query := e.Path, []string{}
	var body orderedValues
	for _, m := range e.members {
		value, ok := members[m.wire]
		switch text := fmt.Sprint(value); {
		case !ok:
		case e.inPath(m.wire):
			path = strings.ReplaceAll(path, "{"+m.wire+"}", text)
		case e.hasBody():
			body = append(body, orderedValue{m.wire, value})
		default:
			query = append(query, m.wire+"="+url.QueryEscape(text))
		}
	}
	if len(query) > 0 {
		path += "?" + strings.Join(query, "&")
	}
	t := rootfield.TokenOf(e.responseField().Definition)
	var tokens []string
	for i, kind := range t.Kinds {
		if !t.Optional && (i == 0 || t.All) {
			tokens = append(tokens, kind.Name())
		}
	}
	switch {
	case e.uploads():
		r := postmanRequest(e.Method, path, tokens, nil)
		r["body"] = openapi.Object{"mode": "formdata", "formdata": formParts(body)}
		return r
	case body != nil:
		return postmanRequest(e.Method, path, tokens, body)
	}
	return postmanRequest(e.Method, path, tokens, nil)
}

// formParts returns the parts of a form: files for lists of paths, texts for all else.
func formParts(body orderedValues) (parts []openapi.Object) {
	for _, m := range body {
		files, ok := m.value.([]any)
		if !ok {
			parts = append(parts, openapi.Object{"key": m.name, "type": "text", "value": m.value})
		}
		for _, file := range files {
			parts = append(parts, openapi.Object{"key": m.name, "type": "file", "src": file})
		}
	}
	return parts
}

func postmanRequest(method, path string, tokens []string, body any) openapi.Object {
	headers := []openapi.Object{}
	for _, kind := range tokens {
		headers = append(headers, openapi.Object{"key": openapi.TokenHeader(kind), "value": "{{" + kind + "Token}}"})
	}
	r := openapi.Object{"method": method, "url": "{{baseUrl}}" + path, "header": headers}
	if body != nil {
		text, err := indented(body)
		if err != nil {
			panic(err) // of values that were JSON
		}
		r["body"] = openapi.Object{
			"mode": "raw", "raw": text, "options": openapi.Object{"raw": openapi.Object{"language": "json"}},
		}
	}
	return r
}

// indented returns a value as JSON for people, with <, > and & as they are.
func indented(value any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(value)
	return strings.TrimSuffix(b.String(), "\n"), err
}

func script(when, text string) openapi.Object {
	return openapi.Object{"listen": when, "script": openapi.Object{
		"type": "text/javascript", "exec": strings.Split(strings.TrimSuffix(text, "\n"), "\n"),
	}}
}
