package token

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var kinds = []Kind{Access, Refresh, User, Device}

func TestNewTokensParse(t *testing.T) {
	for _, kind := range kinds {
		a, err := New(kind, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		text := a.Text()
		if len(text) != Length || !strings.HasPrefix(text, string(kind)+"_") {
			t.Errorf("%s: text of %d characters, want %d: %s", kind, len(text), Length, text)
		}
		b, err := Parse(text)
		if err != nil || b != a || b.Kind() != kind {
			t.Errorf("Parse(%s) = %v of kind %s, %v", text, b.Text(), b.Kind(), err)
		}
		if a.Hash() != Hash(text) {
			t.Errorf("%s: Hash differs from that of the text", kind)
		}
		if c, _ := New(kind, rand.Reader); c == a {
			t.Errorf("%s: the same token twice", kind)
		}
	}
}

func TestKindNames(t *testing.T) {
	for kind, want := range map[Kind]string{
		Access: "access", Refresh: "refresh", User: "user", Device: "device", "": "", "wfx": "", "WFA": "",
	} {
		if got := kind.Name(); got != want || kind.Valid() != (want != "") {
			t.Errorf("%q: name %q, valid %v; want name %q", kind, got, kind.Valid(), want)
		}
	}
}

func TestNewFailsWithoutRandomness(t *testing.T) {
	if _, err := New(Access, io.LimitReader(rand.Reader, 31)); err == nil {
		t.Error("a token was made of 31 random bytes")
	}
}

// TestTextIsStable holds the form that devices already have stored.
func TestTextIsStable(t *testing.T) {
	got, err := New(Access, bytes.NewReader(make([]byte, 32)))
	if err != nil {
		t.Fatal(err)
	}
	want := "wfa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABX4ydn"
	if got.Text() != want {
		t.Errorf("text = %s, want %s", got.Text(), want)
	}
}

func TestParseRefuses(t *testing.T) {
	good := Derive([]byte("key"), Access, []byte("family"), 1).Text()
	tests := []struct{ name, text string }{
		{"empty", ""},
		{"prefix alone", "wfa_"},
		{"unknown kind", "wfx" + good[3:]},
		{"another kind's prefix", "wfd" + good[3:]},
		{"upper-case prefix", "WFA" + good[3:]},
		{"no underscore", "wfa-" + good[4:]},
		{"a character short", good[:Length-1]},
		{"a character long", good + "A"},
		{"padding", good[:Length-1] + "="},
		{"line break inside", good[:20] + "\n" + good[21:]},
		{"space around", " " + good[:Length-1]},
		{"standard alphabet", good[:20] + "+" + good[21:]},
		{"not UTF-8", good[:20] + "\xff" + good[21:]},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := Parse(tt.text); !errors.Is(err, ErrInvalid) || got != (Token{}) {
				t.Errorf("Parse(%q) = %v, %v; want ErrInvalid", tt.text, got, err)
			}
		})
	}
	if _, err := Parse((Token{}).Text()); err == nil {
		t.Error("the zero token parses")
	}
}

func TestParseFindsEveryChangedCharacter(t *testing.T) {
	good := Derive([]byte("key"), Refresh, []byte("family"), 1).Text()
	for i := range good {
		bad := []byte(good)
		bad[i] ^= 1 // stays in or leaves the alphabet, wrong either way
		if _, err := Parse(string(bad)); err == nil {
			t.Errorf("Parse accepts %s, character %d changed", bad, i)
		}
	}
}

func TestDeriveSeparates(t *testing.T) {
	seen := map[string]string{}
	for _, key := range []string{"k1", "k2"} {
		for _, kind := range kinds {
			for _, family := range []string{"", "a", "b", "ab"} {
				for _, generation := range []uint32{0, 1, 2, 1 << 31} {
					name := fmt.Sprint(key, kind, family, generation)
					got := Derive([]byte(key), kind, []byte(family), generation)
					secret := got.Text()[prefixSize : Length-6] // the kind differs anyway
					if other, ok := seen[secret]; ok {
						t.Errorf("%s and %s share a secret", name, other)
					}
					seen[secret] = name
					if again := Derive([]byte(key), kind, []byte(family), generation); again != got {
						t.Errorf("%s: not the same token twice", name)
					}
				}
			}
		}
	}
}

func TestNothingPrintsTheSecret(t *testing.T) {
	tok, err := New(Device, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, log := range []*slog.Logger{
		slog.New(slog.NewTextHandler(&out, nil)),
		slog.New(slog.NewJSONHandler(&out, nil)),
	} {
		log.Info("m", "token", tok, "in", struct{ T Token }{tok}, "all", []Token{tok})
	}
	fmt.Fprintf(&out, "%v %+v %#v %s %q %v %#v", tok, tok, tok, tok, tok, struct{ T Token }{tok}, &tok)
	if err := json.NewEncoder(&out).Encode(map[string]any{"t": tok}); err != nil {
		t.Fatal(err)
	}
	secret := tok.Text()[prefixSize:]
	if strings.Contains(out.String(), secret) || strings.Contains(out.String(), fmt.Sprint(tok.secret)) {
		t.Errorf("the secret was printed: %s", out.String())
	}
	if !strings.Contains(out.String(), "wfd_…") {
		t.Errorf("the kind was not printed: %s", out.String())
	}
}

func TestMask(t *testing.T) {
	whole := Derive([]byte("key"), Access, []byte("family"), 1).Text()
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"/user/7", "/user/7"},
		{whole, "wfa_…"},
		{"/user/" + whole + "/image", "/user/wfa_…/image"},
		{whole[:20], "wfa_…"}, // cut short
		{whole + whole, "wfa_…"},
		{"wfd_" + whole[4:] + ", wfu_" + whole[4:] + " wfr_" + whole[4:], "wfd_…, wfu_… wfr_…"},
		{"X-Device-Token:wfd_" + whole[4:] + "%20", "X-Device-Token:wfd_…%20"},
		{"wfx_" + whole[4:], "wfx_" + whole[4:]},
		{"wfa_abc", "wfa_abc"}, // says nothing of a secret
		{"software wfa", "software wfa"},
	} {
		if got := Mask(tt.text); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(kinds).Draw(t, "kind")
		secret := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "secret")
		a, err := New(kind, bytes.NewReader(secret))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := Parse(a.Text()); err != nil || b != a {
			t.Fatalf("Parse(%s) = %s, %v", a.Text(), b.Text(), err)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, kind := range kinds {
		f.Add(Derive([]byte("key"), kind, []byte("family"), 7).Text())
	}
	f.Add("wfa_")
	f.Fuzz(func(t *testing.T, text string) {
		tok, err := Parse(text)
		if err == nil && (tok.Text() != text || !tok.Kind().Valid()) {
			t.Errorf("Parse(%q) reads as %q", text, tok.Text())
		}
		if err != nil && tok != (Token{}) {
			t.Errorf("Parse(%q) fails and returns a token", text)
		}
	})
}
