package middleware

import (
	"net/http"
	"net/url"
	"path"
	"strings"

	"workforce/internal/errs"
	"workforce/internal/request"
)

// methods are the methods that a route may have, besides OPTIONS.
var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
}

// routes serves mux and the errors of the router: NOT_FOUND for a path that no
// pattern matches exactly (it never redirects), METHOD_NOT_ALLOWED with Allow for
// a path that has other methods. OPTIONS, unless a pattern has it, responds with
// Allow. A pattern whose GET writes has no HEAD.
func routes(mux *http.ServeMux, cfg Config) http.Handler {
	t := routeTable{mux, cfg.Writes}
	var unmatched http.Handler = http.HandlerFunc(t.unmatched)
	if cfg.Unmatched != nil {
		unmatched = cfg.Unmatched(unmatched)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isClean(r.URL) && t.matches(r, r.Method) {
			mux.ServeHTTP(w, r)
			return
		}
		unmatched.ServeHTTP(w, r)
	})
}

// unmatched answers a request that no pattern matches.
func (t routeTable) unmatched(w http.ResponseWriter, r *http.Request) {
	allow := t.allowedMethods(r)
	if allow == nil {
		request.Fail(w, r, errs.New(errs.NotFound, nil))
		return
	}
	w.Header().Set("Allow", strings.Join(allow, ", "))
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	request.Fail(w, r, errs.New(errs.MethodNotAllowed, nil))
}

// A routeTable looks up patterns.
type routeTable struct {
	mux    *http.ServeMux
	writes func(pattern string) bool // may be nil
}

// allowedMethods returns the methods of the path, nil for an unknown path. Where a pattern is the
// path itself, others that match it, such as /task/{id}, do not count.
func (t routeTable) allowedMethods(r *http.Request) (allow []string) {
	if !isClean(r.URL) {
		return nil
	}
	exact := false
	for _, method := range methods {
		if !t.matches(r, method) {
			continue
		}
		is := t.isExact(r, method)
		if is && !exact {
			allow, exact = nil, true
		}
		if is == exact {
			allow = append(allow, method)
		}
	}
	if allow != nil {
		allow = append(allow, http.MethodOptions)
	}
	return allow
}

// matches reports whether a pattern matches the request's path and a method. If
// only the path with a final slash matches, ServeMux returns that pattern with a
// redirect; the pattern then has more slashes than the path.
func (t routeTable) matches(r *http.Request, method string) bool {
	_, pattern := t.mux.Handler(&http.Request{Method: method, URL: r.URL, Host: r.Host})
	if method == http.MethodHead && t.writes != nil && t.writes(pattern) {
		return false
	}
	return pattern != "" && strings.Count(pattern, "/") <= strings.Count(r.URL.EscapedPath(), "/")
}

// isExact reports whether the pattern that matches the request's path and a method is that path.
func (t routeTable) isExact(r *http.Request, method string) bool {
	_, pattern := t.mux.Handler(&http.Request{Method: method, URL: r.URL, Host: r.Host})
	return pattern[strings.IndexByte(pattern, '/'):] == r.URL.Path
}

// isClean reports whether a path, as sent and decoded, is rooted and has neither
// empty nor dot segments.
func isClean(u *url.URL) bool {
	for _, p := range []string{u.EscapedPath(), u.Path} {
		c := path.Clean(p)
		if !strings.HasPrefix(p, "/") || p != c && (c == "/" || p != c+"/") {
			return false
		}
	}
	return true
}
