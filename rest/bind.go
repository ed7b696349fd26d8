package rest

import (
	"bytes"
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
// whatever encoding/json makes of a JSON value with numbers as json.Number, a
// graphql.Upload, or a readList.
type source func(m *member) (value any, given bool)

// bind reads the variables of an operation from a request. A member whose name
// is in the path comes from there, all others from the query string or all from
// the body. What is left out stays absent. The error lists the faults of all
// members; done frees uploaded files and must be called in any case.
func (a *API) bind(e *endpoint, w http.ResponseWriter, r *http.Request) (vars map[string]any, done func(), err error) {
	from, done, err := a.source(e, w, r)
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
func (a *API) source(e *endpoint, w http.ResponseWriter, r *http.Request) (source, func(), error) {
	done := func() {}
	if !e.hasBody() {
		from, err := query(r.URL.RawQuery)
		return from, done, err
	}
	if r.ContentLength == 0 || r.Body == nil {
		return a.members(nil), done, nil
	}
	kind := r.Header.Get("Content-Type")
	media, _, err := mime.ParseMediaType(kind)
	switch {
	case kind == "" || err == nil && media == "application/json":
		from, err := a.body(http.MaxBytesReader(w, r.Body, maxBody))
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
func (a *API) body(r io.Reader) (source, error) {
	d := json.NewDecoder(r)
	var object map[string]json.RawMessage
	err := d.Decode(&object)
	if err == io.EOF {
		return a.members(nil), nil
	}
	if err == nil && object == nil {
		err = errors.New("null is not an object")
	}
	if err == nil {
		if _, err = d.Token(); err == nil {
			err = errors.New("there is something after the object")
		} else if err == io.EOF {
			return a.members(object), nil
		}
	}
	return nil, unreadable(err)
}

// A readList is a list that one of API.Lists has read.
type readList []any

func (a *API) members(object map[string]json.RawMessage) source {
	return func(m *member) (v any, given bool) {
		text, given := object[m.wire]
		if !given {
			return nil, false
		}
		if m.Type.Elem != nil {
			if read := a.Lists[m.Type.Elem.NamedType]; read != nil {
				if list, ok := read(text); ok {
					return readList(list), true
				}
			}
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		_ = d.Decode(&v) // it was read before, as a part of the object
		return v, true
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
