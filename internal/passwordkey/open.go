package passwordkey

import (
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"workforce/internal/errs"
)

// Sizes in bytes.
const (
	maxText    = 16 << 10 // of the whole text; the longest of Encrypt has about 2,000
	wrappedKey = bits / 8
	ivSize     = 12
	tagSize    = 16
)

// Open returns what was encrypted for one of the keys that are accepted at a
// time. Everything else is the same PASSWORD_KEY_INVALID on the field, after
// about the same time, whatever the cause: another alg or enc, compression, a
// critical header, a kid that is unknown or no longer accepted, one altered
// bit, or more than MaxLength bytes inside.
func (s Set) Open(field, text string, now time.Time) (string, error) {
	jwe, key := s.read(text, now)
	if jwe == nil {
		s.idle()
		return "", refusal(field)
	}
	plaintext, err := jwe.Decrypt(key.private)
	if err != nil {
		return "", refusal(field)
	}
	return string(plaintext), nil
}

// refusal holds no cause: what a log tells apart, a log's reader can use as an
// oracle.
func refusal(field string) error { return errs.Field(errs.PasswordKeyInvalid, field, nil) }

// read returns the parts of a text and the key that it is for, or nil.
func (s Set) read(text string, now time.Time) (*jose.JSONWebEncryption, Key) {
	if len(text) > maxText || !canonical(text) {
		return nil, Key{}
	}
	jwe, err := jose.ParseEncryptedCompact(text,
		[]jose.KeyAlgorithm{keyAlgorithm}, []jose.ContentEncryption{contentEncryption})
	if err != nil || jwe.Header.ExtraHeaders["zip"] != nil || jwe.Header.ExtraHeaders["crit"] != nil {
		return nil, Key{}
	}
	for _, k := range s.keys {
		if k.id == jwe.Header.KeyID && k.accepted(now) {
			return jwe, k
		}
	}
	return nil, Key{}
}

// canonical reports whether text has five parts of the right sizes, each in the
// one base64url form of its bytes. The decoder itself would skip line breaks,
// and let unused bits and the border between ciphertext and tag be altered.
func canonical(text string) bool {
	parts := strings.Split(text, ".")
	if len(parts) != 5 {
		return false
	}
	size := [5]int{}
	for i, part := range parts {
		raw, err := base64.RawURLEncoding.DecodeString(part)
		if err != nil || base64.RawURLEncoding.EncodeToString(raw) != part {
			return false
		}
		size[i] = len(raw)
	}
	return size[1] == wrappedKey && size[2] == ivSize && size[3] <= MaxLength && size[4] == tagSize
}

// idle takes as long as opening a text does.
func (s Set) idle() {
	if len(s.keys) > 0 {
		_, _ = rsa.DecryptOAEP(sha256.New(), nil, s.keys[0].private, make([]byte, wrappedKey), nil)
	}
}
