package apitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// Match returns nil when got is the JSON text wanted: the same keys in the same
// order, the same types, the same digits of numbers. Only white space may
// differ. What placeholders want may hold: see Scenario.
func Match(want string, got []byte) error {
	w, err := decode([]byte(want))
	if err != nil {
		return fmt.Errorf("the wanted JSON is malformed: %w", err)
	}
	g, err := decode(got)
	if err != nil {
		return fmt.Errorf("the answer is not JSON: %w", err)
	}
	if diff := cmp.Diff(indent(w), indent(mask(w, g))); diff != "" {
		return fmt.Errorf("body differs (-want +got):\n%s", diff)
	}
	return nil
}

// An object is a JSON object in order; json.Number, string, bool, nil and []any
// are the other values.
type object []member

type member struct {
	key   string
	value any
}

// decode reads exactly one JSON value.
func decode(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	value, err := decodeValue(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("more follows after byte %d", d.InputOffset())
	}
	return value, nil
}

func decodeValue(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return decodeObject(d)
	case json.Delim('['):
		return decodeArray(d)
	}
	return token, nil
}

func decodeObject(d *json.Decoder) (any, error) {
	o := object{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		value, err := decodeValue(d)
		if err != nil {
			return nil, err
		}
		o = append(o, member{key.(string), value}) // the decoder lets no other key pass
	}
	_, err := d.Token()
	return o, err
}

func decodeArray(d *json.Decoder) (any, error) {
	a := []any{}
	for d.More() {
		value, err := decodeValue(d)
		if err != nil {
			return nil, err
		}
		a = append(a, value)
	}
	_, err := d.Token()
	return a, err
}

// mask returns got with every part that a placeholder of want stands for
// replaced by that placeholder, so that what differs is what is wrong.
func mask(want, got any) any {
	switch w := want.(type) {
	case object:
		if g, ok := got.(object); ok {
			return maskObject(w, g)
		}
	case []any:
		if g, ok := got.([]any); ok {
			masked := make([]any, len(g))
			for i := range g {
				masked[i] = g[i]
				if i < len(w) {
					masked[i] = mask(w[i], g[i])
				}
			}
			return masked
		}
	case string:
		if standsFor(w, got) {
			return w
		}
	}
	return got
}

func maskObject(want, got object) object {
	masked := make(object, len(got))
	for i, g := range got {
		masked[i] = g
		for _, w := range want {
			if w.key == g.key {
				masked[i].value = mask(w.value, g.value)
			}
		}
	}
	return masked
}

// standsFor reports whether a string of the wanted JSON stands for a value.
func standsFor(want string, got any) bool {
	switch g := got.(type) {
	case string:
		return want != "<int>" && want != "<number>" && pattern(want).MatchString(g)
	case json.Number:
		return (want == "<int>" || want == "<number>" || want == "<any>") && pattern(want).MatchString(g.String())
	}
	return want == "<any>"
}

var placeholder = regexp.MustCompile(`<(any|int|number|digits|date|time|digits \d+|token \w+)>`)

// pattern returns the expression that a text with placeholders stands for. A
// malformed one between slashes panics: it is a mistake in a test.
func pattern(want string) *regexp.Regexp {
	if len(want) > 2 && want[0] == '/' && want[len(want)-1] == '/' {
		return regexp.MustCompile(`(?s)^(?:` + want[1:len(want)-1] + `)$`)
	}
	var b strings.Builder
	rest := want
	for _, at := range placeholder.FindAllStringSubmatchIndex(want, -1) {
		start := len(want) - len(rest)
		b.WriteString(regexp.QuoteMeta(want[start:at[0]]) + expression(want[at[2]:at[3]]))
		rest = want[at[1]:]
	}
	return regexp.MustCompile(`(?s)^` + b.String() + regexp.QuoteMeta(rest) + `$`)
}

// expression returns the regular expression of a placeholder's name.
func expression(name string) string {
	kind, argument, _ := strings.Cut(name, " ")
	switch kind {
	case "int":
		return `-?\d+`
	case "number":
		return `-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`
	case "digits":
		if argument != "" {
			return `\d{` + argument + `}`
		}
		return `\d+`
	case "date":
		return `\d{4}-\d\d-\d\d`
	case "time":
		return `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`
	case "token":
		return regexp.QuoteMeta(argument) + `_[A-Za-z0-9_-]{20,}`
	}
	return `.*` // any
}

// indent writes a value for people, one member or element a line.
func indent(value any) string {
	var b bytes.Buffer
	if err := json.Indent(&b, render(value), "", "  "); err != nil {
		return err.Error()
	}
	return b.String()
}

// render writes a value as JSON, members in order.
func render(value any) []byte {
	var b bytes.Buffer
	switch v := value.(type) {
	case object:
		for _, m := range v {
			fmt.Fprintf(&b, ",%s:%s", render(m.key), render(m.value))
		}
		return enclose('{', b.Bytes(), '}')
	case []any:
		for _, element := range v {
			fmt.Fprintf(&b, ",%s", render(element))
		}
		return enclose('[', b.Bytes(), ']')
	}
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return []byte(err.Error())
	}
	return bytes.TrimSpace(b.Bytes())
}

// enclose puts a list, each element of which a comma precedes, in brackets.
func enclose(open byte, list []byte, closing byte) []byte {
	return append(append([]byte{open}, bytes.TrimPrefix(list, []byte(","))...), closing)
}
