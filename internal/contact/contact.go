// Package contact reads the addresses that people are known and reached by, and
// brings them into the one form that is compared and stored.
package contact

import (
	"net/mail"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/nyaruka/phonenumbers"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Kind is what an address turned out to be.
type Kind string

// The kinds of address; the zero value is neither.
const (
	Unknown Kind = ""
	Email   Kind = "email"
	Phone   Kind = "phone"
)

// Username reads what somebody typed as their user name: an e-mail address or a
// phone number, the latter read in country (ISO 3166, such as ID) where it has
// no +. It returns the key that both are unique by, or Unknown and "".
func Username(text, country string) (Kind, string) {
	if key, ok := EmailKey(text); ok {
		return Email, key
	}
	if key, ok := PhoneKey(text, country); ok {
		return Phone, key
	}
	return Unknown, ""
}

// erased begins the key of an erased person, which is no address: nobody can type it.
const erased = "erased-"

// ErasedKey returns what stands for the e-mail address of an erased person.
func ErasedKey(id int) string { return erased + strconv.Itoa(id) }

// IsErased reports whether a key is one that ErasedKey made.
func IsErased(key string) bool { return strings.HasPrefix(key, erased) && !strings.Contains(key, "@") }

// EmailKey returns an e-mail address in lower case, without space around it,
// and whether text is one. Only ASCII letters are lowered: foreign letters that
// merely look like them stay another address.
func EmailKey(text string) (key string, ok bool) {
	text = norm.NFC.String(strings.TrimSpace(text))
	a, err := mail.ParseAddress(text)
	if err != nil || a.Address != text || len(text) > 254 || !norm.NFKC.IsNormalString(text) {
		return "", false
	}
	local, domain, _ := strings.Cut(text, "@")
	if len(local) > 64 || strings.ContainsAny(domain, "@[") {
		return "", false
	}
	return strings.Map(lowerASCII, text), true
}

func lowerASCII(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r - 'A' + 'a'
	}
	return r
}

// PhoneKey returns a phone number in E.164 (+62811123789), and whether text is
// one: of a length that its country uses, whether assigned or not. Numbers
// without + are read in country.
func PhoneKey(text, country string) (key string, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) > 40 || strings.Trim(text, "+0123456789 -().") != "" {
		return "", false
	}
	n, err := phonenumbers.Parse(text, country)
	if err != nil || phonenumbers.IsPossibleNumberWithReason(n) != phonenumbers.IS_POSSIBLE {
		return "", false
	}
	return phonenumbers.Format(n, phonenumbers.E164), true
}

// IsCountry reports whether code is that of a country whose phone numbers are known:
// two capital letters of ISO 3166.
func IsCountry(code string) bool { return phonenumbers.GetSupportedRegions()[code] }

// NumberKey is PhoneKey for a number that comes with its country's calling code
// (62), with or without a leading zero, spaces or the code itself.
func NumberKey(countryCode int, number string) (key string, ok bool) {
	region := phonenumbers.GetRegionCodeForCountryCode(countryCode)
	key, ok = PhoneKey(number, region)
	if !ok || !strings.HasPrefix(key, "+"+strconv.Itoa(countryCode)) {
		return "", false
	}
	return key, true
}

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

// Mask masks a key of a kind that Username returned.
func Mask(kind Kind, key string) string {
	switch kind {
	case Email:
		return MaskEmail(key)
	case Phone:
		return MaskPhone(key)
	}
	return hidden
}

// SortKey folds a name so that the order of keys, byte by byte, is the order of
// names ignoring case, the same in every language and database. A key may be up
// to three times as long as its name.
func SortKey(name string) string { return cases.Fold().String(norm.NFC.String(name)) }
