package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"workforce/ent"
	"workforce/internal/app/setup"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/password"
	"workforce/internal/server"
	"workforce/internal/viewer"
)

// companyCmd manages companies.
type companyCmd struct {
	Create companyCreateCmd `cmd:"" help:"Create a company and its built-in roles; prints its id."`
}

type companyCreateCmd struct {
	databaseFlag
	Name     string `required:"" help:"Name of the company."`
	Timezone string `required:"" help:"IANA zone in which its days run, such as Asia/Jakarta."`
	Locale   string `default:"id" help:"Language of people who name none: id or en."`
}

// Run implements the command.
func (c *companyCreateCmd) Run(ctx context.Context, io streams) error {
	return change(ctx, c.Database, func(ctx context.Context, db *ent.Client) error {
		company, err := setup.CreateCompany(ctx, db, now(), c.Name, c.Timezone, c.Locale)
		if err == nil {
			fmt.Fprintln(io.out, company.ID)
		}
		return err
	})
}

// userCmd manages people.
type userCmd struct {
	Create userCreateCmd `cmd:"" help:"Create a person of a company; prints their id."`
}

type userCreateCmd struct {
	databaseFlag
	Company  int    `required:"" help:"Id of the company."`
	Name     string `required:"" help:"Display name."`
	Email    string `required:"" help:"E-mail address, unique in the installation."`
	Phone    string `help:"Verified phone number with +, unique in the installation."`
	Role     string `default:"employee" help:"owner, admin, manager, supervisor or employee."`
	Password bool   `help:"Read a password from standard input; without, the person sets one with Forgot Password."`
}

// Run implements the command.
func (c *userCreateCmd) Run(ctx context.Context, io streams) error {
	p := setup.Person{Name: c.Name, Email: c.Email, Role: c.Role}
	if c.Phone != "" {
		number, err := verified(c.Phone)
		if err != nil {
			return err
		}
		p.Mobile, p.Verified = number, true
	}
	if c.Password {
		hash, err := readPassword(ctx, io.in, c.Name, c.Email)
		if err != nil {
			return err
		}
		p.PasswordHash = hash
	}
	return change(ctx, c.Database, func(ctx context.Context, db *ent.Client) error {
		company, err := db.Company.Get(ctx, c.Company)
		if err != nil {
			return err
		}
		users, err := setup.CreateUsers(ctx, db, company, now(), p)
		if ent.IsConstraintError(err) {
			return errors.New("somebody has this e-mail address or phone number already")
		}
		if err == nil {
			fmt.Fprintln(io.out, users[0].ID)
		}
		return err
	})
}

// verified splits a number in E.164 into the country code and the rest.
func verified(text string) (contact.Number, error) {
	key, ok := contact.PhoneKey(text, "")
	if !ok {
		return contact.Number{}, errs.Because("phone", errs.BadFormat, errs.Meta{"expected": "+62811123789"})
	}
	return contact.SplitNumber(key), nil
}

// readPassword reads one line and hashes it, if it may be chosen.
func readPassword(ctx context.Context, in io.Reader, own ...string) (string, error) {
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	text := strings.TrimRight(line, "\r\n")
	if err := password.Check("password", text, own...); err != nil {
		return "", err
	}
	return password.NewHasher().Hash(ctx, text)
}

// change runs a step in one transaction of a database that is up to date, in
// the name of the system.
func change(ctx context.Context, url string, step func(context.Context, *ent.Client) error) (err error) {
	s, err := server.OpenStore(ctx, url, true, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	ctx = viewer.System(ctx)
	return setup.InTx(ctx, s.Ent, func(db *ent.Client) error { return step(ctx, db) })
}

// now is the time of commands that run without a server.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
