package graph

import (
	"context"
	"workforce/ent"
	"workforce/graph/model"
)

func (r *mutationResolver) CreateAPIKey(ctx context.Context, input model.CreateAPIKeyInput) (*model.CreatedAPIKey, error) {
	return r.Auth.CreateAPIKey(ctx, input)
}

func (r *mutationResolver) RevokeAPIKey(ctx context.Context, id int) (*ent.APIKey, error) {
	return r.Auth.RevokeAPIKey(ctx, id)
}
