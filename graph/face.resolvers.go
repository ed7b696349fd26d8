package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/facereset"
	"workforce/graph/connection"
	"workforce/graph/model"
)

func (r *mutationResolver) SendFaceResetCode(ctx context.Context) (*model.CodeSent, error) {
	return r.Auth.FaceCodes.Send(ctx)
}

func (r *mutationResolver) RequestFaceReset(ctx context.Context, input model.RequestFaceResetInput) (*ent.FaceReset, error) {
	return r.Enrolment.Request(ctx, input)
}

func (r *mutationResolver) DecideFaceReset(ctx context.Context, id int, input model.DecideFaceResetInput) (*ent.FaceReset, error) {
	if err := r.Enrolment.Decide(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).FaceReset.Query().Where(facereset.ID(id)))
}

func (r *mutationResolver) DecideFaceResets(ctx context.Context, input model.DecideFaceResetsInput) ([]*model.Decided, error) {
	return r.Enrolment.DecideMany(ctx, input)
}

func (r *mutationResolver) ResetFace(ctx context.Context, userID int, input *model.ResetFaceInput) (*model.ResetFace, error) {
	reset, err := r.Enrolment.Reset(ctx, userID, input)
	if err != nil {
		return nil, err
	}
	return &model.ResetFace{Reset: reset}, nil
}

func (r *queryResolver) FaceReset(ctx context.Context, id int) (*ent.FaceReset, error) {
	return connection.One(ctx, ent.FromContext(ctx).FaceReset.Query().Where(facereset.ID(id)))
}
