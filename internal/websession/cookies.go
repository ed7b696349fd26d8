package websession

import (
	"net/http"
	"time"
)

// The cookies, by what they hold.
const (
	device  = "wf_device"
	refresh = "wf_refresh"
	user    = "wf_user"
	reset   = "wf_reset" // the id that a new password was asked for with
)

// deviceLife is how long a browser keeps the token of its device.
const deviceLife = 365 * 24 * time.Hour

// headers are those that operations take tokens from.
var headers = map[string]string{
	device: "X-Device-Token", refresh: "X-Refresh-Token", user: "X-User-Token",
}

// tokens are the values of the cookies, by their names without prefix.
type tokens map[string]string

// prefixed returns the name that a cookie has for browsers: one that begins with __Host- is
// kept only where it is secure, of the whole host and of no other (RFC 6265bis, section 4.1.3).
func (s *Sessions) prefixed(name string) string {
	if s.Secure {
		return "__Host-" + name
	}
	return name
}

// cookies reads the cookies of a request.
func (s *Sessions) cookies(r *http.Request) tokens {
	all := tokens{}
	for _, name := range []string{device, refresh, user, reset} {
		if c, err := r.Cookie(s.prefixed(name)); err == nil {
			all[name] = c.Value
		}
	}
	return all
}

// set has the browser keep a value for a while; later calls of the exchange use it.
func (x *exchange) set(name, value string, life time.Duration) {
	x.tokens[name] = value
	x.cookie(name, value, max(1, int(life.Seconds())))
}

// clear has the browser forget a value.
func (x *exchange) clear(name string) {
	delete(x.tokens, name)
	x.cookie(name, "", -1)
}

func (x *exchange) cookie(name, value string, seconds int) {
	http.SetCookie(x.w, &http.Cookie{
		Name: x.prefixed(name), Value: value, Path: "/", MaxAge: seconds,
		HttpOnly: true, Secure: x.Secure, SameSite: http.SameSiteStrictMode,
	})
}
