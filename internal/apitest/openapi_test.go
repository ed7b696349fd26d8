package apitest

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// document describes a service in either version of OpenAPI.
func document(version, nullable string) string {
	return `{
	"openapi": "` + version + `",
	"info": {"title": "t", "version": "1"},
	"servers": [{"url": "https://elsewhere.test/v1"}],
	"paths": {
		"/user/{id}": {
			"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
			"get": {"responses": {
				"200": {"description": "ok", "content": {"application/json": {"schema": {
					"type": "object", "required": ["name", "age"], "additionalProperties": false,
					"properties": {"name": {"type": "string"}, "age": ` + nullable + `}}}}},
				"default": {"description": "error", "content": {"application/json": {"schema": {
					"type": "object", "required": ["code"], "properties": {"code": {"type": "string"}}}}}}}},
			"delete": {"responses": {"200": {"description": "ok"}}}
		},
		"/user/me": {
			"get": {"responses": {"200": {"description": "a file", "content": {
				"text/csv": {"schema": {"type": "string"}}, "application/json": {"schema": {"type": "array", "items": {}}}}}}}
		}
	}
}`
}

var versions = map[string]string{
	"3.0.3": document("3.0.3", `{"type": "integer", "nullable": true}`),
	"3.1.0": document("3.1.0", `{"type": ["integer", "null"]}`),
}

func TestDocumentCheck(t *testing.T) {
	const jsonType = "application/json"
	tests := []struct {
		name, method, path string
		status             int
		mediaType, body    string
		want               string // in the error; "" is none
	}{
		{"success", "GET", "/user/1", 200, jsonType, `{"name":"b","age":3}`, ""},
		{"null", "GET", "/user/1", 200, jsonType, `{"name":"b","age":null}`, ""},
		{"wrong type", "GET", "/user/1", 200, jsonType, `{"name":"b","age":"3"}`, "age"},
		{"missing", "GET", "/user/1", 200, jsonType, `{"name":"b"}`, "age"},
		{"too many", "GET", "/user/1", 200, jsonType, `{"name":"b","age":3,"secret":1}`, "secret"},
		{"error", "GET", "/user/1", 404, jsonType, `{"code":"NOT_FOUND"}`, ""},
		{"bad error", "GET", "/user/1", 404, jsonType, `{"error":"x"}`, "code"},
		{"other media type", "GET", "/user/1", 200, "text/html", `<html>`, "text/html"},
		{"no media type", "GET", "/user/1", 200, "", `{}`, "Content-Type"},
		{"malformed", "GET", "/user/1", 200, jsonType, `{`, "decode"},
		{"unknown status", "DELETE", "/user/1", 500, jsonType, `{}`, "status is not supported"},
		{"nothing said of the body", "DELETE", "/user/1", 200, jsonType, `{}`, ""},
		{"not modified", "GET", "/user/1", 304, "", ``, ""},
		{"concrete path first", "GET", "/user/me", 200, jsonType, `[]`, ""},
		{"file", "GET", "/user/me", 200, "text/csv; charset=utf-8", `a,b`, ""},
		{"other file", "GET", "/user/me", 200, "application/pdf", `%PDF`, "application/pdf"},
		{"other path", "GET", "/healthz", 200, "text/plain", `ok`, ""},
		{"other method", "PUT", "/user/1", 405, jsonType, `{}`, ""},
	}
	for version, text := range versions {
		d, err := OpenAPI([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, tt := range tests {
			t.Run(version+" "+tt.name, func(t *testing.T) {
				req, err := http.NewRequest(tt.method, "http://127.0.0.1:1"+tt.path, nil)
				if err != nil {
					t.Fatal(err)
				}
				resp := &http.Response{StatusCode: tt.status, Header: http.Header{}}
				if tt.mediaType != "" {
					resp.Header.Set("Content-Type", tt.mediaType)
				}
				err = d.Check(req, resp, []byte(tt.body))
				if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
					t.Errorf("got %v, want %q", err, tt.want)
				}
			})
		}
	}
}

func TestDocumentUntried(t *testing.T) {
	d, err := OpenAPI([]byte(versions["3.1.0"]))
	if err != nil {
		t.Fatal(err)
	}
	answer := func(method, path string, status int) {
		req, _ := http.NewRequest(method, path, nil)
		_ = d.Check(req, &http.Response{StatusCode: status, Header: http.Header{}}, nil)
	}
	answer("GET", "/user/1", 404) // a refusal alone is not a try
	want := []string{"GET /user/me", "DELETE /user/{id}", "GET /user/{id}"}
	if got := d.Untried(); !slices.Equal(got, want) {
		t.Errorf("before: %q, want %q", got, want)
	}
	answer("DELETE", "/user/1", 200)
	answer("GET", "/user/me", 200)
	if got := d.Untried(); !slices.Equal(got, want[2:]) {
		t.Errorf("after: %q, want %q", got, want[2:])
	}
}

func TestOpenAPIRefusesBadDocuments(t *testing.T) {
	for _, text := range []string{"", "{", `{"openapi":"3.0.3"}`, strings.Replace(versions["3.1.0"], `"description": "a file", `, "", 1)} {
		if _, err := OpenAPI([]byte(text)); err == nil {
			t.Errorf("taken: %.60s", text)
		}
	}
}

// TestOpenAPIHoldsOverHTTP wires a document into a client.
func TestOpenAPIHoldsOverHTTP(t *testing.T) {
	d, err := OpenAPI([]byte(versions["3.1.0"]))
	if err != nil {
		t.Fatal(err)
	}
	c := Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"name":"b","age":"old"}`))
	}))
	c.Check = d.Check
	if err := c.run(Scenario{Path: "/user/1"}); err == nil || !strings.Contains(err.Error(), "OpenAPI: GET /user/{id}, status 200") {
		t.Errorf("got %v, want the document's objection", err)
	}
}
