// Package pages serves the pages for people: a front page, the playground, the
// API reference, a page for each error code, one of the settings of a company, and the pictures of users and
// companies without one. The binary holds all of them. No page sends a request to another host;
// a Content-Security-Policy makes the browser enforce it.
package pages

import (
	_ "embed"
	"net/http"
	"strconv"
)

// Config turns pages on. The others are always on.
type Config struct {
	Playground bool // /playground
	Docs       bool // /docs
	Setup      Setup
}

var (
	//go:embed avatar.png
	avatar []byte
	//go:embed company.png
	company []byte
)

// Register routes the pages on mux, for GET and HEAD. They need no token. A page
// that is off has no route and no link.
func Register(mux *http.ServeMux, cfg Config) {
	mux.Handle("GET /{$}", home(cfg))
	mux.HandleFunc("GET /errors/{code}", showCode)
	mux.HandleFunc("GET /settings", showSettings)
	mux.Handle("GET /images/avatar.png", servePNG(avatar))
	mux.Handle("GET /images/company.png", servePNG(company))
	mux.HandleFunc("GET /setup", cfg.Setup.show)
	mux.HandleFunc("POST /setup", cfg.Setup.submit)
	if cfg.Playground {
		mux.Handle("GET /playground", serveFile("playground.html"))
	}
	if cfg.Docs {
		mux.Handle("GET /docs", serveFile("docs.html"))
	}
	if cfg.Playground || cfg.Docs {
		mux.HandleFunc("GET /assets/{name}", serveAsset)
		mux.Handle("GET /assets/licenses.txt", serveFile("assets/licenses.txt"))
	}
}

// servePNG answers with the picture of users or companies without one: 128 by 128 pixels.
func servePNG(picture []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "image/png")
		h.Set("Content-Length", strconv.Itoa(len(picture)))
		h.Set("Cache-Control", "public, max-age=86400")
		h.Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(picture) // the client may be gone
	}
}

// protect sets the security headers of a page: policy as its
// Content-Security-Policy, which also forbids frames, base URLs, and forms but to the
// source forms.
func protect(h http.Header, policy, forms string) {
	h.Set("Content-Security-Policy", policy+"; base-uri 'none'; form-action "+forms+"; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
}
