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
	"workforce/internal/persisted"
	"workforce/internal/variables"
)

func malformed(text string) error { return Refuse(errs.BadRequest, nil, text) }

func tooLarge() error {
	return Refuse(errs.PayloadTooLarge, errs.Meta{"limit": MaxBytes}, "The request is too large.")
}

// params are the members of a request.
type params struct {
	query, operationName string
	hash                 string          // that the client says the document has; "" for none
	byHash               bool            // the document is named by its hash alone: query is ""
	variables            json.RawMessage // a valid object, or empty
	size                 jsonscan.Size   // of variables
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
	if err != nil {
		return nil, malformed("The body could not be read.")
	}
	return parseParams(body, "The body must be one JSON object.")
}

// parseParams reads the request of a JSON object; otherwise it refuses the text.
func parseParams(text []byte, otherwise string) (*params, error) {
	members, err := jsonscan.ParseObject(text)
	switch {
	case errors.Is(err, jsonscan.ErrDepth):
		return nil, tooLarge()
	case errors.Is(err, jsonscan.ErrText):
		return nil, malformed("The body could not be read.")
	case err != nil:
		return nil, malformed(otherwise)
	}
	return readParams(members)
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
	var members []jsonscan.Member
	for _, name := range []string{"query", "operationName", "variables", "extensions"} {
		v := values[name]
		switch {
		case len(v) > 0 && !jsonscan.IsText([]byte(v[0])):
			return nil, malformed("The query string could not be read.")
		case len(v) > 1:
			return nil, malformed(name + " must be given once.")
		case len(v) == 0 || v[0] == "" && name != "query":
			continue
		}
		text := []byte(v[0])
		if name == "query" || name == "operationName" {
			text, _ = json.Marshal(v[0]) // of a string never fails
		}
		size, err := jsonscan.Measure(text)
		if err != nil {
			return nil, malformed(name + " must be an object or null.")
		}
		members = append(members, jsonscan.Member{Name: []byte(name), Value: text, Size: size})
	}
	return readParams(members)
}

// readParams checks the members of a request. Others are ignored, and so is what extensions
// hold besides persistedQuery.
func readParams(members variables.Object) (*params, error) {
	p := &params{}
	for _, name := range []string{"variables", "extensions"} {
		if m, ok := members.Find(name); ok && !isNull(m.Value) && !isObject(m.Value) {
			return nil, malformed(name + " must be an object or null.")
		}
	}
	var err error
	if m, ok := members.Find("extensions"); ok {
		if p.hash, err = readHash(m.Value); err != nil {
			return nil, err
		}
	}
	query, ok := members.Find("query")
	ok = ok && !isNull(query.Value)
	if ok && !isString(query.Value, &p.query) || !ok && p.hash == "" {
		return nil, malformed("query must be a string.")
	}
	p.byHash = p.query == "" && p.hash != "" // over a WebSocket, urql sends "" for no text
	if m, ok := members.Find("operationName"); ok && !isNull(m.Value) && !isString(m.Value, &p.operationName) {
		return nil, malformed("operationName must be a string or null.")
	}
	if m, ok := members.Find("variables"); ok && !isNull(m.Value) {
		p.variables, p.size = m.Value, m.Size
	}
	return p, nil
}

// readHash reads the hash of the document in the member extensions; "" for none.
func readHash(extensions []byte) (string, error) {
	var read struct {
		PersistedQuery *struct {
			Version    int
			Sha256Hash string
		}
	}
	err := json.Unmarshal(extensions, &read)
	switch q := read.PersistedQuery; {
	case err == nil && q == nil:
		return "", nil
	case err != nil || q.Version != 1 || q.Sha256Hash == "":
		return "", malformed("persistedQuery has version 1 and a sha256Hash.")
	default:
		return persisted.Digest(q.Sha256Hash), nil
	}
}

func isNull(text []byte) bool { return string(bytes.TrimSpace(text)) == "null" }

// isString reads a JSON string.
func isString(text []byte, into *string) bool {
	return !isNull(text) && json.Unmarshal(text, into) == nil
}

func isObject(text []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) }
