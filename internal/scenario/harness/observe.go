package harness

import (
	"context"
	"net/http"
	"sync/atomic"

	"workforce/internal/database"
)

// An observer is told of the statements of requests.
type observer struct {
	tell atomic.Pointer[func(ctx context.Context, text string)]
}

// around tells of the statements of the requests that a handler answers.
func (o *observer) around(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if tell := o.tell.Load(); tell != nil {
			r = r.WithContext(database.RecordStatements(r.Context(), *tell))
		}
		h.ServeHTTP(w, r)
	})
}

// Observe calls tell with the context and the text of each statement that a request runs,
// after it ran. The request goes on when tell returns.
func Observe(s *Server, tell func(ctx context.Context, text string)) { s.observer.tell.Store(&tell) }
