package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"workforce/internal/database"
	"workforce/internal/server"
)

// restoreCmd restores a backup.
type restoreCmd struct {
	databaseFlag
	identityFlag
	jsonFlag
	File           string `arg:"" help:"The backup, a file."`
	Files          string `default:"file:data/files" env:"WORKFORCE_FILES" help:"Empty folder or bucket for files."`
	SecretKeyFile  string `env:"WORKFORCE_SECRET_KEY_FILE" help:"File of the secret key that the backup was signed under."`
	AcceptUnsigned bool   `help:"Restore without the secret key, so without knowing who wrote the backup."`
	WriteKey       string `help:"File to which the secret key of a backup --with-key is written; it must not exist."`
	KeepSessions   bool   `help:"Leave people signed in and API keys in force."`
	Resume         bool   `help:"Send the messages and run the jobs that were queued when the backup was made."`
}

// Run implements the command.
func (c *restoreCmd) Run(ctx context.Context, io streams) (err error) {
	q := server.RestoreRequest{
		Database: c.Database, Files: c.Files, SecretKeyFile: c.SecretKeyFile,
		AcceptUnsigned: c.AcceptUnsigned, KeepSessions: c.KeepSessions, Resume: c.Resume, Progress: counting(io.err),
	}
	q.Waiting = func() {
		fmt.Fprintln(io.err, "Waiting for another restore into this database; for half a minute after one that was killed.")
	}
	if err := database.Check(c.Database); err != nil {
		return badDatabase(err)
	}
	if q.Identities, err = c.read(); err != nil {
		return err
	}
	if c.WriteKey != "" {
		if _, err := os.Lstat(c.WriteKey); err == nil {
			return fmt.Errorf("--write-key: %s exists", c.WriteKey)
		}
	}
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	q.From = file
	done, err := server.Restore(ctx, q, now)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	return errors.Join(c.tell(io, done), c.writeKey(done.KeyFile))
}

// writeKey writes the secret key of the backup to the file of the flag.
func (c *restoreCmd) writeKey(text []byte) error {
	if c.WriteKey == "" {
		return nil
	}
	if text == nil {
		return errors.New("--write-key: all is restored, but the backup has no secret key: it was made without --with-key")
	}
	f, err := os.OpenFile(c.WriteKey, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("--write-key: %w", err)
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// tell prints what was restored, and who can sign in as an owner.
func (c *restoreCmd) tell(io streams, done server.Restored) error {
	if c.JSON {
		told, owners := summary(done.Manifest), []map[string]string{}
		for _, o := range done.Owners {
			owners = append(owners, map[string]string{"company": o.Company, "name": o.Name, "email": o.Email})
		}
		told["owners"] = owners
		return errors.Join(printJSON(io.out, told), done.Incomplete())
	}
	fmt.Fprintf(io.out, "Restored what there was at %s: %s.\n", done.Instant.Local().Format("2006-01-02 15:04:05 MST"),
		contents(done.Manifest))
	if !c.KeepSessions {
		fmt.Fprintln(io.out, "Everybody signs in anew, and API keys are revoked.")
	}
	if !c.Resume {
		fmt.Fprintln(io.out, "Messages and jobs that were queued then have expired.")
	}
	fmt.Fprintln(io.out, "Owners:")
	for _, o := range done.Owners {
		fmt.Fprintf(io.out, "  %s, %s <%s>\n", o.Company, o.Name, o.Email)
	}
	return done.Incomplete()
}
