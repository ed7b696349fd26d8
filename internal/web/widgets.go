package web

import (
	"embed"
	"net/http"
	"path"
	"strconv"
	"strings"

	"workforce/internal/errs"
	"workforce/internal/request"
)

const (
	// WidgetsScript is the module of the widgets, which pages of other sites load.
	WidgetsScript = "/widgets.js"
	// WidgetsPage shows the widgets, and the code that pages of other sites need.
	WidgetsPage = "/widgets"
)

// widgets has the module, the page, and the files that the page loads, whose names carry a hash of
// the content.
//
//go:embed widgets
var widgets embed.FS

// Widgets serves the widgets for other sites, and the page about them.
type Widgets struct {
	// Secure says that browsers keep secrets of the server's pages.
	Secure bool
}

// Register routes the widgets on mux, for GET and HEAD. They need no token.
func (s Widgets) Register(mux *http.ServeMux) {
	mux.HandleFunc("GET "+WidgetsScript, s.script)
	mux.HandleFunc("GET "+WidgetsPage, s.page)
	mux.HandleFunc("GET "+WidgetsPage+"/{name}", s.file)
}

// script answers with the module, to pages of all origins: it is the same for everybody.
func (s Widgets) script(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	s.write(w, r, "widgets.js", revalidate)
}

func (s Widgets) page(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "+
		"img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; "+
		"require-trusted-types-for 'script'; trusted-types lit-html")
	if !s.Secure {
		send(w, page, insecure, revalidate)
		return
	}
	s.write(w, r, "widgets.html", revalidate)
}

// file answers with a file that the page loads.
func (s Widgets) file(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if !hashed.MatchString(name) {
		name = "" // module and page have no second address
	}
	s.write(w, r, name, immutable)
}

func (s Widgets) write(w http.ResponseWriter, r *http.Request, name, cache string) {
	content, err := widgets.ReadFile(strings.TrimSuffix("widgets/"+name, "/"))
	if err != nil {
		request.Fail(w, r, errs.New(errs.NotFound, nil))
		return
	}
	send(w, name, content, cache)
}

// send answers with a file. The body is plain: the middleware compresses it, and sets the entity
// tag of one to revalidate.
func send(w http.ResponseWriter, name string, content []byte, cache string) {
	h := w.Header()
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Type", contentTypes[path.Ext(name)])
	h.Set("Content-Length", strconv.Itoa(len(content)))
	h.Set("Cache-Control", cache)
	_, _ = w.Write(content) // the client may be gone
}
