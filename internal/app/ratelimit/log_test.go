package ratelimit

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var start = time.Date(2026, 3, 11, 3, 0, 0, 0, time.UTC)

func TestLogRemove(t *testing.T) {
	at := func(minutes ...int) (l log) {
		for _, m := range minutes {
			l = l.add(start.Add(time.Duration(m)*time.Minute), 1)
		}
		return l
	}
	tests := []struct {
		name   string
		log    log
		minute int
		want   log
	}{
		{"of several at one instant", at(1, 1, 2), 1, at(1, 2)},
		{"the only one", at(1, 2), 2, at(1)},
		{"one that counts as a later one", at(1, 3), 2, at(1)},
		{"one that is too old", at(1, 3), 4, at(1, 3)},
		{"of none", nil, 1, nil},
	}
	for _, tt := range tests {
		if got := tt.log.remove(start.Add(time.Duration(tt.minute) * time.Minute)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestLogIsBounded stores many events in the bytes of the column, and reads them back.
func TestLogIsBounded(t *testing.T) {
	var l log
	for i := range 10_000 {
		l = l.add(start.Add(time.Duration(i)*time.Millisecond), 1)
	}
	if len(l) > maxEntries || len(l.bytes()) > 1024 || l.count() != 10_000 {
		t.Errorf("%d entries, %d bytes, %d events", len(l), len(l.bytes()), l.count())
	}
	if again := parse(l.bytes()); !slices.Equal(again, l) {
		t.Errorf("read back as %v, want %v", again, l)
	}
}

// TestFullLog has events come each second and then more often: no hour has more than are
// allowed, and few less.
func TestFullLog(t *testing.T) {
	const limit = 100
	var l log
	var allowed []time.Time
	step := time.Second
	for now := start; now.Before(start.Add(3 * time.Hour)); now = now.Add(step) {
		if len(allowed) == limit {
			step = 100 * time.Millisecond
		}
		if l = l.recent(now, window); l.wait(now, 1, limit, window) > 0 {
			continue
		}
		l, allowed = l.add(now, 1), append(allowed, now)
		if n := len(allowed); n > limit && now.Sub(allowed[n-1-limit]) < time.Hour {
			t.Fatalf("%d events within %v", limit+1, now.Sub(allowed[n-1-limit]))
		}
	}
	if len(allowed) < 3*limit {
		t.Errorf("%d events in three hours, want some %d", len(allowed), 3*limit)
	}
}

// TestLogLimit has events come at random: no hour ever has more than are allowed, and
// after the wait that is told another one is.
func TestLogLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 120).Draw(t, "limit")
		var l log
		var allowed []time.Time
		now := start
		for _, gap := range rapid.SliceOfN(rapid.IntRange(10, 40), 1, 400).Draw(t, "gaps") {
			now = now.Add(time.Duration(gap) * time.Second)
			l = l.recent(now, window)
			wait := l.wait(now, 1, limit, window)
			if wait == 0 {
				l, allowed = l.add(now, 1), append(allowed, now)
				if n := len(allowed); n > limit && now.Sub(allowed[n-1-limit]) < time.Hour {
					t.Fatalf("%d events within %v", limit+1, now.Sub(allowed[n-1-limit]))
				}
				continue
			}
			oldest := allowed[len(allowed)-limit]
			if exact := oldest.Add(time.Hour).Sub(now); wait < exact || limit <= maxEntries && wait != exact {
				t.Fatalf("told to wait %v, the oldest of %d leaves in %v", wait, limit, exact)
			}
			if later := now.Add(wait); slices.Clone(l).recent(later, window).wait(later, 1, limit, window) != 0 {
				t.Fatal("refused after the wait")
			}
		}
	})
}
