package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/internal/app/privacy"
	"workforce/internal/server"
	"workforce/internal/textform"
	"workforce/internal/viewer"
)

// exportCmd exports people and companies.
type exportCmd struct {
	Users   exportUsersCmd   `cmd:"" help:"Print the active people of a company as a table that import reads."`
	Person  exportPersonCmd  `cmd:"" help:"Write what is stored about a person as a ZIP file of JSON, CSV and pictures."`
	Company exportCompanyCmd `cmd:"" help:"Write all of a company as a ZIP file of JSON, CSV and pictures."`

	Definition exportDefinitionCmd `cmd:"" help:"Write what a company is as a file that apply reads."`
}

type exportUsersCmd struct {
	databaseFlag
	outputFlag
	Company int    `required:"" help:"Id of the company."`
	Format  string `default:"csv" enum:"csv,xlsx" help:"csv or xlsx."`
}

// Run implements the command.
func (c *exportUsersCmd) Run(ctx context.Context, out streams) (err error) {
	s, err := openStore(ctx, c.Database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return c.write(out.out, func(w io.Writer) error {
		return noCompany(c.Company, transfers(s).Export(viewer.System(ctx), w, c.Format, c.Company))
	})
}

// archiveFlags name what an archive is made of, besides the database.
type archiveFlags struct {
	databaseFlag
	outputFlag
	Company       int    `required:"" help:"Id of the company."`
	Files         string `default:"file:data/files" env:"WORKFORCE_FILES" help:"Where files lie: file:PATH or s3://bucket?endpoint=…&region=…."`
	SecretKeyFile string `default:"data/secret.key" env:"WORKFORCE_SECRET_KEY_FILE" help:"File of the secret key, with which faces are encrypted."`
}

// run opens the database and has an archive written.
func (c *archiveFlags) run(ctx context.Context, out streams, withFaces bool, write func(context.Context, *server.Store, *privacy.Service, io.Writer) error) (err error) {
	s, err := openStore(ctx, c.Database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	exports, err := s.Exports(ctx, server.Config{Files: c.Files, SecretKeyFile: c.SecretKeyFile}, withFaces)
	if err != nil {
		return err
	}
	return c.write(out.out, func(w io.Writer) error {
		return noCompany(c.Company, write(viewer.System(ctx), s, exports, w))
	})
}

type exportPersonCmd struct {
	archiveFlags
	User string `required:"" help:"Id or e-mail address of the person."`
}

// Run implements the command.
func (c *exportPersonCmd) Run(ctx context.Context, out streams) error {
	return c.run(ctx, out, true, func(ctx context.Context, s *server.Store, exports *privacy.Service, w io.Writer) error {
		id, err := c.find(ctx, s.Ent)
		if err != nil {
			return err
		}
		return exports.Person(ctx, w, c.Company, id)
	})
}

// find returns the id of the person.
func (c *exportPersonCmd) find(ctx context.Context, db *ent.Client) (int, error) {
	if _, err := db.Company.Get(ctx, c.Company); err != nil {
		return 0, err
	}
	key, _ := textform.EmailKey(c.User) // nobody has what is none
	who := user.EmailKey(key)
	if id, err := strconv.Atoi(c.User); err == nil {
		who = user.ID(id)
	}
	id, err := db.User.Query().Where(who, user.CompanyID(c.Company)).OnlyID(ctx)
	if ent.IsNotFound(err) {
		return 0, fmt.Errorf("nobody %s in company %d", c.User, c.Company)
	}
	return id, err
}

type exportCompanyCmd struct{ archiveFlags }

// Run implements the command.
func (c *exportCompanyCmd) Run(ctx context.Context, out streams) error {
	return c.run(ctx, out, false, func(ctx context.Context, _ *server.Store, exports *privacy.Service, w io.Writer) error {
		return exports.Company(ctx, w, c.Company)
	})
}

// noCompany returns the error of a company that was not found as the operator reads it.
func noCompany(id int, err error) error {
	if ent.IsNotFound(err) {
		return fmt.Errorf("no company %d", id)
	}
	return err
}

// outputFlag names what a command writes to.
type outputFlag struct {
	Output string `help:"File to write, which must not exist; without it, standard output."`
}

// write calls step with the file of the flag, or with standard output. No file is left
// where it fails.
func (f outputFlag) write(stdout io.Writer, step func(io.Writer) error) (err error) {
	if f.Output == "" {
		return step(stdout)
	}
	file, err := os.OpenFile(f.Output, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("--output: %s exists", f.Output)
	}
	if err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	if err := errors.Join(step(file), file.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Output))
	}
	return nil
}
