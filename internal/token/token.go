// Package token makes and reads the opaque tokens that clients hold. A token's
// kind and form can be told without a database; only its hash is stored.
package token

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"log/slog"
	"regexp"
	"strings"
)

// Kind is what a token is for; the first three letters of its text.
type Kind string

// The kinds of token.
const (
	Access  Kind = "wfa"
	Refresh Kind = "wfr"
	User    Kind = "wfu"
	Device  Kind = "wfd"
	Widget  Kind = "wfw"
	Key     Kind = "wfk"
)

// Valid reports whether k is one of the kinds above.
func (k Kind) Valid() bool { return k.Name() != "" }

// Name returns the kind's name as errors show it: access, refresh, user, device,
// widget or key.
func (k Kind) Name() string {
	switch k {
	case Access:
		return "access"
	case Refresh:
		return "refresh"
	case User:
		return "user"
	case Device:
		return "device"
	case Widget:
		return "widget"
	case Key:
		return "key"
	}
	return ""
}

const (
	secretSize = 32 // bytes
	sumSize    = crc32.Size
	prefixSize = len("wfa_")

	// Length is the length of every token's text: the kind, an underscore, and
	// secret and checksum in the URL-safe base64 alphabet.
	Length = prefixSize + (secretSize+sumSize)/3*4
)

// ErrInvalid is returned for text that is not a token: of another length or
// alphabet, of an unknown kind, or mistyped so that its checksum is wrong.
var ErrInvalid = errors.New("not a token")

// A Token is the secret that one client holds. Print and log it freely: only
// Text shows the secret. The zero value is of no kind and never parses.
type Token struct {
	kind   Kind
	secret [secretSize]byte
}

// New returns a token of 256 random bits. It fails only where random does.
func New(kind Kind, random io.Reader) (Token, error) {
	t := Token{kind: kind}
	_, err := io.ReadFull(random, t.secret[:])
	return t, err
}

// Derive returns the token of a family's generation: the same one each time,
// and not to be told from a random one without the key. Kinds, families and
// generations never share a token.
func Derive(key []byte, kind Kind, family []byte, generation uint32) Token {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("token " + kind + "\n"))
	mac.Write(binary.BigEndian.AppendUint32(nil, generation))
	mac.Write(family)
	return Token{kind: kind, secret: [secretSize]byte(mac.Sum(nil))}
}

// Parse reads a token's text. The error is ErrInvalid.
func Parse(text string) (Token, error) {
	prefix, body, _ := strings.Cut(text, "_")
	t := Token{kind: Kind(prefix)}
	if len(text) != Length || !t.kind.Valid() {
		return Token{}, ErrInvalid
	}
	raw, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil || copy(t.secret[:], raw) != secretSize || t.Text() != text {
		return Token{}, ErrInvalid
	}
	return t, nil
}

// Kind returns what the token is for.
func (t Token) Kind() Kind { return t.kind }

// Text returns the token as its client holds it.
func (t Token) Text() string {
	prefix := string(t.kind) + "_"
	sum := crc32.Update(crc32.ChecksumIEEE([]byte(prefix)), crc32.IEEETable, t.secret[:])
	raw := binary.BigEndian.AppendUint32(t.secret[:], sum)
	return prefix + base64.RawURLEncoding.EncodeToString(raw)
}

// Hash returns what is stored of the token.
func (t Token) Hash() [sha256.Size]byte { return Hash(t.Text()) }

// String returns the kind alone.
func (t Token) String() string { return string(t.kind) + "_…" }

// GoString returns the kind alone.
func (t Token) GoString() string { return t.String() }

// LogValue returns the kind alone.
func (t Token) LogValue() slog.Value { return slog.StringValue(t.String()) }

// MarshalText returns the kind alone, so that no encoder shows the secret.
func (t Token) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Hash returns what is stored of the token with that text. Rows are found by
// it, so that the time of a look-up tells nothing of the secret.
func Hash(text string) [sha256.Size]byte { return sha256.Sum256([]byte(text)) }

// part matches a token, whole or cut short, wherever it stands in a text.
var part = regexp.MustCompile(`wf[arudwk]_[A-Za-z0-9_-]{8,}`)

// Mask returns a text for logs and for what is kept: of each token in it, the kind alone.
func Mask(text string) string {
	if !strings.Contains(text, "wf") { // nearly every text
		return text
	}
	return part.ReplaceAllStringFunc(text, func(t string) string { return t[:prefixSize] + "…" })
}
