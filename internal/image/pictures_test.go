package image

import (
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"workforce/internal/errs"
)

// A quarters is the color of the quarters of a picture, not multiplied by their opacity: the upper
// two, then the lower two.
type quarters [4]color.NRGBA

func opaque(r, g, b uint8) color.NRGBA { return color.NRGBA{r, g, b, 255} }

func grays(a, b, c, d uint8) quarters {
	return quarters{opaque(a, a, a), opaque(b, b, b), opaque(c, c, c), opaque(d, d, d)}
}

// The quarters of the pictures of testdata/pictures.
var (
	black, white, green, none = opaque(0, 0, 0), opaque(255, 255, 255), opaque(0, 255, 0), color.NRGBA{}
	cyan, magenta, yellow     = opaque(0, 255, 255), opaque(255, 0, 255), opaque(255, 255, 0)

	primary = quarters{red, green, blue, white}
	muted   = quarters{opaque(200, 80, 40), opaque(60, 150, 90), opaque(30, 60, 180), opaque(128, 128, 128)}
	steps   = grays(0, 85, 170, 255)
	dark    = grays(0, 5, 20, 60)
	// muted in Display P3, in Adobe RGB, of linear light, and in others
	mutedP3     = quarters{opaque(216, 69, 17), opaque(0, 152, 83), opaque(17, 61, 187), opaque(128, 128, 128)}
	mutedAdobe  = quarters{opaque(228, 79, 32), opaque(0, 151, 84), opaque(0, 57, 185), opaque(129, 129, 129)}
	mutedLinear = quarters{opaque(229, 152, 110), opaque(133, 202, 160), opaque(96, 133, 219), opaque(188, 188, 188)}
	stepsLinear = grays(0, 156, 213, 255)
	halfGreen   = quarters{red, {0, 255, 0, 128}, none, white}
)

// pictures are files of testdata/pictures with the colors that browsers show. They were made with
// libjpeg-turbo, Pillow and cwebp, or byte by byte, and shown by Chromium 156: it differs where a
// profile is a table, where a JPEG of inks has a profile, and in the orientation of WebP, which it
// does not read.
var pictures = []struct {
	names string
	want  quarters
}{
	{"jpeg-444.jpg jpeg-440.jpg jpeg-422.jpg jpeg-420.jpg jpeg-411.jpg jpeg-410.jpg", primary},
	{"jpeg-progressive.jpg jpeg-restart.jpg jpeg-rgb.jpg jpeg-orientation-1.jpg", primary},
	{"jpeg-gray.jpg", steps},
	{"jpeg-cmyk.jpg jpeg-cmyk-profile.jpg", quarters{cyan, magenta, yellow, opaque(127, 127, 127)}},
	{"jpeg-ycck.jpg", quarters{cyan, magenta, yellow, black}},
	{"jpeg-srgb.jpg jpeg-lut.jpg", muted},
	{"jpeg-p3.jpg jpeg-p3-table.jpg jpeg-p3-parts.jpg", mutedP3},
	{"jpeg-adobe-rgb.jpg", mutedAdobe},
	{"jpeg-swapped.jpg", quarters{blue, green, red, white}},
	{"jpeg-gray-profile.jpg jpeg-gray-rgb-profile.jpg", stepsLinear},
	{"jpeg-orientation-2.jpg", quarters{green, red, white, blue}},
	{"jpeg-orientation-3.jpg", quarters{white, blue, green, red}},
	{"jpeg-orientation-4.jpg", quarters{blue, white, red, green}},
	{"jpeg-orientation-5.jpg", quarters{red, blue, green, white}},
	{"jpeg-orientation-6.jpg png-orientation-6.png webp-orientation-6.webp", quarters{blue, red, white, green}},
	{"jpeg-orientation-7.jpg", quarters{white, green, blue, red}},
	{"jpeg-orientation-8.jpg", quarters{green, white, red, blue}},

	{"png-rgb.png png-interlaced.png png-lut.png png-damaged-profile.png png-rgb-gray-profile.png", muted},
	{"png-chroma.png png-gamma-22.png png-gamma-srgb.png png-gamma-zero.png", muted},
	{"png-palette.png", primary},
	{"png-palette-trns.png png-rgba.png", halfGreen},
	{"png-rgb-trns.png", quarters{red, green, none, white}},
	{"png-rgb-16.png", quarters{red, opaque(128, 128, 128), opaque(18, 171, 1), white}},
	{"png-rgba-16.png", quarters{red, {0, 255, 0, 128}, none, opaque(128, 128, 128)}},
	{"png-gray.png png-gray-2.png png-gray-4.png png-gray-16.png png-gray-cicp.png", steps},
	{"png-gray-1.png", grays(0, 255, 255, 0)},
	{"png-gray-alpha.png png-gray-alpha-16.png", quarters{black, opaque(85, 85, 85), {170, 170, 170, 128}, none}},
	{"png-gray-trns.png", quarters{black, opaque(85, 85, 85), none, white}},
	{"png-p3.png png-p3-16.png png-p3-palette.png png-cicp-p3.png", mutedP3},
	{"png-p3-alpha.png", quarters{mutedP3[0], {0, 152, 83, 128}, none, mutedP3[3]}},
	{"png-cicp-2020.png", quarters{opaque(245, 37, 16), opaque(0, 157, 81), opaque(0, 60, 189), opaque(128, 128, 128)}},
	{"png-cicp-709.png", quarters{opaque(197, 70, 28), opaque(49, 144, 81), opaque(18, 49, 176), opaque(121, 121, 121)}},
	{"png-linear.png png-gamma-1.png png-cicp-linear.png", mutedLinear},
	{"png-gray-profile.png png-gray-rgb-profile.png png-gamma-gray.png", stepsLinear},
	{"png-gamma-18.png", quarters{opaque(210, 99, 53), opaque(77, 167, 109), opaque(40, 77, 193), opaque(146, 146, 146)}},
	{"png-gamma-22-dark.png", dark},
	{"png-gamma-22-srgb-chroma.png", grays(0, 1, 12, 57)},
	{"png-gamma-chroma.png", quarters{opaque(218, 67, 3), opaque(0, 154, 83), opaque(6, 58, 189), opaque(129, 129, 129)}},

	{"webp-black-white.webp", quarters{black, white, black, white}},
	{"webp-lossy.webp webp-lossless.webp", muted},
	{"webp-lossy-saturated.webp", primary},
	{"webp-lossy-alpha.webp webp-lossy-alpha-raw.webp webp-lossless-alpha.webp", halfGreen},
	{"webp-p3-lossless.webp", mutedP3},
	{"webp-p3.webp", quarters{opaque(217, 69, 14), opaque(0, 152, 83), opaque(14, 63, 187), opaque(128, 128, 128)}},
}

// refusedPictures are files of testdata/pictures that are not read.
var refusedPictures = map[string]errs.Reason{
	"apng.png": errs.Moving, "webp-animated.webp": errs.Moving,
	"jpeg-arithmetic.jpg": errs.Coding,
	"jpeg-cmyk-plain.jpg": errs.Unreadable, // inks that nothing says how to read
}

// TestPictures shows each picture in the colors that it has in browsers, as it is kept and small.
func TestPictures(t *testing.T) {
	tried := map[string]bool{}
	for _, tt := range pictures {
		for name := range strings.FieldsSeq(tt.names) {
			tried[name] = true
			data, err := os.ReadFile(filepath.Join("testdata", "pictures", name))
			if err != nil {
				t.Fatal(err)
			}
			p, err := Decode(t.Context(), "image", data)
			if err != nil {
				t.Fatal(name, err)
			}
			kept, small := decoded(t, render(t, data, Largest)), p.scale(20)
			for i, want := range tt.want {
				for _, shown := range []image.Image{kept, small} {
					w, h := shown.Bounds().Dx(), shown.Bounds().Dy()
					got := color.NRGBAModel.Convert(shown.At(w/4+i%2*w/2, h/4+i/2*h/2)).(color.NRGBA)
					if !near(got, want) {
						t.Errorf("%s, %d pixels: quarter %d is %v, want %v", name, w, i, got, want)
					}
				}
			}
		}
	}
	for name, want := range refusedPictures {
		tried[name] = true
		data, err := os.ReadFile(filepath.Join("testdata", "pictures", name))
		if err != nil {
			t.Fatal(err)
		}
		_, err = Decode(t.Context(), "image", data)
		if e := errs.As(err); err == nil || e.Code != errs.Invalid || len(e.Faults) != 1 || e.Faults[0].Reason != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	files, err := os.ReadDir(filepath.Join("testdata", "pictures"))
	if err != nil || len(files) != len(tried) || len(files) < 40 {
		t.Errorf("%d files, %d tried: %v", len(files), len(tried), err)
	}
}

// near reports whether two colors differ by 3 at most; what cannot be seen has none.
func near(a, b color.NRGBA) bool {
	if a.A == 0 && b.A == 0 {
		return true
	}
	for _, d := range []int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B), int(a.A) - int(b.A)} {
		if d < -3 || d > 3 {
			return false
		}
	}
	return true
}

// FuzzProfile reads damaged profiles.
func FuzzProfile(f *testing.F) {
	for _, name := range []string{"png-p3.png", "png-gray-profile.png", "png-lut.png"} {
		data, err := os.ReadFile(filepath.Join("testdata", "pictures", name))
		if err != nil {
			f.Fatal(err)
		}
		h, ok := inspectPNG(data)
		if !ok {
			f.Fatal(name)
		}
		_ = h.profile()
		const chunk = 8 + 25 + 8 // after the signature and the header
		f.Add(inflated(data[chunk:]), []byte{}, uint32(0))
	}
	f.Add([]byte{}, []byte(strings.Repeat("\x00\x00\x40\x00", 8)), uint32(45_455))
	f.Fuzz(func(t *testing.T, data, chromaticities []byte, gamma uint32) {
		row := []byte{0, 100, 255, 255, 100, 0, 50, 100, 0, 0, 0, 0}
		gammas, code := gammaProfile(gamma, chromaticities), coded(chromaticities)
		for _, p := range []*profile{icc(data, false), icc(data, true), gammas, code} {
			if p != nil {
				p.apply(row)
			}
		}
		if row[3] != 255 || row[7] != 100 || row[11] != 0 || max(row[4], row[5], row[6]) > 100 {
			t.Errorf("converted to %v", row)
		}
	})
}
