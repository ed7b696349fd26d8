package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"workforce/internal/server"
)

// keyCmd manages the keys that passwords are encrypted with.
type keyCmd struct {
	Rotate keyRotateCmd `cmd:"" help:"Create a new key for passwords; prints its kid."`
}

type keyRotateCmd struct {
	databaseFlag
	SecretKeyFile string        `default:"data/secret.key" env:"WORKFORCE_SECRET_KEY_FILE" help:"File of the secret key."`
	Overlap       time.Duration `default:"720h" help:"Time for which the previous key is still accepted."`
}

// Run implements the command. Running servers use the new key within
// seconds.
func (c *keyRotateCmd) Run(ctx context.Context, io streams) (err error) {
	s, err := server.OpenStore(ctx, c.Database, true, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	kid, err := s.RotatePasswordKey(ctx, c.SecretKeyFile, now, c.Overlap)
	if err == nil {
		fmt.Fprintln(io.out, kid)
	}
	return err
}
