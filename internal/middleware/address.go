package middleware

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
)

// ParseProxies reads the networks (10.0.0.0/8) and addresses (::1) of the
// proxies in front of the server.
// The error names all that are neither.
func ParseProxies(list []string) (proxies []netip.Prefix, failed error) {
	for _, text := range list {
		text = strings.TrimSpace(text)
		p, err := netip.ParsePrefix(text)
		if addr, notAddr := netip.ParseAddr(text); notAddr == nil && addr.Zone() == "" {
			p, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil || p.Addr().Is4In6() {
			failed = errors.Join(failed, fmt.Errorf("trusted proxy %q is neither an address nor a network like 10.0.0.0/8", text))
			continue
		}
		proxies = append(proxies, p.Masked())
	}
	return proxies, failed
}

// clientAddr returns the address of the client: the peer's or, behind trusted
// proxies, the last address in X-Forwarded-For that is not a trusted proxy.
// Entries to the left of it, or of a malformed entry, are not trusted, since the
// client may have sent them. The zero Addr means a peer without an IP address.
func clientAddr(r *http.Request, trusted []netip.Prefix) netip.Addr {
	addr, ok := parseAddr(r.RemoteAddr)
	if len(trusted) == 0 {
		return addr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !ok || !contains(trusted, addr) {
			break
		}
		var next netip.Addr
		if next, ok = parseAddr(strings.TrimSpace(hop)); ok {
			addr = next
		}
	}
	return addr
}

// maxHints is for how many networks of peers an ignored X-Forwarded-For is logged.
const maxHints = 16

// forwardedHint logs that X-Forwarded-For of a peer is ignored, once for each network
// of peers: a proxy that --trusted-proxies does not name makes all clients look like
// one. The line holds the peer's address and nothing that the client sent.
type forwardedHint struct {
	log     *slog.Logger
	trusted []netip.Prefix

	mu    sync.Mutex
	known map[netip.Prefix]bool
}

func (f *forwardedHint) check(r *http.Request) {
	if len(r.Header["X-Forwarded-For"]) == 0 {
		return
	}
	peer, ok := parseAddr(r.RemoteAddr)
	if !ok || contains(f.trusted, peer) || !f.first(network(peer)) {
		return
	}
	f.log.WarnContext(r.Context(), "X-Forwarded-For is ignored, since the peer is not among --trusted-proxies; add it if it is your proxy",
		"peer", peer.String())
}

// first reports whether a network is not known yet, and there is room for it.
func (f *forwardedHint) first(n netip.Prefix) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known[n] || len(f.known) == maxHints {
		return false
	}
	f.known[n] = true
	return true
}

// network returns the network of an address: 24 bits of IPv4, 64 of IPv6.
func network(addr netip.Addr) netip.Prefix {
	bits := 64
	if addr.Is4() {
		bits = 24
	}
	n, _ := addr.Prefix(bits) // fails for more bits than the address has
	return n
}

// parseAddr reads an address with or without a port.
func parseAddr(text string) (netip.Addr, bool) {
	if ap, err := netip.ParseAddrPort(text); err == nil {
		return ap.Addr().Unmap().WithZone(""), true
	}
	addr, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return addr.Unmap().WithZone(""), err == nil
}

func contains(networks []netip.Prefix, addr netip.Addr) bool {
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(addr) })
}
