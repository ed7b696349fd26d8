package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/internal/sealed"
	"workforce/internal/server"
)

// BenchmarkMemory measures how much memory the built server has resident, its cache off: at its
// start, while 8 connections ask for lists of 1,000, a while afterwards, and while 32 ask for
// lists of 10,000. It is part of make bench, as the workload memory. The system reads the binary from the
// disk, as it does on a machine that serves: of one that was just linked, its cache may hold pieces of
// 2 MiB, of which all is resident once a byte is used.
func BenchmarkMemory(b *testing.B) {
	if wanted := regexp.MustCompile("^(" + *benchWorkloads + ")$"); *benchWorkloads != "" && !wanted.MatchString("memory") {
		b.Skip("not among the workloads")
	}
	binary := filepath.Join(b.TempDir(), "workforce")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, "workforce/cmd/workforce")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as make build
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	uncache := exec.Command("dd", "of="+binary, "oflag=nocache", "conv=notrunc,fdatasync", "count=0")
	if out, err := uncache.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	var lines []string
	for name := range strings.SplitSeq(*benchDatabases, ",") {
		b.Run(name, func(b *testing.B) { lines = append(lines, measureMemory(b, name, binary)...) })
	}
	fmt.Println()
	for _, line := range lines {
		fmt.Println(line)
	}
}

// A served server is one of a process of its own.
type served struct {
	b    *testing.B
	addr string
	pid  int
}

func measureMemory(b *testing.B, name, binary string) []string {
	b.Helper()
	c := &comparison{database: name}
	at, keyFile := c.openDatabase(b), filepath.Join(b.TempDir(), "secret.key")
	srv, err := server.New(b.Context(), benchConfig(at, keyFile), slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	keys, err := sealed.Load(keyFile)
	if err != nil {
		b.Fatal(err)
	}
	f := newFill(b, srv.Store, keys[0])
	small, large := f.company("Toko Seribu", 1000, benchCallers), f.company("Pabrik Sepuluh Ribu", 10_000, 8)
	if err := srv.Store.Close(); err != nil {
		b.Fatal(err)
	}
	s := serveBuilt(b, binary, at, keyFile)
	get := func(c benchCaller) []byte { return render("GET", "/user", c.token, "") }
	time.Sleep(2 * time.Second) // what the start left behind is given back
	begin := s.resident()
	list, listCPU := s.load(8, each(small.callers[:8], get))
	time.Sleep(11 * time.Second) // so is what an idle server holds
	after := s.resident()
	lists, listsCPU := s.load(32, each(large.callers, get))
	line := func(what string, mib int) string { return fmt.Sprintf("memory %s %s %d MiB", what, name, mib) }
	return []string{
		line("start", begin), line("list-1000-c8", list) + fmt.Sprintf(", %.2f ms of CPU", listCPU),
		line("idle-again", after), line("list-10000-c32", lists) + fmt.Sprintf(", %.1f ms of CPU", listsCPU),
	}
}

// serveBuilt starts the built server.
func serveBuilt(b *testing.B, binary, at, keyFile string) *served {
	b.Helper()
	cmd := exec.Command(binary, "serve", "--addr", "127.0.0.1:0", "--database", at, "--secret-key-file", keyFile,
		"--files", "file:"+b.TempDir(), "--cache", "0", "--log-format", "text")
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait() // ends by the signal
	})
	first, err := bufio.NewReader(out).ReadString('\n')
	_, addr, found := strings.Cut(strings.TrimSpace(first), "http://")
	if err != nil || !found {
		b.Fatalf("the server said %q, %v", first, err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return &served{b, addr, cmd.Process.Pid}
}

// load sends requests over n connections for some seconds, and returns the most memory that was
// resident meanwhile, in MiB, and the CPU time of a request, in milliseconds.
func (s *served) load(n int, set *requestSet) (most int, cpu float64) {
	s.b.Helper()
	conns := make([]*rawConn, n)
	for i := range conns {
		conn, err := dialRaw(s.addr)
		if err != nil {
			s.b.Fatal(err)
		}
		defer conn.Close()
		conns[i] = conn
	}
	ctx, stop := context.WithCancel(context.Background())
	peak := make(chan int)
	go func() {
		most := 0
		for ctx.Err() == nil {
			most = max(most, s.resident())
			time.Sleep(5 * time.Millisecond)
		}
		peak <- most
	}()
	before := cpuOf(s.pid)
	result, err := load(conns, set, 5*time.Second)
	stop()
	if err != nil {
		s.b.Fatal(err)
	}
	return <-peak, (cpuOf(s.pid) - before).Seconds() * 1000 / float64(max(1, result.requests))
}

// resident returns the resident memory in MiB; 0 where the system does not tell.
func (s *served) resident() int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.pid)) // not there on every system
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kib, _ := strconv.Atoi(number)
	return kib / 1024
}
