package revision

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"workforce/internal/shift"
)

var (
	jakarta = time.FixedZone("Asia/Jakarta", 7*3600)
	morning = time.Date(2026, 3, 10, 1, 0, 0, 0, time.UTC) // 08:00 in Jakarta
	now     = time.Date(2026, 3, 11, 3, 0, 0, 0, time.UTC)
)

func end(at time.Time, source string) End {
	local, offset := shift.Wall(at, jakarta)
	return End{At: at, Local: local, Offset: offset, Zone: "Asia/Jakarta", Source: source}
}

func TestApply(t *testing.T) {
	out := end(morning.Add(4*time.Hour), "auto")
	forgotten := Version{In: end(morning, "app"), Out: &out, AddressID: 3, NeedsConfirmation: true, ClosingRule: "hours"}
	later := morning.Add(9 * time.Hour)
	got := Change{Out: &later}.Apply(forgotten, jakarta, now)
	if !got.In.equal(forgotten.In) || !got.Out.At.Equal(later) || got.Out.Local != "2026-03-10T17:00:00" || got.Out.Offset != 25200 ||
		got.Out.Source != Source || !got.Out.ReceivedAt.Equal(now) || got.AddressID != 3 || got.NeedsConfirmation || got.ClosingRule != "" {
		t.Errorf("another clock-out: %+v %+v", got, got.Out)
	}
	if forgotten.Out.Source != "auto" || !forgotten.NeedsConfirmation {
		t.Error("the version before has changed")
	}
	sooner := morning.Add(-time.Hour)
	got = Change{In: &sooner, AddressID: new(4)}.Apply(forgotten, jakarta, now)
	if got.In.Local != "2026-03-10T07:00:00" || got.In.Source != Source || got.In.ReceivedAt != nil || !got.Out.equal(out) || got.AddressID != 4 || got.ClosingRule != "hours" {
		t.Errorf("another clock-in: %+v", got)
	}
	got = Change{In: &sooner, Out: &later, AddressID: new(5)}.Apply(Version{}, jakarta, now)
	if !got.Exists() || got.AddressID != 5 || got.Out == nil {
		t.Errorf("an added one: %+v", got)
	}
	if (Version{}).Exists() {
		t.Error("nothing exists")
	}
}

func TestCoversAndOverlap(t *testing.T) {
	out := end(morning.Add(4*time.Hour), "app")
	closed, open := Version{In: end(morning, "app"), Out: &out}, Version{In: end(morning, "app")}
	if c := closed.Covers(time.Hour); !c.End.Equal(out.At) || !c.Start.Equal(morning) {
		t.Errorf("closed covers %v", c)
	}
	if c := open.Covers(time.Hour); !c.End.Equal(morning.Add(time.Hour)) {
		t.Errorf("open covers %v", c)
	}
	at := func(from, to int) shift.Interval {
		return shift.Interval{Start: morning.Add(time.Duration(from) * time.Hour), End: morning.Add(time.Duration(to) * time.Hour)}
	}
	for _, tt := range []struct {
		a, b shift.Interval
		want bool
	}{
		{at(0, 4), at(4, 8), false}, {at(4, 8), at(0, 4), false}, {at(0, 5), at(4, 8), true}, {at(4, 8), at(0, 5), true}, {at(0, 9), at(4, 8), true}, {at(5, 6), at(4, 8), true},
	} {
		if got := Overlap(tt.a, tt.b); got != tt.want {
			t.Errorf("%v and %v: %v", tt.a, tt.b, got)
		}
	}
}

// TestStored keeps a version through its text, as the database has it.
func TestStored(t *testing.T) {
	for range 500 {
		v := random()
		text, err := json.Marshal(v)
		var read Version
		if err != nil || json.Unmarshal(text, &read) != nil || !read.Equal(v) || read.Exists() != v.Exists() {
			t.Fatalf("%+v is stored as %s and read as %+v: %v", v, text, read, err)
		}
	}
	if text, _ := json.Marshal(Version{}); string(text) != "{}" {
		t.Errorf("none is stored as %s", text)
	}
}

// TestEqual tells versions apart by each of their parts.
func TestEqual(t *testing.T) {
	for range 500 {
		v := random()
		if !v.Exists() {
			continue
		}
		other := v
		other.NeedsConfirmation = !v.NeedsConfirmation
		changes := []Version{other, Change{AddressID: new(v.AddressID + 1)}.Apply(v, jakarta, now), Change{In: new(v.In.At.Add(1000))}.Apply(v, jakarta, now)}
		if v.Out == nil {
			changes = append(changes, Change{Out: new(v.In.At.Add(time.Hour))}.Apply(v, jakarta, now))
		} else {
			changes = append(changes, Change{Out: new(v.Out.At.Add(time.Hour))}.Apply(v, jakarta, now))
			other = v
			other.Out = nil
			changes = append(changes, other)
		}
		if !v.Equal(v) {
			t.Fatalf("%+v differs from itself", v)
		}
		for _, c := range changes {
			if v.Equal(c) || c.Equal(v) {
				t.Fatalf("%+v equals %+v", v, c)
			}
		}
	}
}

// random returns a version, or none.
func random() (v Version) {
	if rand.N(10) == 0 {
		return v
	}
	source := []string{"app", "offline", "correction"}[rand.N(3)]
	in := now.Add(-rand.N(1000 * time.Hour)).Truncate(time.Microsecond)
	v = Version{In: end(in, source), AddressID: 1 + rand.N(5), NeedsConfirmation: rand.N(2) == 0}
	if rand.N(4) > 0 {
		out := end(in.Add(time.Minute+rand.N(15*time.Hour).Truncate(time.Microsecond)), []string{"app", "auto"}[rand.N(2)])
		out.ReceivedAt = new(now)
		v.Out = &out
	}
	return v
}
