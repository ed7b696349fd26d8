package broker

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"workforce/internal/testdb"
)

// TestParse reads host, user, password and database from a URL.
func TestParse(t *testing.T) {
	for raw, want := range map[string]server{
		"redis://redis.test":                {address: "redis.test:6379"},
		"redis://":                          {address: "localhost:6379"},
		"redis://:6380":                     {address: "localhost:6380"},
		"redis://[::1]":                     {address: "[::1]:6379"},
		"redis://redis.test:6380/0":         {address: "redis.test:6380"},
		"rediss://redis.test/12":            {address: "redis.test:6379", tls: true, database: 12},
		"redis://:p%40ss@redis.test/1":      {address: "redis.test:6379", password: "p@ss", database: 1},
		"rediss://ani:p%3Ass@10.0.0.7:6380": {address: "10.0.0.7:6380", tls: true, username: "ani", password: "p:ss"},
	} {
		if got, err := parse(raw); got != want || err != nil {
			t.Errorf("%s: %+v, %v; want %+v", raw, got, err, want)
		}
	}
}

// TestSignIn carries texts over a server that asks for a password, or a user's.
func TestSignIn(t *testing.T) {
	r := testdb.StartRedis(t)
	command(t, r, "ACL", "SETUSER", "workforce", "on", ">hunter2", "&workforce:*",
		"+publish", "+subscribe", "+ping", "+select")
	command(t, r, "CONFIG", "SET", "requirepass", "secret")
	with := func(user string) string { return strings.Replace(r.URL(), "redis://", "redis://"+user+"@", 1) }
	a, b := start(t, with(":secret")), start(t, strings.Replace(with("workforce:hunter2"), "/0", "/3", 1))
	connect(t, a, b)
	connect(t, b, a)
	for _, wrong := range []string{r.URL(), with(":hunter2"), with("workforce:secret"), with("nobody:secret")} {
		c := start(t, wrong)
		c.want(t, "missed")
		s, err := parse(wrong)
		if err != nil {
			t.Fatal(err)
		}
		p := &publisher{server: s}
		if err := p.publish(t.Context(), channel, []byte("text")); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("published to %s: %v", wrong, err)
		}
		p.close()
	}
}

// TestTLS carries texts through TLS, and refuses a certificate that it does not trust.
func TestTLS(t *testing.T) {
	r := testdb.StartRedis(t)
	dir := t.TempDir()
	trusted, other := certificate(t), certificate(t)
	root := filepath.Join(dir, "root.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: trusted.Certificate[0]})
	if err := os.WriteFile(root, text, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SSL_CERT_FILE", root) // is read once a process
	at := terminate(t, r, trusted)
	a, b := start(t, at), start(t, at)
	connect(t, a, b)
	connect(t, b, a)
	s, err := parse(terminate(t, r, other))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := s.dial(t.Context(), timeout); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("%v, %v; want an error about the certificate", c, err)
	}
}

// certificate returns a new certificate of 127.0.0.1 that signs itself.
func certificate(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	text := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, text, text, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// terminate starts what speaks TLS before a server, and returns its URL.
func terminate(t *testing.T, r *testdb.Redis, c tls.Certificate) string {
	t.Helper()
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{c}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	_, to, _ := strings.Cut(strings.TrimSuffix(r.URL(), "/0"), "redis://")
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer from.Close()
				server, err := net.Dial("tcp", to)
				if err != nil {
					return
				}
				defer server.Close()
				go func() { _, _ = io.Copy(server, from); _ = server.Close() }()
				_, _ = io.Copy(from, server)
			}()
		}
	}()
	return "rediss://" + l.Addr().String() + "/0"
}
