package executor

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"workforce/ent"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/live"
	"workforce/internal/graphqlhttp"
	"workforce/internal/request"
)

// streams implements graphqlhttp.Streams.
type streams struct{ *Executor }

// Allowed implements graphqlhttp.Streams.
func (s streams) Allowed(r *http.Request) bool { return s.Origin == nil || s.Origin(r) }

// Open implements graphqlhttp.Streams.
func (s streams) Open(r *http.Request, to graphqlhttp.Receiver) (graphqlhttp.Stream, error) {
	c, err := s.Live.Connect(request.Network(request.From(r.Context()).Addr), receiver{s.Executor, to})
	if err != nil {
		return nil, err
	}
	return stream{c, s.Executor, request.From(r.Context()).ID, time.Now()}, nil
}

// A receiver hands on what it is told of.
type receiver struct {
	*Executor
	to graphqlhttp.Receiver
}

// Deliver implements live.Receiver.
func (r receiver) Deliver(d live.Delivery) {
	r.to.Deliver(graphqlhttp.Event{Field: d.Field, Context: func(ctx context.Context) context.Context {
		return caller(live.WithRow(ctx, d), r.Executor, d.Who)
	}})
}

// End implements live.Receiver.
func (r receiver) End(c live.Cause) { r.to.End(graphqlhttp.Cause(c)) }

// caller returns a context in which the holder of a token calls, in an operation of its
// own.
func caller(ctx context.Context, e *Executor, who *credential.Credential) context.Context {
	ctx = request.NewContext(ent.NewContext(ctx, e.DB), request.From(ctx).Again())
	ctx = e.Authenticator.As(ctx, who)
	if e.AroundEvents != nil {
		ctx = e.AroundEvents(ctx)
	}
	return ctx
}

// A stream is an open connection.
type stream struct {
	*live.Connection
	executor  *Executor
	requestID string
	opened    time.Time
}

// SignIn implements graphqlhttp.Stream.
func (s stream) SignIn(ctx context.Context, h http.Header) error {
	who, err := s.executor.Authenticator.Access(ctx, h)
	if err == nil {
		err = s.Connection.SignIn(who)
	}
	if err != nil {
		return s.executor.present(ctx, err)
	}
	return nil
}

// Close implements graphqlhttp.Stream, and logs how long who listened.
func (s stream) Close() {
	s.Connection.Close()
	attrs := []slog.Attr{slog.String("requestId", s.requestID), slog.Duration("duration", time.Since(s.opened))}
	if who := s.Who(); who != nil {
		attrs = append(attrs, slog.Int("user", who.Session.UserID), slog.Int("company", who.Session.CompanyID))
	}
	s.executor.Log.LogAttrs(context.Background(), slog.LevelInfo, "stream closed", attrs...)
}

// Context implements graphqlhttp.Stream.
func (s stream) Context(ctx context.Context) context.Context {
	if who := s.Who(); who != nil {
		return caller(ctx, s.executor, who)
	}
	return ctx
}
