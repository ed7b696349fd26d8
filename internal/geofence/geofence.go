// Package geofence decides whether a position lies inside a work site.
package geofence

import (
	"math"
	"strconv"
	"time"
)

const earthRadius = 6_371_000 // metres, mean

// Point is a WGS 84 position in decimal degrees.
type Point struct{ Lat, Lng float64 }

// Valid reports whether p is a position on Earth. NaN is not.
func (p Point) Valid() bool {
	return p.Lat >= -90 && p.Lat <= 90 && p.Lng >= -180 && p.Lng <= 180
}

// IsZero reports whether p is exactly 0,0, which phones send for want of a
// position: it counts as missing.
func (p Point) IsZero() bool { return p == Point{} }

// Distance returns the great-circle distance between a and b in metres.
// The error of the spherical model is below 0.6 %.
func Distance(a, b Point) float64 {
	lat1, lat2 := rad(a.Lat), rad(b.Lat)
	dLat, dLng := lat2-lat1, rad(b.Lng-a.Lng)
	h := sq(math.Sin(dLat/2)) + math.Cos(lat1)*math.Cos(lat2)*sq(math.Sin(dLng/2))
	return 2 * earthRadius * math.Asin(math.Sqrt(min(h, 1)))
}

// Nearest returns the one of some positions that p is nearest to, the first of several;
// there is at least one.
func Nearest(p Point, first Point, more ...Point) Point {
	nearest := first
	for _, other := range more {
		if Distance(other, p) < Distance(nearest, p) {
			nearest = other
		}
	}
	return nearest
}

// Contains reports whether p is within radius metres of center. A position
// exactly on the circle is inside. Where either point is invalid, the answer is
// no.
func Contains(center Point, radius float64, p Point) bool {
	return center.Valid() && p.Valid() && Distance(center, p) <= radius
}

// Speed returns how fast one travels from a to b in a time, in km/h: at least, where the
// two positions are inaccurate by slack metres together. Less than a second counts as
// one.
func Speed(a, b Point, slack float64, elapsed time.Duration) float64 {
	metres := max(0, Distance(a, b)-slack)
	return metres / max(1, elapsed.Seconds()) * 3.6
}

// MaxDegrees is the most characters that ParseDegrees reads.
const MaxDegrees = 30

// ParseDegrees reads a plain decimal number: an optional sign, ASCII digits,
// and optionally a point and more digits, 30 characters at most. It does not
// say whether the number is a latitude or longitude: see Point.Valid.
func ParseDegrees(text string) (degrees float64, ok bool) {
	if len(text) > MaxDegrees || !isDecimal(text) {
		return 0, false
	}
	degrees, err := strconv.ParseFloat(text, 64)
	return degrees, err == nil
}

func isDecimal(text string) bool {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
	}
	whole := digits(text)
	if whole == 0 || whole == len(text) {
		return whole > 0
	}
	fraction := text[whole+1:]
	return text[whole] == '.' && fraction != "" && digits(fraction) == len(fraction)
}

// digits counts the ASCII digits that text begins with.
func digits(text string) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}

// FormatDegrees writes a latitude or longitude with six decimals, some 0.1 m,
// and never a negative zero.
func FormatDegrees(degrees float64) string {
	text := strconv.FormatFloat(degrees, 'f', 6, 64)
	if text == "-0.000000" {
		return text[1:]
	}
	return text
}

func rad(degrees float64) float64 { return degrees * math.Pi / 180 }
func sq(x float64) float64        { return x * x }
