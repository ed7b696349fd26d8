package testdb

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"workforce/internal/database"
)

var errNotInstalled = errors.New("testdb: no mariadbd binary; install MariaDB (Debian: apt-get install mariadb-server) or set SKIP_MYSQL=1")

// startTimeout is how long a server may take until it answers.
const startTimeout = 60 * time.Second

// folderPrefix begins the name of a server's folder; the process id follows.
const folderPrefix = "workforce-mariadb-"

// A Server is a private MariaDB server on a port of 127.0.0.1, with a folder of
// its own. It dies with the test process, whatever ends that.
type Server struct {
	folder   string
	port     int
	password string
	more     []string            // settings of its own
	user     *syscall.Credential // who runs it; nil for the test's own user
	made     atomic.Int64        // databases, so far
	process  atomic.Pointer[os.Process]
	kill     context.CancelFunc
	gone     chan struct{} // closed once the running process has ended
}

// Start starts a server for one test alone, which may stop it and start it
// again. It goes away with the test. The settings replace those of a fast server.
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	s, err := newServer(settings...)
	require(t, err)
	t.Cleanup(func() {
		if err := s.remove(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Database makes an empty database, dropped at the end of the test if the
// server runs then, and returns its URL.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("test%d", s.made.Add(1))
	if err := s.exec("CREATE DATABASE " + name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !s.running() {
			return
		}
		if err := s.exec("DROP DATABASE " + name); err != nil {
			t.Error(err)
		}
	})
	return s.url(name)
}

// Stop kills the server, as a crash would; committed data stays.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	s.stop()
}

// Start starts a stopped server again, on the same port with the same data, and
// returns once it answers.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
}

// PID returns the process id of the running server.
func (s *Server) PID() int { return s.process.Load().Pid }

// Freeze stops the server's process, as a machine that hangs.
func (s *Server) Freeze() { s.signal(syscall.SIGSTOP) }

// Thaw lets a frozen server go on.
func (s *Server) Thaw() { s.signal(syscall.SIGCONT) }

// newServer sets a server up and starts it. Another process may take the port
// between its choice and its use, hence three tries.
func newServer(settings ...string) (*Server, error) {
	if _, err := exec.LookPath(mariadbd()); err != nil {
		return nil, errNotInstalled
	}
	sweep(os.TempDir())
	folder, err := os.MkdirTemp("", folderPrefix+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return nil, err
	}
	s := &Server{folder: folder, password: rand.Text(), more: settings}
	err = s.install()
	for try := 0; err == nil && try < 3; try++ {
		if s.port, err = freePort(); err != nil {
			break
		}
		if err = s.start(); err == nil {
			return s, nil
		}
		s.stop()
	}
	return nil, errors.Join(err, os.RemoveAll(folder))
}

// mariadbd names the server's binary, which for users lies outside PATH.
func mariadbd() string {
	const sbin = "/usr/sbin/mariadbd"
	if _, err := os.Stat(sbin); err == nil {
		return sbin
	}
	return "mariadbd"
}

// sweep removes the folders of servers whose test process was killed.
func sweep(dir string) {
	folders, _ := filepath.Glob(filepath.Join(dir, folderPrefix+"*-*")) // the pattern is well formed
	for _, folder := range folders {
		var pid int
		_, err := fmt.Sscanf(filepath.Base(folder), folderPrefix+"%d-", &pid)
		if err == nil && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			_ = os.RemoveAll(folder) // another sweep may be at it
		}
	}
}

// install makes the system tables and the script that names the one user.
func (s *Server) install() error {
	cmd := exec.Command("mariadb-install-db", append(s.settings(),
		"--auth-root-authentication-method=normal", "--skip-test-db")...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("testdb: mariadb-install-db: %w\n%s", err, out)
	}
	grant := fmt.Sprintf("GRANT ALL ON *.* TO 'test'@'127.0.0.1' IDENTIFIED BY '%s';\n", s.password)
	return os.WriteFile(s.path("init.sql"), []byte(grant), 0o600)
}

// settings are those of a small, fast server. Commits survive the server's end
// but not the machine's.
func (s *Server) settings() []string {
	settings := []string{
		"--no-defaults",
		"--datadir=" + s.path("data"),
		"--tmpdir=" + s.folder, // a server that starts clears the one it has, others' files included
		"--skip-name-resolve",
		"--performance-schema=off",
		"--innodb-flush-log-at-trx-commit=2",
		"--innodb-doublewrite=off",
		"--innodb-file-per-table=off", // a copy of a template makes 80 tables
		"--sync-frm=off",
		"--innodb-buffer-pool-size=64M",
		"--innodb-buffer-pool-load-at-startup=off",
		"--innodb-log-file-size=16M",
		"--key-buffer-size=1M",
		"--aria-pagecache-buffer-size=1M",
	}
	if os.Getuid() == 0 && s.user == nil {
		settings = append(settings, "--user=root")
	}
	return settings
}

// start runs the server and waits until it answers.
func (s *Server) start(args ...string) error {
	if err := s.launch(args...); err != nil {
		return err
	}
	return s.await()
}

// launch runs the server. Its mode, zone and character set differ on purpose from
// what the service asks for, so that a test fails where the service relies on the
// server's.
func (s *Server) launch(args ...string) error {
	log, err := os.Create(s.path("log"))
	if err != nil {
		return err
	}
	defer log.Close()
	ctx, kill := context.WithCancel(context.Background())
	all := append(s.settings(),
		"--bind-address=127.0.0.1",
		"--port="+strconv.Itoa(s.port),
		"--socket="+s.path("socket"),
		"--pid-file="+s.path("pid"),
		"--init-file="+s.path("init.sql"),
		"--max-connections=500",
		"--lock-wait-timeout=10", // seconds; a leaked transaction fails DROP DATABASE
		"--sql-mode=",
		"--default-time-zone=+07:00",
		"--character-set-server=latin1",
	)
	cmd := exec.CommandContext(ctx, mariadbd(), append(append(all, s.more...), args...)...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = dieWithParent()
	cmd.SysProcAttr.Credential = s.user
	s.kill, s.gone = kill, make(chan struct{})
	if err := launch(cmd, s.gone); err != nil {
		return err
	}
	s.process.Store(cmd.Process)
	return nil
}

// signal sends the running server a signal.
func (s *Server) signal(sig syscall.Signal) {
	if s.running() {
		_ = s.process.Load().Signal(sig) // it may have ended
	}
}

// launch starts cmd and closes gone once it has ended. The thread that started
// it waits for it: where a child dies with its parent, the parent is a thread.
func launch(cmd *exec.Cmd, gone chan<- struct{}) error {
	started := make(chan error)
	go func() {
		defer close(gone)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // killed, as a rule
		}
	}()
	return <-started
}

// await returns once the server answers.
func (s *Server) await() error {
	err := errors.New("it ended at once")
	for deadline := time.Now().Add(startTimeout); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if !s.running() {
			break
		}
		if err = s.exec("DO 0"); err == nil {
			return nil
		}
	}
	log, _ := os.ReadFile(s.path("log")) // to be read by people
	return fmt.Errorf("testdb: mariadbd did not start: %w\n%s", err, log)
}

// stop kills the server and waits for its end.
func (s *Server) stop() {
	if s.kill != nil {
		s.kill()
		<-s.gone
	}
}

func (s *Server) running() bool {
	select {
	case <-s.gone:
		return false
	default:
		return true
	}
}

// remove stops the server for good.
func (s *Server) remove() error {
	s.stop()
	return os.RemoveAll(s.folder)
}

// exec runs a statement outside any database.
func (s *Server) exec(statement string) error {
	db, err := database.Open(s.url("mysql"), nil)
	if err != nil {
		return err
	}
	_, err = db.Writer.Exec(statement)
	return errors.Join(err, db.Close())
}

func (s *Server) url(name string) string {
	u := url.URL{
		Scheme: "mysql",
		User:   url.UserPassword("test", s.password),
		Host:   net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)),
		Path:   "/" + name,
	}
	return u.String()
}

// Socket is the file of the socket, over which root signs in without a password.
func (s *Server) Socket() string { return s.path("socket") }

func (s *Server) path(name string) string { return filepath.Join(s.folder, name) }

// freePort returns a TCP port of 127.0.0.1 that nobody listens on.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}
