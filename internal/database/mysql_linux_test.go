package database

import (
	"net"
	"syscall"
	"testing"
)

// TestKeepAlive probes an idle connection to a MySQL server after 15 s, three times every 5 s.
func TestKeepAlive(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	cfg, err := mysqlConfig("mysql://u:p@" + l.Addr().String() + "/db")
	if err != nil {
		t.Fatal(err)
	}
	c, err := cfg.DialFunc(t.Context(), cfg.Net, cfg.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.(*net.TCPConn).SetKeepAlive(true); err != nil { // as the driver does
		t.Fatal(err)
	}
	raw, err := c.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	for option, want := range map[int]int{syscall.TCP_KEEPIDLE: 15, syscall.TCP_KEEPINTVL: 5, syscall.TCP_KEEPCNT: 3} {
		err := raw.Control(func(fd uintptr) {
			if got, err := syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, option); err != nil || got != want {
				t.Errorf("option %d is %d, %v; want %d", option, got, err, want)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
