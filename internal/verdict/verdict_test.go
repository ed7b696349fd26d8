package verdict

import (
	"encoding/json"
	"testing"
	"time"
)

func TestNeedsReview(t *testing.T) {
	for _, tt := range []struct {
		flags   []string
		approve bool
		want    bool
	}{
		{nil, true, false},
		{[]string{Offline}, false, false},
		{[]string{Offline}, true, true},
		{[]string{OtherShift}, true, false},
		{[]string{Offline, OtherShift}, true, true},
		{[]string{OtherSite}, true, false},
		{[]string{Outside}, false, true},
		{[]string{OtherShift, Speed}, false, true},
		{[]string{"a flag of a later release"}, false, true},
	} {
		if got := NeedsReview(tt.flags, tt.approve); got != tt.want {
			t.Errorf("%q, offline is approved: %v: %v, want %v", tt.flags, tt.approve, got, tt.want)
		}
	}
}

// TestJudgedIsStoredSmall leaves out what an event was not judged by.
func TestJudgedIsStoredSmall(t *testing.T) {
	zero := 0
	for want, j := range map[string]Judged{
		`{"policies":{"face":"off"}}`:                  {Policies: map[string]string{"face": "off"}},
		`{"policies":{},"speedKmh":0,"skewSeconds":0}`: {Policies: map[string]string{}, SpeedKmh: &zero, SkewSeconds: &zero},
	} {
		text, err := json.Marshal(j)
		if err != nil || string(text) != want {
			t.Errorf("%s %v, want %s", text, err, want)
		}
	}
}

func TestEqual(t *testing.T) {
	at := time.Date(2026, 3, 11, 3, 0, 0, 0, time.UTC)
	in := Event{End: "in", At: at}
	for other, want := range map[Event]bool{
		{End: "in", At: at.In(time.FixedZone("WIB", 7*3600))}: true, {End: "out", At: at}: false, {End: "in", At: at.Add(1)}: false,
	} {
		if got := in.Equal(other); got != want {
			t.Errorf("%v and %v: %v, want %v", in, other, got, want)
		}
	}
}
