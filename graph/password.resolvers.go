package graph

import (
	"context"
	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

func (r *mutationResolver) ChangePassword(ctx context.Context, input model.ChangePasswordInput) (*model.PasswordChange, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	before, after, err := r.changedSecrets(ctx, input)
	if err != nil {
		return nil, err
	}
	ctx = system(ctx)
	u, err := ent.FromContext(ctx).User.Get(ctx, me.UserID)
	if err != nil {
		return nil, err
	}
	c := claimOf(ctx, token.Access)
	if err := r.proveOld(ctx, u, c.Device.ID, before); err != nil {
		return nil, err
	}
	if err := r.checkChosen(ctx, "newPassword", after, u); err != nil {
		return nil, err
	}
	hash, err := r.Passwords.Hash(ctx, after)
	if err != nil {
		return nil, err
	}
	err = r.inTx(ctx, func(ctx context.Context) error { return r.setChosen(ctx, c.Session, u, hash) })
	return &model.PasswordChange{Changed: true}, err
}
