package request

import (
	"net/http"
	"strings"

	"workforce/internal/errs"
)

// idempotencyKey is the header that names a request for good.
const idempotencyKey = "Idempotency-Key"

// maxKey is how many characters a key may have.
const maxKey = 255

// IdempotencyKey returns the Idempotency-Key of a request, "" where there is
// none: a structured-header string (RFC 9651), or the same text without quotes
// where it is visible ASCII. It begins and ends with a visible character, since
// databases differ on spaces there. Anything else fails with VALIDATION_FAILED
// and names the header, so that nobody relies on a key that does not count.
func IdempotencyKey(h http.Header) (string, error) {
	sent := h.Values(idempotencyKey)
	if len(sent) == 0 {
		return "", nil
	}
	key, ok := keyText(strings.TrimSpace(sent[0]))
	switch {
	case !ok || len(sent) > 1:
		return "", errs.Because(idempotencyKey, errs.BadFormat, errs.Meta{"expected": `"8e03978e-40d5-43dd-bc93-6894a57f9324"`})
	case key == "":
		return "", errs.Because(idempotencyKey, errs.Required, nil)
	case len(key) > maxKey:
		return "", errs.Because(idempotencyKey, errs.TooLong, errs.Meta{"max": maxKey})
	}
	return key, nil
}

// keyText returns what a header says, with its quotes or without.
func keyText(sent string) (text string, ok bool) {
	if strings.HasPrefix(sent, `"`) {
		text, ok = unquote(sent)
		return text, ok && strings.TrimSpace(text) == text
	}
	odd := func(c rune) bool { return c <= ' ' || c > '~' || c == '"' }
	return sent, !strings.ContainsFunc(sent, odd)
}

// unquote returns the text of a structured-header string, which is printable
// ASCII with backslashes before quotes and backslashes.
func unquote(s string) (text string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return b.String(), i == len(s)-1
		case c == '\\':
			i++
			if i == len(s) || s[i] != '\\' && s[i] != '"' {
				return "", false
			}
		case c < ' ' || c > '~':
			return "", false
		}
		b.WriteByte(s[i])
	}
	return "", false
}
