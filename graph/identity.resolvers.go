package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/user"
	"workforce/graph/connection"
	"workforce/graph/model"
	"workforce/internal/viewer"
)

func (r *mutationResolver) Login(ctx context.Context, input model.LoginInput) (*model.Login, error) {
	return r.Auth.Login(ctx, input)
}

func (r *mutationResolver) Logout(ctx context.Context) (*model.Logout, error) {
	return r.Auth.Logout(ctx)
}

func (r *mutationResolver) ForgotPassword(ctx context.Context, input model.ForgotPasswordInput) (*model.PasswordResetRequest, error) {
	return r.Auth.ForgotPassword(ctx, input)
}

func (r *mutationResolver) ResetPassword(ctx context.Context, input model.ResetPasswordInput) (*model.Profile, error) {
	return r.Auth.ResetPassword(ctx, input)
}

func (r *mutationResolver) RecoverAccount(ctx context.Context, input model.RecoverAccountInput) (*model.AccountRecovery, error) {
	return r.Auth.RecoverAccount(ctx, input)
}

func (r *mutationResolver) Verify(ctx context.Context, input model.VerifyInput) (*model.Verification, error) {
	return r.Auth.Verify(ctx, input)
}

func (r *mutationResolver) AccessToken(ctx context.Context) (*model.TokenPair, error) {
	return r.Auth.AccessToken(ctx)
}

func (r *mutationResolver) RefreshToken(ctx context.Context) (*model.TokenPair, error) {
	return r.Auth.RefreshToken(ctx)
}

func (r *queryResolver) Profile(ctx context.Context) (*model.Profile, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	return r.Profiles.Of(ctx, me.UserID, true)
}

func (r *queryResolver) TokenInfo(ctx context.Context) (*model.TokenInfo, error) {
	return r.Auth.TokenInfo(ctx)
}

func (r *queryResolver) Viewer(ctx context.Context) (*ent.User, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).User.Query().Where(user.ID(me.UserID)))
}
