// Package image reads the pictures that people upload and makes those that are kept:
// upright, of a bounded size, without metadata. It holds nothing between calls.
package image

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"runtime"
	"time"

	"github.com/gabriel-vasile/mimetype"
	"golang.org/x/image/draw"
	"golang.org/x/image/webp"

	"workforce/internal/errs"
)

// The limits of a picture.
const (
	MaxBytes  = 10 << 20
	MaxPixels = 40_000_000
	MaxSide   = 12_000          // pixels
	MaxMemory = 190 << 20       // bytes that a picture may take until it is stored, by its header
	MaxTime   = 4 * time.Second // of decoding
	Largest   = 2560            // pixels of the longer side of what is kept
	Thumbnail = 320             // pixels of the longer side
	quality   = 85              // of JPEG
	readSize  = 64              // bytes between two looks at the time
)

// A format is a kind of picture that is read.
type format struct {
	mediaType string
	inspect   func(data []byte) (header, bool)
	decode    func(io.Reader) (image.Image, error)
}

var formats = []format{
	{"image/jpeg", inspectJPEG, jpeg.Decode},
	{"image/png", inspectPNG, png.Decode},
	{"image/webp", inspectWebP, decodeWebP},
}

// A header is what is known of a picture before it is decoded.
type header struct {
	width, height int
	decoding      int             // bytes that decoding takes, with what it leaves to the collector
	decoded       int             // bytes of what is decoded
	orientation   int             // of Exif: 1 to 8
	profile       func() *profile // nil for sRGB
	refused       errs.Reason     // why a picture of its kind is not read; empty for none
}

// memory returns how many bytes a picture takes at most from its upload until it is stored:
// the file, in the request and read; what decoding takes, or the decoded picture with the one
// that is kept, in pixels and encoded.
func (h header) memory(file int) int {
	const pixel = 4
	w, height := fit(h.width, h.height, Largest)
	return 2*file + max(h.decoding, h.decoded+2*pixel*w*height)
}

// A Picture is a decoded picture.
type Picture struct {
	pixels      image.Image
	orientation int
	profile     *profile // nil for sRGB
}

// A Rendition is a picture as it is kept.
type Rendition struct {
	Data          []byte
	MediaType     string // image/jpeg, or image/png where it has transparent parts
	Width, Height int    // pixels
}

// Decode reads a JPEG, PNG or WebP picture. Errors name the member of the request:
// UNSUPPORTED_MEDIA_TYPE for anything else, PAYLOAD_TOO_LARGE past the limits, and
// VALIDATION_FAILED for a picture that is animated, damaged or incomplete, or takes
// longer than MaxTime.
func Decode(ctx context.Context, field string, data []byte) (*Picture, error) {
	ctx, cancel := context.WithTimeout(ctx, MaxTime)
	defer cancel()
	return decode(ctx, field, data)
}

// maxGarbage is how many bytes decoding may leave to the collector's next turn.
const maxGarbage = 32 << 20

// decode is Decode without a limit of time but that of ctx.
func decode(ctx context.Context, field string, data []byte) (*Picture, error) {
	if len(data) > MaxBytes {
		return nil, errs.Field(errs.PayloadTooLarge, field, errs.Meta{"limit": MaxBytes})
	}
	f := formatOf(data)
	if f == nil {
		return nil, errs.Field(errs.UnsupportedMediaType, field, errs.Meta{"allowed": MediaTypes()})
	}
	h, ok := f.inspect(data)
	unreadable := errs.Because(field, errs.Unreadable, nil)
	if ok && h.refused != "" {
		return nil, errs.Because(field, h.refused, nil)
	}
	if !ok || h.width <= 0 || h.height <= 0 {
		return nil, unreadable
	}
	limits := errs.Meta{"maxPixels": MaxPixels, "maxSide": MaxSide}
	if h.width > MaxSide || h.height > MaxSide || h.width*h.height > MaxPixels {
		return nil, errs.Field(errs.PayloadTooLarge, field, limits)
	}
	if h.memory(len(data)) > MaxMemory {
		limits["maxMemory"] = MaxMemory
		return nil, errs.Field(errs.PayloadTooLarge, field, limits)
	}
	pixels, err := f.decode(&timedReader{ctx, data})
	if err != nil || pixels.Bounds().Dx() != h.width || pixels.Bounds().Dy() != h.height {
		return nil, unreadable
	}
	if h.decoding-h.decoded > maxGarbage {
		runtime.GC() // before more is allocated
	}
	p := &Picture{pixels: pixels, orientation: h.orientation}
	if h.profile != nil {
		p.profile = h.profile()
	}
	return p, nil
}

// formatOf returns the format of a picture by its content; nil for none that is read.
func formatOf(data []byte) *format {
	for found := mimetype.Detect(data); found != nil; found = found.Parent() {
		for i := range formats {
			if found.Is(formats[i].mediaType) {
				return &formats[i]
			}
		}
	}
	return nil
}

// IsRead reports whether content is that of a kind of picture that Decode reads.
func IsRead(data []byte) bool { return formatOf(data) != nil }

// MediaTypes returns the media types of the pictures that are read.
func MediaTypes() (list []string) {
	for _, f := range formats {
		list = append(list, f.mediaType)
	}
	return list
}

// A timedReader reads data until ctx ends, in small steps: decoders look at nothing
// else while they work.
type timedReader struct {
	ctx  context.Context
	data []byte
}

// Read implements io.Reader.
func (r *timedReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), readSize)], r.data)
	r.data = r.data[n:]
	return n, nil
}

// Render returns the picture as it is kept: upright, in sRGB, and scaled down so that no side
// has more than longest pixels, Largest at most. The same picture gives the same bytes.
func (p *Picture) Render(longest int) (*Rendition, error) {
	scaled := p.scale(min(longest, Largest))
	out := &Rendition{MediaType: "image/jpeg", Width: scaled.Rect.Dx(), Height: scaled.Rect.Dy()}
	var data bytes.Buffer
	var err error
	if scaled.Opaque() {
		err = jpeg.Encode(&data, scaled, &jpeg.Options{Quality: quality})
	} else {
		out.MediaType = "image/png"
		data.Grow(len(scaled.Pix)) // growing step by step takes three times as much
		err = png.Encode(&data, scaled)
	}
	out.Data = data.Bytes()
	return out, err
}

// stripRows is how many rows are converted at once.
const stripRows = 16

// scale returns the picture as it is kept. Each of its pixels is the mean of the part of the
// decoded picture that it covers, to the fraction of a pixel.
func (p *Picture) scale(longest int) *image.RGBA {
	b := p.pixels.Bounds()
	w, h := fit(b.Dx(), b.Dy(), longest)
	out := newUpright(w, h, p.orientation)
	strip := image.NewRGBA(image.Rect(0, 0, b.Dx(), stripRows))
	row, sums, pixels := make([]uint64, 4*w), make([]uint64, 4*w), make([]uint8, 4*w)
	area := uint64(b.Dx()) * uint64(b.Dy())
	to := 0 // row of what is kept, each of which is b.Dy() long where one of the picture is h
	for y := range b.Dy() {
		if y%stripRows == 0 {
			draw.Draw(strip, strip.Rect, p.pixels, image.Pt(b.Min.X, b.Min.Y+y), draw.Src)
		}
		squeeze(row, strip.Pix[y%stripRows*strip.Stride:], b.Dx(), w)
		for from, end := y*h, (y+1)*h; from < end; {
			next := min(end, (to+1)*b.Dy())
			part := uint64(next - from)
			for i, v := range row {
				sums[i] += part * v
			}
			if from = next; from < (to+1)*b.Dy() {
				continue
			}
			for i, sum := range sums {
				pixels[i] = uint8((sum + area/2) / area)
			}
			if p.profile != nil {
				p.profile.apply(pixels)
			}
			out.put(to, pixels)
			clear(sums)
			to++
		}
	}
	return out.RGBA
}

// squeeze adds up a row of so many pixels in w sums of each channel: each pixel counts w times,
// in the sums that cover it.
func squeeze(sums []uint64, pixels []uint8, width, w int) {
	clear(sums)
	at, left := 0, width // the sum, and how much of it is not covered yet
	for x := range width {
		for rest := w; rest > 0; {
			part := min(rest, left)
			sum, pixel := sums[4*at:4*at+4], pixels[4*x:4*x+4]
			for c := range sum {
				sum[c] += uint64(part) * uint64(pixel[c])
			}
			rest -= part
			if left -= part; left == 0 {
				at, left = at+1, width
			}
		}
	}
}

// fit returns the size of a picture whose longer side is to be longest pixels at most.
func fit(w, h, longest int) (int, int) {
	longer := max(w, h)
	if longer <= longest {
		return w, h
	}
	side := func(n int) int { return max(1, (n*longest+longer/2)/longer) }
	return side(w), side(h)
}

// An upright picture takes the rows of one that lies as its Exif orientation says.
type upright struct {
	*image.RGBA
	origin, right, down int // in bytes: where its first pixel is, and steps to the next of a row and a column
}

// newUpright returns an empty picture for one of a size.
func newUpright(w, h, orientation int) upright {
	swapped := orientation >= 5
	mirrored := orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8 // along a row
	flipped := orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7  // along a column
	size := image.Rect(0, 0, w, h)
	if swapped {
		size = image.Rect(0, 0, h, w)
	}
	u := upright{RGBA: image.NewRGBA(size)}
	u.right, u.down = 4, u.Stride
	if swapped {
		u.right, u.down = u.down, u.right
	}
	if mirrored {
		u.origin += (w - 1) * u.right
		u.right = -u.right
	}
	if flipped {
		u.origin += (h - 1) * u.down
		u.down = -u.down
	}
	return u
}

// put writes a row.
func (u upright) put(y int, pixels []uint8) {
	at := u.origin + y*u.down
	for ; len(pixels) >= 4; pixels = pixels[4:] {
		copy(u.Pix[at:at+4], pixels)
		at += u.right
	}
}

// decodeWebP decodes a WebP picture. With loss it has luminance from 16 to 235 and chrominance
// from 16 to 240, which are spread to what image.YCbCr means by them.
func decodeWebP(r io.Reader) (image.Image, error) {
	m, err := webp.Decode(r)
	if err != nil {
		return nil, err
	}
	switch m := m.(type) {
	case *image.YCbCr:
		fullRange(m)
	case *image.NYCbCrA:
		fullRange(&m.YCbCr)
	}
	return m, nil
}

// fullRange spreads the values of a picture.
func fullRange(m *image.YCbCr) {
	var luma, chroma [256]uint8
	spread := func(v, from, to, zero int) uint8 {
		return uint8(min(max(math.Round(float64(v-from)*255/float64(to-from))+float64(zero), 0), 255))
	}
	for v := range 256 {
		luma[v], chroma[v] = spread(v, 16, 235, 0), spread(v, 128, 128+224, 128)
	}
	for i, v := range m.Y {
		m.Y[i] = luma[v]
	}
	for _, plane := range [][]uint8{m.Cb, m.Cr} {
		for i, v := range plane {
			plane[i] = chroma[v]
		}
	}
}
