package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// A lastCall is a listener that can be told to stop without hanging up on those
// who are in line: clients whose connection the system has taken, and who may
// have sent their request, before the server got to accept it.
type lastCall struct{ *net.TCPListener }

// listen listens on an address, such as 127.0.0.1:8080.
func listen(addr string) (lastCall, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return lastCall{}, err
	}
	return lastCall{l.(*net.TCPListener)}, nil // what "tcp" gives
}

// Accept implements net.Listener. Once told to stop it takes those in line, then
// closes.
func (l lastCall) Accept() (net.Conn, error) {
	c, err := l.TCPListener.Accept()
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return c, err
	}
	if c, err := acceptNow(l.TCPListener); c != nil || err != nil {
		return c, err
	}
	return nil, errors.Join(net.ErrClosed, l.Close())
}

// stop has Accept fail soon, with net.ErrClosed.
func (l lastCall) stop() error { return l.SetDeadline(time.Unix(1, 0)) }

// A census knows the connections on which a request may be on its way or being
// answered.
type census struct {
	mu   sync.Mutex
	busy map[net.Conn]bool
}

// note is for http.Server.ConnState.
func (c *census) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if state == http.StateNew || state == http.StateActive {
		c.busy[conn] = true
	} else {
		delete(c.busy, conn)
	}
}

// quiet waits until there are none, or ctx ends.
func (c *census) quiet(ctx context.Context) {
	for ctx.Err() == nil {
		c.mu.Lock()
		n := len(c.busy)
		c.mu.Unlock()
		if n == 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}
