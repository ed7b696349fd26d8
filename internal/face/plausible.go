package face

import "math"

// A Doubt is why a usable capture is hardly one of a living face before a camera. No
// doubt is proof: depth comes from the phone's own model, which makes some up for
// photographs too.
type Doubt string

// The doubts.
const (
	NoDepth    Doubt = "flat"        // as a photograph: hardly any depth beside the width, or none
	Misshapen  Doubt = "implausible" // narrower than a face, or deeper
	TurnedAway Doubt = "turned"      // over 45 degrees to a side, up or down
)

// Limits of plausible captures. Which point is which depends on the phone's model, so
// that they ask for the proportions of all points alone.
const (
	minDepthPart = 0.02 // of the width, as spreads
	maxDepthPart = 1.5
	minSlimness  = 0.3 // of the long side, in a picture of any format
	maxSlope     = 1.0 // of depth over the picture: 45 degrees
)

// Doubts returns what makes a capture that passed Check doubtful.
func Doubts(points []Point) []Doubt {
	m := momentsOf(points)
	width := math.Sqrt(m.xx)
	depth := math.Sqrt(m.zz)
	var out []Doubt
	if depth < minDepthPart*width {
		out = append(out, NoDepth)
	}
	if m.slimness() < minSlimness || depth > maxDepthPart*math.Sqrt(m.xx+m.yy) {
		out = append(out, Misshapen)
	}
	if m.slope() > maxSlope {
		out = append(out, TurnedAway)
	}
	return out
}

// moments are the means of products of coordinates around the centroid.
type moments struct{ xx, xy, yy, xz, yz, zz float64 }

func momentsOf(points []Point) (m moments) {
	var c Point
	n := float64(len(points))
	for _, p := range points {
		c.X, c.Y, c.Z = c.X+p.X/n, c.Y+p.Y/n, c.Z+p.Z/n
	}
	for _, p := range points {
		x, y, z := p.X-c.X, p.Y-c.Y, p.Z-c.Z
		m.xx, m.xy, m.yy = m.xx+x*x/n, m.xy+x*y/n, m.yy+y*y/n
		m.xz, m.yz, m.zz = m.xz+x*z/n, m.yz+y*z/n, m.zz+z*z/n
	}
	return m
}

// slimness returns the spread across the long side in parts of the spread along it.
func (m moments) slimness() float64 {
	mean, root := (m.xx+m.yy)/2, math.Hypot((m.xx-m.yy)/2, m.xy)
	return math.Sqrt(max(0, mean-root) / (mean + root))
}

// slope returns that of the plane z = ax + by which fits the points best.
func (m moments) slope() float64 {
	d := m.xx*m.yy - m.xy*m.xy // above 0: Check refuses points on one line
	return math.Hypot((m.xz*m.yy-m.yz*m.xy)/d, (m.yz*m.xx-m.xz*m.xy)/d)
}
