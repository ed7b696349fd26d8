package sealed

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// keyOf returns a key of one repeated byte.
func keyOf(b byte) Key {
	return Key{secret: [keySize]byte(bytes.Repeat([]byte{b}, keySize))}
}

func TestCreateThenLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "secret.key")
	if _, err := Load(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Load before Create: %v, want fs.ErrNotExist", err)
	}
	made, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := Load(path)
	if err != nil || !slices.Equal(loaded, []Key{made}) || made == (Key{}) {
		t.Errorf("Load returns another key than Create made, %v", err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("left behind beside the key: %v", files)
	}
}

func TestCreateNeverReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret.key")
	var wg sync.WaitGroup
	made := make(chan Key, 8)
	for range cap(made) {
		wg.Go(func() {
			k, err := Create(path)
			switch {
			case err == nil:
				made <- k
			case !errors.Is(err, fs.ErrExist):
				t.Errorf("Create: %v, want fs.ErrExist", err)
			}
		})
	}
	wg.Wait()
	if len(made) != 1 {
		t.Fatalf("%d of %d calls made the file, want 1", len(made), cap(made))
	}
	if k, err := Load(path); err != nil || !slices.Equal(k, []Key{<-made}) {
		t.Errorf("the file holds another key than the one made, %v", err)
	}
}

func TestLoadRefuses(t *testing.T) {
	good := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{1}, keySize))
	other := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{2}, keySize))
	tests := []struct {
		name, text string
		ok         bool
	}{
		{"as written", good + "\n", true},
		{"without line break", good, true},
		{"empty", "", false},
		{"31 bytes", base64.StdEncoding.EncodeToString(make([]byte, 31)), false},
		{"33 bytes", base64.StdEncoding.EncodeToString(make([]byte, 33)), false},
		{"cut off", good[:20], false},
		{"not base64", strings.Repeat("!", 44), false},
		{"two keys", good + "\n" + other + "\n", true},
		{"two keys, as Windows writes lines", good + "\r\n" + other + "\r\n", true},
		{"two keys in a line", good + other, false},
		{"the same key twice", good + "\n" + good, false},
		{"three keys", good + "\n" + other + "\n" + good, false},
		{"a line that is none", good + "\n\n" + other, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "secret.key")
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			k, err := Load(path)
			if (err == nil) != tt.ok {
				t.Errorf("Load = %v, want ok %v", err, tt.ok)
			}
			if err != nil && (k != nil || strings.Contains(err.Error(), good[:20])) {
				t.Errorf("the error tells the file's text, or a key came with it: %v", err)
			}
		})
	}
}

// TestDerivedKeysAreStable holds what existing databases were sealed with.
func TestDerivedKeysAreStable(t *testing.T) {
	k := keyOf(1)
	if got, want := k.Fingerprint(), "62e6059f0270f4d5d590e03e0c11d948"; got != want {
		t.Errorf("Fingerprint = %s, want %s", got, want)
	}
	if got, want := hex.EncodeToString(k.Derive("otp")), "b73d2f1fb707f1bd869e9a14b1950bdf12a355e046d4a94a4af5e7da77c70838"; got != want {
		t.Errorf("Derive(otp) = %s, want %s", got, want)
	}
	text := "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiNjJlNjA1OWYwMjcwZjRkNWQ1OTBlMDNlMGMxMWQ5NDgifQ" +
		"..suOB2YwyOCwNRVsG.S5gnbk3H.AyPxMpIdhTJrV_WShLjRUw"
	if got, err := NewSealer("face", k).Open(text, "1", "42"); string(got) != "points" {
		t.Errorf("Open = %q, %v; want points", got, err)
	}
}

func TestDeriveSeparates(t *testing.T) {
	seen := map[string]string{}
	for i, k := range []Key{keyOf(1), keyOf(2)} {
		for _, purpose := range []string{"", "otp", "otp2", "seal face"} {
			got, name := k.Derive(purpose), fmt.Sprint(i, purpose)
			if other, ok := seen[string(got)]; ok || len(got) != keySize {
				t.Errorf("%q: %d bytes, shared with %q", name, len(got), other)
			}
			seen[string(got)] = name
		}
	}
}

func TestSealRoundTrip(t *testing.T) {
	s := NewSealer("face", keyOf(1))
	for _, plaintext := range []string{"", "x", strings.Repeat("0.123456,", 10_000)} {
		text, err := s.Seal([]byte(plaintext), "1", "42")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.Open(text, "1", "42"); err != nil || string(got) != plaintext {
			t.Errorf("%d bytes come back as %d, %v", len(plaintext), len(got), err)
		}
		if again, _ := s.Seal([]byte(plaintext), "1", "42"); again == text {
			t.Error("sealing twice gives the same text")
		}
		if len(plaintext) > 1 && strings.Contains(text, plaintext[:8]) {
			t.Error("the plaintext shows")
		}
	}
}

func TestOpenRefusesAnotherBinding(t *testing.T) {
	k := keyOf(1)
	text, err := NewSealer("face", k).Seal([]byte("points"), "1", "42")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		s       *Sealer
		binding []string
		ok      bool
	}{
		{"its own", NewSealer("face", k), []string{"1", "42"}, true},
		{"another user", NewSealer("face", k), []string{"1", "43"}, false},
		{"another company", NewSealer("face", k), []string{"2", "42"}, false},
		{"parts swapped", NewSealer("face", k), []string{"42", "1"}, false},
		{"parts run together", NewSealer("face", k), []string{"142"}, false},
		{"parts shifted", NewSealer("face", k), []string{"14", "2"}, false},
		{"a part more", NewSealer("face", k), []string{"1", "42", ""}, false},
		{"none", NewSealer("face", k), nil, false},
		{"another purpose", NewSealer("key", k), []string{"1", "42"}, false},
		{"another key", NewSealer("face", keyOf(2)), []string{"1", "42"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.s.Open(text, tt.binding...)
			if (err == nil) != tt.ok || (string(got) == "points") != tt.ok {
				t.Errorf("Open = %q, %v; want ok %v", got, err, tt.ok)
			}
			if err != nil && !errors.Is(err, ErrOpen) {
				t.Errorf("%v is not ErrOpen", err)
			}
		})
	}
}

func TestOpenRefusesEveryFlippedBit(t *testing.T) {
	s := NewSealer("face", keyOf(1))
	text, err := s.Seal([]byte("points"), "42")
	if err != nil {
		t.Fatal(err)
	}
	for i := range text {
		for bit := range 7 {
			bad := []byte(text)
			bad[i] ^= 1 << bit
			if got, err := s.Open(string(bad), "42"); err == nil && !sameBytes(text, string(bad)) {
				t.Errorf("character %d, bit %d: opens as %q", i, bit, got)
			}
		}
	}
	for _, bad := range []string{"", "....", text[:len(text)-1], text + ".", "{}", `{"protected":"e30"}`} {
		if _, err := s.Open(bad, "42"); !errors.Is(err, ErrOpen) {
			t.Errorf("Open(%q): %v, want ErrOpen", bad, err)
		}
	}
}

// sameBytes reports whether two JWEs differ only in base64's unused last bits.
func sameBytes(a, b string) bool {
	decode := func(text string) (parts []string) {
		for part := range strings.SplitSeq(text, ".") {
			raw, err := base64.RawURLEncoding.DecodeString(part)
			if err != nil {
				return nil
			}
			parts = append(parts, string(raw))
		}
		return parts
	}
	x, y := decode(a), decode(b)
	return x != nil && y != nil && fmt.Sprintf("%q", x) == fmt.Sprintf("%q", y)
}

func TestKeysRotate(t *testing.T) {
	before, after := NewSealer("face", keyOf(1)), NewSealer("face", keyOf(2), keyOf(1))
	old, err := before.Seal([]byte("points"), "42")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := after.Open(old, "42"); err != nil || string(got) != "points" || after.Current(old) {
		t.Errorf("the old text opens as %q, %v; current %v", got, err, after.Current(old))
	}
	renewed, err := after.Seal([]byte("points"), "42")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := NewSealer("face", keyOf(2)).Open(renewed, "42"); err != nil || string(got) != "points" || !after.Current(renewed) {
		t.Errorf("the renewed text opens as %q, %v; current %v", got, err, after.Current(renewed))
	}
	if _, err := before.Open(renewed, "42"); !errors.Is(err, ErrOpen) {
		t.Errorf("the old key alone opens the renewed text: %v", err)
	}
}

// TestRingFollows has what was derived from a ring follow its keys.
func TestRingFollows(t *testing.T) {
	ring := NewRing(keyOf(1))
	s, d := ring.Sealer("face"), ring.Derive("otp")
	old, err := s.Seal([]byte("points"), "42")
	if err != nil || !bytes.Equal(d.Key(), keyOf(1).Derive("otp")) || len(d.Keys()) != 1 {
		t.Fatalf("%d keys, %v", len(d.Keys()), err)
	}
	ring.Set(keyOf(2), keyOf(1))
	if got, err := s.Open(old, "42"); err != nil || string(got) != "points" || s.Current(old) {
		t.Errorf("the old text opens as %q, %v; current %v", got, err, s.Current(old))
	}
	if all := d.Keys(); len(all) != 2 || !bytes.Equal(all[0], keyOf(2).Derive("otp")) ||
		!bytes.Equal(all[1], keyOf(1).Derive("otp")) || !bytes.Equal(d.Key(), all[0]) {
		t.Errorf("derived keys %x", all)
	}
	if got := ring.Fingerprints(); !slices.Equal(got, []string{keyOf(2).Fingerprint(), keyOf(1).Fingerprint()}) {
		t.Errorf("fingerprints %q", got)
	}
	renewed, err := s.Seal([]byte("points"), "42")
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range map[byte]string{1: old, 2: renewed} {
		prefix, err := keyOf(i).Prefix()
		if err != nil || !strings.HasPrefix(text, prefix) || strings.Count(prefix, ".") != 1 {
			t.Errorf("%q begins with %q, %v; want %q", text, text[:len(prefix)], err, prefix)
		}
	}
	ring.Set(keyOf(2))
	if _, err := s.Open(old, "42"); !errors.Is(err, ErrOpen) {
		t.Errorf("a key that is gone opens: %v", err)
	}
}

// TestReplace writes two lines over a file, for the owner alone to read.
func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret.key")
	old, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	next := New()
	if err := Replace(path, next, old); err != nil {
		t.Fatal(err)
	}
	if keys, err := Load(path); err != nil || !slices.Equal(keys, []Key{next, old}) {
		t.Errorf("Load returns other keys than Replace wrote, %v", err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("left behind beside the key: %v", files)
	}
}

func TestNothingPrintsTheKey(t *testing.T) {
	k := keyOf(65) // AAAA…
	var out bytes.Buffer
	slog.New(slog.NewJSONHandler(&out, nil)).Info("m", "key", k, "in", struct{ K Key }{k})
	fmt.Fprintf(&out, "%v %+v %#v %s %v", k, k, k, k, struct{ K Key }{k})
	if s := out.String(); strings.Contains(s, "AAAA") || strings.Contains(s, "65 65") {
		t.Errorf("the key was printed: %s", s)
	}
}
