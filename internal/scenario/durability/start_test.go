package durability

import (
	"net/http"
	"testing"
	"time"
)

// startsSoon starts the server on a database that is up to date. The first answer
// takes some 30 ms (docs/decisions/0015-binary-and-start.md); the bound is what
// only a start that does something it should not exceeds, such as filling,
// migrating or hashing anew.
func startsSoon(t *testing.T, bin binary, database string) {
	const bound = 2 * time.Second
	dir := t.TempDir()
	first := bin.serve(t, dir, "--database="+database)
	if code := first.stop(t); code != 0 {
		t.Fatalf("it ended with %d: %s", code, first.log)
	}
	best := time.Hour
	for range 5 {
		start := time.Now()
		p := bin.serve(t, dir, "--database="+database)
		resp, err := http.Get(p.url + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		best = min(best, time.Since(start))
		_ = p.cmd.Process.Kill() // as a crash does; what was committed stays
		<-p.ended
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("/healthz answered %d", resp.StatusCode)
		}
	}
	t.Logf("the first answer came after %v", best)
	if best > bound {
		t.Errorf("the first answer came after %v, want at most %v", best, bound)
	}
}
