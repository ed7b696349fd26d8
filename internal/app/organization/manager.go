package organization

import (
	"context"
	"slices"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/user"
	"workforce/internal/tree"
)

// Managers know who leads whom in a company.
type Managers struct {
	tree *tree.Tree
	of   map[int]int // active managers by business
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
	m := &Managers{of: make(map[int]int, len(rows))}
	for _, r := range rows {
		m.of[r.ID] = r.ManagerID
	}
	m.tree, err = load(ctx, businesses{})
	return m, err
}

// Chain returns the ids of a person's managers, the nearest first: those of their
// business and of all above it, each once, without the person.
func (m *Managers) Chain(u *ent.User) []int {
	if u.BusinessID == nil {
		return nil
	}
	var chain []int
	for _, id := range m.tree.Path(*u.BusinessID) {
		if manager := m.of[id]; manager != 0 && manager != u.ID && !slices.Contains(chain, manager) {
			chain = append(chain, manager)
		}
	}
	return chain
}

// Leaders returns a query of the active people who manage a business.
func Leaders(ctx context.Context) *ent.UserQuery {
	return ent.FromContext(ctx).User.Query().Where(user.Active(true), leads)
}

func leads(s *sql.Selector) {
	b := sql.Table(business.Table)
	s.Where(sql.In(s.C(user.FieldID), sql.Select(b.C(business.FieldManagerID)).From(b).Where(sql.NotNull(b.C(business.FieldManagerID)))))
}
