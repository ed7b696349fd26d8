package compat

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

type object = map[string]any

// at follows names and indices into a JSON value.
func at(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			v = v.(object)[step]
		case int:
			v = v.([]any)[step]
		}
	}
	return v
}

// in is at for an object.
func in(v any, path ...any) object { return at(v, path...).(object) }

// without returns a list without a value.
func without(list any, value string) []any {
	return slices.DeleteFunc(slices.Clone(list.([]any)), func(v any) bool { return v == value })
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// An edit is a change of a document, and a part of the only line that is to report it; "" for none.
type edit struct {
	name, want string
	change     func(doc object)
}

func schemaOf(doc object, name string) object { return in(doc, "components", "schemas", name) }

func operation(doc object, path, method string) object { return in(doc, "paths", path, method) }

// conflictOf returns the schema of the codes with which POST /attendance/clockIn answers 409.
func conflictOf(doc object) object {
	content := in(operation(doc, "/attendance/clockIn", "post"), "responses", "409", "content", "application/json")
	return in(content, "schema", "allOf", 1, "properties", "code")
}

// edits are changes of docs/openapi.json.
var edits = []edit{
	{"a path is gone", "GET /encrypt: ", func(d object) { delete(in(d, "paths"), "/encrypt") }},
	{"an operation is gone", "POST /task: ", func(d object) { delete(in(d, "paths", "/task"), "post") }},
	{"another name of an operation", "GET /user: ", func(d object) { operation(d, "/user", "get")["operationId"] = "listUsers" }},

	{"a member that a request must have", "POST /task: ", func(d object) {
		schemaOf(d, "SaveTaskRequest")["properties"].(object)["team"] = object{"type": "string"}
		schemaOf(d, "SaveTaskRequest")["required"] = []any{"title", "team"}
	}},
	{"a member that it need not have", "", func(d object) {
		schemaOf(d, "SaveTaskRequest")["properties"].(object)["team"] = object{"type": "string"}
	}},
	{"a member of a request is gone", "POST /task: ", func(d object) { delete(in(schemaOf(d, "SaveTaskRequest"), "properties"), "startAt") }},
	{"a member is required", "POST /task: ", func(d object) { schemaOf(d, "SaveTaskRequest")["required"] = []any{"title", "startAt"} }},
	{"a member is no longer required", "", func(d object) { delete(schemaOf(d, "SaveTaskRequest"), "required") }},
	{"a member takes fewer types", "POST /attendance/clockIn: ", func(d object) {
		in(schemaOf(d, "ClockInRequest"), "properties", "latitude")["type"] = "number"
	}},
	{"a member takes more types", "", func(d object) {
		in(schemaOf(d, "LoginRequest"), "properties", "username")["type"] = []any{"string", "integer"}
	}},
	{"a member takes no null", "POST /attendance/clockIn: ", func(d object) {
		in(schemaOf(d, "ClockInRequest"), "properties", "note")["type"] = "string"
	}},
	{"a pattern", "POST /user/login: ", func(d object) { in(schemaOf(d, "LoginRequest"), "properties", "username")["pattern"] = "^[a-z]+$" }},
	{"another default of a member", "POST /attendance/clockIn: ", func(d object) {
		in(schemaOf(d, "FacePointInput"), "properties", "z")["default"] = 1
	}},
	{"a parameter is gone", "GET /user: ", func(d object) {
		get := operation(d, "/user", "get")
		get["parameters"] = get["parameters"].([]any)[1:]
	}},
	{"a parameter is required", "GET /user: ", func(d object) { in(d, "paths", "/user", "get", "parameters", 0)["required"] = true }},
	{"a parameter takes less", "GET /user: ", func(d object) { in(d, "paths", "/user", "get", "parameters", 5, "schema")["maximum"] = 100 }},
	{"a new parameter", "", func(d object) {
		get := operation(d, "/user", "get")
		get["parameters"] = append(get["parameters"].([]any), object{"in": "query", "name": "team", "schema": object{"type": "string"}})
	}},
	{"a header of requests is gone", "POST /task: ", func(d object) {
		post := operation(d, "/task", "post")
		post["parameters"] = post["parameters"].([]any)[:3]
	}},

	{"a member of an answer is gone", "GET /user: ", func(d object) {
		user := schemaOf(d, "User")
		delete(user["properties"].(object), "gender")
		user["required"] = without(user["required"], "gender")
	}},
	{"a member of an answer may be absent", "GET /user: ", func(d object) {
		schemaOf(d, "User")["required"] = without(schemaOf(d, "User")["required"], "gender")
	}},
	{"a member of an answer may be null", "GET /user: ", func(d object) {
		in(schemaOf(d, "User"), "properties", "email")["type"] = []any{"string", "null"}
	}},
	{"an object of an answer may be null", "GET /user: ", func(d object) {
		properties := in(schemaOf(d, "User"), "properties")
		properties["mobileNumber"] = object{"anyOf": []any{properties["mobileNumber"], object{"type": "null"}}}
	}},
	{"an answer may be null", "GET /task/{id}: ", func(d object) {
		media := in(d, "paths", "/task/{id}", "get", "responses", "200", "content", "application/json")
		media["schema"] = object{"anyOf": []any{media["schema"], object{"type": "null"}}}
	}},
	{"a member of an answer is another type", "GET /user: ", func(d object) {
		in(schemaOf(d, "User"), "properties", "id")["type"] = "string"
	}},
	{"a list of an answer is of another type", "GET /user: ", func(d object) {
		in(schemaOf(d, "User"), "properties", "designations")["items"] = object{"type": "string"}
	}},
	{"a member of an answer is never null", "", func(d object) {
		in(schemaOf(d, "User"), "properties", "gender")["type"] = "string"
	}},
	{"a new member of an answer", "", func(d object) {
		user := schemaOf(d, "User")
		user["properties"].(object)["team"] = object{"type": []any{"string", "null"}}
		user["required"] = append(user["required"].([]any), "team")
	}},

	{"a value of requests is gone", "POST /task: ", func(d object) {
		schemaOf(d, "TaskPriority")["enum"] = without(schemaOf(d, "TaskPriority")["enum"], "low")
	}},
	{"a new value of requests and answers", "", func(d object) {
		schemaOf(d, "TaskPriority")["enum"] = append(schemaOf(d, "TaskPriority")["enum"].([]any), "sooner")
	}},
	{"a status is gone", "GET /user: ", func(d object) { delete(in(d, "paths", "/user", "get", "responses"), "404") }},
	{"an error code is gone", "POST /attendance/clockIn: ", func(d object) {
		code := conflictOf(d)
		code["enum"] = without(code["enum"], "ALREADY_CLOCKED_IN")
	}},
	{"of two error codes one is left", "POST /attendance/clockIn: ", func(d object) {
		in(d, "paths", "/attendance/clockIn", "post", "responses")["409"] = object{"$ref": "#/components/responses/CONFLICT"}
	}},
	{"a second error code", "", func(d object) {
		responses := in(d, "paths", "/user", "get", "responses")
		responses["422"] = in(d, "paths", "/attendance/clockIn", "post", "responses", "422")
	}},
	{"a new error code", "", func(d object) {
		code := conflictOf(d)
		code["enum"] = append(code["enum"].([]any), "TOO_TIRED")
	}},
	{"a new status", "", func(d object) {
		in(d, "paths", "/user", "get", "responses")["409"] = object{"$ref": "#/components/responses/CONFLICT"}
	}},
	{"a header of an answer is gone", "GET /user: ", func(d object) {
		delete(in(d, "paths", "/user", "get", "responses", "200", "headers"), "X-Total-Count")
	}},
	{"another media type", "GET /user: ", func(d object) {
		content := in(d, "paths", "/user", "get", "responses", "200", "content")
		content["text/csv"] = content["application/json"]
		delete(content, "application/json")
	}},
	{"another token", "GET /user: ", func(d object) {
		operation(d, "/user", "get")["security"] = []any{object{"userToken": []any{}}, object{"bearer": []any{}}}
	}},
	{"a token where none was needed", "GET /encrypt: ", func(d object) {
		operation(d, "/encrypt", "get")["security"] = []any{object{"accessToken": []any{}}}
	}},
	{"a new operation", "", func(d object) { in(d, "paths")["/team"] = object{"get": operation(d, "/user", "get")} }},
	{"other words", "", func(d object) {
		operation(d, "/user", "get")["summary"] = "Lists people"
		operation(d, "/user", "get")["description"] = "Other words."
		in(schemaOf(d, "User"), "properties", "name")["description"] = "Other words."
	}},
	{"a deprecation", "", func(d object) {
		operation(d, "/user", "get")["deprecated"] = true
		in(schemaOf(d, "User"), "properties", "name")["deprecated"] = true
	}},
}

func TestOpenAPIBreaks(t *testing.T) {
	before := read(t, "../../docs/openapi.json")
	for _, tt := range edits {
		t.Run(tt.name, func(t *testing.T) {
			var doc object
			if err := json.Unmarshal(before, &doc); err != nil {
				t.Fatal(err)
			}
			tt.change(doc)
			after, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			found, err := OpenAPIBreaks(before, after)
			if err != nil {
				t.Fatal(err)
			}
			check(t, found, tt.want)
		})
	}
}

// check fails unless a line has the text, or there is none where it is "".
func check(t *testing.T, found []string, want string) {
	t.Helper()
	named := slices.ContainsFunc(found, func(s string) bool { return strings.Contains(s, want) })
	if want == "" && len(found) > 0 || want != "" && !named {
		t.Errorf("found %q, want %q", found, want)
	}
}
