package middleware

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"workforce/internal/request"
	"workforce/internal/telemetry"
)

// untraced are the paths that probes and collectors ask for all the time.
var untraced = []string{"/healthz", "/readyz", "/metrics"}

// traced makes a span of each request, named by the pattern that matched. Connections that stay open have
// none: it would end with them.
func traced(t *telemetry.Tracer) layer {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if isStream(r) || slices.Contains(untraced, r.URL.Path) {
				next.ServeHTTP(w, r)
				return
			}
			method, out := r.Method, record(w)
			if !slices.Contains(methods, method) && method != http.MethodOptions {
				method = "_OTHER"
			}
			ctx, span := t.Request(r.Context(), r.Header, method)
			defer span.End()
			span.Set("http.request.method", method)
			span.Set("workforce.request_id", request.From(ctx).ID)
			r = r.WithContext(ctx)
			next.ServeHTTP(out, r) // which stores the pattern in r
			if r.Pattern != "" {
				route := r.Pattern[strings.IndexByte(r.Pattern, '/'):]
				span.Name(method + " " + route)
				span.Set("http.route", route)
			}
			status := cmp.Or(out.status, http.StatusOK)
			span.SetInt("http.response.status_code", status)
			if status >= http.StatusInternalServerError {
				span.Fail(http.StatusText(status))
			}
		})
	}
}
