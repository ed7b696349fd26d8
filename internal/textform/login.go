package textform

import "unicode/utf8"

// Kind is what an address turned out to be.
type Kind string

// The kinds of address; the zero value is neither.
const (
	Unknown Kind = ""
	Email   Kind = "email"
	Phone   Kind = "phone"
)

// A Login is what somebody typed as their user name: the zero value is no address.
type Login struct {
	Kind Kind
	Keys []string // that an account may have, the one to prefer first
}

// Key returns the key that new accounts have; "" for no address.
func (l Login) Key() string {
	if len(l.Keys) == 0 {
		return ""
	}
	return l.Keys[len(l.Keys)-1]
}

// ReadLogin reads a user name: an e-mail address or a phone number, the latter read in country
// (ISO 3166, such as ID) where it has no +. Invisible characters, which come along with copied
// text, do not count.
func ReadLogin(text, country string) Login {
	if !utf8.ValidString(text) {
		return Login{}
	}
	text = WithoutInvisible(text)
	if keys := EmailKeys(text); keys != nil {
		return Login{Email, keys}
	}
	if key, ok := PhoneKey(text, country); ok {
		return Login{Phone, []string{key}}
	}
	return Login{}
}
