package webapp

import "testing"

// TestWidgets embeds widgets in pages of another origin, plain ones and one of React, under a strict
// Content-Security-Policy and Trusted Types: what they ask for and when, with which tokens, what they show, and
// that nothing leaks. Then it shows the page /widgets to who is signed in, and to who is not.
func TestWidgets(t *testing.T) {
	t.Parallel()
	use(t, newServer(t), "widgets.mjs", map[string]func(string) string{})
}
