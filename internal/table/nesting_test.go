package table

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"workforce/internal/errs"
)

// TestNesting counts the elements that are open at once, wherever their marks stand.
func TestNesting(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for _, tt := range []struct {
		text string
		deep int // how many are open at once
	}{
		{"", 0},
		{"<a>", 1},
		{"<a><b/><b/><b></b></a>", 2},
		{strings.Repeat("<a>", 500) + strings.Repeat("</a>", 500) + "<b>", 500},
		{strings.Repeat("<a>/>", 500), 500},
		{strings.Repeat(`<a b="/>" c='</a>'>`, 500), 500},
		{strings.Repeat("<a><!--></a>--->", 500), 500},
		{strings.Repeat("<a><!-- '</a>-->", 500), 500},
		{strings.Repeat("<a><![CDATA[></a>]]>", 500), 500},
		{strings.Repeat("<a><?b ></a>?>", 500), 500},
		{strings.Repeat(`<a b="`+long+`"><!--`+long+`--></a >`, 3) + "<a>" + long + "<b\n>", 2},
	} {
		if err := checkNesting(strings.NewReader(tt.text), tt.deep); err != nil {
			t.Errorf("%.40q: %v with %d", tt.text, err, tt.deep)
		}
		if err := checkNesting(strings.NewReader(tt.text), tt.deep-1); !errors.Is(err, errNested) {
			t.Errorf("%.40q: %v with one less than %d", tt.text, err, tt.deep)
		}
	}
	if err := checkNesting(strings.NewReader("<!DOCTYPE a [<!ENTITY b 'c'>]>"), maxNesting); !errors.Is(err, errNested) {
		t.Errorf("%v of a declaration", err)
	}
	if err := checkNesting(iotest.ErrReader(io.ErrClosedPipe), 1); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%v of a part that cannot be read", err)
	}
}

// TestNestingOfAnyText compares with a reader of XML: it never has more elements open, and no text
// that it reads to the end is refused.
func TestNestingOfAnyText(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"<a>", "<b>", "</a>", "</b>", "<a/>", "<a b='", "<a b=\"", "'", "\"", "/", ">", "/>", " ", "x",
		"<!--", "-->", "-", "<![CDATA[", "]]>", "]", "<?", "<?c ", "?>", "?", "<!", "<", "&lt;",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "pieces"), "")
		if rapid.Bool().Draw(t, "balanced") { // few texts at random are read to the end
			text = strings.Repeat("<a>", 3) + text + strings.Repeat("</a>", 3)
		}
		d := xml.NewDecoder(strings.NewReader(text))
		var depth, deepest int
		var err error
		for err == nil {
			var token xml.Token
			token, err = d.Token()
			switch token.(type) {
			case xml.StartElement:
				depth++
				if before := text[:d.InputOffset()]; !strings.HasSuffix(before, "/>") {
					deepest = max(deepest, depth)
				}
			case xml.EndElement:
				depth--
			case xml.Directive:
				return // is refused
			}
		}
		if got := checkNesting(strings.NewReader(text), deepest-1); deepest > 0 && !errors.Is(got, errNested) {
			t.Errorf("%q has %d elements open: %v", text, deepest, got)
		}
		if got := checkNesting(iotest.OneByteReader(strings.NewReader(text)), deepest); errors.Is(err, io.EOF) && got != nil {
			t.Errorf("%q has %d elements open at most: %v", text, deepest, got)
		}
	})
}

// TestNestingOfWorkbooks refuses a part that lies deep or whose encoding hides its marks, and reads
// one that lies as deep as it may.
func TestNestingOfWorkbooks(t *testing.T) {
	var book bytes.Buffer
	w, err := NewWriter(&book, "xlsx")
	if err == nil {
		err = errors.Join(w.Write([]string{"name"}), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	for content, refused := range map[string]bool{
		strings.Repeat("<a>", maxNesting):   false,
		strings.Repeat("<a>", maxNesting+1): true,
		"<\x00a\x00>\x00":                   true,
		"\x1b$B</a>\x1b(B":                  true,
	} {
		for _, name := range []string{"xl/worksheets/sheet2.xml", "docProps/custom.xml", "_rels/a.rels"} {
			_, err := records(padded(t, book.Bytes(), name, content))
			fault := (*Fault)(nil)
			if errors.As(err, &fault) != refused || refused && fault.Reason != errs.Unreadable {
				t.Errorf("%.20q in %s: %v, want a fault: %v", content, name, err, refused)
			}
		}
	}
}
