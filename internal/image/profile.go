package image

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"math"
	"sync"
)

// maxProfile is how many bytes of a color profile are read.
const maxProfile = 1 << 20

// A curve has the linear light, 0 to 1, of each value of a channel.
type curve [256]float32

// A profile says which colors the values of a picture mean: linear light by the curve of
// each channel, and from that the linear light of sRGB by a matrix.
type profile struct {
	curves [3]curve
	matrix [3][3]float32
}

// A matrix3 maps the linear light of three channels.
type matrix3 [3][3]float64

// toSRGB maps XYZ, as ICC profiles have it (white is D50), to linear sRGB.
var toSRGB = matrix3{
	{3.1338561, -1.6168667, -0.4906146},
	{-0.9787684, 1.9161415, 0.0334540},
	{0.0719453, -0.2289914, 1.4052427},
}

// identity is the matrix of grey, whose three channels are the same.
var identity = matrix3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}

func (m matrix3) times(n matrix3) (out matrix3) {
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				out[i][j] += m[i][k] * n[k][j]
			}
		}
	}
	return out
}

// newProfile returns a profile; nil for one whose colors are those of sRGB.
func newProfile(curves [3]curve, m matrix3) *profile {
	p := &profile{curves: curves}
	for i := range m {
		for j := range m[i] {
			p.matrix[i][j] = float32(m[i][j])
		}
	}
	const step, tolerance = 51, 2
	for r := 0; r < 256; r += step {
		for g := 0; g < 256; g += step {
			for b := 0; b < 256; b += step {
				x, y, z := p.convert(uint8(r), uint8(g), uint8(b))
				if max(abs(int(x)-r), abs(int(y)-g), abs(int(z)-b)) > tolerance {
					return p
				}
			}
		}
	}
	return nil
}

func abs(n int) int { return max(n, -n) }

// convert returns the values in sRGB of a color. What sRGB cannot show is clipped.
func (p *profile) convert(r, g, b uint8) (uint8, uint8, uint8) {
	x, y, z := p.curves[0][r], p.curves[1][g], p.curves[2][b]
	encode, m := encoded(), &p.matrix
	at := func(row *[3]float32) uint8 {
		linear := row[0]*x + row[1]*y + row[2]*z
		if !(linear > 0) { // also what is no number
			linear = 0
		}
		return encode[int(min(linear, 1)*(encodedSize-1)+0.5)]
	}
	return at(&m[0]), at(&m[1]), at(&m[2])
}

// apply converts a row of pixels, whose colors are multiplied by their opacity.
func (p *profile) apply(row []uint8) {
	for ; len(row) >= 4; row = row[4:] {
		switch a := int(row[3]); a {
		case 0:
		case 255:
			row[0], row[1], row[2] = p.convert(row[0], row[1], row[2])
		default:
			plain := func(v uint8) uint8 { return uint8(min(255, (int(v)*255+a/2)/a)) }
			r, g, b := p.convert(plain(row[0]), plain(row[1]), plain(row[2]))
			row[0], row[1], row[2] = times(r, a), times(g, a), times(b, a)
		}
	}
}

func times(v uint8, a int) uint8 { return uint8((int(v)*a + 127) / 255) }

const encodedSize = 1 << 14

// encoded has the values in sRGB of linear light, in equal steps from 0 to 1.
var encoded = sync.OnceValue(func() (table *[encodedSize]uint8) {
	table = new([encodedSize]uint8)
	for i := range table {
		v := float64(i) / (encodedSize - 1)
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		table[i] = uint8(v*255 + 0.5)
	}
	return table
})

// newCurve samples a function from 0..1 to 0..1.
func newCurve(f func(v float64) float64) (c curve) {
	for i := range c {
		if v := f(float64(i) / 255); v > 0 { // not what is no number
			c[i] = float32(min(v, 1))
		}
	}
	return c
}

// decodeSRGB returns the linear light of a value in sRGB.
func decodeSRGB(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// icc reads an ICC profile of three curves and a matrix, or of grey. Nil for one of another
// kind, as of tables or of inks, for one that is damaged, and for sRGB: then the values of
// the picture stay as they are.
func icc(data []byte, gray bool) *profile {
	const header, entry = 128, 12
	if len(data) < header+4 || string(data[36:40]) != "acsp" || string(data[20:24]) != "XYZ " {
		return nil
	}
	tags := map[string][]byte{}
	list := data[header+4:]
	for range min(binary.BigEndian.Uint32(data[header:]), 100) {
		if len(list) < entry {
			return nil
		}
		at, size := uint64(binary.BigEndian.Uint32(list[4:])), uint64(binary.BigEndian.Uint32(list[8:]))
		if at+size > uint64(len(data)) {
			return nil
		}
		tags[string(list[:4])] = data[at : at+size]
		list = list[entry:]
	}
	switch space := string(data[16:20]); {
	case space == "GRAY" && gray:
		c, ok := readCurve(tags["kTRC"])
		if ok {
			return newProfile([3]curve{c, c, c}, identity)
		}
	case space == "RGB ":
		return readMatrix(tags)
	}
	return nil
}

// readMatrix reads the matrix and curves of an ICC profile; nil where one is missing.
func readMatrix(tags map[string][]byte) *profile {
	var curves [3]curve
	var toXYZ matrix3
	for i, name := range []string{"r", "g", "b"} {
		xyz := tags[name+"XYZ"]
		c, ok := readCurve(tags[name+"TRC"])
		if !ok || len(xyz) < 20 || string(xyz[:4]) != "XYZ " {
			return nil
		}
		curves[i] = c
		for row := range 3 {
			toXYZ[row][i] = fixed(xyz[8+4*row:])
		}
	}
	return newProfile(curves, toSRGB.times(toXYZ))
}

// fixed reads a number with 16 bits before the point and 16 behind it.
func fixed(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) / 65536 }

// readCurve reads a curve of an ICC profile: samples, an exponent, or a function with up to
// seven parameters.
func readCurve(tag []byte) (c curve, ok bool) {
	if len(tag) < 12 {
		return c, false
	}
	switch string(tag[:4]) {
	case "curv":
		n := binary.BigEndian.Uint32(tag[8:])
		samples := tag[12:]
		if n > 1<<16 || len(samples) < 2*int(n) {
			return c, false
		}
		return sampled(samples[:2*n]), true
	case "para":
		counts := []int{1, 3, 4, 5, 7}
		kind := int(binary.BigEndian.Uint16(tag[8:]))
		if kind >= len(counts) || len(tag) < 12+4*counts[kind] {
			return c, false
		}
		var p [7]float64
		for i := range counts[kind] {
			p[i] = fixed(tag[12+4*i:])
		}
		return newCurve(parametric(kind, p)), true
	}
	return c, false
}

// sampled returns the curve of samples of 16 bits: none is a line, one is an exponent.
func sampled(samples []byte) curve {
	at := func(i int) float64 { return float64(binary.BigEndian.Uint16(samples[2*i:])) }
	switch n := len(samples) / 2; n {
	case 0:
		return newCurve(func(v float64) float64 { return v })
	case 1:
		return newCurve(func(v float64) float64 { return math.Pow(v, at(0)/256) })
	default:
		return newCurve(func(v float64) float64 {
			x := v * float64(n-1)
			i := min(int(x), n-2)
			low, high := at(i), at(i+1)
			return (low + (high-low)*(x-float64(i))) / 65535
		})
	}
}

// parametric returns a function of an ICC profile, by the number of its kind.
func parametric(kind int, p [7]float64) func(v float64) float64 {
	g, a, b, c, d, e, f := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	switch kind {
	case 0:
		return func(v float64) float64 { return math.Pow(v, g) }
	case 1:
		c, d, e, f = 0, -b/a, 0, 0
	case 2:
		c, d, e, f = 0, -b/a, c, c
	case 3:
		e, f = 0, 0
	}
	return func(v float64) float64 {
		if v >= d {
			return math.Pow(max(a*v+b, 0), g) + e
		}
		return c*v + f
	}
}

// inflated returns the profile of a chunk iCCP of a PNG: a name, the method, and the profile
// compressed. Nil for one that is damaged or too large.
func inflated(chunk []byte) []byte {
	_, rest, ok := bytes.Cut(chunk, []byte{0})
	if !ok || len(rest) < 1 || rest[0] != 0 {
		return nil
	}
	z, err := zlib.NewReader(bytes.NewReader(rest[1:]))
	if err != nil {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(z, maxProfile+1))
	if err != nil || len(data) > maxProfile {
		return nil
	}
	return data
}

// gammaProfile returns the profile of a PNG that names an exponent, in 1/100,000, and maybe
// chromaticities: of white, red, green and blue, x and y of each, in 1/100,000 too. An
// exponent near that of sRGB alone means sRGB, as browsers read it.
func gammaProfile(gamma uint32, chromaticities []byte) *profile {
	exponent := 100_000 / float64(gamma)
	if gamma == 0 || len(chromaticities) != 32 && math.Abs(exponent/2.2-1) < 0.05 {
		return nil
	}
	c := newCurve(func(v float64) float64 { return math.Pow(v, exponent) })
	m := identity
	if len(chromaticities) == 32 {
		var xy [4][2]float64
		for i := range 8 {
			xy[i/2][i%2] = float64(binary.BigEndian.Uint32(chromaticities[4*i:])) / 100_000
		}
		toXYZ, ok := primaries(xy)
		if !ok {
			return nil
		}
		m = toSRGB.times(toXYZ)
	}
	return newProfile([3]curve{c, c, c}, m)
}

// d65 is the white of the spaces that code points name.
var d65 = [2]float64{0.3127, 0.3290}

// codedPrimaries are the primaries of ITU-T H.273 that are read, by their numbers.
var codedPrimaries = map[byte][4][2]float64{
	1:  {d65, {0.640, 0.330}, {0.300, 0.600}, {0.150, 0.060}},
	9:  {d65, {0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}},
	12: {d65, {0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}},
}

// codedCurves are the transfer functions of ITU-T H.273 that are read, by their numbers.
var codedCurves = map[byte]func(v float64) float64{
	1:  func(v float64) float64 { return math.Pow(v, 2.4) }, // as screens show it
	8:  func(v float64) float64 { return v },
	13: decodeSRGB,
}

// coded returns the profile that a chunk cICP of a PNG names; nil for one that is not read, as
// those of a high dynamic range.
func coded(chunk []byte) *profile {
	if len(chunk) != 4 {
		return nil
	}
	xy, transfer := codedPrimaries[chunk[0]], codedCurves[chunk[1]]
	toXYZ, ok := primaries(xy)
	if !ok || transfer == nil {
		return nil
	}
	c := newCurve(transfer)
	return newProfile([3]curve{c, c, c}, toSRGB.times(toXYZ))
}

// primaries returns the matrix from the linear light of three primaries to XYZ with white at
// D50, as Bradford adapts it. White comes first in xy; false where they span no colors.
func primaries(xy [4][2]float64) (m matrix3, ok bool) {
	var white [3]float64
	for i, p := range xy {
		if p[1] <= 0 {
			return m, false
		}
		xyz := [3]float64{p[0] / p[1], 1, (1 - p[0] - p[1]) / p[1]}
		if i == 0 {
			white = xyz
			continue
		}
		for row := range 3 {
			m[row][i-1] = xyz[row]
		}
	}
	inverse, ok := m.inverse()
	if !ok {
		return m, false
	}
	scale := inverse.of(white)
	for row := range 3 {
		for i := range 3 {
			m[row][i] *= scale[i]
		}
	}
	bradford := matrix3{{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}
	from, to := bradford.of(white), bradford.of([3]float64{0.96422, 1, 0.82521})
	back, _ := bradford.inverse()
	cones := matrix3{}
	for i := range 3 {
		if from[i] == 0 {
			return m, false
		}
		cones[i][i] = to[i] / from[i]
	}
	return back.times(cones).times(bradford).times(m), true
}

// of returns the product with a vector.
func (m matrix3) of(v [3]float64) (out [3]float64) {
	for i := range 3 {
		out[i] = m[i][0]*v[0] + m[i][1]*v[1] + m[i][2]*v[2]
	}
	return out
}

// inverse returns the inverse; false where there is none.
func (m matrix3) inverse() (out matrix3, ok bool) {
	minor := func(i, j int) float64 {
		a, b, c, d := (i+1)%3, (i+2)%3, (j+1)%3, (j+2)%3
		return m[a][c]*m[b][d] - m[a][d]*m[b][c]
	}
	det := m[0][0]*minor(0, 0) + m[0][1]*minor(0, 1) + m[0][2]*minor(0, 2)
	if math.Abs(det) < 1e-9 {
		return out, false
	}
	for i := range 3 {
		for j := range 3 {
			out[j][i] = minor(i, j) / det
		}
	}
	return out, true
}
