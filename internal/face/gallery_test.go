package face

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var noon = time.Date(2026, 3, 11, 5, 0, 0, 0, time.UTC)

var limits = Limits{Match: 0.08, Doubtful: 0.12, Replay: 0.012}

// jittered returns a capture of the same face with noise of a part of its width.
func jittered(points []Point, part float64, seed uint64) Shape {
	random := rand.New(rand.NewPCG(seed, 9))
	out := make([]Point, len(points))
	for i, p := range points {
		out[i] = Point{X: p.X + part*0.3*random.NormFloat64(), Y: p.Y + part*0.3*random.NormFloat64(), Z: p.Z + part*0.3*random.NormFloat64()}
	}
	return Normalize(moved(out, 0.9, 0.1, 0, 0.05))
}

func TestVerdict(t *testing.T) {
	for _, tt := range []struct {
		limits   Limits
		distance float64
		want     Verdict
	}{
		{limits, 0, Match}, {limits, 0.08, Match}, {limits, 0.0800001, Doubtful}, {limits, 0.12, Doubtful}, {limits, 0.1200001, Mismatch},
		{limits, 1, Mismatch}, {limits, math.NaN(), Mismatch},
		{Limits{Match: 0.08, Doubtful: 0.05}, 0.07, Match}, {Limits{Match: 0.08, Doubtful: 0.05}, 0.081, Mismatch},
	} {
		if got := tt.limits.Verdict(tt.distance); got != tt.want {
			t.Errorf("%v at %v: %s, want %s", tt.limits, tt.distance, got, tt.want)
		}
	}
}

// TestReplays compares with captures that are five minutes away or more. Noise is in
// parts of the width of the face; 0.5 % of the distance of its eyes is some 0.2 %.
func TestReplays(t *testing.T) {
	points := head(68, 1, 0)
	g := NewGallery(Normalize(points), noon)
	for _, tt := range []struct {
		name  string
		shape Shape
		after time.Duration
		want  bool
	}{
		{"the same", Normalize(points), 5 * time.Minute, true},
		{"moved and turned", Normalize(moved(points, 0.8, 0.5, 0.1, 0.1)), time.Hour, true},
		{"slight noise", jittered(points, 0.001, 1), time.Hour, true},
		{"noise of 0.2 %", jittered(points, 0.002, 1), time.Hour, true},
		{"noise of a capture", jittered(points, 0.02, 1), time.Hour, false},
		{"in the same burst", Normalize(points), 5*time.Minute - time.Second, false},
		{"earlier in the same burst", Normalize(points), -5*time.Minute + time.Second, false},
		{"earlier", Normalize(points), -5 * time.Minute, true},
		{"without depth", Normalize(flattened(points)), time.Hour, true},
		{"mirrored", Normalize(mirrored(head(68, 1, 0.1))), time.Hour, false},
		{"another number of points", Normalize(head(60, 1, 0)), time.Hour, false},
	} {
		if got := g.Replays(tt.shape, noon.Add(tt.after), limits.Replay); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	if g.Replays(Normalize(points), noon.Add(time.Hour), 0) {
		t.Error("a limit of 0 finds replays")
	}
}

// TestRejectionKeepsReplays shows that what is passed over without a rotation is none.
func TestRejectionKeepsReplays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := head(rapid.IntRange(20, 200).Draw(t, "n"), 1, 0)
		g := NewGallery(Normalize(points), noon)
		s := jittered(points, rapid.Float64Range(0, 0.01).Draw(t, "noise"), rapid.Uint64().Draw(t, "seed"))
		limit := rapid.Float64Range(0, 0.05).Draw(t, "limit")
		want := Distance(g.captures[0].shape(), s.thin(capturePoints)) < limit
		if got := g.Replays(s, noon.Add(time.Hour), limit); got != want {
			t.Fatalf("replay %v, want %v", got, want)
		}
	})
}

// TestLatestCaptures keeps the 50 that were taken last, in whatever order they come.
func TestLatestCaptures(t *testing.T) {
	points := head(68, 1, 0)
	g := NewGallery(Normalize(points), noon)
	for i := range 60 {
		g.Accept(jittered(points, 0.03, uint64(i)), noon.Add(time.Duration(60-i)*time.Hour), limits)
	}
	if len(g.captures) != MaxCaptures || !g.captures[0].at.Equal(noon.Add(11*time.Hour)) || !g.captures[49].at.Equal(noon.Add(60*time.Hour)) {
		t.Errorf("%d captures from %v to %v", len(g.captures), g.captures[0].at, g.captures[len(g.captures)-1].at)
	}
	late := noon.Add(100 * time.Hour)
	if g.Replays(Normalize(points), late, limits.Replay) || !g.Replays(jittered(points, 0.03, 0), late, limits.Replay) {
		t.Error("not the latest captures are compared")
	}
}

func TestTemplates(t *testing.T) {
	points := head(68, 1, 0)
	g := NewGallery(jittered(points, 0.004, 1000), noon)
	before := g.Distance(Normalize(points))
	for i := range 15 {
		g.Accept(jittered(points, 0.004, uint64(i)), noon.Add(time.Duration(i+1)*time.Hour), limits)
	}
	if after := g.Distance(Normalize(points)); after > before/2 || len(g.templates) != 1 || g.templates[0].weight != 16 {
		t.Errorf("the mean of 16 is %v from the face, one %v; %d templates", after, before, len(g.templates))
	}

	g = NewGallery(Normalize(points), noon)
	for i := range 10 { // nearly too far
		g.Accept(jittered(points, 0.014, uint64(i)), noon, limits)
	}
	if len(g.templates) != MaxTemplates {
		t.Errorf("%d templates, want %d", len(g.templates), MaxTemplates)
	}

	g = NewGallery(Normalize(points), noon)
	doubtful := jittered(points, 0.0245, 1)
	if d := g.Distance(doubtful); limits.Verdict(d) != Doubtful {
		t.Fatalf("%v is not doubtful", d)
	}
	g.Accept(doubtful, noon, limits)
	g.Accept(Normalize(flattened(points)), noon, limits)
	if len(g.templates) != 1 || g.templates[0].weight != 1 || len(g.captures) != 3 {
		t.Errorf("%+v, %d captures: a doubtful one or one without depth moved the mean", g.templates, len(g.captures))
	}
}

// TestTemplatesStayWithTheFace walks away from the registered face by steps that each
// match the latest mean.
func TestTemplatesStayWithTheFace(t *testing.T) {
	registered, stranger := Normalize(head(68, 1, 0)), Normalize(head(68, 2, 0.3))
	g := NewGallery(registered, noon)
	for i := range 2000 {
		at, s := noon.Add(time.Duration(i)*time.Hour), Mean(registered, stranger, float64(i)/2000)
		if limits.Verdict(g.Distance(s)) == Match {
			g.Accept(s, at, limits)
		}
	}
	for _, tm := range g.templates {
		if d := Distance(registered, tm.shape); d > limits.Match+1e-6 {
			t.Errorf("a template is %v from the registered face", d)
		}
	}
	if limits.Verdict(g.Distance(stranger)) != Mismatch {
		t.Error("the stranger matches")
	}
}

func TestStoredGallery(t *testing.T) {
	for _, n := range []int{20, 68, 468, 512} {
		points := head(n, 1, 0)
		g := NewGallery(Normalize(points), noon)
		for i := range 70 {
			g.Accept(jittered(points, 0.03, uint64(i)), noon.Add(time.Duration(i)*time.Minute), limits)
		}
		g.Accept(Normalize(flattened(points)), noon.Add(90*time.Minute), limits)
		text, _ := g.MarshalBinary()
		if len(text) > g.size() {
			t.Errorf("%d points: %d bytes, above %d", n, len(text), g.size())
		}
		var read Gallery
		if err := read.UnmarshalBinary(text); err != nil {
			t.Fatal(err)
		}
		if again, _ := read.MarshalBinary(); !bytes.Equal(text[:1000], again[:1000]) && Distance(g.registered, read.registered) > 1e-6 {
			t.Errorf("%d points: another registered face", n)
		}
		if len(read.templates) != len(g.templates) || len(read.captures) != len(g.captures) {
			t.Fatalf("%d templates and %d captures", len(read.templates), len(read.captures))
		}
		for i, c := range g.captures {
			if d := Distance(c.shape(), read.captures[i].shape()); d > 0 || !c.at.Equal(read.captures[i].at) || c.deep != read.captures[i].deep {
				t.Errorf("%d points: capture %d of %v is stored %v away", n, i, c.at, d)
			}
		}
		for i, tm := range g.templates {
			if d := Distance(tm.shape, read.templates[i].shape); d > 1e-6 || tm.weight != read.templates[i].weight {
				t.Errorf("%d points: template %d is stored %v away", n, i, d)
			}
		}
	}
}

// TestRounding holds how far a stored capture is from what it was.
func TestRounding(t *testing.T) {
	for seed := range uint64(200) {
		s := Normalize(head(capturePoints, seed, 0.1))
		if d := Distance(s, newCapture(s, noon).shape()); d > maxRounding {
			t.Errorf("%v away, more than %v", d, maxRounding)
		}
	}
}

// FuzzGallery reads any bytes: what is read is compared without a panic, and written
// again.
func FuzzGallery(f *testing.F) {
	g := NewGallery(Normalize(head(20, 1, 0)), noon)
	text, _ := g.MarshalBinary()
	f.Add(text)
	f.Add(text[:40])
	f.Fuzz(func(t *testing.T, data []byte) {
		var g Gallery
		if err := g.UnmarshalBinary(data); err != nil {
			if err != ErrGallery || g.registered.points != nil {
				t.Fatalf("%v with %v", err, g)
			}
			return
		}
		s := Normalize(head(g.registered.Len(), 1, 0.1))
		if d := g.Distance(s); !(d >= 0 && d <= 1) {
			t.Fatalf("distance %v", d)
		}
		g.Replays(s, noon, limits.Replay)
		g.Accept(s, noon, limits)
		text, _ := g.MarshalBinary()
		if err := new(Gallery).UnmarshalBinary(text); err != nil {
			t.Fatal(err)
		}
	})
}

func TestGalleryRefuses(t *testing.T) {
	text, _ := NewGallery(Normalize(head(20, 1, 0)), noon).MarshalBinary()
	for n := range len(text) {
		if err := new(Gallery).UnmarshalBinary(text[:n]); err != ErrGallery {
			t.Fatalf("the first %d bytes: %v", n, err)
		}
	}
	if err := new(Gallery).UnmarshalBinary(append(text, 0)); err != ErrGallery {
		t.Errorf("a byte more: %v", err)
	}
}

// TestGalleriesAtOnce reads one gallery from many goroutines, of the largest captures.
func TestGalleriesAtOnce(t *testing.T) {
	points := head(MaxPoints, 1, 0)
	g := NewGallery(Normalize(points), noon)
	for i := range MaxCaptures {
		g.Accept(jittered(points, 0.015, uint64(i)), noon.Add(time.Duration(i)*time.Hour), limits)
	}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			s := jittered(points, 0.015, uint64(1000+i))
			if g.Replays(s, noon.Add(1000*time.Hour), limits.Replay) || g.Distance(s) > limits.Doubtful {
				t.Errorf("capture %d is judged otherwise", i)
			}
		})
	}
	wg.Wait()
}

func TestDoubts(t *testing.T) {
	good := head(68, 1, 0)
	change := func(f func(p *Point)) []Point {
		out := make([]Point, len(good))
		for i, p := range good {
			f(&p)
			out[i] = p
		}
		return out
	}
	for _, tt := range []struct {
		name   string
		points []Point
		want   string
	}{
		{"a face", good, "[]"},
		{"an oval", oval(68), "[]"},
		{"turned by 25 degrees", moved(good, 1, 0, 25*math.Pi/180, 0), "[]"},
		{"no depth", flattened(good), "[flat]"},
		{"hardly any depth", change(func(p *Point) { p.Z /= 50 }), "[flat]"},
		{"a strip", change(func(p *Point) { p.X = 0.5 + (p.X-0.5)/5 }), "[implausible]"},
		{"all nose", change(func(p *Point) { p.Z = (p.X - 0.5) * (p.X - 0.5) * 40 }), "[implausible]"},
		{"a profile", change(func(p *Point) { p.Z = 1.2 * (p.X - 0.5) }), "[turned]"},
		{"from below", change(func(p *Point) { p.Z = -1.2 * (p.Y - 0.5) }), "[turned]"},
	} {
		if got := fmt.Sprint(Doubts(tt.points)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func BenchmarkReplays(b *testing.B) {
	for _, n := range []int{68, 512} {
		for _, noise := range []float64{0.03, 0.004} { // the second is not passed over quickly
			b.Run(fmt.Sprint(n, " ", noise), func(b *testing.B) {
				points := head(n, 1, 0)
				g := NewGallery(jittered(points, noise, 1000), noon)
				for i := range MaxCaptures {
					g.Accept(jittered(points, noise, uint64(i)), noon.Add(time.Duration(i)*time.Hour), limits)
				}
				s := jittered(points, noise, 2000)
				for b.Loop() {
					g.Replays(s, noon.Add(1000*time.Hour), limits.Replay)
				}
			})
		}
	}
}

func BenchmarkStored(b *testing.B) {
	points := head(68, 1, 0)
	g := NewGallery(Normalize(points), noon)
	for i := range MaxCaptures {
		g.Accept(jittered(points, 0.03, uint64(i)), noon.Add(time.Duration(i)*time.Hour), limits)
	}
	for b.Loop() {
		text, _ := g.MarshalBinary()
		if err := new(Gallery).UnmarshalBinary(text); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(text)), "bytes")
	}
}
