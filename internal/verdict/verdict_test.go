package verdict

import (
	"encoding/json"
	"testing"
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
