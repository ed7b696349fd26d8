package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// healthCmd asks a server whether it lives, for images that have no shell and no curl.
type healthCmd struct {
	configFlag
	Addr string `default:"127.0.0.1:8080" env:"WORKFORCE_ADDR" help:"Address that the server listens on."`
	URL  string `name:"url" help:"Base URL of the server in place of the address, such as https://api.example.com."`

	TLSCert   string   `name:"tls-cert" env:"WORKFORCE_TLS_CERT" help:"As of serve: the address is HTTPS then."`
	TLSDomain []string `name:"tls-domain" env:"WORKFORCE_TLS_DOMAIN" help:"As of serve: the address is HTTPS then."`
}

// healthWait is how long a server may take to answer.
const healthWait = 5 * time.Second

// Run implements the command. It prints nothing where the server lives.
func (c *healthCmd) Run(ctx context.Context) error {
	address, err := c.address()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, healthWait)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fmt.Errorf("%s cannot be asked", address)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if c.URL == "" { // the machine's own address, which is in no certificate; nothing secret is sent
		transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	}
	client := http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	resp, err := client.Do(req)
	var quoting *url.Error
	if errors.As(err, &quoting) {
		err = quoting.Err
	}
	if err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	if err := resp.Body.Close(); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %d", address, resp.StatusCode)
	}
	return nil
}

// address returns the URL to ask. A server that listens on all addresses is asked on this machine's own.
func (c *healthCmd) address() (string, error) {
	if c.URL != "" {
		u, err := url.Parse(c.URL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
			return "", errors.New("--url must begin with http:// or https:// and name a host")
		}
		return strings.TrimSuffix(c.URL, "/") + "/healthz", nil
	}
	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return "", fmt.Errorf("--addr: %q is no address such as 127.0.0.1:8080", c.Addr)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if ip != nil && ip.To4() == nil {
			host = "::1"
		}
	}
	scheme := "http"
	if c.TLSCert != "" || len(c.TLSDomain) > 0 {
		scheme = "https"
	}
	return scheme + "://" + net.JoinHostPort(host, port) + "/healthz", nil
}
