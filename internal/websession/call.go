package websession

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// A failure is the answer of an operation that is an error, which the page gets as it is.
type failure struct {
	answer
	problem struct {
		Code string
		Meta struct{ Token, Reason string }
	}
}

func (f *failure) Error() string { return f.problem.Code }

func (f *failure) write(w http.ResponseWriter) {
	h := w.Header()
	for name, values := range f.header {
		h[name] = values
	}
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(f.status)
	_, _ = w.Write(f.body.Bytes()) // the client may be gone
}

// awaitsApproval reports whether an operation failed because somebody has to approve the
// browser.
func awaitsApproval(err error) bool {
	f := (*failure)(nil)
	return errors.As(err, &f) && f.problem.Code == "VERIFICATION_REQUIRED" && f.problem.Meta.Reason == "approval"
}

func isUnauthenticated(err error) bool {
	f := (*failure)(nil)
	return errors.As(err, &f) && f.status == http.StatusUnauthorized
}

// call runs an operation with the tokens of the exchange, as the caller's own request, and
// decodes its answer.
func (x *exchange) call(path string, body, to any) error {
	text := []byte("{}")
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	r := x.r.Clone(x.r.Context())
	r.URL.Path, r.Pattern = path, ""
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "Content-Length": {strconv.Itoa(len(text))}, "User-Agent": {x.r.UserAgent()},
	}
	if accept := x.r.Header.Get("Accept"); accept != "" {
		r.Header.Set("Accept", accept) // that of errors
	}
	for name, header := range headers {
		if value := x.tokens[name]; value != "" {
			r.Header.Set(header, value)
		}
	}
	a := answer{header: http.Header{}, status: http.StatusOK}
	x.Call.ServeHTTP(&a, r)
	if a.status != http.StatusOK {
		f := &failure{answer: a}
		if err := json.Unmarshal(a.body.Bytes(), &f.problem); err != nil {
			return fmt.Errorf("answer of %s: %w", path, err)
		}
		return f
	}
	return json.Unmarshal(a.body.Bytes(), to)
}

// An answer is the answer of an operation, kept in memory.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) { a.status = status }

func (a *answer) Write(text []byte) (int, error) { return a.body.Write(text) }
