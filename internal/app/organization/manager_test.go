package organization

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"workforce/ent"
	"workforce/internal/tree"
)

// TestChain compares chains of managers in random trees with a walk up.
func TestChain(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var nodes []tree.Node
		of := map[int]int{}
		for id := 1; id <= 1+random.IntN(30); id++ {
			n := tree.Node{ID: id}
			if parent := random.IntN(id); parent > 0 {
				n.Parent = &parent
			}
			if manager := random.IntN(8); manager > 0 {
				of[id] = manager
			}
			nodes = append(nodes, n)
		}
		where := tree.New(nodes)
		managers := newManagers(where, of)
		for business := range len(nodes) + 2 { // the first and the last are not there
			u := &ent.User{ID: 1 + random.IntN(8), BusinessID: &business}
			var want []int
			for _, id := range where.Path(business) {
				if m := of[id]; m != 0 && m != u.ID && !slices.Contains(want, m) {
					want = append(want, m)
				}
			}
			if got := slices.Collect(managers.Chain(u)); !slices.Equal(got, want) {
				t.Fatalf("managers of %d in %d: %v, want %v", u.ID, business, got, want)
			}
		}
		if got := slices.Collect(managers.Chain(&ent.User{ID: 9})); got != nil {
			t.Fatalf("managers of somebody without a business: %v", got)
		}
	}
}

// TestNearestManager asks for the nearest manager of a person at each of 30,000 levels, of
// which the topmost alone has one. Walking up from each would be 4.5 * 10^8 steps.
func TestNearestManager(t *testing.T) {
	const levels = 30_000
	nodes := []tree.Node{{ID: 1}}
	for id := 2; id <= levels; id++ {
		nodes = append(nodes, tree.Node{ID: id, Parent: new(id - 1)})
	}
	start := time.Now()
	managers := newManagers(tree.New(nodes), map[int]int{1: 7})
	for id := 1; id <= levels; id++ {
		nearest := 0
		for m := range managers.Chain(&ent.User{ID: 8, BusinessID: &id}) {
			nearest = m
			break
		}
		if nearest != 7 {
			t.Fatalf("at level %d: %d", id, nearest)
		}
	}
	if took := time.Since(start); took > 5*time.Second { // it is well below one
		t.Errorf("took %v", took)
	}
}
