// Package textform decides what a text that a person typed is: a name or title, an e-mail
// address, a phone number, a login name, a password or words to search for. Both APIs, the
// imports, the commands and the search ask it, so that a text means the same everywhere.
package textform

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Line returns text in Unicode's composed form (NFC), without blanks and invisible
// characters around it.
func Line(text string) string {
	return norm.NFC.String(strings.TrimFunc(text, func(c rune) bool { return unicode.IsSpace(c) || isStray(c) }))
}

// IsPlain reports whether text is one line without control characters, and without those that
// embed, override or isolate a direction: these disguise what a text is.
func IsPlain(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool {
		return unicode.IsControl(c) || 0x2028 <= c && c <= 0x202E || 0x2066 <= c && c <= 0x2069
	})
}

// Shows reports whether a reader sees anything of a text. Blanks, control characters, what
// Unicode calls ignorable, and the empty pattern of Braille show nothing.
func Shows(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool {
		return !unicode.IsSpace(c) && !unicode.IsControl(c) && !isIgnorable(c) && c != '\u2800'
	})
}

// SortKey folds a name so that the order of keys, byte by byte, is the order of
// names ignoring case, the same in every language and database. A key may be up
// to three times as long as its name.
func SortKey(name string) string { return cases.Fold().String(norm.NFC.String(name)) }

// isStray reports whether a character shows nothing and joins nothing at the end of a text:
// zero-width characters, marks of direction, the soft hyphen and the byte order mark.
func isStray(c rune) bool {
	switch {
	case c >= 0x200B && c <= 0x200F, c >= 0x202A && c <= 0x202E, c >= 0x2060 && c <= 0x206F, c == 0xFEFF, c == 0xAD:
		return true
	}
	return false
}

// isIgnorable reports whether a character has the property Default_Ignorable_Code_Point. It is
// derived as DerivedCoreProperties.txt of Unicode 15 says.
func isIgnorable(c rune) bool {
	switch {
	case unicode.In(c, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		return true
	case c >= 0xFFF9 && c <= 0xFFFB, c >= 0x13430 && c <= 0x13440, unicode.Is(unicode.Prepended_Concatenation_Mark, c):
		return false
	}
	return unicode.Is(unicode.Cf, c)
}

// HasInvisible reports whether text has characters that show nothing, blanks apart.
func HasInvisible(text string) bool { return strings.ContainsFunc(text, isIgnorable) }

// WithoutInvisible returns text without the characters that show nothing, blanks apart.
func WithoutInvisible(text string) string {
	return strings.Map(func(c rune) rune {
		if isIgnorable(c) {
			return -1
		}
		return c
	}, text)
}
