package graphqlhttp

import (
	"cmp"
	"context"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
	"workforce/internal/operation"
	"workforce/internal/request"
	"workforce/internal/rootfield"
)

// The bounds of one connection that listens.
const (
	maxSubscriptions = 20               // of a socket
	maxQueue         = 16               // events that wait to be shown; with more, some are missed
	writeTime        = 10 * time.Second // in which a client takes a message
	keepAlive        = 20 * time.Second // between signs of life
	initTime         = 10 * time.Second // in which a socket signs in
	crowdedInitTime  = 2 * time.Second  // the same while many have not
)

// Streams is what subscriptions need of the server.
type Streams interface {
	// Allowed reports whether a page of the request's Origin may listen.
	Allowed(r *http.Request) bool
	// Open opens a connection for a request, which the caller closes. UNAVAILABLE when the
	// server stops or has too many, RATE_LIMITED when those of the client's network have not
	// signed in and are too many.
	Open(*http.Request, Receiver) (Stream, error)
}

// A Stream is an open connection, as the server sees it.
type Stream interface {
	// SignIn makes it that of the holder of the access token in headers.
	// UNAUTHENTICATED, or RATE_LIMITED where their session has too many.
	SignIn(ctx context.Context, h http.Header) error
	// Crowded reports whether many connections have not signed in.
	Crowded() bool
	// Context returns a context in which the holder calls, as they are now.
	Context(context.Context) context.Context
	// Listen and Ignore begin and end a subscription to a field.
	Listen(field string)
	Ignore(field string)
	// Overflow ends the connection with Missed.
	Overflow()
	Close()
}

// A Receiver is told of events. Its methods do not wait.
type Receiver interface {
	Deliver(Event)
	End(Cause) // may be called more than once
}

// An Event is something that a field of Subscription shows.
type Event struct {
	Field string
	// Context returns a context in which the field returns the event, for the holder of
	// the connection as they are now.
	Context func(context.Context) context.Context
}

// A Cause says why a connection is ended.
type Cause int

// The causes.
const (
	SignedOut Cause = iota // the token expired or was revoked
	Missed                 // events may have been missed
	Stopping               // the server stops
)

// alive returns the time between signs of life of a connection.
func (a *API) alive() time.Duration { return cmp.Or(a.Alive, keepAlive) }

// slots bound how many events are shown at once, in all connections: a connection holds
// none while it waits.
type slots chan struct{}

func newSlots() slots { return make(slots, 2*runtime.GOMAXPROCS(0)) }

// A subscription is an operation that is run anew for each event.
type subscription struct {
	api      *API
	exec     graphql.GraphExecutor
	prepared operation.Prepared
	params   *graphql.RawParams
	field    string
}

// subscribe reads and checks a subscription of the caller of ctx. It runs once without
// an event, so that what is refused is refused before it is accepted.
func (a *API) subscribe(ctx context.Context, exec graphql.GraphExecutor, p *params) (*subscription, gqlerror.List) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(a.Timeout, DefaultTimeout))
	defer cancel()
	text, err := a.textOf(ctx, p)
	if err != nil {
		return nil, gqlerror.List{asGraphQLError(err)}
	}
	doc, invalid := a.documents.load(ctx, text, a.mayIntrospect)
	if len(invalid) > 0 {
		return nil, invalid
	}
	op, invalid := operationOf(doc, p.operationName)
	if len(invalid) > 0 {
		return nil, invalid
	}
	if op.Operation != ast.Subscription {
		return nil, gqlerror.List{Refuse(errs.BadRequest, nil, "This connection takes subscriptions alone: send queries and mutations by POST.")}
	}
	field, ok := fieldOf(op)
	if !ok {
		return nil, gqlerror.List{Refuse(errs.BadRequest, nil, "A subscription has one field, without a condition.")}
	}
	s := &subscription{api: a, exec: exec, prepared: operation.New(doc, op), field: field}
	s.params = &graphql.RawParams{Query: text, OperationName: p.operationName, Headers: request.From(ctx).Header}
	if a.Check != nil {
		var denied gqlerror.List
		if ctx, denied = a.Check(ctx, s.prepared.Context(s.params)); len(denied) > 0 {
			return nil, denied
		}
	}
	if a.End != nil {
		defer a.End(ctx)
	}
	a.keep(ctx, p, text)
	if a.Admit != nil {
		leave, err := a.Admit(ctx, op)
		if err != nil {
			return nil, gqlerror.List{gqlerror.Wrap(err)}
		}
		defer leave()
	}
	values, faults, err := a.readVariables(op, p)
	if err == nil {
		err = faults.Err()
	}
	if err != nil {
		return nil, gqlerror.List{asGraphQLError(err)}
	}
	s.prepared.Variables = values
	if resp := s.run(ctx); resp != nil && len(resp.Errors) > 0 {
		return nil, resp.Errors
	}
	return s, nil
}

// fieldOf returns the field that a subscription shows. The executor cannot run one with
// several, with one that may be left out, or with one of GraphQL's own.
func fieldOf(op *ast.OperationDefinition) (name string, ok bool) {
	all := rootfield.Selected(op.SelectionSet)
	if len(all) != 1 || len(rootfield.Unconditional(op.SelectionSet)) != 1 || strings.HasPrefix(all[0].Name, "__") {
		return "", false
	}
	return all[0].Name, true
}

// show returns the answer to an event, nil where there is none. It waits for its turn.
func (s *subscription) show(ctx context.Context, e Event) *graphql.Response {
	select {
	case s.api.slots <- struct{}{}:
		defer func() { <-s.api.slots }()
	case <-ctx.Done():
		return nil
	}
	ctx, cancel := context.WithTimeout(e.Context(ctx), cmp.Or(s.api.Timeout, DefaultTimeout))
	defer cancel()
	return s.run(ctx)
}

// run runs the operation in a context that may have an event.
func (s *subscription) run(ctx context.Context) (resp *graphql.Response) {
	defer func() {
		if v := recover(); v != nil {
			resp = &graphql.Response{Errors: gqlerror.List{asGraphQLError(operation.Recovered(ctx, s.exec, v))}}
		}
	}()
	return s.prepared.Run(graphql.StartOperationTrace(ctx), s.exec, s.params)
}

// admitStream refuses what may not listen, and opens a connection.
func (a *API) admitStream(w http.ResponseWriter, r *http.Request, receiver Receiver) (Stream, bool) {
	if a.Streams == nil {
		Fail(w, r, malformed("This kind of connection is not supported."))
		return nil, false
	}
	if !a.Streams.Allowed(r) {
		Fail(w, r, Refuse(errs.Forbidden, nil, "Pages of this origin may not listen."))
		return nil, false
	}
	stream, err := a.Streams.Open(r, receiver)
	if err != nil {
		Fail(w, r, err)
		return nil, false
	}
	return stream, true
}
