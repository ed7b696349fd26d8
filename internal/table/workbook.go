package table

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"

	"workforce/internal/errs"
)

// What of a workbook is held in memory.
const (
	maxParts   = 2000     // files in it
	maxTexts   = 16 << 20 // bytes of its shared texts
	maxFormats = 100_000  // of cells, of which Excel has 65,490
	maxCode    = 255      // characters of a format
)

// A workbook is an XLSX file.
type workbook struct {
	parts map[string]*zip.File // by name in small letters
	left  budget
	sheet string // the part of the first sheet that is not hidden

	since1904 bool     // dates count from 1904
	formats   []format // of cells, by number
	texts     texts    // shared ones
}

// openZIP opens a file with as many parts as a workbook may have.
func openZIP(data []byte) (*zip.Reader, error) {
	if bytes.Count(data, []byte("PK\x01\x02")) > maxParts { // a part of the directory each
		return nil, &Fault{Reason: errs.TooMany, Meta: errs.Meta{"max": maxParts}}
	}
	file, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, &Fault{Reason: errs.Unreadable}
	}
	return file, nil
}

// partName returns the name of a part as it is compared.
func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

// openWorkbook reads what is needed to read the rows of the first sheet.
func openWorkbook(data []byte) (*workbook, error) {
	file, err := openZIP(data)
	if err != nil {
		return nil, err
	}
	w := &workbook{parts: map[string]*zip.File{}, left: budget{maxUnpacked, maxTokens}}
	for _, f := range file.File {
		w.parts[partName(f.Name)] = f
	}
	root, err := w.relations("")
	if err != nil {
		return nil, err
	}
	main := "xl/workbook.xml"
	for _, r := range root {
		if r.kind == "officeDocument" {
			main = r.target
		}
	}
	relations, err := w.relations(main)
	if err == nil {
		err = w.readMain(main, relations)
	}
	for _, r := range relations {
		switch {
		case err != nil:
			return nil, err
		case r.kind == "styles":
			err = w.readFormats(r.target)
		case r.kind == "sharedStrings":
			err = w.readTexts(r.target)
		}
	}
	return w, err
}

// scan calls f for every element of a part, with the names of those around it. A part that is not
// there is empty.
func (w *workbook) scan(part string, f func(in []string, e xml.StartElement) error) error {
	s, end, err := w.open(part)
	if err != nil || s == nil {
		return err
	}
	return errors.Join(s.each(f), end())
}

// open returns a scanner of a part, nil where it is not there, and what ends the reading.
func (w *workbook) open(part string) (*scanner, func() error, error) {
	file, ok := w.parts[part]
	if !ok {
		return nil, nil, nil
	}
	in, err := file.Open()
	if err != nil {
		return nil, nil, &Fault{Reason: errs.Unreadable}
	}
	return newScanner(in, &w.left), in.Close, nil
}

// A relation is a part that another one names.
type relation struct{ id, kind, target string }

// relations returns those of a part; "" for the file's.
func (w *workbook) relations(part string) (list []relation, err error) {
	folder := path.Dir(part)
	err = w.scan(partName(path.Join(folder, "_rels", path.Base("/"+part)+".rels")), func(_ []string, e xml.StartElement) error {
		if e.Name.Local != "Relationship" || attr(e, "TargetMode") == "External" {
			return nil
		}
		if len(list) == maxParts {
			return &Fault{Reason: errs.TooMany, Meta: errs.Meta{"max": maxParts}}
		}
		target := strings.ReplaceAll(attr(e, "Target"), `\`, "/")
		if !strings.HasPrefix(target, "/") {
			target = path.Join("/", folder, target)
		}
		list = append(list, relation{attr(e, "Id"), path.Base(attr(e, "Type")), partName(path.Clean(target))})
		return nil
	})
	return list, err
}

// readMain finds the first sheet that is not hidden, and since when dates count.
func (w *workbook) readMain(part string, relations []relation) error {
	tables := map[string]string{} // parts of sheets that are no charts
	for _, r := range relations {
		if r.kind == "worksheet" {
			tables[r.id] = r.target
		}
	}
	err := w.scan(part, func(in []string, e xml.StartElement) error {
		switch {
		case e.Name.Local == "workbookPr":
			w.since1904 = isTrue(attr(e, "date1904"))
		case e.Name.Local == "sheet" && within(in, "sheets") && w.sheet == "":
			if state := strings.ToLower(attr(e, "state")); state != "hidden" && state != "veryhidden" {
				w.sheet = tables[related(e)]
			}
		}
		return nil
	})
	if err == nil && w.parts[w.sheet] == nil {
		err = &Fault{Reason: errs.Unreadable}
	}
	return err
}

func isTrue(value string) bool { return value == "1" || value == "true" || value == "on" }

// readFormats reads how cells show their numbers.
func (w *workbook) readFormats(part string) error {
	codes, parsed := map[int]string{}, map[int]format{}
	return w.scan(part, func(in []string, e xml.StartElement) error {
		id, err := strconv.Atoi(attr(e, "numFmtId"))
		switch {
		case e.Name.Local == "numFmt" && within(in, "numFmts"):
			if code := attr(e, "formatCode"); err == nil && len(code) <= maxCode && len(codes) < maxFormats {
				codes[id] = code
			}
		case e.Name.Local == "xf" && within(in, "cellXfs"):
			if len(w.formats) == maxFormats {
				return &Fault{Reason: errs.TooMany, Meta: errs.Meta{"max": maxFormats}}
			}
			f, ok := parsed[id]
			if !ok {
				code, own := codes[id]
				if !own {
					code = builtIn(id)
				}
				f = parseFormat(code)
				parsed[id] = f
			}
			w.formats = append(w.formats, f)
		}
		return nil
	})
}

// texts are the shared texts of a workbook.
type texts struct {
	all  []byte
	ends []int // of each text in all
}

// add adds a text. Of one that is longer than any cell may be, it keeps enough to be refused where
// it is used.
func (t *texts) add(text []byte) error {
	t.all = append(t.all, text[:min(len(text), maxKept)]...)
	t.ends = append(t.ends, len(t.all))
	if len(t.all) > maxTexts {
		return &Fault{Reason: errs.TooLong, Meta: errs.Meta{"max": maxTexts}}
	}
	return nil
}

// at returns a text by its number, and whether there is one.
func (t *texts) at(number string) (string, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || n < 0 || n >= len(t.ends) {
		return "", false
	}
	begin := 0
	if n > 0 {
		begin = t.ends[n-1]
	}
	return string(t.all[begin:t.ends[n]]), true
}

// readTexts reads the texts that cells share.
func (w *workbook) readTexts(part string) error {
	s, end, err := w.open(part)
	if err != nil || s == nil {
		return err
	}
	for {
		token, err := s.next()
		if errors.Is(err, io.EOF) {
			return end()
		}
		if err == nil && isStart(token, "si") {
			var text []byte
			if text, err = s.text(); err == nil {
				err = w.texts.add(text)
			}
		}
		if err != nil {
			return errors.Join(err, end())
		}
	}
}

func isStart(token xml.Token, name string) bool {
	e, ok := token.(xml.StartElement)
	return ok && e.Name.Local == name
}
