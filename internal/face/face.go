// Package face checks whether face landmarks are usable, and compares captures of them.
//
// A comparison of landmarks is a check of consistency: whether a capture looks like those
// that came before it under the same name. It is evidence against carelessness, such as a
// colleague who clocks in for another with their own face, and never proof of identity:
//
//   - The geometry of landmarks is a weak biometric. Compared as here, the equal error rate
//     was 13 % on frontal pictures of one session, 33 % over changes of pose and 42 % for
//     five points of pictures taken anywhere. A comparison trained on the spread within
//     each person reached 2.8 to 3.9 %, on points set by hand in one session: a bound that
//     is not reached in practice.
//   - Nothing here sees the picture. Whoever sends landmarks that were made up, or a real
//     capture with noise of 1 % of the distance of the eyes, passes every check.
//   - The replay test finds arrays that were sent before, also with slight noise.
//
// The default policy is therefore to flag. docs/faces.md says more, and how to find limits
// for one's own phones.
package face

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"log/slog"
	"math"

	"workforce/internal/errs"
)

// Point is one landmark; its place in the array says which. X and Y are parts
// of the picture's width and height, Z is depth on the scale of X, nearer being
// smaller. Visibility is 0 where the phone does not tell.
type Point struct {
	X          float64 `json:"x"`
	Y          float64 `json:"y"`
	Z          float64 `json:"z"`
	Visibility float64 `json:"visibility"`
}

// LogValue hides the point from logs.
func (p Point) LogValue() slog.Value { return slog.StringValue("landmark") }

// String hides the point.
func (p Point) String() string { return "landmark" }

// GoString hides the point.
func (p Point) GoString() string { return p.String() }

// The number of points of a capture.
const (
	MinPoints = 20
	MaxPoints = 512
)

// Reason says why a capture is unusable.
type Reason string

// The reasons; the first that applies is given.
const (
	Count      Reason = "count"        // fewer than 20 points or more than 512
	NotFinite  Reason = "not_finite"   // NaN or infinite
	OutOfFrame Reason = "out_of_frame" // or a visibility that none can have
	Identical  Reason = "identical"    // all points are the same
	Collinear  Reason = "collinear"    // all on one line in the picture
	TooSmall   Reason = "too_small"    // the face covers less than 2 % of the picture
	Duplicates Reason = "duplicates"   // over 5 % of the points repeat another
)

// Limits of a usable capture.
const (
	minXY, maxXY  = -0.5, 1.5 // faces reach over the picture's edge
	maxZ          = 1.0       // either way
	maxVisibility = 100.0     // either way: a probability, or a logit of some libraries
	minArea       = 0.02      // of the picture, covered by the points' box
	minSpread     = 1e-6      // smallest square of the ratio of a face's narrow side to its long one
	maxDuplicates = 0.05      // of all points
)

// Check returns nil for a usable capture, else FACE_INVALID on faceLandmark,
// whose meta has a reason of the type Reason.
func Check(points []Point) error {
	reason := fault(points)
	if reason == "" {
		return nil
	}
	return errs.Field(errs.FaceInvalid, "faceLandmark", errs.Meta{"reason": reason})
}

func fault(points []Point) Reason {
	if len(points) < MinPoints || len(points) > MaxPoints {
		return Count
	}
	for _, p := range points {
		if !p.finite() {
			return NotFinite
		}
		if !p.inFrame() {
			return OutOfFrame
		}
	}
	return shapeFault(points)
}

// shapeFault returns what is wrong with the shape of finite points.
func shapeFault(points []Point) Reason {
	low, high := box(points)
	switch {
	case low.rounded() == high.rounded():
		return Identical
	case collinear(points):
		return Collinear
	case (high.X-low.X)*(high.Y-low.Y) < minArea:
		return TooSmall
	case duplicates(points) > maxDuplicates*float64(len(points)):
		return Duplicates
	}
	return ""
}

func (p Point) finite() bool {
	return !math.IsNaN(p.X+p.Y+p.Z+p.Visibility) && !math.IsInf(p.X+p.Y+p.Z+p.Visibility, 0)
}

func (p Point) inFrame() bool {
	return minXY <= p.X && p.X <= maxXY && minXY <= p.Y && p.Y <= maxXY && math.Abs(p.Z) <= maxZ &&
		math.Abs(p.Visibility) <= maxVisibility
}

// box returns the corners of the smallest box around points.
func box(points []Point) (low, high Point) {
	low, high = points[0], points[0]
	for _, p := range points {
		low.X, low.Y, low.Z = min(low.X, p.X), min(low.Y, p.Y), min(low.Z, p.Z)
		high.X, high.Y, high.Z = max(high.X, p.X), max(high.Y, p.Y), max(high.Z, p.Z)
	}
	return low, high
}

// collinear reports whether the points lie on one line in the picture, at any
// angle: the determinant of their covariance then vanishes beside its trace.
func collinear(points []Point) bool {
	var mx, my, xx, yy, xy float64
	for _, p := range points {
		mx += p.X / float64(len(points))
		my += p.Y / float64(len(points))
	}
	for _, p := range points {
		dx, dy := p.X-mx, p.Y-my
		xx, yy, xy = xx+dx*dx, yy+dy*dy, xy+dx*dy
	}
	return xx*yy-xy*xy <= minSpread*(xx+yy)*(xx+yy)
}

// duplicates counts the points that repeat an earlier one.
func duplicates(points []Point) float64 {
	seen := make(map[rounded]bool, len(points))
	for _, p := range points {
		seen[p.rounded()] = true
	}
	return float64(len(points) - len(seen))
}

// rounded is a point's place in millionths, by which captures are compared.
type rounded struct{ x, y, z int64 }

func (p Point) rounded() rounded {
	millionths := func(v float64) int64 { return int64(math.Round(v * 1e6)) }
	return rounded{millionths(p.X), millionths(p.Y), millionths(p.Z)}
}

// Digest names a capture that passed Check: the same for the same points in the
// same order, however their numbers were written and whatever their
// visibility. Without the key it tells nothing of them.
func Digest(key []byte, points []Point) [sha256.Size]byte {
	mac := hmac.New(sha256.New, key)
	var place [24]byte
	for _, p := range points {
		r := p.rounded()
		for i, v := range [...]int64{r.x, r.y, r.z} {
			binary.BigEndian.PutUint64(place[8*i:], uint64(v))
		}
		mac.Write(place[:])
	}
	return [sha256.Size]byte(mac.Sum(nil))
}
