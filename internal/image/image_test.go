package image

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"runtime"
	"strings"
	"testing"
	"time"

	"workforce/internal/errs"
)

var red, blue = color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 0, 255, 255}

// sample draws a picture that is red but for a blue quarter at the top left.
func sample(w, h int) *image.NRGBA {
	p := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			p.SetNRGBA(x, y, red)
			if x < w/2 && y < h/2 {
				p.SetNRGBA(x, y, blue)
			}
		}
	}
	return p
}

func encodeJPEG(t testing.TB, p image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, p, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func encodePNG(t testing.TB, p image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func encodeGIF(t testing.TB, p image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gif.Encode(&b, p, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// webps are pictures of one pixel: with loss, and without and transparent.
func webps(t testing.TB) (lossy, lossless []byte) {
	t.Helper()
	for text, to := range map[string]*[]byte{
		"UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA": &lossy,
		"UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==":         &lossless,
	} {
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		*to = data
	}
	return lossy, lossless
}

// exif returns Exif data with an orientation.
func exif(order binary.AppendByteOrder, n uint16) []byte {
	mark := "MM"
	if order == binary.AppendByteOrder(binary.LittleEndian) {
		mark = "II"
	}
	b := order.AppendUint16([]byte(mark), 42)
	b = order.AppendUint32(b, 8)
	b = order.AppendUint16(b, 2)
	for _, entry := range [][2]uint16{{0x010f, 7}, {0x0112, n}} {
		b = order.AppendUint16(b, entry[0])
		b = order.AppendUint16(b, 3)
		b = order.AppendUint32(b, 1)
		b = order.AppendUint16(order.AppendUint16(b, entry[1]), 0)
	}
	return append(b, "GPS -6.200000 106.816666"...)
}

// withExif adds a segment with Exif data to a JPEG.
func withExif(data, exif []byte) []byte {
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(8+len(exif)))
	segment = append(append(segment, "Exif\x00\x00"...), exif...)
	return append(append(bytes.Clone(data[:2]), segment...), data[2:]...)
}

// chunk returns a chunk of a PNG.
func chunk(name string, data []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, name...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// withChunk adds a chunk to a PNG, after its header.
func withChunk(data []byte, name string, content []byte) []byte {
	const header = 8 + 25
	return append(append(bytes.Clone(data[:header]), chunk(name, content)...), data[header:]...)
}

// sized returns a PNG whose header says another size.
func sized(data []byte, w, h uint32, depth, kind byte) []byte {
	out := bytes.Clone(data)
	binary.BigEndian.PutUint32(out[16:], w)
	binary.BigEndian.PutUint32(out[20:], h)
	out[24], out[25] = depth, kind
	binary.BigEndian.PutUint32(out[29:], crc32.ChecksumIEEE(out[12:29]))
	return out
}

// riff returns a WebP of chunks.
func riff(chunks ...string) []byte {
	body := "WEBP" + strings.Join(chunks, "")
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

// extended returns the chunk VP8X of a WebP.
func extended(flags byte, w, h int) string {
	return "VP8X\x0a\x00\x00\x00" + string([]byte{flags, 0, 0, 0, byte(w - 1), byte((w - 1) >> 8), 0, byte(h - 1), byte((h - 1) >> 8), 0})
}

// TestOrientations shows each orientation upright, and that nothing of the metadata
// is kept.
func TestOrientations(t *testing.T) {
	corners := map[uint16]image.Point{ // where the blue quarter is then, of 40 by 20 or 20 by 40
		1: {0, 0}, 2: {1, 0}, 3: {1, 1}, 4: {0, 1}, 5: {0, 0}, 6: {1, 0}, 7: {1, 1}, 8: {0, 1}, 0: {0, 0}, 9: {0, 0},
	}
	for n, corner := range corners {
		for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
			for name, data := range map[string][]byte{
				"jpeg": withExif(encodeJPEG(t, sample(40, 20)), exif(order, n)),
				"png":  withChunk(encodePNG(t, sample(40, 20)), "eXIf", exif(order, n)),
			} {
				r := render(t, data, 100)
				w, h := 40, 20
				if n >= 5 && n <= 8 {
					w, h = 20, 40
				}
				if r.Width != w || r.Height != h || bytes.Contains(r.Data, []byte("106.8")) || bytes.Contains(r.Data, []byte("Exif")) {
					t.Errorf("%s %d: %d by %d, want %d by %d without metadata", name, n, r.Width, r.Height, w, h)
				}
				p := decoded(t, r)
				for _, at := range []image.Point{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
					c := color.NRGBAModel.Convert(p.At(w/4+at.X*w/2, h/4+at.Y*h/2)).(color.NRGBA)
					if blue := c.B > 200 && c.R < 60; blue != (at == corner) {
						t.Errorf("%s %d: %v at %v, want blue at %v", name, n, c, at, corner)
					}
				}
			}
		}
	}
}

func render(t testing.TB, data []byte, longest int) *Rendition {
	t.Helper()
	p, err := Decode(t.Context(), "image", data)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Render(longest)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// decoded decodes what was rendered, as its media type says.
func decoded(t testing.TB, r *Rendition) image.Image {
	t.Helper()
	decode := map[string]func([]byte) (image.Image, error){
		"image/jpeg": func(b []byte) (image.Image, error) { return jpeg.Decode(bytes.NewReader(b)) },
		"image/png":  func(b []byte) (image.Image, error) { return png.Decode(bytes.NewReader(b)) },
	}[r.MediaType]
	p, err := decode(r.Data)
	if err != nil {
		t.Fatal(err)
	}
	if s := p.Bounds().Size(); s.X != r.Width || s.Y != r.Height {
		t.Errorf("%v, said to be %d by %d", s, r.Width, r.Height)
	}
	return p
}

func TestSizes(t *testing.T) {
	for _, tt := range []struct{ w, h, longest, wantW, wantH int }{
		{40, 20, 320, 40, 20}, {320, 320, 320, 320, 320}, {321, 100, 320, 320, 100}, {640, 480, 320, 320, 240},
		{1000, 3000, 320, 107, 320}, {5000, 1, 320, 320, 1}, {1, 5000, 320, 1, 320}, {959, 700, 320, 320, 234}, {1, 1, 1, 1, 1},
	} {
		r := render(t, encodePNG(t, sample(tt.w, tt.h)), tt.longest)
		if r.Width != tt.wantW || r.Height != tt.wantH {
			t.Errorf("%d by %d within %d: %d by %d, want %d by %d", tt.w, tt.h, tt.longest, r.Width, r.Height, tt.wantW, tt.wantH)
		}
		decoded(t, r)
	}
}

// TestAverage averages colors with their transparency.
func TestAverage(t *testing.T) {
	p := image.NewNRGBA(image.Rect(0, 0, 4, 2))
	p.SetNRGBA(0, 0, color.NRGBA{200, 0, 0, 255})
	p.SetNRGBA(1, 1, color.NRGBA{0, 100, 0, 255})
	if got, want := (&Picture{pixels: p}).scale(2).RGBAAt(0, 0), (color.RGBA{50, 25, 0, 128}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	r := render(t, encodePNG(t, p), 2)
	if r.MediaType != "image/png" {
		t.Errorf("a transparent picture is kept as %s", r.MediaType)
	}
	if again := render(t, encodePNG(t, p), 2); !bytes.Equal(r.Data, again.Data) {
		t.Error("the same picture gave other bytes")
	}
}

func TestWebP(t *testing.T) {
	lossy, lossless := webps(t)
	for name, data := range map[string][]byte{
		"lossy": lossy, "lossless": lossless, "extended": riff(extended(0x10, 1, 1), string(lossless[12:])),
	} {
		if r := render(t, data, 320); r.Width != 1 || r.Height != 1 {
			t.Errorf("%s: %d by %d", name, r.Width, r.Height)
		}
	}
}

// TestRefused refuses what is no picture, too large, animated or damaged.
func TestRefused(t *testing.T) {
	jpg, pic := encodeJPEG(t, sample(64, 64)), encodePNG(t, sample(64, 64))
	lossy, lossless := webps(t)
	progressive := func(w, h uint16, factors byte) []byte {
		b := []byte{0xff, 0xd8, 0xff, 0xc2, 0, 17, 8}
		b = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, h), w)
		return append(b, 3, 1, factors, 0, 2, 0x11, 0, 3, 0x11, 0, 0xff, 0xd9)
	}
	big := "VP8L\x05\x00\x00\x00\x2f\xff\xff\xff\x0f\x00"
	tests := map[string]struct {
		data []byte
		want string
	}{
		"nothing":              {nil, "UNSUPPORTED_MEDIA_TYPE"},
		"text":                 {[]byte("hello"), "UNSUPPORTED_MEDIA_TYPE"},
		"a page":               {[]byte("<html><script>alert(1)</script></html>"), "UNSUPPORTED_MEDIA_TYPE"},
		"SVG":                  {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), "UNSUPPORTED_MEDIA_TYPE"},
		"GIF":                  {encodeGIF(t, sample(8, 8)), "UNSUPPORTED_MEDIA_TYPE"},
		"BMP":                  {append([]byte("BM"), make([]byte, 100)...), "UNSUPPORTED_MEDIA_TYPE"},
		"HEIC":                 {[]byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"), "UNSUPPORTED_MEDIA_TYPE"},
		"PDF":                  {[]byte("%PDF-1.7\n"), "UNSUPPORTED_MEDIA_TYPE"},
		"ZIP":                  {[]byte("PK\x03\x04aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), "UNSUPPORTED_MEDIA_TYPE"},
		"too many bytes":       {append(bytes.Clone(pic), make([]byte, MaxBytes)...), "PAYLOAD_TOO_LARGE"},
		"too wide":             {sized(pic, 12_001, 1, 8, 2), "PAYLOAD_TOO_LARGE"},
		"too high":             {sized(pic, 1, 12_001, 8, 2), "PAYLOAD_TOO_LARGE"},
		"a bomb":               {sized(pic, 50_000, 50_000, 8, 2), "PAYLOAD_TOO_LARGE"},
		"too many pixels":      {sized(pic, 8_000, 5_001, 8, 0), "PAYLOAD_TOO_LARGE"},
		"too deep":             {sized(pic, 6_000, 6_000, 16, 2), "PAYLOAD_TOO_LARGE"},
		"progressive":          {progressive(5_000, 5_000, 0x11), "PAYLOAD_TOO_LARGE"},
		"17 megapixels twice":  {progressive(4_761, 3_571, 0x11), "PAYLOAD_TOO_LARGE"},
		"40 in seven passes":   {sized(plainPNG(8, 8, 8, 6, true), 8_000, 5_000, 8, 6), "PAYLOAD_TOO_LARGE"},
		"a JPEG bomb":          {progressive(65_535, 65_535, 0x22), "PAYLOAD_TOO_LARGE"},
		"a WebP bomb":          {riff(big), "PAYLOAD_TOO_LARGE"},
		"a WebP of two sizes":  {riff(extended(0, 1, 1), big), "VALIDATION_FAILED"},
		"two frames":           {riff(string(lossless[12:]), string(lossless[12:])), "VALIDATION_FAILED"},
		"animated WebP":        {riff(extended(2, 1, 1), "ANIM\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00"), "VALIDATION_FAILED"},
		"animated PNG":         {withChunk(pic, "acTL", make([]byte, 8)), "VALIDATION_FAILED"},
		"no size":              {sized(pic, 0, 0, 8, 2), "VALIDATION_FAILED"},
		"a PNG cut off":        {pic[:len(pic)/2], "VALIDATION_FAILED"},
		"a PNG without pixels": {sized(pic, 4_000, 4_000, 8, 2), "VALIDATION_FAILED"},
		"a JPEG cut off":       {jpg[:len(jpg)/2], "VALIDATION_FAILED"},
		"a JPEG of three":      {jpg[:3], "VALIDATION_FAILED"},
		"a WebP cut off":       {lossy[:len(lossy)-6], "VALIDATION_FAILED"},
		"a damaged PNG":        {append(append(bytes.Clone(pic[:60]), "damage"...), pic[66:]...), "VALIDATION_FAILED"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Decode(t.Context(), "photo", tt.data)
			runtime.ReadMemStats(&after)
			e := errs.As(err)
			if err == nil || string(e.Code) != tt.want || len(e.Faults) != 1 || e.Faults[0].Field != "photo" {
				t.Errorf("%v, want %s", err, tt.want)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 80<<20 {
				t.Errorf("%d bytes were allocated", used)
			}
		})
	}
}

// TestTime gives up where there is no time left.
func TestTime(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	if _, err := Decode(ctx, "image", encodeJPEG(t, sample(64, 64))); errs.As(err).Code != errs.Invalid {
		t.Errorf("%v, want VALIDATION_FAILED", err)
	}
}

// TestLarge reads the largest pictures that are allowed, however long that takes.
func TestLarge(t *testing.T) {
	t.Parallel()
	large := image.NewGray(image.Rect(0, 0, 8_000, 5_000))
	for name, data := range map[string][]byte{"png": encodePNG(t, large), "jpeg": encodeJPEG(t, large)} {
		p, err := decode(t.Context(), "image", data)
		if err != nil {
			t.Fatal(name, err)
		}
		if r, err := p.Render(Thumbnail); err != nil || r.Width != 320 || r.Height != 200 {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}

// FuzzDecode feeds damaged pictures: each is refused or rendered within its bounds.
func FuzzDecode(f *testing.F) {
	lossy, lossless := webps(f)
	for _, data := range [][]byte{
		encodePNG(f, sample(9, 7)), withExif(encodeJPEG(f, sample(9, 7)), exif(binary.BigEndian, 6)), lossy, lossless,
		riff(extended(0x10, 1, 1), string(lossless[12:])), withChunk(encodePNG(f, sample(3, 3)), "eXIf", exif(binary.LittleEndian, 8)),
	} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if fm := formatOf(data); fm != nil {
			if h, ok := fm.inspect(data); ok && h.width*h.height > 1<<20 {
				return // allowed, but slow
			}
		}
		p, err := Decode(t.Context(), "image", data)
		if err != nil {
			if code := errs.As(err).Code; code != errs.Invalid && code != errs.UnsupportedMediaType && code != errs.PayloadTooLarge {
				t.Errorf("refused with %v", err)
			}
			return
		}
		r, err := p.Render(64)
		if err != nil || r.Width > 64 || r.Height > 64 || r.Width < 1 || r.Height < 1 {
			t.Error(fmt.Sprint(err), r)
		}
	})
}
