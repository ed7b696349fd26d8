package peopleimport

import (
	"cmp"
	"slices"
	"strings"

	"workforce/internal/errs"
	"workforce/internal/textform"
	"workforce/internal/tree"
)

// Cells name businesses and designations by name, by their path from the root, or by the
// end of that. A backslash in front of a separator makes it part of a name.
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

// maxPath is how many bytes the paths have that an export writes in full. Of a longer one
// it writes the shortest end that no other path has.
const maxPath = 200

// A place is a node in its tree.
type place struct {
	id     int
	name   string // escaped
	key    string // what the name is found by
	up     *place // nil of a root
	depth  int    // names in its path
	size   int    // bytes of its path
	needed int    // names in the shortest end of its path that is its own; 0 while nobody asked

	index  int    // among the sorted
	rank   int    // while they are sorted: the first that is equal by the names that were compared
	beyond *place // the node above these names; nil for none
	rest   int    // its rank, -1 for none
}

// names finds nodes by paths and their ends, ignoring case. They are sorted by the names
// from the node upwards, so that those whose paths end alike are neighbours.
type names struct {
	sorted []*place
	byID   map[int]*place
}

func newNames(nodes []tree.Node) names {
	n := names{byID: make(map[int]*place, len(nodes))}
	for _, at := range tree.New(nodes).Preorder(0) { // a node comes after the one above it
		p := &place{id: at.ID, name: escaper.Replace(at.Name), key: textform.SortKey(at.Name), depth: at.Depth + 1}
		p.size = len(p.name)
		if at.Parent != nil {
			p.up = n.byID[*at.Parent]
			p.size += p.up.size + len(pathSeparator)
		}
		p.beyond = p.up
		n.byID[p.id] = p
		n.sorted = append(n.sorted, p)
	}
	n.rank(func(a, b *place) int { return cmp.Compare(a.key, b.key) })
	for n.double() {
	}
	for i, p := range n.sorted {
		p.index = i
	}
	return n
}

// double sorts the nodes by twice as many names, and reports whether there are more.
func (n names) double() (more bool) {
	for _, p := range n.sorted {
		if p.rest = -1; p.beyond != nil {
			p.rest = p.beyond.rank
		}
	}
	n.rank(func(a, b *place) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.rest, b.rest)) })
	beyond := make([]*place, len(n.sorted))
	for i, p := range n.sorted {
		if p.beyond != nil {
			beyond[i] = p.beyond.beyond
		}
		more = more || beyond[i] != nil
	}
	for i, p := range n.sorted {
		p.beyond = beyond[i]
	}
	return more
}

// rank sorts the nodes, and gives those that are equal the same rank.
func (n names) rank(compare func(a, b *place) int) {
	slices.SortFunc(n.sorted, compare)
	ranks := make([]int, len(n.sorted))
	for i := range ranks {
		if ranks[i] = i; i > 0 && compare(n.sorted[i-1], n.sorted[i]) == 0 {
			ranks[i] = ranks[i-1]
		}
	}
	for i, p := range n.sorted {
		p.rank = ranks[i]
	}
}

// find returns the node whose path a cell is, or ends with; else why there is none:
// unknown, or ambiguous. What is the whole path of one is that one.
func (n names) find(cell string) (int, errs.Reason) {
	keys := split(cell, "/")
	slices.Reverse(keys)
	for i, k := range keys {
		keys[i] = textform.SortKey(unescape(k))
	}
	i, found := slices.BinarySearchFunc(n.sorted, keys, (*place).compare)
	if !found {
		return 0, errs.Unknown
	}
	first, whole := n.sorted[i], func(p *place) bool { return p.depth == len(keys) }
	if i+1 == len(n.sorted) || n.sorted[i+1].compare(keys) != 0 || whole(first) && !whole(n.sorted[i+1]) {
		return first.id, ""
	}
	return 0, errs.Ambiguous
}

// compare compares the names from a node upwards with as many keys.
func (p *place) compare(keys []string) int {
	for _, key := range keys {
		if p == nil {
			return -1
		}
		if c := cmp.Compare(p.key, key); c != 0 {
			return c
		}
		p = p.up
	}
	return 0
}

// path returns what a cell has for a node, which find takes for the same one; "" for none.
func (n names) path(id int) string {
	p := n.byID[id]
	if p == nil {
		return ""
	}
	count := p.depth
	if p.size > maxPath {
		count = n.end(p)
	}
	parts := make([]string, count)
	for i, at := count, p; i > 0; at = at.up {
		i--
		parts[i] = at.name
	}
	return strings.Join(parts, pathSeparator)
}

// end returns how many names the shortest end of a node's path has that no other path has,
// which one of its neighbours shares longest; all where another path ends with all of it.
func (n names) end(p *place) int {
	if p.needed > 0 {
		return p.needed
	}
	shared := 0
	for _, i := range []int{p.index - 1, p.index + 1} {
		if i >= 0 && i < len(n.sorted) {
			shared = max(shared, p.shares(n.sorted[i]))
		}
	}
	p.needed = min(shared+1, p.depth)
	return p.needed
}

// shares returns how many names the ends of two paths have in common.
func (p *place) shares(other *place) (n int) {
	for p != nil && other != nil && p.key == other.key {
		p, other, n = p.up, other.up, n+1
	}
	return n
}
