package auth

import (
	"context"
	"encoding/base64"

	"workforce/ent"
	"workforce/ent/formerpassword"
	"workforce/ent/predicate"
	"workforce/ent/user"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/password"
)

// maxSecret is how many bytes a password may have.
const maxSecret = 1024

// history is how many passwords of a user, the present one among them, may not
// be chosen again.
const history = 5

// Passwords reads, checks and replaces passwords.
type Passwords struct {
	Deps
	Keys *Keyring
}

// plain reads a password as it was sent: encrypted, or else by the
// installation's legacy decoding. It is VALIDATION_FAILED or
// PASSWORD_KEY_INVALID on the field; text in the form of a JWE is never a
// password itself. It must not be called within a transaction.
func (p *Passwords) plain(ctx context.Context, field, text string) (string, error) {
	switch {
	case text == "":
		return "", errs.Because(field, errs.Required, nil)
	case password.IsJWE(text):
		return p.Keys.open(ctx, field, text)
	case p.Base64Passwords:
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

// Read returns a password as it was typed. It fails with the faults of the
// request's other members together with the password's own. It must not be called
// within a transaction.
func (p *Passwords) Read(ctx context.Context, faults errs.Faults, field, text string) (string, error) {
	plain, err := p.plain(ctx, field, text)
	if err != nil {
		wrong := errs.As(err).Faults
		if len(wrong) == 0 {
			return "", err
		}
		faults = append(faults, wrong...)
	}
	return plain, faults.Err()
}

// CheckNew refuses a password that a user may not choose: PASSWORD_WEAK on the
// field. It takes the time of up to five hashes.
func (p *Passwords) CheckNew(ctx context.Context, field, text string, u *ent.User) error {
	company, err := ent.FromContext(ctx).Company.Get(ctx, u.CompanyID)
	if err != nil {
		return err
	}
	if err := password.Check(field, text, append(names(u), company.Name)...); err != nil {
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
		same, _, err := p.Hasher.Verify(ctx, hash, text)
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

// replace gives a user, read before, another password, and notifies them.
// CONFLICT where another request did so meanwhile.
func (p *Passwords) replace(ctx context.Context, u *ent.User, hash string) error {
	n, err := ent.FromContext(ctx).User.Update().Where(user.ID(u.ID), hasPassword(u)).SetPasswordHash(hash).Save(ctx)
	if err != nil {
		return err
	}
	if n == 0 {
		return errs.Conflicts(errs.ChangedMeanwhile, "", nil)
	}
	if err := p.addToHistory(ctx, u); err != nil {
		return err
	}
	return p.Notify.Notify(ctx, u, message.PasswordChanged, message.Facts{})
}

// hasPassword matches a user who has the same password still.
func hasPassword(u *ent.User) predicate.User {
	if u.PasswordHash == nil {
		return user.PasswordHashIsNil()
	}
	return user.PasswordHash(*u.PasswordHash)
}

// addToHistory stores a user's present password among the former ones, and
// deletes those that may be chosen again.
func (p *Passwords) addToHistory(ctx context.Context, u *ent.User) error {
	if u.PasswordHash == nil {
		return nil
	}
	db := ent.FromContext(ctx).FormerPassword
	err := db.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetHash(*u.PasswordHash).SetCreatedAt(p.Now()).Exec(ctx)
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

// names returns a user's own texts, of which a password may not be made.
func names(u *ent.User) []string {
	own := []string{u.Name, u.Email}
	if u.Phone != nil {
		own = append(own, *u.Phone)
	}
	return own
}
