package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// keyCmd manages the keys that passwords are encrypted with, and the secret key.
type keyCmd struct {
	Rotate       keyRotateCmd       `cmd:"" help:"Create a new key for passwords; prints its kid."`
	RotateSecret keyRotateSecretCmd `cmd:"" help:"Replace the secret key while servers run."`
}

type keyRotateCmd struct {
	databaseFlag
	jsonFlag
	SecretKeyFile string        `default:"data/secret.key" env:"WORKFORCE_SECRET_KEY_FILE" help:"File of the secret key."`
	Overlap       time.Duration `default:"720h" help:"Time for which the previous key is still accepted."`
}

// Run implements the command. Running servers use the new key within
// seconds.
func (c *keyRotateCmd) Run(ctx context.Context, io streams) (err error) {
	if c.Overlap < 0 {
		return fmt.Errorf("--overlap must not be negative")
	}
	s, err := openStore(ctx, c.Database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	kid, err := s.RotatePasswordKey(ctx, c.SecretKeyFile, now, c.Overlap)
	if err != nil {
		return err
	}
	return c.print(io.out, map[string]any{"kid": kid}, kid)
}
