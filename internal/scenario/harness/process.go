package harness

import (
	"bytes"
	"net"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Build builds the command, without the race detector and as fast as it can be, and returns
// its path.
func Build(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "workforce")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-toolexec=env GOGC=400", "-o", path, "workforce/cmd/workforce").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// FreeAddr returns an address of this machine that nobody listens on.
func FreeAddr(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// A Buffer is written by a process while a test reads it. Its zero value is ready.
type Buffer struct {
	Written Signal // notified of each write

	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (b *Buffer) Write(p []byte) (int, error) {
	defer b.Written.Notify()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// String returns what was written so far.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
