package pdf

import (
	"slices"
	"unicode"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/segmenter"
)

const (
	// missing stands for characters that no font has.
	missing = '\u25A1'
	// ellipsis stands for text that was cut.
	ellipsis = '\u2026'
	// maxText is how many characters of a text are looked at: more do not fit on a page.
	maxText = 1000
	// maxMarks is how many marks a letter has at most: more would cover the lines above.
	maxMarks = 8
	// firstMark is the first mark, and the first character that may not stand for itself.
	firstMark = '\u0300'
	// maxShaped is how many words are remembered, of at most maxWord characters.
	maxShaped, maxWord = 4096, 64
)

// A piece is a word, or a part of one, in one typeface, script and direction.
type piece struct {
	face   *typeface
	level  bidi.Level // odd from right to left
	script language.Script
	start  int // in the line's text
	text   []rune
}

// A glyph is one of a shaped piece. Lengths are in ems.
type glyph struct {
	id            font.GID
	cluster       int // the first character that it draws, in the piece
	advance, x, y float64
}

// A part is a piece of a line with its glyphs, from left to right.
type part struct {
	piece
	glyphs []glyph
	width  float64 // ems
}

// A span is a grapheme of a text and its typeface.
type span struct {
	face       *typeface
	start, end int
}

// A line is text that was set on one line.
type line struct {
	parts     []part  // from left to right
	width     float64 // ems
	leftwards bool    // reads from right to left
	missing   []rune  // that no font has
}

// A word is what the glyphs of a piece depend on.
type word struct {
	face      *typeface
	leftwards bool
	script    language.Script
	text      string
}

// A setter sets text in the fonts of a report. It is for one goroutine.
type setter struct {
	fonts    *Fonts
	segments segmenter.Segmenter
	order    bidi.Paragraph
	buffer   *harfbuzz.Buffer
	faces    map[*typeface]*font.Face
	shapers  map[*typeface]*harfbuzz.Font
	plain    map[rune]*typeface // the first that has a character, nil for none
	strong   map[rune]*typeface
	shaped   map[word][]glyph
	spans    []span // of the last text
}

func newSetter(f *Fonts) *setter {
	return &setter{
		fonts: f, buffer: harfbuzz.NewBuffer(), faces: map[*typeface]*font.Face{}, shapers: map[*typeface]*harfbuzz.Font{},
		plain: map[rune]*typeface{}, strong: map[rune]*typeface{}, shaped: map[word][]glyph{},
	}
}

// shaper returns what shapes text in a typeface.
func (s *setter) shaper(f *typeface) *harfbuzz.Font {
	h := s.shapers[f]
	if h == nil {
		h = harfbuzz.NewFont(s.face(f))
		s.shapers[f] = h
	}
	return h
}

// face returns a typeface with what it remembers for this setter.
func (s *setter) face(f *typeface) *font.Face {
	face := s.faces[f]
	if face == nil {
		face = font.NewFace(f.Font)
		s.faces[f] = face
	}
	return face
}

// clean returns the characters of text on one line that are drawn, and whether these are all:
// without controls, and without marks above maxMarks and characters above maxText.
func clean(text string) (out []rune, all bool) {
	out = make([]rune, 0, min(len(text), maxText))
	marks := 0
	for _, c := range text {
		if c >= firstMark && (unicode.Is(unicode.M, c) || isJoined(c)) {
			marks++
		} else {
			marks = 0
		}
		switch {
		case c > ' ' && c <= '~':
		case marks > maxMarks:
			continue
		case c == '\t' || c == '\n' || c == '\r' || c == '\u0085' || unicode.Is(unicode.Z, c):
			c = ' '
		case isControl(c):
			continue
		}
		if len(out) == maxText {
			return out, false
		}
		out = append(out, c)
	}
	return out, true
}

// isControl reports whether a character is not drawn, but would change the order or the breaks
// of others.
func isControl(c rune) bool {
	return unicode.In(c, unicode.Cc, unicode.Cf) && !isJoined(c) && !unicode.Is(unicode.Prepended_Concatenation_Mark, c)
}

// isJoined reports whether a character changes its neighbours and needs no glyph.
func isJoined(c rune) bool {
	const zeroWidthNonJoiner, zeroWidthJoiner, firstTag, lastTag = '\u200C', '\u200D', '\U000E0020', '\U000E007F'
	return c == zeroWidthNonJoiner || c == zeroWidthJoiner || c >= firstTag && c <= lastTag ||
		unicode.Is(unicode.Variation_Selector, c)
}

// graphemes calls f for each grapheme of text.
func (s *setter) graphemes(text []rune, f func(start, end int)) {
	if !slices.ContainsFunc(text, func(c rune) bool { return c >= firstMark }) { // each is one
		for i := range text {
			f(i, i+1)
		}
		return
	}
	s.segments.Init(text)
	for all := s.segments.GraphemeIterator(); all.Next(); {
		g := all.Grapheme()
		f(g.Offset, g.Offset+len(g.Text))
	}
}

// first returns the first typeface that has a character; nil for none.
func (s *setter) first(c rune, strong bool) *typeface {
	known, all := s.plain, s.fonts.plain
	if strong {
		known, all = s.strong, s.fonts.strong
	}
	found, ok := known[c]
	if !ok {
		if i := slices.IndexFunc(all, func(f *typeface) bool { return has(s.face(f), c) }); i >= 0 {
			found = all[i]
		}
		known[c] = found
	}
	return found
}

// choose returns the typeface of a grapheme: one that has all of it, or else its first
// character. What the typeface does not have is lost; without any, the grapheme is a box.
// What only joins others is not missed.
func (s *setter) choose(text []rune, strong bool) (f *typeface, drawn, lost []rune) {
	f = s.first(text[0], strong)
	if len(text) == 1 && f != nil {
		return f, text, nil
	}
	all := s.fonts.plain
	if strong {
		all = s.fonts.strong
	}
	draws := func(f *typeface) func(rune) bool {
		face := s.face(f)
		return func(c rune) bool { return isJoined(c) || has(face, c) }
	}
	if len(text) > 1 {
		for _, f := range all {
			if lacks := func(c rune) bool { return !draws(f)(c) }; !slices.ContainsFunc(text, lacks) {
				return f, text, nil
			}
		}
	}
	if f == nil {
		return all[0], []rune{missing}, slices.DeleteFunc(slices.Clone(text), isJoined)
	}
	for _, c := range text {
		if draws(f)(c) {
			drawn = append(drawn, c)
		} else {
			lost = append(lost, c)
		}
	}
	return f, drawn, lost
}

// pieces splits text into pieces, in the order of reading. The text that they are of has
// boxes for graphemes that no font has.
func (s *setter) pieces(text []rune, strong bool) (all []piece, lost []rune) {
	spans, drawn := s.spans[:0], make([]rune, 0, len(text))
	s.graphemes(text, func(start, end int) {
		f, shown, without := s.choose(text[start:end], strong)
		spans = append(spans, span{f, len(drawn), len(drawn) + len(shown)})
		drawn = append(drawn, shown...)
		lost = append(lost, without...)
	})
	s.spans = spans
	runs := s.order.Segment(drawn, bidi.Neutral)
	run := 0
	for _, g := range spans {
		for run < runs.NumRuns()-1 && runs.Run(run).End <= g.start {
			run++
		}
		p := piece{face: g.face, level: runs.Run(run).Level, start: g.start, text: drawn[g.start:g.end]}
		p.script = scriptOf(p.text)
		if n := len(all); n > 0 && all[n-1].takes(&p) {
			all[n-1].text = drawn[all[n-1].start:g.end]
			continue
		}
		all = append(all, p)
	}
	return all, lost
}

// takes reports whether the text of the next piece belongs to this one, whose script may
// become that of the next. A space stands alone.
func (p *piece) takes(next *piece) bool {
	if p.face != next.face || p.level != next.level || p.text[0] == ' ' || next.text[0] == ' ' {
		return false
	}
	if p.script == language.Common {
		p.script = next.script
	}
	return next.script == language.Common || next.script == p.script
}

// scriptOf returns the script of a grapheme; Common if any script has it.
func scriptOf(text []rune) language.Script {
	for _, c := range text {
		if s := language.LookupScript(c); s.Strong() && s != language.Unknown {
			return s
		}
	}
	return language.Common
}

// shape returns the glyphs of a piece, from left to right.
func (s *setter) shape(p piece) []glyph {
	w := word{p.face, p.level%2 == 1, p.script, string(p.text)}
	glyphs, ok := s.shaped[w]
	if ok {
		return glyphs
	}
	b := s.buffer
	b.Clear()
	b.ClusterLevel = harfbuzz.MonotoneGraphemes
	b.Props = harfbuzz.SegmentProperties{Direction: harfbuzz.LeftToRight, Script: p.script}
	if w.leftwards {
		b.Props.Direction = harfbuzz.RightToLeft
	}
	b.AddRunes(p.text, 0, -1)
	b.Shape(s.shaper(p.face), nil)
	em := float64(p.face.Upem())
	glyphs = make([]glyph, len(b.Info))
	for i, g := range b.Info {
		at := b.Pos[i]
		glyphs[i] = glyph{
			id: g.Glyph, cluster: g.Cluster,
			advance: float64(at.XAdvance) / em, x: float64(at.XOffset) / em, y: float64(at.YOffset) / em,
		}
	}
	if len(s.shaped) >= maxShaped {
		clear(s.shaped)
	}
	if len(p.text) <= maxWord {
		s.shaped[w] = glyphs
	}
	return glyphs
}

// set sets text on one line.
func (s *setter) set(text []rune, strong bool) (l line) {
	all, lost := s.pieces(text, strong)
	l.missing = lost
	l.leftwards = len(all) > 0
	l.parts = make([]part, 0, len(all))
	for _, p := range all {
		drawn := part{piece: p, glyphs: s.shape(p)}
		for _, g := range drawn.glyphs {
			drawn.width += g.advance
		}
		l.width += drawn.width
		l.leftwards = l.leftwards && p.level > 0
		l.parts = append(l.parts, drawn)
	}
	reorder(l.parts)
	return l
}

// reorder puts the parts of a line from left to right, as rule L2 of the Unicode bidirectional
// algorithm has it: from the highest level down, it reverses the parts of a level or above.
func reorder(parts []part) {
	highest := bidi.Level(0)
	for _, p := range parts {
		highest = max(highest, p.level)
	}
	for level := highest; level > 0; level-- {
		for i := 0; i < len(parts); i++ {
			end := i
			for end < len(parts) && parts[end].level >= level {
				end++
			}
			slices.Reverse(parts[i:end])
			i = max(i, end)
		}
	}
}

// width returns how wide text is, in ems.
func (s *setter) width(text string, strong bool) float64 {
	c, _ := clean(text)
	return s.set(c, strong).width
}

// cut sets text that is at most some ems wide, with an ellipsis where it was longer.
func (s *setter) cut(text string, strong bool, ems float64) line {
	chars, all := clean(text)
	l := s.set(chars, strong)
	if all && l.width <= ems {
		return l
	}
	ends := s.fitting(chars, strong, ems)
	for n := len(ends); ; n-- {
		end := 0
		if n > 0 {
			end = ends[n-1]
		}
		for end > 0 && chars[end-1] == ' ' {
			end--
		}
		l = s.set(append(slices.Clone(chars[:end]), ellipsis), strong)
		if l.width <= ems || n == 0 {
			return l
		}
	}
}

// fitting returns the ends of the first graphemes of text that fit into a width, each by its
// own: joined, they may be a little wider. It returns one at least.
func (s *setter) fitting(text []rune, strong bool, ems float64) (ends []int) {
	s.graphemes(text, func(_, end int) { ends = append(ends, end) })
	start, sum := 0, 0.0
	for i, end := range ends {
		sum += s.set(text[start:end], strong).width
		if sum > ems {
			return ends[:max(i, 1)]
		}
		start = end
	}
	return ends
}

// wrap breaks text into lines that are at most some ems wide: where its script breaks lines,
// and within what is wider than a line after any grapheme.
func (s *setter) wrap(text string, strong bool, ems float64) (lines []line) {
	chars, _ := clean(text)
	var breaks []int
	s.segments.Init(chars)
	for all := s.segments.LineIterator(); all.Next(); {
		l := all.Line()
		breaks = append(breaks, l.Offset+len(l.Text))
	}
	trimmed := func(start, end int) []rune {
		for end > start && chars[end-1] == ' ' {
			end--
		}
		return chars[start:end]
	}
	start := 0
	for len(breaks) > 0 {
		n := 0
		for n < len(breaks) && s.set(trimmed(start, breaks[n]), strong).width <= ems {
			n++
		}
		if n == 0 { // wider than a line
			ends := s.fitting(chars[start:breaks[0]], strong, ems)
			end := start + ends[len(ends)-1]
			lines = append(lines, s.set(trimmed(start, end), strong))
			start = end
			if start == breaks[0] {
				breaks = breaks[1:]
			}
			continue
		}
		lines = append(lines, s.set(trimmed(start, breaks[n-1]), strong))
		start, breaks = breaks[n-1], breaks[n:]
	}
	return lines
}
