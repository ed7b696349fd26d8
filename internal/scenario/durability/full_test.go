package durability

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"workforce/internal/scenario/harness"
)

// TestFullDatabase fills a SQLite file. Writes are answered UNAVAILABLE, and so is
// /readyz.
func TestFullDatabase(t *testing.T) {
	s := harness.New(t, "sqlite:"+filepath.Join(t.TempDir(), "full.db"))
	s.SignIn(t, "admin", "admin@demo.test")
	ready := func() int {
		resp, _ := s.Send(t, "GET", "/readyz", "", nil)
		return resp.StatusCode
	}
	if got := ready(); got != 200 {
		t.Fatalf("/readyz: %d", got)
	}
	limit := func(pages int) {
		if _, err := s.Store.DB.Writer.Exec(fmt.Sprint("PRAGMA max_page_count = ", pages)); err != nil {
			t.Fatal(err)
		}
	}
	limit(1) // as many as there are
	for n := range 1000 {
		body := fmt.Sprintf(`{"query":"mutation{createRole(input:{name:\"%d %s\",permissions:[]}){id}}"}`, n, strings.Repeat("x", 80))
		resp, text := s.Send(t, "POST", "/graphql", body, s.HeaderOf("admin"))
		if resp.StatusCode == 200 && !strings.Contains(string(text), `"errors"`) {
			continue
		}
		if resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" || !strings.Contains(string(text), `"UNAVAILABLE"`) {
			t.Errorf("role %d: %d %s", n, resp.StatusCode, text)
		}
		if !strings.Contains(s.Log.Lines(), "full") {
			t.Error("the log does not tell why")
		}
		if got := ready(); got != 503 {
			t.Errorf("/readyz of a full database: %d", got)
		}
		return
	}
	t.Error("the database did not become full")
}
