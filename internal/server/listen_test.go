package server

import (
	"errors"
	"log/slog"
	"net"
	"testing"

	"workforce/internal/operation"
)

// TestDrainListener stops a listener while clients are in the backlog.
func TestDrainListener(t *testing.T) {
	tcp, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	l := drainListener{tcp}
	defer l.Close()
	const waiting = 3
	for i := range waiting {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := c.Write([]byte{byte(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.stop(); err != nil {
		t.Fatal(err)
	}
	for i := range waiting {
		c, err := l.Accept()
		if err != nil {
			t.Fatalf("client %d: %v", i, err)
		}
		defer c.Close()
		var got [1]byte
		if _, err := c.Read(got[:]); err != nil || got[0] != byte(i) {
			t.Errorf("client %d sent %d, %v", i, got[0], err)
		}
	}
	if c, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("after the last: %v, %v", c, err)
	}
	if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
		_ = c.Close()
		t.Error("a connection was accepted after the backlog was empty")
	}
}

// TestDeadlines shows that an operation ends before its answer is due, however long
// its body took to arrive.
func TestDeadlines(t *testing.T) {
	s := httpServer(nil, slog.New(slog.DiscardHandler))
	if most := s.ReadTimeout + 2*operation.Timeout; s.WriteTimeout < most { // to check the caller, and to run
		t.Errorf("answers are due after %v, and may take %v", s.WriteTimeout, most)
	}
}
