package table

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"workforce/internal/errs"
)

// A workbook unpacks to at most maxUnpacked bytes, of which maxSheet of one part are
// held in memory, and maxOther of those that are no sheets. Its XML has at most
// maxMarks tags and attributes, each of which takes many times its size in memory: two
// thirds are enough for MaxRecords with all the columns of people.
const (
	maxUnpacked   = 64 << 20
	maxSheet      = 8 << 20
	maxOther      = 8 << 20
	maxMarks      = 1_500_000
	maxBook       = 200_000 // tags and attributes of parts that are no sheets
	maxNamespaces = 10_000  // of which a part declares some ten
)

// readXLSX reads the first sheet of a workbook, with numbers as they are stored, whole
// ones as digits.
func readXLSX(data []byte, each func(int, []string) error) (err error) {
	if err := measure(data); err != nil {
		return err
	}
	book, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: maxSheet})
	if err != nil {
		return &Fault{Reason: errs.Unreadable}
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	sheets := book.GetSheetList()
	if len(sheets) == 0 {
		return &Fault{Reason: errs.Unreadable}
	}
	s := &sheet{book: book, name: sheets[0]}
	defer func() { err = errors.Join(err, s.close()) }()
	return s.read(each)
}

// A sheet is one of a workbook, read row by row.
type sheet struct {
	book  *excelize.File
	name  string
	shown *excelize.Rows // as spreadsheets show them; nil until a row needs it
	at    int            // rows of shown that were read
}

// close closes what was opened to show rows.
func (s *sheet) close() error {
	if s.shown == nil {
		return nil
	}
	return s.shown.Close()
}

// read calls each for every row.
func (s *sheet) read(each func(int, []string) error) (err error) {
	rows, err := s.book.Rows(s.name)
	if err != nil {
		return &Fault{Reason: errs.Unreadable}
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	number := 0
	for rows.Next() {
		number++
		cells, err := rows.Columns(excelize.Options{RawCellValue: true})
		if err == nil && slices.ContainsFunc(cells, isRough) {
			err = s.smooth(number, cells)
		}
		if err != nil {
			return &Fault{number, errs.Unreadable, nil}
		}
		if err := each(number, cells); err != nil {
			return err
		}
	}
	if rows.Error() != nil {
		return &Fault{number, errs.Unreadable, nil}
	}
	return nil
}

// rough matches how whole numbers are stored other than by their digits. Programs store at most
// 17 digits of a number, so that maxRough bytes are enough.
var rough = regexp.MustCompile(`^-?[0-9]+(\.[0-9]*)?([eE]\+?[0-9]{1,2})?$`)

const maxRough = 40

// isRough reports whether a cell may hold a whole number that is not stored as digits.
func isRough(cell string) bool {
	return len(cell) <= maxRough && strings.ContainsAny(cell, ".eE") && rough.MatchString(cell)
}

// smooth writes the whole numbers of a row as digits. Text that looks like such a number
// is shown as it is stored, numbers are not: by that they are told apart.
func (s *sheet) smooth(number int, cells []string) (err error) {
	if s.shown == nil {
		if s.shown, err = s.book.Rows(s.name); err != nil {
			return err
		}
	}
	var shown []string
	for ; s.at < number && s.shown.Next(); s.at++ {
		if shown, err = s.shown.Columns(); err != nil {
			return err
		}
	}
	for i, cell := range cells {
		if !isRough(cell) || i >= len(shown) || shown[i] == cell {
			continue
		}
		if n, ok := new(big.Rat).SetString(cell); ok && n.IsInt() {
			cells[i] = n.Num().String()
		}
	}
	return nil
}

// measure refuses a workbook that is costly to read.
func measure(data []byte) error {
	file, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return &Fault{Reason: errs.Unreadable}
	}
	var sheets, others extent
	for _, part := range file.File {
		e := &others
		if name := strings.ToLower(part.Name); strings.HasPrefix(name, "xl/worksheets/sheet") || name == "xl/sharedstrings.xml" {
			e = &sheets
		}
		if e.bytes += part.UncompressedSize64; sheets.bytes > maxUnpacked || others.bytes > maxOther { // archive/zip unpacks no more
			return &Fault{Reason: errs.TooLong, Meta: errs.Meta{"max": maxUnpacked}}
		}
		if err := e.count(part); err != nil {
			return &Fault{Reason: errs.Unreadable}
		}
		if sheets.marks > maxMarks || others.marks > maxBook {
			return &Fault{Reason: errs.TooMany, Meta: errs.Meta{"max": maxMarks}}
		}
		if sheets.namespaces+others.namespaces > maxNamespaces {
			return &Fault{Reason: errs.TooMany, Meta: errs.Meta{"max": maxNamespaces}}
		}
	}
	return nil
}

// An extent is what parts of a workbook hold.
type extent struct {
	bytes      uint64
	marks      int // tags and attributes
	namespaces int // declared, but for those across two reads
}

// count adds the marks of a part, but for pictures and the like. A part whose elements lie too
// deep is an error.
func (e *extent) count(part *zip.File) error {
	if name := strings.ToLower(part.Name); !strings.HasSuffix(name, ".xml") && !strings.HasSuffix(name, ".rels") {
		return nil
	}
	in, err := part.Open()
	if err != nil {
		return err
	}
	err = checkNesting(io.TeeReader(in, e), maxNesting)
	if errors.Is(err, errManyMarks) {
		err = nil // measure says so
	}
	return errors.Join(err, in.Close())
}

var errManyMarks = errors.New("table: more marks than any part may have")

// Write adds the marks of a text. Zeros and escapes, which no XML has, are of encodings in which
// the marks are other bytes.
func (e *extent) Write(text []byte) (int, error) {
	e.marks += bytes.Count(text, []byte("<")) + bytes.Count(text, []byte("="))
	e.namespaces += bytes.Count(text, []byte("xmlns"))
	switch {
	case e.marks > maxMarks:
		return 0, errManyMarks
	case bytes.ContainsAny(text, "\x00\x1b"):
		return 0, errNested
	}
	return len(text), nil
}

type xlsxWriter struct {
	out    io.Writer
	book   *excelize.File
	sheet  *excelize.StreamWriter
	number int
}

func newXLSX(out io.Writer) (*xlsxWriter, error) {
	book := excelize.NewFile()
	sheet, err := book.NewStreamWriter(book.GetSheetName(0))
	return &xlsxWriter{out: out, book: book, sheet: sheet}, err
}

// Write writes cells of text, none of them formulas or numbers.
func (w *xlsxWriter) Write(cells []string) error {
	w.number++
	at, err := excelize.CoordinatesToCellName(1, w.number)
	if err != nil {
		return err
	}
	values := make([]any, len(cells))
	for i, c := range cells {
		values[i] = c
	}
	return w.sheet.SetRow(at, values)
}

func (w *xlsxWriter) Close() error {
	if err := w.sheet.Flush(); err != nil {
		return errors.Join(err, w.book.Close())
	}
	return errors.Join(w.book.Write(w.out), w.book.Close())
}
