package message

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"workforce/internal/errs"
	"workforce/internal/request"
)

const (
	maxReport     = 1 << 20          // bytes of a report
	reportTimeout = 10 * time.Second // of recording it
)

// Callback returns the handler of the messaging gateway's reports, which are signed
// with secret; without one, all are UNAUTHENTICATED. record records a report, and
// classify gives its errors their code.
func Callback(secret string, now func() time.Time, record func(context.Context, []byte) error,
	classify func(context.Context, error) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		ctx, cancel := context.WithTimeout(req.Context(), reportTimeout)
		defer cancel()
		body, err := readSigned(w, req, func(signature string, body []byte) error {
			return Verify([]string{secret}, signature, body, now())
		})
		if err == nil {
			err = record(ctx, body)
		}
		var known *errs.Error
		if err != nil && !errors.As(err, &known) {
			err = classify(ctx, err)
		}
		if err != nil {
			request.Fail(w, req, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "private, no-cache")
		_, _ = w.Write([]byte(`{"received":true}`)) // the gateway may be gone
	})
}

// readSigned returns a body with a valid signature, which is verified before the
// body is parsed.
func readSigned(w http.ResponseWriter, req *http.Request, verify func(signature string, body []byte) error) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxReport))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, &errs.Error{Code: errs.PayloadTooLarge, Meta: errs.Meta{"limit": large.Limit}, Err: err}
	case err != nil:
		return nil, &errs.Error{Code: errs.BadRequest, Err: err}
	}
	if err := verify(strings.Join(req.Header.Values(SignatureHeader), ","), body); err != nil {
		return nil, err
	}
	kind := req.Header.Get("Content-Type")
	if media, _, err := mime.ParseMediaType(kind); kind != "" && (err != nil || media != "application/json") {
		return nil, errs.New(errs.UnsupportedMediaType, nil)
	}
	return body, nil
}
