package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"workforce/graph"
	"workforce/internal/server"
)

// keyCmd manages the keys that apps encrypt passwords for.
type keyCmd struct {
	Rotate keyRotateCmd `cmd:"" help:"Make a new key for passwords; prints its kid."`
}

type keyRotateCmd struct {
	databaseFlag
	SecretKeyFile string        `default:"data/secret.key" env:"WORKFORCE_SECRET_KEY_FILE" help:"File of the secret key."`
	Overlap       time.Duration `default:"720h" help:"How long the key before it is still accepted."`
}

// Run implements the command. Servers go by the new key within seconds.
func (c *keyRotateCmd) Run(ctx context.Context, io streams) (err error) {
	s, err := server.OpenStore(ctx, c.Database, true, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	key, err := s.SecretKey(ctx, c.SecretKeyFile)
	if err != nil {
		return err
	}
	r := graph.New(key, nil)
	r.DB, r.Now = s.Ent, now
	kid, err := r.RotatePasswordKey(ctx, c.Overlap)
	if err == nil {
		fmt.Fprintln(io.out, kid)
	}
	return err
}
