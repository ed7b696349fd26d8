package table

import (
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"time"

	"github.com/xuri/excelize/v2"
)

// Properties are what a workbook says of itself.
type Properties struct {
	Title    string
	Creator  string // the company; the product where there is none
	Language string // such as id; "" for none
	Made     time.Time
}

// product is the program that writes workbooks.
const product = "Workforce"

// coreProperties is the part docProps/core.xml. Its names have the prefixes by which exceljs, which
// opens no workbook without them, knows them.
type coreProperties struct {
	XMLName        struct{} `xml:"cp:coreProperties"`
	Core           string   `xml:"xmlns:cp,attr"`
	Elements       string   `xml:"xmlns:dc,attr"`
	Terms          string   `xml:"xmlns:dcterms,attr"`
	Schema         string   `xml:"xmlns:xsi,attr"`
	Title          string   `xml:"dc:title,omitempty"`
	Creator        string   `xml:"dc:creator"`
	LastModifiedBy string   `xml:"cp:lastModifiedBy"`
	Language       string   `xml:"dc:language,omitempty"`
	Created        instant  `xml:"dcterms:created"`
	Modified       instant  `xml:"dcterms:modified"`
}

type instant struct {
	Type string `xml:"xsi:type,attr"`
	Text string `xml:",chardata"`
}

// Describe gives a workbook its properties.
func Describe(book *excelize.File, p Properties) error {
	creator := cmp.Or(p.Creator, product)
	made := instant{"dcterms:W3CDTF", p.Made.UTC().Format(time.RFC3339)}
	core, err := xml.Marshal(coreProperties{
		Core:     "http://schemas.openxmlformats.org/package/2006/metadata/core-properties",
		Elements: "http://purl.org/dc/elements/1.1/", Terms: "http://purl.org/dc/terms/",
		Schema: "http://www.w3.org/2001/XMLSchema-instance",
		Title:  p.Title, Creator: creator, LastModifiedBy: creator, Language: p.Language, Created: made, Modified: made,
	})
	if err != nil {
		return err
	}
	book.Pkg.Store("docProps/core.xml", append([]byte(xml.Header), core...))
	return book.SetAppProps(&excelize.AppProperties{Application: product, Company: creator})
}

type xlsxWriter struct {
	out    io.Writer
	book   *excelize.File
	sheet  *excelize.StreamWriter
	number int
}

func newXLSX(out io.Writer, p Properties) (*xlsxWriter, error) {
	book := excelize.NewFile()
	err := Describe(book, p)
	if err != nil {
		return nil, errors.Join(err, book.Close())
	}
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
