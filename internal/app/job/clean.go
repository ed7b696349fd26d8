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
// entities and the settings of companies say.
func Cleaning(now func() time.Time) Kind {
	return Kind{Name: "cleaning", Every: cleanInterval, Run: func(ctx context.Context, _ *Run) error {
		db := ent.FromContext(ctx)
		return errors.Join(ent.Clean(ctx, db, now()), deleteOld(ctx, db, now()))
	}}
}
