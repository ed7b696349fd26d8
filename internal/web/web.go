// Package web serves the web app at /app/, and the widgets for other sites: the files that web/build.sh
// builds, each with the headers that keep it where it belongs.
package web

import (
	"embed"
	"net/http"
	"path"
	"regexp"
	"strings"

	"workforce/internal/errs"
	"workforce/internal/persisted"
	"workforce/internal/request"
)

// Path is where the app is.
const Path = "/app/"

// dist has the page, the files that it loads, whose names carry a hash of the content, the licences
// of the libraries in them, the service worker, and what an installed app needs: manifest and icons.
//
//go:embed dist
var dist embed.FS

//go:embed documents.json
var documents []byte

// Documents returns the GraphQL operations of the app, which it names by their hashes.
func Documents() (persisted.Manifest, error) { return persisted.ParseManifest(documents) }

// insecure is the page in place of the app where browsers would keep no session.
//
//go:embed insecure.html
var insecure []byte

const (
	page = "index.html"
	// worker is how the name of the script begins that finds faces, apart from the page.
	worker = "face-worker-"
)

// hashed matches the names of files that carry a hash of the content.
var hashed = regexp.MustCompile(`-[\w-]{8}\.\w+$`)

// contentTypes are the types of the files, by extension. They do not depend on the MIME tables of
// the machine.
var contentTypes = map[string]string{
	".bin":         "application/octet-stream",
	".css":         "text/css; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
}

const (
	revalidate = "private, no-cache"                   // for files whose name does not change
	immutable  = "public, max-age=31536000, immutable" // for files whose name carries a hash of the content
)

// An App is what the app needs to know of the server.
type App struct {
	// Secure says that browsers keep secrets of its pages, and let them use camera and position.
	Secure bool
	// Store is the origin of the files' store where that is not the server's own; "" otherwise.
	Store string
}

// Register routes the app on mux, for GET and HEAD. It needs no token.
func (a App) Register(mux *http.ServeMux) {
	mux.Handle("GET "+strings.TrimSuffix(Path, "/"), http.RedirectHandler(Path, http.StatusFound))
	mux.Handle("GET "+Path, a)
}

// ServeHTTP answers addresses of screens with the page, others with the file of that name.
func (a App) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, Path)
	screen := path.Ext(name) == ""
	switch {
	case screen && !a.Secure:
		a.write(w, page, insecure, revalidate)
		return
	case screen:
		name = page
	case name == page: // it has no second address
		name = ""
	}
	content, err := dist.ReadFile("dist/" + name)
	if err != nil {
		request.Fail(w, r, errs.New(errs.NotFound, nil))
		return
	}
	cache := revalidate
	if hashed.MatchString(name) {
		cache = immutable
	}
	a.write(w, name, content, cache)
}

// write answers with a file of the app.
func (a App) write(w http.ResponseWriter, name string, content []byte, cache string) {
	h := w.Header()
	h.Set("Content-Security-Policy", a.policy(name))
	h.Set("Permissions-Policy", "camera=(self), geolocation=(self)")
	send(w, name, content, cache)
}

// policy limits the app to this server and the store of its files, and scripts to those of the
// app: Lit's templates and addresses of its own scripts are all that becomes code. The worker, which
// a browser holds to the policy of its own script, may compile WebAssembly, and asks this server alone.
func (a App) policy(name string) string {
	if strings.HasPrefix(name, worker) {
		return "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; " +
			"require-trusted-types-for 'script'; trusted-types 'none'"
	}
	store := ""
	if a.Store != "" {
		store = " " + a.Store
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'" + store +
		"; img-src 'self' blob:" + store + "; manifest-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none'; " +
		"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html workforce"
}
