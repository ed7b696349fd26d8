package ratelimit

import (
	"encoding/binary"
	"slices"
	"time"
)

// The sizes of a log.
const (
	window     = time.Hour
	maxEntries = 64
	entrySize  = 8 + 4 // bytes: microseconds since 1970, number
)

// A log holds the events of one key in a window that ends now, the oldest first. It has
// maxEntries instants at most: beyond them the two that are closest together count as
// the later one, so that a full log never allows more than the limit in any window,
// but frees a place a little late.
type log []entry

// An entry is a number of events at one instant.
type entry struct {
	at time.Time
	n  int
}

// parse reads the stored form of a log.
func parse(text []byte) log {
	var l log
	for ; len(text) >= entrySize; text = text[entrySize:] {
		at := time.UnixMicro(int64(binary.BigEndian.Uint64(text))).UTC()
		l = append(l, entry{at, int(binary.BigEndian.Uint32(text[8:]))})
	}
	return l
}

// bytes returns the stored form of a log.
func (l log) bytes() []byte {
	text := make([]byte, 0, len(l)*entrySize)
	for _, e := range l {
		text = binary.BigEndian.AppendUint64(text, uint64(e.at.UnixMicro()))
		text = binary.BigEndian.AppendUint32(text, uint32(e.n))
	}
	return text
}

// recent returns the log without what is as old as a window.
func (l log) recent(now time.Time, window time.Duration) log {
	return slices.DeleteFunc(l, func(e entry) bool { return now.Sub(e.at) >= window })
}

// count returns the number of events.
func (l log) count() (n int) {
	for _, e := range l {
		n += e.n
	}
	return n
}

// add returns the log with n events more.
func (l log) add(at time.Time, n int) log {
	i, found := slices.BinarySearchFunc(l, at, func(e entry, t time.Time) int { return e.at.Compare(t) })
	if !found {
		l = slices.Insert(l, i, entry{at: at})
	}
	l[i].n += n
	if len(l) <= maxEntries {
		return l
	}
	closest := 1
	for i := range l[1:] {
		if l[i+1].at.Sub(l[i].at) < l[closest].at.Sub(l[closest-1].at) {
			closest = i + 1
		}
	}
	l[closest].n += l[closest-1].n
	return slices.Delete(l, closest-1, closest)
}

// remove returns the log without an event that add was given.
func (l log) remove(at time.Time) log {
	i := slices.IndexFunc(l, func(e entry) bool { return !e.at.Before(at) })
	if i < 0 {
		return l
	}
	if l[i].n--; l[i].n == 0 {
		return slices.Delete(l, i, i+1)
	}
	return l
}

// wait returns how long it is until n events more are no more than limit; 0 where they
// are not now, and what is left of the window where they never are.
func (l log) wait(now time.Time, n, limit int, window time.Duration) time.Duration {
	over := l.count() + n - limit
	for i, e := range l {
		if over <= 0 {
			break
		}
		if over -= e.n; over <= 0 || i == len(l)-1 {
			return e.at.Add(window).Sub(now)
		}
	}
	return 0
}
