package face

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// head returns n points on the front of a head, in depth, each moved by noise of a part
// of the head's size.
func head(n int, seed uint64, noise float64) []Point {
	random := rand.New(rand.NewPCG(seed, 1))
	points := make([]Point, n)
	for i := range points {
		part := math.Sqrt(float64(i+1) / float64(n))
		angle := 2.399963 * float64(i)
		points[i] = Point{
			X: 0.5 + 0.15*part*math.Cos(angle) + 0.2*noise*random.NormFloat64(),
			Y: 0.5 + 0.20*part*math.Sin(angle) + 0.2*noise*random.NormFloat64(),
			Z: -0.12*math.Sqrt(1-0.9*part*part) + 0.05*part*math.Sin(angle) + 0.2*noise*random.NormFloat64(),
		}
	}
	return points
}

// moved returns points scaled, rotated about two axes and moved, and not checked.
func moved(points []Point, scale, about, up, right float64) []Point {
	out := make([]Point, len(points))
	c, s, cu, su := math.Cos(about), math.Sin(about), math.Cos(up), math.Sin(up)
	for i, p := range points {
		x, y, z := c*p.X-s*p.Y, s*p.X+c*p.Y, p.Z
		y, z = cu*y-su*z, su*y+cu*z
		out[i] = Point{X: right + scale*x, Y: scale*y - right, Z: scale * z}
	}
	return out
}

// flattened returns points without depth.
func flattened(points []Point) []Point {
	out := make([]Point, len(points))
	for i, p := range points {
		out[i] = Point{X: p.X, Y: p.Y}
	}
	return out
}

// mirrored returns points as a mirror shows them.
func mirrored(points []Point) []Point {
	out := make([]Point, len(points))
	for i, p := range points {
		out[i] = Point{X: 1 - p.X, Y: p.Y, Z: p.Z}
	}
	return out
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

// TestDistanceKnowsShapes holds what the distance must be the same under.
func TestDistanceKnowsShapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(MinPoints, 120).Draw(t, "points")
		points := head(n, rapid.Uint64Range(0, 1<<32).Draw(t, "seed"), 0.3)
		other := head(n, rapid.Uint64Min(1<<33).Draw(t, "other"), 0.3)
		flat := rapid.Bool().Draw(t, "flat")
		up := rapid.Float64Range(-3, 3).Draw(t, "up")
		if flat {
			points, up = flattened(points), 0
		}
		copied := moved(points, rapid.Float64Range(0.01, 5).Draw(t, "scale"), rapid.Float64Range(-4, 4).Draw(t, "about"), up, rapid.Float64Range(-1, 1).Draw(t, "right"))
		a, b, c := Normalize(points), Normalize(other), Normalize(copied)
		if d := Distance(a, c); d > 1e-6 {
			t.Fatalf("moved, scaled and rotated: %v apart", d)
		}
		if d := Distance(a, a); d != 0 {
			t.Fatalf("%v from itself", d)
		}
		there, back, moved := Distance(a, b), Distance(b, a), Distance(c, b)
		if !near(there, back) || !near(there, moved) || there < 0.05 || there > 1 {
			t.Fatalf("%v there, %v back, %v once moved", there, back, moved)
		}
	})
}

// TestMirrorIsAnotherShape compares faces that are not the same on both sides.
func TestMirrorIsAnotherShape(t *testing.T) {
	for seed := range uint64(20) {
		points := head(68, seed, 0.1)
		for name, p := range map[string][]Point{"deep": points, "flat": flattened(points)} {
			if d := Distance(Normalize(p), Normalize(mirrored(p))); d < 0.3 {
				t.Errorf("%s: %v from its mirror image", name, d)
			}
		}
	}
}

// TestDistanceOfNoise compares with the distance that noise leaves: its deviation times
// the root of the number of coordinates, over the size of the face, and a little less
// for what place, size and rotation take up.
func TestDistanceOfNoise(t *testing.T) {
	points := head(468, 1, 0)
	for _, part := range []float64{0.001, 0.01, 0.05} {
		noisy, random := make([]Point, len(points)), rand.New(rand.NewPCG(1, 2))
		sigma := part * 0.15
		for i, p := range points {
			noisy[i] = Point{X: p.X + sigma*random.NormFloat64(), Y: p.Y + sigma*random.NormFloat64(), Z: p.Z + sigma*random.NormFloat64()}
		}
		m := momentsOf(points)
		want := sigma * math.Sqrt(3/(m.xx+m.yy+m.zz))
		if d := Distance(Normalize(points), Normalize(noisy)); math.Abs(d/want-1) > 0.05 {
			t.Errorf("noise of %v: %v apart, want about %v", part, d, want)
		}
	}
}

func TestDistanceOfFew(t *testing.T) {
	a, b := Normalize(head(68, 1, 0)), Normalize(head(69, 1, 0))
	for name, d := range map[string]float64{"other numbers of points": Distance(a, b), "none": Distance(Shape{}, Shape{}), "none and some": Distance(a, Shape{})} {
		if d != 1 {
			t.Errorf("%s: %v apart, want 1", name, d)
		}
	}
}

// TestDepthWhereBothHaveIt compares a capture without depth in the picture alone.
func TestDepthWhereBothHaveIt(t *testing.T) {
	points := head(68, 1, 0)
	deep, flat := Normalize(points), Normalize(flattened(points))
	if d, e := Distance(deep, flat), Distance(flat, deep); d > 1e-6 || e > 1e-6 {
		t.Errorf("with and without depth: %v and %v apart", d, e)
	}
	stretched := make([]Point, len(points))
	for i, p := range points {
		stretched[i] = Point{X: p.X, Y: p.Y, Z: 3 * p.Z}
	}
	if d := Distance(deep, Normalize(stretched)); d < 0.2 {
		t.Errorf("other depth: %v apart", d)
	}
}

func TestMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Normalize(head(68, rapid.Uint64Range(0, 255).Draw(t, "a"), 0.05))
		b := Normalize(moved(head(68, rapid.Uint64Range(1, 1<<40).Draw(t, "b")<<8, 0.05), 2, 1, 0.2, 0))
		apart := Distance(a, b)
		if d := Distance(a, Mean(a, b, 0)); d > 1e-6 {
			t.Fatalf("nothing of b: %v from a", d)
		}
		if d := Distance(b, Mean(a, b, 1)); d > 1e-6 {
			t.Fatalf("nothing of a: %v from b", d)
		}
		m := Mean(a, b, 0.5)
		if d, e := Distance(a, m), Distance(b, m); !(d < apart && e < apart) || math.Abs(d-e) > 0.1*apart {
			t.Fatalf("the middle of %v is %v and %v away", apart, d, e)
		}
	})
}

// FuzzDistance takes any usable captures: the distance is a number from 0 to 1, the same
// either way.
func FuzzDistance(f *testing.F) {
	for _, n := range []int{20, 68} {
		var seed []byte
		for _, p := range append(head(n, 1, 0.1), head(n, 2, 0.1)...) {
			for _, v := range []float64{p.X, p.Y, p.Z} {
				seed = binary.BigEndian.AppendUint32(seed, math.Float32bits(float32(v)))
			}
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var points []Point
		for ; len(data) >= 12; data = data[12:] {
			v := func(i int) float64 { return float64(math.Float32frombits(binary.BigEndian.Uint32(data[4*i:]))) }
			points = append(points, Point{X: v(0), Y: v(1), Z: v(2)})
		}
		a, b := points[:len(points)/2], points[len(points)/2:]
		if Check(a) != nil || Check(b) != nil {
			return
		}
		there, back := Distance(Normalize(a), Normalize(b)), Distance(Normalize(b), Normalize(a))
		if !(there >= 0 && there <= 1) || math.Abs(there-back) > 1e-6 {
			t.Fatalf("%v there, %v back", there, back)
		}
		if d := Distance(Normalize(a), Normalize(a)); d != 0 {
			t.Fatalf("%v from itself", d)
		}
		Doubts(a)
	})
}

func BenchmarkDistance(b *testing.B) {
	for _, tt := range []struct {
		name string
		n    int
		flat bool
	}{{"68", 68, false}, {"468", 468, false}, {"468 flat", 468, true}, {"512", 512, false}} {
		b.Run(tt.name, func(b *testing.B) {
			p, q := head(tt.n, 1, 0.02), head(tt.n, 2, 0.02)
			if tt.flat {
				p, q = flattened(p), flattened(q)
			}
			shape := Normalize(p)
			for b.Loop() {
				if Distance(shape, Normalize(q)) > 0.5 {
					b.Fatal("far")
				}
			}
		})
	}
}
