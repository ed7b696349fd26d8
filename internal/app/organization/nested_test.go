package organization

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/tree"
)

// nested writes a structure, in pre-order, as nested sets with levels: root(1,4)0 dept(2,3)1.
func nested(list []*tree.Entry) string {
	all, n := make([]string, len(list)), 0
	var visit func(i int) int // returns the place after what is below i
	visit = func(i int) int {
		n++
		left, next := n, i+1
		for next < len(list) && list[next].Depth > list[i].Depth {
			next = visit(next)
		}
		n++
		all[i] = fmt.Sprintf("%s(%d,%d)%d", list[i].Name, left, n, list[i].Depth)
		return next
	}
	for i := 0; i < len(list); {
		i = visit(i)
	}
	return strings.Join(all, " ")
}

// A treeUnderTest is one of the trees of a company.
type treeUnderTest struct {
	create    func(ctx context.Context, s *Service, name string, parent *int) (int, error)
	remove    func(ctx context.Context, s *Service, id int) error
	structure func(ctx context.Context, s *Service) ([]*tree.Entry, error)
}

var treesUnderTest = map[string]treeUnderTest{
	"businesses": {
		func(ctx context.Context, s *Service, name string, parent *int) (int, error) {
			b, err := s.CreateBusiness(ctx, model.CreateBusinessInput{Name: name, ParentID: input.Given(parent)})
			if err != nil {
				return 0, err
			}
			return b.ID, nil
		},
		func(ctx context.Context, s *Service, id int) error { return s.DeleteBusiness(ctx, id, nil) },
		func(ctx context.Context, s *Service) ([]*tree.Entry, error) { return s.BusinessStructure(ctx) },
	},
	"designations": {
		func(ctx context.Context, s *Service, name string, parent *int) (int, error) {
			d, err := s.CreateDesignation(ctx, model.CreateDesignationInput{Name: name, ParentID: input.Given(parent)})
			if err != nil {
				return 0, err
			}
			return d.ID, nil
		},
		func(ctx context.Context, s *Service, id int) error { return s.DeleteDesignation(ctx, id, nil) },
		func(ctx context.Context, s *Service) ([]*tree.Entry, error) { return s.DesignationStructure(ctx, nil) },
	},
}

// TestNestedSets deletes a leaf of each tree, and adds a node below a leaf: the bounds of
// nested sets and the levels are those of the nodes that are left.
func TestNestedSets(t *testing.T) {
	for kind, k := range treesUnderTest {
		for _, tt := range []struct {
			name   string
			change func(ctx context.Context, s *Service, sub int) error
			want   string
		}{
			{"A93 tree after leaf delete", func(ctx context.Context, s *Service, sub int) error { return k.remove(ctx, s, sub) },
				"root(1,4)0 dept(2,3)1"},
			{"A94 tree after add", func(ctx context.Context, s *Service, sub int) error {
				_, err := k.create(ctx, s, "new", &sub)
				return err
			},
				"root(1,8)0 dept(2,7)1 sub(3,6)2 new(4,5)3"},
		} {
			t.Run(tt.name+", "+kind, func(t *testing.T) {
				w := newWorld(t)
				id := 0
				for _, name := range []string{"root", "dept", "sub"} {
					parent := &id
					if name == "root" {
						parent = nil
					}
					err := w.do(func(ctx context.Context, s *Service) (err error) {
						id, err = k.create(ctx, s, name, parent)
						return err
					})
					if err != nil {
						t.Fatal(err)
					}
				}
				sets := func() string {
					list, err := k.structure(w.organizer, &Service{Now: w.Now})
					if err != nil {
						t.Fatal(err)
					}
					ours := slices.IndexFunc(list, func(e *tree.Entry) bool { return e.Name == "root" })
					end := ours + 1
					for end < len(list) && list[end].Depth > 0 {
						end++
					}
					return nested(list[ours:end])
				}
				if got, want := sets(), "root(1,6)0 dept(2,5)1 sub(3,4)2"; got != want {
					t.Fatalf("before: %s, want %s", got, want)
				}
				if err := w.do(func(ctx context.Context, s *Service) error { return tt.change(ctx, s, id) }); err != nil {
					t.Fatal(err)
				}
				if got := sets(); got != tt.want {
					t.Errorf("%s, want %s", got, tt.want)
				}
			})
		}
	}
}
