package definition

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Write writes a file in YAML that Read reads: of each section the elements in their order, each with its
// values in the order of the table. A value that is the default of a new element is left out.
func Write(w io.Writer, elements map[string][]map[string]any) error {
	out := bufio.NewWriter(w)
	first := true
	for _, s := range sections {
		list, ok := elements[s.Name]
		if !ok {
			continue
		}
		if !first {
			fmt.Fprintln(out)
		}
		first = false
		switch {
		case s.Single && (len(list) == 0 || !isWritten(s.Fields, list[0])):
			fmt.Fprintf(out, "%s: {}\n", s.Name)
		case s.Single:
			fmt.Fprintf(out, "%s:\n", s.Name)
			for _, values := range list {
				object(out, "  ", "  ", s.Fields, values)
			}
		case len(list) == 0:
			fmt.Fprintf(out, "%s: []\n", s.Name)
		default:
			fmt.Fprintf(out, "%s:\n", s.Name)
			for _, values := range list {
				object(out, "  - ", "    ", s.Fields, values)
			}
		}
	}
	return out.Flush()
}

// IsDefault reports whether a new element has a value without it.
func (f *Field) IsDefault(v any) bool {
	switch {
	case v == nil:
		return f.Default == nil
	case f.Kind == Objects:
		return len(v.([]map[string]any)) == 0
	case f.Kind == Object:
		return !isWritten(f.Of, v.(map[string]any))
	}
	return f.Default != nil && reflect.DeepEqual(v, f.Default)
}

// isWritten reports whether an object has members that are not their defaults.
func isWritten(fields []Field, values map[string]any) bool {
	return slices.ContainsFunc(fields, func(f Field) bool {
		v, given := values[f.Name]
		return given && (f.Required || !f.IsDefault(v))
	})
}

// object writes the members of an object: the first behind a lead, the others behind an indent.
func object(out *bufio.Writer, lead, indent string, fields []Field, values map[string]any) {
	for _, f := range fields {
		v, given := values[f.Name]
		if !given || !f.Required && f.IsDefault(v) {
			continue
		}
		if m, ok := v.(map[string]any); ok && f.Kind == Object {
			fmt.Fprintf(out, "%s%s:\n", lead, f.Name)
			object(out, indent+"  ", indent+"  ", f.Of, m)
		} else {
			fmt.Fprintf(out, "%s%s: %s\n", lead, f.Name, f.text(v))
		}
		lead = indent
	}
}

// text returns a value as YAML has it in one line.
func (f *Field) text(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return quoted(v)
	case []int:
		return strings.ReplaceAll(fmt.Sprint(v), " ", ", ")
	case []string:
		parts := make([]string, len(v))
		for i, s := range v {
			if parts[i] = quoted(s); s == "" && f.Kind == Gaps {
				parts[i] = "null"
			}
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []map[string]any:
		parts := make([]string, len(v))
		for i, m := range v {
			var members []string
			for _, f := range f.Of {
				members = append(members, f.Name+": "+f.text(m[f.Name]))
			}
			parts[i] = "{" + strings.Join(members, ", ") + "}"
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	text, _ := json.Marshal(v) // a number or a boolean
	return string(text)
}

// plain matches text that every reader of YAML takes for text without quotes; words are those of it that
// some take for something else.
var plain = regexp.MustCompile(`^\p{L}[\p{L}\p{N}_.@/+-]*( [\p{L}\p{N}_.@/+-]+)*$`)

var words = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}

// quoted returns text as YAML has it, in quotes where it needs them.
func quoted(text string) string {
	if plain.MatchString(text) && !slices.Contains(words, strings.ToLower(text)) {
		return text
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // text has no form that fails
	return strings.TrimSuffix(b.String(), "\n")
}
