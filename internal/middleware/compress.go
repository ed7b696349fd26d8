package middleware

import (
	"mime"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// minSize is the least size worth compressing, in bytes: less fits one packet.
const minSize = 1024

// compress answers with gzip where the client takes it and it gains something.
// HEAD is negotiated as GET is, so that both have the same headers.
func compress() layer {
	gz, err := gzhttp.NewWrapper(
		gzhttp.MinSize(minSize),
		gzhttp.CompressionLevel(gzip.BestSpeed),
		gzhttp.EnableZstd(false),
		gzhttp.ContentTypeFilter(compressible),
	)
	if err != nil {
		panic(err) // a mistake in the options above
	}
	return func(next http.Handler) http.Handler {
		get := gz(next)
		head := gz(withMethod(http.MethodHead, next))
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case streams(r), r.Header.Get("Accept-Encoding") == "": // the latter takes none
				next.ServeHTTP(w, r)
			case r.Method == http.MethodHead:
				withMethod(http.MethodGet, head).ServeHTTP(w, r)
			default:
				get.ServeHTTP(w, r)
			}
		})
	}
}

// withMethod changes the method of the request itself, which the layers above
// read the route from afterwards.
func withMethod(method string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Method = method
		next.ServeHTTP(w, r)
	})
}

// streams reports whether the client asks for events or another protocol. Their
// writers outlive what a compressor may hold back.
func streams(r *http.Request) bool {
	return r.Header.Get("Upgrade") != "" || strings.Contains(r.Header.Get("Accept"), "text/event-stream")
}

// compressible reports whether a media type is text of some kind.
func compressible(contentType string) bool {
	t, _, _ := mime.ParseMediaType(contentType) // what cannot be read is not compressed
	return strings.HasPrefix(t, "text/") && t != "text/event-stream" ||
		strings.HasSuffix(t, "json") || strings.HasSuffix(t, "xml") || strings.HasSuffix(t, "javascript")
}

// encodes reports whether the layer above, of this file, will write body to the
// client as gzip.
func encodes(w http.ResponseWriter, body []byte) bool {
	switch w.(type) {
	case *gzhttp.GzipResponseWriter, gzhttp.GzipResponseWriterWithCloseNotify:
	default:
		return false
	}
	t := w.Header().Get("Content-Type")
	if t == "" {
		t = http.DetectContentType(body)
	}
	return len(body) >= minSize && w.Header().Get("Content-Encoding") == "" && compressible(t)
}
