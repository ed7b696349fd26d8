package table

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"workforce/internal/errs"
)

// maxKept is how many bytes are kept of a text: those of one that is too long for a cell.
const maxKept = (MaxCell + 1) * utf8.UTFMax

// readXLSX reads the first sheet of a workbook that is not hidden.
func readXLSX(data []byte, each func(Record) error) error {
	w, err := openWorkbook(data)
	if err != nil {
		return err
	}
	s, end, err := w.open(w.sheet)
	if err != nil {
		return err
	}
	r := &sheet{workbook: w, in: s, each: each}
	err = r.read()
	var fault *Fault
	if errors.As(err, &fault) && fault.Record == 0 {
		fault.Record = r.row.Number
	}
	return errors.Join(err, end())
}

// A sheet is read row by row.
type sheet struct {
	*workbook
	in   *scanner
	each func(Record) error
	row  Record
}

// read calls each for every row that is not empty.
func (s *sheet) read() error {
	for {
		token, err := s.in.next()
		if errors.Is(err, io.EOF) || err == nil && isEnd(token, "sheetData") {
			return nil
		}
		if err == nil && isStart(token, "row") {
			err = s.readRow(token.(xml.StartElement))
		}
		if err != nil {
			return err
		}
	}
}

func isEnd(token xml.Token, name string) bool {
	e, ok := token.(xml.EndElement)
	return ok && e.Name.Local == name
}

// readRow reads a row. One without a number follows the row before.
func (s *sheet) readRow(e xml.StartElement) error {
	number := s.row.Number + 1
	if text := attr(e, "r"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < number {
			return &Fault{Reason: errs.Unreadable}
		}
		number = n
	}
	s.row = Record{Number: number, Cells: s.row.Cells[:0], Since1904: s.since1904}
	place := -1
	for depth := len(s.in.path); len(s.in.path) >= depth; {
		token, err := s.in.next()
		if err == nil && isStart(token, "c") {
			c := token.(xml.StartElement)
			if place, err = column(attr(c, "r"), place+1); err == nil {
				err = s.readCell(c, place)
			}
		}
		if err != nil {
			return err
		}
	}
	if isEmpty(s.row.Cells) && len(s.row.Faults) == 0 {
		return nil
	}
	return s.each(s.row)
}

// column returns the column of a cell such as C7, 0 for A; next where the cell has no name.
func column(name string, next int) (int, error) {
	letters := strings.TrimRight(name, "0123456789")
	if letters == "" && name == "" {
		return next, nil
	}
	n := 0
	for _, c := range strings.ToUpper(letters) {
		if c < 'A' || c > 'Z' || n > 1000 {
			return 0, &Fault{Reason: errs.Unreadable}
		}
		n = 26*n + int(c-'A') + 1
	}
	if n == 0 {
		return 0, &Fault{Reason: errs.Unreadable}
	}
	return n - 1, nil
}

// readCell puts a cell into the row.
func (s *sheet) readCell(e xml.StartElement, place int) error {
	c, err := s.content(e)
	if err != nil {
		return err
	}
	text, fault := s.shown(c)
	if text == "" && fault == nil {
		return nil
	}
	if place >= MaxColumns {
		return &Fault{Reason: errs.TooMany, Meta: errs.Meta{"max": MaxColumns}}
	}
	if missing := place + 1 - len(s.row.Cells); missing > 0 {
		s.row.Cells = append(s.row.Cells, make([]string, missing)...)
	}
	s.row.Cells[place] = text
	if fault != nil {
		fault.Record, fault.Column = s.row.Number, place+1
		s.row.Faults = append(s.row.Faults, fault)
	}
	return nil
}

// A content is what a workbook stores of a cell.
type content struct {
	kind     string // n or none for numbers
	format   string // number of the format
	value    string
	text     string // that stands in the cell itself
	hasValue bool
	formula  bool
}

// content reads a cell up to its end.
func (s *sheet) content(e xml.StartElement) (content, error) {
	c := content{kind: attr(e, "t"), format: attr(e, "s")}
	var value []byte
	for depth := len(s.in.path); len(s.in.path) >= depth; {
		token, err := s.in.next()
		if err != nil {
			return c, err
		}
		if len(s.in.path) != depth+1 {
			continue
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "v":
				c.hasValue = true
			case "f":
				c.formula = true
			case "is":
				text, err := s.in.text()
				if err != nil {
					return c, err
				}
				c.text = string(text[:min(len(text), maxKept)])
			}
		case xml.CharData:
			if value, err = s.in.appendText(value, "v", t); err != nil {
				return c, err
			}
		}
	}
	c.value = string(value)
	return c, nil
}

// text reads an element that was opened up to its end, and returns the text of its t, or of those
// of its runs. How letters are pronounced is left out.
func (s *scanner) text() ([]byte, error) {
	var text []byte
	for depth := len(s.path); len(s.path) >= depth; {
		token, err := s.next()
		if err != nil {
			return nil, err
		}
		c, ok := token.(xml.CharData)
		if n := len(s.path); ok && (n == depth+1 || n == depth+2 && s.path[n-2] == "r") {
			if text, err = s.appendText(text, "t", c); err != nil {
				return nil, err
			}
		}
	}
	return unescape(text), nil
}

// appendText adds a part to the text of the innermost element, if that has a name.
func (s *scanner) appendText(text []byte, name string, part xml.CharData) ([]byte, error) {
	if !within(s.path, name) {
		return text, nil
	}
	if len(text)+len(part) > maxToken {
		return nil, &Fault{Reason: errs.TooLong, Meta: errs.Meta{"max": maxToken}}
	}
	return append(text, part...), nil
}

// escapes are characters that XML does not have, as workbooks write them.
var escapes = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// unescape returns a text with the characters that escapes stand for.
func unescape(text []byte) []byte {
	if !slices.Contains(text, '_') {
		return text
	}
	return escapes.ReplaceAllFunc(text, func(escape []byte) []byte {
		n, _ := strconv.ParseUint(string(escape[2:6]), 16, 32) // it has four such digits
		if n == 0 || n >= 0xD800 && n < 0xE000 {
			return escape
		}
		return utf8.AppendRune(nil, rune(n))
	})
}

// shown returns a cell as the sheet shows it, or what is wrong with it.
func (s *sheet) shown(c content) (string, *Fault) {
	bare := strings.TrimSpace(c.value)
	if c.formula && (!c.hasValue || bare == "" && c.kind != "str") {
		return "", &Fault{Reason: errs.NoValue}
	}
	switch c.kind {
	case "s":
		if text, ok := s.texts.at(bare); ok || bare == "" {
			return text, nil
		}
	case "inlineStr":
		return c.text, nil
	case "str":
		text := unescape([]byte(c.value))
		return string(text[:min(len(text), maxKept)]), nil
	case "e":
		return "", &Fault{Reason: errs.CellError, Meta: errs.Meta{"value": bare[:min(len(bare), 20)]}}
	case "b":
		switch bare {
		case "1", "true":
			return "TRUE", nil
		case "0", "false":
			return "FALSE", nil
		}
	case "d":
		if text, ok := isoTime(bare); ok {
			return text, nil
		}
	case "", "n":
		if bare == "" {
			return "", nil
		}
		if text, ok := s.number(bare, c.format); ok {
			return text, nil
		}
	}
	return "", &Fault{Reason: errs.Unreadable}
}

// numeral matches numbers as workbooks store them, with at most some 300 digits.
var numeral = regexp.MustCompile(`^[+-]?([0-9]{1,300}(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$`)

// digits matches whole numbers that are shown as they are stored, without zeros in front.
var digits = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,30})$`)

// number returns a number as a cell with a format shows it.
func (s *sheet) number(value, style string) (string, bool) {
	if !numeral.MatchString(value) {
		return "", false
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsInf(n, 0) {
		return "", false
	}
	f := general
	if i, err := strconv.Atoi(style); err == nil && i >= 0 && i < len(s.formats) {
		f = s.formats[i]
	}
	section := f.choose(n)
	if section.kind == generalNumber && len(section.pieces) == 0 && digits.MatchString(value) {
		return value, true // also those of more than 15 digits
	}
	return section.show(n, s.since1904)
}

// isoTimes are how workbooks write dates and times as text.
var isoTimes = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", time.DateOnly,
}

// isoTime returns a date, or a date and a time, as formats show them; false for other text.
func isoTime(text string) (string, bool) {
	for _, layout := range isoTimes {
		if at, err := time.Parse(layout, text); err == nil {
			return strings.TrimSuffix(at.Format(time.DateTime), " 00:00:00"), true
		}
	}
	return "", text == ""
}
