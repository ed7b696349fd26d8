// Package otp makes and compares the one-time codes that are sent to people.
// How long a code lives and how often it may be tried is the caller's to count.
package otp

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math/big"
	"strings"
)

// Digits is the length of every code.
const Digits = 6

// New returns a code, each of the million equally likely. It fails only where
// random does.
func New(random io.Reader) (string, error) {
	n, err := rand.Int(random, big.NewInt(1_000_000))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%0*d", Digits, n), nil
}

// IsCode reports whether text has the form of a code.
func IsCode(text string) bool {
	return len(text) == Digits && strings.Trim(text, "0123456789") == ""
}

// A Binding is what a code is good for. The same code under another binding has
// another digest.
type Binding struct {
	Subject string // the user or the request that it was made for
	Purpose string // what it allows
	Device  string // the device that asked
}

// Digest returns what is stored of a code. Without the key it does not tell the
// code, although there are only a million.
func Digest(key []byte, b Binding, code string) [sha256.Size]byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range []string{b.Subject, b.Purpose, b.Device, code} {
		mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		mac.Write([]byte(part))
	}
	return [sha256.Size]byte(mac.Sum(nil))
}

// Equal compares a stored digest with that of a code, in constant time.
func Equal(stored []byte, digest [sha256.Size]byte) bool { return hmac.Equal(stored, digest[:]) }
