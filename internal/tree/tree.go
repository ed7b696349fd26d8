// Package tree holds the rules of a company's trees, of businesses and of
// designations: a node names its parent, and everything else follows from that.
package tree

import (
	"cmp"
	"slices"
)

// MaxNodes is how many nodes a company's tree has at most, and so how many levels.
const MaxNodes = 10_000

// A Node is a business or a designation.
type Node struct {
	ID       int
	Parent   *int // nil of a root
	Name     string
	SortName string // the name case-folded; siblings are in its order, then by id
}

// A Tree is made of nodes. The zero value has none.
type Tree struct {
	nodes    map[int]Node
	children map[int][]Node // by parent, in order; those of 0 are the roots
}

// New returns the tree of nodes.
func New(nodes []Node) *Tree {
	t := &Tree{nodes: make(map[int]Node, len(nodes)), children: map[int][]Node{}}
	for _, n := range nodes {
		t.nodes[n.ID] = n
		t.children[parentID(n)] = append(t.children[parentID(n)], n)
	}
	for _, siblings := range t.children {
		slices.SortFunc(siblings, func(a, b Node) int { return cmp.Or(cmp.Compare(a.SortName, b.SortName), cmp.Compare(a.ID, b.ID)) })
	}
	return t
}

func parentID(n Node) int {
	if n.Parent == nil {
		return 0
	}
	return *n.Parent
}

// Len returns the number of nodes.
func (t *Tree) Len() int { return len(t.nodes) }

// Has reports whether a node is in the tree.
func (t *Tree) Has(id int) bool { _, ok := t.nodes[id]; return ok }

// Children returns the nodes directly below one, in order; those below 0 are the
// roots.
func (t *Tree) Children(id int) []Node { return t.children[id] }

// Path returns a node and all above it, the node first; none of an unknown one.
func (t *Tree) Path(id int) []int {
	var path []int
	for n, ok := t.nodes[id]; ok && len(path) < len(t.nodes); n, ok = t.nodes[parentID(n)] {
		path = append(path, n.ID)
	}
	return path
}

// Within reports whether a node is another one or lies below it.
func (t *Tree) Within(id, top int) bool { return slices.Contains(t.Path(id), top) }

// A Place is a node in the order of a tree, with the number of nodes above it.
type Place struct {
	Node
	Depth int
}

// Preorder returns the nodes at and below one, each before its children; of 0, all
// nodes.
func (t *Tree) Preorder(top int) []Place {
	var places []Place
	var next []Place // the last is the next
	push := func(nodes []Node, depth int) {
		for _, n := range slices.Backward(nodes) {
			next = append(next, Place{n, depth})
		}
	}
	if top == 0 {
		push(t.children[0], 0)
	} else if n, ok := t.nodes[top]; ok {
		push([]Node{n}, 0)
	}
	for len(next) > 0 && len(places) < len(t.nodes) {
		p := next[len(next)-1]
		next, places = next[:len(next)-1], append(places, p)
		push(t.children[p.ID], p.Depth+1)
	}
	return places
}

// An Entry is a node of a list in the order of its tree.
type Entry struct {
	ID        int
	Name      string
	ParentID  *int
	Depth     int
	UserCount int
}

// Taken reports whether a node below parent, or a root for nil, has a name, other
// than the node except.
func (t *Tree) Taken(sortName string, parent *int, except int) bool {
	return slices.ContainsFunc(t.children[parentID(Node{Parent: parent})], func(n Node) bool {
		return n.SortName == sortName && n.ID != except
	})
}

// Sums returns, of numbers of nodes, the sum for each node and all below it.
func (t *Tree) Sums(numbers map[int]int) map[int]int {
	sums := map[int]int{}
	for id, n := range numbers {
		for _, id := range t.Path(id) {
			sums[id] += n
		}
	}
	return sums
}

// A Holder is a person who holds a node.
type Holder struct{ User, Node int }

// Totals returns how many people hold each node or one below it. A person who holds
// several of them counts once.
func (t *Tree) Totals(holders []Holder) map[int]int {
	slices.SortFunc(holders, func(a, b Holder) int { return cmp.Compare(a.User, b.User) })
	totals, last := map[int]int{}, map[int]int{} // last is the person who was last counted at a node
	for _, h := range holders {
		for _, id := range t.Path(h.Node) {
			if last[id] == h.User {
				break // and counted at all above
			}
			last[id] = h.User
			totals[id]++
		}
	}
	return totals
}
