// Package password hashes passwords and says which ones may be chosen.
package password

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"workforce/internal/errs"
)

// The lengths of a password that may be chosen, in characters.
const (
	MinLength = 8
	MaxLength = 128
)

// Check returns nil for a password that may be chosen, else PASSWORD_WEAK on
// the field, whose meta has min, max and a reason: length, personal where the
// password is one of own, or common where everybody's attacker tries it first.
// Own holds the person's names and addresses; case does not matter, and an
// e-mail address stands for its local part too.
func Check(field, password string, own ...string) error {
	reason := ""
	if n := utf8.RuneCountInString(password); n < MinLength || n > MaxLength {
		reason = "length"
	} else if personal(password, own) {
		reason = "personal"
	} else if common(password) {
		reason = "common"
	}
	if reason == "" {
		return nil
	}
	return errs.Field(errs.PasswordWeak, field, errs.Meta{"min": MinLength, "max": MaxLength, "reason": reason})
}

// delays are how long to wait after one failed guess, two, and so on.
var delays = [...]time.Duration{
	0, 0, 0, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second, time.Minute,
}

// Delay returns how long after the last of a number of failed guesses the next
// may be looked at: nothing after three, a minute after nine and more.
func Delay(failures int) time.Duration {
	if failures <= 0 {
		return 0
	}
	return delays[min(failures, len(delays))-1]
}

func personal(password string, own []string) bool {
	for _, name := range own {
		local, _, _ := strings.Cut(name, "@")
		if strings.EqualFold(password, name) || strings.EqualFold(password, local) {
			return true
		}
	}
	return false
}

// IsJWE reports whether text has the form of a compact JWE (RFC 7516): five
// base64url parts with dots between, the first a JSON object that has alg. Such
// text is never a password itself.
func IsJWE(text string) bool {
	parts := strings.Split(text, ".")
	if len(parts) != 5 {
		return false
	}
	var raw [5][]byte
	for i, part := range parts {
		var err error
		if raw[i], err = base64.RawURLEncoding.DecodeString(part); err != nil {
			return false
		}
	}
	var header map[string]json.RawMessage
	return json.Unmarshal(raw[0], &header) == nil && header["alg"] != nil
}
