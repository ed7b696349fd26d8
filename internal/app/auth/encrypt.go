package auth

import (
	"context"

	"workforce/graph/model"
	"workforce/internal/errs"
	"workforce/internal/passwordkey"
)

// Encrypt encrypts a password for the installation's current key, for clients that
// cannot.
func (s *Service) Encrypt(ctx context.Context, in model.EncryptInput) (*model.Encrypted, error) {
	if in.Value == "" {
		return nil, errs.Because("value", errs.Required, nil)
	}
	keys, err := s.Passwords.Keys.All(ctx)
	if err != nil {
		return nil, err
	}
	text, err := keys.Encrypt("value", in.Value)
	return &model.Encrypted{Value: text}, err
}

// EncryptionKeys returns the public keys that passwords may be encrypted for.
func (s *Service) EncryptionKeys(ctx context.Context) (*passwordkey.JWKS, error) {
	keys, err := s.Passwords.Keys.All(ctx)
	if err != nil {
		return nil, err
	}
	set := keys.JWKS(s.Now())
	return &set, nil
}
