package middleware

import (
	"net/http"
	"net/url"
	"path"
	"strings"

	"workforce/internal/errs"
	"workforce/internal/request"
)

// methods are those that any route may answer, besides OPTIONS.
var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
}

// routes serves mux, with errors of our own: NOT_FOUND for a path that no
// pattern matches as it is (nothing is redirected), METHOD_NOT_ALLOWED with Allow
// for one that other methods match. OPTIONS, where no pattern takes it, tells
// Allow. Where a pattern of GET writes, there is no HEAD.
func routes(mux *http.ServeMux, writes func(pattern string) bool) http.Handler {
	t := table{mux, writes}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if clean(r.URL) && t.matches(r, r.Method) {
			mux.ServeHTTP(w, r)
			return
		}
		allow := t.allowed(r)
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
	})
}

// A table is what the routes are looked up in.
type table struct {
	mux    *http.ServeMux
	writes func(pattern string) bool // may be nil
}

// allowed returns the methods that the path answers, nil for no such path.
func (t table) allowed(r *http.Request) (allow []string) {
	if !clean(r.URL) {
		return nil
	}
	for _, method := range methods {
		if t.matches(r, method) {
			allow = append(allow, method)
		}
	}
	if allow != nil {
		allow = append(allow, http.MethodOptions)
	}
	return allow
}

// matches reports whether a pattern takes the request's path by a method. Where
// only the path with a final slash would match, ServeMux returns the pattern too,
// with a redirect: it is then the one that has more slashes.
func (t table) matches(r *http.Request, method string) bool {
	_, pattern := t.mux.Handler(&http.Request{Method: method, URL: r.URL, Host: r.Host})
	if method == http.MethodHead && t.writes != nil && t.writes(pattern) {
		return false
	}
	return pattern != "" && strings.Count(pattern, "/") <= strings.Count(r.URL.EscapedPath(), "/")
}

// clean reports whether a path, as sent and decoded, is rooted and has neither
// empty nor dot segments.
func clean(u *url.URL) bool {
	for _, p := range []string{u.EscapedPath(), u.Path} {
		c := path.Clean(p)
		if !strings.HasPrefix(p, "/") || p != c && (c == "/" || p != c+"/") {
			return false
		}
	}
	return true
}
