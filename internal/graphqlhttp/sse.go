package graphqlhttp

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
)

// StreamPath is where subscriptions are sent as server-sent events: one for each
// request, as the client graphql-sse sends them by default.
const StreamPath = "/graphql/stream"

const mediaEvents = "text/event-stream; charset=utf-8"

// SSE takes one subscription as a POST of StreamPath, and answers with its events:
// next with an answer, complete at the end, and error before it where events may have
// been missed.
type SSE struct{ *API }

// Supports implements graphql.Transport.
func (SSE) Supports(r *http.Request) bool { return r.URL.Path == StreamPath }

// Do implements graphql.Transport. The token is checked before the body is read.
func (t SSE) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	if !isJSON(r.Header) {
		Fail(w, r, errs.New(errs.UnsupportedMediaType, nil))
		return
	}
	s := &eventStream{events: make(chan Event, maxQueue), ended: make(chan Cause, 1)}
	stream, ok := t.admitStream(w, r, s)
	if !ok {
		return
	}
	s.stream = stream
	defer stream.Close()
	if err := stream.SignIn(r.Context(), r.Header); err != nil {
		Fail(w, r, err)
		return
	}
	p, err := readBody(w, r)
	if err != nil {
		Fail(w, r, err)
		return
	}
	ctx := stream.Context(r.Context())
	sub, refused := t.subscribe(ctx, exec, p)
	if len(refused) == 1 && sendsText(refused[0]) {
		setHeader(w.Header(), mediaEvents)
		answer := errorAnswer(ctx, refused[0])
		_, _ = fmt.Fprintf(w, "event: next\ndata: %s\n\nevent: complete\ndata: \n\n", answer) // the client may be gone
		return
	}
	if len(refused) > 0 {
		x := exchange{t.API, w, r, exec, mediaGraphQL}
		setHeader(w.Header(), mediaGraphQL)
		x.refuse(ctx, refused)
		return
	}
	stream.Listen(sub.field)
	s.send(w, r, sub)
}

// An eventStream is the receiver of one request.
type eventStream struct {
	stream Stream
	events chan Event
	ended  chan Cause
}

// Deliver implements Receiver.
func (s *eventStream) Deliver(e Event) {
	select {
	case s.events <- e:
	default:
		s.stream.Overflow()
	}
}

// End implements Receiver. The first cause counts.
func (s *eventStream) End(c Cause) {
	select {
	case s.ended <- c:
	default:
	}
}

// send writes events until the client is gone or the stream is ended.
func (s *eventStream) send(w http.ResponseWriter, r *http.Request, sub *subscription) {
	ctx := r.Context()
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // of the server, for the request
	h := w.Header()
	setHeader(h, mediaEvents)
	h.Set("X-Accel-Buffering", "no") // of a proxy
	write := func(parts ...[]byte) bool {
		_ = control.SetWriteDeadline(time.Now().Add(writeTime))
		for _, part := range parts {
			if _, err := w.Write(part); err != nil {
				return false
			}
		}
		return control.Flush() == nil
	}
	w.WriteHeader(http.StatusOK)
	alive := time.NewTicker(sub.api.alive())
	defer alive.Stop()
	for ok := write([]byte(":\n\n")); ok; {
		select {
		case <-ctx.Done():
			return
		case cause := <-s.ended:
			if cause == Missed {
				write([]byte("event: error\ndata: "), errorAnswer(s.stream.Context(ctx), missedError()), []byte("\n\n"))
			}
			write([]byte("event: complete\ndata: \n\n"))
			return
		case <-alive.C:
			ok = write([]byte(":\n\n"))
		case e := <-s.events:
			if resp := sub.show(ctx, e); resp != nil {
				head, tail := envelope(e.Context(ctx), resp, true)
				ok = write([]byte("event: next\ndata: "), head, resp.Data, tail, []byte("\n\n"))
			}
		}
	}
}

// sendsText reports whether a client answers a refusal by sending the text besides the hash. It
// reads that of events alone.
func sendsText(err error) bool {
	return errs.Is(err, errs.PersistedQueryUnknown) || errs.Is(err, errs.PersistedQuery)
}

// missedError is the error of a stream whose client may have missed events.
func missedError() *gqlerror.Error {
	return Refuse(errs.Unavailable, errs.Meta{"reason": "MISSED"}, "Events may have been missed: read what is shown anew, then listen again.")
}

// errorAnswer returns an answer with an error alone.
func errorAnswer(ctx context.Context, err *gqlerror.Error) []byte {
	head, tail := envelope(ctx, &graphql.Response{Errors: gqlerror.List{err}}, false)
	return append(head, tail...)
}
