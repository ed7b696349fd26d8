// Package job runs what the server does by itself at intervals.
package job

import (
	"context"
	"log/slog"
	"time"

	"workforce/ent"
	"workforce/internal/viewer"
)

// cleanInterval is how often rows that are not needed any more are deleted. Any
// number of instances may do so at once.
const cleanInterval = time.Hour

// Clean deletes the rows that are not needed any more, as the facts of their
// entities and the settings of companies say, until ctx ends.
func Clean(ctx context.Context, db *ent.Client, now func() time.Time, log *slog.Logger) {
	ctx = viewer.System(ent.NewContext(ctx, db))
	ticker := time.NewTicker(cleanInterval)
	defer ticker.Stop()
	for {
		if err := ent.Clean(ctx, db, now()); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "cleaning", "error", err)
		}
		if err := deleteOld(ctx, db, now()); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "deleting what companies do not keep", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
