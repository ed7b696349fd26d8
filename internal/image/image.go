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
	MaxMemory = 256 << 20       // bytes that decoding may take, by its header
	MaxTime   = 4 * time.Second // of decoding
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
	{"image/webp", inspectWebP, webp.Decode},
}

// A header is what is known of a picture before it is decoded.
type header struct {
	width, height int
	memory        int // bytes that decoding takes
	animated      bool
	orientation   int // of Exif: 1 to 8
}

// A Picture is a decoded picture.
type Picture struct {
	pixels      image.Image
	orientation int
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

// decode is Decode without a limit of time but that of ctx.
func decode(ctx context.Context, field string, data []byte) (*Picture, error) {
	if len(data) > MaxBytes {
		return nil, errs.Field(errs.PayloadTooLarge, field, errs.Meta{"limit": MaxBytes})
	}
	f := formatOf(data)
	if f == nil {
		return nil, errs.Field(errs.UnsupportedMediaType, field, errs.Meta{"allowed": mediaTypes()})
	}
	h, ok := f.inspect(data)
	unreadable := errs.Because(field, errs.Unreadable, nil)
	if !ok || h.animated || h.width <= 0 || h.height <= 0 {
		return nil, unreadable
	}
	if h.width > MaxSide || h.height > MaxSide || h.width*h.height > MaxPixels || h.memory > MaxMemory {
		return nil, errs.Field(errs.PayloadTooLarge, field, errs.Meta{"maxPixels": MaxPixels, "maxSide": MaxSide})
	}
	pixels, err := f.decode(&timedReader{ctx, data})
	if err != nil || pixels.Bounds().Dx() != h.width || pixels.Bounds().Dy() != h.height {
		return nil, unreadable
	}
	return &Picture{pixels, h.orientation}, nil
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

func mediaTypes() (list []string) {
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

// Render returns the picture as it is kept, upright and scaled down so that no side has
// more than longest pixels. The same picture gives the same bytes.
func (p *Picture) Render(longest int) (*Rendition, error) {
	scaled := upright(scale(p.pixels, longest), p.orientation)
	out := &Rendition{MediaType: "image/jpeg", Width: scaled.Rect.Dx(), Height: scaled.Rect.Dy()}
	var data bytes.Buffer
	var err error
	if scaled.Opaque() {
		err = jpeg.Encode(&data, scaled, &jpeg.Options{Quality: quality})
	} else {
		out.MediaType = "image/png"
		err = png.Encode(&data, scaled)
	}
	out.Data = data.Bytes()
	return out, err
}

// scale returns a picture with at most longest pixels on each side: averaged over
// whole blocks of pixels, and then by less than half.
func scale(from image.Image, longest int) *image.RGBA {
	size := from.Bounds().Size()
	w, h := fit(size.X, size.Y, longest)
	blocks := average(from, max(1, max(size.X, size.Y)/longest))
	if blocks.Rect.Dx() == w && blocks.Rect.Dy() == h {
		return blocks
	}
	to := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.ApproxBiLinear.Scale(to, to.Rect, blocks, blocks.Rect, draw.Src, nil)
	return to
}

// average returns a picture whose pixels are the means of n by n pixels each. It works
// in strips, so that it needs little memory.
func average(from image.Image, n int) *image.RGBA {
	b := from.Bounds()
	to := image.NewRGBA(image.Rect(0, 0, (b.Dx()+n-1)/n, (b.Dy()+n-1)/n))
	strip := image.NewRGBA(image.Rect(0, 0, b.Dx(), n))
	sums := make([][4]int, to.Rect.Dx())
	for row := range to.Rect.Dy() {
		height := min(n, b.Dy()-row*n)
		draw.Draw(strip, image.Rect(0, 0, b.Dx(), height), from, image.Pt(b.Min.X, b.Min.Y+row*n), draw.Src)
		clear(sums)
		for y := range height {
			line := strip.Pix[y*strip.Stride:]
			for x := range b.Dx() {
				sum := &sums[x/n]
				for c := range sum {
					sum[c] += int(line[4*x+c])
				}
			}
		}
		for x, sum := range sums {
			area := height * min(n, b.Dx()-x*n)
			for c := range sum {
				to.Pix[row*to.Stride+4*x+c] = uint8((sum[c] + area/2) / area)
			}
		}
	}
	return to
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

// upright turns and mirrors a picture as its Exif orientation says.
func upright(from *image.RGBA, orientation int) *image.RGBA {
	w, h := from.Rect.Dx(), from.Rect.Dy()
	var source func(x, y int) (int, int) // of a pixel of the upright picture
	switch orientation {
	case 2:
		source = func(x, y int) (int, int) { return w - 1 - x, y }
	case 3:
		source = func(x, y int) (int, int) { return w - 1 - x, h - 1 - y }
	case 4:
		source = func(x, y int) (int, int) { return x, h - 1 - y }
	case 5:
		source = func(x, y int) (int, int) { return y, x }
	case 6:
		source = func(x, y int) (int, int) { return y, h - 1 - x }
	case 7:
		source = func(x, y int) (int, int) { return w - 1 - y, h - 1 - x }
	case 8:
		source = func(x, y int) (int, int) { return w - 1 - y, x }
	default:
		return from
	}
	size := image.Rect(0, 0, w, h)
	if orientation >= 5 {
		size = image.Rect(0, 0, h, w)
	}
	to := image.NewRGBA(size)
	for y := range size.Dy() {
		for x := range size.Dx() {
			to.SetRGBA(x, y, from.RGBAAt(source(x, y)))
		}
	}
	return to
}
