package graph

import (
	"context"
	"errors"
	"sync"
	"time"

	"workforce/ent"
	entkey "workforce/ent/passwordkey"
	"workforce/internal/errs"
	"workforce/internal/passwordkey"
	"workforce/internal/sealed"
)

// keysFresh is how long an instance goes by the password keys that it read.
const keysFresh = 5 * time.Second

// A keyring holds the password keys as they were read last.
type keyring struct {
	sealer *sealed.Sealer // of the private parts

	mu   sync.Mutex
	set  passwordkey.Set
	read time.Time // zero: never
}

// at returns the keys if they were read recently.
func (k *keyring) at(now time.Time) (passwordkey.Set, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	age := now.Sub(k.read)
	return k.set, 0 <= age && age < keysFresh
}

func (k *keyring) put(set passwordkey.Set, read time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.set, k.read = set, read
}

// passwordKeys returns the keys that passwords may be encrypted for, and makes
// the first one. Another instance's new key is known within 5 s. It must not be
// called within a transaction.
func (r *Resolver) passwordKeys(ctx context.Context) (passwordkey.Set, error) {
	if set, ok := r.ring.at(r.Now()); ok {
		return set, nil
	}
	return r.readPasswordKeys(ctx)
}

// readPasswordKeys is passwordKeys with those that the database has now.
func (r *Resolver) readPasswordKeys(ctx context.Context) (passwordkey.Set, error) {
	ctx, now := system(ctx), r.Now()
	set, err := r.storedKeys(ctx, now)
	if err != nil {
		return set, err
	}
	if _, ok := set.Current(); !ok {
		if err := r.addPasswordKey(ctx); err != nil {
			return set, err
		}
		if set, err = r.storedKeys(ctx, now); err != nil {
			return set, err
		}
	}
	r.ring.put(set, now)
	return set, nil
}

func (r *Resolver) storedKeys(ctx context.Context, now time.Time) (passwordkey.Set, error) {
	rows, err := r.DB.PasswordKey.Query().
		Where(entkey.Or(entkey.AcceptedUntilIsNil(), entkey.AcceptedUntilGT(now))).All(ctx)
	if err != nil {
		return passwordkey.Set{}, err
	}
	keys := make([]passwordkey.Key, len(rows))
	for i, row := range rows {
		if keys[i], err = r.unsealKey(row); err != nil {
			return passwordkey.Set{}, err
		}
	}
	return passwordkey.NewSet(keys...), nil
}

func (r *Resolver) unsealKey(row *ent.PasswordKey) (passwordkey.Key, error) {
	der, err := r.ring.sealer.Open(row.SealedPrivate, row.Kid)
	if err != nil {
		return passwordkey.Key{}, err
	}
	until := time.Time{}
	if row.AcceptedUntil != nil {
		until = *row.AcceptedUntil
	}
	return passwordkey.Unmarshal(der, row.CreatedAt, until)
}

// addPasswordKey makes the first key, unless another instance is faster.
func (r *Resolver) addPasswordKey(ctx context.Context) error {
	key, text, err := r.newPasswordKey()
	if err != nil {
		return err
	}
	err = keepPasswordKey(ent.NewContext(ctx, r.DB), key, text)
	if ent.IsConstraintError(err) {
		return nil
	}
	return err
}

// newPasswordKey makes a key, and seals its private part.
func (r *Resolver) newPasswordKey() (key passwordkey.Key, text string, err error) {
	if key, err = passwordkey.New(r.Now()); err != nil {
		return key, "", err
	}
	der, err := key.Marshal()
	if err != nil {
		return key, "", err
	}
	text, err = r.ring.sealer.Seal(der, key.ID())
	return key, text, err
}

// keepPasswordKey stores a key as the current one, of which there is one.
func keepPasswordKey(ctx context.Context, key passwordkey.Key, text string) error {
	return ent.FromContext(ctx).PasswordKey.Create().
		SetKid(key.ID()).SetSealedPrivate(text).SetCurrent(1).SetCreatedAt(key.CreatedAt).Exec(ctx)
}

// RotatePasswordKey makes a new key to encrypt passwords for, and returns its
// kid. The one before is accepted for overlap yet; an instance that has just
// read the keys goes by them a few seconds more.
func (r *Resolver) RotatePasswordKey(ctx context.Context, overlap time.Duration) (string, error) {
	if overlap < 0 {
		return "", errors.New("the overlap must not be negative")
	}
	key, text, err := r.newPasswordKey()
	if err != nil {
		return "", err
	}
	err = r.inTx(system(ctx), func(ctx context.Context) error {
		err := ent.FromContext(ctx).PasswordKey.Update().Where(entkey.Current(1)).
			ClearCurrent().SetAcceptedUntil(key.CreatedAt.Add(overlap)).Exec(ctx)
		if err != nil {
			return err
		}
		return keepPasswordKey(ctx, key, text)
	})
	r.ring.put(passwordkey.Set{}, time.Time{})
	return key.ID(), err
}

// openPassword decrypts a password. Where that fails the keys are read again
// first: another instance may have made a new one just now.
func (r *Resolver) openPassword(ctx context.Context, field, text string) (string, error) {
	set, err := r.passwordKeys(ctx)
	if err != nil {
		return "", err
	}
	plain, err := set.Open(field, text, r.Now())
	if !errs.Is(err, errs.PasswordKeyInvalid) {
		return plain, err
	}
	if set, err = r.readPasswordKeys(ctx); err != nil {
		return "", err
	}
	return set.Open(field, text, r.Now())
}
