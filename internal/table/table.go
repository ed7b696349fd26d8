// Package table reads and writes tables of text as CSV and XLSX. What it reads may come
// from anybody, and is bounded.
package table

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"

	"workforce/internal/errs"
	"workforce/internal/textform"
)

// What a table may hold at most.
const (
	MaxBytes   = 16 << 20 // of the file
	MaxRecords = 10_000   // besides the header
	MaxColumns = 50
	MaxCell    = 2000 // characters
)

// maxRecord is the most bytes of a record within these limits, with quotes.
const maxRecord = MaxColumns * (MaxCell*utf8.UTFMax + len(`"",`))

// A Fault is what makes a table unreadable.
type Fault struct {
	Record int // the header is 1; 0 for the file as a whole
	Column int // from 1; 0 for the record as a whole
	Reason errs.Reason
	Meta   errs.Meta
}

func (f *Fault) Error() string { return "table: " + string(f.Reason) }

// A Record is a row of a table.
type Record struct {
	Number    int // the header is 1
	Cells     []string
	Faults    []*Fault // cells that cannot be read, which are empty
	Since1904 bool     // days in it count from 1904, as they do in workbooks of old
}

// Read calls each for every record of a CSV or XLSX file, the header first, which is valid during
// the call. The CSV is UTF-8, or UTF-16 with a byte order mark, and separated by commas, semicolons
// or tabs; a first line such as sep=; tells by which, and has no number. Of a workbook it reads the
// first sheet that is not hidden, with cells as the sheet shows them, but for numbers, which are not
// grouped and have no zeros at their end, and dates and times, which are as ISO 8601 has them. Empty
// records have a number but are left out. What is malformed is a *Fault.
func Read(r io.Reader, each func(Record) error) error {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return err
	}
	if len(data) > MaxBytes {
		return &Fault{Reason: errs.TooLong, Meta: errs.Meta{"max": MaxBytes}}
	}
	checked := func(r Record) error {
		if err := check(r.Number, r.Cells); err != nil || isEmpty(r.Cells) && len(r.Faults) == 0 {
			return err
		}
		return each(r)
	}
	if isZIP(data) {
		return readXLSX(data, checked)
	}
	return readCSV(data, checked)
}

// XLSX is the media type of a workbook.
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

func isZIP(data []byte) bool { return bytes.HasPrefix(data, []byte("PK\x03\x04")) }

// IsXLSX reports whether a file is a workbook by the names of its parts.
func IsXLSX(data []byte) bool {
	if !isZIP(data) {
		return false
	}
	file, err := openZIP(data)
	return err == nil && slices.ContainsFunc(file.File, func(f *zip.File) bool { return partName(f.Name) == "xl/workbook.xml" })
}

// check refuses a record that comes too late, or with a cell that is too long.
func check(number int, cells []string) error {
	if number > MaxRecords+1 {
		return &Fault{Record: number, Reason: errs.TooMany, Meta: errs.Meta{"max": MaxRecords}}
	}
	for i, c := range cells {
		if utf8.RuneCountInString(c) > MaxCell {
			return &Fault{number, i + 1, errs.TooLong, errs.Meta{"max": MaxCell}}
		}
	}
	return nil
}

func isEmpty(cells []string) bool {
	for _, c := range cells {
		if strings.TrimSpace(c) != "" {
			return false
		}
	}
	return true
}

// byteOrderMark begins UTF-8 that spreadsheets write.
const byteOrderMark = "\uFEFF"

// plainText returns the text of a CSV file in UTF-8, with lines that end with a line feed. It may
// be UTF-16 with a byte order mark, which spreadsheets write as "Unicode text".
func plainText(data []byte) ([]byte, error) {
	text := bytes.TrimPrefix(data, []byte(byteOrderMark))
	if bytes.HasPrefix(data, []byte("\xFF\xFE")) || bytes.HasPrefix(data, []byte("\xFE\xFF")) {
		decoded, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(data)
		if err != nil || len(data)%2 != 0 {
			return nil, &Fault{Reason: errs.NotUTF8}
		}
		text = decoded
	}
	if line := notText(text); line > 0 {
		return nil, &Fault{Reason: errs.NotUTF8, Meta: errs.Meta{"line": line}}
	}
	if bytes.IndexByte(text, '\n') < 0 {
		text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	}
	return text, nil
}

// notText returns the first line that is not UTF-8 or has NUL, 0 for none.
func notText(data []byte) int {
	if utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 {
		return 0
	}
	end := "\n"
	if bytes.IndexByte(data, '\n') < 0 {
		end = "\r"
	}
	number := 0
	for line := range bytes.SplitSeq(data, []byte(end)) {
		number++
		if !utf8.Valid(line) || bytes.IndexByte(line, 0) >= 0 {
			break
		}
	}
	return number
}

// hint matches the first line by which spreadsheets are told the separator.
var hint = regexp.MustCompile(`^"?sep=([,;\t])"?\r?\n`)

func readCSV(data []byte, each func(Record) error) error {
	data, err := plainText(data)
	if err != nil {
		return err
	}
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return &Fault{Reason: errs.EmptyFile}
	case textform.IsPage(data):
		return &Fault{Reason: errs.WebPage}
	}
	comma, before := separator(data), 0 // lines in front of the records
	if told := hint.FindSubmatch(data); told != nil {
		comma, data = rune(told[1][0]), data[len(told[0]):]
		before = 1
	}
	whole, fault := bounded(data, byte(comma), before)
	in := csv.NewReader(bytes.NewReader(data[:whole]))
	in.Comma, in.FieldsPerRecord = comma, -1
	for number, end := 0, 0; ; end = int(in.InputOffset()) {
		cells, err := in.Read()
		number += 1 + blank(data[end:whole])
		if errors.Is(err, io.EOF) {
			if fault != nil {
				fault.Record = number
				return fault
			}
			return nil
		}
		if err != nil {
			return quoteFault(err, number, before, cells)
		}
		if err := each(Record{Number: number, Cells: cells, Faults: errorCells(number, cells)}); err != nil {
			return err
		}
	}
}

// quoteFault returns what is wrong with the quotes of a record, of which the cells before are read.
// before is how many lines the reader does not count.
func quoteFault(err error, number, before int, cells []string) error {
	var malformed *csv.ParseError
	if !errors.As(err, &malformed) {
		return err
	}
	reason, line := errs.QuoteWithin, before+malformed.Line
	if errors.Is(err, csv.ErrQuote) {
		reason, line = errs.OpenQuote, before+malformed.StartLine
		for _, c := range cells {
			line += strings.Count(c, "\n")
		}
	}
	return &Fault{Record: number, Reason: reason, Meta: errs.Meta{"line": line}}
}

// cellErrors are what cells show whose formulas cannot be calculated.
var cellErrors = []string{"#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"}

// errorCells empties the cells of a record that show an error, as they are read of a workbook, and
// returns their faults.
func errorCells(number int, cells []string) (faults []*Fault) {
	for i, c := range cells {
		if text := strings.TrimSpace(c); slices.Contains(cellErrors, text) {
			cells[i] = ""
			faults = append(faults, &Fault{number, i + 1, errs.CellError, errs.Meta{"value": text}})
		}
	}
	return faults
}

// blank returns how many lines at the beginning are empty, over which the reader passes.
func blank(data []byte) (n int) {
	for {
		rest, ok := bytes.CutPrefix(bytes.TrimPrefix(data, []byte("\r")), []byte("\n"))
		if !ok {
			return n
		}
		n, data = n+1, rest
	}
}

// bounded returns how many bytes there are in front of the first record with more than
// MaxColumns cells, with a cell that must be too long, or with a quote that is not closed for
// as long, and what is wrong with it: nil where there is none. Such a record would take many
// times its size in memory. before is how many lines there are in front of the data.
func bounded(data []byte, comma byte, before int) (int, *Fault) {
	begin, separators, quoted, opened := 0, 0, false, 0
	for i, c := range data {
		if i-begin > maxRecord && quoted {
			line := before + 1 + bytes.Count(data[:opened], []byte("\n"))
			return begin, &Fault{Reason: errs.OpenQuote, Meta: errs.Meta{"line": line}}
		}
		if i-begin > maxRecord {
			return begin, &Fault{Reason: errs.TooLong, Meta: errs.Meta{"max": MaxCell}}
		}
		switch {
		case c == '"':
			if quoted = !quoted; quoted && (i == 0 || data[i-1] != '"') { // else it is one within a cell
				opened = i
			}
		case quoted:
		case c == '\n':
			begin, separators = i+1, 0
		case c == comma:
			if separators++; separators == MaxColumns {
				return begin, &Fault{Reason: errs.TooMany, Meta: errs.Meta{"max": MaxColumns}}
			}
		}
	}
	return len(data), nil
}

// separators are those of tables; of two that are as frequent the first counts.
const separators = ",;\t"

// separator returns the one that is most frequent in the header, outside of quotes.
func separator(data []byte) rune {
	var counts [len(separators)]int
	quoted, any := false, false
	for _, c := range data {
		if c == '"' {
			quoted = !quoted
		}
		if quoted {
			continue
		}
		if c == '\n' && any {
			break
		}
		if i := strings.IndexByte(separators, c); i >= 0 {
			counts[i]++
			any = true
		}
	}
	best := 0
	for i, n := range counts {
		if n > counts[best] {
			best = i
		}
	}
	return rune(separators[best])
}

// A Writer writes the records of a table. Close ends the file, and leaves what it was
// written to open.
type Writer interface {
	Write(cells []string) error
	Close() error
}

// NewWriter returns a writer of a format: csv, with byte order mark, or xlsx, which has properties.
func NewWriter(w io.Writer, format string, p Properties) (Writer, error) {
	if format == "xlsx" {
		return newXLSX(w, p)
	}
	out := bufio.NewWriter(w)
	_, err := out.WriteString(byteOrderMark)
	return &csvWriter{csv.NewWriter(out), out}, err
}

type csvWriter struct {
	csv *csv.Writer
	out *bufio.Writer
}

func (w *csvWriter) Write(cells []string) error { return w.csv.Write(cells) }

func (w *csvWriter) Close() error {
	w.csv.Flush()
	return errors.Join(w.csv.Error(), w.out.Flush())
}

// formulas are the characters with which spreadsheets take a cell for a formula, those of full
// width too.
const formulas = "=+-@\t\r\uFF1D\uFF0B\uFF0D\uFF20"

// Protect returns text as a cell that no spreadsheet takes for a formula: behind an
// apostrophe where it begins with a character of a formula, or with apostrophes and one.
// Plain is its inverse.
func Protect(text string) string {
	if isFormula(text) {
		return "'" + text
	}
	return text
}

// Plain returns the text that Protect made a cell of. Cells that are no formulas are
// themselves.
func Plain(cell string) string {
	if strings.HasPrefix(cell, "'") && isFormula(cell) {
		return cell[1:]
	}
	return cell
}

func isFormula(text string) bool {
	text = strings.TrimLeft(text, "'")
	first, _ := utf8.DecodeRuneInString(text)
	return text != "" && strings.ContainsRune(formulas, first)
}
