package apitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

var variable = regexp.MustCompile(`\{\{([\w.]+)\}\}`)

// fill puts saved values into a scenario. Within JSON they are escaped as the
// inside of a string.
func fill(s Scenario, vars map[string]string) (Scenario, error) {
	var err error
	put := func(text string, escape func(string) string) string {
		return variable.ReplaceAllStringFunc(text, func(match string) string {
			value, ok := vars[strings.Trim(match, "{}")]
			if !ok {
				err = fmt.Errorf("nothing was saved as %s", match)
			}
			return escape(value)
		})
	}
	plain := func(value string) string { return value }
	headers := func(h map[string]string) map[string]string {
		filled := make(map[string]string, len(h))
		for name, value := range h {
			filled[name] = put(value, plain)
		}
		return filled
	}
	s.Path = put(s.Path, plain)
	s.Header = headers(s.Header)
	s.WantHeader = headers(s.WantHeader)
	s.Body = put(s.Body, jsonText)
	s.Want = put(s.Want, jsonText)
	return s, err
}

// jsonText escapes text for the inside of a JSON string.
func jsonText(s string) string {
	quoted := string(render(s))
	return quoted[1 : len(quoted)-1]
}

// pick returns the text of a header, or of the value that a JSON pointer (RFC
// 6901) leads to: a string as it reads, anything else as JSON.
func pick(where string, header http.Header, body []byte) (string, error) {
	if where != "" && where[0] != '/' {
		if value := header.Get(where); value != "" {
			return value, nil
		}
		return "", fmt.Errorf("no header %s", where)
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return "", err
	}
	for _, step := range strings.Split(where, "/")[1:] {
		var ok bool
		if value, ok = child(value, strings.NewReplacer("~1", "/", "~0", "~").Replace(step)); !ok {
			return "", fmt.Errorf("nothing at %s", where)
		}
	}
	if text, ok := value.(string); ok {
		return text, nil
	}
	text, err := json.Marshal(value)
	return string(text), err
}

// child returns the member or element of a decoded value.
func child(value any, name string) (any, bool) {
	switch v := value.(type) {
	case map[string]any:
		member, ok := v[name]
		return member, ok
	case []any:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(v) {
			return v[i], true
		}
	}
	return nil, false
}
