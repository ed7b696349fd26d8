// Package tree holds the rules of a company's trees, of businesses and of
// designations: a node names its parent, and everything else follows from that.
package tree

import (
	"cmp"
	"math/bits"
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
	siblings := t.children[parentID(Node{Parent: parent})]
	first, _ := slices.BinarySearchFunc(siblings, sortName, func(n Node, name string) int { return cmp.Compare(n.SortName, name) })
	for _, n := range siblings[first:] {
		if n.SortName != sortName {
			break
		}
		if n.ID != except {
			return true
		}
	}
	return false
}

// Sums returns, of numbers of nodes, the sum for each node and all below it, where that
// is not 0.
func (t *Tree) Sums(numbers map[int]int) map[int]int { return sums(t.Preorder(0), numbers) }

func sums(places []Place, numbers map[int]int) map[int]int {
	totals := map[int]int{}
	for _, p := range slices.Backward(places) { // what is below a node is done before it
		total := totals[p.ID] + numbers[p.ID]
		if total == 0 {
			delete(totals, p.ID)
			continue
		}
		totals[p.ID] = total
		if p.Parent != nil {
			totals[*p.Parent] += total
		}
	}
	return totals
}

// A Holder is a person who holds a node.
type Holder struct{ User, Node int }

// Totals returns how many people hold each node or one below it. A person who holds
// several of them counts once: they count at each, and are taken off again where the way
// up from one meets the way up from the one before it in the tree's order.
func (t *Tree) Totals(holders []Holder) map[int]int {
	places := t.Preorder(0)
	at := make(map[int]int, len(places))
	for i, p := range places {
		at[p.ID] = i
	}
	holders = slices.DeleteFunc(slices.Clone(holders), func(h Holder) bool { _, ok := at[h.Node]; return !ok })
	slices.SortFunc(holders, func(a, b Holder) int {
		return cmp.Or(cmp.Compare(a.User, b.User), cmp.Compare(at[a.Node], at[b.Node]))
	})
	holders = slices.Compact(holders)
	highest, numbers := newHighest(places), map[int]int{}
	for i, h := range holders {
		numbers[h.Node]++
		if i == 0 || holders[i-1].User != h.User {
			continue
		}
		if top := places[highest.between(at[holders[i-1].Node]+1, at[h.Node])]; top.Parent != nil {
			numbers[*top.Parent]--
		}
	}
	return sums(places, numbers)
}

// A highest finds the places that are nearest to the root: level n has that of each 2^n
// places in a row.
type highest struct {
	places []Place
	levels [][]int
}

func newHighest(places []Place) *highest {
	h := &highest{places: places, levels: [][]int{make([]int, len(places))}}
	for i := range places {
		h.levels[0][i] = i
	}
	for width := 1; 2*width <= len(places); width *= 2 {
		last := h.levels[len(h.levels)-1]
		next := make([]int, len(places)-2*width+1)
		for i := range next {
			next[i] = h.higher(last[i], last[i+width])
		}
		h.levels = append(h.levels, next)
	}
	return h
}

func (h *highest) higher(a, b int) int {
	if h.places[b].Depth < h.places[a].Depth {
		return b
	}
	return a
}

// between returns the highest of the places from one to another, which is not before it.
func (h *highest) between(first, last int) int {
	n := bits.Len(uint(last-first+1)) - 1
	return h.higher(h.levels[n][first], h.levels[n][last-1<<n+1])
}
