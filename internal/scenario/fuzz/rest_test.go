package fuzz

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// rest sends a request to one of the documented operations.
func (d *driver) rest(t *testing.T, who string, header map[string]string) {
	t.Helper()
	paths := slices.Sorted(maps.Keys(d.openAPI.Paths.Map()))
	path := one(d, paths...)
	operations := d.openAPI.Paths.Value(path).Operations()
	method := one(d, slices.Sorted(maps.Keys(operations))...)
	operation := operations[method]
	target, query, body := path, url.Values{}, ""
	for _, ref := range append(d.openAPI.Paths.Value(path).Parameters, operation.Parameters...) {
		switch p := ref.Value; {
		case p.In == "path":
			target = strings.ReplaceAll(target, "{"+p.Name+"}", url.PathEscape(d.parameter(p.Name, p.Schema)))
		case p.In == "query" && d.IntN(3) > 0:
			for range 1 + d.IntN(8)/7 {
				query.Add(p.Name, d.parameter(p.Name, p.Schema))
			}
		}
	}
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	if d.IntN(40) == 0 {
		target += "&" + one(d, "%zz", "%00", "a;b", "page=1&page=2", "%ff", "=")
		if len(query) == 0 {
			target = strings.Replace(target, "&", "?", 1)
		}
	}
	if b := operation.RequestBody; b != nil {
		body = d.body(b.Value)
		if d.IntN(30) == 0 {
			header["Content-Type"] = one(d, "application/json; charset=utf-8", "text/plain", "multipart/form-data; boundary=b", "application/x-www-form-urlencoded", "a", ";")
		}
	}
	resp, answer := d.Send(t, method, target, body, header)
	d.answered[fmt.Sprint("REST ", resp.StatusCode)]++
	err := refused(resp)
	if err == nil {
		err = d.check(resp.Request, resp, answer)
	}
	if err != nil {
		t.Errorf("%s: %s %s %s\nheader %v\n%v\nanswer: %d %.2000s", who, method, target, clip(body), withoutTokens(header), err, resp.StatusCode, answer)
	}
	d.keep(t, who, resp.StatusCode, answer)
}

// parameter is the text of a parameter.
func (d *driver) parameter(name string, schema *openapi3.SchemaRef) string {
	switch v := d.value(name, schema, 3).(type) {
	case string:
		return v
	default:
		text, _ := json.Marshal(v) // of what JSON has
		return string(text)
	}
}

// body is the body of a request: JSON by the schema, mostly.
func (d *driver) body(b *openapi3.RequestBody) string {
	media := b.Content.Get("application/json")
	if media == nil {
		return ""
	}
	text, _ := json.Marshal(d.value("", media.Schema, 6)) // of what JSON has
	if d.IntN(30) > 0 {
		return string(text)
	}
	at := d.IntN(len(text) + 1)
	return string(text[:at]) + one(d, "", "\x00", "\xff", `"`, "{", "]", ",", `\ud800`, "1e999", "null") + string(text[min(len(text), at+d.IntN(3)):])
}

// value is a value of a schema, or some other.
func (d *driver) value(name string, ref *openapi3.SchemaRef, depth int) any {
	if d.IntN(25) == 0 || ref == nil || ref.Value == nil || depth == 0 {
		return d.other(3)
	}
	s := ref.Value
	if len(s.Enum) > 0 && d.IntN(10) > 0 {
		return one(d, s.Enum...)
	}
	for _, of := range []openapi3.SchemaRefs{s.OneOf, s.AnyOf, s.AllOf} {
		if len(of) > 0 {
			return d.value(name, one(d, of...), depth-1)
		}
	}
	typ := "string"
	if s.Type != nil && len(*s.Type) > 0 {
		typ = one(d, *s.Type...)
	}
	switch typ {
	case "object":
		object := map[string]any{}
		for _, member := range slices.Sorted(maps.Keys(s.Properties)) {
			if d.IntN(8) > 0 {
				object[member] = d.value(member, s.Properties[member], depth-1)
			}
		}
		if d.IntN(20) == 0 {
			object[d.text("x")] = d.other(2)
		}
		return object
	case "array":
		list := []any{}
		for range one(d, 0, 1, 2, 3, 21, 513) {
			list = append(list, d.value(name, s.Items, depth-1))
		}
		return list
	case "integer":
		return d.integer()
	case "number":
		return d.number()
	case "boolean":
		return d.IntN(2) == 0
	case "null":
		return nil
	}
	return d.text(name)
}

func clip(text string) string { return text[:min(len(text), 3000)] }

// withoutTokens is a header as a test may print it.
func withoutTokens(header map[string]string) map[string]string {
	shown := map[string]string{}
	for name, value := range header {
		if !strings.HasPrefix(value, "wf") {
			shown[http.CanonicalHeaderKey(name)] = value
		}
	}
	return shown
}
