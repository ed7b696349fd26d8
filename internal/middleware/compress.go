package middleware

import (
	"mime"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// minSize is the smallest body that is compressed, in bytes: a smaller one fits
// into one packet.
const minSize = 1024

// compress encodes text of minSize or more as gzip for clients that accept it.
// HEAD is negotiated as GET, so that both have the same headers.
func compress() layer {
	gz, err := gzhttp.NewWrapper(
		gzhttp.MinSize(minSize),
		gzhttp.CompressionLevel(gzip.BestSpeed),
		gzhttp.EnableZstd(false),
		gzhttp.ContentTypeFilter(compressible),
	)
	if err != nil {
		panic(err) // the options above are invalid
	}
	return func(next http.Handler) http.Handler {
		get := gz(next)
		head := gz(withMethod(http.MethodHead, next))
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case isStream(r), r.Header.Get("Accept-Encoding") == "": // no Accept-Encoding accepts no gzip
				next.ServeHTTP(w, r)
			case r.Method == http.MethodHead:
				withMethod(http.MethodGet, head).ServeHTTP(w, r)
			default:
				get.ServeHTTP(w, r)
			}
		})
	}
}

// withMethod changes the method of the request in place: outer layers read the
// matched route from the same request afterwards.
func withMethod(method string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Method = method
		next.ServeHTTP(w, r)
	})
}

// isStream reports whether the client asks for server-sent events or another
// protocol. A compressor would delay what their writers send.
func isStream(r *http.Request) bool {
	return r.Header.Get("Upgrade") != "" || strings.Contains(r.Header.Get("Accept"), "text/event-stream")
}

// compressible reports whether a media type is a kind of text. A table is not: it is a file,
// whose parts clients ask for by their bytes.
func compressible(contentType string) bool {
	t, _, _ := mime.ParseMediaType(contentType) // a malformed type is not compressed
	return strings.HasPrefix(t, "text/") && t != "text/event-stream" && t != "text/csv" ||
		strings.HasSuffix(t, "json") || strings.HasSuffix(t, "xml") || strings.HasSuffix(t, "javascript")
}

// willCompress reports whether w belongs to compress and will send body as gzip.
func willCompress(w http.ResponseWriter, body []byte) bool {
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
