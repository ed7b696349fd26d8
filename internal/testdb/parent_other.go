//go:build !linux

package testdb

import "syscall"

// dieWithParent does nothing here: after a killed test process, the server has
// to be stopped by hand.
func dieWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }
