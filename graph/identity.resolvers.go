package graph

import (
	"context"
	"fmt"
	"workforce/ent"
	"workforce/graph/model"
)

func (r *mutationResolver) Login(ctx context.Context, input model.LoginInput) (*model.Login, error) {
	panic(fmt.Errorf("not implemented: Login - login"))
}

func (r *mutationResolver) Logout(ctx context.Context) (*model.Logout, error) {
	panic(fmt.Errorf("not implemented: Logout - logout"))
}

func (r *mutationResolver) ForgotPassword(ctx context.Context, input model.ForgotPasswordInput) (*model.PasswordResetRequest, error) {
	panic(fmt.Errorf("not implemented: ForgotPassword - forgotPassword"))
}

func (r *mutationResolver) ResetPassword(ctx context.Context, input model.ResetPasswordInput) (*model.Profile, error) {
	panic(fmt.Errorf("not implemented: ResetPassword - resetPassword"))
}

func (r *mutationResolver) Verify(ctx context.Context, input model.VerifyInput) (*model.Verification, error) {
	panic(fmt.Errorf("not implemented: Verify - verify"))
}

func (r *mutationResolver) AccessToken(ctx context.Context) (*model.TokenPair, error) {
	panic(fmt.Errorf("not implemented: AccessToken - accessToken"))
}

func (r *mutationResolver) RefreshToken(ctx context.Context) (*model.TokenPair, error) {
	panic(fmt.Errorf("not implemented: RefreshToken - refreshToken"))
}

func (r *queryResolver) Profile(ctx context.Context) (*model.Profile, error) {
	panic(fmt.Errorf("not implemented: Profile - profile"))
}

func (r *queryResolver) TokenInfo(ctx context.Context) (*model.TokenInfo, error) {
	panic(fmt.Errorf("not implemented: TokenInfo - tokenInfo"))
}

func (r *queryResolver) Viewer(ctx context.Context) (*ent.User, error) {
	panic(fmt.Errorf("not implemented: Viewer - viewer"))
}
