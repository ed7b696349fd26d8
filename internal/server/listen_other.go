//go:build !linux

package server

import "net"

// acceptNow accepts nothing: on this system, clients in the backlog of a server
// that stops have to try again.
func acceptNow(*net.TCPListener) (net.Conn, error) { return nil, nil }
