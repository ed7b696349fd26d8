package face

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// A Calibration is what captures show.
type Calibration struct {
	Captures, People int
	Genuine          []float64 // distances of captures of one person, sorted
	Impostor         []float64 // distances of captures of two people, sorted
}

// CompareCaptures measures the distance of every two captures with the same number of points. It
// fails where no two are of one person, or no two of different people.
func CompareCaptures(captures []Capture) (*Calibration, error) {
	r := &Calibration{Captures: len(captures)}
	people, shapes := map[string]bool{}, make([]Shape, len(captures))
	for i, c := range captures {
		people[c.Person], shapes[i] = true, Normalize(c.Points)
		for j := range i {
			switch {
			case shapes[j].Len() != shapes[i].Len():
			case captures[j].Person == c.Person:
				r.Genuine = append(r.Genuine, Distance(shapes[i], shapes[j]))
			default:
				r.Impostor = append(r.Impostor, Distance(shapes[i], shapes[j]))
			}
		}
	}
	r.People = len(people)
	slices.Sort(r.Genuine)
	slices.Sort(r.Impostor)
	if len(r.Genuine) == 0 || len(r.Impostor) == 0 {
		return nil, errors.New("captures of two people at least are needed, and two of one of them, with the same number of points")
	}
	return r, nil
}

// Rejected returns the part of one person's pairs that are further apart than a limit.
func (r *Calibration) Rejected(limit float64) float64 { return 1 - shareWithin(r.Genuine, limit) }

// Accepted returns the part of two people's pairs that are not further apart than a limit.
func (r *Calibration) Accepted(limit float64) float64 { return shareWithin(r.Impostor, limit) }

// shareWithin returns the part of sorted distances up to a limit.
func shareWithin(distances []float64, limit float64) float64 {
	n, _ := slices.BinarySearchFunc(distances, limit, func(d, limit float64) int {
		if d <= limit {
			return -1
		}
		return 1
	})
	return float64(n) / float64(len(distances))
}

// EqualError returns the limit at which both kinds of errors are as nearly the same as
// the captures tell, and their mean there.
func (r *Calibration) EqualError() (limit, rate float64) {
	apart := math.Inf(1)
	for _, d := range slices.Concat(r.Genuine, r.Impostor) {
		rejected, accepted := r.Rejected(d), r.Accepted(d)
		if gap := math.Abs(rejected - accepted); gap < apart || gap == apart && d < limit {
			apart, limit, rate = gap, d, (rejected+accepted)/2
		}
	}
	return limit, rate
}

// quantile returns the distance below which a part of sorted ones lies.
func quantile(distances []float64, part float64) float64 {
	return distances[int(math.Round(part*float64(len(distances)-1)))]
}

// limitsShown are those of the table of error rates.
var limitsShown = []float64{0.02, 0.04, 0.06, 0.08, 0.10, 0.12, 0.14, 0.16, 0.20, 0.25, 0.30, 0.40}

// Write prints the distances, the error rates at some limits, and the equal error rate.
func (r *Calibration) Write(w io.Writer) error {
	var out errWriter
	out.w = w
	out.printf("%d captures of %d people\n\n", r.Captures, r.People)
	out.printf("%-10s %9s %8s %8s %8s %8s %8s\n", "distances", "pairs", "least", "1 %", "median", "99 %", "most")
	for _, row := range []struct {
		name      string
		distances []float64
	}{{"genuine", r.Genuine}, {"impostor", r.Impostor}} {
		d := row.distances
		out.printf("%-10s %9d %8.4f %8.4f %8.4f %8.4f %8.4f\n", row.name, len(d), d[0], quantile(d, 0.01), quantile(d, 0.5), quantile(d, 0.99), d[len(d)-1])
	}
	out.printf("\n%-10s %20s %20s\n", "limit", "genuine rejected", "impostors accepted")
	for _, limit := range limitsShown {
		out.printf("%-10.3f %18.2f %% %18.2f %%\n", limit, 100*r.Rejected(limit), 100*r.Accepted(limit))
	}
	limit, rate := r.EqualError()
	out.printf("\nequal error rate %.2f %% at %.4f: faceMatch %.0f\n", 100*rate, limit, math.Max(1, math.Round(1000*limit)))
	return out.err
}

// An errWriter keeps the first error.
type errWriter struct {
	w   io.Writer
	err error
}

func (e *errWriter) printf(format string, args ...any) {
	if e.err == nil {
		_, e.err = fmt.Fprintf(e.w, format, args...)
	}
}
