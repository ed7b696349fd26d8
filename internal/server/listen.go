package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// Listen listens on an address, such as 127.0.0.1:8080.
func Listen(addr string) (*net.TCPListener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	return l.(*net.TCPListener), nil // what "tcp" gives
}

// A drainListener is a listener that, when it is stopped, still accepts the
// connections in the kernel's backlog: their clients may have sent a request.
type drainListener struct{ *net.TCPListener }

// Accept implements net.Listener. After stop it accepts the connections in the
// backlog, then closes the listener.
func (l drainListener) Accept() (net.Conn, error) {
	c, err := l.TCPListener.Accept()
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return c, err
	}
	if c, err := acceptNow(l.TCPListener); c != nil || err != nil {
		return c, err
	}
	return nil, errors.Join(net.ErrClosed, l.Close())
}

// stop makes Accept fail with net.ErrClosed once the backlog is empty.
func (l drainListener) stop() error { return l.SetDeadline(time.Unix(1, 0)) }

// A connTracker knows the connections on which a request may be in transit or in
// progress.
type connTracker struct {
	mu   sync.Mutex
	busy map[net.Conn]bool
}

// track is an http.Server.ConnState.
func (c *connTracker) track(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if state == http.StateNew || state == http.StateActive {
		c.busy[conn] = true
	} else {
		delete(c.busy, conn)
	}
}

// waitIdle returns once there are no such connections, or ctx ends.
func (c *connTracker) waitIdle(ctx context.Context) {
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
