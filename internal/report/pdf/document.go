package pdf

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/zlib"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/go-text/typesetting/font"
)

// The first objects of a document.
const (
	catalogID = iota + 1
	pagesID
	resourcesID
	infoID
	firstFree
)

// A document is a PDF file with pages of one size. Lengths are in millimetres, from the upper
// left corner. An error of its writer is returned by close.
type document struct {
	out     *bufio.Writer
	at      int64   // bytes written
	objects []int64 // where they begin, the first is object 1
	err     error
	pages   []*bytes.Buffer // what is drawn
	page    *bytes.Buffer   // the current one
	used    map[*typeface]*subset
	fonts   []*subset
	faces   func(*typeface) *font.Face
	images  []int // objects
	packer  *zlib.Writer
}

// The page, A4 across, in millimetres.
const (
	pageWide = 297.0
	pageHigh = 210.0
	point    = 25.4 / 72
)

func newDocument(out io.Writer, faces func(*typeface) *font.Face) *document {
	d := &document{
		out: bufio.NewWriter(out), objects: make([]int64, firstFree-1), used: map[*typeface]*subset{}, faces: faces,
		packer: zlib.NewWriter(nil),
	}
	d.write("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")
	return d
}

func (d *document) write(text string) {
	n, err := d.out.WriteString(text)
	d.at += int64(n)
	d.err = cmp.Or(d.err, err)
}

// newID returns the number of a new object.
func (d *document) newID() int {
	d.objects = append(d.objects, 0)
	return len(d.objects)
}

// object writes an object.
func (d *document) object(id int, content string) {
	d.objects[id-1] = d.at
	d.write(fmt.Sprintf("%d 0 obj\n%s\nendobj\n", id, content))
}

// stream writes an object of bytes, compressed. entries are more of its dictionary.
func (d *document) stream(id int, entries string, data []byte) {
	var packed bytes.Buffer
	d.packer.Reset(&packed)
	_, err := d.packer.Write(data)
	d.err = cmp.Or(d.err, err, d.packer.Close())
	d.object(id, fmt.Sprintf("<</Length %d/Filter/FlateDecode%s>>stream\n%s\nendstream",
		packed.Len(), entries, packed.Bytes()))
}

// newPage begins a page.
func (d *document) newPage() {
	d.page = &bytes.Buffer{}
	d.pages = append(d.pages, d.page)
}

// A colour is red, green and blue, from 0 to 255.
type colour [3]uint8

// fill draws a rectangle.
func (d *document) fill(c colour, left, top, width, height float64) {
	fmt.Fprintf(d.page, "q %.3f %.3f %.3f rg %.2f %.2f %.2f %.2f re f Q\n",
		float64(c[0])/255, float64(c[1])/255, float64(c[2])/255,
		left/point, (pageHigh-top-height)/point, width/point, height/point)
}

// text draws a line of a size in points, with its baseline at some height.
func (d *document) text(l line, left, baseline, points float64) {
	if len(l.parts) == 0 {
		return
	}
	fmt.Fprintf(d.page, "BT 1 0 0 1 %.2f %.2f Tm\n", left/point, (pageHigh-baseline)/point)
	var last *subset
	for _, p := range l.parts {
		s := d.subset(p.face)
		if s != last {
			fmt.Fprintf(d.page, "/F%d %g Tf\n", s.number, points)
			last = s
		}
		s.draw(d.page, p, points)
	}
	d.page.WriteString("ET\n")
}

// subset returns the part of a typeface that the document has.
func (d *document) subset(f *typeface) *subset {
	s := d.used[f]
	if s == nil {
		s = newSubset(f, d.faces(f), len(d.fonts))
		d.used[f], d.fonts = s, append(d.fonts, s)
	}
	return s
}

// image draws a picture, which addImage numbered.
func (d *document) image(number int, left, top, width, height float64) {
	fmt.Fprintf(d.page, "q %.2f 0 0 %.2f %.2f %.2f cm /I%d Do Q\n",
		width/point, height/point, left/point, (pageHigh-top-height)/point, number)
}

// addImage adds a picture of 8 bits for each of red, green and blue, and how opaque it is.
func (d *document) addImage(width, height int, colours, opacity []byte) (number int) {
	mask, picture := d.newID(), d.newID()
	size := fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8", width, height)
	d.stream(mask, size+"/ColorSpace/DeviceGray", opacity)
	d.stream(picture, fmt.Sprintf("%s/ColorSpace/DeviceRGB/SMask %d 0 R", size, mask), colours)
	d.images = append(d.images, picture)
	return len(d.images) - 1
}

// About is what a document says of itself.
type about struct {
	title, author, language string
	made                    time.Time
}

// close writes pages and fonts, and ends the document.
func (d *document) close(a about) error {
	var kids, fonts, images strings.Builder
	for _, p := range d.pages {
		content, page := d.newID(), d.newID()
		d.stream(content, "", p.Bytes())
		d.object(page, fmt.Sprintf("<</Type/Page/Parent %d 0 R/Contents %d 0 R>>", pagesID, content))
		fmt.Fprintf(&kids, "%d 0 R ", page)
	}
	for _, s := range d.fonts {
		fmt.Fprintf(&fonts, "/F%d %d 0 R", s.number, s.embed(d))
	}
	for i, id := range d.images {
		fmt.Fprintf(&images, "/I%d %d 0 R", i, id)
	}
	d.object(resourcesID, fmt.Sprintf("<</Font<<%s>>/XObject<<%s>>>>", fonts.String(), images.String()))
	d.object(pagesID, fmt.Sprintf("<</Type/Pages/Count %d/MediaBox[0 0 %.2f %.2f]/Resources %d 0 R/Kids[%s]>>",
		len(d.pages), pageWide/point, pageHigh/point, resourcesID, kids.String()))
	d.object(catalogID, fmt.Sprintf("<</Type/Catalog/Pages %d 0 R/Lang%s/ViewerPreferences<</DisplayDocTitle true>>>>",
		pagesID, quoted(a.language)))
	d.object(infoID, fmt.Sprintf("<</Title%s/Author%s/CreationDate(D:%sZ)>>",
		quoted(a.title), quoted(a.author), a.made.UTC().Format("20060102150405")))
	end := d.at
	d.write(fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(d.objects)+1))
	for _, at := range d.objects {
		d.write(fmt.Sprintf("%010d 00000 n \n", at))
	}
	d.write(fmt.Sprintf("trailer<</Size %d/Root %d 0 R/Info %d 0 R>>\nstartxref\n%d\n%%%%EOF\n",
		len(d.objects)+1, catalogID, infoID, end))
	if d.err != nil {
		return d.err
	}
	return d.out.Flush()
}

// quoted returns text as a PDF has it, in UTF-16.
func quoted(text string) string {
	return "<FEFF" + utf16Hex([]rune(text)) + ">"
}

// utf16Hex returns text in UTF-16, in hexadecimal.
func utf16Hex(text []rune) string {
	var out strings.Builder
	for _, unit := range utf16.Encode(text) {
		fmt.Fprintf(&out, "%04X", unit)
	}
	return out.String()
}
