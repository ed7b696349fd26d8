package definition

import (
	"slices"
	"strings"
)

// Name returns what an element is called: its path, or what tells it from others of its section.
func (e *Element) Name() string { return NameOf(e.Section, e.Values) }

// NameOf returns what an element with some values is called.
func NameOf(s *Section, values map[string]any) string {
	text := func(member string) string { v, _ := values[member].(string); return v }
	var parts []string
	switch s.Name {
	case Company:
		return ""
	case Businesses, Designations:
		if path := text("parent"); path != "" {
			return path + PathSeparator + Escape(text("name"))
		}
		return Escape(text("name"))
	case Holidays:
		parts = []string{text("date"), text("name"), text("site")}
	case Assignments:
		parts = []string{text("email"), text("shift"), text("rotation"), text("startsOn")}
	default:
		return text("name")
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " ")
}

// PathSeparator stands between the names of a path.
const PathSeparator = " / "

var escaper = strings.NewReplacer(`\`, `\\`, `/`, `\/`)

// Escape returns a name as a path has it.
func Escape(name string) string { return escaper.Replace(name) }

// JoinPath returns the path of some names, the topmost first.
func JoinPath(names []string) string {
	parts := make([]string, len(names))
	for i, n := range names {
		parts[i] = Escape(n)
	}
	return strings.Join(parts, PathSeparator)
}

// SplitPath returns the names of a path, the topmost first; none of "".
func SplitPath(path string) (names []string) {
	if strings.TrimSpace(path) == "" {
		return nil
	}
	var name strings.Builder
	escaped := false
	for _, c := range path {
		switch {
		case escaped:
			name.WriteRune(c)
			escaped = false
		case c == '\\':
			escaped = true
		case c == '/':
			names = append(names, strings.TrimSpace(name.String()))
			name.Reset()
		default:
			name.WriteRune(c)
		}
	}
	return append(names, strings.TrimSpace(name.String()))
}
