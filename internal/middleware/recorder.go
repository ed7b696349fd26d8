package middleware

import (
	"bufio"
	"net"
	"net/http"
)

// A reply notes what is written through it.
type reply struct {
	http.ResponseWriter
	before func(http.Header) // called once, just before the header is written; may be nil
	status int               // 0 until the header is written
	bytes  int64             // of the body, as encoded
}

// watch returns w if it notes already what is written, else a writer that does.
func watch(w http.ResponseWriter) *reply {
	if out, ok := w.(*reply); ok {
		return out
	}
	return &reply{ResponseWriter: w}
}

// WriteHeader implements http.ResponseWriter. Of the informational statuses only
// 101 is final.
func (w *reply) WriteHeader(status int) {
	if w.status == 0 && (status >= 200 || status == http.StatusSwitchingProtocols) {
		w.status = status
		w.finish()
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *reply) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Flush implements http.Flusher.
func (w *reply) Flush() {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	_ = http.NewResponseController(w.ResponseWriter).Flush() // unsupported: nothing to flush
}

// Hijack implements http.Hijacker.
func (w *reply) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(w.ResponseWriter).Hijack()
}

// Unwrap serves http.ResponseController.
func (w *reply) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// finish completes the header, unless that was done: a handler that writes
// nothing still answers.
func (w *reply) finish() {
	if w.before != nil {
		w.before(w.Header())
		w.before = nil
	}
}
