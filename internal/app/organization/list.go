package organization

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/business"
	"workforce/ent/user"
	"workforce/ent/userdesignation"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/tree"
	"workforce/internal/viewer"
)

// Active matches active users. The condition has a value: no index is used for
// one without, which is what ent makes of user.Active(true).
func Active(s *sql.Selector) { s.Where(sql.EQ(s.C(user.FieldActive), 1)) }

// BusinessList returns the company's businesses by name, those with search in their
// name; nil for all. VALIDATION_FAILED for a search that is too long.
func (s *Service) BusinessList(ctx context.Context, search *string) ([]*model.BusinessEntry, error) {
	if _, err := viewer.Require(ctx); err != nil {
		return nil, err
	}
	q := ent.FromContext(ctx).Business.Query().Limit(tree.MaxNodes)
	if search != nil {
		named, err := input.Search("search", *search, business.FieldSearchName)
		if err != nil {
			return nil, err
		}
		q.Where(named)
	}
	all, err := q.All(ctx)
	if err != nil {
		return nil, err
	}
	users, err := s.BusinessUsers(ctx)
	if err != nil {
		return nil, err
	}
	sites, err := businessSites(ctx)
	list := make([]*model.BusinessEntry, len(all))
	for i, b := range all {
		list[i] = &model.BusinessEntry{ID: b.ID, Name: b.Name, ParentID: b.ParentID, AddressCount: sites[b.ID], UserCount: users[b.ID]}
	}
	return list, err
}

// BusinessStructure returns the company's businesses in the order of their tree.
func (s *Service) BusinessStructure(ctx context.Context) ([]*tree.Entry, error) {
	if _, err := viewer.Require(ctx); err != nil {
		return nil, err
	}
	t, err := load(ctx, businesses{})
	if err != nil {
		return nil, err
	}
	users, err := s.BusinessUsers(ctx)
	return structure(t, users, func(int) bool { return true }), err
}

// DesignationStructure returns the company's designations in the order of their
// tree. With a business, it returns those that active people of it, or of a business
// below it, hold, with all above, and counts these people; NOT_FOUND on businessId.
func (s *Service) DesignationStructure(ctx context.Context, businessID *int) ([]*tree.Entry, error) {
	if _, err := viewer.Require(ctx); err != nil {
		return nil, err
	}
	q := designees(ctx)
	if businessID != nil {
		ok, err := ent.FromContext(ctx).Business.Query().Where(business.ID(*businessID)).Exist(ctx)
		if err := input.Referenced("businessId", ok, err); err != nil {
			return nil, err
		}
		q.Where(userdesignation.HasUserWith(WorksBelow(*businessID)))
	}
	users, err := countDesignees(ctx, q)
	if err != nil {
		return nil, err
	}
	t, err := load(ctx, designations{})
	if err != nil {
		return nil, err
	}
	held := t.Sums(users) // with all above
	return structure(t, users, func(id int) bool { return businessID == nil || held[id] > 0 }), nil
}

// structure lists the nodes of a tree that are shown.
func structure(t *tree.Tree, users map[int]int, shown func(id int) bool) []*tree.Entry {
	list := []*tree.Entry{}
	for _, p := range t.Preorder(0) {
		if shown(p.ID) {
			list = append(list, &tree.Entry{ID: p.ID, Name: p.Name, ParentID: p.Parent, Depth: p.Depth, UserCount: users[p.ID]})
		}
	}
	return list
}

// BusinessUsers returns the number of active people of each business of the company
// that has any.
func (s *Service) BusinessUsers(ctx context.Context) (map[int]int, error) {
	return counts(ctx, ent.FromContext(ctx).User.Query().Where(Active, user.BusinessIDNotNil()).
		GroupBy(user.FieldBusinessID).Aggregate(ent.Count()).Scan)
}

// TotalBusinessUsers returns the number of active people of each business of the
// company and of all below it.
func (s *Service) TotalBusinessUsers(ctx context.Context) (map[int]int, error) {
	users, err := s.BusinessUsers(ctx)
	if err != nil {
		return nil, err
	}
	t, err := load(ctx, businesses{})
	return t.Sums(users), err
}

// businessSites returns the number of work sites of each business that has any.
func businessSites(ctx context.Context) (map[int]int, error) {
	return counts(ctx, ent.FromContext(ctx).Address.Query().Where(address.BusinessIDNotNil()).
		GroupBy(address.FieldBusinessID).Aggregate(ent.Count()).Scan)
}

// designees returns a query of which active people hold which designations.
func designees(ctx context.Context) *ent.UserDesignationQuery {
	return ent.FromContext(ctx).UserDesignation.Query().Where(userdesignation.HasUserWith(user.Active(true)))
}

// DesignationUsers returns the number of active people who hold each designation of
// the company that anybody holds.
func (s *Service) DesignationUsers(ctx context.Context) (map[int]int, error) {
	return countDesignees(ctx, designees(ctx))
}

func countDesignees(ctx context.Context, q *ent.UserDesignationQuery) (map[int]int, error) {
	return counts(ctx, q.GroupBy(userdesignation.FieldDesignationID).Aggregate(ent.Count()).Scan)
}

// TotalDesignationUsers returns the number of active people who hold each
// designation of the company or one below it. Who holds several counts once.
func (s *Service) TotalDesignationUsers(ctx context.Context) (map[int]int, error) {
	var rows []struct {
		UserID        int `json:"user_id"`
		DesignationID int `json:"designation_id"`
	}
	err := designees(ctx).Select(userdesignation.FieldUserID, userdesignation.FieldDesignationID).Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	holders := make([]tree.Holder, len(rows))
	for i, r := range rows {
		holders[i] = tree.Holder{User: r.UserID, Node: r.DesignationID}
	}
	t, err := load(ctx, designations{})
	return t.Totals(holders), err
}

// counts returns the numbers of rows by business or by designation.
func counts(ctx context.Context, scan func(context.Context, any) error) (map[int]int, error) {
	var rows []struct {
		BusinessID    int `json:"business_id"`
		DesignationID int `json:"designation_id"`
		Count         int `json:"count"`
	}
	err := scan(ctx, &rows)
	byID := make(map[int]int, len(rows))
	for _, r := range rows {
		byID[r.BusinessID+r.DesignationID] = r.Count // one of them is 0
	}
	return byID, err
}
