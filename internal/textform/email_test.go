package textform

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestEmailKeys(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"budi@demo.test", []string{"budi@demo.test"}},
		{" Budi@DEMO.test ", []string{"budi@demo.test"}},
		{"\u00c9.case@ex.test", []string{"\u00c9.case@ex.test", "\u00e9.case@ex.test"}},
		{"\u00e9.case@ex.test", []string{"\u00e9.case@ex.test"}},
		{"e\u0301.CASE@ex.test", []string{"\u00e9.case@ex.test"}},
		{"x@M\u00dcNCHEN.de", []string{"x@m\u00dcnchen.de", "x@m\u00fcnchen.de"}},
		{"x@m\u00fcnchen.de", []string{"x@m\u00fcnchen.de"}},
		{"x@xn--mnchen-3ya.de", []string{"x@xn--mnchen-3ya.de", "x@m\u00fcnchen.de"}},
		{"x@XN--MNCHEN-3YA.DE", []string{"x@xn--mnchen-3ya.de", "x@m\u00fcnchen.de"}},
		{"x@stra\u00dfe.de", []string{"x@stra\u00dfe.de"}}, // not strasse.de
		{"x@\u0431\u0410.test", []string{"x@\u0431\u0410.test", "x@\u0431\u0430.test"}},
		{"\u0411@ex.test", []string{"\u0411@ex.test", "\u0431@ex.test"}},
		{"\u03a3\u03c2@ex.test", []string{"\u03a3\u03c2@ex.test", "\u03c3\u03c3@ex.test"}},
		{"I\u0130\u0131i@ex.test", []string{"i\u0130\u0131i@ex.test"}},
		{"\u1e9e\u00df@ex.test", []string{"\u1e9e\u00df@ex.test", "\u00df\u00df@ex.test"}},
		{"a_b@c_d.test", []string{"a_b@c_d.test"}},
		{"root@localhost", []string{"root@localhost"}},
		{"x@xn--a.test", []string{"x@xn--a.test"}}, // no label, and taken before
		{"x@a\u3002test", []string{"x@a\u3002test", "x@a.test"}},
		{"\u674e@\u4f8b.test", []string{"\u674e@\u4f8b.test"}},
		{"o'brien+tag@ex.test", []string{"o'brien+tag@ex.test"}},

		{"", nil},
		{"zw@ex.test\u200b", nil},
		{"a\u2800@ex.test", nil},
		{"a\u0085b@ex.test", nil},
		{"a\ufff9b@ex.test", nil},
		{"z\u200dw@ex.test", nil},
		{"zw@e\u00adx.test", nil},
		{"\u202ezw@ex.test", nil},
		{"\ufeffzw@ex.test", nil},
		{"zw\ufe0f@ex.test", nil},
		{"zw\u3164@ex.test", nil},
		{"a b@ex.test", nil},
		{"a@ex .test", nil},
		{"a\u00a0@ex.test", nil},
		{"a@-.\u00fc", nil},
		{"\u00b5@ex.test", nil}, // compatibility form of \u03bc
		{strings.Repeat("\u00e9", 33) + "@ex.test", nil},
		{"a@" + strings.Repeat("\u00fc.", 90) + "test", nil},
	} {
		if got := EmailKeys(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("EmailKeys(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestNewEmailKey refuses domains that no name server can have.
func TestNewEmailKey(t *testing.T) {
	label := strings.Repeat("a", 63)
	for text, want := range map[string]string{
		"A@ex.test": "a@ex.test", "a@c_d.test": "a@c_d.test",
		"a@localhost": "a@localhost", "a@127.0.0.1": "a@127.0.0.1",
		"a@xn--mnchen-3ya.de": "a@m\u00fcnchen.de", "a@M\u00dcNCHEN.de": "a@m\u00fcnchen.de",
		"a@" + label + ".de": "a@" + label + ".de",
		"a@a--b.test":        "a@a--b.test", "a@\u0e44\u0e17\u0e22.test": "a@\u0e44\u0e17\u0e22.test",
		"a@-ex.test": "", "a@ex-.test": "", "a@xn--a.test": "", "a@" + label + "a.de": "",
		"a@e!x.test": "", "a@ex+x.test": "",
		"a@" + strings.Repeat("\u0e44", 60) + ".test": "", "a@e\u200bx.test": "", "a@xn--.test": "", "": "",
		"a@" + strings.Repeat("aaa.", 60) + "test":    "a@" + strings.Repeat("aaa.", 60) + "test",
		"a@" + strings.Repeat("\u0e44.", 50) + "test": "", // each is twice as long in ASCII
	} {
		if got, ok := NewEmailKey(text); ok != (want != "") || ok && got != want {
			t.Errorf("NewEmailKey(%q) = %q, %v, want %q", text, got, ok, want)
		}
	}
}

// TestFoldCase takes every letter with its other cases.
func TestFoldCase(t *testing.T) {
	for c := rune(0); c <= unicode.MaxRune; c++ {
		if got, other := foldCase(c), foldCase(unicode.SimpleFold(c)); got != other || foldCase(got) != got {
			t.Errorf("%U is %U, %U is %U", c, got, unicode.SimpleFold(c), other)
		}
	}
}

func TestWireEmail(t *testing.T) {
	for _, tt := range []struct {
		address, want string
		ok            bool
	}{
		{"x@ex.test", "x@ex.test", true},
		{"x@m\u00fcnchen.de", "x@xn--mnchen-3ya.de", true},
		{"X@M\u00dcNCHEN.de", "X@xn--mnchen-3ya.de", true},
		{"x@xn--mnchen-3ya.de", "x@xn--mnchen-3ya.de", true},
		{"\u00e9@ex.test", "\u00e9@ex.test", false},
		{"\u00e9@m\u00fcnchen.de", "\u00e9@xn--mnchen-3ya.de", false},
		{"nobody", "nobody", false},
	} {
		if got, ok := WireEmail(tt.address); got != tt.want || ok != tt.ok {
			t.Errorf("WireEmail(%q) = %q, %v; want %q, %v", tt.address, got, ok, tt.want, tt.ok)
		}
	}
}

// TestSearchedEmail finds addresses by their parts.
func TestSearchedEmail(t *testing.T) {
	key, _ := EmailKey("\u00c9.Case@M\u00dcNCHEN.de")
	for text, want := range map[string]bool{"\u00c9.CASE": true, " e\u0301.c ": true, "@m\u00fcnchen": true, "e.case": false} {
		if got := strings.Contains(key, PartOfEmail(text)); got != want {
			t.Errorf("%q is found by %q: %v", key, text, got)
		}
	}
}
