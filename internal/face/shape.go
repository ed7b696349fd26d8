package face

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// A Shape is what is left of a capture without its place and size: the centroid of its
// points is 0 and the sum of their squared distances from it is 1. The zero Shape is
// none.
type Shape struct {
	points []place
	deep   bool // z varies; else it is 0 and not compared
}

// A place is x, y and z of a point.
type place [3]float64

// minDepth is the smallest range of z, on the scale of x, that counts as depth.
const minDepth = 2e-6

// Normalize returns the shape of a capture that passed Check.
func Normalize(points []Point) Shape {
	low, high := box(points)
	s := Shape{points: make([]place, len(points)), deep: high.Z-low.Z > minDepth}
	for i, p := range points {
		s.points[i] = place{p.X, p.Y, p.Z}
	}
	s.normalize()
	return s
}

// normalize moves and scales the points.
func (s *Shape) normalize() {
	var sum place
	for i := range s.points {
		if !s.deep {
			s.points[i][2] = 0
		}
		for k, v := range s.points[i] {
			sum[k] += v
		}
	}
	size := 0.0
	for i := range s.points {
		for k := range sum {
			s.points[i][k] -= sum[k] / float64(len(s.points))
			size += s.points[i][k] * s.points[i][k]
		}
	}
	if size = math.Sqrt(size); size > 0 {
		s.scale(1 / size)
	}
}

func (s *Shape) scale(by float64) {
	for i := range s.points {
		for k := range s.points[i] {
			s.points[i][k] *= by
		}
	}
}

// Len returns how many points the shape has.
func (s Shape) Len() int { return len(s.points) }

// noise is below what rounding leaves of the distance of a shape from itself.
const noise = 1e-7

// Distance returns the Procrustes distance of two shapes of the same number of points:
// 0 for the same shape however it is moved, scaled and rotated, 1 for shapes that have
// nothing in common. It is the root of the squared distances that are left between the
// points, in parts of the face's size, once one shape is rotated and scaled to fit the
// other as well as possible; a mirror image does not fit. Depth is compared where both
// have it. The distance is the same either way, and never NaN; shapes of different
// numbers of points, or of none, are 1 apart.
func Distance(a, b Shape) float64 {
	if len(a.points) != len(b.points) || len(a.points) == 0 {
		return 1
	}
	f := fitted(a, b, false)
	if f.size == 0 {
		return 1
	}
	part := min(max(f.overlap/f.size, 0), 1)
	d := math.Sqrt((1 - part) * (1 + part))
	if d < noise {
		return 0
	}
	return d
}

// A fit is how well one shape lies on another once it is rotated.
type fit struct {
	overlap float64 // largest sum of products of the coordinates over all rotations
	size    float64 // product of the sizes: the overlap of shapes that are the same
	turn    [3]place
}

// fitted rotates b to a: in space where both have depth, else in the picture. In space it
// tells the rotation only where turn is set.
func fitted(a, b Shape, turn bool) fit {
	var products [3]place // of coordinates of b and a
	var sizeA, sizeB float64
	axes := 3
	if !a.deep || !b.deep {
		axes = 2
	}
	for i := range a.points {
		p, q := &a.points[i], &b.points[i]
		for k := range axes {
			sizeA += p[k] * p[k]
			sizeB += q[k] * q[k]
			for l := range axes {
				products[k][l] += q[k] * p[l]
			}
		}
	}
	f := fit{size: math.Sqrt(sizeA * sizeB)}
	if axes == 2 {
		f.inPlane(products)
	} else {
		f.inSpace(products, turn)
	}
	return f
}

// inPlane finds the rotation about the z axis: as numbers of the complex plane, the
// points of a are those of b times one number.
func (f *fit) inPlane(m [3]place) {
	cos, sin := m[0][0]+m[1][1], m[0][1]-m[1][0]
	f.overlap = math.Hypot(cos, sin)
	if f.overlap == 0 {
		cos, f.turn[0][0], f.turn[1][1] = 1, 1, 1
		return
	}
	cos, sin = cos/f.overlap, sin/f.overlap
	f.turn = [3]place{{cos, sin, 0}, {-sin, cos, 0}, {0, 0, 1}}
}

// inSpace finds the largest overlap by the singular values of m, and the rotation by its
// decomposition where it is asked for. Where the best fit mirrors, the axis that matters
// least is turned round.
func (f *fit) inSpace(m [3]place, turn bool) {
	kind := mat.SVDNone
	if turn {
		kind = mat.SVDFull
	}
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(3, 3, []float64{
		m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0], m[2][1], m[2][2],
	}), kind) {
		return // overlap 0: nothing in common
	}
	var values [3]float64
	svd.Values(values[:])
	least := 1.0
	if determinant(m) < 0 {
		least = -1
	}
	f.overlap = values[0] + values[1] + least*values[2]
	if turn {
		f.rotate(&svd, least)
	}
}

// rotate sets the rotation of a decomposition.
func (f *fit) rotate(svd *mat.SVD, least float64) {
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	for k := range f.turn {
		for l := range f.turn[k] {
			f.turn[k][l] = u.At(k, 0)*v.At(l, 0) + u.At(k, 1)*v.At(l, 1) + least*u.At(k, 2)*v.At(l, 2)
		}
	}
}

func determinant(m [3]place) float64 {
	return m[0][0]*(m[1][1]*m[2][2]-m[1][2]*m[2][1]) -
		m[0][1]*(m[1][0]*m[2][2]-m[1][2]*m[2][0]) +
		m[0][2]*(m[1][0]*m[2][1]-m[1][1]*m[2][0])
}

// aligned returns b rotated and scaled to a, both with depth or both without.
func aligned(a, b Shape) Shape {
	f := fitted(a, b, true)
	out := Shape{points: make([]place, len(b.points)), deep: b.deep}
	for i, p := range b.points {
		for l := range out.points[i] {
			out.points[i][l] = p[0]*f.turn[0][l] + p[1]*f.turn[1][l] + p[2]*f.turn[2][l]
		}
	}
	return out
}

// thin returns the shape of at most n points, evenly spread over their order.
func (s Shape) thin(n int) Shape {
	if len(s.points) <= n {
		return s
	}
	out := Shape{points: make([]place, n), deep: s.deep}
	for i := range out.points {
		out.points[i] = s.points[i*len(s.points)/n]
	}
	out.normalize()
	return out
}

// radii returns how far each point is from the centroid, which no rotation changes.
func (s Shape) radii() []float64 {
	out := make([]float64, len(s.points))
	for i, p := range s.points {
		out[i] = math.Sqrt(p[0]*p[0] + p[1]*p[1] + p[2]*p[2])
	}
	return out
}
