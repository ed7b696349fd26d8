// Package password hashes passwords and says which ones may be chosen.
package password

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"workforce/internal/errs"
	"workforce/internal/textform"
)

// The lengths of a password that may be chosen, in characters.
const (
	MinLength = 8
	MaxLength = 128
)

// Check returns nil for a password that may be chosen, else PASSWORD_WEAK on
// the field, in the form that is hashed, whose meta has min, max and a reason: length, personal where the
// password is made of own texts, or common where everybody's attacker tries it first.
// Own holds the person's names and addresses.
func Check(field, password string, own ...string) error {
	reason := ""
	password = textform.Password(password)
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

// What makes a password personal, in characters.
const (
	minOwn   = 3 // of a text to look for
	mostRest = 4 // beside own texts, such as a year
	phoneEnd = 8 // of a phone number, which people write in several ways
)

// personal reports whether a password has little more than own texts, of which
// letters and digits count, in any case: names and their parts, the local part of an
// e-mail address and its parts, the address, and the end of a phone number.
func personal(password string, own []string) bool {
	var texts []string
	for _, name := range own {
		local, _, _ := strings.Cut(name, "@")
		texts = append(texts, plain(name), plain(local))
		for _, part := range strings.FieldsFunc(local, separates) {
			texts = append(texts, plain(part))
		}
		if digits := plain(name); strings.HasPrefix(name, "+") && len(digits) > phoneEnd {
			texts = append(texts, digits[len(digits)-phoneEnd:])
		}
	}
	slices.SortFunc(texts, func(a, b string) int { return len(b) - len(a) })
	whole := plain(password)
	rest := whole
	for _, text := range texts {
		if utf8.RuneCountInString(text) >= minOwn {
			rest = strings.ReplaceAll(rest, text, "")
		}
	}
	return len(rest) < len(whole) && utf8.RuneCountInString(rest) <= mostRest
}

// plain returns the letters and digits of a text, in lower case.
func plain(text string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(text, separates), ""))
}

// separates reports whether a character is neither a letter nor a digit.
func separates(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }

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
