package attachment

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for _, tt := range []struct {
		text string
		want string
	}{
		{"", ""},
		{" - ! ", ""},
		{"Kunjungan ke PT. Maju, Jaya", "jaya ke kunjungan maju pt"},
		{"Café CAFE\u0301 cafe", "cafe"},
		{"Straße STRASSE", "strasse"},
		{"ÅNGSTRÖM ﬁle ℌ", "angstrom file h"},
		{"İstanbul", "istanbul"},
		{"v2.10 x_y", "10 v2 x y"},
		{"東京 会議", "会議 東京"},
		{strings.Repeat("ä", 41), strings.Repeat("a", 40)},
		{"100%", "100"},
	} {
		if got := strings.Join(Words(tt.text), " "); got != tt.want {
			t.Errorf("Words(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
	if got := Words("b a", "a c"); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("of two texts: %q", got)
	}
}

func TestAfter(t *testing.T) {
	for _, word := range []string{"a", "東", "z9"} {
		for _, tail := range []string{"", "a", "zzz", "\U0001F600"} {
			if w := word + tail; w < word || w >= after(word) {
				t.Errorf("%q is not between %q and the next", w, word)
			}
		}
		if next := word[:len(word)-1] + string(word[len(word)-1]+1); next < after(word) {
			t.Errorf("%q is found by %q", next, word)
		}
	}
}
