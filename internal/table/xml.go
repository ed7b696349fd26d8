package table

import (
	"bufio"
	"encoding/xml"
	"errors"
	"io"

	"workforce/internal/errs"
)

// What may be read of the XML of a workbook, all parts together but for maxToken and maxDepth.
// Parts and texts that are not needed are not read.
const (
	maxUnpacked = 32 << 20  // bytes
	maxToken    = 1 << 20   // bytes of one text, or of one tag with its attributes
	maxTokens   = 2_000_000 // tags and texts
	maxDepth    = 100       // elements that are open at once
)

// A budget is what is left to be read of a workbook.
type budget struct{ bytes, tokens int }

// A scanner reads the tags and texts of one part. It passes over comments and the like, and refuses
// declarations. Names are without their prefixes, by which strict and other workbooks differ.
type scanner struct {
	in    *bufio.Reader
	xml   *xml.Decoder
	left  *budget
	token int      // bytes that are left of the current token
	path  []string // open elements
}

func newScanner(part io.Reader, left *budget) *scanner {
	s := &scanner{in: bufio.NewReaderSize(part, 32<<10), left: left}
	s.xml = xml.NewDecoder(s)
	return s
}

// ReadByte reads for the decoder, which reads by it alone.
func (s *scanner) ReadByte() (byte, error) {
	s.token--
	s.left.bytes--
	switch {
	case s.token < 0:
		return 0, &Fault{Reason: errs.TooLong, Meta: errs.Meta{"max": maxToken}}
	case s.left.bytes < 0:
		return 0, &Fault{Reason: errs.TooLong, Meta: errs.Meta{"max": maxUnpacked}}
	}
	return s.in.ReadByte()
}

// Read implements io.Reader for the decoder.
func (s *scanner) Read(p []byte) (int, error) {
	b, err := s.ReadByte()
	if err != nil || len(p) == 0 {
		return 0, err
	}
	p[0] = b
	return 1, nil
}

// next returns the next xml.StartElement, xml.EndElement or xml.CharData, which is valid until the
// call after; io.EOF behind the last. Other errors are a *Fault.
func (s *scanner) next() (xml.Token, error) {
	for {
		s.token = maxToken
		if s.left.tokens--; s.left.tokens < 0 {
			return nil, &Fault{Reason: errs.TooMany, Meta: errs.Meta{"max": maxTokens}}
		}
		token, err := s.xml.RawToken()
		switch t := token.(type) {
		case xml.StartElement:
			if s.path = append(s.path, t.Name.Local); len(s.path) > maxDepth {
				return nil, &Fault{Reason: errs.Unreadable}
			}
			return t, nil
		case xml.EndElement:
			n := len(s.path)
			if n == 0 || s.path[n-1] != t.Name.Local {
				return nil, &Fault{Reason: errs.Unreadable}
			}
			s.path = s.path[:n-1]
			return t, nil
		case xml.CharData:
			return t, nil
		case xml.Directive:
			return nil, &Fault{Reason: errs.Unreadable}
		}
		if err != nil {
			return nil, s.ended(err)
		}
	}
}

// ended returns io.EOF where a part ends with its last element, and a *Fault otherwise.
func (s *scanner) ended(err error) error {
	var fault *Fault
	switch {
	case errors.As(err, &fault), errors.Is(err, io.EOF) && len(s.path) == 0:
		return err
	}
	return &Fault{Reason: errs.Unreadable}
}

// each calls f for every start of an element, with the names of those around it.
func (s *scanner) each(f func(in []string, e xml.StartElement) error) error {
	for {
		token, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := token.(xml.StartElement); ok {
			if err := f(s.path[:len(s.path)-1], e); err != nil {
				return err
			}
		}
	}
}

// within reports whether the innermost element of a path has a name.
func within(path []string, name string) bool { return len(path) > 0 && path[len(path)-1] == name }

// attr returns an attribute by its name without prefix; "" for none.
func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space != "xmlns" {
			return a.Value
		}
	}
	return ""
}

// related returns the attribute r:id of an element, whatever its prefix.
func related(e xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Local == "id" && a.Name.Space != "" {
			return a.Value
		}
	}
	return ""
}
