package pages

import (
	"html"
	"strings"
	"testing"

	"workforce/internal/setting"
)

// TestSettings holds the page equal to the table.
func TestSettings(t *testing.T) {
	body := html.UnescapeString(get(newMux(Config{}), "/settings", nil).Body.String())
	for _, s := range setting.Listed() {
		for _, want := range []string{"<code>" + s.Name + "</code>", s.Allowed() + " · default <code>" + s.Standard() + "</code>", s.En, s.ID} {
			if !strings.Contains(body, want) {
				t.Errorf("%s: the page lacks %q", s.Name, want)
			}
		}
	}
	if n := strings.Count(body, "<section"); n != len(setting.Listed()) {
		t.Errorf("the page lists %d settings, want %d", n, len(setting.Listed()))
	}
}
