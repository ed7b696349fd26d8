package graphqlhttp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"

	"workforce/internal/errs"
)

func malformed(text string) error { return Refuse(errs.BadRequest, nil, text) }

func tooLarge() error {
	return Refuse(errs.PayloadTooLarge, errs.Meta{"limit": MaxBytes}, "The request is too large.")
}

// readBody reads the request of a POST.
func readBody(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, error) {
	if r.ContentLength > MaxBytes {
		return nil, tooLarge()
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBytes))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, tooLarge()
	}
	if err != nil || !utf8.Valid(body) {
		return nil, malformed("The body could not be read.")
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil || members == nil {
		return nil, malformed("The body must be one JSON object.")
	}
	return params(members)
}

// readURL reads the request of a GET.
func readURL(r *http.Request) (*graphql.RawParams, error) {
	if len(r.URL.RawQuery) > MaxBytes {
		return nil, tooLarge()
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, malformed("The query string could not be read.")
	}
	members := map[string]json.RawMessage{}
	for _, name := range []string{"query", "operationName", "variables", "extensions"} {
		switch v := values[name]; {
		case len(v) > 1:
			return nil, malformed(name + " must be given once.")
		case len(v) == 0 || v[0] == "" && name != "query":
		case name == "query" || name == "operationName":
			members[name], _ = json.Marshal(v[0]) // of a string never fails
		default:
			members[name] = json.RawMessage(v[0])
		}
	}
	return params(members)
}

// params checks the members of a request. Others are ignored.
func params(members map[string]json.RawMessage) (*graphql.RawParams, error) {
	var query, name *string
	var variables, extensions map[string]any
	for _, m := range []struct {
		name string
		into any
		must string
	}{
		{"query", &query, "query must be a string."},
		{"operationName", &name, "operationName must be a string or null."},
		{"variables", &variables, "variables must be an object or null."},
		{"extensions", &extensions, "extensions must be an object or null."},
	} {
		if raw, ok := members[m.name]; ok && !decode(raw, m.into) {
			return nil, malformed(m.must)
		}
	}
	if query == nil {
		return nil, malformed("query must be a string.")
	}
	p := &graphql.RawParams{Query: *query, Variables: variables, Extensions: extensions}
	if name != nil {
		p.OperationName = *name
	}
	return p, nil
}

// decode reads one JSON value and nothing behind it; numbers keep all digits.
func decode(raw []byte, into any) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(into) != nil {
		return false
	}
	_, err := d.Token()
	return err == io.EOF
}
