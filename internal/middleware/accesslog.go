package middleware

import (
	"log/slog"
	"net/http"
	"time"

	"workforce/internal/request"
)

// accessLog writes one line for each request, at level error for a status of 500
// and above, at level warn for 503. The line names the operation of a document that the server knows,
// what the operation uses that will go, and the person and the company by their ids where a token told
// them. It has no query, header or body: those carry secrets.
func accessLog(log *slog.Logger) layer {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			start, out, done := time.Now(), record(w), false
			defer func() {
				status, level := out.status, slog.LevelInfo
				if status == 0 && done {
					status = http.StatusOK // what net/http answers for a handler that writes nothing
				}
				switch {
				case status == http.StatusServiceUnavailable: // load that is shed; its cause has a line of its own
					level = slog.LevelWarn
				case status >= 500:
					level = slog.LevelError
				}
				info := request.From(r.Context())
				attrs := append(make([]slog.Attr, 0, 12),
					slog.String("method", r.Method), slog.String("path", r.URL.Path),
					slog.Int("status", status), slog.Int64("bytes", out.bytes), slog.Bool("aborted", !done),
					slog.Duration("duration", time.Since(start)), slog.Int("statements", int(info.Statements.Load())),
					slog.String("requestId", info.ID), slog.String("remote", info.Addr.String()))
				if info.Operation.Name != "" {
					attrs = append(attrs, slog.String("operation", info.Operation.Name))
				}
				if len(info.Operation.Deprecated) > 0 {
					attrs = append(attrs, slog.Any("deprecated", info.Operation.Deprecated))
				}
				if info.UserID != 0 {
					attrs = append(attrs, slog.Int("user", info.UserID), slog.Int("company", info.CompanyID))
				}
				log.LogAttrs(r.Context(), level, "request", attrs...)
			}()
			next.ServeHTTP(out, r)
			done = true
		})
	}
}
