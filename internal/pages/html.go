package pages

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"strconv"
)

//go:embed html/*.html
var files embed.FS

//go:embed html/style.css
var style string

var templates = template.Must(template.New("").
	Funcs(template.FuncMap{"style": func() template.CSS { return template.CSS(style) }}).
	ParseFS(files, "html/*.html"))

// show answers with a page made from a template. The policy forbids scripts and
// all styles but the style sheet inside the page.
func show(w http.ResponseWriter, name string, data any) {
	write(w, http.StatusOK, name, data, "'none'", "private, no-cache")
}

// write answers with a status and a page made from a template, whose forms go to the
// source forms.
func write(w http.ResponseWriter, status int, name string, data any, forms, cache string) {
	var page bytes.Buffer
	if err := templates.ExecuteTemplate(&page, name, data); err != nil {
		panic(err) // the template names a field that its data lacks
	}
	sum := sha256.Sum256([]byte(style))
	h := w.Header()
	protect(h, "default-src 'none'; img-src 'self'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'", forms)
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(page.Len()))
	h.Set("Cache-Control", cache)
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes()) // the client may be gone
}

// home answers / with links to the pages that are on.
func home(cfg Config) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { show(w, "home.html", cfg) }
}
