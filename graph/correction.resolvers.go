package graph

import (
	"context"
	"workforce/ent"
	entCorrection "workforce/ent/correction"
	"workforce/graph/connection"
	"workforce/graph/model"
	"workforce/internal/app/correction"
)

func (r *correctionResolver) Before(ctx context.Context, obj *ent.Correction) (*model.AttendanceVersion, error) {
	return correction.Shown(obj.Before), nil
}

func (r *correctionResolver) After(ctx context.Context, obj *ent.Correction) (*model.AttendanceVersion, error) {
	return correction.Shown(obj.After), nil
}

func (r *correctionResolver) Decider(ctx context.Context, obj *ent.Correction) (*ent.User, error) {
	return decider(ctx, entCorrection.Table, obj.DecidedBy)
}

func (r *mutationResolver) RequestCorrection(ctx context.Context, input model.RequestCorrectionInput) (*ent.Correction, error) {
	id, err := r.Corrections.Request(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Correction.Query().Where(entCorrection.ID(id)))
}

func (r *mutationResolver) DecideCorrection(ctx context.Context, id int, input model.DecideInput) (*ent.Correction, error) {
	if err := r.Corrections.Decide(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Correction.Query().Where(entCorrection.ID(id)))
}

func (r *mutationResolver) DecideCorrections(ctx context.Context, input model.DecideCorrectionsInput) ([]*model.Decided, error) {
	return r.Corrections.DecideMany(ctx, input)
}

func (r *mutationResolver) CancelCorrection(ctx context.Context, id int) (*ent.Correction, error) {
	if err := r.Corrections.Cancel(ctx, id); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Correction.Query().Where(entCorrection.ID(id)))
}

func (r *queryResolver) Correction(ctx context.Context, id int) (*ent.Correction, error) {
	return connection.One(ctx, ent.FromContext(ctx).Correction.Query().Where(entCorrection.ID(id)))
}
