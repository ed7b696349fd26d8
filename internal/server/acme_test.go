package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/letsencrypt/pebble/v2/ca"
	"github.com/letsencrypt/pebble/v2/db"
	"github.com/letsencrypt/pebble/v2/va"
	"github.com/letsencrypt/pebble/v2/wfe"
	"github.com/miekg/dns"

	entCertificate "workforce/ent/certificate"
	"workforce/internal/certificate/certtest"
	"workforce/internal/sealed"
	"workforce/internal/testdb"
)

// A testCA is a CA in the test's process. All names lead to 127.0.0.1.
type testCA struct {
	url, file string         // its directory, and a file with the certificate of its server
	roots     *x509.CertPool // by which what it issues is trusted
	issued    atomic.Int64   // orders that were filled
}

// startCA starts a CA that asks challenges on these ports.
func startCA(t *testing.T, httpPort, tlsPort int) *testCA {
	t.Helper()
	t.Setenv("PEBBLE_VA_ALWAYS_VALID", "") // challenges are asked
	t.Setenv("PEBBLE_VA_NOSLEEP", "1")
	t.Setenv("PEBBLE_AUTHZREUSE", "0")
	t.Setenv("PEBBLE_WFE_NONCEREJECT", "0")
	quiet, store := log.New(io.Discard, "", 0), db.NewMemoryStore()
	issuer := ca.New(quiet, store, "", 0, 1, map[string]ca.Profile{"default": {Description: "90 days"}})
	front := wfe.New(quiet, store, va.New(quiet, httpPort, tlsPort, false, startDNS(t), store), issuer, false, false, 1, 1)
	c := &testCA{roots: x509.NewCertPool(), file: filepath.Join(t.TempDir(), "ca.pem")}
	handler := front.Handler()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &statusWriter{w, http.StatusOK}
		handler.ServeHTTP(answer, r)
		if strings.HasPrefix(r.URL.Path, "/finalize-order/") && answer.status == http.StatusOK {
			c.issued.Add(1)
		}
	}))
	t.Cleanup(server.Close)
	c.url = server.URL + wfe.DirectoryPath
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(c.file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	c.roots.AppendCertsFromPEM(issuer.GetRootCert(0).PEM())
	return c
}

// A statusWriter keeps the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// startDNS starts a name server to which all names are 127.0.0.1, and returns its address.
func startDNS(t *testing.T) string {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &dns.Server{PacketConn: conn, Handler: dns.HandlerFunc(func(w dns.ResponseWriter, q *dns.Msg) {
		answer := new(dns.Msg).SetReply(q)
		if q.Question[0].Qtype == dns.TypeA {
			header := dns.RR_Header{Name: q.Question[0].Name, Rrtype: dns.TypeA, Class: dns.ClassINET}
			answer.Answer = []dns.RR{&dns.A{Hdr: header, A: net.IPv4(127, 0, 0, 1)}}
		}
		_ = w.WriteMsg(answer) // the CA then has no address
	})}
	go func() { _ = server.ActivateAndServe() }() // until the test ends
	t.Cleanup(func() { _ = conn.Close() })
	return conn.LocalAddr().String()
}

// An instance is a running server.
type instance struct {
	*Server
	addr string
	log  *syncBuffer
	stop func() // which the end of the test does else
}

type syncBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func port(t *testing.T, addr string) int {
	t.Helper()
	a, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	return a.Port
}

// freeAddr returns an address that nobody listens on.
func freeAddr(t *testing.T) string {
	t.Helper()
	l := listen(t)
	defer l.Close()
	return l.Addr().String()
}

func listen(t *testing.T) *net.TCPListener {
	t.Helper()
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// run runs a server until the test ends.
func run(t *testing.T, l *net.TCPListener, s Config) *instance {
	t.Helper()
	s.Addr, s.Migrate, s.ShutdownTimeout = l.Addr().String(), true, 5*time.Second
	i := &instance{addr: s.Addr, log: &syncBuffer{}}
	var err error
	if i.Server, err = New(t.Context(), s, slog.New(slog.NewTextHandler(i.log, nil))); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	i.stop = stop
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- i.Serve(ctx, l, func(string) { close(ready) }) }()
	<-ready
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := i.Store.Close(); err != nil {
			t.Error(err)
		}
	})
	return i
}

// installation returns the settings of instances that share a database.
func installation(t *testing.T, database string) Config {
	t.Helper()
	dir := t.TempDir()
	return Config{
		Database: database, SecretKeyFile: filepath.Join(dir, "secret.key"), Files: "file:" + filepath.Join(dir, "files"),
		PublicURL: "https://wf.example.test",
	}
}

// from sets that certificates come from a CA.
func (s Config) from(c *testCA, names ...string) Config {
	s.TLSDomain, s.ACMEURL, s.ACMECA, s.ACMEEmail = names, c.url, c.file, "ops@example.test"
	return s
}

// handshake returns the certificate that a server shows for a name; an error unless roots vouch for it.
func (i *instance) handshake(name string, roots *x509.CertPool) (*x509.Certificate, error) {
	conn, err := tls.Dial("tcp", i.addr, &tls.Config{ServerName: name, RootCAs: roots})
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0], nil
}

// await waits for a certificate that roots vouch for.
func (i *instance) await(t *testing.T, name string, roots *x509.CertPool) *x509.Certificate {
	t.Helper()
	for deadline := time.Now().Add(40 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		leaf, err := i.handshake(name, roots)
		if err == nil {
			return leaf
		}
		if time.Now().After(deadline) {
			t.Fatalf("%v\n%s", err, i.log)
		}
	}
}

// expires returns the metric.
func (i *instance) expires(t *testing.T) time.Duration {
	t.Helper()
	w := httptest.NewRecorder()
	i.Admin.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(w.Body.String()) {
		if value, ok := strings.CutPrefix(line, "workforce_tls_certificate_expires_seconds "); ok {
			seconds, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				t.Fatal(err)
			}
			return time.Duration(seconds * float64(time.Second))
		}
	}
	t.Fatal("no metric")
	return 0
}

// TestInstancesOrderOnce starts two instances at once on one database: a CA that asks one of them by
// handshakes fills one order, and both show what it issued.
func TestInstancesOrderOnce(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		listeners := []*net.TCPListener{listen(t), listen(t)}
		c := startCA(t, 1, port(t, listeners[0].Addr().String()))
		s := installation(t, database).from(c, "wf.example.test")
		instances := make([]*instance, 2)
		for n, l := range listeners {
			instances[n] = run(t, l, s)
		}
		first := instances[0].await(t, "wf.example.test", c.roots)
		for _, i := range instances {
			if leaf := i.await(t, "wf.example.test", c.roots); !leaf.Equal(first) {
				t.Errorf("certificates %v and %v", first.SerialNumber, leaf.SerialNumber)
			}
			if leaf, err := i.handshake("other.example.test", c.roots); err == nil {
				t.Errorf("a name that is not set got a certificate until %v", leaf.NotAfter)
			}
			if d := i.expires(t); d < 89*24*time.Hour || d > 90*24*time.Hour {
				t.Errorf("expires in %v", d)
			}
		}
		if n := c.issued.Load(); n != 1 {
			t.Errorf("%d certificates were ordered, want 1", n)
		}
	})
}

// TestOrderOverHTTP has a CA that does not reach the port of TLS ask over plain HTTP.
func TestOrderOverHTTP(t *testing.T) {
	plain := freeAddr(t)
	c := startCA(t, port(t, plain), 1)
	s := installation(t, testdb.SQLite(t)).from(c, "wf.example.test", "WWW.example.test")
	s.HTTPAddr, s.TLSCache = plain, filepath.Join(t.TempDir(), "cache")
	i := run(t, listen(t), s)
	for _, name := range []string{"wf.example.test", "www.example.test"} {
		if leaf := i.await(t, name, c.roots); leaf.VerifyHostname(name) != nil {
			t.Errorf("%s: %v", name, leaf.DNSNames)
		}
	}
	if n := c.issued.Load(); n != 2 {
		t.Errorf("%d certificates were ordered, want 2", n)
	}
	for _, file := range []string{"wf.example.test", "www.example.test", "acme_account+key"} {
		if info, err := os.Stat(filepath.Join(s.TLSCache, file)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v", file, err)
		}
	}
	if n := i.Store.Ent.Certificate.Query().CountX(system(t)); n != 0 {
		t.Errorf("%d rows in the database beside --tls-cache", n)
	}
}

// TestRenewal begins two instances with certificates in the database. One near its end is shown until it
// has been renewed, by one of them; one that has ended is replaced.
func TestRenewal(t *testing.T) {
	now := time.Now()
	for _, tt := range []struct {
		name  string
		until time.Duration
	}{{"near its end", 5 * 24 * time.Hour}, {"ended", -time.Hour}} {
		t.Run(tt.name, func(t *testing.T) {
			l := listen(t)
			c := startCA(t, 1, port(t, l.Addr().String()))
			s := installation(t, testdb.SQLite(t)).from(c, "wf.example.test")
			public, private := certtest.Pair(t, now.AddDate(0, 0, -85), now.Add(tt.until), "wf.example.test")
			store(t, s, "wf.example.test", append(private, public...))
			old := x509.NewCertPool()
			old.AppendCertsFromPEM(public)
			i := run(t, l, s)
			if tt.until > 0 {
				i.await(t, "wf.example.test", old)
				if d := i.expires(t); d > 5*24*time.Hour {
					t.Errorf("expires in %v, although it was not renewed", d)
				}
			}
			other := run(t, listen(t), s)
			first := i.await(t, "wf.example.test", c.roots)
			if leaf := other.await(t, "wf.example.test", c.roots); !leaf.Equal(first) {
				t.Errorf("certificates %v and %v", first.SerialNumber, leaf.SerialNumber)
			}
			for _, i := range []*instance{i, other} {
				if d := i.expires(t); d < 89*24*time.Hour {
					t.Errorf("expires in %v after the renewal", d)
				}
			}
			if n := c.issued.Load(); n != 1 {
				t.Errorf("%d certificates were ordered, want 1", n)
			}
		})
	}
}

// store writes into the cache that an installation will have.
func store(t *testing.T, s Config, name string, data []byte) {
	t.Helper()
	db, err := OpenStore(t.Context(), s.Database, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	keys, err := db.secretKeys(t.Context(), s.SecretKeyFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := newTestCache(db, keys).Put(t.Context(), name, data); err != nil {
		t.Fatal(err)
	}
}

func newTestCache(db *Store, keys *sealed.Ring) *certificateCache {
	return newCertificateCache(db.Ent, keys, time.Now, slog.New(slog.DiscardHandler))
}

// TestOrderFails has a CA that reaches nobody. Handshakes fail, nothing else does, the log says why, and the
// order is not repeated at once.
func TestOrderFails(t *testing.T) {
	c := startCA(t, 1, 1)
	i := run(t, listen(t), installation(t, testdb.SQLite(t)).from(c, "wf.example.test"))
	for deadline := time.Now().Add(20 * time.Second); !strings.Contains(i.log.String(), "no certificate was issued"); {
		if time.Now().After(deadline) {
			t.Fatalf("log:\n%s", i.log)
		}
		time.Sleep(20 * time.Millisecond)
	}
	if _, err := i.handshake("wf.example.test", c.roots); err == nil {
		t.Error("a handshake succeeded")
	}
	if text := i.log.String(); !strings.Contains(text, "again=2m0s") || strings.Count(text, "no certificate was issued") != 1 {
		t.Errorf("log:\n%s", text)
	}
	if d := i.expires(t); d != 0 {
		t.Errorf("expires in %v without a certificate", d)
	}
	held := func() int {
		claims := i.Store.Ent.Certificate.Query().Where(entCertificate.LeaseUntilNotNil())
		return claims.CountX(system(t))
	}
	if n := held(); n != 1 {
		t.Errorf("%d claims after the failure, want 1: others wait as long", n)
	}
	i.stop()
	for deadline := time.Now().Add(20 * time.Second); held() != 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the stopped server keeps its claim")
		}
	}
}
