package certificate

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

const (
	// refreshEvery is how often the certificates in use are compared with those that autocert
	// has renewed, which is a look at its memory.
	refreshEvery = 5 * time.Second
	// firstPause is how long an order that failed is not repeated; twice as long each time, up
	// to lastPause: CAs refuse who fails more than some times an hour.
	firstPause = 2 * time.Minute
	lastPause  = time.Hour
	// handshakeWait is how long a handshake waits for the first certificate.
	handshakeWait = 4 * time.Second
	// releaseTime is how long a stop may take to tell others that they may order.
	releaseTime = 2 * time.Second
)

// An Order says which certificates a CA is asked for, and how.
type Order struct {
	Names []string       // in small letters; the first is for clients that name none
	URL   string         // directory of the CA
	Roots *x509.CertPool // by which its server is trusted; nil for those of the system
	Email string         // where the CA writes to; "" for none
	Cache autocert.Cache // keeps what was issued
	// Stored reads the cache at once, where Get waits while another instance orders.
	Stored func(ctx context.Context, name string) ([]byte, error)
	// Release lets others order what this instance ordered, once it stops; nil where there are no others.
	Release func(context.Context) error
	Log     *slog.Logger
}

// An Authority has the certificates that a CA has issued by ACME, one of ECDSA for each name, and
// renews them. It is safe for concurrent use. Handshakes order nothing: Run does.
type Authority struct {
	order   Order
	manager *autocert.Manager
	asked   map[string]chan struct{} // by name: closed once the first certificate is there, or was refused

	mu   sync.Mutex
	held map[string]*tls.Certificate
}

// NewAuthority returns an Authority without certificates, which Run gets. The terms of the CA are
// accepted.
func NewAuthority(o Order) *Authority {
	a := &Authority{order: o, asked: map[string]chan struct{}{}, held: map[string]*tls.Certificate{}}
	for _, name := range o.Names {
		a.asked[name] = make(chan struct{})
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12}
	a.manager = &autocert.Manager{
		Prompt: autocert.AcceptTOS, Cache: o.Cache, Email: o.Email, HostPolicy: a.policy,
		Client: &acme.Client{
			DirectoryURL: o.URL, HTTPClient: &http.Client{Transport: transport, Timeout: time.Minute}, UserAgent: "workforce",
		},
	}
	return a
}

// policy refuses names that were not ordered. A host may have a port.
func (a *Authority) policy(_ context.Context, host string) error {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if !slices.Contains(a.order.Names, strings.ToLower(host)) {
		return fmt.Errorf("%q is not among the names that get a certificate", host)
	}
	return nil
}

// Challenges returns a handler that answers what the CA asks over HTTP, and passes all other
// requests on. Without a call of it the CA is answered over TLS alone. Call it before Run.
func (a *Authority) Challenges(next http.Handler) http.Handler { return a.manager.HTTPHandler(next) }

// Get returns the certificate of the name that a client asks for, for a tls.Config; also what
// the CA's own handshakes ask for.
func (a *Authority) Get(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	name := strings.ToLower(strings.TrimSuffix(hello.ServerName, "."))
	if name == "" {
		name = a.order.Names[0]
	}
	asked, ok := a.asked[name]
	switch {
	case !ok:
		return nil, fmt.Errorf("%q is not among the names that get a certificate", name)
	case slices.Equal(hello.SupportedProtos, []string{acme.ALPNProto}):
		return a.manager.GetCertificate(hello)
	}
	select {
	case <-asked:
	case <-time.After(handshakeWait):
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if pair := a.held[name]; pair != nil {
		return pair, nil
	}
	return nil, fmt.Errorf("no certificate was issued for %q yet", name)
}

// Ends returns when the first of the certificates ends; zero while a name has none.
func (a *Authority) Ends() (first time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, name := range a.order.Names {
		pair := a.held[name]
		if pair == nil {
			return time.Time{}
		}
		if i == 0 || pair.Leaf.NotAfter.Before(first) {
			first = pair.Leaf.NotAfter
		}
	}
	return first
}

// Run gets the certificates and has them renewed, until ctx ends.
func (a *Authority) Run(ctx context.Context) {
	var all sync.WaitGroup
	for _, name := range a.order.Names {
		all.Go(func() { a.keep(ctx, name) })
	}
	all.Wait()
	if a.order.Release == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	if err := a.order.Release(ctx); err != nil { // the claim ends by itself
		a.order.Log.DebugContext(ctx, "releasing certificates", "error", err)
	}
}

// keep keeps the certificate of one name.
func (a *Authority) keep(ctx context.Context, name string) {
	done := sync.OnceFunc(func() { close(a.asked[name]) })
	if a.load(ctx, name) {
		done()
	}
	for pause := time.Duration(0); ; {
		err := a.refresh(ctx, name)
		done()
		next := refreshEvery
		if pause = min(max(2*pause, firstPause), lastPause); err == nil {
			pause = 0
		} else if next = pause; ctx.Err() == nil {
			a.order.Log.WarnContext(ctx, "no certificate was issued",
				"name", name, "error", err, "again", next.String())
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(next):
		}
	}
}

// load uses a certificate that was issued before and has not ended, and reports whether there is
// one. It may be due for renewal.
func (a *Authority) load(ctx context.Context, name string) bool {
	data, err := a.order.Stored(ctx, name)
	if err != nil {
		return false
	}
	pair, err := Parse(data)
	if err != nil || !pair.Leaf.NotAfter.After(time.Now()) || pair.Leaf.VerifyHostname(name) != nil {
		return false
	}
	a.use(ctx, name, pair)
	return true
}

// Parse reads a certificate with its key as autocert caches them.
func Parse(data []byte) (*tls.Certificate, error) {
	pair, err := tls.X509KeyPair(data, data)
	return &pair, err
}

// refresh uses the certificate that autocert has, which orders one where there is none.
func (a *Authority) refresh(ctx context.Context, name string) error {
	// Autocert orders a certificate of RSA for a client that does not seem to know ECDSA.
	hello := &tls.ClientHelloInfo{ServerName: name, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}}
	result := make(chan error, 1)
	go func() { // for up to five minutes
		pair, err := a.manager.GetCertificate(hello)
		if err == nil {
			a.use(ctx, name, pair)
		}
		result <- err
	}()
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
		return errors.New("stopped")
	}
}

func (a *Authority) use(ctx context.Context, name string, pair *tls.Certificate) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if old := a.held[name]; old == nil || !old.Leaf.Equal(pair.Leaf) {
		a.held[name] = pair
		a.order.Log.InfoContext(ctx, "certificate", "name", name, "until", pair.Leaf.NotAfter)
	}
}
