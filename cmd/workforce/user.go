package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"workforce/ent"
	"workforce/internal/app/people"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/password"
)

// userCmd manages users.
type userCmd struct {
	Create userCreateCmd `cmd:"" help:"Create a user of a company; prints the id."`
}

type userCreateCmd struct {
	databaseFlag
	Company  int    `required:"" help:"Id of the company."`
	Name     string `required:"" help:"Display name."`
	Email    string `required:"" help:"E-mail address, unique in the installation."`
	Phone    string `help:"Verified phone number with +, unique in the installation."`
	Role     string `default:"employee" help:"owner, admin, manager, supervisor or employee."`
	Password bool   `help:"Read a password from standard input; without it, the user sets one with Forgot Password."`
}

// Run implements the command.
func (c *userCreateCmd) Run(ctx context.Context, io streams) error {
	p := people.NewUser{Name: c.Name, Email: c.Email, Role: c.Role}
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
		users, err := people.CreateUsers(ctx, db, company, now(), p)
		if ent.IsConstraintError(err) {
			return errors.New("somebody has this e-mail address or phone number already")
		}
		if err == nil {
			fmt.Fprintln(io.out, users[0].ID)
		}
		return err
	})
}

// verified splits a number in E.164 into country code and number.
func verified(text string) (contact.Number, error) {
	key, ok := contact.PhoneKey(text, "")
	if !ok {
		return contact.Number{}, errs.Because("phone", errs.BadFormat, errs.Meta{"expected": "+62811123789"})
	}
	return contact.SplitNumber(key), nil
}

// readPassword reads one line and hashes it. A weak password is an error.
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
