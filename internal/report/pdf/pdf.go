// Package pdf writes reports as PDF, A4 across: the company's name and logo, facts, totals and a
// chart, then the table, and the number of each page.
package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg" // a logo's
	_ "image/png"  // a logo's
	"io"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"workforce/internal/report"
)

// MaxRows is how many rows a report has at most: more are for spreadsheets.
const MaxRows = 2000

// ErrLong is returned for more rows.
var ErrLong = errors.New("pdf: too many rows")

// What is on the page, in millimetres and points.
const (
	margin    = 10.0
	wide      = pageWide - 2*margin // between the margins
	high      = pageHigh - 2*margin - 10
	logoHigh  = 14.0
	lineHigh  = 5.0
	titleHigh = 7.0
	size      = 7.0 // of text
	padding   = 2.0 // of a cell, left and right
)

type writer struct {
	document *document
	setter   *setter
	head     report.Head
	made     time.Time
	widths   []float64 // of the columns, in millimetres
	size     float64   // of the table's text, in points
	rows     [][]string
	left     float64 // of the current page, in millimetres
	missing  map[rune]bool
}

// New writes a report as PDF. Its rows are held until Close. made is when; fonts nil are those
// that are built in.
func New(out io.Writer, h report.Head, made time.Time, fonts *Fonts) (report.Writer, error) {
	if fonts == nil {
		var err error
		if fonts, err = builtIn(); err != nil {
			return nil, err
		}
	}
	s := newSetter(fonts)
	return &writer{document: newDocument(out, s.face), setter: s, head: h, made: made, missing: map[rune]bool{}}, nil
}

// The sizes of the table's text, in points.
const (
	smallest = 5.0
	step     = 0.5
	letter   = 0.5 // ems of a letter of running text, for the widths of columns
)

// fit chooses the size of the table's text and shares the page between the columns, so that
// numbers, dates and times are shown whole, and texts have about the letters that their columns
// ask for.
func (w *writer) fit() {
	ems := make([]float64, len(w.head.Columns))
	for i, c := range w.head.Columns {
		for word := range strings.FieldsSeq(c.Title) {
			ems[i] = max(ems[i], w.setter.width(word, true))
		}
		if c.Type == report.Text {
			ems[i] = max(ems[i], letter*float64(c.Width))
			continue
		}
		for _, cells := range w.rows {
			ems[i] = max(ems[i], w.setter.width(cells[i], false))
		}
	}
	for w.size = size; ; w.size -= step {
		if left := w.share(ems); left >= 0 || w.size <= smallest {
			return
		}
	}
}

// share gives each column the width of so many ems, what is left of the page to texts, or
// to all without texts, and returns how many millimetres were left.
func (w *writer) share(ems []float64) (left float64) {
	w.widths = make([]float64, len(ems))
	texts := 0.0
	left = wide
	for i, c := range w.head.Columns {
		w.widths[i] = ems[i]*w.size*point + padding
		left -= w.widths[i]
		if c.Type == report.Text {
			texts += w.widths[i]
		}
	}
	for i, c := range w.head.Columns {
		switch {
		case texts == 0:
			w.widths[i] *= wide / (wide - left)
		case c.Type == report.Text:
			w.widths[i] *= max(1+left/texts, 0.1)
		}
	}
	return left
}

// Row implements report.Writer.
func (w *writer) Row(cells []report.Value) error {
	if len(w.rows) == MaxRows {
		return ErrLong
	}
	texts := make([]string, len(cells))
	for i, c := range cells {
		texts[i] = c.In(w.head.Zone)
	}
	w.rows = append(w.rows, texts)
	return nil
}

// Close implements report.Writer. A font that is damaged where only its use shows it is an error.
func (w *writer) Close(s report.Summary) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("pdf: a font is damaged, or text cannot be set: %v\n%s", p, debug.Stack())
		}
	}()
	w.newPage()
	if err := w.begin(); err != nil {
		return err
	}
	w.summary(s)
	w.table()
	w.note()
	w.numberPages()
	return w.document.close(about{
		title: w.head.Title, author: w.head.Company, language: w.head.Words.Language, made: w.made,
	})
}

func (w *writer) newPage() {
	w.document.newPage()
	w.left = high
}

// add makes room for a row on the page, or on the next where it does not fit, and returns its
// upper edge.
func (w *writer) add(height float64) (top float64) {
	if height > w.left {
		w.newPage()
	}
	top = margin + high - w.left
	w.left -= height
	return top
}

func (w *writer) space() { w.add(lineHigh / 2) }

// ems returns how many ems of a size in points so many millimetres are.
func ems(millimetres, points float64) float64 { return (millimetres - padding) / (points * point) }

// An edge is that at which text begins.
type edge int

const (
	leftEdge edge = iota
	rightEdge
)

// draw draws a line between two edges; text that reads from right to left begins at the right one.
func (w *writer) draw(l line, at edge, left, right, top, points float64) {
	if at == rightEdge || l.leftwards {
		left = right - l.width*points*point
	}
	w.document.text(l, left, top+points*point, points)
	for _, c := range l.missing {
		w.missing[c] = true
	}
}

// begin draws the name and logo of the company, and the facts.
func (w *writer) begin() error {
	const share, nameSize, titleSize = 0.7, 14, 11
	top := w.add(logoHigh)
	right := margin + wide*share
	w.draw(w.setter.cut(w.head.Company, true, ems(wide*share, nameSize)), leftEdge, margin, right, top, nameSize)
	w.draw(w.setter.cut(w.head.Title, true, ems(wide*share, titleSize)), leftEdge, margin, right, top+7, titleSize)
	if err := w.logo(top); err != nil {
		return err
	}
	for _, f := range w.head.Facts {
		w.line(f)
	}
	w.space()
	return nil
}

// logo draws the logo of the company in the upper right corner, if it is a picture that is known.
func (w *writer) logo(top float64) error {
	const share, maxPixels = 0.2, 1 << 24
	about, _, err := image.DecodeConfig(bytes.NewReader(w.head.Logo))
	if errors.Is(err, image.ErrFormat) || err == nil && about.Width*about.Height > maxPixels {
		return nil
	}
	if err != nil {
		return fmt.Errorf("pdf: logo: %w", err)
	}
	picture, _, err := image.Decode(bytes.NewReader(w.head.Logo))
	if err != nil {
		return fmt.Errorf("pdf: logo: %w", err)
	}
	b := picture.Bounds()
	pixels := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(pixels, pixels.Rect, picture, b.Min, draw.Src)
	colours, opacity := make([]byte, 0, 3*b.Dx()*b.Dy()), make([]byte, 0, b.Dx()*b.Dy())
	for p := range slices.Chunk(pixels.Pix, 4) {
		colours, opacity = append(colours, p[0], p[1], p[2]), append(opacity, p[3])
	}
	number := w.document.addImage(b.Dx(), b.Dy(), colours, opacity)
	scale := min(wide*share/float64(b.Dx()), logoHigh/float64(b.Dy()))
	width, height := float64(b.Dx())*scale, float64(b.Dy())*scale
	w.document.image(number, margin+wide*(1-share)+(wide*share-width)/2, top+(logoHigh-height)/2, width, height)
	return nil
}

// line draws a label and its value.
func (w *writer) line(l report.Line) {
	const column = wide / 4
	top := w.add(lineHigh)
	w.draw(w.setter.cut(l.Label, false, ems(column, size)), leftEdge, margin, margin+column, top, size)
	value := w.setter.cut(l.Value.In(w.head.Zone), false, ems(column, size))
	w.draw(value, aligned(l.Value.Type()), margin+column, margin+2*column, top, size)
}

// summary draws the totals and the chart.
func (w *writer) summary(s report.Summary) {
	if len(s.Totals) > 0 {
		w.heading(w.head.Words.Totals)
		for _, l := range s.Totals {
			w.line(l)
		}
		w.space()
	}
	if len(s.Chart.Bars) == 0 {
		return
	}
	w.heading(s.Chart.Title)
	most := 1
	for _, b := range s.Chart.Bars {
		most = max(most, b.Value.Int())
	}
	for _, b := range s.Chart.Bars {
		w.bar(b, float64(max(b.Value.Int(), 0))/float64(most))
	}
	w.space()
}

func (w *writer) heading(title string) {
	const points = 9
	w.draw(w.setter.cut(title, true, ems(wide, points)), leftEdge, margin, margin+wide, w.add(titleHigh)+1, points)
}

var (
	blue  = colour{62, 114, 176}
	grey  = colour{221, 230, 240}
	shade = colour{246, 248, 251}
)

// bar draws a bar of the chart, as a part of the longest.
func (w *writer) bar(l report.Line, part float64) {
	const label, longest, shortest = wide * 0.2, wide * 0.6, wide / 1000
	top := w.add(lineHigh)
	w.draw(w.setter.cut(l.Label, false, ems(label, size)), rightEdge, margin, margin+label-2, top, size)
	end := margin + label
	if part > 0 {
		long := max(shortest, longest*part)
		w.document.fill(blue, end, top, long, lineHigh)
		end += long
	}
	w.draw(w.setter.cut(l.Value.In(w.head.Zone), false, ems(label, size)), leftEdge, end+1, margin+wide, top, size)
}

// table draws the rows, with the titles of the columns on each page.
func (w *writer) table() {
	if len(w.rows) == 0 {
		w.draw(w.setter.cut(w.head.Words.Empty, false, ems(wide, size)), leftEdge, margin, margin+wide, w.add(lineHigh), size)
		return
	}
	w.fit()
	titles := make([][]line, len(w.head.Columns))
	most := 1
	for i, c := range w.head.Columns {
		titles[i] = w.setter.wrap(c.Title, true, ems(w.widths[i], w.size))
		most = max(most, len(titles[i]))
	}
	height := lineHigh * float64(most)
	if w.left < height+3*lineHigh {
		w.newPage()
	}
	w.titles(titles, height)
	for i, cells := range w.rows {
		if w.left < lineHigh {
			w.newPage()
			w.titles(titles, height)
		}
		w.row(cells, i%2 == 1)
	}
}

// titles draws the titles of the columns.
func (w *writer) titles(titles [][]line, height float64) {
	top, left := w.add(height), margin
	w.document.fill(grey, margin, top, wide, height)
	for i, c := range w.head.Columns {
		right := left + w.widths[i]
		for n, l := range titles[i] {
			w.draw(l, aligned(c.Type), left+padding/2, right-padding/2, top+1+float64(n)*(lineHigh-1), w.size)
		}
		left = right
	}
}

// aligned puts numbers to the right.
func aligned(t report.Type) edge {
	if t == report.Duration || t == report.Number {
		return rightEdge
	}
	return leftEdge
}

// row draws a row of the table.
func (w *writer) row(cells []string, shaded bool) {
	top, left := w.add(lineHigh), margin
	if shaded {
		w.document.fill(shade, margin, top, wide, lineHigh)
	}
	for i, c := range cells {
		right := left + w.widths[i]
		cell := w.setter.cut(c, false, ems(w.widths[i], w.size))
		w.draw(cell, aligned(w.head.Columns[i].Type), left+padding/2, right-padding/2, top+1, w.size)
		left = right
	}
}

// note says which characters were drawn as boxes.
func (w *writer) note() {
	if len(w.missing) == 0 {
		return
	}
	text := strings.ReplaceAll(w.head.Words.Missing, "{characters}", listed(w.missing))
	w.space()
	for _, l := range w.setter.wrap(text, false, ems(wide, size)) {
		w.draw(l, leftEdge, margin, margin+wide, w.add(lineHigh), size)
	}
}

// listed returns the scripts of characters with the numbers of some; those that are of no script,
// such as emoji, come last.
func listed(characters map[rune]bool) string {
	const most = 8 // of a script
	scripts := map[string][]string{}
	for _, c := range slices.Sorted(maps.Keys(characters)) {
		name := scriptName(c)
		switch n := len(scripts[name]); {
		case n < most:
			scripts[name] = append(scripts[name], fmt.Sprintf("U+%04X", c))
		case n == most:
			scripts[name] = append(scripts[name], string(ellipsis))
		}
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(scripts)) {
		if name != "" {
			all = append(all, name+" ("+strings.Join(scripts[name], " ")+")")
		}
	}
	return strings.Join(append(all, scripts[""]...), ", ")
}

// scriptName returns the name of a character's script in Unicode; "" if any script has it.
func scriptName(c rune) string {
	for name, table := range unicode.Scripts {
		if name != "Common" && name != "Inherited" && unicode.Is(table, c) {
			return name
		}
	}
	return ""
}

// numberPages puts its number on each page.
func (w *writer) numberPages() {
	total := len(w.document.pages)
	for i, p := range w.document.pages {
		w.document.page = p
		text := strings.NewReplacer("{current}", strconv.Itoa(i+1), "{total}", strconv.Itoa(total)).Replace(w.head.Words.Page)
		w.draw(w.setter.cut(text, false, ems(wide, size)), rightEdge, margin, margin+wide, pageHigh-margin-lineHigh, size)
	}
}
