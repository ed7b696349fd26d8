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
	Reason errs.Reason
	Meta   errs.Meta
}

func (f *Fault) Error() string { return "table: " + string(f.Reason) }

// Read calls each for every record of a CSV or XLSX file, the header first, with its
// number. The CSV is UTF-8, or UTF-16 with a byte order mark, and separated by commas, semicolons
// or tabs; a first line such as sep=; tells by which, and has no number. Whole numbers of a
// workbook are digits. Empty records have a number but are left out. What is malformed is a *Fault.
func Read(r io.Reader, each func(number int, cells []string) error) error {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return err
	}
	if len(data) > MaxBytes {
		return &Fault{Reason: errs.TooLong, Meta: errs.Meta{"max": MaxBytes}}
	}
	checked := func(number int, cells []string) error {
		if err := check(number, cells); err != nil || isEmpty(cells) {
			return err
		}
		return each(number, cells)
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
	file, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	return err == nil && slices.ContainsFunc(file.File, func(f *zip.File) bool { return f.Name == "xl/workbook.xml" })
}

// check refuses a record that is too long.
func check(number int, cells []string) error {
	if number > MaxRecords+1 {
		return &Fault{number, errs.TooMany, errs.Meta{"max": MaxRecords}}
	}
	if len(cells) > MaxColumns {
		return &Fault{number, errs.TooMany, errs.Meta{"max": MaxColumns}}
	}
	for _, c := range cells {
		if utf8.RuneCountInString(c) > MaxCell {
			return &Fault{number, errs.TooLong, errs.Meta{"max": MaxCell}}
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
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return nil, &Fault{Reason: errs.NotUTF8}
	}
	if bytes.IndexByte(text, '\n') < 0 {
		text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	}
	return text, nil
}

// hint matches the first line by which spreadsheets are told the separator.
var hint = regexp.MustCompile(`^"?sep=([,;\t])"?\r?\n`)

func readCSV(data []byte, each func(int, []string) error) error {
	data, err := plainText(data)
	if err != nil {
		return err
	}
	comma := separator(data)
	if told := hint.FindSubmatch(data); told != nil {
		comma, data = rune(told[1][0]), data[len(told[0]):]
	}
	whole, fault := bounded(data, byte(comma))
	in := csv.NewReader(bytes.NewReader(data[:whole]))
	in.Comma, in.FieldsPerRecord = comma, -1
	for number := 1; ; number++ {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			if fault != nil {
				fault.Record = number
				return fault
			}
			return nil
		}
		if err != nil {
			return &Fault{number, errs.Unreadable, nil}
		}
		if err := each(number, cells); err != nil {
			return err
		}
	}
}

// bounded returns how many bytes there are in front of the first record with more than
// MaxColumns cells, or with a cell that must be too long, and what is wrong with it: nil
// where there is none. Such a record would take many times its size in memory.
func bounded(data []byte, comma byte) (int, *Fault) {
	begin, separators, quoted := 0, 0, false
	for i, c := range data {
		if i-begin > maxRecord {
			return begin, &Fault{Reason: errs.TooLong, Meta: errs.Meta{"max": MaxCell}}
		}
		switch {
		case c == '"':
			quoted = !quoted
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

// NewWriter returns a writer of a format: csv, with byte order mark, or xlsx.
func NewWriter(w io.Writer, format string) (Writer, error) {
	if format == "xlsx" {
		return newXLSX(w)
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
