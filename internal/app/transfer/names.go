package transfer

import (
	"strings"

	"workforce/internal/contact"
	"workforce/internal/errs"
)

// Cells name businesses and designations by name, or by their path from the root. A
// backslash in front of a separator makes it part of a name.
const (
	pathSeparator = " / "
	listSeparator = " | "
)

// escaper escapes the separators within a name.
var escaper = strings.NewReplacer(`\`, `\\`, `/`, `\/`, `|`, `\|`, `;`, `\;`)

// split splits a cell at separators, without the space around its parts, and leaves
// backslashes where they are.
func split(cell, separators string) (parts []string) {
	start, escaped := 0, false
	for i, c := range cell {
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case strings.ContainsRune(separators, c):
			parts = append(parts, strings.TrimSpace(cell[start:i]))
			start = i + 1
		}
	}
	return append(parts, strings.TrimSpace(cell[start:]))
}

// unescape removes the backslashes that split left.
func unescape(name string) string {
	var out strings.Builder
	escaped := false
	for _, c := range name {
		if c == '\\' && !escaped {
			escaped = true
			continue
		}
		escaped = false
		out.WriteRune(c)
	}
	return out.String()
}

// A node is a business or a designation.
type node struct {
	id, parent int // parent is 0 for a root
	name       string
}

// names finds nodes by name and by path, ignoring case.
type names struct {
	paths  map[int]string   // as cells have them, by id
	byPath map[string][]int // ids
	byName map[string][]int // ids
}

func newNames(nodes []node) names {
	n := names{paths: map[int]string{}, byPath: map[string][]int{}, byName: map[string][]int{}}
	byID := map[int]node{}
	for _, node := range nodes {
		byID[node.id] = node
	}
	for _, node := range nodes {
		path, depth := escaper.Replace(node.name), 1
		for up, ok := byID[node.parent]; ok && depth < len(nodes); up, ok = byID[up.parent] {
			path = escaper.Replace(up.name) + pathSeparator + path
			depth++
		}
		n.paths[node.id] = path
		n.byPath[key(path)] = append(n.byPath[key(path)], node.id)
		name := key(escaper.Replace(node.name))
		n.byName[name] = append(n.byName[name], node.id)
	}
	return n
}

// key returns what a name or path is found by.
func key(cell string) string {
	parts := split(cell, "/")
	for i, p := range parts {
		parts[i] = contact.SortKey(escaper.Replace(unescape(p)))
	}
	return strings.Join(parts, pathSeparator)
}

// find returns the node that a cell names, or why there is none: unknown, or
// ambiguous. What is the path of one is that one.
func (n names) find(cell string) (int, errs.Reason) {
	ids := n.byPath[key(cell)]
	if len(ids) == 0 {
		ids = n.byName[key(cell)]
	}
	switch len(ids) {
	case 0:
		return 0, errs.Unknown
	case 1:
		return ids[0], ""
	}
	return 0, errs.Ambiguous
}
