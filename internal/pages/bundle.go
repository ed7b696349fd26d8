package pages

import (
	"embed"
	"io"
	"net/http"
	"path"
	"strconv"

	"workforce/internal/errs"
	"workforce/internal/request"
)

// bundle holds the playground and the API reference as playground/build.sh
// builds them: the pages at the top, and the files that they load in assets/.
//
//go:embed bundle
var bundle embed.FS

// bundlePolicy limits a page of the bundle to this server. The editor sets style
// attributes and carries some icons as data.
const bundlePolicy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"font-src 'self' data:; object-src 'none'"

// contentTypes are the types of the files in the bundle, by extension. They do
// not depend on the MIME tables of the machine.
var contentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".ttf":  "font/ttf",
	".txt":  "text/plain; charset=utf-8",
}

const (
	revalidate = "private, no-cache"                   // for files whose name does not change
	immutable  = "public, max-age=31536000, immutable" // for files whose name carries a hash of the content
)

// serveFile returns a handler for one file of the bundle. A browser revalidates
// it each time.
func serveFile(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { serve(w, r, name, revalidate) }
}

// serveAsset answers /assets/{name}.
func serveAsset(w http.ResponseWriter, r *http.Request) {
	serve(w, r, "assets/"+r.PathValue("name"), immutable)
}

// serve answers with a file of the bundle, or NOT_FOUND. The body is plain: the
// middleware compresses it and sets the entity tag of a file to revalidate.
func serve(w http.ResponseWriter, r *http.Request, name, cacheControl string) {
	f, err := bundle.Open("bundle/" + name)
	if err != nil {
		request.Fail(w, r, errs.New(errs.NotFound, nil))
		return
	}
	info, err := f.Stat()
	if err != nil {
		panic(err) // an embedded file always has its size
	}
	h := w.Header()
	protect(h, bundlePolicy, "'none'")
	h.Set("Content-Type", contentTypes[path.Ext(name)])
	h.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	h.Set("Cache-Control", cacheControl)
	_, _ = io.Copy(w, f) // the client may be gone
}
