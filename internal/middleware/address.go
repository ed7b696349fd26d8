package middleware

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// ParseProxies reads the networks (10.0.0.0/8) and addresses (::1) of the
// proxies in front of the server.
func ParseProxies(list []string) ([]netip.Prefix, error) {
	var proxies []netip.Prefix
	for _, text := range list {
		text = strings.TrimSpace(text)
		p, err := netip.ParsePrefix(text)
		if addr, notAddr := netip.ParseAddr(text); notAddr == nil && addr.Zone() == "" {
			p, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil || p.Addr().Is4In6() {
			return nil, fmt.Errorf("trusted proxy %q is neither an address nor a network like 10.0.0.0/8", text)
		}
		proxies = append(proxies, p.Masked())
	}
	return proxies, nil
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
