// Package passwordkey makes the keys that apps encrypt passwords with, and
// opens what they encrypted.
//
// A password travels as a compact JWE (RFC 7516) of RSA-OAEP-256 and A256GCM
// whose kid names one of the keys. Whoever asks is told whether a text opens
// and nothing more; what Open returns is for the hasher, never for an answer.
package passwordkey

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	bits     = 2048
	exponent = 65537
)

// A Key is an RSA key of 2,048 bits. Print and log it freely: only Marshal
// shows the private part. The zero value is no key.
type Key struct {
	CreatedAt time.Time

	// AcceptedUntil ends the time in which a key that another one replaced is
	// still accepted; zero while none replaced it.
	AcceptedUntil time.Time

	id      string
	private *rsa.PrivateKey
}

// New returns a key made now, which takes some 100 ms.
func New(now time.Time) (Key, error) {
	private, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		return Key{}, fmt.Errorf("password key: %w", err)
	}
	return newKey(private, now, time.Time{})
}

// Unmarshal returns the key whose private part Marshal returned as der.
func Unmarshal(der []byte, createdAt, acceptedUntil time.Time) (Key, error) {
	parsed, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return Key{}, errors.New("password key: not a private key") // the cause could quote it
	}
	private, ok := parsed.(*rsa.PrivateKey)
	if !ok || private.N.BitLen() != bits || private.E != exponent {
		return Key{}, fmt.Errorf("password key: not an RSA key of %d bits", bits)
	}
	return newKey(private, createdAt, acceptedUntil)
}

func newKey(private *rsa.PrivateKey, createdAt, acceptedUntil time.Time) (Key, error) {
	public := jose.JSONWebKey{Key: &private.PublicKey}
	sum, err := public.Thumbprint(crypto.SHA256)
	if err != nil {
		return Key{}, fmt.Errorf("password key: %w", err)
	}
	id := base64.RawURLEncoding.EncodeToString(sum)
	return Key{CreatedAt: createdAt, AcceptedUntil: acceptedUntil, id: id, private: private}, nil
}

// Marshal returns the private part in the clear, as PKCS #8 DER: to be sealed
// before it is stored.
func (k Key) Marshal() ([]byte, error) {
	if k.private == nil {
		return nil, errors.New("password key: none to marshal")
	}
	return x509.MarshalPKCS8PrivateKey(k.private)
}

// ID returns the key's kid, its thumbprint (RFC 7638): 43 characters that
// anyone may see.
func (k Key) ID() string { return k.id }

// accepted reports whether texts for k open at a time.
func (k Key) accepted(now time.Time) bool {
	return k.AcceptedUntil.IsZero() || now.Before(k.AcceptedUntil)
}

// String shows the kid alone.
func (k Key) String() string { return "password key " + k.id }

// GoString shows the kid alone.
func (k Key) GoString() string { return k.String() }

// LogValue shows the kid alone.
func (k Key) LogValue() slog.Value { return slog.StringValue(k.String()) }
