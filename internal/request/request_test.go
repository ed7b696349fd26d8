package request

import (
	"net/http"
	"net/netip"
	"testing"
	"time"

	"workforce/internal/errs"
)

// TestErrorHeaders sets the RateLimit headers with every RATE_LIMITED.
func TestErrorHeaders(t *testing.T) {
	tests := []struct {
		name string
		err  *errs.Error
		want [4]string // Retry-After, RateLimit-Limit, -Remaining, -Reset
	}{
		{"a limit", &errs.Error{Code: errs.RateLimited, RetryAfter: 1500 * time.Millisecond, Limit: &errs.Limit{Limit: 5, Reset: time.Minute}}, [4]string{"2", "5", "0", "60"}},
		{"no limit in numbers", &errs.Error{Code: errs.RateLimited, RetryAfter: time.Second}, [4]string{"1", "1", "0", "1"}},
		{"unavailable", errs.New(errs.Unavailable, nil), [4]string{"1", "", "", ""}},
		{"another error", errs.New(errs.NotFound, nil), [4]string{}},
	}
	for _, tt := range tests {
		h := http.Header{}
		ErrorHeaders(h, tt.err)
		got := [4]string{h.Get("Retry-After"), h.Get("RateLimit-Limit"), h.Get("RateLimit-Remaining"), h.Get("RateLimit-Reset")}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestNetwork(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1",
		"2001:db8::1": "2001:db8::/64", "2001:db8::ffff:1": "2001:db8::/64", "fe80::1%eth0": "fe80::/64",
	} {
		if got := Network(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}
