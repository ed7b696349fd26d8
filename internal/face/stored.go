package face

import (
	"encoding/binary"
	"errors"
	"math"
	"time"
)

// ErrGallery is returned for bytes that are no stored gallery.
var ErrGallery = errors.New("not a stored face gallery")

// A stored gallery begins with its format, how many points the templates have, how many
// templates and captures follow the registered shape, and then has each of them: whether
// it has depth, what is told of it, and its coordinates: of templates as 32-bit floats,
// of captures as 16-bit parts of the size.
const (
	galleryFormat = 1
	steps         = math.MaxInt16 // of a coordinate from 0 to 1
	// maxRounding is how far, at most, a capture is from what is stored of it.
	maxRounding = 2.2e-4 // half a step in each of 3 × 68 coordinates
)

// MarshalBinary implements encoding.BinaryMarshaler. It never fails.
func (g *Gallery) MarshalBinary() ([]byte, error) {
	out := append(make([]byte, 0, g.size()), galleryFormat)
	out = binary.BigEndian.AppendUint16(out, uint16(g.registered.Len()))
	out = append(out, byte(len(g.templates)), byte(len(g.captures)))
	out = appendFloats(out, 0, g.registered)
	for _, t := range g.templates {
		out = appendFloats(out, t.weight, t.shape)
	}
	for _, c := range g.captures {
		out = append(out, flagOf(c.deep))
		out = binary.BigEndian.AppendUint64(out, uint64(c.at.Unix()))
		out = append(out, c.points...)
	}
	return out, nil
}

// pointSize is that of a stored point of a capture, in bytes.
const pointSize = 6

// newCapture stores a shape.
func newCapture(s Shape, at time.Time) capture {
	c := capture{s.deep, at, make([]byte, 0, pointSize*len(s.points))}
	for _, p := range s.points {
		for _, v := range p {
			c.points = binary.BigEndian.AppendUint16(c.points, uint16(int16(math.Round(v*steps))))
		}
	}
	return c
}

// place reads a point.
func (c capture) place(i int) place {
	b := c.points[pointSize*i : pointSize*i+pointSize]
	at := func(k int) float64 { return float64(int16(binary.BigEndian.Uint16(b[k:]))) / steps }
	return place{at(0), at(2), at(4)}
}

// shape reads all points, and scales them to size 1 again.
func (c capture) shape() Shape {
	s := Shape{points: make([]place, len(c.points)/pointSize), deep: c.deep}
	for i := range s.points {
		s.points[i] = c.place(i)
	}
	s.normalize()
	return s
}

// size is about that of the stored gallery, in bytes.
func (g *Gallery) size() int {
	return 16 + (1+len(g.templates))*(2+12*g.registered.Len()) + len(g.captures)*(9+6*capturePoints)
}

func flagOf(deep bool) byte {
	if deep {
		return 1
	}
	return 0
}

func appendFloats(out []byte, weight int, s Shape) []byte {
	out = append(out, flagOf(s.deep), byte(weight))
	for _, p := range s.points {
		for _, v := range p {
			out = binary.BigEndian.AppendUint32(out, math.Float32bits(float32(v)))
		}
	}
	return out
}

// UnmarshalBinary implements encoding.BinaryUnmarshaler. It fails with ErrGallery.
func (g *Gallery) UnmarshalBinary(data []byte) error {
	r := reader{data: data}
	format, n := r.byte(), int(r.uint16())
	templates, captures := int(r.byte()), int(r.byte())
	if format != galleryFormat || n < MinPoints || n > MaxPoints || templates < 1 || templates > MaxTemplates || captures > MaxCaptures {
		return ErrGallery
	}
	out := Gallery{}
	_, out.registered = r.floats(n)
	for range templates {
		weight, s := r.floats(n)
		out.templates = append(out.templates, template{s, weight})
	}
	for range captures {
		out.captures = append(out.captures, r.capture(min(n, capturePoints)))
	}
	if r.failed || len(r.data) > 0 {
		return ErrGallery
	}
	*g = out
	return nil
}

// A reader takes numbers from the front of data. Past the end they are 0, and it fails.
type reader struct {
	data   []byte
	failed bool
}

func (r *reader) take(n int) []byte {
	if len(r.data) < n {
		r.failed, r.data = true, nil
		return make([]byte, n)
	}
	out := r.data[:n]
	r.data = r.data[n:]
	return out
}

func (r *reader) byte() byte     { return r.take(1)[0] }
func (r *reader) uint16() uint16 { return binary.BigEndian.Uint16(r.take(2)) }

// floats reads n points, and scales them to size 1 again.
func (r *reader) floats(n int) (weight int, s Shape) {
	s.deep, weight = r.byte() == 1, int(r.byte())
	s.points = make([]place, n)
	raw := r.take(3 * n * 4)
	for i := range s.points {
		for k := range s.points[i] {
			v := float64(math.Float32frombits(binary.BigEndian.Uint32(raw[(3*i+k)*4:])))
			if math.IsNaN(v) || math.Abs(v) > 1 {
				r.failed = true
				v = 0
			}
			s.points[i][k] = v
		}
	}
	s.normalize()
	return weight, s
}

func (r *reader) capture(n int) capture {
	deep, at := r.byte() == 1, time.Unix(int64(binary.BigEndian.Uint64(r.take(8))), 0).UTC()
	return capture{deep, at, r.take(pointSize * n)}
}
