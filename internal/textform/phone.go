package textform

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/nyaruka/phonenumbers"
)

const maxPhone = 40 // characters that a person types of a number

// PhoneKey returns a phone number in E.164 (+62811123789), and whether text is
// one: of a length that its country uses, whether assigned or not. Numbers
// without + are read in country, and those that begin with 00 or with the prefix that country
// dials abroad are read as if they began with +. Text that means two numbers is none.
func PhoneKey(text, country string) (key string, ok bool) {
	text = PhoneText(text)
	late := strings.LastIndexByte(text, '+') > strings.IndexAny(text, "+0123456789")
	if len(text) > maxPhone || late || strings.Trim(text, "+0123456789 -().") != "" {
		return "", false
	}
	if abroad, found := strings.CutPrefix(strings.TrimLeft(text, "( "), "00"); found {
		return international(text, "+"+abroad, country)
	}
	n, err := phonenumbers.Parse(text, country)
	if err == nil {
		n = withCode(n, text)
	}
	return format(n, err == nil)
}

// withCode returns the number of text that begins with the calling code of its country without a
// +, where that is the mobile one of the two that text can mean, or the one that is assigned. It
// returns n, as text is read within the country, otherwise.
func withCode(n *phonenumbers.PhoneNumber, text string) *phonenumbers.PhoneNumber {
	if !strings.HasPrefix(text, strconv.Itoa(int(n.GetCountryCode()))) {
		return n
	}
	other, err := phonenumbers.Parse("+"+text, "")
	if err != nil || !phonenumbers.IsValidNumber(other) {
		return n
	}
	kind, otherKind := phonenumbers.GetNumberType(n), phonenumbers.GetNumberType(other)
	if kind == phonenumbers.FIXED_LINE && otherKind == phonenumbers.MOBILE || !phonenumbers.IsValidNumber(n) {
		return other
	}
	return n
}

// international returns the number of text that begins with 00: the one after +, unless country
// dials another prefix that begins alike and leads to another number.
func international(text, plus, country string) (key string, ok bool) {
	n, err := phonenumbers.Parse(plus, "")
	key, ok = format(n, err == nil)
	n, err = phonenumbers.ParseAndKeepRawInput(text, country)
	dialled, own := format(n, err == nil && n.GetCountryCodeSource() == phonenumbers.PhoneNumber_FROM_NUMBER_WITH_IDD)
	switch {
	case !own:
		return key, ok
	case ok && key != dialled:
		return "", false
	}
	return dialled, true
}

// format returns a number that was read in E.164, where its length is possible.
func format(n *phonenumbers.PhoneNumber, read bool) (key string, ok bool) {
	if !read || phonenumbers.IsPossibleNumberWithReason(n) != phonenumbers.IS_POSSIBLE {
		return "", false
	}
	return phonenumbers.Format(n, phonenumbers.E164), true
}

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

// IsCountry reports whether code is that of a country whose phone numbers are known:
// two capital letters of ISO 3166.
func IsCountry(code string) bool { return phonenumbers.GetSupportedRegions()[code] }

// PhoneText returns a phone number as it is written in ASCII: digits of any script, any blank, dash,
// bracket and plus become the one on a keyboard, and marks of direction go.
func PhoneText(text string) string {
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		switch {
		case c < unicode.MaxASCII && !unicode.IsSpace(c):
			return c
		case isIgnorable(c):
			return -1
		case unicode.IsSpace(c):
			return ' '
		case unicode.Is(unicode.Nd, c):
			return digit(c)
		case unicode.Is(unicode.Pd, c), c == '\u2212':
			return '-'
		case c >= 0xFF01 && c <= 0xFF5E: // full-width forms of ASCII
			return c - 0xFEE0
		}
		return c
	}, text))
}

// digit returns the ASCII form of a decimal digit. Unicode keeps the ten of a script together,
// in order.
func digit(c rune) rune {
	for _, r := range unicode.Nd.R16 {
		if rune(r.Lo) <= c && c <= rune(r.Hi) {
			return '0' + (c-rune(r.Lo))%10
		}
	}
	for _, r := range unicode.Nd.R32 {
		if rune(r.Lo) <= c && c <= rune(r.Hi) {
			return '0' + (c-rune(r.Lo))%10
		}
	}
	return c
}
