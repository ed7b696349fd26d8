package testdb

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"workforce/internal/database"
)

var errNoGalera = errors.New("testdb: no Galera (Debian: as root .ci/need mariadb galera)")

// galeraLibraries are where distributions put the library.
var galeraLibraries = []string{
	"/usr/lib/galera/libgalera_smm.so", "/usr/lib64/galera-4/libgalera_smm.so", "/usr/lib/libgalera_smm.so",
}

// A Cluster is three private Galera nodes on ports of 127.0.0.1.
type Cluster struct {
	Nodes [3]*Node
}

// A Node is a server of a cluster. Its folder's owner runs it: rsync, as root,
// would write as nobody.
type Node struct {
	*Server
	address string // host:port, for the other nodes
}

// StartCluster starts a cluster for one test alone. It goes away with the test.
func StartCluster(t testing.TB) *Cluster {
	t.Helper()
	library, err := galera()
	require(t, err)
	sweep(os.TempDir())
	c := &Cluster{}
	t.Cleanup(func() {
		for _, n := range c.Nodes {
			if n == nil {
				continue
			}
			n.signal(syscall.SIGCONT)
			if err := n.remove(); err != nil {
				t.Error(err)
			}
		}
	})
	var peers []string
	for i := range c.Nodes {
		n, err := newNode()
		if err != nil {
			t.Fatal(err)
		}
		c.Nodes[i] = n
		peers = append(peers, n.address)
	}
	for i, n := range c.Nodes {
		n.password = c.Nodes[0].password
		if err := n.configure(library, "node"+strconv.Itoa(i+1), strings.Join(peers, ",")); err != nil {
			t.Fatal(err)
		}
	}
	c.bootstrap(t)
	return c
}

// Database makes an empty database on all nodes and returns its name.
func (c *Cluster) Database(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("test%d", c.Nodes[0].made.Add(1))
	if err := c.Nodes[0].exec("CREATE DATABASE " + name); err != nil {
		t.Fatal(err)
	}
	return name
}

// bootstrap starts the first node as a cluster of its own, which the others join.
func (c *Cluster) bootstrap(t testing.TB) {
	t.Helper()
	first := c.Nodes[0]
	err := first.install()
	if err == nil {
		err = first.own()
	}
	if err == nil {
		err = first.start("--wsrep-new-cluster")
	}
	if err == nil {
		err = os.WriteFile(first.path("init.sql"), nil, 0o644) // the others get the user with the data
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range c.Nodes[1:] {
		n.Start(t)
	}
}

// newNode makes the folder of a node and chooses its port.
func newNode() (*Node, error) {
	folder, err := os.MkdirTemp("", folderPrefix+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return nil, err
	}
	s := &Server{folder: folder, password: "test", gone: make(chan struct{})}
	close(s.gone)
	ports, err := steadyPorts(2)
	if err != nil {
		return nil, err
	}
	s.port = ports[0]
	return &Node{s, net.JoinHostPort("127.0.0.1", strconv.Itoa(ports[1]))}, nil
}

// configure writes the settings of a node. The nodes notice within 2 s that another
// has gone, and exclude it.
func (n *Node) configure(library, name, peers string) error {
	ports, err := steadyPorts(2)
	if err != nil {
		return err
	}
	sst, ist := ports[0], ports[1]
	n.more = []string{
		"--innodb-flush-log-at-trx-commit=1",
		"--innodb-buffer-pool-size=32M",
		"--binlog-format=ROW",
		"--innodb-autoinc-lock-mode=2",
		"--wsrep-on=ON",
		"--wsrep-provider=" + library,
		"--wsrep-cluster-name=" + filepath.Base(n.folder)[:len(folderPrefix)],
		"--wsrep-cluster-address=gcomm://" + peers,
		"--wsrep-node-name=" + name,
		"--wsrep-node-address=" + n.address,
		"--wsrep-sst-method=rsync",
		"--wsrep-sst-receive-address=127.0.0.1:" + strconv.Itoa(sst),
		"--wsrep-provider-options=" + strings.Join([]string{
			"gmcast.listen_addr=tcp://" + n.address,
			"ist.recv_addr=127.0.0.1:" + strconv.Itoa(ist),
			"gcache.size=32M",
			"evs.keepalive_period=PT0.3S", "evs.inactive_check_period=PT0.3S",
			"evs.suspect_timeout=PT2S", "evs.inactive_timeout=PT4S", "evs.install_timeout=PT4S",
		}, ";"),
	}
	if err := os.MkdirAll(n.path("data"), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(n.path("init.sql"), nil, 0o644); err != nil {
		return err
	}
	return n.own()
}

// nobody is who runs the nodes where the tests are root's.
const nobody = 65534

// own gives the node's folder to who runs it.
func (n *Node) own() error {
	if os.Getuid() != 0 {
		return nil
	}
	n.user = &syscall.Credential{Uid: nobody, Gid: nobody}
	return filepath.Walk(n.folder, func(path string, _ os.FileInfo, err error) error {
		return errors.Join(err, os.Lchown(path, nobody, nobody))
	})
}

// Start starts a stopped or killed node, which joins the others again, and returns
// once it takes work.
func (n *Node) Start(t testing.TB) {
	t.Helper()
	if err := n.Launch(); err != nil {
		t.Fatal(err)
	}
	if err := n.await(); err != nil {
		t.Fatal(err)
	}
}

// Launch starts a stopped or killed node without waiting for it. A killed one asks
// its own log first how far it had come.
func (n *Node) Launch() error {
	args := []string(nil)
	if position := n.recovered(); position != "" {
		args = append(args, "--wsrep-start-position="+position)
	}
	return n.launch(args...)
}

// recovered returns the position in the cluster's history that a node's own data has
// reached; "" for a node without data.
func (n *Node) recovered() string {
	if _, err := os.Stat(n.path("data/ibdata1")); err != nil {
		return ""
	}
	cmd := exec.Command(mariadbd(), append(append(n.settings(), n.more...), "--wsrep-recover", "--log-error="+n.path("recovery.log"))...)
	cmd.SysProcAttr = dieWithParent()
	cmd.SysProcAttr.Credential = n.user
	_ = os.Remove(n.path("recovery.log"))
	_ = cmd.Run() // the log tells
	log, _ := os.ReadFile(n.path("recovery.log"))
	_, after, _ := strings.Cut(string(log), "Recovered position: ")
	position, _, _ := strings.Cut(after, "\n")
	return strings.TrimSpace(position)
}

// Await returns once a node that was launched takes work.
func (n *Node) Await(t testing.TB) {
	t.Helper()
	if err := n.await(); err != nil {
		t.Fatal(err)
	}
}

// Kill ends the node as a crash of its process would.
func (n *Node) Kill() { n.stop() }

// Shut tells the node to leave the others and to end, and waits for it.
func (n *Node) Shut() {
	n.signal(syscall.SIGTERM)
	<-n.gone
}

// URL returns the URL of a database as this node has it.
func (n *Node) URL(name string) string { return n.url(name) }

// Query reads one value from a node.
func (n *Node) Query(ctx context.Context, name, query string, into ...any) error {
	db, err := database.Open(n.url(name), nil)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.Reader.QueryRowContext(ctx, query).Scan(into...)
}

// galera returns the path of Galera's library where all that a node needs is
// installed.
func galera() (string, error) {
	if _, err := exec.LookPath(mariadbd()); err != nil {
		return "", errNotInstalled
	}
	for _, program := range []string{"rsync", "wsrep_sst_rsync"} {
		if _, err := exec.LookPath(program); err != nil {
			return "", errNoGalera
		}
	}
	for _, library := range galeraLibraries {
		if _, err := os.Stat(library); err == nil {
			return library, nil
		}
	}
	return "", errNoGalera
}

// steadyPorts returns ports that a server can have again after its end: outside of
// the range from which Linux takes those of connections.
func steadyPorts(n int) ([]int, error) {
	var ports []int
	for range 1000 {
		port := 15000 + rand.IntN(17000)
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			continue
		}
		if err := l.Close(); err != nil {
			return nil, err
		}
		if ports = append(ports, port); len(ports) == n {
			return ports, nil
		}
	}
	return nil, errors.New("testdb: no free port")
}
