package graphqlhttp

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
)

// POST takes one operation as a JSON object of at most MaxBytes.
type POST struct {
	Types   Types         // of the executor
	Timeout time.Duration // of an operation; zero is DefaultTimeout
	Admit   Admit         // may be nil
}

// Admit is asked about an operation whose variables cannot be read: what it
// returns, such as that the app is too old, is the answer then.
type Admit func(ctx context.Context, oc *graphql.OperationContext) error

// Supports implements graphql.Transport.
func (POST) Supports(r *http.Request) bool {
	return r.Method == http.MethodPost && isJSON(r.Header)
}

// Do implements graphql.Transport.
func (t POST) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	x, ok := begin(w, r, exec, t.Types, t.Timeout, t.Admit)
	if !ok {
		return
	}
	p, err := readBody(w, r)
	if err != nil {
		Fail(w, r, err)
		return
	}
	x.run(p)
}

// GET takes one query as URL parameters. It asks for a header that keeps other
// sites from making a browser send it: X-Req-Id, X-App-Version,
// GraphQL-Preflight, or a Content-Type that forms cannot have.
type GET struct {
	Types   Types         // of the executor
	Timeout time.Duration // of an operation; zero is DefaultTimeout
	Admit   Admit         // may be nil
}

// Supports implements graphql.Transport.
func (GET) Supports(r *http.Request) bool {
	return r.Method == http.MethodGet && !isWebSocket(r)
}

// Do implements graphql.Transport.
func (t GET) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	x, ok := begin(w, r, exec, t.Types, t.Timeout, t.Admit)
	if !ok {
		return
	}
	if !preflighted(r.Header) {
		Fail(w, r, malformed("A GET needs a header such as X-Req-Id or GraphQL-Preflight."))
		return
	}
	p, err := readURL(r)
	if err != nil {
		Fail(w, r, err)
		return
	}
	x.run(p)
}

// Fallback refuses what none of the transports added before it supports, with
// the status that says why.
type Fallback struct{}

// Supports implements graphql.Transport.
func (Fallback) Supports(*http.Request) bool { return true }

// Do implements graphql.Transport.
func (Fallback) Do(w http.ResponseWriter, r *http.Request, _ graphql.GraphExecutor) {
	switch r.Method {
	case http.MethodPost:
		Fail(w, r, errs.New(errs.UnsupportedMediaType, nil))
	case http.MethodGet:
		Fail(w, r, malformed("This kind of connection is not supported."))
	default:
		notAllowed(w, r, "GET, POST")
	}
}

func notAllowed(w http.ResponseWriter, r *http.Request, allow string) {
	w.Header().Set("Allow", allow)
	Fail(w, r, errs.New(errs.MethodNotAllowed, nil))
}

func isWebSocket(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// exchange is one request and its answer.
type exchange struct {
	w       http.ResponseWriter
	r       *http.Request
	exec    graphql.GraphExecutor
	types   Types
	media   string
	timeout time.Duration
	admit   Admit
}

// begin chooses the media type of the answer, or refuses the request with 406.
func begin(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor, types Types, timeout time.Duration, admit Admit) (*exchange, bool) {
	media, ok := negotiate(r.Header)
	if !ok {
		err := Refuse(errs.BadRequest, nil, "The answer is application/json or application/graphql-response+json.")
		fail(w, r, err, http.StatusNotAcceptable)
		return nil, false
	}
	setHeader(w.Header(), media) // at once, for the answer to a panic
	return &exchange{w, r, exec, types, media, cmp.Or(timeout, DefaultTimeout), admit}, true
}

// run executes an operation and writes its answer.
func (x *exchange) run(p *graphql.RawParams) {
	ctx, cancel := context.WithTimeout(x.r.Context(), x.timeout)
	defer cancel()
	p.Headers = x.r.Header
	oc, list := x.exec.CreateOperationContext(ctx, p)
	if len(list) == 0 {
		switch kind := oc.Operation.Operation; {
		case kind == ast.Subscription:
			list = gqlerror.List{Refuse(errs.BadRequest, nil, "A subscription needs a connection that stays open.")}
		case kind != ast.Query && x.r.Method == http.MethodGet:
			notAllowed(x.w, x.r, http.MethodPost)
			return
		}
	}
	if err := x.refused(ctx, oc, p.Variables); err != nil {
		list = gqlerror.List{gqlerror.Wrap(err)}
	}
	if len(list) > 0 {
		list = list[:min(len(list), maxErrors)]
		x.respond(ctx, x.exec.DispatchError(graphql.WithOperationContext(ctx, oc), list))
		return
	}
	next, ctx := x.exec.DispatchOperation(ctx, oc)
	x.respond(ctx, next(ctx))
}

// refused returns what is wrong with a valid operation whose variables cannot be
// read: what goes before that, else all their faults. It is nil for any other
// operation.
func (x *exchange) refused(ctx context.Context, oc *graphql.OperationContext, values map[string]any) error {
	if oc.Operation == nil {
		return nil
	}
	err := x.types.faults(oc.Operation, values).Err()
	if err != nil && x.admit != nil {
		if before := x.admit(ctx, oc); before != nil {
			return before
		}
	}
	return err
}
