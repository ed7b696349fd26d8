package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"workforce/ent"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth"
	"workforce/internal/app/people"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/password"
	"workforce/internal/shift"
	"workforce/internal/textform"
	"workforce/internal/viewer"
)

// userCmd manages users.
type userCmd struct {
	Create  userCreateCmd  `cmd:"" help:"Create a user of a company; prints the id."`
	List    userListCmd    `cmd:"" help:"Print the users of a company, or of all."`
	Recover userRecoverCmd `cmd:"" help:"Print a link with which a user sets another password."`
}

type userCreateCmd struct {
	databaseFlag
	jsonFlag
	Company       int    `required:"" help:"Id of the company."`
	Name          string `required:"" help:"Display name."`
	Email         string `required:"" help:"E-mail address, unique in the installation."`
	Phone         string `help:"Verified phone number with +, unique in the installation."`
	Role          string `default:"employee" help:"owner, admin, manager, supervisor or employee."`
	SecretKeyFile string `default:"data/secret.key" env:"WORKFORCE_SECRET_KEY_FILE" help:"File of the secret key; needed for an owner with --password."`
	Password      bool   `help:"Read the password from standard input, which must hold one line; without it, the user sets one with Forgot Password."`

	zone string // of the company
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
	if !c.Password {
		if err := refuseInput(io.in); err != nil {
			return err
		}
	} else {
		hash, err := readPassword(ctx, io.in, c.Name, c.Email, c.Phone)
		if err != nil {
			return err
		}
		p.PasswordHash = hash
	}
	return c.create(ctx, p, io)
}

// create creates the user and prints the id. An owner with a password gets a code for
// the first sign-in, on standard error.
func (c *userCreateCmd) create(ctx context.Context, p people.NewUser, io streams) (err error) {
	store, err := openStore(ctx, c.Database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	var signIn *auth.Service
	if c.Role == viewer.Owner && c.Password {
		if signIn, err = store.SignIn(ctx, c.SecretKeyFile, now); err != nil {
			return err
		}
	}
	var user *ent.User
	var code auth.FirstCode
	err = changeStore(ctx, store, func(ctx context.Context, db *ent.Client) error {
		if user, err = c.insert(ctx, db, p); err != nil || signIn == nil {
			return err
		}
		code, err = signIn.NewFirstCode(ctx, user)
		return err
	})
	if err != nil {
		return err
	}
	facts := map[string]any{"id": user.ID}
	if c.JSON && code.Code != "" {
		facts["code"], facts["codeExpiresAt"] = code.Code, code.Expires.UTC().Format(time.RFC3339)
	}
	if err := c.print(io.out, facts, user.ID); err != nil {
		return err
	}
	if !c.JSON && code.Code != "" {
		fmt.Fprintf(io.err, "Code for the first sign-in: %s (valid once, until %s)\n", code.Code, c.expiry(code))
	}
	return nil
}

// expiry returns when a code ends, in the company's time zone.
func (c *userCreateCmd) expiry(code auth.FirstCode) string {
	at := code.Expires
	if zone, err := shift.Zone(c.zone); err == nil {
		at = at.In(zone)
	}
	return at.Format("2006-01-02 15:04 MST")
}

// insert creates the user in a transaction.
func (c *userCreateCmd) insert(ctx context.Context, db *ent.Client, p people.NewUser) (*ent.User, error) {
	company, err := db.Company.Get(ctx, c.Company)
	if ent.IsNotFound(err) {
		return nil, fmt.Errorf("no company %d", c.Company)
	}
	if err != nil {
		return nil, err
	}
	c.zone = company.Timezone
	users, err := people.CreateUsers(ctx, db, company, now(), p)
	if ent.IsConstraintError(err) {
		return nil, errors.New("somebody has this --email or --phone already")
	}
	if err != nil {
		return nil, err
	}
	return users[0], record(ctx, db, audit.Event{
		Action: "user.created", Company: company.ID, Subject: ent.TypeUser, ID: users[0].ID,
		Facts: map[string]any{"name": users[0].Name, "email": users[0].Email, "role": c.Role},
	})
}

// verified splits a number in E.164 into country code and number.
func verified(text string) (contact.Number, error) {
	key, ok := textform.PhoneKey(text, "")
	if !ok {
		return contact.Number{}, errs.Because("phone", errs.BadFormat, errs.Meta{"expected": "+62811123789"})
	}
	return contact.SplitNumber(key), nil
}

// readPassword reads the one line of standard input and hashes it. A weak password is
// an error, and so is anything after the line.
func readPassword(ctx context.Context, in io.Reader, own ...string) (string, error) {
	input, err := io.ReadAll(io.LimitReader(in, maxInput))
	if err != nil {
		return "", err
	}
	text := strings.TrimRight(string(input), "\r\n")
	switch {
	case text == "":
		return "", errors.New("--password: standard input holds no password")
	case strings.ContainsAny(text, "\r\n") || len(input) == maxInput:
		return "", errors.New("--password: standard input holds more than one line")
	}
	if err := password.Check("password", text, own...); err != nil {
		return "", err
	}
	return password.NewHasher(password.Standard).Hash(ctx, text)
}

// maxInput bounds what is read of standard input, in bytes.
const maxInput = 64 << 10

// inputWait is how long a program at the other end of standard input may take to write
// something that is then refused.
const inputWait = 200 * time.Millisecond

// refuseInput returns an error where something was piped in that would be ignored.
// A terminal is not read.
func refuseInput(in io.Reader) error {
	if file, ok := in.(*os.File); ok {
		info, err := file.Stat()
		if err != nil || info.Mode()&os.ModeCharDevice != 0 {
			return nil
		}
	}
	read := make(chan int, 1)
	go func() {
		n, _ := io.ReadFull(in, make([]byte, 1))
		read <- n
	}()
	select {
	case n := <-read:
		if n > 0 {
			return errors.New("standard input holds something that would be ignored: add --password to take it as the password")
		}
	case <-time.After(inputWait): // it is open, and nothing comes
	}
	return nil
}
