package tree

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// parse returns a tree of lines such as "3 < 1 name", a node below another, and
// "1 name", a root.
func parse(lines ...string) *Tree {
	var nodes []Node
	for _, line := range lines {
		words := strings.Fields(line)
		n := Node{}
		n.ID, _ = strconv.Atoi(words[0])
		if words[1] == "<" {
			parent, _ := strconv.Atoi(words[2])
			n.Parent, words = &parent, words[2:]
		}
		n.Name, n.SortName = words[1], strings.ToLower(words[1])
		nodes = append(nodes, n)
	}
	return New(nodes)
}

// office is a tree whose ids are in no order.
func office() *Tree {
	return parse("7 < 5 Sub", "5 < 9 dept", "9 Root", "2 < 9 Alpha", "3 < 9 beta", "8 < 2 sub", "1 aside", "4 < 5 sub")
}

// outline writes places as "name depth, …".
func outline(places []Place) string {
	var all []string
	for _, p := range places {
		all = append(all, p.Name+" "+strconv.Itoa(p.Depth))
	}
	return strings.Join(all, ", ")
}

func TestPreorder(t *testing.T) {
	for _, tt := range []struct {
		about string
		tree  *Tree
		top   int
		want  string
	}{
		{"nothing", New(nil), 0, ""},
		{"siblings by name ignoring case, then by id", office(), 0, "aside 0, Root 0, Alpha 1, sub 2, beta 1, dept 1, sub 2, Sub 2"},
		{"names against ids", parse("1 b", "2 a", "3 < 1 d", "4 < 1 c"), 0, "a 0, b 0, c 1, d 1"},
		{"a part", office(), 5, "dept 0, sub 1, Sub 1"},
		{"a leaf", office(), 8, "sub 0"},
		{"an unknown node", office(), 99, ""},
		{"three levels", parse("1 root", "2 < 1 dept", "3 < 2 sub"), 0, "root 0, dept 1, sub 2"},
		{"without the leaf", parse("1 root", "2 < 1 dept"), 0, "root 0, dept 1"},
		{"with another leaf below", parse("1 root", "2 < 1 dept", "3 < 2 sub", "4 < 3 new"), 0, "root 0, dept 1, sub 2, new 3"},
		{"a circle, which nothing writes", parse("1 < 2 a", "2 < 1 b"), 0, ""},
		{"within a circle", parse("1 < 2 a", "2 < 1 b"), 1, "a 0, b 1"},
	} {
		if got := outline(tt.tree.Preorder(tt.top)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.about, got, tt.want)
		}
	}
}

// TestPlaces compares the order with nested sets, whose bounds are counted on the
// way down and up.
func TestPlaces(t *testing.T) {
	bounds := func(t *Tree) string {
		places, n := t.Preorder(0), 0
		var all []string
		left := map[int]int{}
		var open []Place
		closeFrom := func(depth int) {
			for len(open) > 0 && open[len(open)-1].Depth >= depth {
				n++
				last := open[len(open)-1]
				open = open[:len(open)-1]
				all = append(all, last.Name+"("+strconv.Itoa(left[last.ID])+","+strconv.Itoa(n)+")")
			}
		}
		for _, p := range places {
			closeFrom(p.Depth)
			n++
			left[p.ID] = n
			open = append(open, p)
		}
		closeFrom(0)
		slices.Reverse(all)
		return strings.Join(all, " ")
	}
	for _, tt := range []struct {
		name string
		tree *Tree
		want string
	}{
		{"before", parse("1 root", "2 < 1 dept", "3 < 2 sub"), "root(1,6) dept(2,5) sub(3,4)"},
		{"A93 without the leaf", parse("1 root", "2 < 1 dept"), "root(1,4) dept(2,3)"},
		{"A94 with a child of the leaf", parse("1 root", "2 < 1 dept", "3 < 2 sub", "4 < 3 new"), "root(1,8) dept(2,7) sub(3,6) new(4,5)"},
	} {
		if got := bounds(tt.tree); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestWithin(t *testing.T) {
	for _, tt := range []struct {
		id, top int
		want    bool
	}{{9, 9, true}, {7, 9, true}, {7, 5, true}, {5, 7, false}, {7, 2, false}, {1, 9, false}, {99, 99, false}, {9, 99, false}} {
		if got := office().Within(tt.id, tt.top); got != tt.want {
			t.Errorf("%d within %d: %v", tt.id, tt.top, got)
		}
	}
}

func TestPath(t *testing.T) {
	for id, want := range map[int][]int{9: {9}, 7: {7, 5, 9}, 99: nil} {
		if got := office().Path(id); !slices.Equal(got, want) {
			t.Errorf("path of %d: %v, want %v", id, got, want)
		}
	}
	if got := parse("1 < 2 a", "2 < 1 b").Path(1); len(got) != 2 {
		t.Errorf("path in a circle: %v", got)
	}
}

func TestTaken(t *testing.T) {
	nine, five := 9, 5
	for _, tt := range []struct {
		about, name string
		parent      *int
		except      int
		want        bool
	}{
		{"a sibling's", "alpha", &nine, 0, true},
		{"its own", "alpha", &nine, 2, false},
		{"elsewhere", "alpha", &five, 0, false},
		{"a root's", "aside", nil, 0, true},
		{"not a root's", "alpha", nil, 0, false},
		{"of two, the first is it", "sub", &five, 4, true},
		{"of two, one is it", "sub", &five, 7, true},
	} {
		if got := office().Taken(tt.name, tt.parent, tt.except); got != tt.want {
			t.Errorf("%s: %v", tt.about, got)
		}
	}
}

// chain returns a tree of n levels; node n is the lowest.
func chain(n int) *Tree {
	nodes := []Node{{ID: 1, SortName: "1"}}
	for id := 2; id <= n; id++ {
		parent := id - 1
		nodes = append(nodes, Node{ID: id, Parent: &parent, SortName: strconv.Itoa(id)})
	}
	return New(nodes)
}

// TestDeepChain walks a chain of 100,000 levels, as a database may hold that was
// filled by other programs.
func TestDeepChain(t *testing.T) {
	const n = 100_000
	deep := chain(n)
	if got := deep.Preorder(0); len(got) != n || got[n-1].Depth != n-1 {
		t.Errorf("%d places, the last %+v", len(got), got[len(got)-1])
	}
	if got := len(deep.Path(n)); got != n {
		t.Errorf("a path of %d nodes, want %d", got, n)
	}
}

// TestManyHolders counts the holders of each level of a chain of 10,000, of whom each
// holds two nodes, and one person all: walking up from each would be 10^8 steps.
func TestManyHolders(t *testing.T) {
	const n = 10_000
	deep, numbers := chain(n), map[int]int{}
	var holders []Holder
	for id := 1; id <= n; id++ {
		numbers[id] = 1
		holders = append(holders, Holder{id, id}, Holder{id, n + 1 - id}, Holder{n + 1, id}, Holder{n + 1, id})
	}
	start := time.Now()
	sums, totals := deep.Sums(numbers), deep.Totals(holders)
	took := time.Since(start)
	for id := 1; id <= n; id++ {
		lower := min(n, 2*(n+1-id)) // as each person holds a node and its mirror image
		if sums[id] != n+1-id || totals[id] != lower+1 {
			t.Fatalf("at level %d: a sum of %d, want %d; %d people, want %d", id, sums[id], n+1-id, totals[id], lower+1)
		}
	}
	if took > 10*time.Second { // it is well below one
		t.Errorf("took %v", took)
	}
}

func TestSums(t *testing.T) {
	numbers := map[int]int{7: 2, 5: 10, 8: 100, 1: 5, 99: 1}
	want := map[int]int{7: 2, 5: 12, 9: 112, 8: 100, 2: 100, 1: 5}
	if got := office().Sums(numbers); !maps.Equal(got, want) {
		t.Errorf("sums %v, want %v", got, want)
	}
}

func TestTotals(t *testing.T) {
	holders := []Holder{{1, 7}, {1, 8}, {1, 9}, {2, 7}, {3, 5}, {4, 1}, {4, 1}, {5, 99}}
	want := map[int]int{7: 2, 5: 3, 9: 3, 8: 1, 2: 1, 1: 1}
	if got := office().Totals(holders); !maps.Equal(got, want) {
		t.Errorf("totals %v, want %v", got, want)
	}
}

// TestRandomTrees compares with definitions that are slow and obvious.
func TestRandomTrees(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var nodes []Node
		for id := 1; id <= 1+random.IntN(30); id++ {
			n := Node{ID: id, SortName: string(rune('a' + random.IntN(5)))}
			if parent := random.IntN(id); parent > 0 {
				n.Parent = &parent
			}
			nodes = append(nodes, n)
		}
		tr := New(nodes)
		if tr.Len() != len(nodes) || !tr.Has(1) || tr.Has(len(nodes)+1) {
			t.Fatalf("%d nodes of %d", tr.Len(), len(nodes))
		}
		seen := map[int]int{}
		for i, p := range tr.Preorder(0) {
			seen[p.ID] = i
			if above := len(tr.Path(p.ID)) - 1; above != p.Depth {
				t.Fatalf("node %d has depth %d, and %d above it", p.ID, p.Depth, above)
			}
			if p.Parent != nil {
				if at, ok := seen[*p.Parent]; !ok || at >= i {
					t.Fatalf("node %d is before its parent", p.ID)
				}
			}
			for _, q := range tr.Preorder(p.ID) {
				if !tr.Within(q.ID, p.ID) {
					t.Fatalf("%d is not within %d", q.ID, p.ID)
				}
			}
		}
		var holders []Holder
		slow := map[int]map[int]bool{} // people by node
		for range random.IntN(60) {
			h := Holder{random.IntN(8), 1 + random.IntN(len(nodes)+1)}
			holders = append(holders, h)
			for _, id := range tr.Path(h.Node) {
				if slow[id] == nil {
					slow[id] = map[int]bool{}
				}
				slow[id][h.User] = true
			}
		}
		totals := tr.Totals(holders)
		if len(totals) != len(slow) {
			t.Fatalf("totals of %d nodes, want %d", len(totals), len(slow))
		}
		for id, people := range slow {
			if totals[id] != len(people) {
				t.Fatalf("%d people hold %d or below, want %d", totals[id], id, len(people))
			}
		}
		if len(seen) != len(nodes) {
			t.Fatalf("%d of %d nodes", len(seen), len(nodes))
		}
	}
}
