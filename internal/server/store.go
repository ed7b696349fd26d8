package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"workforce/ent"
	_ "workforce/ent/runtime"
	entSetting "workforce/ent/setting"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth"
	"workforce/internal/app/privacy"
	"workforce/internal/app/secretkey"
	"workforce/internal/blob"
	"workforce/internal/database"
	"workforce/internal/migration"
	"workforce/internal/sealed"
	"workforce/internal/viewer"
)

// A Store is the open database.
type Store struct {
	DB  *database.DB
	Ent *ent.Client
}

// OpenStore opens the database of a URL. With migrate it applies pending
// migrations; else a pending migration is an error.
func OpenStore(ctx context.Context, url string, migrate bool, log *slog.Logger) (*Store, error) {
	db, err := database.Open(url, log)
	if err != nil {
		return nil, err
	}
	s := &Store{DB: db, Ent: ent.NewClient(ent.Driver(db.Driver()))}
	if err := s.upToDate(ctx, migrate); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", database.Redact(url), err), db.Close())
	}
	return s, nil
}

func (s *Store) upToDate(ctx context.Context, migrate bool) error {
	if migrate {
		return migration.Up(ctx, s.DB)
	}
	pending, err := migration.Pending(ctx, s.DB)
	if err == nil && len(pending) > 0 {
		err = fmt.Errorf("the schema is old: %d migrations are pending; run workforce migrate up", len(pending))
	}
	return err
}

// ready is an error unless the database answers a query: a Galera node without
// quorum answers a ping all the same.
func (s *Store) ready(ctx context.Context) error {
	_, err := s.fingerprint(viewer.System(ctx))
	return err
}

// Close closes the database.
func (s *Store) Close() error { return s.Ent.Close() }

// secretKeys loads the keys of the installation, as secretkey.Open.
func (s *Store) secretKeys(ctx context.Context, path string) (*sealed.Ring, error) {
	return secretkey.Open(ctx, s.Ent, path)
}

// RotatePasswordKey creates a new key for passwords and returns its kid. The
// previous key is accepted for overlap longer. The file is that of the secret key.
func (s *Store) RotatePasswordKey(ctx context.Context, file string, now func() time.Time, overlap time.Duration) (kid string, err error) {
	keys, err := s.secretKeys(ctx, file)
	if err != nil {
		return "", err
	}
	return auth.NewKeyring(s.Ent, keys, now).Rotate(ctx, overlap)
}

// SignIn returns what makes codes for the first sign-in of owners whom a command
// creates. The file is that of the secret key.
func (s *Store) SignIn(ctx context.Context, file string, now func() time.Time) (*auth.Service, error) {
	keys, err := s.secretKeys(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("--secret-key-file: %w", err)
	}
	return auth.New(auth.Deps{DB: s.Ent, Now: now, Keys: keys}), nil
}

// Exports returns what writes exports for a command, with the file store and the secret
// key of s. A folder that is not there is not created. withFaces needs the key.
func (s *Store) Exports(ctx context.Context, c Config, withFaces bool) (*privacy.Service, error) {
	now := c.now()
	out := &privacy.Service{DB: s.Ent, Now: now, Audit: &audit.Recorder{DB: s.Ent, Now: now}}
	if err := c.checkFiles(); err != nil {
		return nil, err
	}
	folder, isFolder := strings.CutPrefix(c.filesURL(), "file:")
	if _, err := os.Stat(folder); !isFolder || err == nil {
		if out.Objects, err = blob.Open(ctx, c.filesURL(), blob.Config{Now: now}); err != nil {
			return nil, fmt.Errorf("--files: %w", err)
		}
		if err := s.checkFiles(ctx, out.Objects, c.filesURL()); err != nil {
			return nil, fmt.Errorf("--files: %w", err)
		}
	}
	known, err := s.fingerprint(viewer.System(ctx))
	if err != nil || known == "" || !withFaces { // without a key there are no faces
		return out, err
	}
	keys, err := s.secretKeys(ctx, c.SecretKeyFile)
	if err != nil {
		return nil, fmt.Errorf("--secret-key-file: %w", err)
	}
	out.Faces = faceSealer(keys)
	return out, nil
}

// fingerprint returns that of the key which the database was used with; "" for
// a new database.
func (s *Store) fingerprint(ctx context.Context) (string, error) {
	return s.setting(ctx, secretkey.Mark)
}

// setting returns the value of a setting; "" where there is none.
func (s *Store) setting(ctx context.Context, name string) (string, error) {
	row, err := s.Ent.Setting.Query().Where(entSetting.Name(name)).Only(ctx)
	if ent.IsNotFound(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return row.Value, nil
}
