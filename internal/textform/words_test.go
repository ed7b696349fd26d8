package textform

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
		{"José Ñuñez", "jose nunez"},
		{"Nguyễn Thị Ánh", "anh nguyen thi"},
		{"zero\u200bwidth so\u00adft", "soft zerowidth"},
		{"می\u200cخواهم", "میخواهم"},
		{"Ｆｕｌｌ ①", "1 full"},
		{"शिक्षा", "शकष"},
	} {
		if got := strings.Join(Words(tt.text), " "); got != tt.want {
			t.Errorf("Words(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
	if got := Words("b a", "a c"); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("of two texts: %q", got)
	}
}

func TestSearchKey(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"", ""},
		{"José  Ñuñez", "jose nunez"},
		{"  Budi   Santoso ", "budi santoso"},
		{"O'Brien, Anne-Marie", "o brien anne marie"},
		{"ÅNGSTRÖM", "angstrom"},
		{"Straße 7", "strasse 7"},
		{"Đặng Łukasz", "đang łukasz"},
		{"李小龍", "李小龍"},
		{"Ольга Ёлкина", "ольга елкина"},
		{"Σίσυφος", "σισυφοσ"},
		{"عُمَر", "عمر"},
		{"İPEK ışık", "ipek ısık"},
		{"---", ""},
		{"a\u00a0b\u3000c", "a b c"},
		{strings.Repeat("\ufdfa", 40), cut(strings.Repeat("صلى الله عليه وسلم", 40), 400)},
	} {
		if got := SearchKey(tt.name); got != tt.want {
			t.Errorf("SearchKey(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}
