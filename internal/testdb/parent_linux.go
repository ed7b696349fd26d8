package testdb

import "syscall"

// dieWithParent has the kernel kill the server when the test process ends
// without stopping it.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
