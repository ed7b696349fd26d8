package position

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"workforce/internal/geofence"
)

var nine = time.Date(2026, 3, 11, 2, 0, 0, 0, time.UTC)

// mark is a position so many metres north of Monas, so many seconds after nine.
func mark(seconds int, north float64) Mark {
	return Mark{ID: seconds, At: nine.Add(time.Duration(seconds) * time.Second), Point: geofence.Point{Lat: -6.175392 + north/111_195, Lng: 106.827153}}
}

func TestSummarize(t *testing.T) {
	for _, tt := range []struct {
		name  string
		track []Mark
		want  string // metres, moving and standing seconds, stops by their first and last second
	}{
		{"nothing", nil, "0 0 0 []"},
		{"one position", []Mark{mark(0, 0)}, "0 0 0 []"},
		{"a walk", []Mark{mark(0, 0), mark(60, 100), mark(120, 200)}, "200 120 0 []"},
		{"in any order", []Mark{mark(120, 200), mark(0, 0), mark(60, 100)}, "200 120 0 []"},
		{"a stop of 3 minutes", []Mark{mark(0, 0), mark(180, 30)}, "0 0 180 [0-180]"},
		{"a second less", []Mark{mark(0, 0), mark(179, 30)}, "30 179 0 []"},
		{"50 m away", []Mark{mark(0, 0), mark(180, 49.9)}, "0 0 180 [0-180]"},
		{"more than 50 m", []Mark{mark(0, 0), mark(180, 50.2)}, "50 180 0 []"},
		{"away from where it began", []Mark{mark(0, 0), mark(100, 40), mark(200, 80), mark(300, 120)}, "120 300 0 []"},
		{"a way between stops", []Mark{mark(0, 0), mark(200, 10), mark(300, 500), mark(400, 1000), mark(600, 1010)}, "990 200 400 [0-200 400-600]"},
		{"half an hour without any", []Mark{mark(0, 0), mark(1800, 1000)}, "1000 1800 0 []"},
		{"longer", []Mark{mark(0, 0), mark(1801, 1000), mark(1901, 1100)}, "100 100 0 []"},
		{"a night in one place", []Mark{mark(0, 0), mark(600, 0), mark(60_000, 0), mark(60_600, 0)}, "0 0 1200 [0-600 60000-60600]"},
	} {
		s := Summarize(tt.track)
		stops := []string{}
		for _, stop := range s.Stops {
			stops = append(stops, fmt.Sprintf("%.0f-%.0f", stop.From.Sub(nine).Seconds(), stop.To.Sub(nine).Seconds()))
		}
		if got := fmt.Sprintf("%.0f %.0f %.0f %v", s.Meters, s.Moving.Seconds(), s.Standing.Seconds(), stops); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestSimplify draws tracks, and wants each position near to the simplified way.
func TestSimplify(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 7))
		var track []Mark
		at := mark(0, 0).Point
		if seed%2 == 0 {
			at.Lng = 179.999 // over the date line
		}
		for i := range 500 {
			at.Lat += (r.Float64() - 0.3) * 0.001
			at.Lng += (r.Float64() - 0.3) * 0.001
			if at.Lng > 180 {
				at.Lng -= 360
			}
			track = append(track, Mark{ID: i, At: nine.Add(time.Duration(i) * time.Minute), Point: at, Keep: r.IntN(50) == 0})
		}
		if got := Simplify(track, 500); len(got) != 500 {
			t.Fatalf("seed %d: %d of 500 are left where all may be", seed, len(got))
		}
		left := simplify(track, 40, 500)
		if len(left) < 3 || len(left) >= 450 {
			t.Errorf("seed %d: %d of 500 are left", seed, len(left))
		}
		n := 0
		for _, m := range track {
			if n+1 < len(left) && left[n+1].ID <= m.ID {
				n++
			}
			if m.Keep && left[n].ID != m.ID {
				t.Errorf("seed %d: position %d is to be kept", seed, m.ID)
			}
			if d := offLine(m.Point, left[n].Point, left[min(n+1, len(left)-1)].Point); d > 40.001 {
				t.Errorf("seed %d: position %d is %.1f m off the way", seed, m.ID, d)
			}
		}
		if few := Simplify(track, 30); len(few) > 30 || few[0].ID != 0 {
			t.Errorf("seed %d: %d are left, want 30 at most", seed, len(few))
		}
	}
}

// TestSimplifyKeeps keeps the earliest where too many are to be kept, and does not take
// long for positions that are all the same.
func TestSimplifyKeeps(t *testing.T) {
	kept := make([]Mark, 20)
	for i := range kept {
		kept[i] = mark(i, float64(i)*1e5)
		kept[i].Keep = true
	}
	if got := Simplify(kept, 10); len(got) != 10 || got[9].ID != 9 {
		t.Errorf("%d are left", len(got))
	}
	same := make([]Mark, 1_000_000)
	for i := range same {
		same[i] = mark(i, 0)
	}
	if got := Simplify(same, 10_000); len(got) > 4000 {
		t.Errorf("%d of one place are left, want the ends of pieces", len(got))
	}
}

// TestOffLine measures on a plane what the sphere has.
func TestOffLine(t *testing.T) {
	a, b := mark(0, 0).Point, mark(0, 1000).Point
	for _, tt := range []struct {
		north, east, want float64
	}{{500, 30, 30}, {0, 0, 0}, {-40, 30, 50}, {1000, -20, 20}, {1030, 40, 50}} {
		p := mark(0, tt.north).Point
		p.Lng += tt.east / 111_195 / math.Cos(a.Lat*math.Pi/180)
		if got := offLine(p, a, b); math.Abs(got-tt.want) > 0.1 {
			t.Errorf("%v north, %v east: %.2f m, want %v", tt.north, tt.east, got, tt.want)
		}
	}
	west, east := geofence.Point{Lat: 0, Lng: 179.999}, geofence.Point{Lat: 0, Lng: -179.999}
	if got := offLine(geofence.Point{Lat: 0.0001, Lng: -179.9995}, west, east); math.Abs(got-11.1) > 0.1 {
		t.Errorf("over the date line: %.2f m, want 11.1", got)
	}
}
