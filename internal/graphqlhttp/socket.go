package graphqlhttp

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
	"workforce/internal/jsonscan"
	"workforce/internal/variables"
)

// A socket is the receiver of one WebSocket. One goroutine reads its messages, another
// shows events while there are any.
type socket struct {
	api    *API
	exec   graphql.GraphExecutor
	opened chan struct{} // closed when the fields below are set
	ctx    context.Context
	stream Stream
	conn   *websocket.Conn

	init, alive *time.Timer

	mu            sync.Mutex
	signedIn      bool
	subscriptions map[string]*subscription // by the client's id
	queue         []Event
	showing       bool // a goroutine shows the queue
	closed        bool
}

// run reads messages until the socket is closed.
func (s *socket) run() {
	s.startTimers()
	defer s.end()
	if s.conn.Subprotocol() != subprotocol {
		s.close(closeSubprotocol)
		return
	}
	for {
		kind, text, err := s.conn.Read(s.ctx)
		if err != nil {
			return
		}
		if kind != websocket.MessageText {
			s.close(closeInvalid)
			return
		}
		if end := s.handle(text); end != nil {
			s.close(*end)
			return
		}
	}
}

// end frees what the socket holds.
func (s *socket) end() {
	s.mu.Lock()
	s.closed = true
	s.queue, s.subscriptions = nil, nil
	s.init.Stop()
	s.alive.Stop()
	s.mu.Unlock()
	_ = s.conn.CloseNow() // unless it was
	s.stream.Close()
}

// close closes the socket; only the first call counts. It waits some seconds for the
// client to agree.
func (s *socket) close(c closing) {
	s.mu.Lock()
	first := !s.closed
	s.closed = true
	s.mu.Unlock()
	if first {
		_ = s.conn.Close(c.code, c.reason) // the client may be gone
	}
}

// A message is one of the protocol.
type message struct {
	Type    string          `json:"type"`
	ID      string          `json:"id,omitempty"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// parseMessage reads a message of a client; false for what is none.
func parseMessage(text []byte) (m message, ok bool) {
	list, err := jsonscan.ParseObject(text)
	if err != nil {
		return m, false
	}
	members := variables.Object(list)
	if kind, given := members.Find("type"); !given || !isString(kind.Value, &m.Type) {
		return m, false
	}
	if id, given := members.Find("id"); given && !isString(id.Value, &m.ID) {
		return m, false
	}
	if payload, given := members.Find("payload"); given && !isNull(payload.Value) {
		if !isObject(payload.Value) {
			return m, false
		}
		m.Payload = payload.Value
	}
	return m, true
}

// handle is receive on a stack of its own: that of the goroutine which waits for messages
// stays small.
func (s *socket) handle(text []byte) *closing {
	end := make(chan *closing, 1)
	go func() { end <- s.receive(text) }()
	return <-end
}

// receive handles a message of the client. It returns a closing for one that ends the
// socket.
func (s *socket) receive(text []byte) *closing {
	m, ok := parseMessage(text)
	if !ok {
		return &closeInvalid
	}
	switch m.Type {
	case "connection_init":
		return s.signIn(m)
	case "ping":
		s.send(message{Type: "pong", Payload: m.Payload})
	case "pong":
	case "subscribe":
		return s.subscribe(m)
	case "complete":
		if m.ID == "" {
			return &closeInvalid
		}
		s.complete(m.ID)
	default:
		return &closeInvalid
	}
	return nil
}

// signIn signs the socket in with the tokens of connection_init.
func (s *socket) signIn(m message) *closing {
	if s.signedIn {
		return &closeSecondInit
	}
	ctx, cancel := context.WithTimeout(s.ctx, cmp.Or(s.api.Timeout, DefaultTimeout))
	defer cancel()
	err := s.stream.SignIn(ctx, tokensOf(m.Payload))
	switch errs.CodeOf(err) {
	case errs.RateLimited:
		return &closeTooMany
	case errs.Unauthenticated:
		return &closeForbidden
	}
	if err != nil {
		return &closeUnavailable
	}
	s.init.Stop()
	s.signedIn = true
	s.send(message{Type: "connection_ack"})
	return nil
}

// tokensOf returns the members of a payload that are text as headers.
func tokensOf(payload []byte) http.Header {
	h := http.Header{}
	var members map[string]any
	if json.Unmarshal(payload, &members) != nil {
		return h
	}
	for name, value := range members {
		if text, ok := value.(string); ok {
			h.Set(strings.TrimSpace(name), text)
		}
	}
	return h
}

// subscribe begins a subscription, or tells the client why not.
func (s *socket) subscribe(m message) *closing {
	s.mu.Lock()
	_, used := s.subscriptions[m.ID]
	full := len(s.subscriptions) >= maxSubscriptions
	s.mu.Unlock()
	switch {
	case !s.signedIn:
		return &closeUnauthorized
	case m.ID == "" || m.Payload == nil:
		return &closeInvalid
	case used:
		return &closeUsedID
	case full:
		s.refuse(m.ID, gqlerror.List{Refuse(errs.BadRequest, errs.Meta{"limit": "subscriptions", "max": maxSubscriptions}, "A socket has at most 20 subscriptions.")})
		return nil
	}
	p, err := parseParams(m.Payload, "The payload must be one JSON object.") // it is valid
	if errs.Is(err, errs.BadRequest) {
		return &closeInvalid // no request, such as {}
	}
	if err != nil {
		s.refuse(m.ID, gqlerror.List{asGraphQLError(err)})
		return nil
	}
	sub, refused := s.api.subscribe(s.stream.Context(s.ctx), s.exec, p)
	if len(refused) > 0 {
		s.refuse(m.ID, refused)
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.subscriptions[m.ID] = sub
		s.stream.Listen(sub.field)
	}
	return nil
}

// refuse tells the client the errors of a subscription that does not begin.
func (s *socket) refuse(id string, list gqlerror.List) {
	s.send(message{Type: "error", ID: id, Payload: encodeErrors(s.stream.Context(s.ctx), list)})
}

// complete ends a subscription that the client does not want any more.
func (s *socket) complete(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sub := s.subscriptions[id]; sub != nil {
		delete(s.subscriptions, id)
		s.stream.Ignore(sub.field)
	}
}

// send writes a message. A client that does not take it in time is gone.
func (s *socket) send(m message) {
	text, err := json.Marshal(m)
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, writeTime)
	defer cancel()
	_ = s.conn.Write(ctx, websocket.MessageText, text) // Read fails too
}

// Deliver implements Receiver.
func (s *socket) Deliver(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
	case len(s.queue) >= maxQueue:
		go s.stream.Overflow()
	default:
		s.queue = append(s.queue, e)
		if !s.showing {
			s.showing = true
			go s.showAll()
		}
	}
}

// End implements Receiver.
func (s *socket) End(c Cause) {
	go func() {
		<-s.opened
		s.close(causes[c])
	}()
}

// showAll shows the events of the queue, until it is empty.
func (s *socket) showAll() {
	for {
		e, all, ok := s.next()
		if !ok {
			return
		}
		for id, sub := range all {
			if resp := sub.show(s.ctx, e); resp != nil {
				head, tail := envelope(e.Context(s.ctx), resp, true)
				s.send(message{Type: "next", ID: id, Payload: append(append(head, resp.Data...), tail...)})
			}
		}
	}
}

// next takes an event out of the queue, with the subscriptions that show it.
func (s *socket) next() (e Event, all map[string]*subscription, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 || s.closed {
		s.queue, s.showing = nil, false
		return e, nil, false
	}
	e, s.queue = s.queue[0], s.queue[1:]
	all = make(map[string]*subscription, 1)
	for id, sub := range s.subscriptions {
		if sub.field == e.Field {
			all[id] = sub
		}
	}
	return e, all, true
}
