package database

import (
	"fmt"

	"entgo.io/ent/dialect"
)

// Clock returns SQL for the present and so many seconds, by the clock of the database:
// leases of several instances are judged by that one alone.
func Clock(name string, seconds int) string {
	if name == dialect.MySQL {
		return fmt.Sprintf("UTC_TIMESTAMP(6) + INTERVAL %d SECOND", seconds)
	}
	return fmt.Sprintf("strftime('%%Y-%%m-%%d %%H:%%M:%%f+00:00', 'now', '+%d seconds')", seconds)
}
