package graph

import (
	"cmp"
	"context"
	"strings"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/designation"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/plan"
)

// isActive lets active users through. By a condition without a value, which is
// what ent makes of user.Active(true), no index is searched.
func isActive(s *sql.Selector) { s.Where(sql.EQ(s.C(user.FieldActive), 1)) }

// An employeeFilter narrows the list of employees; nil narrows nothing.
type employeeFilter struct {
	search                    *string
	designationID, businessID *int
}

// employees returns the active users by name.
func employees(ctx context.Context, filter employeeFilter, number, limit *int) (*model.EmployeeList, error) {
	offset, n, err := page(number, limit)
	if err != nil {
		return nil, err
	}
	active, err := filter.apply(ctx, ent.FromContext(ctx).User.Query().Where(isActive))
	if err != nil {
		return nil, err
	}
	listed := func() *ent.UserQuery {
		return active.Clone().Order(ent.Asc(user.FieldSortName, user.FieldID)).Offset(offset).Limit(cmp.Or(n, maxList))
	}
	if planned(ctx, active, listed, n > 0) {
		return &model.EmployeeList{}, nil
	}
	list := &model.EmployeeList{}
	if list.TotalCount, err = active.Clone().Count(ctx); err != nil {
		return nil, err
	}
	q, err := listed().CollectFields(plan.Merged(ctx, "nodes"))
	if err != nil {
		return nil, err
	}
	list.Nodes, err = q.All(ctx)
	return list, err
}

// planned answers the list with a plan, if the selection has one.
func planned(ctx context.Context, all *ent.UserQuery, listed func() *ent.UserQuery, paged bool) bool {
	p := plan.From(ctx)
	if p == nil {
		return false
	}
	answer := plan.Page{Total: all.Clone().Count}
	if !paged {
		answer.Limit = maxList
	}
	answer.Rows = func(ctx context.Context, where func(*sql.Selector), columns ...string) error {
		return listed().Where(where).Select(columns...).Scan(ctx, new([]int))
	}
	return p.Answer(ctx, answer)
}

func (f employeeFilter) apply(ctx context.Context, q *ent.UserQuery) (*ent.UserQuery, error) {
	db := ent.FromContext(ctx)
	if f.search != nil {
		q.Where(user.Or(
			user.SortNameContains(contact.SortKey(*f.search)),
			user.EmailKeyContains(strings.ToLower(*f.search)),
		))
	}
	if f.designationID != nil {
		ok, err := db.Designation.Query().Where(designation.ID(*f.designationID)).Exist(ctx)
		if err := referred("designationId", ok, err); err != nil {
			return nil, err
		}
		q.Where(user.HasDesignationsWith(designation.ID(*f.designationID)))
	}
	if f.businessID != nil {
		ok, err := db.Business.Query().Where(business.ID(*f.businessID)).Exist(ctx)
		if err := referred("businessId", ok, err); err != nil {
			return nil, err
		}
		q.Where(user.BusinessID(*f.businessID))
	}
	return q, nil
}

// referred is NOT_FOUND on a field that names a row which the caller does not see.
func referred(field string, found bool, err error) error {
	if err == nil && !found {
		return errs.Field(errs.NotFound, field, nil)
	}
	return err
}
