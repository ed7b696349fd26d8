package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/mail"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"workforce/internal/certificate"
	"workforce/internal/middleware"
	"workforce/internal/sealed"
)

// certificates are those of files, or those of a CA.
type certificates interface {
	Get(*tls.ClientHelloInfo) (*tls.Certificate, error)
	Ends() time.Time // when the first of them ends; zero while there is none
}

// hasTLS reports whether the server encrypts connections itself.
func (s Config) hasTLS() bool { return s.TLSCert != "" || s.TLSKey != "" || len(s.TLSDomain) > 0 }

// Scheme returns the scheme of the public listener, http or https.
func (s Config) Scheme() string {
	if s.hasTLS() {
		return "https"
	}
	return "http"
}

// domain matches a name that a CA issues certificates for, in small letters and with a dot.
var domain = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$`)

// checkTLS checks how connections are encrypted, and reads the files that the flags name. It returns the roots
// of --acme-ca.
func (s Config) checkTLS() (*x509.CertPool, error) {
	issued, own := len(s.TLSDomain) > 0, s.TLSCert != "" || s.TLSKey != ""
	faults := []error{
		unless(s.TLSCert == "" || s.TLSKey != "", "--tls-cert needs --tls-key"),
		unless(s.TLSKey == "" || s.TLSCert != "", "--tls-key needs --tls-cert"),
		unless(!own || !issued,
			"--tls-domain is for certificates that a CA issues, and --tls-cert for files: set one of them"),
		unless(s.HTTPAddr == "" || issued || own,
			"--http-addr is for TLS only: set --tls-cert with --tls-key, or --tls-domain; --addr is plain HTTP without them"),
		unless(s.HTTPAddr == "" || isHTTPS(s.PublicURL), "--http-addr needs a --public-url that begins with https://"),
		checkListener("--http-addr", s.HTTPAddr),
	}
	if s.TLSCert != "" && s.TLSKey != "" {
		_, err := certificate.Read(s.TLSCert, s.TLSKey)
		faults = append(faults, named("--tls-cert", err))
	}
	for _, of := range []struct{ flag, value string }{
		{"--tls-cache", s.TLSCache}, {"--acme-url", s.ACMEURL}, {"--acme-ca", s.ACMECA}, {"--acme-email", s.ACMEEmail},
	} {
		faults = append(faults, unless(of.value == "" || issued, "%s is for --tls-domain only", of.flag))
	}
	if !issued {
		return nil, errors.Join(faults...)
	}
	roots, err := readRoots(s.ACMECA)
	address, _ := mail.ParseAddress(s.ACMEEmail)
	return roots, errors.Join(append(faults, s.checkDomains(), named("--acme-ca", err),
		unless(s.ACMEURL == "" || isHTTPS(s.ACMEURL), "--acme-url must begin with https:// and name a host"),
		unless(s.ACMEEmail == "" || address != nil && address.Address == s.ACMEEmail,
			"--acme-email: %q is no e-mail address", s.ACMEEmail))...)
}

// checkDomains checks the names that get certificates.
func (s Config) checkDomains() error {
	var faults []error
	for _, name := range s.TLSDomain {
		_, notIP := netip.ParseAddr(name)
		faults = append(faults, unless(notIP != nil && len(name) <= 253 && domain.MatchString(strings.ToLower(name)),
			"--tls-domain: %q is no name such as api.example.com; write other letters as xn--", name))
	}
	u, err := url.Parse(s.PublicURL)
	switch {
	case !isHTTPS(s.PublicURL) || err != nil:
		faults = append(faults, errors.New("--tls-domain needs a --public-url that begins with https://"))
	case !slices.Contains(s.domains(), strings.ToLower(u.Hostname())):
		faults = append(faults, fmt.Errorf("--tls-domain must name the host of --public-url, %s", u.Hostname()))
	}
	return errors.Join(faults...)
}

// domains returns the names that get certificates, that of the public URL first.
func (s Config) domains() []string {
	var names []string
	for _, name := range s.TLSDomain {
		names = append(names, strings.ToLower(name))
	}
	if u, err := url.Parse(s.PublicURL); err == nil {
		host := strings.ToLower(u.Hostname())
		if i := slices.Index(names, host); i > 0 {
			names = slices.Insert(slices.Delete(names, i, i+1), 0, host)
		}
	}
	return names
}

func isHTTPS(text string) bool {
	return isWeb(text) && strings.HasPrefix(strings.ToLower(text), "https:")
}

// named puts the name of a flag before an error.
func named(flag string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}

// readRoots reads certificates by which a CA's server is trusted; nil, those of the system, without a file.
func readRoots(path string) (*x509.CertPool, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate in PEM", path)
	}
	return roots, nil
}

// openCertificates has the server encrypt its connections, where the settings say so.
func (srv *Server) openCertificates(p parsed, keys *sealed.Ring, metrics *prometheus.Registry) (err error) {
	s, now := srv.config, time.Now // the clock of clients, whatever --clock says
	if s.Machine != nil {
		now = s.Machine
	}
	switch {
	case !s.hasTLS():
		return nil
	case s.TLSCert != "":
		if srv.certificates, err = certificate.Open(s.TLSCert, s.TLSKey, now, srv.log); err != nil {
			return fmt.Errorf("--tls-cert: %w", err)
		}
	default:
		srv.authority = certificate.NewAuthority(s.certificateOrder(srv.Store, p.roots, keys, now, srv.log))
		srv.certificates = srv.authority
	}
	metrics.MustRegister(certificateMetric(srv.certificates, now))
	return nil
}

// certificateOrder returns what a CA is asked for.
func (s Config) certificateOrder(
	db *Store, roots *x509.CertPool, keys *sealed.Ring, now func() time.Time, log *slog.Logger,
) certificate.Order {
	o := certificate.Order{
		Names: s.domains(), URL: cmp.Or(s.ACMEURL, acme.LetsEncryptURL), Roots: roots, Email: s.ACMEEmail, Log: log,
	}
	if s.TLSCache != "" {
		o.Cache, o.Stored = autocert.DirCache(s.TLSCache), autocert.DirCache(s.TLSCache).Get
		return o
	}
	cache := newCertificateCache(db.Ent, keys, now, log)
	o.Cache, o.Stored, o.Release = cache, cache.Stored, cache.Release
	return o
}

// tlsConfig returns how connections are encrypted; nil for not at all.
func (srv *Server) tlsConfig() *tls.Config {
	if srv.certificates == nil {
		return nil
	}
	c := &tls.Config{
		GetCertificate: srv.certificates.Get, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
	}
	if srv.authority != nil {
		c.NextProtos = append(c.NextProtos, acme.ALPNProto)
	}
	return c
}

// serve answers on the public listener, encrypted where the server has certificates.
func (srv *Server) serve(public *http.Server, l net.Listener) error {
	if public.TLSConfig = srv.tlsConfig(); public.TLSConfig != nil {
		return public.ServeTLS(l, "", "")
	}
	return public.Serve(l)
}

// plain answers plain HTTP: what a CA asks, and else a redirect to the public URL. Only reading is
// redirected: what else clients send was sent without encryption, and is refused so that it shows.
func (srv *Server) plain() http.Handler {
	publicURL := strings.TrimSuffix(srv.config.PublicURL, "/")
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, publicURL+r.URL.RequestURI(), http.StatusMovedPermanently)
	})
	h := middleware.Wrap(mux, middleware.Config{PublicURL: publicURL, Log: srv.log, Now: srv.Services.Now})
	if srv.authority != nil {
		return srv.authority.Challenges(h)
	}
	return h
}

// secured has browsers use HTTPS alone for a year, where the server encrypts and its public URL says so too.
func (srv *Server) secured(next http.Handler) http.Handler {
	if srv.certificates == nil || !isHTTPS(srv.config.PublicURL) {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		next.ServeHTTP(w, r)
	})
}

// runCertificates gets and renews the certificates of a CA until ctx ends.
func (srv *Server) runCertificates(ctx context.Context) {
	if srv.authority != nil {
		srv.authority.Run(ctx)
	}
}
