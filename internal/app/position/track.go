package position

import (
	"cmp"
	"math"
	"slices"
	"time"

	"workforce/internal/geofence"
)

const (
	// tolerance is how many metres a simplified track is off at first.
	tolerance = 5
	// stopMeters and stopTime say what a stop is: so long within so many metres of where it
	// began.
	stopMeters = 50
	stopTime   = 3 * time.Minute
	// gap is the longest time between two positions of which something is known: somebody
	// who stands still is shown each heartbeat.
	gap = 2 * heartbeat
)

// A Mark is a position of a track.
type Mark struct {
	ID    int
	At    time.Time
	Point geofence.Point
	Keep  bool // whatever it says of the track: the position of a clock event
}

// Simplify returns positions of a track, by time, that show the same way within a distance:
// the least of 5 m, 10 m, 20 m and so on with which at most so many are left. Where all that
// are to be kept are more, the earliest are left.
func Simplify(track []Mark, most int) []Mark {
	left, piece := track, max(256, 4*len(track)/most)
	for distance := float64(tolerance); len(left) > most; distance *= 2 {
		if distance > math.Pi*earthRadius {
			return left[:most]
		}
		left = simplify(track, distance, piece)
	}
	return left
}

// earthRadius is in metres.
const earthRadius = 6_371_000

// simplify leaves out the positions that are no further than a distance from the line between
// those beside them that are left (Douglas and Peucker). The ends of pieces of so many positions
// are left, so that a track that winds on and on takes no longer than its pieces.
func simplify(track []Mark, distance float64, piece int) []Mark {
	left := make([]bool, len(track))
	type part struct{ from, to int }
	todo := []part{}
	last := 0
	for i := range track {
		if i%piece == 0 || i == len(track)-1 || track[i].Keep {
			left[i] = true
			todo = append(todo, part{last, i})
			last = i
		}
	}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		far, at := distance, -1
		for i := p.from + 1; i < p.to; i++ {
			if d := offLine(track[i].Point, track[p.from].Point, track[p.to].Point); d > far {
				far, at = d, i
			}
		}
		if at >= 0 {
			left[at] = true
			todo = append(todo, part{p.from, at}, part{at, p.to})
		}
	}
	out := make([]Mark, 0, len(track))
	for i, m := range track {
		if left[i] {
			out = append(out, m)
		}
	}
	return out
}

// offLine returns the distance in metres from a position to the line between two others, on
// the plane that touches the Earth at the first.
func offLine(p, a, b geofence.Point) float64 {
	px, py := plane(a, p)
	bx, by := plane(a, b)
	along := 0.0
	if length := bx*bx + by*by; length > 0 {
		along = max(0, min(1, (px*bx+py*by)/length))
	}
	return math.Hypot(px-along*bx, py-along*by)
}

// plane returns how many metres east and north of an origin a position is.
func plane(origin, p geofence.Point) (east, north float64) {
	const degree = math.Pi / 180 * earthRadius
	lng := math.Remainder(p.Lng-origin.Lng, 360) // the shorter way round
	return lng * degree * math.Cos(origin.Lat*math.Pi/180), (p.Lat - origin.Lat) * degree
}

// A Stop is where somebody stayed within 50 m for at least 3 minutes.
type Stop struct {
	Point    geofence.Point // where it began
	From, To time.Time
}

// A Summary says what a track comes to.
type Summary struct {
	Meters           float64 // the way between stops
	Moving, Standing time.Duration
	Stops            []Stop // by time
}

// Summarize returns what a track, in any order, comes to. Standing is the time of stops,
// moving all other time between two positions. Of two positions that are more than half an
// hour apart nothing is known of the time and the way between them.
func Summarize(track []Mark) (s Summary) {
	track = slices.SortedStableFunc(slices.Values(track), func(a, b Mark) int { return cmp.Or(a.At.Compare(b.At), a.ID-b.ID) })
	for i := 0; i < len(track)-1; {
		to := i
		for to+1 < len(track) && near(track[to], track[to+1]) && geofence.Distance(track[i].Point, track[to+1].Point) <= stopMeters {
			to++
		}
		if length := track[to].At.Sub(track[i].At); length >= stopTime {
			s.Stops = append(s.Stops, Stop{track[i].Point, track[i].At, track[to].At})
			s.Standing += length
			i = to
		}
		if i < len(track)-1 && near(track[i], track[i+1]) {
			s.Meters += geofence.Distance(track[i].Point, track[i+1].Point)
			s.Moving += track[i+1].At.Sub(track[i].At)
		}
		i++
	}
	return s
}

// near reports whether it is known what lies between two positions.
func near(a, b Mark) bool { return b.At.Sub(a.At) <= gap }
