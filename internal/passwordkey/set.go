package passwordkey

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/go-jose/go-jose/v4"

	"workforce/internal/errs"
)

// MaxLength is the length of the longest text that is encrypted or opened, in
// bytes.
const MaxLength = 1024

const (
	keyAlgorithm      = jose.RSA_OAEP_256
	contentEncryption = jose.A256GCM
)

// A Set holds the keys of an installation. It never changes, and is safe for
// concurrent use. The zero value has no key: it encrypts and opens nothing.
type Set struct {
	keys []Key // those that none replaced first, newest first
}

// NewSet returns the set of keys, given in any order. Of several that none
// replaced, as when two instances made the first one, the newest is current and
// all are accepted. Zero keys are left out.
func NewSet(keys ...Key) Set {
	keys = slices.DeleteFunc(slices.Clone(keys), func(k Key) bool { return k.private == nil })
	slices.SortFunc(keys, func(a, b Key) int {
		return cmp.Or(
			cmp.Compare(replaced(a), replaced(b)),
			b.CreatedAt.Compare(a.CreatedAt),
			cmp.Compare(a.id, b.id), // the same for every instance
		)
	})
	return Set{keys: keys}
}

// replaced returns 1 for a key that another replaced, else 0.
func replaced(k Key) int {
	if k.AcceptedUntil.IsZero() {
		return 0
	}
	return 1
}

// Current returns the key to encrypt with, if there is one.
func (s Set) Current() (Key, bool) {
	if len(s.keys) == 0 || !s.keys[0].AcceptedUntil.IsZero() {
		return Key{}, false
	}
	return s.keys[0], true
}

// A JWKS is a JWK Set (RFC 7517), which anyone may see.
type JWKS struct {
	Keys []JWK `json:"keys"`
}

// A JWK is the public part of a key. N and E are base64url.
type JWK struct {
	Kty string `json:"kty"`
	Use string `json:"use"`
	Alg string `json:"alg"`
	Kid string `json:"kid"`
	N   string `json:"n"`
	E   string `json:"e"`
}

// JWKS returns the public parts of the keys that are accepted at a time, the
// current one first.
func (s Set) JWKS(now time.Time) JWKS {
	set := JWKS{Keys: []JWK{}}
	for _, k := range s.keys {
		if k.accepted(now) {
			set.Keys = append(set.Keys, k.public())
		}
	}
	return set
}

func (k Key) public() JWK {
	b64 := base64.RawURLEncoding.EncodeToString
	return JWK{
		Kty: "RSA", Use: "enc", Alg: string(keyAlgorithm), Kid: k.id,
		N: b64(k.private.N.Bytes()),
		E: b64(big.NewInt(int64(k.private.E)).Bytes()),
	}
}

// Encrypt returns value as a compact JWE for the current key. A value that is
// longer than MaxLength is VALIDATION_FAILED on the field; a set without a
// current key is an error of no code.
func (s Set) Encrypt(field, value string) (string, error) {
	if len(value) > MaxLength {
		return "", errs.Because(field, errs.TooLong, errs.Meta{"max": MaxLength})
	}
	key, ok := s.Current()
	if !ok {
		return "", errors.New("no current password key")
	}
	recipient := jose.Recipient{Algorithm: keyAlgorithm, Key: &key.private.PublicKey, KeyID: key.id}
	enc, err := jose.NewEncrypter(contentEncryption, recipient, nil)
	if err != nil {
		return "", fmt.Errorf("encrypt password: %w", err)
	}
	jwe, err := enc.Encrypt([]byte(value))
	if err != nil {
		return "", fmt.Errorf("encrypt password: %w", err)
	}
	return jwe.CompactSerialize()
}
