package position

import (
	"time"

	"workforce/internal/app/audit"
)

// A Service stores positions and lists them. Its methods are safe for concurrent use.
type Service struct {
	Now   func() time.Time // UTC, to the microsecond
	Audit *audit.Recorder
}
