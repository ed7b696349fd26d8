package bench

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/internal/server"
)

// instances are the server processes of one installation, behind a balancer.
type instances struct {
	*installation
	addr        string   // of the balancer
	direct      []string // addresses of the servers
	pids        []int
	balancerPID int
	quotas      []*quota // none where the system has none
	dialed      int      // connections through the balancer so far
}

// start starts so many servers of an installation, of one CPU each, with Redis between
// them, and a balancer. They end with b.
func (s *scale) start(b *testing.B, at *installation, n int, cache server.ByteSize) *instances {
	b.Helper()
	in := &instances{installation: at}
	env := []string{"GOMAXPROCS=1", aloneCache + "=" + strconv.Itoa(int(cache))}
	if n > 1 {
		env = append(env, aloneBroker+"="+s.redis.URL())
	}
	for range n {
		q, err := newQuota(b)
		addr, pid := startAlone(b, at.url, at.keyFile, env...)
		if err == nil {
			err = q.add(pid)
		}
		if err == nil {
			in.quotas = append(in.quotas, q)
		} else {
			s.unlimited = err
		}
		in.direct, in.pids = append(in.direct, addr), append(in.pids, pid)
	}
	in.addr, in.balancerPID = startSelf(b, aloneBalancer+"="+strings.Join(in.direct, ","))
	(&comparison{}).rest(b, at.db)
	return in
}

// limit gives each server a share of a core; 0 lifts the limit.
func (in *instances) limit(share float64) error {
	for _, q := range in.quotas {
		if err := q.set(share); err != nil {
			return err
		}
	}
	return nil
}

// next returns the server that the balancer connects the next connection to. Connections
// are opened one after the other.
func (in *instances) next() (i int) {
	i = in.dialed % len(in.pids)
	in.dialed++
	return i
}

// dial opens connections through the balancer, and returns the server of each.
func (in *instances) dial(b *testing.B, n int) (conns []*rawConn, servers []int) {
	b.Helper()
	for range n {
		servers = append(servers, in.next())
		c, err := dialRaw(in.addr)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = c.Close() })
		conns = append(conns, c)
	}
	return conns, servers
}

// streams returns how many subscriptions are open on each server.
func (in *instances) streams(b *testing.B) (all []int) {
	b.Helper()
	for _, addr := range in.direct {
		resp, err := http.Get("http://" + addr + "/metrics")
		if err != nil {
			b.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		found := regexp.MustCompile(`(?m)^workforce_streams (\d+)$`).FindSubmatch(text)
		if err != nil || found == nil {
			b.Fatalf("no workforce_streams, %v: %.300s", err, text)
		}
		n, _ := strconv.Atoi(string(found[1])) // digits
		all = append(all, n)
	}
	return all
}

// balanceAlone connects each connection to the next server in turn, until the process is
// killed. The kernel moves what is sent from one connection to the other.
func balanceAlone(servers []string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	for i := 0; ; i++ {
		client, err := listener.Accept()
		if err != nil {
			return err
		}
		up, err := net.Dial("tcp", servers[i%len(servers)])
		if err != nil {
			return err
		}
		for _, pair := range [][2]net.Conn{{client, up}, {up, client}} {
			go func() {
				_, _ = io.Copy(pair[0], pair[1]) // until either side closes
				_, _ = client.Close(), up.Close()
			}()
		}
	}
}

// A quota is a control group with a limit of CPU time.
type quota struct {
	folder     string
	file, none string // the file of the limit, and what lifts it
	period     string // what follows the limit in the file
}

// quotaPeriod is how often a process gets its share anew.
const quotaPeriod = 100 * time.Millisecond

// newQuota makes a control group of its own for one process, of version 2 or else 1.
// It goes away with b, after the processes that are started later.
func newQuota(b *testing.B) (*quota, error) {
	b.Helper()
	period := strconv.FormatInt(quotaPeriod.Microseconds(), 10)
	var err error
	for _, q := range []*quota{
		{folder: "/sys/fs/cgroup", file: "cpu.max", none: "max", period: " " + period},
		{folder: "/sys/fs/cgroup/cpu", file: "cpu.cfs_quota_us", none: "-1"},
	} {
		var folder string
		if folder, err = os.MkdirTemp(q.folder, "workforce-bench-"); err != nil {
			continue
		}
		q.folder = folder
		b.Cleanup(func() { _ = os.Remove(folder) }) // it is empty
		if q.period == "" {
			err = q.write("cpu.cfs_period_us", period)
		}
		if err == nil {
			err = q.set(0)
		}
		if err == nil {
			return q, nil
		}
	}
	return nil, err
}

// add puts a process into the group.
func (q *quota) add(pid int) error { return q.write("cgroup.procs", strconv.Itoa(pid)) }

// set limits the process to a share of a core; 0 lifts the limit.
func (q *quota) set(share float64) error {
	limit := q.none
	if share > 0 {
		limit = strconv.FormatInt(int64(share*float64(quotaPeriod.Microseconds())), 10)
	}
	return q.write(q.file, limit+q.period)
}

// write writes to a file that the system made: there is none where it has no such group.
func (q *quota) write(name, text string) error {
	f, err := os.OpenFile(filepath.Join(q.folder, name), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(text)
	return err
}
