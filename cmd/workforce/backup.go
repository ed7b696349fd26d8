package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"filippo.io/age"

	"workforce/internal/app/organization"
	"workforce/internal/backup"
	"workforce/internal/sealed"
	"workforce/internal/server"
)

// backupCmd writes and verifies backups.
type backupCmd struct {
	Create backupCreateCmd `cmd:"" default:"withargs" help:"Write a backup, also while a server runs."`
	Verify backupVerifyCmd `cmd:"" help:"Read a backup and check all of it; needs no database."`
}

// storeFlags name the file store and the secret key.
type storeFlags struct {
	Files         string `default:"file:data/files" env:"WORKFORCE_FILES" help:"Where files lie, as of serve."`
	SecretKeyFile string `default:"data/secret.key" env:"WORKFORCE_SECRET_KEY_FILE" help:"File of the secret key."`
}

type backupCreateCmd struct {
	databaseFlag
	storeFlags
	jsonFlag
	Output    string   `help:"File to write, which must not exist; without it, standard output."`
	Recipient []string `help:"Public key of age that the backup is encrypted to, such as age1…; several may be given."`
	WithKey   bool     `help:"Put the secret key into the backup, which must be encrypted."`

	BackupRecipient string `env:"WORKFORCE_BACKUP_RECIPIENT" help:"As of serve: used where --recipient is not given."`
}

// recipients returns the public keys that the backup is encrypted to.
func (c *backupCreateCmd) recipients() ([]age.Recipient, error) {
	texts, flag := c.Recipient, "--recipient"
	if len(texts) == 0 && c.BackupRecipient != "" {
		texts, flag = []string{c.BackupRecipient}, "--backup-recipient"
	}
	list, err := server.ParseRecipients(texts...)
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", flag, err)}
	}
	return list, nil
}

// Run implements the command.
func (c *backupCreateCmd) Run(ctx context.Context, out streams) (err error) {
	q := server.BackupRequest{WithKey: c.WithKey, Program: programVersion(), Progress: counting(out.err)}
	if q.Recipients, err = c.recipients(); err != nil {
		return err
	}
	switch {
	case c.WithKey && len(q.Recipients) == 0:
		return usageError{errors.New("--with-key needs --recipient: whoever has the backup would have the key")}
	case c.JSON && c.Output == "":
		return usageError{errors.New("--json needs --output: the backup is written to standard output")}
	case len(q.Recipients) == 0:
		fmt.Fprintln(out.err, "workforce: warning: without --recipient whoever has the backup can read all of it")
	}
	s, err := openUnchanged(ctx, c.Database) // before an upgrade, too
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var m backup.Manifest
	write := func(w io.Writer) error {
		m, err = s.Backup(ctx, server.Config{Files: c.Files, SecretKeyFile: c.SecretKeyFile}, w, q)
		return err
	}
	if c.Output == "" {
		err = write(out.out)
	} else {
		err = writeWhole(c.Output, write)
	}
	if err != nil {
		return err
	}
	if err := organization.Backed(ctx, s.Ent, m.Instant); err != nil {
		return err
	}
	if err := c.tell(out, m); err != nil {
		return err
	}
	return m.Incomplete()
}

// tell prints what was written.
func (c *backupCreateCmd) tell(io streams, m backup.Manifest) error {
	if c.JSON {
		return printJSON(io.out, summary(m))
	}
	fmt.Fprintf(io.err, "Backup of %s: %s.\n", m.Instant.Local().Format("2006-01-02 15:04:05 MST"), contents(m))
	return nil
}

// contents tells how much a backup holds.
func contents(m backup.Manifest) string {
	return fmt.Sprintf("%d rows of %d tables, %d files", m.Rows(), len(m.Tables), m.Files.Count)
}

// summary is what is printed of a manifest as JSON.
func summary(m backup.Manifest) map[string]any {
	return map[string]any{
		"instant": m.Instant.Format(time.RFC3339Nano), "program": m.Program,
		"schema": m.Schema, "installation": m.Installation,
		"tables": len(m.Tables), "rows": m.Rows(), "files": m.Files.Count, "fileBytes": m.Files.Bytes,
		"missing": m.Files.Missing, "damaged": m.Files.Damaged, "withKey": m.WithKey,
	}
}

// writeWhole has step write a file of mode 0600, which has its name once it is whole and
// flushed. An existing one is refused.
func writeWhole(path string, step func(io.Writer) error) (err error) {
	if _, err := os.Lstat(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fs.ErrExist
		}
		return fmt.Errorf("--output: %s: %w", path, err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.unfinished")
	if err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	defer os.Remove(f.Name())
	if err := errors.Join(step(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	// A link, unlike a rename, replaces nothing. Some file systems have none.
	err = os.Link(f.Name(), path)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	return nil
}

// counting tells what was written, at a terminal and twice a second at most; nil elsewhere.
func counting(w io.Writer) func(rows, files int) {
	if !server.IsTerminal(w) {
		return nil
	}
	var last time.Time
	return func(rows, files int) {
		if time.Since(last) < time.Second/2 {
			return
		}
		last = time.Now()
		fmt.Fprintf(w, "\r%d rows, %d files \r", rows, files)
	}
}

// identityFlag names what opens an encrypted backup.
type identityFlag struct {
	Identity string `help:"File with the identity of age that opens an encrypted backup."`
}

func (f identityFlag) read() ([]age.Identity, error) {
	if f.Identity == "" {
		return nil, nil
	}
	file, err := os.Open(f.Identity)
	if err != nil {
		return nil, fmt.Errorf("--identity: %w", err)
	}
	defer file.Close()
	list, err := age.ParseIdentities(file)
	if err != nil {
		return nil, fmt.Errorf("--identity: %s holds no identity of age, such as AGE-SECRET-KEY-1…", f.Identity)
	}
	return list, nil
}

type backupVerifyCmd struct {
	identityFlag
	jsonFlag
	File          string `arg:"" help:"The backup."`
	SecretKeyFile string `env:"WORKFORCE_SECRET_KEY_FILE" help:"File of the secret key, to check the signature."`
}

// Run implements the command.
func (c *backupVerifyCmd) Run(io streams) error {
	var keys backup.Keyring
	var err error
	if keys.Identities, err = c.read(); err != nil {
		return err
	}
	if c.SecretKeyFile != "" {
		if keys.Keys, err = sealed.Load(c.SecretKeyFile); err != nil {
			return fmt.Errorf("--secret-key-file: %w", err)
		}
	}
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	m, err := backup.Verify(file, keys)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	if c.JSON {
		told := summary(m)
		told["signature"] = map[bool]string{true: "valid", false: "not checked"}[keys.Keys != nil]
		return errors.Join(printJSON(io.out, told), m.Incomplete())
	}
	fmt.Fprintf(io.out, "A backup of %s by workforce %s: %s. All sums are right.\n",
		m.Instant.Local().Format("2006-01-02 15:04:05 MST"), strings.Fields(m.Program + " ?")[0], contents(m))
	if keys.Keys == nil {
		fmt.Fprintln(io.out, "The signature was not checked: name the file of the secret key by --secret-key-file.")
	} else {
		fmt.Fprintln(io.out, "The signature is valid.")
	}
	return m.Incomplete()
}
