package webapp

import (
	"os"
	"testing"
)

// TestScreens goes to each screen as an owner; in the long form as a manager, as an employee and as the
// only person of a company too.
func TestScreens(t *testing.T) {
	t.Parallel()
	people := []string{owner}
	if os.Getenv("WEB_FULL") != "" {
		people = append(people, manager, "budi@demo.test", "admin@tetangga.test")
	}
	s := newServer(t)
	planDay(t, s)
	for _, email := range people {
		t.Run(email, func(t *testing.T) { useAs(t, s, email, "screens.mjs", nil, map[string]func(string) string{}) })
	}
}
