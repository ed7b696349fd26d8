package face

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// The drawing, in pixels: two panels, one below the other.
const (
	width, left = 720.0, 60.0
	panel, gap  = 200.0, 60.0
	bins        = 60
)

// Draw draws both distributions of distances, and below them the error rates over the
// limit with the equal error rate, as an SVG.
func (r *Calibration) Draw(w io.Writer) error {
	most := math.Min(1, math.Ceil(20*math.Max(r.Genuine[len(r.Genuine)-1], r.Impostor[len(r.Impostor)-1]))/20)
	x := func(distance float64) float64 { return left + distance/most*(width-left-20) }
	out := &errWriter{w: w}
	out.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" font-family="sans-serif" font-size="12">`+"\n", width, 2*panel+2*gap)
	out.printf(`<rect width="100%%" height="100%%" fill="white"/>` + "\n")
	top := 30.0
	out.printf(`<text x="%.0f" y="20">distances: <tspan fill="#1f77b4">genuine</tspan>, <tspan fill="#d62728">impostor</tspan></text>`+"\n", left)
	out.path(histogram(r.Genuine, most, x, top), "#1f77b4")
	out.path(histogram(r.Impostor, most, x, top), "#d62728")
	out.axis(x, most, top)
	top += panel + gap
	limit, rate := r.EqualError()
	out.printf(`<text x="%.0f" y="%.0f">errors: <tspan fill="#1f77b4">genuine rejected</tspan>, <tspan fill="#d62728">impostors accepted</tspan>; equal at %.4f: %.2f %%</text>`+"\n",
		left, top-10, limit, 100*rate)
	out.path(curve(r.Rejected, most, x, top), "#1f77b4")
	out.path(curve(r.Accepted, most, x, top), "#d62728")
	out.printf(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="gray" stroke-dasharray="4"/>`+"\n", x(limit), top, x(limit), top+panel)
	out.axis(x, most, top)
	out.printf("</svg>\n")
	return out.err
}

func (e *errWriter) path(points, color string) {
	e.printf(`<path d="M%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", points, color)
}

// axis draws the bottom of a panel with distances.
func (e *errWriter) axis(x func(float64) float64, most, top float64) {
	e.printf(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="black"/>`+"\n", x(0), top+panel, x(most), top+panel)
	for i := range 6 {
		d := most * float64(i) / 5
		e.printf(`<text x="%.1f" y="%.1f" text-anchor="middle">%.2f</text>`+"\n", x(d), top+panel+18, d)
	}
}

// histogram returns the outline of how many distances lie in each bin, in parts of the
// fullest.
func histogram(distances []float64, most float64, x func(float64) float64, top float64) string {
	var counts [bins]int
	fullest := 0
	for _, d := range distances {
		i := min(int(d/most*bins), bins-1)
		counts[i]++
		fullest = max(fullest, counts[i])
	}
	var points []string
	for i, n := range counts {
		y := top + panel*(1-float64(n)/float64(fullest))
		points = append(points, placeText(x(most*float64(i)/bins), y), placeText(x(most*float64(i+1)/bins), y))
	}
	return strings.Join(points, " L")
}

// curve returns a rate over the limit.
func curve(rate func(float64) float64, most float64, x func(float64) float64, top float64) string {
	const steps = 240
	points := make([]string, steps+1)
	for i := range points {
		limit := most * float64(i) / steps
		points[i] = placeText(x(limit), top+panel*(1-rate(limit)))
	}
	return strings.Join(points, " L")
}

func placeText(x, y float64) string { return fmt.Sprintf("%.1f,%.1f", x, y) }
