package face

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"workforce/internal/errs"
)

// oval returns n points of a plausible face: a spiral over an oval in the
// middle of the picture, with some depth.
func oval(n int) []Point {
	points := make([]Point, n)
	for i := range points {
		part := float64(i+1) / float64(n)
		angle := 2.399963 * float64(i) // the golden angle: no two alike
		points[i] = Point{
			X: 0.5 + 0.15*math.Sqrt(part)*math.Cos(angle),
			Y: 0.5 + 0.20*math.Sqrt(part)*math.Sin(angle),
			Z: -0.05 * (1 - part),
		}
	}
	return points
}

// with returns n points of an oval, each changed.
func with(n int, change func(i int, p *Point)) []Point {
	points := oval(n)
	for i := range points {
		change(i, &points[i])
	}
	return points
}

func TestCheck(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	at := func(k int, set func(p *Point)) []Point {
		return with(68, func(i int, p *Point) {
			if i == k {
				set(p)
			}
		})
	}
	repeat := func(n, times int) []Point {
		points := oval(n)
		for i := range times {
			points[i+1] = points[0]
		}
		return points
	}
	tests := []struct {
		name   string
		points []Point
		want   Reason
	}{
		{"20 points", oval(20), ""},
		{"68 points", oval(68), ""},
		{"478 points", oval(478), ""},
		{"512 points", oval(512), ""},
		{"half out of the picture", with(68, func(_ int, p *Point) { p.X -= 0.8 }), ""},
		{"visibility set", with(68, func(_ int, p *Point) { p.Visibility = 0.9 }), ""},
		{"5 of 100 repeat", repeat(100, 5), ""},
		{"mirrored", with(68, func(_ int, p *Point) { p.X = 1 - p.X }), ""},

		{"none", nil, Count},
		{"19 points", oval(19), Count},
		{"513 points", oval(513), Count},
		{"10,000 points", oval(10_000), Count},
		{"x not a number", at(67, func(p *Point) { p.X = nan }), NotFinite},
		{"y infinite", at(0, func(p *Point) { p.Y = inf }), NotFinite},
		{"z infinite", at(3, func(p *Point) { p.Z = -inf }), NotFinite},
		{"visibility not a number", at(3, func(p *Point) { p.Visibility = nan }), NotFinite},
		{"visibility infinite", at(3, func(p *Point) { p.Visibility = inf }), NotFinite},
		{"x left of the frame", at(3, func(p *Point) { p.X = -0.500001 }), OutOfFrame},
		{"y below the frame", at(3, func(p *Point) { p.Y = 1.500001 }), OutOfFrame},
		{"pixels", with(68, func(_ int, p *Point) { p.X, p.Y = p.X*640, p.Y*480 }), OutOfFrame},
		{"too deep", at(3, func(p *Point) { p.Z = -1.000001 }), OutOfFrame},
		{"visibility of 100", at(3, func(p *Point) { p.Visibility = -100 }), ""},
		{"visibility of more", at(3, func(p *Point) { p.Visibility = 100.1 }), OutOfFrame},
		{"visibility 1e308", at(3, func(p *Point) { p.Visibility = 1e308 }), OutOfFrame},
		{"all zero", make([]Point, 68), Identical},
		{"all equal", with(68, func(_ int, p *Point) { *p = Point{0.5, 0.5, -0.1, 0} }), Identical},
		{"all equal to a millionth", with(68, func(i int, p *Point) { *p = Point{0.5 + 1e-9*float64(i), 0.5, -0.1, 0} }), Identical},
		{"all at one depth", with(68, func(_ int, p *Point) { p.Z = -0.1 }), ""},
		{"level line", with(68, func(_ int, p *Point) { p.Y = 0.5 }), Collinear},
		{"upright line", with(68, func(_ int, p *Point) { p.X = 0.5 }), Collinear},
		{"slanting line", with(68, func(_ int, p *Point) { p.Y = 0.3 + p.X/2 }), Collinear},
		{"slanting line with noise", with(68, func(i int, p *Point) { p.Y = 0.3 + p.X/2 + 1e-5*float64(i%2) }), Collinear},
		{"one place in the picture", with(68, func(_ int, p *Point) { p.X, p.Y = 0.5, 0.5 }), Collinear},
		{"box of 1 %", with(68, func(_ int, p *Point) { p.X, p.Y = p.X/3, p.Y/4 }), TooSmall},
		{"6 of 100 repeat", repeat(100, 6), Duplicates},
		{"2 of 20 repeat", repeat(20, 2), Duplicates},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Check(tt.points)
			if tt.want == "" {
				if err != nil {
					t.Errorf("Check = %v with %v, want nil", err, errs.As(err).Meta)
				}
				return
			}
			e := errs.As(err)
			if e.Code != errs.FaceInvalid || e.Meta["reason"] != tt.want || len(e.Faults) != 1 || e.Faults[0].Field != "faceLandmark" {
				t.Errorf("Check = %v with %v, want FACE_INVALID for %s", err, e.Meta, tt.want)
			}
		})
	}
}

// TestCheckTakesAnyPoints shows that nothing a client sends makes it panic, and
// that what passes is within the limits.
func TestCheckTakesAnyPoints(t *testing.T) {
	number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-1, 2), rapid.SampledFrom([]float64{0, math.NaN(), math.Inf(-1)}))
	point := rapid.Custom(func(t *rapid.T) Point {
		return Point{number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z"), number.Draw(t, "visibility")}
	})
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.SliceOfN(point, 0, 40).Draw(t, "points")
		if Check(points) != nil {
			return
		}
		for _, p := range points {
			if !(p.X >= -0.5 && p.X <= 1.5 && p.Y >= -0.5 && p.Y <= 1.5 && p.Z >= -1 && p.Z <= 1) {
				t.Fatalf("passed with %#v", p)
			}
		}
	})
}

func TestDigest(t *testing.T) {
	key, points := []byte("key"), oval(68)
	want := Digest(key, points)
	tests := []struct {
		name   string
		key    string
		points []Point
		same   bool
	}{
		{"again", "key", oval(68), true},
		{"written with fewer decimals", "key", with(68, func(_ int, p *Point) {
			p.X, p.Y, p.Z = math.Round(p.X*1e6)/1e6, math.Round(p.Y*1e6)/1e6, math.Round(p.Z*1e6)/1e6
		}), true},
		{"another visibility", "key", with(68, func(_ int, p *Point) { p.Visibility = 1 }), true},
		{"another key", "kez", oval(68), false},
		{"one point moved by two millionths", "key", with(68, func(i int, p *Point) {
			if i == 40 {
				p.Y += 2e-6
			}
		}), false},
		{"a point less", "key", oval(68)[:67], false},
		{"x and y swapped", "key", with(68, func(_ int, p *Point) { p.X, p.Y = p.Y, p.X }), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Digest([]byte(tt.key), tt.points) == want; got != tt.same {
				t.Errorf("same digest: %v, want %v", got, tt.same)
			}
		})
	}
	reversed := slices.Clone(points)
	slices.Reverse(reversed)
	if Digest(key, reversed) == want {
		t.Error("order does not matter")
	}
	if negative := (Point{X: math.Copysign(0, -1)}); Digest(key, []Point{negative}) != Digest(key, []Point{{}}) {
		t.Error("negative zero is another point")
	}
}

func TestPointOnTheWire(t *testing.T) {
	text, err := json.Marshal(Point{0.5, 0.25, -0.0625, 0})
	if want := `{"x":0.5,"y":0.25,"z":-0.0625,"visibility":0}`; string(text) != want || err != nil {
		t.Errorf("got %s, %v; want %s", text, err, want)
	}
}

func TestNothingPrintsPoints(t *testing.T) {
	points := []Point{{X: 0.123456}}
	var out bytes.Buffer
	slog.New(slog.NewTextHandler(&out, nil)).Info("m", "point", points[0], "points", points)
	fmt.Fprintf(&out, "%v %+v %#v %s", points, points, points, points[0])
	if strings.Contains(out.String(), "123456") {
		t.Errorf("a point was printed: %s", out.String())
	}
}
