package server

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"workforce/internal/certificate"
	"workforce/internal/certificate/certtest"
	"workforce/internal/testdb"
)

// TestTLSSettings refuses flags of TLS that do not go together, or whose files are of no use.
func TestTLSSettings(t *testing.T) {
	dir := t.TempDir()
	cert, key := certtest.Files(t, dir, time.Now().Add(-time.Hour), time.Now().Add(time.Hour), "wf.test")
	files := func(s *Config) { s.TLSCert, s.TLSKey = cert, key }
	issued := func(s *Config) { s.TLSDomain, s.PublicURL = []string{"wf.test"}, "https://WF.test:8443/" }
	for _, tt := range []struct {
		name string
		set  func(*Config)
		want string // how the error begins; "" accepts
	}{
		{"files", files, ""},
		{"files, and plain HTTP", func(s *Config) { files(s); s.PublicURL, s.HTTPAddr = "https://wf.test", ":80" }, ""},
		{"a CA", issued, ""},
		{"a CA, with all", func(s *Config) {
			issued(s)
			s.TLSDomain = []string{"Www.wf.test", "WF.test", "xn--bcher-kva.test"}
			s.TLSCache, s.ACMEURL, s.ACMECA, s.ACMEEmail, s.HTTPAddr = "cache", "https://ca.test/dir", cert, "ops@wf.test", ":80"
		}, ""},
		{"no key", func(s *Config) { s.TLSCert = cert }, "--tls-cert needs --tls-key"},
		{"no certificate", func(s *Config) { s.TLSKey = key }, "--tls-key needs --tls-cert"},
		{"a file that is not there", func(s *Config) { s.TLSCert, s.TLSKey = cert, dir+"/none" }, "--tls-cert: open "},
		{"no pair", func(s *Config) { s.TLSCert, s.TLSKey = cert, cert }, "--tls-cert: tls: found a certificate rather than a key"},
		{"both", func(s *Config) { issued(s); files(s) }, "--tls-domain is for certificates that a CA issues"},
		{"plain HTTP alone", func(s *Config) { s.PublicURL, s.HTTPAddr = "https://wf.test", ":80" }, "--http-addr is for TLS only"},
		{"plain HTTP, no port", func(s *Config) { issued(s); s.HTTPAddr = "127.0.0.1" }, "--http-addr: "},
		{"plain HTTP that leads to itself", func(s *Config) { files(s); s.PublicURL, s.HTTPAddr = "http://wf.test", ":80" },
			"--http-addr needs a --public-url"},
		{"a CA without a public URL", func(s *Config) { s.TLSDomain = []string{"wf.test"} }, "--tls-domain needs a --public-url"},
		{"a CA and HTTP", func(s *Config) { issued(s); s.PublicURL = "http://wf.test" }, "--tls-domain needs a --public-url"},
		{"another host", func(s *Config) { issued(s); s.PublicURL = "https://api.wf.test" },
			"--tls-domain must name the host of --public-url, api.wf.test"},
		{"a wildcard", func(s *Config) { issued(s); s.TLSDomain = append(s.TLSDomain, "*.wf.test") }, `--tls-domain: "*.wf.test" is no name`},
		{"an address", func(s *Config) { issued(s); s.TLSDomain = append(s.TLSDomain, "192.0.2.7") }, `--tls-domain: "192.0.2.7" is no name`},
		{"a port", func(s *Config) { issued(s); s.TLSDomain = append(s.TLSDomain, "a.test:443") }, `--tls-domain: "a.test:443" is no name`},
		{"one word", func(s *Config) { issued(s); s.TLSDomain = append(s.TLSDomain, "localhost") }, `--tls-domain: "localhost" is no name`},
		{"other letters", func(s *Config) { issued(s); s.TLSDomain = append(s.TLSDomain, "bücher.test") }, `--tls-domain: "bücher.test" is no name`},
		{"a cache alone", func(s *Config) { s.TLSCache = "cache" }, "--tls-cache is for --tls-domain only"},
		{"a CA's URL alone", func(s *Config) { files(s); s.ACMEURL = "https://ca.test" }, "--acme-url is for --tls-domain only"},
		{"a CA's roots alone", func(s *Config) { s.ACMECA = cert }, "--acme-ca is for --tls-domain only"},
		{"an e-mail address alone", func(s *Config) { s.ACMEEmail = "ops@wf.test" }, "--acme-email is for --tls-domain only"},
		{"a CA over HTTP", func(s *Config) { issued(s); s.ACMEURL = "http://ca.test/dir" }, "--acme-url must begin with https://"},
		{"roots that are not there", func(s *Config) { issued(s); s.ACMECA = dir + "/none" }, "--acme-ca: open "},
		{"roots that are none", func(s *Config) { issued(s); s.ACMECA = key }, "--acme-ca: " + key + " holds no certificate"},
		{"no e-mail address", func(s *Config) { issued(s); s.ACMEEmail = "Ops <ops@wf.test>" }, "--acme-email: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := Config{Database: "sqlite:x.db", SecretKeyFile: "x.key"}
			tt.set(&s)
			err := s.Check()
			if (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// TestDomains puts the host of the public URL first, for clients that name none.
func TestDomains(t *testing.T) {
	s := Config{PublicURL: "https://WF.test/x", TLSDomain: []string{"a.test", "Wf.Test", "b.test"}}
	if got := s.domains(); !slices.Equal(got, []string{"wf.test", "a.test", "b.test"}) {
		t.Error(got)
	}
}

// ask sends a request, and follows no redirect.
func ask(t *testing.T, roots *x509.CertPool, method, address string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "wf.example.test"}, ForceAttemptHTTP2: true,
	}
	defer transport.CloseIdleConnections()
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.Body.Close() != nil {
		t.Fatal(err)
	}
	resp.Body = io.NopCloser(strings.NewReader(string(text)))
	return resp
}

// TestServeFiles serves HTTPS from files, also after they were replaced, and redirects from plain HTTP.
func TestServeFiles(t *testing.T) {
	dir, from := t.TempDir(), time.Now().Add(-time.Hour)
	s, roots := installation(t, testdb.SQLite(t)), x509.NewCertPool()
	s.TLSCert, s.TLSKey = certtest.Files(t, dir, from, from.AddDate(0, 0, 30), "wf.example.test")
	s.HTTPAddr = freeAddr(t)
	vouch(t, roots, s.TLSCert)
	if err := os.Chmod(s.TLSKey, 0o644); err != nil {
		t.Fatal(err)
	}
	i := run(t, listen(t), s)
	if !strings.Contains(i.log.String(), "flag=--tls-key") {
		t.Error("nobody is warned of a key that others may read")
	}

	resp := ask(t, roots, "GET", "https://"+i.addr+"/healthz")
	if resp.StatusCode != 200 || resp.ProtoMajor != 2 || resp.Header.Get("Strict-Transport-Security") != "max-age=31536000" {
		t.Errorf("%s %s %v", resp.Proto, resp.Status, resp.Header)
	}
	_, err := tls.Dial("tcp", i.addr, &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10})
	if err == nil {
		t.Error("TLS 1.1 is accepted")
	}
	for _, tt := range []struct {
		method, path string
		status       int
		location     string
	}{
		{"GET", "/app/tasks?a=1&b=%2F", 301, "https://wf.example.test/app/tasks?a=1&b=%2F"},
		{"HEAD", "/", 301, "https://wf.example.test/"},
		{"POST", "/user/login", 405, ""},
		{"GET", "/.well-known/acme-challenge/x", 301, "https://wf.example.test/.well-known/acme-challenge/x"},
	} {
		resp := ask(t, roots, tt.method, "http://"+s.HTTPAddr+tt.path)
		if resp.StatusCode != tt.status || resp.Header.Get("Location") != tt.location ||
			resp.Header.Get("Strict-Transport-Security") != "" {
			t.Errorf("%s %s: %s %v", tt.method, tt.path, resp.Status, resp.Header)
		}
	}
	if d := i.expires(t); d < 29*24*time.Hour || d > 30*24*time.Hour {
		t.Errorf("expires in %v", d)
	}

	certtest.Files(t, dir, from, from.AddDate(0, 0, 60), "wf.example.test")
	renewed := x509.NewCertPool()
	vouch(t, renewed, s.TLSCert)
	if leaf := i.await(t, "wf.example.test", renewed); !leaf.NotAfter.Equal(from.AddDate(0, 0, 60).UTC().Truncate(time.Second)) {
		t.Errorf("after the renewal: until %v", leaf.NotAfter)
	}
	if d := i.expires(t); d < 59*24*time.Hour {
		t.Errorf("expires in %v after the renewal", d)
	}
}

// vouch adds the certificate of a file.
func vouch(t *testing.T, roots *x509.CertPool, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil || !roots.AppendCertsFromPEM(text) {
		t.Fatal(err)
	}
}

// TestAnyInstanceAnswers has an instance answer what a CA asks about the order of another one.
func TestAnyInstanceAnswers(t *testing.T) {
	c := startCA(t, 1, 1)
	s := installation(t, testdb.SQLite(t)).from(c, "wf.example.test")
	s.HTTPAddr = freeAddr(t)
	run(t, listen(t), s)
	store(t, s, "Token_1+http-01", []byte("Token_1.print"))
	for _, tt := range []struct {
		host, path string
		status     int
		want       string
	}{
		{"wf.example.test", "Token_1", 200, "Token_1.print"},
		{"WF.example.test:80", "Token_1", 200, "Token_1.print"},
		{"wf.example.test", "Token_2", 404, ""},
		{"other.example.test", "Token_1", 403, ""},
	} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+s.HTTPAddr+"/.well-known/acme-challenge/"+tt.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = tt.host
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		if err != nil || resp.Body.Close() != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != tt.status || tt.want != "" && string(text) != tt.want {
			t.Errorf("%s %s: %s %s", tt.host, tt.path, resp.Status, text)
		}
	}
}

// TestSidesAreClosed gives the address for operators back where that for plain HTTP is taken.
func TestSidesAreClosed(t *testing.T) {
	s := installation(t, testdb.SQLite(t))
	s.TLSCert, s.TLSKey = certtest.Files(t, t.TempDir(), time.Now(), time.Now().Add(time.Hour), "wf.example.test")
	taken := listen(t)
	defer taken.Close()
	s.AdminAddr, s.HTTPAddr, s.Migrate = freeAddr(t), taken.Addr().String(), true
	srv, err := New(t.Context(), s, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Store.Close()
	err = srv.Serve(t.Context(), listen(t), func(string) { t.Error("ready") })
	if err == nil || !strings.HasPrefix(err.Error(), "--http-addr: ") {
		t.Errorf("error %v", err)
	}
	l, err := Listen(s.AdminAddr)
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
}

// TestStopOverHTTP2 stops a server while clients send requests over HTTP/2, on connections of their own and on new
// ones: none is lost.
func TestStopOverHTTP2(t *testing.T) {
	s, roots := installation(t, testdb.SQLite(t)), x509.NewCertPool()
	s.TLSCert, s.TLSKey = certtest.Files(t, t.TempDir(), time.Now().Add(-time.Hour), time.Now().Add(time.Hour), "wf.example.test")
	vouch(t, roots, s.TLSCert)
	i := run(t, listen(t), s)
	var clients sync.WaitGroup
	var answered atomic.Int64
	lost := make(chan error, 1000)
	for n := range 8 {
		clients.Go(func() {
			transport := &http.Transport{
				TLSClientConfig:   &tls.Config{RootCAs: roots, ServerName: "wf.example.test"},
				ForceAttemptHTTP2: true, DisableKeepAlives: n%2 == 1,
			}
			defer transport.CloseIdleConnections()
			for {
				resp, err := (&http.Client{Transport: transport}).Get("https://" + i.addr + "/healthz")
				if errors.Is(err, syscall.ECONNREFUSED) {
					return // it has stopped
				}
				if err != nil {
					lost <- err
					return
				}
				_, err = io.Copy(io.Discard, resp.Body)
				if err = errors.Join(err, resp.Body.Close()); err != nil || resp.StatusCode != http.StatusOK || resp.ProtoMajor != 2 {
					lost <- fmt.Errorf("%s %s %w", resp.Proto, resp.Status, err)
				}
				answered.Add(1)
			}
		})
	}
	time.Sleep(200 * time.Millisecond)
	i.stop()
	clients.Wait()
	close(lost)
	for err := range lost {
		t.Error(err)
	}
	if answered.Load() < 100 {
		t.Errorf("%d requests were answered", answered.Load())
	}
}

// TestCertificateMetric tells for how long a certificate is valid, also after its end, and that there is none.
func TestCertificateMetric(t *testing.T) {
	noon, quiet := time.Date(2026, 3, 11, 12, 0, 0, 0, time.UTC), slog.New(slog.DiscardHandler)
	now := func() time.Time { return noon }
	cert, key := certtest.Files(t, t.TempDir(), noon.AddDate(0, -1, 0), noon.Add(time.Minute), "wf.test")
	ending, err := certificate.Open(cert, key, now, quiet)
	if err != nil {
		t.Fatal(err)
	}
	later := func() time.Time { return noon.Add(time.Hour) }
	for name, tt := range map[string]struct {
		of   certificates
		now  func() time.Time
		want float64
	}{
		"a minute before its end": {ending, now, 60},
		"after its end":           {ending, later, -3540},
		"before the first":        {certificate.NewAuthority(certificate.Order{Names: []string{"wf.test"}, Log: quiet}), now, 0},
	} {
		metrics := prometheus.NewRegistry()
		metrics.MustRegister(certificateMetric(tt.of, tt.now))
		found, err := metrics.Gather()
		if err != nil {
			t.Fatal(err)
		}
		if got := found[0].Metric[0].GetGauge().GetValue(); got != tt.want {
			t.Errorf("%s: %v s, want %v", name, got, tt.want)
		}
	}
}
