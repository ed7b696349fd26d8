package middleware

import (
	"bufio"
	"net"
	"net/http"
)

// A recorder records the status and size of a response.
type recorder struct {
	http.ResponseWriter
	beforeHeader func(http.Header) // called once, just before the header is written; may be nil
	status       int               // 0 until the header is written
	bytes        int64             // of the body, as encoded
}

// record returns w if it is a recorder, else a new recorder around it.
func record(w http.ResponseWriter) *recorder {
	if out, ok := w.(*recorder); ok {
		return out
	}
	return &recorder{ResponseWriter: w}
}

// WriteHeader implements http.ResponseWriter. Of the informational statuses, 101
// alone is final.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 && (status >= 200 || status == http.StatusSwitchingProtocols) {
		w.status = status
		w.runBeforeHeader()
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *recorder) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Flush implements http.Flusher.
func (w *recorder) Flush() {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	_ = http.NewResponseController(w.ResponseWriter).Flush() // unsupported: nothing to flush
}

// Hijack implements http.Hijacker.
func (w *recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(w.ResponseWriter).Hijack()
}

// Unwrap serves http.ResponseController.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// runBeforeHeader calls beforeHeader, unless it was called. The outermost layer
// calls it at the end too, for a handler that wrote nothing.
func (w *recorder) runBeforeHeader() {
	if w.beforeHeader != nil {
		w.beforeHeader(w.Header())
		w.beforeHeader = nil
	}
}
