package rest

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"workforce/internal/errs"
)

const (
	maxBody  = 1 << 20  // bytes of a JSON body
	maxPart  = 10 << 20 // bytes of one uploaded file
	maxParts = 10       // full files in one request; more only if they are smaller
)

// A source tells what a request says of a member: a string, []any of strings,
// whatever encoding/json makes of a JSON value with numbers as json.Number, or
// a graphql.Upload.
type source func(m *member) (value any, given bool)

// bind reads the variables of an operation from a request. A member whose name
// is in the path comes from there, all others from the query string or all from
// the body. What is left out stays absent. The error lists the faults of all
// members; done frees uploaded files and must be called in any case.
func (a *API) bind(e *endpoint, w http.ResponseWriter, r *http.Request) (vars map[string]any, done func(), err error) {
	from, done, err := e.source(w, r)
	if err != nil {
		return nil, done, err
	}
	vars = make(map[string]any, len(e.members))
	c := coercion{schema: a.schema, scalars: a.Scalars}
	for _, m := range e.members {
		v, given := any(text(r.PathValue(m.wire))), true
		if !e.inPath(m) {
			v, given = from(m)
		}
		c.path = append(c.path[:0], step{name: m.wire})
		switch {
		case given:
			vars[m.Variable] = c.value(m.Type, v)
		case m.required && m.Type.NonNull:
			c.fault(errs.Required, nil)
		}
	}
	if len(c.faults) > 0 { // then no resolver will say what else is missing
		c.missing(e.members, vars)
	}
	e.checkPage(vars, &c.faults)
	return vars, done, c.faults.Err()
}

// source opens what the members that are not in the path come from.
func (e *endpoint) source(w http.ResponseWriter, r *http.Request) (source, func(), error) {
	done := func() {}
	if !e.hasBody() {
		from, err := query(r.URL.RawQuery)
		return from, done, err
	}
	if r.ContentLength == 0 || r.Body == nil {
		return members(nil), done, nil
	}
	kind := r.Header.Get("Content-Type")
	media, _, err := mime.ParseMediaType(kind)
	switch {
	case kind == "" || err == nil && media == "application/json":
		from, err := body(http.MaxBytesReader(w, r.Body, maxBody))
		return from, done, err
	case err == nil && media == "multipart/form-data" && e.uploads():
		return form(w, r)
	}
	return nil, done, errs.New(errs.UnsupportedMediaType, nil)
}

// query reads a query string. Empty parameters count as absent; of a repeated
// one that is not a list the last counts.
func query(raw string) (source, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, &errs.Error{Code: errs.BadRequest, Err: err}
	}
	return texts(values), nil
}

func texts(values url.Values) source {
	return func(m *member) (any, bool) {
		var list []any
		for _, v := range values[m.wire] {
			if v != "" {
				list = append(list, text(v))
			}
		}
		switch {
		case len(list) == 0:
			return nil, false
		case m.Type.Elem != nil:
			return list, true
		}
		return list[len(list)-1], true
	}
}

// text replaces what is not UTF-8, as encoding/json does.
func text(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// body reads a JSON object; nothing at all is an empty one.
func body(r io.Reader) (source, error) {
	d := json.NewDecoder(r)
	d.UseNumber()
	var object map[string]any
	err := d.Decode(&object)
	if err == io.EOF {
		return members(nil), nil
	}
	if err == nil && object == nil {
		err = errors.New("null is not an object")
	}
	if err == nil {
		if _, err = d.Token(); err == nil {
			err = errors.New("there is something after the object")
		} else if err == io.EOF {
			return members(object), nil
		}
	}
	return nil, unreadable(err)
}

func members(object map[string]any) source {
	return func(m *member) (any, bool) {
		v, given := object[m.wire]
		return v, given
	}
}

// unreadable classifies what went wrong with reading a body.
func unreadable(err error) *errs.Error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return &errs.Error{Code: errs.PayloadTooLarge, Meta: errs.Meta{"limit": large.Limit}, Err: err}
	}
	return &errs.Error{Code: errs.BadRequest, Err: err}
}
