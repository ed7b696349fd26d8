package middleware

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"workforce/internal/errs"
	"workforce/internal/request"
)

// recovery logs the panic of a handler and responds with INTERNAL. If the handler
// has begun its response, the connection is closed instead, so that no client
// takes a partial response for a complete one.
func recovery(log *slog.Logger) layer {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			out := &recorder{ResponseWriter: w}
			defer func() {
				v := recover()
				if v == nil {
					return
				}
				if v == http.ErrAbortHandler { // deliberate, and not logged
					panic(v)
				}
				log.ErrorContext(r.Context(), "panic", "requestId", request.From(r.Context()).ID,
					"panic", fmt.Sprint(v), "stack", string(debug.Stack()))
				if out.status != 0 {
					panic(http.ErrAbortHandler)
				}
				for _, name := range []string{"Content-Length", "Content-Encoding", "Content-Disposition"} {
					w.Header().Del(name) // set for the response that failed
				}
				request.Fail(w, r, errs.New(errs.Internal, nil))
			}()
			next.ServeHTTP(out, r)
		})
	}
}
