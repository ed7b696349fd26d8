package main

import (
	"context"
	"fmt"

	"workforce/internal/doctor"
)

// doctorCmd examines what serve needs, with its flags.
type doctorCmd struct {
	settings
	configFlag
	jsonFlag
}

// Run implements the command. Failures end it with an error, warnings do not.
func (c *doctorCmd) Run(ctx context.Context, io streams) error {
	subject := c.config().Subject(c.check())
	subject.Unset = c.Config == "" && c.Database == defaultDatabase
	results := doctor.Examine(ctx, subject)
	var err error
	if c.JSON {
		err = printJSON(io.out, map[string]any{"status": doctor.Worst(results), "checks": results})
	} else {
		err = doctor.Print(io.out, results)
	}
	failed := 0
	for _, r := range results {
		if r.Status == doctor.Failure {
			failed++
		}
	}
	if err == nil && failed > 0 {
		err = fmt.Errorf("%d of %d checks failed", failed, len(results))
	}
	return err
}
