package rest

import (
	"net/http"
	"path"
	"regexp"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/variables"
)

var (
	goodPath   = regexp.MustCompile(`^(/([A-Za-z0-9._~-]+|\{[A-Za-z_][A-Za-z0-9_]*\}))+$`)
	wildcard   = regexp.MustCompile(`\{(\w+)\}`)
	goodHeader = regexp.MustCompile(`^[A-Za-z0-9-]+$`)
)

// members reads the operation's variables and their names in requests.
func (c *compiler) members(def *ast.OperationDefinition) []*member {
	var list []*member
	taken := map[string]bool{}
	for _, v := range def.VariableDefinitions {
		m := &member{VariableDefinition: v, wire: v.Variable, required: v.Type.NonNull && v.DefaultValue == nil}
		if d := v.Directives.ForName("param"); d != nil {
			m.wire = c.text(d, "name")
			if strings.ContainsAny(m.wire, ".[] ") || m.wire == "" {
				c.problems.add(d.Position, "%q cannot be the name of a member", m.wire)
			}
		}
		if taken[m.wire] {
			c.problems.add(v.Position, "two variables are called %q in requests", m.wire)
		}
		taken[m.wire] = true
		list = append(list, m)
	}
	return list
}

// endpoints reads where the operation is served.
func (c *compiler) endpoints(op *document) (list []*endpoint) {
	for _, d := range op.def.Directives.ForNames("endpoint") {
		e := &endpoint{document: op, pos: d.Position, Endpoint: Endpoint{
			Method: c.text(d, "method"), Path: c.text(d, "path"), Operation: op.def.Name, File: c.file,
		}}
		if d.Arguments.ForName("path") != nil && c.path(e) && c.sources(e) && e.Method != "" {
			list = append(list, e)
		}
	}
	if op.def.Directives.ForName("endpoint") == nil {
		c.problems.add(op.def.Position, "@endpoint is missing")
	}
	return list
}

// path checks the form of a path and that its wildcards are variables.
func (c *compiler) path(e *endpoint) bool {
	if !goodPath.MatchString(e.Path) || path.Clean(e.Path) != e.Path {
		c.problems.add(e.pos, "bad path %q: want /segment or /{variable}, repeated", e.Path)
		return false
	}
	seen := map[string]bool{}
	for _, name := range e.wildcards() {
		if seen[name] {
			c.problems.add(e.pos, "{%s} is twice in the path", name)
			return false
		}
		seen[name] = true
		if !e.has(name) {
			c.problems.add(e.pos, "{%s} is in the path but no variable has that name", name)
		}
	}
	return true
}

// sources checks that each variable can be read from where it is looked for.
func (c *compiler) sources(e *endpoint) bool {
	before := len(c.problems)
	for _, m := range e.members {
		switch {
		case m.Definition == nil: // reported by the validator
		case e.inPath(m.wire) && (m.Type.Elem != nil || !plain(m)):
			c.problems.add(m.Position, "$%s is %s and cannot be in a path", m.Variable, m.Type)
		case !e.inPath(m.wire) && !e.hasBody() && (nested(m.Type) || !plain(m)):
			c.problems.add(m.Position, "$%s is %s and cannot be in a query string", m.Variable, m.Type)
		}
	}
	return len(c.problems) == before
}

// plain reports whether values of m's named type can be written as text.
func plain(m *member) bool {
	return m.Definition.Kind != ast.InputObject && m.Definition.Name != variables.Upload
}

func nested(t *ast.Type) bool { return t.Elem != nil && t.Elem.Elem != nil }

func (e *endpoint) wildcards() (names []string) {
	for _, match := range wildcard.FindAllStringSubmatch(e.Path, -1) {
		names = append(names, match[1])
	}
	return names
}

// inPath reports whether the path holds a member, by its name in requests.
func (e *endpoint) inPath(wire string) bool { return strings.Contains(e.Path, "{"+wire+"}") }

// hasBody reports whether variables are read from the body and not from the
// query string.
func (e *endpoint) hasBody() bool {
	return e.Method != http.MethodGet && e.Method != http.MethodDelete
}

func (e *endpoint) has(wire string) bool {
	for _, m := range e.members {
		if m.wire == wire {
			return true
		}
	}
	return false
}
