package server

import (
	"net/http/httptest"
	"testing"
)

// TestShow takes the token of a widget from pages of its origin: from the server's own also without Origin, which
// browsers leave out there.
func TestShow(t *testing.T) {
	own := ownOrigins("https://hr.example.com")
	const page = "https://intranet.example.com"
	tests := []struct {
		name, token, origin, site string
		want                      bool
	}{
		{"its page", page, page, "cross-site", true},
		{"in another case", page, "https://Intranet.Example.com", "cross-site", true},
		{"another page", page, "https://elsewhere.example.com", "cross-site", false},
		{"another scheme", page, "http://intranet.example.com", "cross-site", false},
		{"no origin", page, "null", "cross-site", false},
		{"no page", page, "", "", false},
		{"a page of the server, which is not the token's", page, "", "same-origin", false},
		{"a page of the server", "https://hr.example.com", "", "same-origin", true},
		{"a program with the token of the server's page", "https://hr.example.com", "", "", false},
	}
	for _, tt := range tests {
		r := httptest.NewRequest("GET", "/widget/tasks", nil)
		if tt.origin != "" {
			r.Header.Set("Origin", tt.origin)
		}
		if tt.site != "" {
			r.Header.Set("Sec-Fetch-Site", tt.site)
		}
		if got := own.show(r, tt.token); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}
