package graphqlhttp

import (
	"context"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"

	"workforce/internal/request"
)

// subprotocol is the protocol of sockets, which the client graphql-ws speaks.
const subprotocol = "graphql-transport-ws"

// A closing is the code with which a socket is closed, and the reason.
type closing struct {
	code   websocket.StatusCode
	reason string
}

// The closings, as the protocol and graphql-ws name them.
var (
	closeInvalid      = closing{4400, "Invalid message received"}
	closeUnauthorized = closing{4401, "Unauthorized"}
	closeForbidden    = closing{4403, "Forbidden"}
	closeSubprotocol  = closing{4406, "Subprotocol not acceptable"}
	closeInitTimeout  = closing{4408, "Connection initialisation timeout"}
	closeUsedID       = closing{4409, "Subscriber already exists"}
	closeSecondInit   = closing{4429, "Too many initialisation requests"}
	closeTooMany      = closing{4429, "Too many sockets of this session"}
	closeUnavailable  = closing{websocket.StatusTryAgainLater, "Unavailable"}
	closeMissed       = closing{4500, "MISSED"}
	closeStopping     = closing{websocket.StatusGoingAway, "Going away"}
)

// causes are the closings of causes.
var causes = map[Cause]closing{SignedOut: closeUnauthorized, Missed: closeMissed, Stopping: closeStopping}

// WebSocket takes subscriptions over a socket. The tokens come in the payload of
// connection_init, under the names of the headers.
type WebSocket struct{ *API }

// Supports implements graphql.Transport.
func (WebSocket) Supports(r *http.Request) bool { return r.Method == http.MethodGet && isWebSocket(r) }

// Do implements graphql.Transport. It returns as soon as the socket is open: what the
// server holds for a request would take more memory than the socket does.
func (t WebSocket) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	s := &socket{api: t.API, exec: exec, subscriptions: map[string]*subscription{}, opened: make(chan struct{})}
	stream, ok := t.admitStream(w, r, s)
	if !ok {
		return
	}
	// Allowed has decided about the origin. Compression would cost memory for each socket.
	library := &request.Library{ResponseWriter: w}
	conn, err := websocket.Accept(library, r, &websocket.AcceptOptions{
		Subprotocols: []string{subprotocol}, InsecureSkipVerify: true, CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		stream.Close()
		if library.Status != 0 {
			Fail(w, r, malformed("This is no handshake of a WebSocket of version 13."))
		}
		return
	}
	conn.SetReadLimit(MaxBytes)
	s.ctx, s.stream, s.conn = socketContext(r.Context()), stream, conn
	close(s.opened)
	go s.run()
}

// socketContext returns the context of a socket, which outlives its request: it has the
// facts of the request, but no header.
func socketContext(ctx context.Context) context.Context {
	info := request.From(ctx).Again()
	info.Header = http.Header{}
	return request.NewContext(context.Background(), info)
}

// ping ends the socket when its client does not answer in time, and goes on else.
func (s *socket) ping() {
	ctx, cancel := context.WithTimeout(s.ctx, s.api.alive())
	defer cancel()
	if s.conn.Ping(ctx) != nil {
		_ = s.conn.CloseNow() // it is gone
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.alive.Reset(s.api.alive())
	}
}

// startTimers has the socket closed when it does not sign in, and tried now and then.
func (s *socket) startTimers() {
	s.mu.Lock()
	defer s.mu.Unlock()
	wait := initTime
	if s.stream.Crowded() {
		wait = crowdedInitTime
	}
	s.init = time.AfterFunc(wait, func() { s.close(closeInitTimeout) })
	s.alive = time.AfterFunc(s.api.alive(), s.ping)
}
