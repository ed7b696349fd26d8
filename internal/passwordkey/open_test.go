package passwordkey

import (
	"bytes"
	"compress/flate"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"hash"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/internal/errs"
)

var b64 = base64.RawURLEncoding.EncodeToString

func headerOf(t *testing.T, text string) string {
	t.Helper()
	part, _, _ := strings.Cut(text, ".")
	raw, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// seal encrypts as RFC 7516 says, with the standard library alone, under any
// header: what an app's own code does.
func seal(t testing.TB, k Key, h hash.Hash, contentKeySize int, header, plaintext string) string {
	t.Helper()
	contentKey, iv := make([]byte, contentKeySize), make([]byte, ivSize)
	rand.Read(contentKey)
	rand.Read(iv)
	wrapped, err := rsa.EncryptOAEP(h, rand.Reader, &k.private.PublicKey, contentKey, nil)
	if err != nil {
		t.Fatal(err)
	}
	block, err := aes.NewCipher(contentKey)
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	protected := b64([]byte(header))
	sealed := gcm.Seal(nil, iv, []byte(plaintext), []byte(protected))
	border := len(sealed) - tagSize
	return strings.Join([]string{protected, b64(wrapped), b64(iv), b64(sealed[:border]), b64(sealed[border:])}, ".")
}

// seal256 is seal with our algorithms.
func seal256(t testing.TB, k Key, header, plaintext string) string {
	t.Helper()
	return seal(t, k, sha256.New(), 32, header, plaintext)
}

func deflated(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, flate.BestCompression)
	_, _ = w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestOpenReadsOthers opens what code that is not ours encrypted.
func TestOpenReadsOthers(t *testing.T) {
	keys := keysOf(t)
	s := NewSet(keys[0], aged(keys[1], noon.Add(-time.Hour), noon.Add(time.Hour)))
	for name, header := range map[string]string{
		"members in another order": `{"kid":"` + keys[0].id + `","enc":"A256GCM","alg":"RSA-OAEP-256"}`,
		"with spaces":              `{ "alg" : "RSA-OAEP-256", "enc":"A256GCM", "kid":"` + keys[0].id + `" }`,
		"unknown members":          `{"alg":"RSA-OAEP-256","enc":"A256GCM","typ":"JWE","iat":1,"kid":"` + keys[0].id + `"}`,
	} {
		if got, err := s.Open("password", seal256(t, keys[0], header, "rahasia é"), noon); got != "rahasia é" || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestOpenAfterRotation(t *testing.T) {
	keys := keysOf(t)
	text, err := NewSet(keys[0]).Encrypt("value", "rahasia")
	if err != nil {
		t.Fatal(err)
	}
	after := NewSet(keys[1], aged(keys[0], noon, noon.Add(time.Hour)))
	for _, tt := range []struct {
		at time.Duration
		ok bool
	}{{0, true}, {time.Hour - 1, true}, {time.Hour, false}, {25 * time.Hour, false}} {
		got, err := after.Open("password", text, noon.Add(tt.at))
		if (got == "rahasia") != tt.ok || (err == nil) != tt.ok {
			t.Errorf("%v after: %q, %v; want ok %v", tt.at, got, err, tt.ok)
		}
	}
}

// TestOpenRefuses wants the very same error for every cause.
func TestOpenRefuses(t *testing.T) {
	keys := keysOf(t)
	ours, expired, unknown := keys[0], aged(keys[1], noon.Add(-time.Hour), noon), keys[2]
	s := NewSet(ours, expired)
	head := func(more string) string {
		return `{"alg":"RSA-OAEP-256","enc":"A256GCM","kid":"` + ours.id + `"` + more + `}`
	}
	headFor := func(k Key) string { return strings.Replace(head(""), ours.id, k.id, 1) }
	good := seal256(t, ours, head(""), "rahasia")
	part := strings.Split(good, ".")
	with := func(i int, text string) string {
		parts := slices.Clone(part)
		parts[i] = text
		return strings.Join(parts, ".")
	}
	replaced := func(old, new string) string {
		return seal256(t, ours, strings.Replace(head(""), old, new, 1), "rahasia")
	}
	tests := []struct{ name, text string }{
		{"empty", ""},
		{"opaque text", "rahasia"},
		{"dots alone", "...."},
		{"four parts", strings.Join(part[:4], ".")},
		{"six parts", good + "."},
		{"JSON form", `{"protected":"` + part[0] + `","encrypted_key":"` + part[1] + `","iv":"` + part[2] + `","ciphertext":"` + part[3] + `","tag":"` + part[4] + `"}`},
		{"expired kid", seal256(t, expired, headFor(expired), "rahasia")},
		{"unknown kid", seal256(t, unknown, headFor(unknown), "rahasia")},
		{"kid of another key", seal256(t, unknown, head(""), "rahasia")},
		{"no kid", replaced(`,"kid":"`+ours.id+`"`, "")},
		{"empty kid", replaced(ours.id, "")},
		{"kid a number", replaced(`"`+ours.id+`"`, "1")},
		{"kid null", replaced(`"`+ours.id+`"`, "null")},
		{"kid twice", seal256(t, ours, head(`,"kid":"`+ours.id+`"`), "rahasia")},
		{"alg RSA-OAEP", seal(t, ours, sha1.New(), 32, strings.Replace(head(""), "OAEP-256", "OAEP", 1), "rahasia")},
		{"alg RSA-OAEP, though sealed as ours", replaced("OAEP-256", "OAEP")},
		{"sealed as RSA-OAEP, though named as ours", seal(t, ours, sha1.New(), 32, head(""), "rahasia")},
		{"alg RSA1_5", replaced("RSA-OAEP-256", "RSA1_5")},
		{"alg dir", replaced("RSA-OAEP-256", "dir")},
		{"alg PBES2", replaced("RSA-OAEP-256", "PBES2-HS256+A128KW")},
		{"alg none", replaced("RSA-OAEP-256", "none")},
		{"alg in lower case", replaced("RSA-OAEP-256", "rsa-oaep-256")},
		{"no alg", replaced(`"alg":"RSA-OAEP-256",`, "")},
		{"enc A128GCM", seal(t, ours, sha256.New(), 16, strings.Replace(head(""), "A256", "A128", 1), "rahasia")},
		{"enc A128GCM inside, though named as ours", seal(t, ours, sha256.New(), 16, head(""), "rahasia")},
		{"enc A256CBC-HS512", replaced("A256GCM", "A256CBC-HS512")},
		{"no enc", replaced(`"enc":"A256GCM",`, "")},
		{"compressed", seal256(t, ours, head(`,"zip":"DEF"`), deflated(t, "rahasia"))},
		{"zip without compression", seal256(t, ours, head(`,"zip":""`), "rahasia")},
		{"critical member", seal256(t, ours, head(`,"crit":["exp"],"exp":1`), "rahasia")},
		{"no critical member", seal256(t, ours, head(`,"crit":[]`), "rahasia")},
		{"crit null", seal256(t, ours, head(`,"crit":null`), "rahasia")},
		{"header not an object", seal256(t, ours, `"alg"`, "rahasia")},
		{"header null", seal256(t, ours, `null`, "rahasia")},
		{"header empty", seal256(t, ours, "", "rahasia")},
		{"another header", with(0, b64([]byte(head(" "))))},
		{"no encrypted key", with(1, "")},
		{"encrypted key of zeros", with(1, b64(make([]byte, wrappedKey)))},
		{"encrypted key beyond the modulus", with(1, b64(bytes.Repeat([]byte{255}, wrappedKey)))},
		{"encrypted key a byte short", with(1, b64(make([]byte, wrappedKey-1)))},
		{"no iv", with(2, "")},
		{"iv of 16 bytes", with(2, b64(make([]byte, 16)))},
		{"no ciphertext", with(3, "")},
		{"no tag", with(4, "")},
		{"short tag", with(4, part[4][:20])},
		{"line break", with(3, part[3]+"\n")},
		{"line break within", with(3, part[3][:2]+"\r\n"+part[3][2:])},
		{"padding", with(4, part[4]+"==")},
		{"spaces around", " " + good + " "},
		{"a byte too much inside", seal256(t, ours, head(""), strings.Repeat("x", MaxLength+1))},
		{"a long header", seal256(t, ours, head(`,"x":"`+strings.Repeat("x", maxText)+`"`), "rahasia")},
	}
	if got, err := s.Open("password", good, noon); got != "rahasia" || err != nil {
		t.Fatalf("the good one: %q, %v", got, err)
	}
	want := errs.Field(errs.PasswordKeyInvalid, "password", nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := s.Open("password", tt.text, noon); got != "" || !reflect.DeepEqual(err, error(want)) {
				t.Errorf("Open = %q, %#v; want %#v", got, err, want)
			}
			if got, err := (Set{}).Open("password", tt.text, noon); got != "" || !reflect.DeepEqual(err, error(want)) {
				t.Errorf("without keys: %q, %#v", got, err)
			}
		})
	}
}

// TestOpenTakesTheLargest holds the limits from within.
func TestOpenTakesTheLargest(t *testing.T) {
	k := keysOf(t)[0]
	header := `{"alg":"RSA-OAEP-256","enc":"A256GCM","kid":"` + k.id + `","x":"` + strings.Repeat("x", maxText/2) + `"}`
	longest := strings.Repeat("x", MaxLength)
	if got, err := NewSet(k).Open("password", seal256(t, k, header, longest), noon); got != longest || err != nil {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestOpenRefusesEveryAlteredCharacter changes each character to its neighbour.
func TestOpenRefusesEveryAlteredCharacter(t *testing.T) {
	s := NewSet(keysOf(t)[0])
	text, err := s.Encrypt("value", "rahasia")
	if err != nil {
		t.Fatal(err)
	}
	for i := range text {
		bad := []byte(text)
		bad[i] ^= 1
		if got, err := s.Open("password", string(bad), noon); !errs.Is(err, errs.PasswordKeyInvalid) || got != "" {
			t.Errorf("character %d: opens as %q, %v", i, got, err)
		}
	}
}

// TestRefusalsTakeAsLong compares the fastest of some runs with generous room:
// a refusal without the work of a key would be a hundred times faster.
func TestRefusalsTakeAsLong(t *testing.T) {
	keys := keysOf(t)
	s := NewSet(keys[0])
	encrypt := func(k Key) string {
		text, err := NewSet(k).Encrypt("value", "rahasia")
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	good, unknown := encrypt(keys[0]), encrypt(keys[1])
	dot := strings.Index(good, ".")
	fastest := func(text string) time.Duration {
		best := time.Hour
		for range 10 {
			start := time.Now()
			_, _ = s.Open("password", text, noon)
			best = min(best, time.Since(start))
		}
		return best
	}
	want := fastest(good)
	for name, text := range map[string]string{
		"unknown kid": unknown,
		"altered key": good[:dot+9] + "AAAA" + good[dot+13:],
		"altered tag": good[:len(good)-22] + strings.Repeat("A", 22),
		"no JWE":      "rahasia",
	} {
		if got := fastest(text); got < want/4 || got > 4*want {
			t.Errorf("%s takes %v, a good text %v", name, got, want)
		}
	}
}

// FuzzOpen puts text in place of any piece of one that opens, or of all of it.
func FuzzOpen(f *testing.F) {
	k := keysOf(f)[0]
	s := NewSet(k)
	good, err := s.Encrypt("value", "rahasia")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint16(0), uint16(0), "")
	f.Add(uint16(0), uint16(len(good)), "....")
	f.Add(uint16(len(good)), uint16(0), ".")
	f.Add(uint16(4), uint16(8), "\r\n")
	f.Add(uint16(0), uint16(1), "e")
	refused := errs.Field(errs.PasswordKeyInvalid, "password", nil)
	f.Fuzz(func(t *testing.T, at, cut uint16, put string) {
		from := min(int(at), len(good))
		to := min(from+int(cut), len(good))
		text := good[:from] + put + good[to:]
		got, err := s.Open("password", text, noon)
		if text == good {
			if err != nil || got != "rahasia" {
				t.Errorf("the good one: %q, %v", got, err)
			}
		} else if got != "" || !reflect.DeepEqual(err, error(refused)) {
			t.Errorf("%q: %q, %#v", text, got, err)
		}
	})
}
