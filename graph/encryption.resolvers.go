package graph

import (
	"context"
	"workforce/graph/model"
	"workforce/internal/errs"
	"workforce/internal/passwordkey"
)

func (r *mutationResolver) Encrypt(ctx context.Context, input model.EncryptInput) (*model.Encrypted, error) {
	if input.Value == "" {
		return nil, errs.Because("value", errs.Required, nil)
	}
	err := r.inTx(system(ctx), func(ctx context.Context) error {
		return r.count(ctx, "encryption", r.Limits.Encryptions)
	})
	if err != nil {
		return nil, err
	}
	keys, err := r.passwordKeys(ctx)
	if err != nil {
		return nil, err
	}
	text, err := keys.Encrypt("value", input.Value)
	return &model.Encrypted{Value: text}, err
}

func (r *queryResolver) EncryptionKeys(ctx context.Context) (*passwordkey.JWKS, error) {
	keys, err := r.passwordKeys(ctx)
	if err != nil {
		return nil, err
	}
	set := keys.JWKS(r.Now())
	return &set, nil
}
