package job

import (
	"context"
	"time"
)

// pollInterval is how soon an instance notices what another one wrote or left.
const pollInterval = time.Second

// Poll calls round at once, whenever wake has a value, and each second, until ctx ends.
func Poll(ctx context.Context, wake <-chan struct{}, round func()) {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		round()
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-ticker.C:
		}
	}
}
