// Package verdict says what a clock event was judged by, and which of its flags somebody
// must decide about.
package verdict

import (
	"slices"
	"time"
)

// The flags of a clock event.
const (
	Outside        = "outside"
	LowAccuracy    = "low_accuracy"
	Mock           = "mock"
	Speed          = "speed" // faster from the last position than anybody travels
	Offline        = "offline"
	Holiday        = "holiday"         // the date is a whole holiday where the person clocks in
	OnLeave        = "on_leave"        // the date is one of whole leave
	ClockSkew      = "clock_skew"      // the phone's clock is minutes off the server's
	ClockUntrusted = "clock_untrusted" // what the phone says of its clock contradicts itself
	Unpaired       = "unpaired"        // another event of the phone, which was refused, lies within the attendance
	NoFace         = "no_face"
	SharedDevice   = "shared_device"
	OtherShift     = "other_shift" // a clock-out named another occurrence than the one that it ended
	OtherSite      = "other_site"  // a clock-in named another site than the one that it was at
)

// Judged is what an event was judged by. It is stored with the event as JSON.
type Judged struct {
	Policies       map[string]string `json:"policies"`                 // that held, by setting
	Exempt         []string          `json:"exempt,omitempty"`         // rules that the person was exempt from
	RadiusMeters   *int              `json:"radiusMeters,omitempty"`   // nil: no limit
	AccuracyMeters int               `json:"accuracyMeters,omitempty"` // the limit
	SpeedKmh       *int              `json:"speedKmh,omitempty"`       // since the last position; nil: there is none
	SpeedLimitKmh  int               `json:"speedLimitKmh,omitempty"`
	SkewSeconds    *int              `json:"skewSeconds,omitempty"` // phone ahead of server; nil: it does not say
	Face           *FaceLimits       `json:"face,omitempty"`        // nil: no face was compared
	Unpaired       []Event           `json:"unpaired,omitempty"`    // of a clock-out: what was refused within the attendance
}

// FaceLimits are the distances between which a comparison of faces was judged.
type FaceLimits struct {
	Match    float64 `json:"match"`    // at most; a longer one is doubtful
	Doubtful float64 `json:"doubtful"` // at most; a longer one is a mismatch
	Replay   float64 `json:"replay"`   // less from an earlier capture is a replay
}

// An Event is a clock event that a phone recorded and that was refused.
type Event struct {
	End string    `json:"end"` // in or out
	At  time.Time `json:"at"`
}

// Equal reports whether two are the same event.
func (e Event) Equal(other Event) bool { return e.End == other.End && e.At.Equal(other.At) }

// told are the flags that only tell something: nobody needs to decide about them.
var told = []string{Offline, OtherShift, OtherSite, Holiday}

// NeedsReview reports whether flags wait for a decision: any that does more than tell
// something, and offline where the company wants to approve that.
func NeedsReview(flags []string, approveOffline bool) bool {
	return slices.ContainsFunc(flags, func(flag string) bool {
		return !slices.Contains(told, flag) || flag == Offline && approveOffline
	})
}
