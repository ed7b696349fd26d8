package rest

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
	"workforce/internal/graphqlhttp"
	"workforce/internal/request"
)

// serve answers one request: bind, execute, pick, write.
func (a *API) serve(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor, e *endpoint) {
	start := graphql.Now()
	vars, done, err := a.bind(e, w, r)
	defer done()
	ctx, cancel := context.WithTimeout(r.Context(), graphqlhttp.DefaultTimeout)
	defer cancel()
	if err != nil {
		request.Fail(w, r, a.refusal(ctx, e, r, err))
		return
	}
	resp := e.run(ctx, exec, &graphql.RawParams{
		Query: e.query, OperationName: e.Operation, Variables: vars, Headers: r.Header,
		ReadTime: graphql.TraceTiming{Start: start, End: graphql.Now()},
	})
	e.write(w, r, vars, resp)
}

// refusal returns why a request that cannot be read is refused. Who may not call
// is not told what is wrong with members. What is no JSON, or too large, has no
// members; the caller is then asked after for the language alone.
func (a *API) refusal(ctx context.Context, e *endpoint, r *http.Request, unreadable error) error {
	if a.Admit == nil {
		return unreadable
	}
	oc := &graphql.OperationContext{Operation: e.def, Headers: r.Header}
	denied := a.Admit(ctx, oc)
	switch errs.CodeOf(unreadable) {
	case errs.BadRequest, errs.PayloadTooLarge, errs.UnsupportedMediaType:
		return unreadable
	}
	return cmp.Or(denied, unreadable)
}

// run executes the operation. A nil response means that the context ended first.
func (o *operation) run(ctx context.Context, exec graphql.GraphExecutor, params *graphql.RawParams) *graphql.Response {
	ctx = graphqlhttp.Trust(ctx)
	lists := takeLists(params.Variables)
	oc, refused := exec.CreateOperationContext(ctx, params)
	if len(refused) > 0 {
		return exec.DispatchError(graphql.WithOperationContext(ctx, oc), classified(refused))
	}
	maps.Copy(oc.Variables, lists)
	next, ctx := exec.DispatchOperation(ctx, oc)
	return next(ctx)
}

// takeLists empties the lists among variables that were read, and returns them:
// the executor would look for objects in them.
func takeLists(vars map[string]any) map[string]any {
	lists := map[string]any{}
	for name, v := range vars {
		if list, read := v.(readList); read {
			lists[name], vars[name] = []any(list), []any{}
		}
	}
	return lists
}

// classified makes errors that nobody classified internal ones: a document that
// was checked when it was loaded is not the client's fault.
func classified(list gqlerror.List) gqlerror.List {
	for i, e := range list {
		list[i] = gqlerror.Wrap(errs.As(e))
	}
	return list
}

// write answers with the outcome of the operation. Any error makes the whole
// answer an error.
func (e *endpoint) write(w http.ResponseWriter, r *http.Request, vars map[string]any, resp *graphql.Response) {
	if err := e.failure(resp); err != nil {
		request.Fail(w, r, err)
		return
	}
	a, err := e.pick(resp.Data)
	switch {
	case err != nil:
		request.Fail(w, r, &errs.Error{Err: err})
		return
	case a.body == nil && !e.nullable:
		request.Fail(w, r, errs.New(errs.NotFound, nil))
		return
	case a.body == nil:
		a.body = []byte("null")
	}
	h := w.Header()
	for name := range a.headers {
		h.Set(name, a.headers.Get(name))
	}
	e.link(h, r.URL, vars)
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(a.body))) // so that it is neither held back nor cut into chunks
	h.Set("Cache-Control", "private, no-cache")
	if e.secret {
		h.Set("Cache-Control", "no-store")
	}
	_, _ = w.Write(a.body) // the client may be gone
}
