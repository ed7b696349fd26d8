package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth"
	"workforce/internal/server"
	"workforce/internal/textform"
)

type userRecoverCmd struct {
	databaseFlag
	jsonFlag
	Email     string `required:"" help:"E-mail address of the user."`
	PublicURL string `name:"public-url" env:"WORKFORCE_PUBLIC_URL" help:"Base URL of the link, as of serve."`
}

// Run implements the command. The link is a secret: it is printed and stored nowhere.
func (c *userRecoverCmd) Run(ctx context.Context, io streams) error {
	if err := server.CheckPublicURL(c.PublicURL); err != nil {
		return err
	}
	var made auth.Recovery
	err := change(ctx, c.Database, func(ctx context.Context, db *ent.Client) error {
		u, err := c.find(ctx, db)
		if err != nil {
			return err
		}
		made, err = auth.NewRecovery(ctx, &audit.Recorder{DB: db, Now: now}, u)
		if errors.Is(err, auth.ErrMayNotSignIn) {
			return fmt.Errorf("%s may not sign in: deactivated, or not employed today", c.Email)
		}
		return err
	})
	if err != nil {
		return err
	}
	link := strings.TrimSuffix(cmp.Or(c.PublicURL, "http://127.0.0.1:8080"), "/") + "/app/recover#" + made.Token
	if c.JSON {
		return printJSON(io.out, map[string]string{"link": link, "expiresAt": made.Expires.Format(time.RFC3339)})
	}
	fmt.Fprintln(io.out, link)
	fmt.Fprintf(io.err, "The link works once, until %s; whoever has it can set the password of %s.\n",
		made.Expires.Format("2006-01-02 15:04 MST"), c.Email)
	return nil
}

// find returns the user with the address.
func (c *userRecoverCmd) find(ctx context.Context, db *ent.Client) (*ent.User, error) {
	key, ok := textform.EmailKey(c.Email)
	u, err := db.User.Query().Where(user.EmailKey(key)).Only(ctx)
	if !ok || ent.IsNotFound(err) {
		return nil, fmt.Errorf("nobody has the e-mail address %s", c.Email)
	}
	return u, err
}
