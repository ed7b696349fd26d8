package textform

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Password returns a password in the form that is hashed: that of RFC 8265 (OpaqueString), in
// composed form (NFC) with an ASCII space for any other. Unlike there no character is refused.
func Password(typed string) string {
	return norm.NFC.String(strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Zs, c) {
			return ' '
		}
		return c
	}, typed))
}

// PasswordForms returns the forms of a typed password that a stored hash may be of, each once:
// that of Password first, then as it was typed, then decomposed (NFD), as some systems type.
func PasswordForms(typed string) []string {
	var forms []string
	for _, form := range []string{Password(typed), typed, norm.NFD.String(typed)} {
		if !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	return forms
}
