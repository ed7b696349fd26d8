package middleware

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/rs/cors"
)

// ParseOrigins reads the origins (https://app.example.com, https://*.example.com,
// or * for all) whose pages may call the server. An empty list gives nil. Use the
// result's OriginAllowed for requests without CORS, such as WebSocket upgrades.
func ParseOrigins(list []string) (*cors.Cors, error) {
	if len(list) == 0 {
		return nil, nil
	}
	var failed error
	for _, origin := range list {
		u, err := url.Parse(origin)
		if origin != "*" && (err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != origin) {
			failed = errors.Join(failed, fmt.Errorf("origin %q is not of the form https://host or https://host:port", origin))
		}
	}
	if failed != nil {
		return nil, failed
	}
	return cors.New(cors.Options{
		AllowedOrigins: list,
		AllowedMethods: methods,
		AllowedHeaders: []string{
			"Authorization", "X-Access-Token", "X-Refresh-Token", "X-User-Token", "X-Device-Token",
			"X-Req-Id", "Idempotency-Key", "X-Language", "X-App-Version",
			"Accept", "Accept-Language", "Content-Type", "If-None-Match", "GraphQL-Preflight",
			"Traceparent",
		},
		ExposedHeaders: []string{
			"X-Total-Count", "Link", "ETag", "X-Req-Id", "Idempotent-Replayed", "Retry-After",
			"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Content-Disposition", "Content-Language",
			"Deprecation", "Sunset",
		},
		MaxAge: 600, // seconds
	}), nil
}

// widgets are the paths that pages of any origin may ask with the token of a widget: what answers them
// tells of which origins they may be.
const widgets = "/widget/"

var widgetPreflight = cors.New(cors.Options{
	AllowedOrigins: []string{"*"},
	AllowedMethods: []string{http.MethodGet},
	AllowedHeaders: []string{"Authorization", "If-None-Match", "Accept", "Accept-Language", "X-Language", "X-Req-Id"},
	MaxAge:         600, // seconds
})

func crossOrigin(c *cors.Cors) layer {
	return func(next http.Handler) http.Handler {
		usual := next
		if c != nil {
			usual = c.Handler(next)
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			preflight := r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
			if preflight && strings.HasPrefix(r.URL.Path, widgets) && (c == nil || !c.OriginAllowed(r)) {
				widgetPreflight.Handler(next).ServeHTTP(w, r)
				return
			}
			usual.ServeHTTP(w, r)
		})
	}
}
