package graph

import (
	"context"
	"workforce/graph/model"
)

func (r *mutationResolver) CreateWidgetToken(ctx context.Context, input model.CreateWidgetTokenInput) (*model.CreatedWidgetToken, error) {
	return r.Auth.CreateWidgetToken(ctx, input)
}
