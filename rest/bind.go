package rest

import (
	"bytes"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"workforce/internal/errs"
	"workforce/internal/jsonscan"
	"workforce/internal/variables"
)

// The limits of a request. A clock-in with 512 face points holds 2,600 values.
const (
	maxBody   = 1 << 20  // bytes of a JSON body
	maxValues = 20_000   // in a JSON body
	maxPart   = 10 << 20 // bytes of one uploaded file
	maxParts  = 10       // full files in one request; more only if they are smaller
)

// A payload is the body of a request, before it is parsed.
type payload struct {
	json []byte // nil for none
	form bool   // multipart, and still to be read
}

// receive reads the body of a request, unless it is a form.
func (e *endpoint) receive(w http.ResponseWriter, r *http.Request) (p payload, err error) {
	if !e.hasBody() || r.ContentLength == 0 || r.Body == nil {
		return p, nil
	}
	kind := r.Header.Get("Content-Type")
	media, _, err := mime.ParseMediaType(kind)
	switch {
	case kind == "" || err == nil && media == "application/json":
		p.json, err = readJSON(w, r)
		return p, err
	case err == nil && media == "multipart/form-data" && e.uploads():
		return payload{form: true}, nil
	}
	return p, errs.New(errs.UnsupportedMediaType, nil)
}

// readJSON reads a body of at most maxBody.
func readJSON(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	var text bytes.Buffer
	if n := r.ContentLength; n > 0 {
		text.Grow(int(min(n, maxBody)) + bytes.MinRead) // read in one go
	}
	if _, err := text.ReadFrom(http.MaxBytesReader(w, r.Body, maxBody)); err != nil {
		return nil, bodyError(err)
	}
	return text.Bytes(), nil
}

// bind reads the variables of an operation from a request. A member whose name
// is in the path comes from there, all others from the query string or all from
// the body. What is left out stays absent. The faults are those of all members; done
// frees uploaded files and must be called in any case.
func (a *API) bind(e *endpoint, w http.ResponseWriter, r *http.Request, p payload) (values map[string]any, faults errs.Faults, done func(), err error) {
	if !isText(r.URL.Path) {
		return nil, nil, func() {}, errs.New(errs.BadRequest, nil)
	}
	from, done, err := a.source(e, w, r, p)
	if err != nil {
		return nil, nil, done, err
	}
	values, faults = a.Types.Read(variables.REST, e.variables, func(v *variables.Variable) (variables.Input, bool) {
		if e.inPath(v.Field) {
			return variables.Input{Texts: []string{r.PathValue(v.Field)}}, true
		}
		return from(v)
	})
	if len(faults) == 0 {
		e.checkPage(values, &faults)
	}
	return values, faults, done, nil
}

// source opens what the members that are not in the path come from.
func (a *API) source(e *endpoint, w http.ResponseWriter, r *http.Request, p payload) (from variables.Source, done func(), err error) {
	done = func() {}
	switch {
	case p.form:
		return form(w, r)
	case e.hasBody():
		from, err = a.parseJSON(e, p.json)
	case len(e.members) > 0:
		from, err = query(r.URL.RawQuery)
	default: // whatever the query string is, nothing of it is read
		from = variables.Object(nil).Members
	}
	return from, done, err
}

// query reads a query string.
func query(raw string) (variables.Source, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, &errs.Error{Code: errs.BadRequest, Err: err}
	}
	return texts(values)
}

// texts returns the source of parameters that are text. Empty ones count as
// absent. BAD_REQUEST for what is not text.
func texts(values url.Values) (variables.Source, error) {
	for name, list := range values {
		if !isText(name) || slices.ContainsFunc(list, func(text string) bool { return !isText(text) }) {
			return nil, errs.New(errs.BadRequest, nil)
		}
	}
	return func(v *variables.Variable) (in variables.Input, given bool) {
		for _, text := range values[v.Field] {
			if text != "" {
				in.Texts = append(in.Texts, text)
			}
		}
		return in, len(in.Texts) > 0
	}, nil
}

// isText reports whether s is UTF-8 without NUL.
func isText(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// parseJSON reads a JSON object; nothing at all is an empty one.
func (a *API) parseJSON(e *endpoint, text []byte) (variables.Source, error) {
	if len(bytes.TrimLeft(text, " \n\t\r")) == 0 {
		return variables.Object(nil).Members, nil
	}
	members, err := jsonscan.ParseObject(text)
	object := variables.Object(members)
	switch {
	case errors.Is(err, jsonscan.ErrDepth), err == nil && !a.Types.Fits(object.Size(), text, maxValues, e.variables):
		return nil, errs.New(errs.PayloadTooLarge, errs.Meta{"maxDepth": variables.MaxDepth, "maxValues": maxValues})
	case err != nil:
		return nil, bodyError(err)
	}
	return object.Members, nil
}

// bodyError classifies what went wrong with reading a body.
func bodyError(err error) *errs.Error {
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &errs.Error{Code: errs.PayloadTooLarge, Meta: errs.Meta{"limit": large.Limit}, Err: err}
	}
	return &errs.Error{Code: errs.BadRequest, Err: err}
}
