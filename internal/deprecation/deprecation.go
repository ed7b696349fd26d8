// Package deprecation reads what a GraphQL schema and operation documents say of what will go, and tells who uses it.
package deprecation

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
)

// Least is how many months something stays after it was deprecated.
const Least = 12

// A Notice says that something will go.
type Notice struct {
	What   string    // as in Query.users(first:), and SaveTask or SaveTask.title of a document
	Reason string    // as it is written, with the dates
	Since  time.Time // zero where the reason has no dates
	Until  time.Time // zero where it is not known yet
}

// dates matches the end of a reason, as in: Use id. Since 2026-11-30, until 2027-12-01.
var dates = regexp.MustCompile(`^.*\S\. Since (\d{4}-\d\d-\d\d)(?:, until (\d{4}-\d\d-\d\d))?\.$`)

// Read returns the notice of a list with @deprecated about what, and nil without. The error says what is wrong with the
// dates; the notice then has none.
func Read(list ast.DirectiveList, what string) (*Notice, error) {
	d := list.ForName("deprecated")
	if d == nil {
		return nil, nil
	}
	n := &Notice{What: what}
	if reason := d.Arguments.ForName("reason"); reason != nil {
		n.Reason = reason.Value.Raw
	}
	found := dates.FindStringSubmatch(n.Reason)
	if found == nil {
		return n, fmt.Errorf(`the reason %q does not end as in "Use id. Since 2026-11-30, until 2027-12-01."`, n.Reason)
	}
	since, err := time.Parse(time.DateOnly, found[1])
	if err != nil {
		return n, fmt.Errorf("%s is no date", found[1])
	}
	var until time.Time
	if found[2] != "" {
		if until, err = time.Parse(time.DateOnly, found[2]); err != nil {
			return n, fmt.Errorf("%s is no date", found[2])
		}
		if until.Before(since.AddDate(0, Least, 0)) {
			return n, fmt.Errorf("%s is less than %d months after %s", found[2], Least, found[1])
		}
	}
	n.Since, n.Until = since, until
	return n, nil
}

// Describe adds a notice, which may be nil, to a description.
func (n *Notice) Describe(text string) string {
	if n == nil {
		return text
	}
	if text != "" {
		text += "\n\n"
	}
	return text + "Deprecated. " + cmp.Or(n.Reason, "It will go.")
}

// Notices are what one request uses.
type Notices []Notice

// Add adds a notice, which may be nil, once.
func (list *Notices) Add(n *Notice) {
	if n == nil {
		return
	}
	for _, known := range *list {
		if known.What == n.What {
			return
		}
	}
	*list = append(*list, *n)
}

// Names returns what it is that will go.
func (list Notices) Names() (names []string) {
	for _, n := range list {
		names = append(names, n.What)
	}
	return names
}

// SetHeaders says by Deprecation (RFC 9745) since when what a request uses is deprecated, and by Sunset (RFC 8594)
// until when it is there: the first dates of all.
func (list Notices) SetHeaders(h http.Header) {
	var since, until time.Time
	for _, n := range list {
		since, until = first(since, n.Since), first(until, n.Until)
	}
	if !since.IsZero() {
		h.Set("Deprecation", "@"+strconv.FormatInt(since.Unix(), 10))
	}
	if !until.IsZero() {
		h.Set("Sunset", until.Format(http.TimeFormat))
	}
}

func first(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
