package pdf

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-text/typesetting/bidi"
)

// newTestSetter sets text in the built-in fonts.
func newTestSetter(t *testing.T) *setter {
	t.Helper()
	f, err := builtIn()
	if err != nil {
		t.Fatal(err)
	}
	return newSetter(f)
}

func TestClean(t *testing.T) {
	marks := func(n int) string { return "e" + strings.Repeat("\u0301", n) }
	const joined = "\u0915\u094D\u200D\u0937 \U0001F468\u200D\U0001F467 \u2764\uFE0F"
	for _, tt := range []struct {
		name, text, want string
		cut              bool
	}{
		{"nothing", "", "", false},
		{"one line", "a\tb\r\nc\u2028d\u00A0e", "a b  c d e", false},
		{"controls", "a\x00b\x1b[31m\x7f\u0085", "ab[31m ", false},
		{"overrides of direction", "\u202Egnp.exe\u202C \u2066a\u2069\u200F\u061C\uFEFF", "gnp.exe a", false},
		{"joiners", joined, joined, false},
		{"an Arabic sign of numbers", "\u06001", "\u06001", false},
		{"the most marks", marks(maxMarks), marks(maxMarks), false},
		{"more marks", marks(maxMarks+1) + "a", marks(maxMarks) + "a", false},
		{"joiners among marks", "e" + strings.Repeat("\u0301\u200D", 9),
			"e" + strings.Repeat("\u0301\u200D", maxMarks/2), false},
		{"bytes that are no text", "a\xffb", "a\uFFFDb", false},
		{"the longest text", strings.Repeat("a", maxText), strings.Repeat("a", maxText), false},
		{"a longer text", strings.Repeat("a", maxText+1), strings.Repeat("a", maxText), true},
	} {
		if got, all := clean(tt.text); string(got) != tt.want || all == tt.cut {
			t.Errorf("%s: %q, all %v", tt.name, string(got), all)
		}
	}
}

// TestReorder holds parts to rule L2: the digits are the levels of parts, the letters their names.
func TestReorder(t *testing.T) {
	for _, tt := range []struct{ levels, want string }{
		{"", ""}, {"0", "a"}, {"00", "ab"}, {"11", "ba"}, {"010", "abc"}, {"0110", "acbd"},
		{"01210", "adcbe"}, {"012210", "aecdbf"},
		{"121", "cba"}, {"1221", "dbca"}, {"10", "ab"}, {"0123210", "afcdebg"}, {"11011", "baced"},
	} {
		parts := make([]part, len(tt.levels))
		for i := range parts {
			parts[i] = part{piece: piece{level: bidi.Level(tt.levels[i] - '0'), text: []rune{rune('a' + i)}}}
		}
		reorder(parts)
		got := ""
		for _, p := range parts {
			got += string(p.text)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.levels, got, tt.want)
		}
	}
}

// TestPieces: a piece has one typeface, script and direction; spaces stand alone, and signs of no
// script go with their neighbours.
func TestPieces(t *testing.T) {
	s := newTestSetter(t)
	for _, tt := range []struct{ text, want, lost string }{
		{"", "[]", ""},
		{"Budi Santoso", "[Budi/Latn/0  /Zyyy/0 Santoso/Latn/0]", ""},
		{"(Budi) 10%", "[(Budi)/Latn/0  /Zyyy/0 10%/Zyyy/0]", ""},
		{"ABвг", "[AB/Latn/0 вг/Cyrl/0]", ""},
		{"علي Budi", "[علي/Arab/1  /Zyyy/1 Budi/Latn/2]", ""},
		{"Budi علي 12 لا", "[Budi/Latn/0  /Zyyy/0 علي/Arab/1  /Zyyy/1 12/Zyyy/2  /Zyyy/1 لا/Arab/1]", ""},
		{"e\u0301", "[e\u0301/Latn/0]", ""},
		{"李雷 x", "[□□/Zyyy/0  /Zyyy/0 x/Latn/0]", "李雷"},
		{"\U0001F468\u200D\U0001F469\u200D\U0001F467", "[□/Zyyy/0]", "\U0001F468\U0001F469\U0001F467"},
		{"a\u0E31", "[a/Latn/0]", "\u0E31"},
	} {
		all, lost := s.pieces([]rune(tt.text), false)
		got := make([]string, len(all))
		for i, p := range all {
			got[i] = fmt.Sprintf("%s/%s/%d", string(p.text), p.script, p.level)
		}
		if fmt.Sprint(got) != tt.want || string(lost) != tt.lost {
			t.Errorf("%q: %v without %q, want %s without %q", tt.text, got, string(lost), tt.want, tt.lost)
		}
	}
}

// TestShape: Arabic letters join, take the shape of their place, and stand from right to left.
func TestShape(t *testing.T) {
	s := newTestSetter(t)
	glyphs := func(text string) (ids []int, clusters []int) {
		for _, p := range s.set([]rune(text), false).parts {
			for _, g := range p.glyphs {
				ids, clusters = append(ids, int(g.id)), append(clusters, g.cluster)
			}
		}
		return ids, clusters
	}
	alone, _ := glyphs("ب")
	three, order := glyphs("ببب")
	if len(three) != 3 || slices.Contains(three, alone[0]) || three[0] == three[1] || three[1] == three[2] ||
		!reflect.DeepEqual(order, []int{2, 1, 0}) {
		t.Errorf("alone %v, three %v of %v", alone, three, order)
	}
	if ligature, _ := glyphs("لا"); len(ligature) != 1 {
		t.Errorf("lam and alef are %v", ligature)
	}
	for text, leftwards := range map[string]bool{
		"": false, "Budi": false, "علي": true, "علي Budi 12": true, "Budi علي": false, "12": false,
	} {
		if got := s.set([]rune(text), false).leftwards; got != leftwards {
			t.Errorf("%q reads from right to left: %v", text, got)
		}
	}
}

// textOf returns what a line says, in the order of reading.
func textOf(l line) string {
	parts := slices.Clone(l.parts)
	slices.SortFunc(parts, func(a, b part) int { return a.start - b.start })
	var out strings.Builder
	for _, p := range parts {
		out.WriteString(string(p.text))
	}
	return out.String()
}

func TestCut(t *testing.T) {
	s := newTestSetter(t)
	for _, tt := range []struct {
		text, want string
		ems        float64
	}{
		{"", "", 0}, {"Budi", "Budi", 10}, {"Budi Santoso", "Budi S…", 4.5}, {"Budi Santoso", "Budi…", 3.9}, {"Budi", "…", 0.5},
		{"e\u0301e\u0301e\u0301e\u0301", "e\u0301e\u0301…", 2.4}, // no letter loses its mark
		{"محمد علي", "محمد…", 3.9},
		{"\x00\u202E", "", 0},
	} {
		l := s.cut(tt.text, false, tt.ems)
		if got := textOf(l); got != tt.want || got != "…" && l.width > tt.ems {
			t.Errorf("%q in %v: %q, %.2f wide", tt.text, tt.ems, got, l.width)
		}
	}
	if long := s.cut(strings.Repeat("i", maxText+1), false, 1e6); !strings.HasSuffix(textOf(long), "i…") {
		t.Error("text above the limit has no ellipsis")
	}
}

// TestWrap: no line is wider than it may be, and nothing is lost but spaces at the ends of lines.
func TestWrap(t *testing.T) {
	s := newTestSetter(t)
	for _, tt := range []struct {
		text string
		ems  float64
		want []string
	}{
		{"", 5, nil},
		{"Jam kerja", 10, []string{"Jam kerja"}},
		{"Jam kerja", 4, []string{"Jam", "kerja"}},
		{"Keterlambatan", 3.5, []string{"Keterl", "ambat", "an"}},
		{"Jam Keterlambatan", 4, []string{"Jam", "Keterla", "mbatan"}},
		{"ສະບາຍດີສະບາຍດີ", 3, nil}, // Lao has no spaces
		{"李雷和韩梅梅", 2, []string{"□□", "□□", "□□"}},
	} {
		lines := s.wrap(tt.text, false, tt.ems)
		var got []string
		for _, l := range lines {
			got = append(got, textOf(l))
			if l.width > tt.ems {
				t.Errorf("%q in %v: %q is %.2f wide", tt.text, tt.ems, textOf(l), l.width)
			}
		}
		if tt.want != nil && !slices.Equal(got, tt.want) {
			t.Errorf("%q in %v: %q, want %q", tt.text, tt.ems, got, tt.want)
		}
		if tt.want == nil && strings.Join(got, "") != tt.text {
			t.Errorf("%q: %q", tt.text, got)
		}
	}
	if lines := s.wrap("ຊ", false, 0.1); len(lines) != 1 { // wider than the line whatever one does
		t.Errorf("%d lines", len(lines))
	}
}

// TestHostileText: what is long, or all marks, takes bounded time and bounded ink.
func TestHostileText(t *testing.T) {
	began := time.Now()
	s := newTestSetter(t)
	for name, text := range map[string]string{
		"marks": "a" + strings.Repeat("\u0301", 1<<19), "joiners": strings.Repeat("\u200D", 1<<19),
		"one word":   strings.Repeat("x", 1<<20),
		"directions": strings.Repeat("aع", 1<<18), "brackets": strings.Repeat("(ع", 1<<18),
		"controls": strings.Repeat("\x00\u202E", 1<<18),
	} {
		l := s.cut(text, false, 40)
		glyphs := 0
		for _, p := range l.parts {
			glyphs += len(p.glyphs)
		}
		if l.width > 40 || glyphs > maxText {
			t.Errorf("%s: %.1f wide, %d glyphs", name, l.width, glyphs)
		}
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}
