package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"workforce/internal/app/secretkey"
)

type keyRotateSecretCmd struct {
	databaseFlag
	jsonFlag
	SecretKeyFile string `default:"data/secret.key" env:"WORKFORCE_SECRET_KEY_FILE" help:"File of the secret key."`
	Status        bool   `xor:"what" help:"Only tell how far a rotation is."`
	Finish        bool   `xor:"what" help:"Remove the key before, once nothing needs it."`
}

// Run implements the command. Servers go on meanwhile.
func (c *keyRotateSecretCmd) Run(ctx context.Context, io streams) (err error) {
	s, err := openUnchanged(ctx, c.Database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	told := map[string]string{}
	switch {
	case c.Status:
		st, err := secretkey.ReadStatus(ctx, s.Ent, c.SecretKeyFile, now())
		if err != nil {
			return fmt.Errorf("--secret-key-file: %w", err)
		}
		return c.tell(io.out, st)
	case c.Finish:
		if err := secretkey.Finish(ctx, s.Ent, c.SecretKeyFile, now); err != nil {
			return fmt.Errorf("--finish: %w", err)
		}
		told["finished"] = "The key before is gone. Remove its line from each copy of " + c.SecretKeyFile +
			", and keep it with the backups that need it."
	default:
		key, err := secretkey.Rotate(ctx, s.Ent, c.SecretKeyFile)
		if err != nil {
			return fmt.Errorf("--secret-key-file: %w", err)
		}
		told["key"] = key
		told["next"] = "The first line of " + c.SecretKeyFile + " is a new key. Copy the file to every instance that " +
			"has its own: once all have read it they write with it and seal anew what there is. " +
			"See key rotate-secret --status, then --finish."
	}
	if c.JSON {
		return printJSON(io.out, told)
	}
	_, err = fmt.Fprintln(io.out, cmp.Or(told["next"], told["finished"]))
	return err
}

// phases says what each phase means.
var phases = map[secretkey.Phase]string{
	secretkey.None:      "No rotation is under way.",
	secretkey.Spreading: "A new key is in the file; it is written with once all instances have read it.",
	secretkey.Sealing:   "All write with the new key, and rows are sealed anew.",
	secretkey.Waiting:   "Every row is sealed anew; links and codes of the key before are still valid.",
	secretkey.Ready:     "The key before may go: key rotate-secret --finish.",
}

// tell prints how far a rotation is.
func (c *keyRotateSecretCmd) tell(out io.Writer, st secretkey.Status) error {
	if c.JSON {
		told := map[string]any{"phase": st.Phase, "key": st.Key, "next": st.Next, "rowsLeft": st.Rows}
		if !st.Until.IsZero() {
			told["finishAfter"] = st.Until.UTC().Format(time.RFC3339)
		}
		instances := []map[string]any{}
		for _, i := range st.Instances {
			instances = append(instances, map[string]any{"name": i.Name, "writes": i.Writes, "hasNewest": i.Knows})
		}
		told["instances"] = instances
		return printJSON(out, told)
	}
	fmt.Fprintln(out, phases[st.Phase])
	fmt.Fprintf(out, "Written with: %s. Rows left: %d.\n", st.Key, st.Rows)
	if st.Phase == secretkey.Waiting {
		fmt.Fprintf(out, "To be finished from %s.\n", st.Until.Local().Format("2006-01-02 15:04 MST"))
	}
	for _, i := range st.Instances {
		has := "lacks the newest key"
		if i.Knows {
			has = "has the newest key"
		}
		fmt.Fprintf(out, "Instance %s writes with %s and %s.\n", i.Name, i.Writes, has)
	}
	return nil
}
