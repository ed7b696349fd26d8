package job

import (
	"context"
	"errors"
	"time"

	"workforce/ent"
)

// cleanInterval is how often rows that are not needed any more are deleted.
const cleanInterval = time.Hour

// Cleaning deletes the rows that are not needed any more, as the facts of their
// entities and the settings of companies say. more deletes what needs more than that.
func Cleaning(now func() time.Time, more ...func(context.Context) error) Kind {
	return Kind{Name: "cleaning", Every: cleanInterval, Run: func(ctx context.Context, _ *Run) error {
		db := ent.FromContext(ctx)
		err := errors.Join(ent.Clean(ctx, db, now()), deleteOld(ctx, db, now()))
		for _, step := range more {
			err = errors.Join(err, step(ctx))
		}
		return err
	}}
}
