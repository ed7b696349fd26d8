package textform

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestLine(t *testing.T) {
	for _, tt := range []struct {
		text, want   string
		plain, shows bool
	}{
		{"", "", true, false},
		{" Budi\t", "Budi", true, true},
		{"\u00a0Budi\u3000", "Budi", true, true},
		{"\ufeffBudi", "Budi", true, true},
		{"\u200bBudi\u200b \u200b", "Budi", true, true},
		{"\u202eBudi\u202c", "Budi", true, true},
		{"Jose\u0301", "Jos\u00e9", true, true},
		{"می\u200cخواهم", "می\u200cخواهم", true, true},
		{"क्\u200dष", "क्\u200dष", true, true},
		{"\u2764\ufe0f", "\u2764\ufe0f", true, true},
		{"👩\u200d💻", "👩\u200d💻", true, true},
		{"\u200b", "", true, false},
		{"\u200d\u200c", "", true, false},
		{"\u2060\u2063", "", true, false},
		{"\u00ad", "", true, false},
		{"\u115f", "\u115f", true, false},
		{"\u3164\uffa0", "\u3164\uffa0", true, false},
		{"\u2800", "\u2800", true, false},
		{"\ufe0f", "\ufe0f", true, false},
		{"\u034f", "\u034f", true, false},
		{"\u180e", "\u180e", true, false},
		{"\U000e0041", "\U000e0041", true, false},
		{"\u0085", "", true, false},
		{"-", "-", true, true},
		{"\u0301", "\u0301", true, true},
		{"\u06dd", "\u06dd", true, true},
		{"\ue000", "\ue000", true, true},
		{"a\nb", "a\nb", false, true},
		{"a\x00b", "a\x00b", false, true},
		{"a\u2028b", "a\u2028b", false, true},
		{"a\u2029b", "a\u2029b", false, true},
		{"a\x7fb", "a\x7fb", false, true},
		{"a\u0080b", "a\u0080b", false, true},
		{"a\u202ab", "a\u202ab", false, true},
		{"a\u202eb\u202c", "a\u202eb", false, true},
		{"\u202bBudi\u202c S", "Budi\u202c S", false, true},
		{"a\u2066b\u2069c", "a\u2066b\u2069c", false, true},
		{"a\u200eb\u200fc", "a\u200eb\u200fc", true, true},
		{"a\u202fb", "a\u202fb", true, true},
		{"a\u2065b\u206ac", "a\u2065b\u206ac", true, true},
	} {
		if got := Line(tt.text); got != tt.want {
			t.Errorf("Line(%q) = %q, want %q", tt.text, got, tt.want)
		}
		if got := IsPlain(tt.want); got != tt.plain {
			t.Errorf("IsPlain(%q) = %v", tt.want, got)
		}
		for _, text := range []string{tt.text, tt.want} {
			if got := Shows(text); got != tt.shows {
				t.Errorf("Shows(%q) = %v", text, got)
			}
		}
	}
}

// TestInvisible has the characters that no address may have.
func TestInvisible(t *testing.T) {
	for _, r := range [][2]rune{{0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x2064}, {0xFEFF, 0xFEFF}, {0xAD, 0xAD}} {
		for c := r[0]; c <= r[1]; c++ {
			if text := "a" + string(c) + "b"; !HasInvisible(text) || WithoutInvisible(text) != "ab" {
				t.Errorf("%U is seen", c)
			}
			if Line(string(c)+"a"+string(c)) != "a" {
				t.Errorf("%U stays around a text", c)
			}
		}
	}
	for c := rune(' '); c < unicode.MaxLatin1; c++ {
		if unicode.IsGraphic(c) && HasInvisible(string(c)) {
			t.Errorf("%q is not seen", c)
		}
	}
}

func TestSortKeyOrdersIgnoringCase(t *testing.T) {
	names := []string{"Zainal", "ahmad", "Émile", "budi", "Budi S", "ANI", "emile", "Straße", "strasse b", "İpek"}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(SortKey(a), SortKey(b)) })
	want := []string{"ahmad", "ANI", "budi", "Budi S", "emile", "İpek", "Straße", "strasse b", "Zainal", "Émile"}
	if !slices.Equal(names, want) {
		t.Errorf("order %q, want %q", names, want)
	}
}

func TestSortKeyIgnoresCaseAndForm(t *testing.T) {
	for _, same := range [][]string{
		{"BUDI", "budi", "Budi"},
		{"STRASSE", "straße", "Strasse"},
		{"Σίσυφος", "ΣΊΣΥΦΟΣ"},
		{"Jose\u0301", "JOS\u00c9"},
	} {
		for _, name := range same {
			if got, want := SortKey(name), SortKey(same[0]); got != want {
				t.Errorf("SortKey(%q) = %q, SortKey(%q) = %q", name, got, same[0], want)
			}
		}
	}
	if SortKey("a") == SortKey("á") {
		t.Error("accents are lost")
	}
}
