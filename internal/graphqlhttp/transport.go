package graphqlhttp

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
	"workforce/internal/operation"
	"workforce/internal/request"
)

// POST takes one operation as a JSON object of at most MaxBytes.
type POST struct{ *API }

// Supports implements graphql.Transport.
func (POST) Supports(r *http.Request) bool {
	return r.Method == http.MethodPost && isJSON(r.Header)
}

// Do implements graphql.Transport.
func (t POST) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	t.serve(w, r, exec, readBody)
}

// GET takes one query as URL parameters. It needs a header that keeps other
// sites from making a browser send it: X-Req-Id, X-App-Version,
// GraphQL-Preflight, or a Content-Type that forms cannot have.
type GET struct{ *API }

// Supports implements graphql.Transport.
func (GET) Supports(r *http.Request) bool {
	return r.Method == http.MethodGet && !isWebSocket(r)
}

// Do implements graphql.Transport.
func (t GET) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	t.serve(w, r, exec, func(_ http.ResponseWriter, r *http.Request) (*params, error) {
		if !preflighted(r.Header) {
			return nil, malformed("A GET needs a header such as X-Req-Id or GraphQL-Preflight.")
		}
		return readURL(r)
	})
}

// Fallback refuses the requests that no transport before it supports, with the
// status that says why.
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

// exchange is one request and its response.
type exchange struct {
	*API
	w     http.ResponseWriter
	r     *http.Request
	exec  graphql.GraphExecutor
	media string // of the response
}

// serve handles one request: choose the media type, read, execute, write.
func (a *API) serve(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor, read func(http.ResponseWriter, *http.Request) (*params, error)) {
	media, ok := negotiate(r.Header)
	if !ok {
		err := Refuse(errs.BadRequest, nil, "The answer is application/json or application/graphql-response+json.")
		fail(w, r, err, http.StatusNotAcceptable)
		return
	}
	defer func() {
		if v := recover(); v != nil {
			Fail(w, r, operation.Recovered(r.Context(), exec, v))
		}
	}()
	setHeader(w.Header(), media)
	p, err := read(w, r)
	if err != nil {
		Fail(w, r, err)
		return
	}
	x := exchange{a, w, r, exec, media}
	x.run(p)
}

// run executes an operation and writes its response: the document is loaded, the
// caller checked, the operation admitted, the variables read.
func (x *exchange) run(p *params) {
	ctx, cancel := context.WithTimeout(x.r.Context(), cmp.Or(x.Timeout, DefaultTimeout))
	defer cancel()
	text, err := x.textOf(ctx, p)
	if err != nil {
		Fail(x.w, x.r, err)
		return
	}
	doc, invalid := x.documents.load(ctx, text, x.mayIntrospect)
	if len(invalid) > 0 {
		x.refuse(ctx, invalid)
		return
	}
	op, invalid := operationOf(doc, p.operationName)
	switch {
	case len(invalid) > 0:
		x.refuse(ctx, invalid)
		return
	case op.Operation == ast.Subscription:
		x.refuse(ctx, gqlerror.List{Refuse(errs.BadRequest, nil, "A subscription needs a connection that stays open.")})
		return
	case op.Operation != ast.Query && x.r.Method == http.MethodGet:
		notAllowed(x.w, x.r, http.MethodPost)
		return
	case p.uploads != nil && len(p.uploads.places) > 0 && extentOf(x.documents.schema, op.SelectionSet, nil).RootFields > 1: // a file may be costly
		x.refuse(ctx, gqlerror.List{Refuse(errs.BadRequest, nil, "An operation with files has one field.")})
		return
	}
	x.execute(ctx, operation.New(doc, op), p, text)
}

// execute runs a valid operation of a document.
func (x *exchange) execute(ctx context.Context, prepared operation.Prepared, p *params, text string) {
	params := &graphql.RawParams{Query: text, OperationName: p.operationName, Headers: x.r.Header}
	uses := x.uses.Document(prepared.Definition)
	uses.SetHeaders(x.w.Header())
	if x.Check != nil {
		var denied gqlerror.List
		if ctx, denied = x.Check(ctx, prepared.Context(params)); len(denied) > 0 {
			x.refuse(ctx, denied)
			return
		}
	}
	if x.End != nil {
		defer x.End(ctx)
	}
	used := &request.From(ctx).Operation.Deprecated
	*used = uses.Names()
	x.keep(ctx, p, text)
	if x.Admit != nil {
		leave, err := x.Admit(ctx, prepared.Definition)
		if err != nil {
			Fail(x.w, x.r, err)
			return
		}
		defer leave()
	}
	values, faults, err := x.readVariables(prepared.Definition, p)
	if more := x.uses.Variables(prepared.Definition.VariableDefinitions, values); len(more) > 0 {
		uses = append(uses, more...)
		uses.SetHeaders(x.w.Header())
		*used = uses.Names()
	}
	switch {
	case err != nil:
		Fail(x.w, x.r, err)
		return
	case len(faults) > 0:
		x.refuse(ctx, gqlerror.List{gqlerror.Wrap(faults.Err())})
		return
	}
	prepared.Variables = values
	x.respond(ctx, prepared.Run(ctx, x.exec, params))
}

// refuse writes the errors of an operation that is not executed.
func (x *exchange) refuse(ctx context.Context, list gqlerror.List) {
	x.respond(ctx, &graphql.Response{Errors: list})
}
