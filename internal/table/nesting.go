package table

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxNesting is how deep the elements of a part may lie: a reader of XML remembers each that is
// open, with some 100 bytes. Drawings and extensions nest about ten deep.
const maxNesting = 1000

var errNested = errors.New("table: the elements of a part lie too deep, or cannot be followed")

// checkNesting reads a part, and returns errNested where its elements lie deeper than most. It
// follows them as far as the part is well-formed: there, readers of XML stop. A declaration, which
// no workbook has, is not followed.
func checkNesting(part io.Reader, most int) error {
	r := bufio.NewReaderSize(part, 32<<10)
	for depth := 0; depth <= most; {
		err := through(r, '<', func([]byte) {})
		if err != nil {
			return unlessEnd(err)
		}
		begin, _ := r.Peek(len("![CDATA[")) // what follows reads any error again
		switch {
		case bytes.HasPrefix(begin, []byte("!--")):
			_, _ = r.Discard(len("!--")) // it was peeked
			err = past(r, "-->")
		case bytes.HasPrefix(begin, []byte("![CDATA[")):
			err = past(r, "]]>")
		case bytes.HasPrefix(begin, []byte("?")):
			err = past(r, "?>")
		case bytes.HasPrefix(begin, []byte("!")):
			return errNested
		case bytes.HasPrefix(begin, []byte("/")):
			depth--
			err = through(r, '>', func([]byte) {})
		default:
			var empty bool
			if empty, err = pastTag(r); !empty {
				depth++
			}
		}
		if err != nil {
			return unlessEnd(err)
		}
	}
	return errNested
}

// pastTag reads the rest of a tag, and reports whether it is one of an empty element.
func pastTag(r *bufio.Reader) (empty bool, err error) {
	var quote, last, before byte // quote is of the attribute's value that is open
	for {
		err := through(r, '>', func(text []byte) {
			for _, b := range text {
				switch {
				case quote == 0 && (b == '"' || b == '\''):
					quote = b
				case b == quote:
					quote = 0
				}
				before, last = last, b
			}
		})
		if err != nil || quote == 0 {
			return before == '/', err
		}
	}
}

// past reads until a text that ends with >.
func past(r *bufio.Reader, end string) error {
	var tail []byte
	for {
		err := through(r, '>', func(text []byte) {
			tail = append(tail, text...)
			tail = tail[max(0, len(tail)-len(end)):]
		})
		if err != nil || string(tail) == end {
			return err
		}
	}
}

// through reads until a byte, and calls each for what it reads.
func through(r *bufio.Reader, end byte, each func(text []byte)) error {
	for {
		text, err := r.ReadSlice(end)
		each(text)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

func unlessEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
