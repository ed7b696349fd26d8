package request

import (
	"io"
	"net/http"
	"strings"
	"time"

	"workforce/internal/errs"
)

// A Library is the ResponseWriter of a library that answers errors in its own words: it
// holds them back, so that the caller writes the contract's.
type Library struct {
	http.ResponseWriter
	Status int // of the error that is held back; 0 for none
}

// WriteHeader implements http.ResponseWriter.
func (l *Library) WriteHeader(status int) {
	if status >= http.StatusBadRequest {
		l.Status = status
		return
	}
	l.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (l *Library) Write(p []byte) (int, error) {
	if l.Status != 0 {
		return len(p), nil
	}
	return l.ResponseWriter.Write(p)
}

// Unwrap serves http.ResponseController.
func (l *Library) Unwrap() http.ResponseWriter { return l.ResponseWriter }

// ServeContent is http.ServeContent with our errors: RANGE_NOT_SATISFIABLE for a Range that
// the content does not have, PRECONDITION_FAILED where If-Match or If-Unmodified-Since do
// not hold.
func ServeContent(w http.ResponseWriter, r *http.Request, modified time.Time, content io.ReadSeeker) {
	if unit, _, _ := strings.Cut(r.Header.Get("Range"), "="); unit != "bytes" { // another counts as none: RFC 9110, 14.2
		r = r.Clone(r.Context())
		r.Header.Del("Range")
	}
	l := &Library{ResponseWriter: w}
	http.ServeContent(l, r, "", modified, content)
	var err error
	switch l.Status {
	case 0:
		return
	case http.StatusRequestedRangeNotSatisfiable:
		err = errs.New(errs.RangeNotSatisfiable, nil)
	case http.StatusPreconditionFailed:
		err = errs.New(errs.PreconditionFailed, nil)
	}
	w.Header().Del("Content-Disposition")
	w.Header().Del("Last-Modified")
	Fail(w, r, err)
}
