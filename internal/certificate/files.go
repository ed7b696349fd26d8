// Package certificate provides the certificates that a server shows to its clients: from files, or
// issued by a CA.
package certificate

import (
	"crypto/tls"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"
)

// lookEvery is how often Files looks whether its files have changed, at most.
const lookEvery = time.Second

// Files is a certificate and its key in files, which are read again when they change. It is safe
// for concurrent use.
type Files struct {
	cert, key string
	now       func() time.Time
	log       *slog.Logger

	mu     sync.Mutex
	looked time.Time      // when the files were last looked at
	seen   [2]fs.FileInfo // of the files that were last read, whether or not they were of use
	pair   *tls.Certificate
}

// Open reads a certificate and its key, PEM files whose first certificate is the server's and is
// followed by those of its CA.
func Open(cert, key string, now func() time.Time, log *slog.Logger) (*Files, error) {
	f := &Files{cert: cert, key: key, now: now, log: log, looked: now()}
	f.seen, _ = f.stat() // an error is that of Read, too
	var err error
	f.pair, err = Read(cert, key)
	return f, err
}

// Read reads a certificate and its key. Those that do not belong together are an error.
func Read(cert, key string) (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, err
	}
	return &pair, nil
}

// Get returns the certificate, for a tls.Config.
func (f *Files) Get(*tls.ClientHelloInfo) (*tls.Certificate, error) { return f.current(), nil }

// Ends returns when the certificate ends.
func (f *Files) Ends() time.Time { return f.current().Leaf.NotAfter }

// current returns the certificate after a look at the files. Files that cannot be read, or do not
// belong together, leave the one before in use, with one warning.
func (f *Files) current() *tls.Certificate {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	if d := now.Sub(f.looked); 0 <= d && d < lookEvery {
		return f.pair
	}
	f.looked = now
	found, err := f.stat()
	if same(found, f.seen) {
		return f.pair
	}
	f.seen = found
	var pair *tls.Certificate
	if err == nil {
		pair, err = Read(f.cert, f.key)
	}
	if err != nil {
		f.log.Warn("the new certificate is not used", "file", f.cert, "key", f.key, "error", err)
		return f.pair
	}
	f.pair = pair
	f.log.Info("certificate", "file", f.cert, "until", pair.Leaf.NotAfter)
	return pair
}

// stat looks at both files; a file that is not there is nil, and an error.
func (f *Files) stat() (found [2]fs.FileInfo, err error) {
	for i, path := range []string{f.cert, f.key} {
		info, failed := os.Stat(path)
		if failed != nil {
			err = failed
			continue
		}
		found[i] = info
	}
	return found, err
}

// same reports whether files are the same ones, unchanged.
func same(a, b [2]fs.FileInfo) bool {
	for i := range a {
		switch {
		case a[i] == nil && b[i] == nil:
		case a[i] == nil || b[i] == nil:
			return false
		case !os.SameFile(a[i], b[i]) || !a[i].ModTime().Equal(b[i].ModTime()) || a[i].Size() != b[i].Size():
			return false
		}
	}
	return true
}
