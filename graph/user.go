package graph

import (
	"cmp"
	"context"
	"strings"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/designation"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/contact"
	"workforce/internal/errs"
)

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
	q, err := filter.apply(ctx, ent.FromContext(ctx).User.Query().Where(user.Active(true)))
	if err != nil {
		return nil, err
	}
	list := &model.EmployeeList{}
	if list.TotalCount, err = q.Clone().Count(ctx); err != nil {
		return nil, err
	}
	q.Offset(offset).Limit(cmp.Or(n, maxList))
	if q, err = q.CollectFields(under(ctx, "nodes")); err != nil {
		return nil, err
	}
	list.Nodes, err = q.Order(ent.Asc(user.FieldSortName, user.FieldID)).All(ctx)
	return list, err
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
