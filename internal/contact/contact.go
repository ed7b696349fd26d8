// Package contact holds the phone numbers of people as they are stored, and masks the addresses
// by which people are known and reached.
package contact

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"workforce/internal/textform"

	"github.com/nyaruka/phonenumbers"
)

// erased begins the key of an erased person, which is no address: nobody can type it.
const erased = "erased-"

// ErasedKey returns what stands for the e-mail address of an erased person.
func ErasedKey(id int) string { return erased + strconv.Itoa(id) }

// IsErased reports whether a key is one that ErasedKey made.
func IsErased(key string) bool { return strings.HasPrefix(key, erased) && !strings.Contains(key, "@") }

// hidden stands for what a masked address does not tell, however long it is.
const hidden = "***"

// MaskEmail shows the first character and the domain: m***@demo.test.
func MaskEmail(key string) string {
	local, domain, ok := strings.Cut(key, "@")
	if !ok || local == "" {
		return hidden
	}
	_, size := utf8.DecodeRuneInString(local)
	return local[:size] + hidden + "@" + domain
}

// MaskPhone shows the country and the last three digits of a number in E.164:
// +62***789.
func MaskPhone(key string) string {
	n, err := phonenumbers.Parse(key, "")
	if err != nil || len(key) < 8 {
		return hidden
	}
	return "+" + strconv.Itoa(int(n.GetCountryCode())) + hidden + key[len(key)-3:]
}

// Mask masks a key of a kind that a login name turned out to be.
func Mask(kind textform.Kind, key string) string {
	switch kind {
	case textform.Email:
		return MaskEmail(key)
	case textform.Phone:
		return MaskPhone(key)
	}
	return hidden
}
