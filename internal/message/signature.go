package message

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

	"workforce/internal/errs"
)

const (
	// SignatureHeader is the header that signs a body, both ways.
	SignatureHeader = "X-Signature"

	signatureAge = 300 * time.Second // before or after now
	maxMACs      = 4                 // in one header
	maxDigits    = 12                // of its time
)

// Sign returns the X-Signature of a body sent at t: t=<unix seconds>,v1=<hex
// HMAC-SHA256 of "<t>.<body>" under secret>.
func Sign(secret string, t time.Time, body []byte) string {
	at := strconv.FormatInt(t.Unix(), 10)
	return "t=" + at + ",v1=" + hex.EncodeToString(mac(secret, at, body))
}

func mac(secret, at string, body []byte) []byte {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(at + "."))
	h.Write(body)
	return h.Sum(nil)
}

// Verify checks the X-Signature of a body as it was received. While a secret is
// being changed, two are live: a header may hold a v1 for each, and one that
// matches one live secret is enough. Empty secrets are none.
//
// Every failure is UNAUTHENTICATED; its cause, for the log, tells malformed,
// wrong and more than 300 seconds away from now apart.
func Verify(secrets []string, header string, body []byte, now time.Time) error {
	sig, ok := parseSignature(header)
	if !ok {
		return unsigned("malformed signature")
	}
	if !sig.matches(secrets, body) {
		return unsigned("wrong signature")
	}
	if now.Sub(sig.time).Abs() > signatureAge {
		return unsigned("signature too old or too new")
	}
	return nil
}

func unsigned(cause string) error {
	return &errs.Error{Code: errs.Unauthenticated, Err: errors.New(cause)}
}

// A signature is an X-Signature that was read.
type signature struct {
	at   string // as signed
	time time.Time
	macs [][]byte
}

// parseSignature reads t=<digits>,v1=<64 hex digits>, the latter one to four
// times, and nothing else.
func parseSignature(header string) (sig signature, ok bool) {
	at, rest, ok := strings.Cut(header, ",")
	if !ok {
		return sig, false
	}
	if sig.at, ok = strings.CutPrefix(at, "t="); !ok {
		return sig, false
	}
	if sig.time, ok = parseUnix(sig.at); !ok {
		return sig, false
	}
	for part := range strings.SplitSeq(rest, ",") {
		digits, ok := strings.CutPrefix(part, "v1=")
		sum, err := hex.DecodeString(digits)
		if !ok || err != nil || len(sum) != sha256.Size || len(sig.macs) == maxMACs {
			return sig, false
		}
		sig.macs = append(sig.macs, sum)
	}
	return sig, true
}

// parseUnix reads a whole number of seconds, written in digits alone.
func parseUnix(text string) (time.Time, bool) {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil || len(text) > maxDigits {
		return time.Time{}, false
	}
	return time.Unix(int64(n), 0), true
}

// matches compares every MAC with that of every secret, in constant time.
func (s signature) matches(secrets []string, body []byte) (found bool) {
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		want := mac(secret, s.at, body)
		for _, got := range s.macs {
			if hmac.Equal(got, want) {
				found = true
			}
		}
	}
	return found
}
