package graph

import (
	"context"
	"workforce/graph/model"
	"workforce/internal/passwordkey"
)

func (r *mutationResolver) Encrypt(ctx context.Context, input model.EncryptInput) (*model.Encrypted, error) {
	return r.Auth.Encrypt(ctx, input)
}

func (r *queryResolver) EncryptionKeys(ctx context.Context) (*passwordkey.JWKS, error) {
	return r.Auth.EncryptionKeys(ctx)
}
