package server

import (
	"net/http/httptest"
	"testing"
)

// TestOwnOrigin has pages of any name of the machine be the server's own where its URL is one.
func TestOwnOrigin(t *testing.T) {
	const local = "http://127.0.0.1:8080"
	for _, tt := range []struct {
		public, origin string
		want           bool
	}{
		{local, "http://127.0.0.1:8080", true},
		{local, "http://localhost:8080", true},
		{local, "http://LOCALHOST:8080", true},
		{local, "http://[::1]:8080", true},
		{local, "http://localhost:8081", false},
		{local, "http://localhost", false},
		{local, "https://localhost:8080", false},
		{local, "http://127.0.0.2:8080", false},
		{local, "http://localhost.evil.test:8080", false},
		{"http://localhost:8080/", "http://127.0.0.1:8080", true},
		{"http://Localhost", "http://[::1]", true},
		{"http://Localhost", "http://localhost:8080", false},
		{"http://[::1]:8080/api", "http://localhost:8080", true},
		{"https://wf.test", "https://wf.test", true},
		{"https://wf.test:443", "https://wf.test", true},
		{"http://localhost:80", "http://[::1]", true},
		{"https://wf.test", "https://localhost", false},
		{"https://wf.test:8080", "http://localhost:8080", false},
		{"", "http://localhost", false},
	} {
		r := httptest.NewRequest("GET", "/graphql", nil)
		r.Header.Set("Origin", tt.origin)
		if got := ownOrigins(tt.public).orAllowed(nil)(r); got != tt.want {
			t.Errorf("a page of %s on a server of %q: %v", tt.origin, tt.public, got)
		}
	}
}

// TestSecureOrigins tells where browsers keep secrets.
func TestSecureOrigins(t *testing.T) {
	for public, want := range map[string]bool{
		"https://wf.test": true, "HTTPS://wf.test": true, "http://wf.test": false, "http://127.0.0.1:8080": true, "http://[::1]": true, "": false,
	} {
		if got := ownOrigins(public).areSecure(); got != want {
			t.Errorf("%q: %v", public, got)
		}
	}
}

// TestSentOrigin wants exactly one Origin, unlike requests of programs.
func TestSentOrigin(t *testing.T) {
	own := ownOrigins("https://wf.test")
	for _, tt := range []struct {
		origins []string
		want    bool
	}{
		{nil, false}, {[]string{"https://wf.test"}, true}, {[]string{"https://wf.test", "https://wf.test"}, false}, {[]string{"null"}, false}, {[]string{""}, false},
	} {
		r := httptest.NewRequest("POST", "/app/session/refresh", nil)
		r.Header["Origin"] = tt.origins
		if got := own.sent(r); got != tt.want {
			t.Errorf("%q: %v", tt.origins, got)
		}
	}
}
