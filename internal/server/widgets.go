package server

import (
	"net/http"
	"slices"
	"strings"

	"workforce/internal/app/auth/credential"
	"workforce/internal/errs"
	"workforce/internal/request"
	"workforce/internal/token"
)

// guardWidgets answers the token of a widget to pages of its own origin alone: FORBIDDEN, which no
// page can read, to others. A page without the header Origin is one of the server's own.
func (o origins) guardWidgets(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := credential.From(r.Context(), token.Widget)
		if c.Reason == credential.Missing || credential.From(r.Context(), token.Access) != c {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Del("Access-Control-Allow-Origin") // of --cors-origins, which are for other tokens
		h.Add("Vary", "Origin")
		if c.Known() && !o.show(r, c.Widget.Origin) {
			request.Fail(w, r, errs.New(errs.Forbidden, nil))
			return
		}
		if page := r.Header.Get("Origin"); page != "" {
			h.Set("Access-Control-Allow-Origin", page)
			h.Set("Access-Control-Expose-Headers", "ETag, Retry-After, X-Req-Id, Content-Language, Deprecation, Sunset")
		}
		next.ServeHTTP(w, r)
	})
}

// show reports whether a request was sent by a page of an origin. Browsers leave Origin out where a
// page reads from its own server.
func (o origins) show(r *http.Request, origin string) bool {
	switch list := r.Header.Values("Origin"); len(list) {
	case 0:
		own := slices.ContainsFunc(o, func(one string) bool { return strings.EqualFold(one, origin) })
		return own && r.Header.Get("Sec-Fetch-Site") == "same-origin"
	case 1:
		return strings.EqualFold(list[0], origin)
	}
	return false
}
