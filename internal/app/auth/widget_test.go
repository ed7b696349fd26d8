package auth

import (
	"strings"
	"testing"
)

// TestParseOrigin reads origins of pages as browsers send them, and nothing else.
func TestParseOrigin(t *testing.T) {
	tests := map[string]string{ // "" for none
		"https://a.example":           "https://a.example",
		"HTTPS://A.Example":           "https://a.example",
		"https://a.example:443":       "https://a.example",
		"http://a.example:80":         "http://a.example",
		"https://a.example:80":        "https://a.example:80",
		"http://127.0.0.1:8080":       "http://127.0.0.1:8080",
		"http://[::1]:8080":           "http://[::1]:8080",
		"https://xn--caf-dma.example": "https://xn--caf-dma.example",
		"https://café.example":        "",
		"":                            "",
		"null":                        "",
		"a.example":                   "",
		"https://a.example/":          "",
		"https://a.example?":          "",
		"https://u@a.example":         "",
		"https://*.example":           "",
		"https://a.example:":          "",
		"ftp://a.example":             "",
		"https://a.example\n":         "",
		"https://" + strings.Repeat("a", maxOrigin): "",
	}
	for text, want := range tests {
		if got, ok := parseOrigin(text); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %t; want %q", text, got, ok, want)
		}
	}
}
