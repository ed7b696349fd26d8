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
		{strings.Repeat("a", 30) + strings.Repeat("会", 31), strings.Repeat("a", 30) + strings.Repeat("会", 10) + " " +
			strings.Repeat("a", 10) + strings.Repeat("会", 30) + " " + strings.Repeat("会", 21)},
		{"Łódź SMØRREBRØD ıŞıK", "isik lodz smorrebrod"},
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

// TestSearchedWords finds each part of a text without blanks in the words of it.
func TestSearchedWords(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"Łódź b " + strings.Repeat("a", 41), strings.Repeat("a", 40) + " b lodz"},
		{"会議 東京", "会議 東京"},
		{strings.Repeat("会", 20), strings.Repeat("会", 20)},
		{strings.Repeat("会", 20) + "議室", strings.Repeat("会", 20) + " 議室"},
		{"ประชุม", "ประชม"},
	} {
		if got := strings.Join(SearchedWords(tt.text), " "); got != tt.want {
			t.Errorf("SearchedWords(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
	text := make([]rune, 130)
	for i := range text {
		text[i] = rune(0x4E00 + i)
	}
	words := Words(string(text))
	for first := range text {
		for last := first + 1; last <= len(text); last++ {
			for _, part := range SearchedWords(string(text[first:last])) {
				if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, part) }) {
					t.Fatalf("%d to %d is not found", first, last)
				}
			}
		}
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
		{"Đặng Łukasz", "dang lukasz"},
		{"Łódź Đung", "lodz dung"},
		{"Ærø Œuvre Þór Ħal Ŋa", "aero oeuvre thor hal na"},
		{"Əliyev", "eliyev"},
		{"李小龍", "李小龍"},
		{"Ольга Ёлкина", "ольга елкина"},
		{"Σίσυφος", "σισυφοσ"},
		{"عُمَر", "عمر"},
		{"İPEK ışık", "ipek isik"},
		{"---", ""},
		{"a\u00a0b\u3000c", "a b c"},
		{strings.Repeat("\ufdfa", 40), cut(strings.Repeat("صلى الله عليه وسلم", 40), 400)},
	} {
		if got := SearchKey(tt.name); got != tt.want {
			t.Errorf("SearchKey(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}
