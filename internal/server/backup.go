package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"filippo.io/age"
	"workforce/ent"
	"workforce/ent/company"
	"workforce/ent/user"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth/trust"
	"workforce/internal/app/job"
	"workforce/internal/app/organization"
	"workforce/internal/backup"
	"workforce/internal/blob"
	"workforce/internal/database"
	"workforce/internal/sealed"
	"workforce/internal/viewer"
)

// ParseRecipients parses public keys of age, such as age1….
func ParseRecipients(texts ...string) (list []age.Recipient, err error) {
	for _, text := range texts {
		parsed, err := age.ParseRecipients(strings.NewReader(text))
		if err != nil {
			return nil, errors.New("must be a public key of age, such as age1…, which age-keygen prints")
		}
		list = append(list, parsed...)
	}
	return list, nil
}

// A BackupRequest says how a backup is written.
type BackupRequest struct {
	Recipients []age.Recipient
	WithKey    bool
	Program    string // version of the program
	Progress   func(rows, files int)
}

// Backup writes a backup of the database and of the file store that the settings name.
func (s *Store) Backup(ctx context.Context, c Config, to io.Writer, q BackupRequest) (m backup.Manifest, err error) {
	id, err := s.setting(viewer.System(ctx), installationID)
	if err != nil {
		return m, err
	}
	if id == "" {
		return m, errors.New("there is nothing to back up: no server has used this database yet")
	}
	keys, err := s.secretKeys(ctx, c.SecretKeyFile)
	if err != nil {
		return m, fmt.Errorf("--secret-key-file: %w", err)
	}
	if err := c.checkFiles(); err != nil {
		return m, err
	}
	store, err := s.ownFiles(ctx, c, id)
	if err != nil {
		return m, fmt.Errorf("--files: %w", err)
	}
	source := backup.Source{
		DB: s.DB, Objects: store, Key: keys.Keys()[0], Now: c.now(), Program: q.Program,
		Recipients: q.Recipients, Progress: q.Progress,
	}
	if q.WithKey {
		if source.KeyFile, err = os.ReadFile(c.SecretKeyFile); err != nil {
			return m, fmt.Errorf("--secret-key-file: %w", err)
		}
	}
	return backup.Write(ctx, to, source)
}

// ownFiles opens the file store of the settings, which must have the mark of the installation. It
// creates nothing.
func (s *Store) ownFiles(ctx context.Context, c Config, id string) (*blob.Store, error) {
	if folder, ok := strings.CutPrefix(c.filesURL(), "file:"); ok {
		if _, err := os.Stat(folder); err != nil {
			return nil, err
		}
	}
	store, err := blob.Open(ctx, c.filesURL(), blob.Config{Now: c.now()})
	if err != nil {
		return nil, err
	}
	mark, err := store.Mark(ctx)
	switch {
	case err != nil:
		return nil, err
	case mark == "":
		return nil, fmt.Errorf("%s is not the file store of this database: it has no mark", c.filesURL())
	case mark != id:
		return nil, s.refused(&blob.ForeignError{Mark: mark}, c.filesURL(), id)
	}
	return store, nil
}

// A RestoreRequest says what is restored, and how.
type RestoreRequest struct {
	From           io.ReadSeeker
	Database       string
	Files          string
	SecretKeyFile  string // with the key that the backup was signed under; "" with AcceptUnsigned alone
	Identities     []age.Identity
	AcceptUnsigned bool
	KeepSessions   bool
	Resume         bool
	Progress       func(rows, files int)
	Waiting        func() // told where another restore, which may have been killed, has the database
}

// A Restored tells what a restore wrote.
type Restored struct {
	backup.Manifest
	KeyFile []byte // of the secret key, where the backup has it
	Owners  []Owner
}

// An Owner is somebody who owns a company.
type Owner struct{ Company, Name, Email string }

// Restore restores a backup into an empty database and an empty file store.
func Restore(ctx context.Context, q RestoreRequest, now func() time.Time) (out Restored, err error) {
	keys := backup.Keyring{Identities: q.Identities}
	if q.SecretKeyFile != "" {
		if keys.Keys, err = sealed.Load(q.SecretKeyFile); err != nil {
			return out, fmt.Errorf("--secret-key-file: %w", err)
		}
	}
	c := Config{Files: q.Files, SecretKeyFile: q.SecretKeyFile}
	if err := c.checkFiles(); err != nil {
		return out, err
	}
	var s *Store
	out.Manifest, out.KeyFile, err = backup.Restore(ctx, q.From, backup.Target{
		Open: func(ctx context.Context) (*database.DB, *blob.Store, error) {
			db, err := database.Open(q.Database, nil)
			if err != nil {
				return nil, nil, err
			}
			s = &Store{DB: db, Ent: ent.NewClient(ent.Driver(db.Driver()))}
			store, err := blob.Open(ctx, c.filesURL(), blob.Config{Now: now})
			if err != nil {
				err = fmt.Errorf("--files: %w", err)
			}
			return db, store, err
		},
		Now: now, Keyring: keys, AcceptUnsigned: q.AcceptUnsigned, Progress: q.Progress,
		KeepSessions: q.KeepSessions, Resume: q.Resume, Waiting: q.Waiting,
		Finish: func(ctx context.Context, m backup.Manifest) error {
			out.Owners, err = s.restored(viewer.System(ctx), m, q, now)
			return err
		},
	})
	if s != nil {
		err = errors.Join(err, s.Close())
	}
	return out, err
}

// restored records the restore in the audit of each company, and returns their owners.
func (s *Store) restored(ctx context.Context, m backup.Manifest, q RestoreRequest,
	now func() time.Time) (list []Owner, err error) {
	companies, err := s.Ent.Company.Query().Order(ent.Asc(company.FieldID)).All(ctx)
	if err != nil {
		return nil, err
	}
	recorder := &audit.Recorder{DB: s.Ent, Now: now}
	for _, c := range companies {
		owners, err := s.Ent.User.Query().Where(user.CompanyID(c.ID), user.Active(true),
			trust.Owns).Order(ent.Asc(user.FieldID)).All(ctx)
		if err != nil {
			return nil, err
		}
		for _, u := range owners {
			list = append(list, Owner{c.Name, u.Name, u.Email})
		}
		err = recorder.Record(ctx, audit.Event{
			Action: audit.CompanyRestored, Company: c.ID, Subject: ent.TypeCompany, ID: c.ID,
			Facts: map[string]any{"backup_of": m.Instant.Format(time.RFC3339), "sessions_kept": q.KeepSessions,
				"work_resumed": q.Resume},
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// backupName returns the name of the file of a scheduled backup, by which backups of one
// installation sort by time.
func backupName(installation string, at time.Time, encrypted bool) string {
	name := backupPrefix(installation) + at.UTC().Format("20060102T150405Z") + ".tar.zst"
	if encrypted {
		name += ".age"
	}
	return name
}

// backupPrefix begins the names of the backups of an installation. Others in the folder or
// bucket stay.
func backupPrefix(installation string) string { return "workforce-" + installation[:8] + "-" }

// scheduleBackups adds the job that writes backups, and deletes those that are not kept any more.
func (srv *Server) scheduleBackups(ctx context.Context) error {
	c := srv.config
	if c.BackupTo == "" {
		return nil
	}
	if _, err := blob.OpenVault(ctx, c.backupURL()); err != nil {
		return fmt.Errorf("--backup-to: %w", err)
	}
	srv.Services.Jobs.Add(job.Kind{Name: "backup", Every: c.BackupEvery, Run: func(ctx context.Context, _ *job.Run) error {
		vault, err := blob.OpenVault(ctx, c.backupURL())
		if err != nil {
			return err
		}
		m, err := srv.backUp(ctx, c, vault)
		if err != nil {
			return err
		}
		if err := m.Incomplete(); err != nil {
			srv.log.WarnContext(ctx, "the backup lacks files", "error", err)
		}
		if err := organization.Backed(ctx, srv.Store.Ent, m.Instant); err != nil {
			return err
		}
		return prune(ctx, vault, m.Installation, c.BackupKeep)
	}})
	return nil
}

// backUp writes one backup into a vault, where it has its name once it is whole.
func (srv *Server) backUp(ctx context.Context, c Config, vault *blob.Vault) (m backup.Manifest, err error) {
	q := BackupRequest{Program: c.Program}
	if c.BackupRecipient != "" {
		if q.Recipients, err = ParseRecipients(c.BackupRecipient); err != nil {
			return m, err
		}
	}
	id, err := srv.Store.installation(ctx)
	if err != nil {
		return m, err
	}
	read, write := io.Pipe()
	written := make(chan error, 1)
	go func() {
		var err error
		m, err = srv.Store.Backup(ctx, c, write, q)
		_ = write.CloseWithError(err) // never fails
		written <- err
	}()
	put := vault.Put(ctx, backupName(id, c.now()(), c.BackupRecipient != ""), read)
	_ = read.CloseWithError(put) // never fails; the writer ends where the vault did
	if err := <-written; err != nil {
		return m, err
	}
	return m, put
}

// prune deletes all backups of an installation but the newest.
func prune(ctx context.Context, vault *blob.Vault, installation string, keep int) error {
	names, err := vault.Names(ctx)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return !strings.HasPrefix(name,
			backupPrefix(installation))
	})
	slices.Sort(names)
	for _, name := range names[:max(0, len(names)-keep)] {
		if err := vault.Delete(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// backupURL returns the URL of the vault of scheduled backups.
func (s Config) backupURL() string {
	if strings.HasPrefix(s.BackupTo, "s3://") {
		return s.BackupTo
	}
	return "file:" + strings.TrimPrefix(s.BackupTo, "file:")
}

// checkBackup checks the settings of scheduled backups.
func (s Config) checkBackup() error {
	if s.BackupTo == "" {
		return unless(s.BackupRecipient == "", "--backup-recipient is for --backup-to only")
	}
	var to, recipient error
	if err := blob.Check(s.backupURL()); err != nil {
		to = fmt.Errorf("--backup-to: %w", err)
	}
	folder, isFolder := strings.CutPrefix(s.backupURL(), "file:")
	if files, ok := strings.CutPrefix(s.filesURL(), "file:"); ok && isFolder && isWithin(folder, files) {
		to = errors.New("--backup-to must not lie in the folder of --files")
	}
	if s.BackupRecipient != "" {
		_, recipient = flagged("--backup-recipient", s.BackupRecipient,
			func(text string) ([]age.Recipient, error) { return ParseRecipients(text) })
	}
	return errors.Join(to, recipient,
		unless(s.BackupEvery >= time.Minute, "--backup-every must be at least 1m, not %v", s.BackupEvery),
		unless(s.BackupKeep >= 1, "--backup-keep must be at least 1, not %d", s.BackupKeep))
}

// isWithin reports whether a folder is another one, or lies in it.
func isWithin(folder, other string) bool {
	from, err1 := filepath.Abs(other)
	to, err2 := filepath.Abs(folder)
	way, err := filepath.Rel(from, to)
	return errors.Join(err1, err2, err) == nil && filepath.IsLocal(way)
}
