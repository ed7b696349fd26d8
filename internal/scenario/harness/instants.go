package harness

import (
	"regexp"
	"time"
)

var instants = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d`)

// InUTC returns a text with the instants of endpoints as GraphQL has them: in UTC.
func InUTC(text string) string {
	return instants.ReplaceAllStringFunc(text, func(at string) string {
		t, err := time.Parse(time.RFC3339, at)
		if err != nil {
			return at
		}
		return t.UTC().Format(time.RFC3339)
	})
}
