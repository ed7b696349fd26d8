package webapp

import (
	"io"
	"net"
	"sync"
	"testing"
)

// A line leads from one address to a server, or nowhere, as if it had been killed.
type line struct {
	listener net.Listener
	mu       sync.Mutex
	to       string // "" for nowhere
	open     []net.Conn
}

// newLine returns a line to an address.
func newLine(t *testing.T, to string) *line {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	made := &line{listener: l, to: to}
	go made.serve()
	t.Cleanup(func() { l.Close(); made.lead("") })
	return made
}

// lead ends all connections; later ones lead to an address.
func (l *line) lead(to string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.to = to
	for _, c := range l.open {
		c.Close()
	}
	l.open = nil
}

func (l *line) serve() {
	for {
		near, err := l.listener.Accept()
		if err != nil {
			return
		}
		l.mu.Lock()
		var far net.Conn
		if l.to != "" {
			far, err = net.Dial("tcp", l.to)
		}
		if far == nil || err != nil {
			near.Close()
		} else {
			l.open = append(l.open, near, far)
			go pipe(near, far)
			go pipe(far, near)
		}
		l.mu.Unlock()
	}
}

func pipe(to, from net.Conn) {
	defer to.Close()
	io.Copy(to, from) // the end of a line is no fault
}
