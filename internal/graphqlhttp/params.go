package graphqlhttp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"

	"workforce/internal/errs"
	"workforce/internal/jsonscan"
	"workforce/internal/variables"
)

func malformed(text string) error { return Refuse(errs.BadRequest, nil, text) }

func tooLarge() error {
	return Refuse(errs.PayloadTooLarge, errs.Meta{"limit": MaxBytes}, "The request is too large.")
}

// params are the members of a request.
type params struct {
	query, operationName string
	variables            json.RawMessage // a valid object, or empty
	uploads              *uploads        // nil for a request without files
}

// readBody reads the request of a POST.
func readBody(w http.ResponseWriter, r *http.Request) (*params, error) {
	if r.ContentLength > MaxBytes {
		return nil, tooLarge()
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBytes))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, tooLarge()
	}
	if err != nil || !jsonscan.IsText(body) {
		return nil, malformed("The body could not be read.")
	}
	members, err := variables.ParseObject(body)
	switch {
	case err != nil && !variables.Fits(body, MaxBytes): // the parser has a limit of depth too
		return nil, tooLarge()
	case err != nil:
		return nil, malformed("The body must be one JSON object.")
	}
	return readParams(members.Get)
}

// readURL reads the request of a GET.
func readURL(r *http.Request) (*params, error) {
	if len(r.URL.RawQuery) > MaxBytes {
		return nil, tooLarge()
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, malformed("The query string could not be read.")
	}
	members := map[string][]byte{}
	for _, name := range []string{"query", "operationName", "variables", "extensions"} {
		switch v := values[name]; {
		case len(v) > 0 && !jsonscan.IsText([]byte(v[0])):
			return nil, malformed("The query string could not be read.")
		case len(v) > 1:
			return nil, malformed(name + " must be given once.")
		case len(v) == 0 || v[0] == "" && name != "query":
		case name == "query" || name == "operationName":
			members[name], _ = json.Marshal(v[0]) // of a string never fails
		case !json.Valid([]byte(v[0])):
			return nil, malformed(name + " must be an object or null.")
		default:
			members[name] = []byte(v[0])
		}
	}
	return readParams(func(name string) (text []byte, ok bool) {
		text, ok = members[name]
		return text, ok
	})
}

// readParams checks the members of a request, which are valid JSON. Others are
// ignored, and what extensions hold is too.
func readParams(member func(name string) (text []byte, ok bool)) (*params, error) {
	p := &params{}
	if text, ok := member("query"); !ok || !isString(text, &p.query) {
		return nil, malformed("query must be a string.")
	}
	if text, ok := member("operationName"); ok && !isNull(text) && !isString(text, &p.operationName) {
		return nil, malformed("operationName must be a string or null.")
	}
	for _, name := range []string{"variables", "extensions"} {
		if text, ok := member(name); ok && !isNull(text) && !isObject(text) {
			return nil, malformed(name + " must be an object or null.")
		}
	}
	if text, ok := member("variables"); ok && !isNull(text) {
		p.variables = text
	}
	return p, nil
}

func isNull(text []byte) bool { return string(bytes.TrimSpace(text)) == "null" }

// isString reads a JSON string.
func isString(text []byte, into *string) bool {
	return !isNull(text) && json.Unmarshal(text, into) == nil
}

func isObject(text []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) }
