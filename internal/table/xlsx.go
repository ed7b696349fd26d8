package table

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/xuri/excelize/v2"

	"workforce/internal/errs"
)

// A workbook unpacks to at most maxUnpacked bytes, of which maxSheet of one part are
// held in memory, and maxOther of those that are no sheets. Its XML has at most
// maxMarks tags and attributes, each of which takes many times its size in memory: two
// thirds are enough for MaxRecords with all the columns of people.
const (
	maxUnpacked = 64 << 20
	maxSheet    = 8 << 20
	maxOther    = 8 << 20
	maxMarks    = 1_500_000
	maxBook     = 200_000 // tags and attributes of parts that are no sheets
)

// readXLSX reads the first sheet of a workbook, with numbers as they are stored.
func readXLSX(data []byte, each func(int, []string) error) (err error) {
	if err := measure(data); err != nil {
		return err
	}
	options := excelize.Options{UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: maxSheet, RawCellValue: true}
	book, err := excelize.OpenReader(bytes.NewReader(data), options)
	if err != nil {
		return &Fault{Reason: errs.Unreadable}
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	sheets := book.GetSheetList()
	if len(sheets) == 0 {
		return &Fault{Reason: errs.Unreadable}
	}
	rows, err := book.Rows(sheets[0])
	if err != nil {
		return &Fault{Reason: errs.Unreadable}
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	number := 0
	for rows.Next() {
		number++
		cells, err := rows.Columns(options)
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
	}
	return nil
}

// An extent is what parts of a workbook hold.
type extent struct {
	bytes uint64
	marks int // tags and attributes
}

// count adds the marks of a part, but for pictures and the like.
func (e *extent) count(part *zip.File) error {
	if name := strings.ToLower(part.Name); !strings.HasSuffix(name, ".xml") && !strings.HasSuffix(name, ".rels") {
		return nil
	}
	in, err := part.Open()
	if err != nil {
		return err
	}
	for buffer := make([]byte, 32<<10); err == nil && e.marks <= maxMarks; {
		var n int
		n, err = in.Read(buffer)
		e.marks += bytes.Count(buffer[:n], []byte("<")) + bytes.Count(buffer[:n], []byte("="))
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, in.Close())
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
