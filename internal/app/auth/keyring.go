package auth

import (
	"context"
	"errors"
	"sync"
	"time"

	"workforce/ent"
	entPasswordKey "workforce/ent/passwordkey"
	"workforce/internal/app/audit"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/passwordkey"
	"workforce/internal/sealed"
	"workforce/internal/viewer"
)

// keysLife is how long the keys are cached.
const keysLife = 5 * time.Second

// A Keyring holds the keys that passwords are encrypted for. It caches them.
type Keyring struct {
	DB     *ent.Client
	Now    func() time.Time
	sealer *sealed.Sealer // of the private parts

	making sync.Mutex // held while the first key is made

	mu   sync.Mutex
	set  passwordkey.Set
	read time.Time // zero: never
}

// NewKeyring returns the keyring of an installation.
func NewKeyring(db *ent.Client, keys *sealed.Ring, now func() time.Time) *Keyring {
	return &Keyring{DB: db, Now: now, sealer: keys.Sealer("password keys")}
}

// cached returns the keys if they were read within keysLife.
func (k *Keyring) cached(now time.Time) (passwordkey.Set, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	age := now.Sub(k.read)
	return k.set, 0 <= age && age < keysLife
}

func (k *Keyring) put(set passwordkey.Set, read time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.set, k.read = set, read
}

// All returns the keys that passwords may be encrypted for, and makes the first
// one. Another instance's new key is known within keysLife. It must not be called
// within a transaction.
func (k *Keyring) All(ctx context.Context) (passwordkey.Set, error) {
	if set, ok := k.cached(k.Now()); ok {
		return set, nil
	}
	return k.reread(ctx)
}

// reread is All without the cache.
func (k *Keyring) reread(ctx context.Context) (passwordkey.Set, error) {
	ctx, now := viewer.System(ctx), k.Now()
	set, err := k.readKeys(ctx, now)
	if err != nil {
		return set, err
	}
	if _, ok := set.Current(); !ok {
		if err := k.addFirst(ctx); err != nil {
			return set, err
		}
		if set, err = k.readKeys(ctx, now); err != nil {
			return set, err
		}
	}
	k.put(set, now)
	return set, nil
}

func (k *Keyring) readKeys(ctx context.Context, now time.Time) (passwordkey.Set, error) {
	rows, err := k.DB.PasswordKey.Query().
		Where(entPasswordKey.Or(entPasswordKey.AcceptedUntilIsNil(), entPasswordKey.AcceptedUntilGT(now))).All(ctx)
	if err != nil {
		return passwordkey.Set{}, err
	}
	keys := make([]passwordkey.Key, len(rows))
	for i, row := range rows {
		if keys[i], err = k.unseal(row); err != nil {
			return passwordkey.Set{}, err
		}
	}
	return passwordkey.NewSet(keys...), nil
}

func (k *Keyring) unseal(row *ent.PasswordKey) (passwordkey.Key, error) {
	der, err := k.sealer.Open(row.SealedPrivate, row.Kid)
	if err != nil {
		return passwordkey.Key{}, err
	}
	until := time.Time{}
	if row.AcceptedUntil != nil {
		until = *row.AcceptedUntil
	}
	return passwordkey.Unmarshal(der, row.CreatedAt, until)
}

// addFirst makes the first key, unless there is one by now: of another request or
// instance.
func (k *Keyring) addFirst(ctx context.Context) error {
	k.making.Lock()
	defer k.making.Unlock()
	if made, err := k.DB.PasswordKey.Query().Where(entPasswordKey.Current(1)).Exist(ctx); err != nil || made {
		return err
	}
	key, text, err := k.newKey()
	if err != nil {
		return err
	}
	err = storeKey(ent.NewContext(ctx, k.DB), key, text)
	if ent.IsConstraintError(err) {
		return nil
	}
	return err
}

// newKey makes a key and encrypts its private part.
func (k *Keyring) newKey() (key passwordkey.Key, text string, err error) {
	if key, err = passwordkey.New(k.Now()); err != nil {
		return key, "", err
	}
	der, err := key.Marshal()
	if err != nil {
		return key, "", err
	}
	text, err = k.sealer.Seal(der, key.ID())
	return key, text, err
}

// storeKey stores a key as the current one, of which there is one.
func storeKey(ctx context.Context, key passwordkey.Key, text string) error {
	return ent.FromContext(ctx).PasswordKey.Create().
		SetKid(key.ID()).SetSealedPrivate(text).SetCurrent(1).SetCreatedAt(key.CreatedAt).Exec(ctx)
}

// Rotate makes a new key to encrypt passwords for, and returns its kid. The key
// before it is accepted for overlap. Other instances know within keysLife.
func (k *Keyring) Rotate(ctx context.Context, overlap time.Duration) (string, error) {
	if overlap < 0 {
		return "", errors.New("the overlap must not be negative")
	}
	key, text, err := k.newKey()
	if err != nil {
		return "", err
	}
	err = tx.Run(viewer.System(ctx), k.DB, func(ctx context.Context) error {
		err := ent.FromContext(ctx).PasswordKey.Update().Where(entPasswordKey.Current(1)).
			ClearCurrent().SetAcceptedUntil(key.CreatedAt.Add(overlap)).Exec(ctx)
		if err != nil {
			return err
		}
		if err := storeKey(ctx, key, text); err != nil {
			return err
		}
		return k.recordRotation(ctx, key.ID())
	})
	k.put(passwordkey.Set{}, time.Time{})
	return key.ID(), err
}

// recordRotation records a new key in the audit of every company: all of them use it.
func (k *Keyring) recordRotation(ctx context.Context, kid string) error {
	companies, err := ent.FromContext(ctx).Company.Query().IDs(ctx)
	if err != nil {
		return err
	}
	events := make([]audit.Event, len(companies))
	for i, id := range companies {
		events[i] = audit.Event{Action: audit.KeyRotated, Company: id, Subject: ent.TypePasswordKey, Facts: map[string]any{"kid": kid}}
	}
	return (&audit.Recorder{DB: k.DB, Now: k.Now}).Record(ctx, events...)
}

// open decrypts a password. Where that fails the keys are read again
// first: another instance may have made a new one just now.
func (k *Keyring) open(ctx context.Context, field, text string) (string, error) {
	set, err := k.All(ctx)
	if err != nil {
		return "", err
	}
	plain, err := set.Open(field, text, k.Now())
	if !errs.Is(err, errs.PasswordKeyInvalid) {
		return plain, err
	}
	if set, err = k.reread(ctx); err != nil {
		return "", err
	}
	return set.Open(field, text, k.Now())
}
