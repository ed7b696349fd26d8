package persisted

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 11, 12, 0, 0, 0, time.UTC)

// keep keeps a text for a network and reports whether it is there afterwards.
func keep(s *Store, network, text string) bool {
	s.Keep(network, Hash(text), text)
	_, ok := s.Text(Hash(text))
	return ok
}

func TestHash(t *testing.T) {
	// As sha256sum prints it of the same text.
	if got := Hash("{__typename}"); got != "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38" {
		t.Error(got)
	}
}

func TestStoreKeepsTheMostRecentlyUsed(t *testing.T) {
	s := NewStore(func() time.Time { return noon })
	text := func(i int) string { return fmt.Sprintf("{a%d:__typename}", i) }
	for i := range MaxDocuments + 1 {
		if !keep(s, fmt.Sprint(i), text(i)) {
			t.Fatalf("%d is not kept", i)
		}
		if _, ok := s.Text(Hash(text(0))); !ok { // used each time
			t.Fatalf("the first is gone at %d", i)
		}
	}
	if _, ok := s.Text(Hash(text(1))); ok {
		t.Errorf("%d documents are kept", s.kept.Len())
	}
}

func TestStoreIsBoundedByBytes(t *testing.T) {
	s := NewStore(func() time.Time { return noon })
	const size = 256 << 10
	for i := range 100 {
		keep(s, fmt.Sprint(i), fmt.Sprint(i)+strings.Repeat(" ", size))
	}
	if s.bytes > MaxBytes || s.bytes < MaxBytes-2*size || s.kept.Len() != MaxBytes/(size+2) {
		t.Errorf("%d documents of %d bytes", s.kept.Len(), s.bytes)
	}
	if keep(s, "", strings.Repeat(" ", MaxBytes+1)) || s.kept.Len() == 0 {
		t.Error("a text larger than all is kept, or has driven out the others")
	}
}

func TestStoreTakesSoManyNewOnesOfANetwork(t *testing.T) {
	now := noon
	s := NewStore(func() time.Time { return now })
	for i := range MaxNew {
		if !keep(s, "a", fmt.Sprint(i)) {
			t.Fatalf("%d is not kept", i)
		}
	}
	s.Keep("a", Hash("0"), "0") // is there
	if keep(s, "a", "another") {
		t.Error("another one of the minute is kept")
	}
	if !keep(s, "b", "another") {
		t.Error("that of another network is not kept")
	}
	now = now.Add(time.Minute)
	if !keep(s, "a", "later") {
		t.Error("one of the next minute is not kept")
	}
}

func TestStoreCountsSoManyNetworks(t *testing.T) {
	s := NewStore(func() time.Time { return noon })
	for i := range maxNetworks {
		s.Keep(fmt.Sprint(i), Hash(fmt.Sprint(i)), fmt.Sprint(i))
	}
	if keep(s, "one more", "x") || len(s.fresh) != maxNetworks {
		t.Errorf("%d networks are counted", len(s.fresh))
	}
}

func TestStoreInParallel(t *testing.T) {
	s := NewStore(time.Now)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			for j := range 200 {
				keep(s, fmt.Sprint(i), fmt.Sprint(j%50))
			}
		})
	}
	all.Wait()
	if s.kept.Len() != 50 || s.bytes != 10+40*2 {
		t.Errorf("%d documents of %d bytes", s.kept.Len(), s.bytes)
	}
}

func TestReadManifests(t *testing.T) {
	const a, b = "{__typename}", "query B{__typename}"
	entry := func(hash, text string) string { return fmt.Sprintf("{%q:%q}", hash, text) }
	for name, c := range map[string]struct {
		files map[string]string
		want  int
		fault string
	}{
		"two":         {map[string]string{"a.json": entry(Hash(a), a), "b.json": entry(Hash(b), b), "c.txt": "x"}, 2, ""},
		"a prefix":    {map[string]string{"a.json": entry("sha256:"+Hash(a), a)}, 1, ""},
		"a wrong one": {map[string]string{"a.json": entry(Hash(b), a)}, 0, "a.json: " + Hash(b) + " is not the SHA-256"},
		"no JSON":     {map[string]string{"a.json": "["}, 0, "a.json: "},
		"none":        {map[string]string{"a.json": "{}"}, 0, "has no manifest"},
	} {
		folder := t.TempDir()
		for file, text := range c.files {
			if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		m, err := ReadManifests(folder)
		if len(m) != c.want || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
}
