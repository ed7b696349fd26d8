// Package workbook writes reports as XLSX: a sheet of rows with a frozen header, and one of
// totals with a chart.
package workbook

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"workforce/internal/report"
	"workforce/internal/table"
)

// maxRows is how many rows a sheet has, besides its header.
const maxRows = 1<<20 - 1

// errLong is returned for more rows than a sheet has.
var errLong = fmt.Errorf("workbook: more than %d rows", maxRows)

// A writer writes a workbook. What is written of the rows lies in a temporary file.
type writer struct {
	out    io.Writer
	head   report.Head
	book   *excelize.File
	sheet  *excelize.StreamWriter
	styles map[report.Type]int
	header int // style
	below  int // style of durations below zero
	hours  int // style of decimal hours
	number int // of the last row
	cells  []any
}

// New writes a report as XLSX. Text is stored as text, whatever it begins with; dates, times
// and durations are numbers with a format, but for durations below zero, which are text. made is when.
func New(out io.Writer, h report.Head, made time.Time) (report.Writer, error) {
	w := &writer{out: out, head: h, book: excelize.NewFile(), styles: map[report.Type]int{}}
	w.book.SetZipWriter(func(io.Writer) excelize.ZipWriter { return zip.NewWriter(out) }) // not by way of a buffer
	if err := w.begin(made); err != nil {
		return nil, errors.Join(err, w.book.Close())
	}
	return w, nil
}

// formats are those of the values that are numbers.
var formats = map[report.Type]string{
	report.Date: "yyyy-mm-dd", report.Instant: "yyyy-mm-dd hh:mm:ss", report.Duration: "[h]:mm:ss", report.Number: "#,##0",
}

// begin makes the styles and the header.
func (w *writer) begin(made time.Time) (err error) {
	for t, format := range formats {
		if w.styles[t], err = w.book.NewStyle(&excelize.Style{CustomNumFmt: &format}); err != nil {
			return err
		}
	}
	if w.hours, err = w.book.NewStyle(&excelize.Style{CustomNumFmt: new("0.00")}); err != nil {
		return err
	}
	if w.below, err = w.book.NewStyle(&excelize.Style{Alignment: &excelize.Alignment{Horizontal: "right"}}); err != nil {
		return err
	}
	w.header, err = w.book.NewStyle(&excelize.Style{
		Font: &excelize.Font{Bold: true, Family: "Calibri", Size: 11}, Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"DDE6F0"}},
		Alignment: &excelize.Alignment{Vertical: "center", WrapText: true},
	})
	if err != nil {
		return err
	}
	if err := w.book.SetSheetName(w.book.GetSheetName(0), sheetName(w.head.Title)); err != nil {
		return err
	}
	if _, err := w.book.NewSheet(w.totals()); err != nil {
		return err
	}
	err = table.Describe(w.book, table.Properties{
		Title: w.head.Title, Creator: w.head.Company, Language: w.head.Words.Language, Made: made,
	})
	if err != nil {
		return err
	}
	rows := sheetName(w.head.Title)
	if err := w.printed(rows); err != nil {
		return err
	}
	if w.sheet, err = w.book.NewStreamWriter(rows); err != nil {
		return err
	}
	return w.top()
}

// printed has a sheet printed as wide as a page, on its side, with the header on each.
func (w *writer) printed(sheet string) error {
	return errors.Join(
		w.book.SetSheetProps(sheet, &excelize.SheetPropsOptions{FitToPage: new(true)}),
		w.book.SetPageLayout(sheet, &excelize.PageLayoutOptions{Orientation: new("landscape"), FitToWidth: new(1), FitToHeight: new(0)}),
		w.book.SetDefinedName(&excelize.DefinedName{
			Name: "_xlnm.Print_Titles", RefersTo: "'" + strings.ReplaceAll(sheet, "'", "''") + "'!$1:$1", Scope: sheet,
		}),
	)
}

// totals returns the name of the sheet of totals.
func (w *writer) totals() string { return sheetName(w.head.Words.Totals) }

// top writes the header, which stays in sight.
func (w *writer) top() error {
	columns := slices.Clone(w.head.Columns)
	for _, c := range w.head.Columns {
		if c.Signed {
			c.Title = strings.ReplaceAll(w.head.Words.Hours, "{title}", c.Title)
			columns = append(columns, c)
		}
	}
	titles := make([]any, len(columns))
	for i, c := range columns {
		titles[i] = excelize.Cell{StyleID: w.header, Value: c.Title}
		if err := w.sheet.SetColWidth(i+1, i+1, float64(c.Width+2)); err != nil {
			return err
		}
	}
	if err := w.sheet.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	w.number = 1
	return w.sheet.SetRow("A1", titles, excelize.RowOpts{Height: 30})
}

// Row implements report.Writer.
func (w *writer) Row(cells []report.Value) error {
	if w.number++; w.number > maxRows+1 {
		return errLong
	}
	w.cells = w.cells[:0]
	for _, c := range cells {
		w.cells = append(w.cells, w.cell(c))
	}
	for i, c := range w.head.Columns {
		if c.Signed {
			w.cells = append(w.cells, excelize.Cell{StyleID: w.hours, Value: float64(cells[i].Int()) / 3600})
		}
	}
	return w.sheet.SetRow("A"+strconv.Itoa(w.number), w.cells)
}

// cell returns a value as a cell.
func (w *writer) cell(v report.Value) any {
	switch {
	case v.IsEmpty():
		return nil
	case v.Type() == report.Text:
		return v.In(w.head.Zone)
	case isBelow(v):
		return excelize.Cell{StyleID: w.below, Value: v.In(w.head.Zone)}
	}
	return excelize.Cell{StyleID: w.styles[v.Type()], Value: w.cellNumber(v)}
}

// isBelow reports whether a value is a duration that spreadsheets do not show as a time.
func isBelow(v report.Value) bool { return v.Type() == report.Duration && v.Int() < 0 }

// cellNumber returns the number that a workbook has for a value. Times are those of the clock on
// the wall.
func (w *writer) cellNumber(v report.Value) any {
	const day = 24 * 60 * 60
	switch v.Type() {
	case report.Duration:
		return rounded(float64(v.Int()) / day)
	case report.Number:
		return v.Int()
	}
	at := v.Time()
	if v.Type() == report.Instant {
		at = at.In(w.head.Zone)
	}
	wall := time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
	const epoch = 25569 // 1 January 1970
	return rounded(epoch + float64(wall.Unix())/day)
}

// rounded returns the number closest to the 15 digits that cells have: excelize cuts the others
// off, which would make a time a second early.
func rounded(n float64) float64 {
	closest, err := strconv.ParseFloat(strconv.FormatFloat(n, 'g', 15, 64), 64)
	if err != nil {
		return n
	}
	return closest
}

// Close implements report.Writer.
func (w *writer) Close(s report.Summary) error {
	err := w.sheet.Flush()
	if err == nil {
		err = w.addTotals(s)
	}
	if err == nil {
		err = w.book.Write(w.out)
	}
	return errors.Join(err, w.book.Close())
}

// addTotals fills the sheet of totals: facts, totals, and what the chart shows.
func (w *writer) addTotals(s report.Summary) error {
	sheet := w.totals()
	if err := errors.Join(w.book.SetColWidth(sheet, "A", "A", 34), w.book.SetColWidth(sheet, "B", "B", 24)); err != nil {
		return err
	}
	at := 1
	title := []report.Line{{Label: w.head.Company}, {Label: w.head.Title}}
	for _, part := range [][]report.Line{title, w.head.Facts, s.Totals} {
		if err := w.lines(sheet, at, part); err != nil {
			return err
		}
		at += len(part) + 1
	}
	if err := w.book.SetCellStyle(sheet, "A1", "A2", w.header); err != nil {
		return err
	}
	if len(s.Chart.Bars) == 0 {
		return nil
	}
	if err := w.lines(sheet, at, append([]report.Line{{Label: s.Chart.Title}}, s.Chart.Bars...)); err != nil {
		return err
	}
	return w.chart(sheet, at+1, s.Chart)
}

// lines writes labels and values from a row on.
func (w *writer) lines(sheet string, from int, lines []report.Line) error {
	for i, l := range lines {
		row := strconv.Itoa(from + i)
		if err := w.book.SetCellStr(sheet, "A"+row, l.Label); err != nil {
			return err
		}
		if err := w.set(sheet, "B"+row, l.Value); err != nil {
			return err
		}
	}
	return nil
}

// set writes one cell of a sheet that is no stream.
func (w *writer) set(sheet, at string, v report.Value) error {
	switch {
	case v.IsEmpty():
		return nil
	case v.Type() == report.Text:
		return w.book.SetCellStr(sheet, at, v.In(w.head.Zone))
	case isBelow(v):
		return errors.Join(w.book.SetCellStr(sheet, at, v.In(w.head.Zone)), w.book.SetCellStyle(sheet, at, at, w.below))
	}
	return errors.Join(
		w.book.SetCellValue(sheet, at, w.cellNumber(v)),
		w.book.SetCellStyle(sheet, at, at, w.styles[v.Type()]),
	)
}

// chart adds the chart of the bars from a row on.
func (w *writer) chart(sheet string, from int, c report.Chart) error {
	cells := func(column string) string {
		return fmt.Sprintf("'%s'!$%s$%d:$%s$%d", sheet, column, from, column, from+len(c.Bars)-1)
	}
	return w.book.AddChart(sheet, "D2", &excelize.Chart{
		Type:      excelize.Col,
		Series:    []excelize.ChartSeries{{Name: fmt.Sprintf("'%s'!$A$%d", sheet, from-1), Categories: cells("A"), Values: cells("B")}},
		Title:     excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: c.Title}}},
		Legend:    excelize.ChartLegend{Position: "none"},
		YAxis:     excelize.ChartAxis{MajorGridLines: true, NumFmt: excelize.ChartNumFmt{CustomNumFmt: formats[c.Type]}},
		Dimension: excelize.ChartDimension{Width: 720, Height: 360},
	})
}

// sheetName returns a name that a sheet may have: at most 31 characters, and none of those
// that refer to cells.
func sheetName(text string) string {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:\/?*[]'`, r) {
			return '-'
		}
		return r
	}, text)
	for utf8.RuneCountInString(text) > 31 {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}
