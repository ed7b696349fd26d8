package certificate

import (
	"bytes"
	"crypto/tls"
	"log/slog"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"workforce/internal/certificate/certtest"
)

var noon = time.Date(2026, 3, 11, 12, 0, 0, 0, time.UTC)

// shown returns the end of the certificate that a handshake shows.
func shown(t *testing.T, f *Files) time.Time {
	t.Helper()
	ours, theirs := net.Pipe()
	defer ours.Close()
	defer theirs.Close()
	go func() { _ = tls.Server(ours, &tls.Config{GetCertificate: f.Get}).Handshake() }() // the client says what is wrong
	client := tls.Client(theirs, &tls.Config{InsecureSkipVerify: true})
	if err := client.Handshake(); err != nil {
		t.Fatal(err)
	}
	leaf := client.ConnectionState().PeerCertificates[0]
	if err := leaf.VerifyHostname("wf.test"); err != nil {
		t.Error(err)
	}
	return leaf.NotAfter
}

// TestFiles replaces a certificate while it is in use. What is spoilt on the way leaves the one before
// in use, with one warning for each change.
func TestFiles(t *testing.T) {
	dir, now := t.TempDir(), noon
	var log bytes.Buffer
	month := func(n int) time.Time { return noon.AddDate(0, n, 0) }
	cert, key := certtest.Files(t, dir, noon, month(1), "wf.test")
	f, err := Open(cert, key, func() time.Time { return now }, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	public, private := certtest.Pair(t, noon, month(2), "wf.test")
	steps := []struct {
		name     string
		change   func()
		later    time.Duration
		want     int // months from now
		warnings int // so far
	}{
		{"at first", func() {}, 0, 1, 0},
		{"unchanged", func() {}, time.Hour, 1, 0},
		{"half of a pair", func() { certtest.Replace(t, cert, public) }, time.Second, 1, 1},
		{"still half of it", func() {}, time.Second, 1, 1},
		{"the other half, at once", func() { certtest.Replace(t, key, private) }, 999 * time.Millisecond, 1, 1},
		{"the other half", func() {}, time.Millisecond, 2, 1},
		{"no key", func() { remove(t, key) }, time.Second, 2, 2},
		{"a file that is no certificate", func() {
			certtest.Files(t, dir, noon, month(3), "wf.test")
			certtest.Replace(t, cert, []byte("x"))
		}, time.Second, 2, 3},
		{"a new pair", func() { certtest.Files(t, dir, noon, month(4), "wf.test") }, time.Second, 4, 3},
		{"the clock is set back", func() { certtest.Files(t, dir, noon, month(5), "wf.test") }, -time.Minute, 5, 3},
	}
	for _, s := range steps {
		s.change()
		now = now.Add(s.later)
		if got := shown(t, f); !got.Equal(month(s.want)) || !f.Ends().Equal(got) {
			t.Errorf("%s: shown until %v, Ends %v, want %v", s.name, got, f.Ends(), month(s.want))
		}
		if n := strings.Count(log.String(), "level=WARN"); n != s.warnings {
			t.Errorf("%s: %d warnings, want %d:\n%s", s.name, n, s.warnings, &log)
		}
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// TestOpenRefuses refuses files that are of no use at the start.
func TestOpenRefuses(t *testing.T) {
	one, other := t.TempDir(), t.TempDir()
	cert, _ := certtest.Files(t, one, noon, noon.AddDate(0, 1, 0), "wf.test")
	_, key := certtest.Files(t, other, noon, noon.AddDate(0, 1, 0), "wf.test")
	for _, pair := range [][2]string{{cert, key}, {cert, one + "/none"}, {one + "/none", key}, {key, cert}} {
		if _, err := Open(pair[0], pair[1], time.Now, slog.New(slog.DiscardHandler)); err == nil {
			t.Errorf("%q are accepted", pair)
		}
	}
}
