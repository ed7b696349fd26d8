package server

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/rs/cors"
)

// loopbacks are the names by which a browser reaches its own machine.
var loopbacks = []string{"localhost", "127.0.0.1", "[::1]"}

var defaultPorts = map[string]string{"http": ":80", "https": ":443"}

// origins are those of a server's own pages.
type origins []string

// ownOrigins returns the origin of publicURL, and those of all loopbacks where it is at one of
// them.
func ownOrigins(publicURL string) origins {
	u, err := url.Parse(publicURL)
	if err != nil {
		return origins{publicURL}
	}
	port := ":" + u.Port()
	host := strings.TrimSuffix(u.Host, port)
	if port == defaultPorts[u.Scheme] || u.Port() == "" {
		port = "" // browsers leave it out
	}
	if !slices.Contains(loopbacks, strings.ToLower(host)) {
		return origins{u.Scheme + "://" + host + port}
	}
	var own origins
	for _, name := range loopbacks {
		own = append(own, u.Scheme+"://"+name+port)
	}
	return own
}

// areSecure reports whether browsers keep secrets of pages at the origins: over HTTPS, and on
// their own machine.
func (o origins) areSecure() bool { return len(o) > 1 || o.areHTTPS() }

func (o origins) areHTTPS() bool { return strings.HasPrefix(strings.ToLower(o[0]), "https://") }

// sent reports whether one of the pages sent a request. The Host of a request is no authority:
// whoever leads a name of theirs to the server chooses it.
func (o origins) sent(r *http.Request) bool {
	list := r.Header.Values("Origin")
	return len(list) == 1 && slices.ContainsFunc(o, func(own string) bool { return strings.EqualFold(own, list[0]) })
}

// orAllowed returns a function that reports whether the page which sent a request is one of the
// server's own or of the origins that may call it, or whether it is no page.
func (o origins) orAllowed(allowed *cors.Cors) func(*http.Request) bool {
	return func(r *http.Request) bool {
		switch len(r.Header.Values("Origin")) {
		case 0:
			return true
		case 1:
			return o.sent(r) || allowed != nil && allowed.OriginAllowed(r)
		}
		return false
	}
}
