package table

import (
	"bytes"
	"errors"
	"io"

	"github.com/xuri/excelize/v2"

	"workforce/internal/errs"
)

// A workbook unpacks to at most maxUnpacked bytes, of which maxSheet of one part are
// held in memory.
const (
	maxUnpacked = 64 << 20
	maxSheet    = 8 << 20
)

// readXLSX reads the first sheet of a workbook, with numbers as they are stored.
func readXLSX(data []byte, each func(int, []string) error) (err error) {
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
