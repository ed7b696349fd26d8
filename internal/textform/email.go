package textform

import (
	"net/mail"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// The lengths of an e-mail address, in bytes (RFC 5321).
const (
	maxEmail  = 254
	maxLocal  = 64
	maxDomain = 253
	maxLabel  = 63
)

// EmailKey returns the key that an e-mail address is unique by, and whether text is an address.
// Two texts with one key are one mailbox to people: letter case does not count, and a domain is
// the same in letters (münchen.de) and in ASCII (xn--mnchen-3ya.de). Text with invisible
// characters is no address.
func EmailKey(text string) (key string, ok bool) {
	local, domain, ok := splitEmail(text)
	if !ok {
		return "", false
	}
	unicoded, err := domains.ToUnicode(domain)
	switch {
	case err == nil:
		domain = unicoded
	case IsASCII(domain): // such as one with an underscore
		domain = strings.ToLower(domain)
	default:
		return "", false
	}
	key = norm.NFC.String(strings.Map(foldCase, local)) + "@" + domain
	return key, len(key) <= maxEmail
}

// NewEmailKey is EmailKey for an address that is to be stored: its domain must be one that
// domain names can have, or localhost. Addresses of other domains were taken before, and still
// sign in.
func NewEmailKey(text string) (key string, ok bool) {
	key, ok = EmailKey(text)
	if !ok {
		return "", false
	}
	size := 0
	for label := range strings.SplitSeq(key[strings.LastIndexByte(key, '@')+1:], ".") {
		if !IsASCII(label) {
			label, _ = domains.ToASCII(label) // in a key it has such a form
		} else if strings.HasPrefix(label, "xn--") {
			return "", false // a key has letters in the place of what can be read
		}
		if !isLabel(label) {
			return "", false
		}
		size += len(label) + 1
	}
	return key, size-1 <= maxDomain
}

// isLabel reports whether a label of a domain is one in ASCII and small letters (RFC 1035;
// with underscores, since there are domains that have them).
func isLabel(label string) bool {
	return label != "" && len(label) <= maxLabel && label[0] != '-' && label[len(label)-1] != '-' &&
		!strings.ContainsFunc(label, func(c rune) bool {
			return !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_')
		})
}

// EmailKeys returns the keys that the account of an address may have: the one that was made
// before letters other than ASCII had a case, where it differs, and that of EmailKey. Nil for
// text that is no address.
func EmailKeys(text string) []string {
	key, ok := EmailKey(text)
	if !ok {
		return nil
	}
	local, domain, _ := splitEmail(text)
	return slices.Compact([]string{strings.Map(lowerASCII, local+"@"+domain), key})
}

// PartOfEmail returns what text has in the keys of the addresses that it is a part of.
func PartOfEmail(text string) string { return norm.NFC.String(strings.Map(foldCase, Line(text))) }

// WireEmail returns an address as a mail server without SMTPUTF8 (RFC 6531) takes it, with its
// domain in ASCII, and whether there is such a form: none has a local part with other letters.
func WireEmail(address string) (wire string, ok bool) {
	at := strings.LastIndexByte(address, '@')
	if at < 0 || IsASCII(address) {
		return address, at >= 0
	}
	domain, err := domains.ToASCII(address[at+1:])
	return address[:at+1] + domain, err == nil && IsASCII(address[:at])
}

// domains reads domains as browsers and mail programs do: UTS #46, not transitional.
var domains = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.Transitional(false))

// splitEmail parts an address in composed form, without blanks around it.
func splitEmail(text string) (local, domain string, ok bool) {
	text = norm.NFC.String(strings.TrimSpace(text))
	a, err := mail.ParseAddress(text)
	if err != nil || a.Address != text || len(text) > maxEmail {
		return "", "", false
	}
	if !norm.NFKC.IsNormalString(text) || HasInvisible(text) || strings.ContainsFunc(text, showsNothing) {
		return "", "", false
	}
	local, domain, _ = strings.Cut(text, "@")
	return local, domain, len(local) <= maxLocal && !strings.ContainsAny(domain, "@[")
}

// showsNothing reports whether a character is a control, an annotation's mark or the blank of
// Braille: none is a blank or invisible by Unicode's properties, and none is seen.
func showsNothing(c rune) bool {
	return unicode.IsControl(c) || 0xFFF9 <= c && c <= 0xFFFB || c == '\u2800'
}

// foldCase returns the same letter for all that simple case folding (CaseFolding.txt of Unicode,
// C and S) makes equal. İ and ı are equal to no other.
func foldCase(c rune) rune {
	if unicode.SimpleFold(c) == c {
		return c
	}
	return unicode.ToLower(unicode.ToUpper(c))
}

func lowerASCII(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r - 'A' + 'a'
	}
	return r
}

// IsASCII reports whether text has no letters beyond ASCII.
func IsASCII(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c >= utf8.RuneSelf })
}
