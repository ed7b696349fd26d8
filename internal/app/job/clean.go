package job

import (
	"context"
	"time"

	"workforce/ent"
)

// cleanInterval is how often rows that are not needed any more are deleted.
const cleanInterval = time.Hour

// Cleaning deletes the rows that are not needed any more, as the facts of their
// entities say.
func Cleaning(now func() time.Time) Kind {
	return Kind{Name: "cleaning", Every: cleanInterval, Run: func(ctx context.Context, _ *Run) error {
		return ent.Clean(ctx, ent.FromContext(ctx), now())
	}}
}
