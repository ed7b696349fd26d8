package server

import (
	"net"
	"os"
	"syscall"
)

// acceptNow accepts a connection of the backlog; nil if it is empty.
func acceptNow(l *net.TCPListener) (net.Conn, error) {
	raw, err := l.SyscallConn()
	if err != nil {
		return nil, err
	}
	waiting := -1
	err = raw.Control(func(fd uintptr) {
		if n, _, err := syscall.Accept4(int(fd), syscall.SOCK_CLOEXEC|syscall.SOCK_NONBLOCK); err == nil {
			waiting = n
		}
	})
	if err != nil || waiting < 0 {
		return nil, err
	}
	file := os.NewFile(uintptr(waiting), "connection")
	defer file.Close()
	return net.FileConn(file)
}
