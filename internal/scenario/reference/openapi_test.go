package reference

import (
	"regexp"
	"testing"
)

var warned = regexp.MustCompile(`(?i)\b[1-9][0-9]* (warning|error)`)

// TestLint holds that openapi.json is valid, and has nothing that Redocly's recommended rules
// warn of.
func TestLint(t *testing.T) {
	out, err := run(t, "redocly", "lint", absolute(t, "openapi.json"), "--max-problems=20", "--format=stylish")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if warned.MatchString(out) {
		t.Error(out)
	}
}
