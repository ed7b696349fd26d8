package doctor

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// mail signs in at the mail server.
func (s Subject) mail(ctx context.Context) Result {
	switch {
	case s.Mail == nil && s.Gateway != nil:
		return fine("mail", "--smtp-url is not set: mail goes to the messaging gateway")
	case s.Mail == nil && s.Demo:
		return fine("mail", "the demo writes messages to the log")
	case s.Mail == nil:
		return warning("mail", "one-time codes reach nobody, so that nobody can sign in on a new device",
			"set --smtp-url with --mail-from, or --sms-url with --sms-secret")
	}
	if err := s.Mail(ctx); err != nil {
		return failure("mail", "the mail server cannot be used: "+err.Error(),
			"see --smtp-url: host, port, certificate, user and password")
	}
	return fine("mail", "the mail server answers")
}

// gateway asks the messaging gateway for any answer. No message is sent, so that the secret is not
// tried.
func (s Subject) gateway(ctx context.Context) Result {
	if s.Gateway == nil {
		return fine("gateway", "--sms-url is not set: nothing is sent to phones")
	}
	status, err := s.Gateway(ctx)
	switch {
	case err != nil:
		return failure("gateway", "the messaging gateway cannot be reached: "+err.Error(),
			"see --sms-url: host, port and certificate")
	case status >= http.StatusInternalServerError:
		return failure("gateway", fmt.Sprintf("the messaging gateway answers %d", status), "see the log of the gateway")
	case !s.Secure:
		return warning("gateway", "codes go to the messaging gateway without encryption", "use https:// in --sms-url")
	}
	return fine("gateway", fmt.Sprintf("the messaging gateway answers (%d); the secret is not tried", status))
}

// publicURL judges what links begin with, and asks there for the server.
func (s Subject) publicURL(ctx context.Context) Result {
	const check = "public URL"
	if s.PublicURL == "" {
		return warning(check, "--public-url is not set: links lead to the address that is listened on",
			"set it to the address that clients use")
	}
	u, err := url.Parse(s.PublicURL)
	if err != nil || u.Hostname() == "" {
		return failure(check, "--public-url is no URL", "set it to the address that clients use")
	}
	if u.Scheme == "http" && !local(u.Hostname()) {
		return failure(check, s.PublicURL+" is not encrypted: nobody can sign in to the web app",
			"terminate TLS before the server, and use https://")
	}
	status, err := s.ask(ctx, strings.TrimSuffix(s.PublicURL, "/")+"/healthz")
	switch {
	case isCertificate(err):
		return failure(check, "the certificate of "+u.Host+" is not accepted: "+err.Error(),
			"renew it, or serve the whole chain")
	case s.Issued && hasNone(err):
		return failure(check, "no certificate has been issued for "+u.Hostname()+" yet",
			"look for `no certificate was issued` in the log of serve, which says why")
	case err != nil:
		return warning(check, "nothing answers at "+s.PublicURL+": "+err.Error(),
			"nothing to do while serve does not run; else see DNS, firewall and proxy")
	case status != http.StatusOK:
		return failure(check, fmt.Sprintf("%s/healthz answers %d", strings.TrimSuffix(s.PublicURL, "/"), status),
			"see that the proxy passes requests to the server")
	}
	return fine(check, s.PublicURL+" answers")
}

// ask returns the status of an answer; its error quotes no URL.
func (s Subject) ask(ctx context.Context, address string) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	resp, err := s.Client.Do(req)
	var quoting *url.Error
	if errors.As(err, &quoting) {
		return 0, quoting.Err
	}
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<10))
	return resp.StatusCode, err
}

// isCertificate reports whether a certificate was refused.
func isCertificate(err error) bool {
	var refused *tls.CertificateVerificationError
	var host x509.HostnameError
	return errors.As(err, &refused) || errors.As(err, &host)
}

// hasNone reports whether the server refused a handshake as one that has no certificate does.
func hasNone(err error) bool {
	var alert *net.OpError
	return errors.As(err, &alert) && alert.Op == "remote error" && alert.Err.Error() == "tls: internal error"
}

// local reports whether a host is this machine.
func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Secure reports whether a URL is asked over HTTPS, or on this machine.
func Secure(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || local(u.Hostname()))
}
