package bench

import (
	"fmt"
	"math"
	"slices"
)

// ratios returns two lines for each workload that the floor answers too: the throughput of the
// server over the floor's, the median of the rounds, and the floor's CPU time over the server's,
// which another load on the machine disturbs less. Then by how much the cost grows from 1,000
// people to 10,000.
func (c *comparison) ratios() (lines []string) {
	for _, w := range c.workloads {
		if !w.floor {
			continue
		}
		line := func(kind string, ratio float64) {
			lines = append(lines, fmt.Sprintf("%s %s %s %.2f", kind, w.name, c.database, ratio))
		}
		line("ratio", c.median(c.speeds, side{w.name, "ours"}, side{w.name, "floor"}))
		line("cpu", c.median(c.costs, side{w.name, "floor"}, side{w.name, "ours"}))
	}
	for _, g := range []struct{ name, small, large string }{
		{"list", "list-1000", "list-10000"}, {"page", "page-50", "page-50-of-10000"},
	} {
		if growth := c.median(c.speeds, side{g.large, "ours"}, side{g.small, "ours"}); growth > 0 {
			lines = append(lines, fmt.Sprintf("growth %s %s %.2f", g.name, c.database, 1/growth))
		}
	}
	return append(lines, c.extras()...)
}

// extras returns what concerns one workload alone: of the list of 10,000, the
// most memory that was held; of the list through GraphQL, its throughput over
// that of the same list through REST.
func (c *comparison) extras() (lines []string) {
	for _, load := range c.loads {
		peak := c.peaks[speedKey{workload: "list-10000", load: load, target: "ours"}]
		if peak > 0 {
			lines = append(lines, fmt.Sprintf("peak list-10000 %s c%d %.0f MB", c.database, load, peak/1e6))
		}
	}
	if ratio := c.median(c.speeds, side{"graphql-list", "ours"}, side{"list-1000", "ours"}); ratio > 0 {
		lines = append(lines, fmt.Sprintf("graphql-over-rest list %s %.2f", c.database, ratio))
	}
	return lines
}

// A side is one of the two that a ratio compares.
type side struct{ workload, target string }

// median returns that of the rounds of one side over another, in each round at
// the concurrency where it is worse; 0 where either was not measured.
func (c *comparison) median(of map[speedKey]float64, above, below side) float64 {
	var rounds []float64
	for round := range *benchRounds {
		worst := math.Inf(1)
		for _, load := range c.loads {
			a, measured := of[speedKey{round, above.workload, load, above.target}]
			if b := of[speedKey{round, below.workload, load, below.target}]; measured && b > 0 {
				worst = min(worst, a/b)
			}
		}
		if !math.IsInf(worst, 1) {
			rounds = append(rounds, worst)
		}
	}
	if len(rounds) == 0 {
		return 0
	}
	slices.Sort(rounds)
	n := len(rounds)
	return (rounds[(n-1)/2] + rounds[n/2]) / 2
}
