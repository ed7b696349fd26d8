package testdb

import (
	"net"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// A Redis is a private Redis server on 127.0.0.1, which stores nothing.
type Redis struct {
	t    testing.TB
	addr string
	cmd  *exec.Cmd
	gone chan struct{}
}

// StartRedis starts a Redis server for one test. It goes away with the test.
func StartRedis(t testing.TB) *Redis {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no redis-server (Debian: as root .ci/need redis)")
		}
		t.Skip("SKIPPED, not tested on Redis: no redis-server (Debian: as root .ci/need redis)")
	}
	ports, err := steadyPorts(1)
	if err != nil {
		t.Fatal(err)
	}
	r := &Redis{t: t, addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(ports[0]))}
	r.Start()
	t.Cleanup(r.Kill)
	return r
}

// URL returns the server's URL, in the form of --broker.
func (r *Redis) URL() string { return "redis://" + r.addr + "/0" }

// PID returns the process id of the running server.
func (r *Redis) PID() int { return r.cmd.Process.Pid }

// Start starts the server, again after Kill, and waits until it answers.
func (r *Redis) Start() {
	r.t.Helper()
	_, port, _ := net.SplitHostPort(r.addr)
	r.cmd = exec.Command("redis-server", "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no", "--dir", r.t.TempDir())
	r.cmd.SysProcAttr = dieWithParent()
	r.gone = make(chan struct{})
	if err := launch(r.cmd, r.gone); err != nil {
		r.t.Fatal(err)
	}
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		c, err := net.Dial("tcp", r.addr)
		if err == nil {
			_ = c.Close()
			return
		}
		if time.Since(began) > startTimeout {
			r.t.Fatal(err)
		}
	}
}

// Kill ends the server at once.
func (r *Redis) Kill() { r.signal(syscall.SIGKILL); <-r.gone }

// Freeze has the server answer nothing until Thaw.
func (r *Redis) Freeze() { r.signal(syscall.SIGSTOP) }

// Thaw ends Freeze.
func (r *Redis) Thaw() { r.signal(syscall.SIGCONT) }

func (r *Redis) signal(s syscall.Signal) { _ = r.cmd.Process.Signal(s) } // it may be gone
