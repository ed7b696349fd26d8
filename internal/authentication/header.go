package authentication

import (
	"net/http"
	"strings"

	"workforce/internal/app/auth/credential"
	"workforce/internal/token"
)

// headers names the header of each kind of token.
var headers = map[token.Kind]string{
	token.Access: "X-Access-Token", token.Refresh: "X-Refresh-Token", token.User: "X-User-Token", token.Device: "X-Device-Token",
}

// A sentToken is one that a request was sent with.
type sentToken struct {
	credential.Sent
	bearer bool // as the bearer value
}

// sentAs returns the request's tokens that may be of a kind: that of the kind's
// own header first, then the bearer value, unless it is a token of another kind.
func sentAs(kind token.Kind, h http.Header) []sentToken {
	var all []sentToken
	if text := h.Get(headers[kind]); text != "" {
		all = append(all, sentToken{credential.Parse(kind, text), false})
	}
	if text, ok := bearer(h.Get("Authorization")); ok {
		if t, err := token.Parse(text); err != nil || t.Kind() == kind {
			all = append(all, sentToken{credential.Parse(kind, text), true})
		}
	}
	return all
}

func bearer(authorization string) (string, bool) {
	scheme, text, ok := strings.Cut(authorization, " ")
	text = strings.TrimSpace(text)
	return text, ok && strings.EqualFold(scheme, "Bearer") && text != ""
}
