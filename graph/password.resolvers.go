package graph

import (
	"context"
	"workforce/graph/model"
)

func (r *mutationResolver) ChangePassword(ctx context.Context, input model.ChangePasswordInput) (*model.PasswordChange, error) {
	return r.Auth.ChangePassword(ctx, input)
}
