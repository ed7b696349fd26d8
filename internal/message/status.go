package message

import (
	"slices"
	"strings"

	"workforce/internal/errs"
)

// Status says how far a message came.
type Status string

// The states of a message, in the order in which it goes through them; Failed
// ends the way of one that did not arrive.
const (
	Queued    Status = "queued"
	Sent      Status = "sent"
	Delivered Status = "delivered"
	Read      Status = "read"
	Failed    Status = "failed"
)

// reportable are the states that a gateway reports.
var reportable = []Status{Sent, Delivered, Read, Failed}

// ParseReported reads a status that a gateway reports. Any other text is
// VALIDATION_FAILED on the member status, and the error names what is allowed.
func ParseReported(text string) (Status, error) {
	if s := Status(text); slices.Contains(reportable, s) {
		return s, nil
	}
	return "", errs.Because("status", errs.NotOneOf, errs.Meta{"allowed": "sent, delivered, read, failed"})
}

// Next returns the status of a message after a report, and whether that differs
// from the current one. Reports come late, twice and out of order: only a higher
// one counts. A message fails only before it was delivered; a failed one never changes.
func Next(current, reported Status) (next Status, changed bool) {
	from, to := current.rank(), reported.rank()
	if reported == Failed {
		changed = current == Queued || current == Sent
	} else {
		changed = from >= 0 && to > from
	}
	if changed {
		return reported, true
	}
	return current, false
}

// Stopped reports whether a gateway's error text says that the person wants
// nothing more by this channel: it is one of few words, in any case.
func Stopped(cause string) bool {
	words := []string{"stop", "stopped", "opted out", "unsubscribed"}
	return slices.Contains(words, strings.ToLower(strings.TrimSpace(cause)))
}

// rank orders the states that follow each other; it is negative for others.
func (s Status) rank() int {
	return slices.Index([]Status{Queued, Sent, Delivered, Read}, s)
}
