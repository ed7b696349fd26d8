package graphqlhttp

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
	"workforce/internal/request"
)

// Fail writes an error as the response to a request to /graphql: in GraphQL's
// shape, with the status of its code and the headers of the error.
func Fail(w http.ResponseWriter, r *http.Request, err error) {
	fail(w, r, err, errs.CodeOf(err).Status())
}

func fail(w http.ResponseWriter, r *http.Request, err error, status int) {
	media, _ := negotiate(r.Header)
	setHeader(w.Header(), media)
	request.ErrorHeaders(w.Header(), errs.As(err))
	write(w, r.Context(), status, &graphql.Response{Errors: gqlerror.List{asGraphQLError(err)}}, false)
}

func setHeader(h http.Header, media string) {
	h.Set("Content-Type", media)
	h.Set("Cache-Control", "no-store")
	h.Del("ETag")
}

// respond writes the response of an operation, which is nil where the deadline
// passed first.
func (x *exchange) respond(ctx context.Context, resp *graphql.Response) {
	if resp == nil {
		resp = &graphql.Response{Errors: gqlerror.List{gqlerror.Wrap(errs.New(errs.Unavailable, nil))}}
	}
	hasData := resp.Data != nil || wasExecuted(resp)
	status, cause := statusOf(x.media, resp, hasData)
	if cause != nil {
		request.ErrorHeaders(x.w.Header(), cause)
	}
	write(x.w, ctx, status, resp, hasData)
}

// wasExecuted reports whether there is no error or one of a field. Data is then
// null and not absent, even where an interceptor dropped it.
func wasExecuted(resp *graphql.Response) bool {
	for _, g := range resp.Errors {
		if len(g.Path) > 0 {
			return true
		}
	}
	return len(resp.Errors) == 0
}

// statusOf returns the status of a response, and the error that decided it if it
// is not 200. Data that is not null is always 200. Without, UPGRADE_REQUIRED,
// RATE_LIMITED and UNAVAILABLE are what they are everywhere; the rest is 200 as
// application/json, and as application/graphql-response+json if it was executed,
// else 400 or the status of its code.
func statusOf(media string, resp *graphql.Response, hasData bool) (status int, cause *errs.Error) {
	status = http.StatusOK
	if len(resp.Data) > 0 && !bytes.Equal(resp.Data, []byte("null")) {
		return status, nil
	}
	for _, g := range resp.Errors {
		e := errs.As(g)
		s := e.Code.Status()
		switch e.Code {
		case errs.UpgradeRequired, errs.RateLimited, errs.Unavailable:
		default:
			if media == mediaJSON || hasData {
				continue
			}
			if e.Code == errs.Invalid { // variables are read before anything is executed
				s = http.StatusBadRequest
			}
		}
		if s > status {
			status, cause = s, e
		}
	}
	return status, cause
}

// write sends a response. Its data are sent without a copy.
func write(w http.ResponseWriter, ctx context.Context, status int, resp *graphql.Response, hasData bool) {
	language := request.From(ctx).Language
	if language == "" {
		language = errs.Languages[0].String()
	}
	head, tail := envelope(ctx, resp, hasData)
	w.Header().Set("Content-Language", language)
	w.Header().Set("Content-Length", strconv.Itoa(len(head)+len(resp.Data)+len(tail)))
	w.WriteHeader(status)
	for _, part := range [][]byte{head, resp.Data, tail} {
		if _, err := w.Write(part); err != nil {
			return // the client is gone
		}
	}
}

// envelope returns what comes before and after the data of a response.
func envelope(ctx context.Context, resp *graphql.Response, hasData bool) (head, tail []byte) {
	head = append(head, '{')
	if len(resp.Errors) > 0 {
		head = append(append(head, `"errors":`...), encodeErrors(ctx, resp.Errors)...)
	}
	if hasData {
		if len(head) > 1 {
			head = append(head, ',')
		}
		head = append(head, `"data":`...)
		if resp.Data == nil {
			head = append(head, "null"...)
		}
	}
	if len(resp.Extensions) > 0 {
		if extensions, err := json.Marshal(resp.Extensions); err == nil {
			tail = append(append(tail, `,"extensions":`...), extensions...)
		}
	}
	return head, append(tail, '}')
}

// encodeErrors localizes errors. It leaves the facts out if one has no JSON form;
// the codes are still shown.
func encodeErrors(ctx context.Context, list gqlerror.List) []byte {
	shown := make(gqlerror.List, len(list))
	for i, g := range list {
		shown[i] = localized(ctx, g)
	}
	text, err := json.Marshal(shown)
	if err != nil {
		for _, g := range shown {
			g.Extensions["meta"] = errs.Meta{}
		}
		text, _ = json.Marshal(shown)
	}
	return text
}
