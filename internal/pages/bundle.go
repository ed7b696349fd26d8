package pages

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/binary"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"

	"workforce/internal/errs"
	"workforce/internal/request"
)

// archive holds the playground and the API reference as playground/build.sh
// makes them: the pages at the top, and all they load in assets/.
//
//go:embed bundle.zip
var archive []byte

// bundlePolicy lets a page of the bundle use this server alone. The editor sets
// style attributes and carries some icons as data.
const bundlePolicy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"font-src 'self' data:; object-src 'none'"

// contentTypes are those of the files in the bundle, by extension.
var contentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".ttf":  "font/ttf",
	".txt":  "text/plain; charset=utf-8",
}

// A bundle is the archive's files by name.
type bundle map[string]*zip.File

func openBundle() bundle {
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		panic(err) // the binary was built from a broken archive
	}
	b := bundle{}
	for _, f := range r.File {
		b[f.Name] = f
	}
	return b
}

// page serves a file whose name stays; a browser asks each time whether it is
// new.
func (b bundle) page(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "private, no-cache")
		b.serve(w, r, name)
	}
}

// serveAsset serves what the pages load. Names carry a hash of the content, so
// a browser may keep it for good.
func (b bundle) serveAsset(w http.ResponseWriter, r *http.Request) {
	name := "assets/" + r.PathValue("name")
	if b[name] == nil {
		request.Fail(w, r, errs.New(errs.NotFound, nil))
		return
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	b.serve(w, r, name)
}

// serve answers with a file that exists, as it lies in the archive where the
// client reads gzip: both are deflate inside.
func (b bundle) serve(w http.ResponseWriter, r *http.Request, name string) {
	f, h := b[name], w.Header()
	protect(h, bundlePolicy)
	h.Set("Content-Type", contentTypes[path.Ext(name)])
	h.Add("Vary", "Accept-Encoding")
	var body io.Reader
	var err error
	if acceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
		h.Set("Content-Length", strconv.FormatUint(f.CompressedSize64+gzipOverhead, 10))
		body, err = gzipped(f)
	} else {
		h.Set("Content-Length", strconv.FormatUint(f.UncompressedSize64, 10))
		body, err = f.Open()
	}
	if err != nil {
		panic(err) // as in openBundle
	}
	_, _ = io.Copy(w, body) // the client may be gone
}

// acceptsGzip reports whether the client reads gzip.
func acceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		coding, weight, _ := strings.Cut(strings.ReplaceAll(part, " ", ""), ";")
		if !strings.EqualFold(coding, "gzip") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimPrefix(strings.ToLower(weight), "q="), 64)
		return weight == "" || err == nil && q > 0
	}
	return false
}

const (
	gzipHeader   = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff" // RFC 1952: deflate, no name, no time
	gzipOverhead = uint64(len(gzipHeader) + 8)
)

// gzipped returns a deflated file of the archive as a gzip stream.
func gzipped(f *zip.File) (io.Reader, error) {
	raw, err := f.OpenRaw()
	if err != nil {
		return nil, err
	}
	end := binary.LittleEndian.AppendUint32(nil, f.CRC32)
	end = binary.LittleEndian.AppendUint32(end, uint32(f.UncompressedSize64))
	return io.MultiReader(strings.NewReader(gzipHeader), raw, bytes.NewReader(end)), nil
}
