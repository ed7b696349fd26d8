package graph

import (
	"context"
	"encoding/base64"

	"workforce/ent"
	"workforce/ent/formerpassword"
	"workforce/ent/predicate"
	"workforce/ent/session"
	enttoken "workforce/ent/token"
	"workforce/ent/user"
	"workforce/graph/identity"
	"workforce/graph/model"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/password"
)

// maxSecret is how many bytes a password may have.
const maxSecret = 1024

// history is how many passwords of a user, the present one among them, may not
// be chosen again.
const history = 5

// plainPassword reads a password as it was sent: encrypted, or else by the
// installation's legacy decoding. It is VALIDATION_FAILED or
// PASSWORD_KEY_INVALID on the field; text in the form of a JWE is never a
// password itself. It must not be called within a transaction.
func (r *Resolver) plainPassword(ctx context.Context, field, text string) (string, error) {
	switch {
	case text == "":
		return "", errs.Because(field, errs.Required, nil)
	case password.IsJWE(text):
		return r.openPassword(ctx, field, text)
	case r.Base64Passwords:
		plain, ok := decodeBase64(text)
		if !ok {
			return "", errs.Because(field, errs.Unreadable, nil)
		}
		text = plain
	}
	if len(text) > maxSecret {
		return "", errs.Because(field, errs.TooLong, errs.Meta{"max": maxSecret})
	}
	return text, nil
}

// decodeBase64 reads base64 of either alphabet, padded or not.
func decodeBase64(text string) (string, bool) {
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if plain, err := e.DecodeString(text); err == nil {
			return string(plain), true
		}
	}
	return "", false
}

// secret is plainPassword of a request whose other members have faults, which
// are listed together.
func (r *Resolver) secret(ctx context.Context, faults errs.Faults, field, text string) (string, error) {
	plain, err := r.plainPassword(ctx, field, text)
	switch {
	case errs.Is(err, errs.Invalid):
		faults = append(faults, errs.As(err).Faults...)
	case err != nil && len(faults) == 0:
		return "", err
	}
	return plain, faults.Err()
}

// changedSecrets reads the old and the new password.
func (r *Resolver) changedSecrets(ctx context.Context, input model.ChangePasswordInput) (before, after string, err error) {
	var faults errs.Faults
	before, err = r.secret(ctx, nil, "oldPassword", input.OldPassword)
	if errs.Is(err, errs.Invalid) {
		faults = errs.As(err).Faults
	} else if err != nil {
		return "", "", err
	}
	after, err = r.secret(ctx, faults, "newPassword", input.NewPassword)
	return before, after, err
}

// checkChosen refuses a password that a user may not choose: PASSWORD_WEAK on
// the field. It takes the time of up to five hashes.
func (r *Resolver) checkChosen(ctx context.Context, field, text string, u *ent.User) error {
	if err := password.Check(field, text, names(u)...); err != nil {
		return err
	}
	had, err := formerPasswords(ctx, u.ID)
	if err != nil {
		return err
	}
	hashes := []string{hashOf(u)}
	for _, f := range had[:min(len(had), history-1)] {
		hashes = append(hashes, f.Hash)
	}
	for _, hash := range hashes {
		same, err := r.Passwords.Verify(ctx, hash, text)
		if err != nil {
			return err
		}
		if same {
			return errs.Field(errs.PasswordWeak, field,
				errs.Meta{"min": password.MinLength, "max": password.MaxLength, "reason": "reused"})
		}
	}
	return nil
}

// formerPasswords returns those before a user's present one, the newest first.
func formerPasswords(ctx context.Context, id int) ([]*ent.FormerPassword, error) {
	return ent.FromContext(ctx).FormerPassword.Query().Where(formerpassword.UserID(id)).
		Order(ent.Desc(formerpassword.FieldID)).All(ctx)
}

// replacePassword gives a user, read before, another password, and tells them.
// It is CONFLICT where another request did so meanwhile.
func (r *Resolver) replacePassword(ctx context.Context, u *ent.User, hash string) error {
	n, err := ent.FromContext(ctx).User.Update().Where(user.ID(u.ID), hasPassword(u)).SetPasswordHash(hash).Save(ctx)
	if err != nil {
		return err
	}
	if n == 0 {
		return errs.New(errs.Conflict, nil)
	}
	if err := r.keepFormer(ctx, u); err != nil {
		return err
	}
	return r.tell(ctx, u, message.PasswordChanged, message.Facts{})
}

// hasPassword matches a user who has the same password still.
func hasPassword(u *ent.User) predicate.User {
	if u.PasswordHash == nil {
		return user.PasswordHashIsNil()
	}
	return user.PasswordHash(*u.PasswordHash)
}

// keepFormer puts a user's password with the former ones, and deletes those
// that count no more.
func (r *Resolver) keepFormer(ctx context.Context, u *ent.User) error {
	if u.PasswordHash == nil {
		return nil
	}
	db := ent.FromContext(ctx).FormerPassword
	err := db.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetHash(*u.PasswordHash).SetCreatedAt(r.Now()).Exec(ctx)
	if err != nil {
		return err
	}
	all, err := formerPasswords(ctx, u.ID)
	if err != nil {
		return err
	}
	for _, old := range all[min(len(all), history-1):] {
		if err := db.DeleteOne(old).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// proveOld is VALIDATION_FAILED where a text is not a user's password. That
// counts as a failed sign-in with their e-mail address.
func (r *Resolver) proveOld(ctx context.Context, u *ent.User, device int, text string) error {
	if err := r.full(ctx, "failure", r.Limits.Failures); err != nil {
		return err
	}
	g, err := r.guess(ctx, u.EmailKey, u, device)
	if err != nil {
		return err
	}
	ok, err := r.verify(ctx, g, hashOf(u), text)
	if err == nil && !ok {
		err = r.wrongGuess(ctx, g, errs.Because("oldPassword", errs.WrongSecret, nil))
	}
	return err
}

// setChosen gives a user the password that they chose in a session, and ends
// their other ones. The session goes on, but its user token ends with the old
// password.
func (r *Resolver) setChosen(ctx context.Context, s identity.Session, u *ent.User, hash string) error {
	if err := r.replacePassword(ctx, u, hash); err != nil {
		return err
	}
	db := ent.FromContext(ctx)
	live, err := db.Session.Query().Where(session.ID(s.ID), session.RevokedAtIsNil()).Exist(ctx)
	if err != nil {
		return err
	}
	if !live { // ended while the hashes ran
		return errs.New(errs.Unauthenticated, errs.Meta{"token": "access", "reason": revoked})
	}
	if err := r.note(ctx, ofUser(passwordChanged, u, s.DeviceID)); err != nil {
		return err
	}
	err = db.Token.Update().Where(enttoken.SessionID(s.ID), enttoken.KindEQ(enttoken.KindUser), enttoken.RevokedAtIsNil()).
		SetRevokedAt(r.Now()).Exec(ctx)
	if err != nil {
		return err
	}
	return db.Session.Update().
		Where(session.UserID(u.ID), session.IDNEQ(s.ID), session.RevokedAtIsNil()).SetRevokedAt(r.Now()).Exec(ctx)
}
