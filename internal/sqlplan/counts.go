package sqlplan

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/maypok86/otter/v2"
)

// Versions tells of which tables all changes replace a version, in their own transactions.
type Versions struct {
	Tables []string
	// Select writes the query of the version, an integer, of what the viewer of a context sees
	// of the tables.
	Select func(ctx context.Context, to *sql.Builder)
}

// A count is how many rows a list has as of a version; noVersion where none is stored.
type count struct{ rows, version int }

const noVersion = -1

// counts remember how many rows lists have: to count 10,000 takes longer than to read a page
// of them. A count that is remembered holds as long as its version is read beside the rows.
type counts struct {
	Versions
	known *otter.Cache[string, count] // by text and arguments of the query that counts
}

const (
	maxCounts = 10_000
	// countLife is how long a count is remembered at most: the longest time in which a change by
	// other means than this server's, which leave the version, is not seen.
	countLife = 5 * time.Second
)

func newCounts(v Versions) *counts {
	return &counts{v, otter.Must(&otter.Options[string, count]{
		MaximumSize: maxCounts, ExpiryCalculator: otter.ExpiryWriting[string, count](countLife),
	})}
}

// key returns the key of a query that counts; false if it reads other tables than those that
// have versions.
func (c *counts) key(query *sql.Selector) (string, bool) {
	text, args := query.Query()
	for _, word := range []string{"FROM ", "JOIN "} {
		for _, rest := range strings.Split(text, word)[1:] {
			if !strings.HasPrefix(rest, "(SELECT ") && !c.versioned(rest) {
				return "", false
			}
		}
	}
	key := make([]byte, 0, len(text)+64)
	key = append(key, text...)
	for _, arg := range args {
		key = fmt.Appendf(key, "\x00%T:%v", arg, arg)
	}
	return string(key), true
}

// versioned reports whether a text begins with the name of a table that has a version.
func (c *counts) versioned(text string) bool {
	for _, table := range c.Tables {
		if name, ok := strings.CutPrefix(text, "`"+table); ok && strings.HasPrefix(name, "`") {
			return true
		}
	}
	return false
}

// A counting is how the rows of one list are counted.
type counting struct {
	*counts
	key        string // "" where the count is not to be remembered
	remembered count
	known      bool
}

// add adds to a statement of a list what counts its rows: the version where their number is
// remembered, else the number, and the version where it is to be.
func (c *counts) add(ctx context.Context, s *sql.Selector) counting {
	query := s.Clone().ClearOrder().Count()
	n := counting{counts: c}
	key, ok := c.key(query)
	if ok {
		n.key = key
		n.remembered, n.known = c.known.GetIfPresent(key)
	}
	if !n.known {
		s.AppendSelectExpr(sql.ExprFunc(func(b *sql.Builder) { b.Wrap(func(b *sql.Builder) { b.Join(query) }) }))
	}
	if ok {
		s.AppendSelectExpr(sql.ExprFunc(func(b *sql.Builder) { b.Wrap(func(b *sql.Builder) { c.Select(ctx, b) }) }))
	}
	return n
}

// total returns the number of rows by the columns that add added; false if it is not known.
func (n *counting) total(columns []int) (int, bool) {
	switch {
	case len(columns) == 0: // no row was read
		return 0, false
	case n.key == "":
		return columns[0], true
	case !n.known:
		if columns[1] != noVersion {
			n.counts.known.Set(n.key, count{rows: columns[0], version: columns[1]})
		}
		return columns[0], true
	case n.remembered.version != columns[0]:
		n.counts.known.Invalidate(n.key)
		return 0, false
	}
	return n.remembered.rows, true
}

// integers reads columns that hold integers; null is noVersion.
func integers(values [][]byte) ([]int, error) {
	out := make([]int, len(values))
	for i, v := range values {
		if v == nil {
			out[i] = noVersion
			continue
		}
		n, err := strconv.Atoi(string(v))
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}
