// Package pdf writes reports as PDF, A4 across: the company's name and logo, facts, totals and a
// chart, then the table, and the number of each page.
package pdf

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"time"

	"github.com/johnfercher/maroto/v2"
	"github.com/johnfercher/maroto/v2/pkg/components/col"
	"github.com/johnfercher/maroto/v2/pkg/components/image"
	"github.com/johnfercher/maroto/v2/pkg/components/page"
	"github.com/johnfercher/maroto/v2/pkg/components/row"
	"github.com/johnfercher/maroto/v2/pkg/components/text"
	"github.com/johnfercher/maroto/v2/pkg/config"
	"github.com/johnfercher/maroto/v2/pkg/consts/align"
	"github.com/johnfercher/maroto/v2/pkg/consts/extension"
	"github.com/johnfercher/maroto/v2/pkg/consts/fontstyle"
	"github.com/johnfercher/maroto/v2/pkg/consts/orientation"
	"github.com/johnfercher/maroto/v2/pkg/core"
	"github.com/johnfercher/maroto/v2/pkg/props"

	"workforce/internal/report"
)

// MaxRows is how many rows a report has at most: more are for spreadsheets.
const MaxRows = 2000

// ErrLong is returned for more rows.
var ErrLong = errors.New("pdf: too many rows")

// The page, in millimetres and points.
const (
	margin    = 10.0
	wide      = 297 - 2*margin // between the margins
	high      = 210 - 2*margin - 10
	grid      = 1000 // columns of the grid
	lineHigh  = 5.0
	titleHigh = 7.0
	size      = 7.0 // of text
	point     = 25.4 / 72
	padding   = 2.0 // of a cell, left and right
)

type writer struct {
	out     io.Writer
	head    report.Head
	made    time.Time
	plain   *ruler
	strong  *ruler
	sizes   []int   // of the columns, in the grid
	size    float64 // of the table's text, in points
	rows    [][]string
	started []core.Page
	current []core.Row
	left    float64 // of the current page, in millimetres
}

// New writes a report as PDF. Its rows are held until Close. made is when.
func New(out io.Writer, h report.Head, made time.Time) (report.Writer, error) {
	w := &writer{out: out, head: h, made: made}
	var err error
	if w.plain, err = newRuler(regular); err != nil {
		return nil, err
	}
	if w.strong, err = newRuler(bold); err != nil {
		return nil, err
	}
	return w, nil
}

// The sizes of the table's text, in points.
const (
	smallest = 5.0
	step     = 0.5
	letter   = 0.5 // ems of a letter of running text, for the widths of columns
)

// fit chooses the size of the table's text and shares the grid between the columns, so that
// numbers, dates and times are shown whole, and texts have about the letters that their columns
// ask for.
func (w *writer) fit() {
	ems := make([]float64, len(w.head.Columns))
	for i, c := range w.head.Columns {
		for word := range strings.FieldsSeq(c.Title) {
			ems[i] = max(ems[i], w.strong.ems(w.strong.shown(word)))
		}
		if c.Type == report.Text {
			ems[i] = max(ems[i], letter*float64(c.Width))
			continue
		}
		for _, cells := range w.rows {
			ems[i] = max(ems[i], w.plain.ems(w.plain.shown(cells[i])))
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
	widths, texts := make([]float64, len(ems)), 0.0
	left = wide
	for i, c := range w.head.Columns {
		widths[i] = ems[i]*w.size*point + padding
		left -= widths[i]
		if c.Type == report.Text {
			texts += widths[i]
		}
	}
	w.sizes = make([]int, len(ems))
	given := 0
	for i, c := range w.head.Columns {
		switch {
		case texts == 0:
			widths[i] *= wide / (wide - left)
		case c.Type == report.Text:
			widths[i] *= max(1+left/texts, 0.1)
		}
		w.sizes[i] = int(math.Ceil(grid * widths[i] / wide))
		given += w.sizes[i]
	}
	for i := len(ems) - 1; given > grid && i >= 0; i-- { // what was rounded up
		if c := w.head.Columns[i]; c.Type == report.Text || texts == 0 {
			less := min(given-grid, w.sizes[i]-1)
			w.sizes[i], given = w.sizes[i]-less, given-less
		}
	}
	if len(ems) > 0 {
		w.sizes[0] += grid - given
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

// Close implements report.Writer.
func (w *writer) Close(s report.Summary) error {
	if err := w.begin(); err != nil {
		return err
	}
	w.summary(s)
	w.table()
	w.endPage()
	m := maroto.New(config.NewBuilder().WithOrientation(orientation.Horizontal).WithMaxGridSize(grid).
		WithLeftMargin(margin).WithRightMargin(margin).WithTopMargin(margin).WithBottomMargin(margin).
		WithCustomFonts(fonts()).WithDefaultFont(&props.Font{Family: family, Size: size}).
		WithPageNumber(props.PageNumber{Pattern: w.head.Words.Page, Place: props.RightBottom, Family: family, Size: size}).
		WithTitle(w.head.Title, true).WithAuthor(w.head.Company, true).WithCreationDate(w.made).WithCompression(true).
		Build())
	m.AddPages(w.started...)
	document, err := m.Generate()
	if err != nil {
		return err
	}
	_, err = w.out.Write(document.GetBytes())
	return err
}

// begin starts the first page with the name and logo of the company, and the facts.
func (w *writer) begin() error {
	w.left = high
	const logo = 14.0
	name := w.strong.cut(w.head.Company, ems(wide*0.7, 14))
	title := col.New(grid*8/10).Add(
		text.New(name, props.Text{Size: 14, Style: fontstyle.Bold}),
		text.New(w.strong.cut(w.head.Title, ems(wide*0.7, 11)), props.Text{Size: 11, Style: fontstyle.Bold, Top: 7}),
	)
	mark := col.New(grid * 2 / 10)
	if kind, ok := kindOf(w.head.Logo); ok {
		mark.Add(image.NewFromBytes(w.head.Logo, kind, props.Rect{Percent: 100, Center: true}))
	}
	w.add(logo, row.New(logo).Add(title, mark))
	for _, f := range w.head.Facts {
		w.add(lineHigh, w.line(f))
	}
	w.space()
	return nil
}

// kindOf returns the kind of a picture that a PDF can hold.
func kindOf(logo []byte) (extension.Type, bool) {
	switch {
	case bytes.HasPrefix(logo, []byte("\x89PNG")):
		return extension.Png, true
	case bytes.HasPrefix(logo, []byte("\xff\xd8\xff")):
		return extension.Jpg, true
	}
	return "", false
}

// ems returns how many ems of a size in points so many millimetres are.
func ems(millimetres, points float64) float64 { return (millimetres - padding) / (points * point) }

// add puts a row on the page, or on the next where it does not fit.
func (w *writer) add(height float64, r core.Row) {
	if height > w.left {
		w.endPage()
	}
	w.left -= height
	w.current = append(w.current, r)
}

func (w *writer) space() { w.add(lineHigh/2, row.New(lineHigh/2)) }

// endPage ends the page.
func (w *writer) endPage() {
	w.started = append(w.started, page.New().Add(w.current...))
	w.current, w.left = nil, high
}

// line returns a label and its value.
func (w *writer) line(l report.Line) core.Row {
	return row.New(lineHigh).Add(
		text.NewCol(grid/4, w.plain.cut(l.Label, ems(wide/4, size)), props.Text{}),
		text.NewCol(grid/4, w.plain.cut(l.Value.In(w.head.Zone), ems(wide/4, size)), props.Text{Align: aligned(l.Value.Type())}),
		col.New(grid/2),
	)
}

// summary adds the totals and the chart.
func (w *writer) summary(s report.Summary) {
	if len(s.Totals) > 0 {
		w.heading(w.head.Words.Totals)
		for _, l := range s.Totals {
			w.add(lineHigh, w.line(l))
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
		w.add(lineHigh, w.bar(b, float64(max(b.Value.Int(), 0))/float64(most)))
	}
	w.space()
}

func (w *writer) heading(title string) {
	w.add(titleHigh, row.New(titleHigh).Add(text.NewCol(grid, w.strong.cut(title, ems(wide, 9)), props.Text{Size: 9, Style: fontstyle.Bold, Top: 1})))
}

var (
	blue = &props.Color{Red: 62, Green: 114, Blue: 176}
	grey = &props.Color{Red: 221, Green: 230, Blue: 240}
)

// bar returns a bar of the chart, as a part of the longest.
func (w *writer) bar(l report.Line, part float64) core.Row {
	const most = grid * 6 / 10
	long := min(max(1, int(part*most)), most)
	r := row.New(lineHigh).Add(text.NewCol(grid*2/10, w.plain.cut(l.Label, ems(wide*0.2, size)), props.Text{Align: align.Right, Right: 2}))
	if part > 0 {
		r.Add(col.New(long).WithStyle(&props.Cell{BackgroundColor: blue}))
	} else {
		long = 0
	}
	return r.Add(text.NewCol(grid*8/10-long, w.plain.cut(l.Value.In(w.head.Zone), ems(wide*0.2, size)), props.Text{Left: 1}))
}

// table adds the rows, with the titles of the columns on each page.
func (w *writer) table() {
	if len(w.rows) == 0 {
		w.add(lineHigh, row.New(lineHigh).Add(text.NewCol(grid, w.plain.shown(w.head.Words.Empty))))
		return
	}
	w.fit()
	lines, titles := w.titles()
	height := lineHigh * float64(lines)
	if w.left < height+3*lineHigh {
		w.endPage()
	}
	w.add(height, titles)
	for i, cells := range w.rows {
		if w.left < lineHigh {
			w.endPage()
			_, again := w.titles()
			w.add(height, again)
		}
		w.add(lineHigh, w.row(cells, i%2 == 1))
	}
}

// titles returns the titles of the columns, and how many lines they take.
func (w *writer) titles() (lines int, r core.Row) {
	lines = 1
	broken := make([][]string, len(w.head.Columns))
	for i, c := range w.head.Columns {
		broken[i] = w.wrap(c.Title, w.millimetres(i))
		lines = max(lines, len(broken[i]))
	}
	r = row.New(lineHigh * float64(lines)).WithStyle(&props.Cell{BackgroundColor: grey})
	for i, c := range w.head.Columns {
		cell := col.New(w.sizes[i])
		for n, line := range broken[i] {
			cell.Add(text.New(line, props.Text{Size: w.size, Style: fontstyle.Bold, Top: 1 + float64(n)*(lineHigh-1), Align: aligned(c.Type), Right: 1, Left: 1}))
		}
		r.Add(cell)
	}
	return lines, r
}

// millimetres returns how wide a column is.
func (w *writer) millimetres(i int) float64 { return wide * float64(w.sizes[i]) / grid }

// wrap breaks a title into lines between words.
func (w *writer) wrap(title string, width float64) (lines []string) {
	for word := range strings.FieldsSeq(title) {
		if n := len(lines); n > 0 && w.strong.ems(w.strong.shown(lines[n-1]+" "+word)) <= ems(width, w.size) {
			lines[n-1] += " " + word
			continue
		}
		lines = append(lines, w.strong.cut(word, ems(width, w.size)))
	}
	return lines
}

// aligned puts numbers to the right.
func aligned(t report.Type) align.Type {
	if t == report.Duration || t == report.Number {
		return align.Right
	}
	return align.Left
}

// row returns a row of the table.
func (w *writer) row(cells []string, shaded bool) core.Row {
	r := row.New(lineHigh)
	if shaded {
		r.WithStyle(&props.Cell{BackgroundColor: &props.Color{Red: 246, Green: 248, Blue: 251}})
	}
	for i, c := range cells {
		shown := w.plain.cut(c, ems(w.millimetres(i), w.size))
		r.Add(text.NewCol(w.sizes[i], shown, props.Text{Size: w.size, Top: 1, Align: aligned(w.head.Columns[i].Type), Right: 1, Left: 1}))
	}
	return r
}
