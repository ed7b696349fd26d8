package auth

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

// otpDigits is the length of every code.
const otpDigits = 6

// newOTP returns a code, each of the million equally likely. It fails only where
// random does.
func newOTP(random io.Reader) (string, error) {
	n, err := rand.Int(random, big.NewInt(1_000_000))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%0*d", otpDigits, n), nil
}

// isOTP reports whether text has the form of a code.
func isOTP(text string) bool {
	return len(text) == otpDigits && strings.Trim(text, "0123456789") == ""
}

// An otpBinding is what a code is good for. The same code under another binding has
// another digest.
type otpBinding struct {
	Subject string // the user or the request that it was made for
	Purpose string // what it allows
	Device  string // the device that asked
}

// otpDigest returns what is stored of a code. Without the key it does not tell the
// code, although there are only a million.
func otpDigest(key []byte, b otpBinding, code string) [sha256.Size]byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range []string{b.Subject, b.Purpose, b.Device, code} {
		mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		mac.Write([]byte(part))
	}
	return [sha256.Size]byte(mac.Sum(nil))
}

// equalOTP compares a stored digest with that of a code, in constant time.
func equalOTP(stored []byte, digest [sha256.Size]byte) bool { return hmac.Equal(stored, digest[:]) }
