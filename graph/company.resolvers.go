package graph

import (
	"context"
	"time"
	"workforce/ent"
	"workforce/graph/connection"
	"workforce/graph/model"
	"workforce/internal/app/organization"
)

func (r *companyResolver) Settings(ctx context.Context, obj *ent.Company) (*model.CompanySettings, error) {
	return organization.Settings(obj), nil
}

func (r *companyResolver) ConcernedLeaves(ctx context.Context, obj *ent.Company) ([]*ent.Leave, error) {
	return concernedLeaves(ctx)
}

func (r *mutationResolver) UpdateCompany(ctx context.Context, input model.UpdateCompanyInput) (*ent.Company, error) {
	if err := r.Organization.UpdateCompany(ctx, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Company.Query())
}

func (r *queryResolver) LastBackup(ctx context.Context) (*time.Time, error) {
	return organization.LastBackup(ctx, ent.FromContext(ctx))
}
