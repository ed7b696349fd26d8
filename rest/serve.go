package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"workforce/internal/deprecation"
	"workforce/internal/errs"
	"workforce/internal/operation"
	"workforce/internal/request"
)

// serve handles one request: check the caller, receive, admit, bind, execute, pick,
// write.
func (a *API) serve(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor, e *endpoint) {
	defer func() {
		if v := recover(); v != nil {
			request.Fail(w, r, operation.Recovered(r.Context(), exec, v))
		}
	}()
	start := graphql.Now()
	prepared := e.prepared
	a.warn(w.Header(), r.Context(), e, nil)
	params := &graphql.RawParams{Query: e.query, OperationName: e.Operation, Headers: r.Header}
	ctx, err := a.check(r.Context(), e, prepared.Context(params))
	if err != nil {
		request.Fail(w, r, err)
		return
	}
	if a.End != nil {
		defer a.End(ctx)
	}
	sent, err := e.receive(w, r)
	if err != nil {
		request.Fail(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), operation.Timeout) // begins when the body is read
	defer cancel()
	defer context.AfterFunc(r.Context(), cancel)()
	leave := func() {}
	if a.Admit != nil {
		if leave, err = a.Admit(ctx, e.def); err != nil {
			request.Fail(w, r, err)
			return
		}
		leave = sync.OnceFunc(leave)
		defer leave()
	}
	values, faults, done, err := a.bind(e, w, r, sent)
	defer done()
	a.warn(w.Header(), ctx, e, values)
	if err != nil {
		request.Fail(w, r, err)
		return
	}
	if len(faults) > 0 {
		request.Fail(w, r, faults.Err())
		return
	}
	prepared.Variables, params.ReadTime = values, graphql.TraceTiming{Start: start, End: graphql.Now()}
	resp := prepared.Run(ctx, exec, params)
	if e.file { // a client that reads slowly holds up nobody
		leave()
	}
	a.write(w, r, exec, e, values, resp)
}

// warn says in the headers of the answer, to the log and to the metrics what a request uses that will go: the
// operation, and once they were read without faults its members.
func (a *API) warn(h http.Header, ctx context.Context, e *endpoint, values map[string]any) {
	if !e.warns {
		return
	}
	var uses deprecation.Notices
	uses.Add(e.deprecated)
	for _, m := range e.members {
		if _, given := values[m.Variable]; given {
			uses.Add(m.deprecated)
		}
	}
	for _, n := range a.uses.Variables(e.def.VariableDefinitions, values) {
		uses.Add(&n)
	}
	if len(uses) == 0 {
		return
	}
	info := request.From(ctx)
	info.Operation.Deprecated = uses.Names()
	uses.SetHeaders(h)
	if a.Docs {
		h.Set("Link", "<"+info.PublicURL+`/docs>; rel="deprecation"; type="text/html"`)
	}
}

// check decides whether the caller may run the operation.
func (a *API) check(ctx context.Context, e *endpoint, oc *graphql.OperationContext) (context.Context, error) {
	if a.Check == nil {
		return ctx, nil
	}
	ctx, cancel := context.WithTimeout(ctx, operation.Timeout)
	defer cancel()
	ctx, denied := a.Check(ctx, oc)
	if len(denied) > 0 {
		return ctx, e.failure(&graphql.Response{Errors: denied})
	}
	return ctx, nil
}

// write writes the response of an operation. Any error makes the whole response
// an error.
func (a *API) write(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor, e *endpoint, vars map[string]any, resp *graphql.Response) {
	if err := e.failure(resp); err != nil {
		request.Fail(w, r, err)
		return
	}
	p, err := e.pick(resp.Data)
	switch {
	case err != nil:
		request.Fail(w, r, operation.Recovered(r.Context(), exec, err)) // which logs it
		return
	case p.body == nil && !e.nullable:
		request.Fail(w, r, errs.New(errs.NotFound, nil))
		return
	case p.body == nil:
		p.body = []byte("null")
	case e.file:
		a.sendFile(w, r, exec, p)
		return
	}
	h := w.Header()
	for name := range p.headers {
		h.Set(name, p.headers.Get(name))
	}
	e.link(h, r.URL, vars)
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(p.body))) // so that it is neither held back nor cut into chunks
	h.Set("Cache-Control", "private, no-cache")
	if e.secret {
		h.Set("Cache-Control", "no-store")
	}
	_, _ = w.Write(p.body) // the client may be gone
}

// sendFile answers with the file that the body of an operation links to, under the name that it
// has for Content-Disposition.
func (a *API) sendFile(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor, p parts) {
	var link string
	if err := json.Unmarshal(p.body, &link); err != nil {
		request.Fail(w, r, operation.Recovered(r.Context(), exec, errData)) // which logs it
		return
	}
	a.File(w, r, link, p.headers.Get("Content-Disposition"))
}
