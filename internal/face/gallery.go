package face

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// A Verdict is what a comparison says.
type Verdict string

// The verdicts.
const (
	Match    Verdict = "match"
	Doubtful Verdict = "doubtful"
	Mismatch Verdict = "mismatch"
)

// Limits are the distances by which captures are judged.
type Limits struct {
	Match    float64 // up to which a capture matches
	Doubtful float64 // up to which it is doubtful; beyond it does not match
	Replay   float64 // below which it repeats an earlier one
}

// Verdict judges a distance. Without a band between them, the limit of a match is also
// that of doubt.
func (l Limits) Verdict(distance float64) Verdict {
	switch {
	case distance <= l.Match:
		return Match
	case distance <= l.Doubtful:
		return Doubtful
	default: // nor is NaN a match
		return Mismatch
	}
}

// The sizes of a Gallery.
const (
	MaxTemplates  = 3  // beside the registered face
	MaxCaptures   = 50 // the latest count for replays
	capturePoints = 68 // of each are kept
	maxWeight     = 20 // captures of which a template is the mean, before it forgets
)

// burst is how far apart captures are taken that may be as alike as a replay: a phone
// that is held still.
const burst = 5 * time.Minute

// A Gallery is what one person's captures are compared with: the face as it was
// registered, the means of captures that matched it, and the latest captures.
type Gallery struct {
	registered Shape
	templates  []template
	captures   []capture // in the order in which they came
}

// A template is a mean of captures that matched.
type template struct {
	shape  Shape
	weight int // how many captures it is made of, at most maxWeight
}

// A capture is an earlier one, with fewer points, as it is stored: most are written back
// without ever being read into numbers.
type capture struct {
	deep   bool
	at     time.Time // to the second
	points []byte    // x, y and z of each, 16 bits of each
}

// NewGallery returns the gallery of a face that is registered at a time.
func NewGallery(registered Shape, at time.Time) *Gallery {
	g := &Gallery{registered: registered, templates: []template{{registered, 1}}}
	g.keep(registered, at)
	return g
}

// Len returns how many points the registered face has.
func (g *Gallery) Len() int { return g.registered.Len() }

// Distance returns how far a shape is from the nearest template; 1 where the number of
// points differs.
func (g *Gallery) Distance(s Shape) float64 {
	_, distance := g.nearest(s)
	return distance
}

// nearest returns the template that is nearest to a shape.
func (g *Gallery) nearest(s Shape) (index int, distance float64) {
	distance = math.Inf(1)
	for i, t := range g.templates {
		if d := Distance(t.shape, s); d < distance {
			index, distance = i, d
		}
	}
	return index, min(distance, 1)
}

// Replays reports whether a shape of a time repeats one of the latest captures: one
// taken at least five minutes earlier or later, at a distance below limit.
func (g *Gallery) Replays(s Shape, at time.Time, limit float64) bool {
	s = s.thin(capturePoints)
	radii, chord := s.radii(), chordOf(limit)
	return slices.ContainsFunc(g.captures, func(c capture) bool {
		return at.Sub(c.at).Abs() >= burst && !c.apart(s, radii, chord) && Distance(c.shape(), s) < limit
	})
}

// chordOf returns the distance of two shapes of the same size that are a Procrustes
// distance apart, with room for the rounding of stored captures.
func chordOf(distance float64) float64 {
	return math.Sqrt(2-2*math.Sqrt(max(0, 1-distance*distance))) + maxRounding
}

// apart reports whether a shape, with the distances of its points from the centroid, is
// further away than a distance however it is rotated, because these distances differ. It
// passes over most captures without looking for a rotation.
func (c capture) apart(s Shape, radii []float64, chord float64) bool {
	if len(c.points) != pointSize*len(radii) {
		return true
	}
	if c.deep != s.deep {
		return false // it takes a look
	}
	sum := 0.0
	for i, radius := range radii {
		p := c.place(i)
		d := radius - math.Sqrt(p[0]*p[0]+p[1]*p[1]+p[2]*p[2])
		sum += d * d
	}
	return sum > chord*chord
}

// Accept takes in a capture of a time that matched or was doubtful and is no replay.
// One that matches the registered face moves the mean of the template that is nearest,
// or becomes another template where it is nearly too far from all; what is near a mean
// alone changes none, so that the templates cannot wander to another face.
func (g *Gallery) Accept(s Shape, at time.Time, limits Limits) {
	g.keep(s, at)
	i, distance := g.nearest(s)
	if s.deep != g.templates[i].shape.deep || Distance(g.registered, s) > limits.Match {
		return
	}
	if distance > limits.Match/2 && len(g.templates) < MaxTemplates {
		g.templates = append(g.templates, template{s, 1})
		return
	}
	g.templates[i].add(s)
}

// add moves the mean towards a capture.
func (t *template) add(s Shape) {
	t.weight = min(t.weight+1, maxWeight)
	t.shape = Mean(t.shape, s, 1/float64(t.weight))
}

// Mean returns the shape between two of the same number of points, both with depth or
// both without: b counts with a part from 0 to 1.
func Mean(a, b Shape, part float64) Shape {
	to := aligned(a, b)
	out := Shape{points: make([]place, len(a.points)), deep: a.deep}
	for i, p := range a.points {
		for k := range p {
			out.points[i][k] = p[k] + part*(to.points[i][k]-p[k])
		}
	}
	out.normalize()
	return out
}

// keep adds a capture to the latest.
func (g *Gallery) keep(s Shape, at time.Time) {
	g.captures = append(g.captures, newCapture(s.thin(capturePoints), at.Truncate(time.Second)))
	slices.SortStableFunc(g.captures, func(a, b capture) int { return cmp.Compare(a.at.Unix(), b.at.Unix()) })
	if extra := len(g.captures) - MaxCaptures; extra > 0 {
		g.captures = slices.Delete(g.captures, 0, extra)
	}
}
