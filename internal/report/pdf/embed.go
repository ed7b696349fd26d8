package pdf

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
)

// A subset is the glyphs of a typeface that a document has, numbered by their first use.
type subset struct {
	number  int // of the font
	name    string
	face    *font.Face
	glyphs  []font.GID // by number; the first is for characters that no glyph has
	numbers map[font.GID]int
	texts   [][]rune // what a glyph stands for where nothing else is said, by number
}

func newSubset(f *typeface, face *font.Face, number int) *subset {
	tag := []byte("AAAAAA") // six letters tell the subsets of a font apart
	for i, n := len(tag)-1, number; n > 0; i, n = i-1, n/26 {
		tag[i] += byte(n % 26)
	}
	return &subset{
		number: number, name: string(tag) + "+" + f.name, face: face,
		glyphs: []font.GID{0}, texts: [][]rune{nil}, numbers: map[font.GID]int{0: 0},
	}
}

// of returns the number of a glyph.
func (s *subset) of(id font.GID) int {
	n, ok := s.numbers[id]
	if !ok {
		n = len(s.glyphs)
		s.numbers[id] = n
		s.glyphs, s.texts = append(s.glyphs, id), append(s.texts, nil)
	}
	return n
}

// em is how many units an em has in PDF.
const em = 1000

// width returns the width of a glyph as the document says it.
func (s *subset) width(id font.GID) float64 {
	return float64(rounded(float64(s.face.HorizontalAdvance(id)) * em / float64(s.face.Upem())))
}

// draw writes the glyphs of a part of a line, in the font that is set, and moves to its end.
func (s *subset) draw(out *bytes.Buffer, p part, points float64) {
	for i := 0; i < len(p.glyphs); {
		end := i + 1 // of the glyphs that stand for the same characters
		for end < len(p.glyphs) && p.glyphs[end].cluster == p.glyphs[i].cluster {
			end++
		}
		i = s.drawCluster(out, p, i, end, points)
	}
}

// drawCluster writes the glyphs of some characters, and what follows while every glyph stands
// for its own, and returns where it ended. What glyphs do not say by themselves, such as the
// characters that two stand for, is written beside them for those who search or copy text.
func (s *subset) drawCluster(out *bytes.Buffer, p part, start, end int, points float64) int {
	text := p.textOf(start)
	own := end-start == 1 && s.says(p.glyphs[start].id, text)
	if !own {
		fmt.Fprintf(out, "/Span<</ActualText%s>>BDC\n", quoted(string(text)))
	}
	out.WriteString("[<")
	rise, moved := 0.0, 0.0 // moved is how far right of its place the next glyph would be, in units
	at := start
	for ; at < len(p.glyphs); at++ {
		g := p.glyphs[at]
		if at >= end && (!own || p.sharesCluster(at) || !s.says(g.id, p.textOf(at))) {
			break
		}
		if g.y != rise {
			fmt.Fprintf(out, ">]TJ %g Ts [<", math.Round(g.y*points*em)/em)
			rise = g.y
		}
		if shift := math.Round(moved - g.x*em); shift != 0 {
			fmt.Fprintf(out, ">%g<", shift)
			moved -= shift
		}
		n := s.of(g.id)
		for shift := 12; shift >= 0; shift -= 4 {
			out.WriteByte("0123456789ABCDEF"[n>>shift&15])
		}
		moved += s.width(g.id) - g.advance*em
	}
	out.WriteByte('>')
	if moved = math.Round(moved); moved != 0 {
		fmt.Fprintf(out, "%g", moved)
	}
	out.WriteString("]TJ\n")
	if rise != 0 {
		out.WriteString("0 Ts\n")
	}
	if !own {
		out.WriteString("EMC\n")
	}
	return at
}

// says reports whether a glyph stands for some text, which the first text that it is drawn for
// decides.
func (s *subset) says(id font.GID, text []rune) bool {
	n := s.of(id)
	if n == 0 {
		return false
	}
	if s.texts[n] == nil {
		s.texts[n] = text
	}
	return slices.Equal(s.texts[n], text)
}

// textOf returns the characters that the glyph at i draws, with others perhaps.
func (p part) textOf(i int) []rune {
	from, to := p.glyphs[i].cluster, len(p.text)
	for _, g := range p.glyphs {
		if g.cluster > from {
			to = min(to, g.cluster)
		}
	}
	return p.text[from:to]
}

// sharesCluster reports whether the glyph at i draws its characters with the next one.
func (p part) sharesCluster(i int) bool {
	return i+1 < len(p.glyphs) && p.glyphs[i].cluster == p.glyphs[i+1].cluster
}

// embed writes the font with its glyphs, and returns its number.
func (s *subset) embed(d *document) int {
	program, unicodes, descriptor, descendant, whole := d.newID(), d.newID(), d.newID(), d.newID(), d.newID()
	var widths strings.Builder
	for _, id := range s.glyphs {
		fmt.Fprintf(&widths, "%g ", s.width(id))
	}
	extents, _ := s.face.FontHExtents()
	scale := em / float64(s.face.Upem())
	ascent, descent := math.Round(float64(extents.Ascender)*scale), math.Round(float64(extents.Descender)*scale)
	d.stream(program, "/Subtype/CIDFontType0C", s.compact())
	d.stream(unicodes, "", s.unicodes())
	d.object(descriptor, fmt.Sprintf("<</Type/FontDescriptor/FontName/%s/Flags 4/FontBBox[0 %g %d %g]"+
		"/ItalicAngle 0/Ascent %g/Descent %g/CapHeight %g/StemV 80/FontFile3 %d 0 R>>",
		s.name, descent, em, ascent, ascent, descent, ascent, program))
	d.object(descendant, fmt.Sprintf("<</Type/Font/Subtype/CIDFontType0/BaseFont/%s"+
		"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor %d 0 R/DW 0/W[0[%s]]>>",
		s.name, descriptor, widths.String()))
	d.object(whole, fmt.Sprintf("<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H/ToUnicode %d 0 R"+
		"/DescendantFonts[%d 0 R]>>", s.name, unicodes, descendant))
	return whole
}

// unicodes returns the text of each glyph, as a CMap.
func (s *subset) unicodes() []byte {
	var out bytes.Buffer
	out.WriteString("/CIDInit/ProcSet findresource begin 12 dict begin begincmap/CMapName/Text def/CMapType 2 def\n" +
		"1 begincodespacerange<0000><FFFF>endcodespacerange\n")
	var rows []string
	for n, text := range s.texts {
		if len(text) > 0 {
			rows = append(rows, fmt.Sprintf("<%04X><%s>\n", n, utf16Hex(text)))
		}
	}
	for some := range slices.Chunk(rows, 100) { // as many as a block may have
		fmt.Fprintf(&out, "%d beginbfchar\n%sendbfchar\n", len(some), strings.Join(some, ""))
	}
	out.WriteString("endcmap CMapName currentdict/CMap defineresource pop end end")
	return out.Bytes()
}

// compact returns the glyphs in the Compact Font Format (Adobe Technical Note 5176), which holds
// outlines of TrueType as well: a font with numbers for names, without hints.
func (s *subset) compact() []byte {
	charStrings := make([][]byte, len(s.glyphs))
	for i, id := range s.glyphs {
		var segments []opentype.Segment
		if id != 0 {
			segments = outline(s.face, id)
		}
		charStrings[i] = charString(s.width(id), segments, em/float64(s.face.Upem()))
	}
	const (
		adobe, identity       = 391, 392 // the first strings of a font of its own
		ros, cidCount         = 1230, 1234
		charset, charStringsK = 15, 17
		fdArray, fdSelect     = 1236, 1237
		private, noWidth      = 18, 20
	)
	n := len(s.glyphs)
	numbers := []byte{0} // glyphs are numbered as their position is: format 0 of few, 2 of more
	if n > 1 {
		numbers = []byte{2, 0, 1, byte((n - 2) >> 8), byte(n - 2)}
	}
	dictionaries := []byte{3, 0, 1, 0, 0, 0, byte(n >> 8), byte(n)} // all glyphs have the first
	head := func(offsets [4]int) []byte {
		top := operator(ros, adobe, identity, 0)
		top = append(top, operator(cidCount, n)...)
		top = append(top, operator(charset, offsets[0])...)
		top = append(top, operator(fdSelect, offsets[1])...)
		top = append(top, operator(charStringsK, offsets[2])...)
		top = append(top, operator(fdArray, offsets[3])...)
		return slices.Concat([]byte{1, 0, 4, 4}, index([]byte(s.name)), index(top),
			index([]byte("Adobe"), []byte("Identity")), index())
	}
	size := len(head([4]int{})) // offsets have five bytes each, whatever they are
	glyphs := index(charStrings...)
	at := [4]int{size}
	for i, part := range [][]byte{numbers, dictionaries, glyphs} {
		at[i+1] = at[i] + len(part)
	}
	values := operator(noWidth, 0)
	font := func(offset int) []byte { return index(operator(private, len(values), offset)) }
	return slices.Concat(head(at), numbers, dictionaries, glyphs, font(at[3]+len(font(0))), values)
}

// operator returns an operator of a dictionary with its operands, five bytes each. 12nn is the
// operator nn of two bytes.
func operator(op int, operands ...int) (out []byte) {
	for _, n := range operands {
		out = append(out, 29, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	}
	if op >= 1200 {
		return append(out, 12, byte(op-1200))
	}
	return append(out, byte(op))
}

// index returns an INDEX of objects.
func index(objects ...[]byte) []byte {
	out := []byte{byte(len(objects) >> 8), byte(len(objects))}
	if len(objects) == 0 {
		return out
	}
	out = append(out, 4) // bytes of an offset
	at := 1
	for i := range len(objects) + 1 {
		out = append(out, byte(at>>24), byte(at>>16), byte(at>>8), byte(at))
		if i < len(objects) {
			at += len(objects[i])
		}
	}
	return append(out, bytes.Join(objects, nil)...)
}

// charString returns an outline as a Type 2 charstring (Adobe Technical Note 5177).
func charString(width float64, outline []opentype.Segment, scale float64) []byte {
	const lineTo, curveTo, endChar, moveTo = 5, 8, 14, 21
	var out []byte
	var x, y int // where the pen is
	to := func(p opentype.SegmentPoint) {
		nextX, nextY := rounded(float64(p.X)*scale), rounded(float64(p.Y)*scale)
		out = number(number(out, nextX-x), nextY-y)
		x, y = nextX, nextY
	}
	out = number(out, int(width))
	var from opentype.SegmentPoint
	for _, s := range outline {
		switch a := s.Args; s.Op {
		case opentype.SegmentOpMoveTo:
			to(a[0])
			out = append(out, moveTo)
			from = a[0]
		case opentype.SegmentOpLineTo:
			to(a[0])
			out = append(out, lineTo)
			from = a[0]
		case opentype.SegmentOpQuadTo: // a quadratic curve as the cubic one that it is
			to(between(from, a[0]))
			to(between(a[1], a[0]))
			to(a[1])
			out = append(out, curveTo)
			from = a[1]
		case opentype.SegmentOpCubeTo:
			to(a[0])
			to(a[1])
			to(a[2])
			out = append(out, curveTo)
			from = a[2]
		}
	}
	return append(out, endChar)
}

// between returns the point two thirds of the way from a to b.
func between(a, b opentype.SegmentPoint) opentype.SegmentPoint {
	return opentype.SegmentPoint{X: a.X + (b.X-a.X)*2/3, Y: a.Y + (b.Y-a.Y)*2/3}
}

// rounded returns a coordinate, at most 16 ems from the origin.
func rounded(v float64) int {
	return int(math.Round(min(max(v, -16*em), 16*em)))
}

// number appends a number to a charstring.
func number(out []byte, n int) []byte {
	switch {
	case n >= -107 && n <= 107:
		return append(out, byte(n+139))
	case n >= 108 && n <= 1131:
		return append(out, byte((n-108)>>8+247), byte(n-108))
	case n >= -1131 && n <= -108:
		return append(out, byte((-n-108)>>8+251), byte(-n-108))
	}
	return append(out, 28, byte(n>>8), byte(n))
}
