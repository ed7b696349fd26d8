package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"entgo.io/ent/dialect"

	"workforce/ent"
	_ "workforce/ent/runtime" // policies and hooks
	"workforce/ent/setting"
	"workforce/internal/database"
	"workforce/internal/migration"
	"workforce/internal/plan"
	"workforce/internal/sealed"
	"workforce/internal/viewer"
)

// A store is the open database.
type store struct {
	db  *database.DB
	ent *ent.Client
}

// openStore opens the database of a URL, whose schema is brought up to date, or
// else must be.
func openStore(ctx context.Context, url string, migrate bool, log *slog.Logger) (*store, error) {
	db, err := database.Open(url, log)
	if err != nil {
		return nil, err
	}
	s := &store{db: db, ent: ent.NewClient(ent.Driver(plan.Driver{Driver: db.Driver()}))}
	if err := s.upToDate(ctx, migrate); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", database.Redact(url), err), db.Close())
	}
	return s, nil
}

// warnIfNotDurable logs that a MySQL server may lose what was acknowledged when
// its power fails. A server that knows no such setting says nothing.
func (s *store) warnIfNotDurable(ctx context.Context, log *slog.Logger) {
	var flush int
	if s.db.Dialect != dialect.MySQL {
		return
	}
	err := s.db.Reader.QueryRowContext(ctx, "SELECT @@innodb_flush_log_at_trx_commit").Scan(&flush)
	if err == nil && flush != 1 {
		log.WarnContext(ctx, "the database may lose acknowledged events when its power fails", "innodb_flush_log_at_trx_commit", flush)
	}
}

func (s *store) upToDate(ctx context.Context, migrate bool) error {
	if migrate {
		return migration.Up(ctx, s.db)
	}
	pending, err := migration.Pending(ctx, s.db)
	if err == nil && len(pending) > 0 {
		err = fmt.Errorf("the schema is old: %d migrations are pending; run workforce migrate up", len(pending))
	}
	return err
}

// Close closes the database.
func (s *store) Close() error { return s.ent.Close() }

// keyMark names the setting that holds the fingerprint of the secret key.
const keyMark = "secret-key"

// secretKey loads the installation's secret key, or makes it for a database that
// has none yet. A key other than the database's is refused: what it sealed could
// not be opened.
func (s *store) secretKey(ctx context.Context, path string) (sealed.Key, error) {
	ctx = viewer.System(ctx)
	known, err := s.fingerprint(ctx)
	if err != nil {
		return sealed.Key{}, err
	}
	key, err := sealed.Load(path)
	if errors.Is(err, fs.ErrNotExist) && known == "" {
		key, err = sealed.Create(path)
	}
	if err != nil {
		return key, fmt.Errorf("secret key: %w", err)
	}
	if known == "" {
		err := s.ent.Setting.Create().SetName(keyMark).SetValue(key.Fingerprint()).Exec(ctx)
		if err != nil && !ent.IsConstraintError(err) { // another instance was faster
			return key, err
		}
		if known, err = s.fingerprint(ctx); err != nil {
			return key, err
		}
	}
	if known != key.Fingerprint() {
		return key, fmt.Errorf("secret key: %s is not the key of this database", path)
	}
	return key, nil
}

// fingerprint returns that of the key which the database was used with; "" for
// a new database.
func (s *store) fingerprint(ctx context.Context) (string, error) {
	row, err := s.ent.Setting.Query().Where(setting.Name(keyMark)).Only(ctx)
	if ent.IsNotFound(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return row.Value, nil
}

// inTx runs a step in one transaction, which an error undoes.
func inTx(ctx context.Context, db *ent.Client, step func(*ent.Client) error) error {
	tx, err := db.Tx(ctx)
	if err != nil {
		return err
	}
	if err := step(tx.Client()); err != nil {
		_ = tx.Rollback() // err tells more
		return err
	}
	return tx.Commit()
}
