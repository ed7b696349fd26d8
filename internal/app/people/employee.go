package people

import (
	"context"
	"strings"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/designation"
	"workforce/ent/user"
	"workforce/internal/app/input"
	"workforce/internal/app/organization"
	"workforce/internal/textform"
	"workforce/internal/viewer"
)

// Users returns a query of the company's users: the active ones, unless the viewer
// may change users.
func (s *Service) Users(ctx context.Context) *ent.UserQuery {
	q := ent.FromContext(ctx).User.Query()
	if viewer.From(ctx).Scope("user", "write") == viewer.None {
		q.Where(organization.Active)
	}
	return q
}

// An EmployeeFilter selects employees; a nil member selects all.
type EmployeeFilter struct {
	Search        *string // part of a name or e-mail address
	DesignationID *int
	BusinessID    *int
	Subtree       bool // whether the designation and the business stand for all below them too
}

// Employees returns a query of the active users whom a filter lets through.
// VALIDATION_FAILED for a search that is
// too long, NOT_FOUND on a designation or business that the viewer does not see.
func (s *Service) Employees(ctx context.Context, f EmployeeFilter) (*ent.UserQuery, error) {
	db := ent.FromContext(ctx)
	q := db.User.Query().Where(organization.Active)
	if f.Search != nil {
		named, err := input.Search("search", *f.Search, user.FieldSearchName)
		if err != nil {
			return nil, err
		}
		addressed := sql.FieldContains(user.FieldEmailKey, textform.PartOfEmail(*f.Search))
		if strings.Contains(*f.Search, "@") { // as no name has
			q.Where(addressed)
		} else {
			q.Where(sql.OrPredicates(named, addressed))
		}
	}
	if f.DesignationID != nil {
		ok, err := db.Designation.Query().Where(designation.ID(*f.DesignationID)).Exist(ctx)
		if err := input.Referenced("designationId", ok, err); err != nil {
			return nil, err
		}
		if f.Subtree {
			q.Where(organization.HoldsBelow(*f.DesignationID))
		} else {
			q.Where(user.HasDesignationsWith(designation.ID(*f.DesignationID)))
		}
	}
	if f.BusinessID != nil {
		ok, err := db.Business.Query().Where(business.ID(*f.BusinessID)).Exist(ctx)
		if err := input.Referenced("businessId", ok, err); err != nil {
			return nil, err
		}
		if f.Subtree {
			q.Where(organization.WorksBelow(*f.BusinessID))
		} else {
			q.Where(user.BusinessID(*f.BusinessID))
		}
	}
	return q, nil
}
