package geofence

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestContains(t *testing.T) {
	monas := Point{Lat: -6.175392, Lng: 106.827153}
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		name   string
		center Point
		radius float64 // metres
		p      Point
		want   bool
	}{
		{"same point", monas, 0, monas, true},
		{"111 m north, 111 m radius", monas, 111, Point{-6.174392, 106.827153}, false},
		{"111 m north, 112 m radius", monas, 112, Point{-6.174392, 106.827153}, true},
		{"exactly on the circle", Point{}, Distance(Point{}, Point{0, 1}), Point{0, 1}, true},
		{"latitude not a number", monas, 1e9, Point{nan, 0}, false},
		{"longitude not a number", monas, 1e9, Point{0, nan}, false},
		{"infinite", monas, 1e9, Point{inf, 0}, false},
		{"beyond the pole", monas, 1e9, Point{90.000001, 0}, false},
		{"beyond the antimeridian", monas, 1e9, Point{0, -180.000001}, false},
		{"center invalid", Point{0, 181}, 1e9, monas, false},
		{"center not a number", Point{nan, nan}, 1e9, monas, false},
		{"radius not a number", monas, nan, monas, false},
		{"radius negative", monas, -1, monas, false},
		{"at the pole longitude does not matter", Point{90, 0}, 1e-6, Point{90, 179}, true},
		{"across the antimeridian", Point{-17, 179.9999}, 25, Point{-17, -179.9999}, true},
		{"180 is -180", Point{51, 180}, 1e-3, Point{51, -180}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Contains(tt.center, tt.radius, tt.p); got != tt.want {
				t.Errorf("Contains(%v, %v, %v) = %v, want %v; distance %.1f m",
					tt.center, tt.radius, tt.p, got, tt.want, Distance(tt.center, tt.p))
			}
		})
	}
}

// TestDistance compares known distances and positions where careless
// formulas fail.
func TestDistance(t *testing.T) {
	tests := []struct {
		name      string
		a, b      Point
		want, tol float64 // metres
		radius    float64 // of a work site at a; 0 where there is none
		inside    bool
	}{
		{"inside", Point{24, 72}, Point{24.001, 72.001}, 150.6, 0.1, 500, true},
		{"outside", Point{24, 72}, Point{24.01, 72.01}, 1506.1, 0.1, 500, false},
		{"inside", Point{25, 75}, Point{25.01, 75.01}, 1500.6, 0.1, 2000, true},
		{"outside", Point{25, 75}, Point{25.1, 75.1}, 15004, 1, 2000, false},
		{"inside", Point{55.75414, 37.6204}, Point{55.75477, 37.62025}, 70.7, 0.1, 100, true},
		{"outside", Point{55.75414, 37.6204}, Point{55.75545, 37.61921}, 163.6, 0.1, 100, false},
		{"diagonal from 0,0", Point{0, 0}, Point{0.05, 0.05}, 7863, 10, 0, false},
		{"2 km north", Point{19.0760, 72.8777}, Point{19.0959, 72.8776}, 2212.8, 0.1, 5000, true},
		{"another city", Point{19.0760, 72.8777}, Point{23.1931904, 72.6007808}, 458_700, 100, 5000, false},
		{"antimeridian on the equator", Point{0, 179.9995}, Point{0, -179.9995}, 111.19, 0.01, 0, false},
		{"antimeridian at 60 degrees", Point{60, 179.9995}, Point{60, -179.9995}, 55.6, 0.01, 0, false},
		{"pole to pole", Point{90, 0}, Point{-90, 123}, math.Pi * earthRadius, 0.01, 0, false},
		{"antipodes", Point{10, 20}, Point{-10, -160}, math.Pi * earthRadius, 0.1, 0, false},
		{"over the pole", Point{89.9995, 0}, Point{89.9995, 180}, 111.19, 0.01, 0, false},
		{"one decimal of six", Point{-6.2, 106.816666}, Point{-6.200001, 106.816666}, 0.111, 0.001, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Distance(tt.a, tt.b); math.Abs(got-tt.want) > tt.tol {
				t.Errorf("Distance(%v, %v) = %.4f m, want %.4f ± %v", tt.a, tt.b, got, tt.want, tt.tol)
			}
			if got := Contains(tt.a, tt.radius, tt.b); got != tt.inside {
				t.Errorf("Contains = %v, want %v", got, tt.inside)
			}
		})
	}
}

// points draws valid positions, poles and antimeridian among them.
func points() *rapid.Generator[Point] {
	return rapid.Custom(func(t *rapid.T) Point {
		return Point{
			Lat: rapid.OneOf(rapid.Float64Range(-90, 90), rapid.SampledFrom([]float64{-90, 0, 90})).Draw(t, "lat"),
			Lng: rapid.OneOf(rapid.Float64Range(-180, 180), rapid.SampledFrom([]float64{-180, 0, 180})).Draw(t, "lng"),
		}
	})
}

func TestDistanceIsAMetric(t *testing.T) {
	const tol = 0.5 // metres: near antipodes the arcsine is that coarse
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := points().Draw(t, "a"), points().Draw(t, "b"), points().Draw(t, "c")
		ab, bc, ac := Distance(a, b), Distance(b, c), Distance(a, c)
		if ab != Distance(b, a) {
			t.Fatalf("%v there, %v back", ab, Distance(b, a))
		}
		if Distance(a, a) != 0 {
			t.Fatalf("%v from itself", Distance(a, a))
		}
		if ab < 0 || ab > math.Pi*earthRadius+tol || math.IsNaN(ab) {
			t.Fatalf("%v is not a distance on Earth", ab)
		}
		if ac > ab+bc+tol {
			t.Fatalf("straight %v, by way of b %v", ac, ab+bc)
		}
	})
}

func TestContainsGrowsWithTheRadius(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := points().Draw(t, "a"), points().Draw(t, "b")
		small := rapid.Float64Range(0, 2.1e7).Draw(t, "radius")
		if Contains(a, small, b) && !Contains(a, small+1, b) {
			t.Fatal("a larger circle lost the point")
		}
		if !Contains(a, Distance(a, b), b) {
			t.Fatal("a point on the circle is outside")
		}
	})
}

func TestParseDegrees(t *testing.T) {
	tests := []struct {
		text string
		want float64
		ok   bool
	}{
		{"-6.200000", -6.2, true},
		{"106.816666", 106.816666, true},
		{"+6.2", 6.2, true},
		{"0", 0, true},
		{"-0", 0, true},
		{"007", 7, true},
		{"91", 91, true}, // a number; Point.Valid refuses it
		{"0.1234567890123456789012345678", 0.12345678901234568, true}, // 30 characters
		{"0.12345678901234567890123456789", 0, false},                 // 31
		{"", 0, false},
		{"-", 0, false},
		{"+-6", 0, false},
		{".5", 0, false},
		{"6.", 0, false},
		{"6.2.1", 0, false},
		{"6,2", 0, false},
		{" 6.2", 0, false},
		{"6.2 ", 0, false},
		{"6.2\n", 0, false},
		{"1_000", 0, false},
		{"NaN", 0, false},
		{"Inf", 0, false},
		{"-Infinity", 0, false},
		{"1e309", 0, false},
		{"1e2", 0, false},
		{"0x1p3", 0, false},
		{"0x10", 0, false},
		{"６.２", 0, false},
		{"٦", 0, false},
		{"−6.2", 0, false}, // a minus sign that is not ASCII
		{"6°12'", 0, false},
		{"6.2\x00", 0, false},
	}
	for _, tt := range tests {
		if got, ok := ParseDegrees(tt.text); got != tt.want || ok != tt.ok {
			t.Errorf("ParseDegrees(%q) = %v, %v; want %v, %v", tt.text, got, ok, tt.want, tt.ok)
		}
	}
}

func TestFormatDegrees(t *testing.T) {
	tests := []struct {
		degrees float64
		want    string
	}{
		{-6.2, "-6.200000"},
		{106.816666, "106.816666"},
		{0, "0.000000"},
		{math.Copysign(0, -1), "0.000000"},
		{-0.0000001, "0.000000"},
		{-0.000001, "-0.000001"},
		{179.9999999, "180.000000"},
		{-180, "-180.000000"},
	}
	for _, tt := range tests {
		if got := FormatDegrees(tt.degrees); got != tt.want {
			t.Errorf("FormatDegrees(%v) = %q, want %q", tt.degrees, got, tt.want)
		}
	}
}

func TestDegreesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		degrees := rapid.Float64Range(-180, 180).Draw(t, "degrees")
		text := FormatDegrees(degrees)
		got, ok := ParseDegrees(text)
		if !ok || math.Abs(got-degrees) > 0.5000001e-6 || FormatDegrees(got) != text {
			t.Fatalf("%v is written %q and read %v, %v", degrees, text, got, ok)
		}
	})
}

func TestIsZero(t *testing.T) {
	for p, want := range map[Point]bool{
		{}:                               true,
		{0, 0.000001}:                    false,
		{-6.2, 0}:                        false,
		{math.SmallestNonzeroFloat64, 0}: false,
	} {
		if p.IsZero() != want {
			t.Errorf("%v.IsZero() = %v, want %v", p, !want, want)
		}
	}
}

func FuzzParseDegrees(f *testing.F) {
	f.Add("-6.200000")
	f.Add("1e309")
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := ParseDegrees(text)
		if math.IsNaN(got) || math.IsInf(got, 0) || !ok && got != 0 {
			t.Errorf("ParseDegrees(%q) = %v, %v", text, got, ok)
		}
	})
}

func TestNearest(t *testing.T) {
	here, near, far := Point{1, 1}, Point{1.1, 1}, Point{2, 1}
	for name, got := range map[string]Point{"the only one": Nearest(here, near), "the first": Nearest(here, near, far), "another": Nearest(here, far, far, near, far)} {
		if got != near {
			t.Errorf("%s: %v, want %v", name, got, near)
		}
	}
}

func TestSpeed(t *testing.T) {
	a, b := Point{}, Point{Lat: 1} // 111,195 m
	for _, tt := range []struct {
		name    string
		slack   float64
		elapsed time.Duration
		want    float64
	}{
		{"in an hour", 0, time.Hour, 111.2},
		{"inaccuracies are taken off", 11_195, time.Hour, 100},
		{"within the inaccuracies", 200_000, time.Hour, 0},
		{"at the same instant", 0, 0, 400_302},
		{"backwards", 0, -time.Hour, 400_302},
	} {
		if got := Speed(a, b, tt.slack, tt.elapsed); math.Abs(got-tt.want) > 0.5 {
			t.Errorf("%s: %.1f km/h, want %.1f", tt.name, got, tt.want)
		}
	}
}
