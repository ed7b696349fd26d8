package middleware

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"workforce/internal/errs"
	"workforce/internal/request"
)

// recovery answers INTERNAL for a handler that panicked, and logs why. Where the
// handler had begun its answer the connection is cut, so that nobody takes half
// an answer for a whole one.
func recovery(log *slog.Logger) layer {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			out := &reply{ResponseWriter: w}
			defer func() {
				v := recover()
				if v == nil {
					return
				}
				if v == http.ErrAbortHandler { // meant so, and logged by none
					panic(v)
				}
				log.ErrorContext(r.Context(), "panic", "requestId", request.From(r.Context()).ID,
					"panic", fmt.Sprint(v), "stack", string(debug.Stack()))
				if out.status != 0 {
					panic(http.ErrAbortHandler)
				}
				for _, name := range []string{"Content-Length", "Content-Encoding", "Content-Disposition"} {
					w.Header().Del(name) // of the answer that was not to be
				}
				request.Fail(w, r, errs.New(errs.Internal, nil))
			}()
			next.ServeHTTP(out, r)
		})
	}
}
