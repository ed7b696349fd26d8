package pdf

import (
	_ "embed"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"github.com/johnfercher/maroto/v2/pkg/consts/fontstyle"
	"github.com/johnfercher/maroto/v2/pkg/core/entity"
)

// The embedded fonts, DejaVu Sans, have Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew,
// Arabic, Lao and signs. font/LICENSE has their licence.
var (
	//go:embed font/DejaVuSans.ttf
	regular []byte
	//go:embed font/DejaVuSans-Bold.ttf
	bold []byte
)

// family is the name of the embedded fonts.
const family = "dejavu"

func fonts() []*entity.CustomFont {
	return []*entity.CustomFont{
		{Family: family, Style: fontstyle.Normal, Bytes: regular}, {Family: family, Style: fontstyle.Bold, Bytes: bold},
	}
}

// missing stands for characters that the font does not have.
const missing = '\u25A1'

// A ruler measures text in one of the fonts. It is for one goroutine.
type ruler struct {
	font   *sfnt.Font
	buffer sfnt.Buffer
	known  map[rune]rune    // what is shown
	widths map[rune]float64 // in ems
}

func newRuler(data []byte) (*ruler, error) {
	f, err := sfnt.Parse(data)
	return &ruler{font: f, known: map[rune]rune{}, widths: map[rune]float64{}}, err
}

// shown returns text on one line, with a box for each character that the font does not have.
func (r *ruler) shown(text string) string {
	return strings.Map(func(c rune) rune {
		if c == '\n' || c == '\r' || c == '\t' {
			return ' '
		}
		to, ok := r.known[c]
		if !ok {
			to = c
			if i, err := r.font.GlyphIndex(&r.buffer, c); err != nil || i == 0 || c > 0xFFFF {
				to = missing
			}
			r.known[c] = to
		}
		return to
	}, text)
}

// ems returns how wide text is that shown returned, in ems.
func (r *ruler) ems(text string) (sum float64) {
	for _, c := range text {
		w, ok := r.widths[c]
		if !ok {
			i, err := r.font.GlyphIndex(&r.buffer, c)
			if err == nil {
				var advance fixed.Int26_6
				advance, err = r.font.GlyphAdvance(&r.buffer, i, fixed.I(1000), font.HintingNone)
				w = float64(advance) / 64 / 1000
			}
			if err != nil {
				w = 1
			}
			r.widths[c] = w
		}
		sum += w
	}
	return sum
}

// cut returns text that is at most some ems wide, with an ellipsis where it was longer.
func (r *ruler) cut(text string, ems float64) string {
	text = r.shown(text)
	if r.ems(text) <= ems {
		return text
	}
	const ellipsis = "\u2026"
	runes := []rune(text)
	for len(runes) > 0 && r.ems(string(runes)+ellipsis) > ems {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimRight(string(runes), " ") + ellipsis
}
