// Package pages provides what the server shows to people: a front page, the
// playground, the API reference, the error codes explained, and the picture of
// those who have none. All of it is in the binary; no page asks another host
// for anything, and a policy (CSP) tells the browser so.
package pages

import (
	_ "embed"
	"net/http"
	"strconv"
)

// Config says which of the pages are shown. The others always are.
type Config struct {
	Playground bool // /playground
	Docs       bool // /docs
}

//go:embed avatar.png
var avatar []byte

// Register routes the pages on mux, for GET (and so HEAD) alone. They need no
// token. A page that is off is not routed, nor linked to.
func Register(mux *http.ServeMux, cfg Config) {
	mux.Handle("GET /{$}", home(cfg))
	mux.Handle("GET /errors", codeList())
	mux.HandleFunc("GET /errors/{code}", explain)
	mux.HandleFunc("GET /images/avatar.png", serveAvatar)
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

// serveAvatar answers with the picture of users who have none: 128 by 128.
func serveAvatar(w http.ResponseWriter, _ *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("Content-Length", strconv.Itoa(len(avatar)))
	h.Set("Cache-Control", "public, max-age=86400")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(avatar) // the client may be gone
}

// protect sets the headers that every page carries: a Content-Security-Policy,
// which no page of ours may be framed under, and what goes with it.
func protect(h http.Header, policy string) {
	h.Set("Content-Security-Policy", policy+"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
}
