package organization

import (
	"context"
	"iter"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/user"
	"workforce/internal/tree"
)

// Managers know who leads whom in a company.
type Managers struct {
	of   map[int]int // active managers by business
	led  map[int]int // by business: the nearest from it upwards that has an active manager
	next map[int]int // by business that has one: the nearest above it that has one
}

// Managers returns those of the viewer's company.
func (s *Service) Managers(ctx context.Context) (*Managers, error) {
	var rows []struct {
		ID        int `json:"id"`
		ManagerID int `json:"manager_id"`
	}
	err := ent.FromContext(ctx).Business.Query().Where(business.HasManagerWith(user.Active(true))).Limit(tree.MaxNodes).
		Select(business.FieldID, business.FieldManagerID).Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	of := make(map[int]int, len(rows))
	for _, r := range rows {
		of[r.ID] = r.ManagerID
	}
	t, err := load(ctx, businesses{})
	return newManagers(t, of), err
}

func newManagers(t *tree.Tree, of map[int]int) *Managers {
	m := &Managers{of: of, led: make(map[int]int, t.Len()), next: make(map[int]int, len(of))}
	for _, p := range t.Preorder(0) { // what is above a business is done before it
		above := 0
		if p.Parent != nil {
			above = m.led[*p.Parent]
		}
		m.led[p.ID] = above
		if of[p.ID] != 0 {
			m.led[p.ID], m.next[p.ID] = p.ID, above
		}
	}
	return m
}

// Chain yields the ids of a person's managers, the nearest first: those of their
// business and of all above it, each once, without the person.
func (m *Managers) Chain(u *ent.User) iter.Seq[int] {
	return func(yield func(int) bool) {
		if u.BusinessID == nil {
			return
		}
		known := map[int]bool{u.ID: true}
		for id := m.led[*u.BusinessID]; id != 0; id = m.next[id] {
			if manager := m.of[id]; !known[manager] {
				known[manager] = true
				if !yield(manager) {
					return
				}
			}
		}
	}
}

// Leaders returns a query of the active people who manage a business.
func Leaders(ctx context.Context) *ent.UserQuery {
	return ent.FromContext(ctx).User.Query().Where(user.Active(true), leads)
}

func leads(s *sql.Selector) {
	b := sql.Table(business.Table)
	s.Where(sql.In(s.C(user.FieldID), sql.Select(b.C(business.FieldManagerID)).From(b).Where(sql.NotNull(b.C(business.FieldManagerID)))))
}
