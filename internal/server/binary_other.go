//go:build !linux

package server

// dropPages does nothing where the system is not told of pages.
func dropPages() {}
