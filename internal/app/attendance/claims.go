package attendance

import (
	"math"
	"time"

	"workforce/ent/attendance"
	"workforce/internal/errs"
	"workforce/internal/geofence"
	"workforce/internal/setting"
	"workforce/internal/verdict"
)

// A fix is where and when somebody was.
type fix struct {
	point    geofence.Point
	accuracy *float64 // metres
	at       time.Time
}

// lastFix returns where the person was before the event: at the clock-in of the open
// attendance, unless a correction moved it, else at the last clock-out; nil where there is
// none.
func lastFix(e *clockEvent) *fix {
	if c := e.current; c != nil && !c.ClockedInAt.After(e.at) && c.ClockedInSource != attendance.ClockedInSourceCorrection {
		return &fix{geofence.Point{Lat: c.ClockedInLatitude, Lng: c.ClockedInLongitude}, c.ClockedInAccuracy, c.ClockedInAt}
	}
	if p := e.previous; p != nil {
		return &fix{geofence.Point{Lat: *p.ClockedOutLatitude, Lng: *p.ClockedOutLongitude}, p.ClockedOutAccuracy, *p.ClockedOutAt}
	}
	return nil
}

// checkSpeed treats a position that is farther from the last one than anybody travels,
// by its policy. Both positions may be as far off as they say; where they say nothing, as
// the company accepts.
func checkSpeed(e *clockEvent) error {
	last := lastFix(e)
	if last == nil {
		return nil
	}
	slack := 0.0
	for _, accuracy := range []*float64{last.accuracy, e.accuracy} {
		if accuracy == nil {
			slack += float64(e.judged.AccuracyMeters)
		} else {
			slack += *accuracy
		}
	}
	kmh, limit := int(math.Ceil(geofence.Speed(last.point, e.here, slack, e.at.Sub(last.at)))), e.judged.SpeedLimitKmh
	e.judged.SpeedKmh = &kmh
	if kmh <= limit {
		return nil
	}
	return judge(e, setting.Speed, verdict.Speed, errs.Field(errs.PositionImplausible, "latitude", errs.Meta{"speedKmh": kmh, "limitKmh": limit}))
}

// checkClock flags an event of a phone whose clock is minutes off the server's, and one of
// a phone that contradicts itself.
func checkClock(e *clockEvent) {
	skew := skewOf(e)
	if skew != nil {
		e.judged.SkewSeconds = new(int(max(-math.MaxInt32, min(skew.Seconds(), math.MaxInt32))))
	}
	if skew != nil && skew.Abs() >= offlineAfter {
		e.flags = append(e.flags, verdict.ClockSkew)
	}
	if contradicts(e) {
		e.flags = append(e.flags, verdict.ClockUntrusted)
	}
}

// skewOf returns by how much the phone's clock was ahead of the server's; nil where the
// phone does not say.
func skewOf(e *clockEvent) *time.Duration {
	said := e.sentAt
	if said == nil && e.source == "app" {
		said = e.recordedAt // just now
	}
	if said == nil {
		return nil
	}
	return new(said.Sub(e.now))
}

// contradicts reports whether the phone says that it recorded the event after it sent it,
// or its clock was changed since the clock-in that the event ends.
func contradicts(e *clockEvent) bool {
	if e.sentAt != nil && e.recordedAt != nil && e.recordedAt.After(*e.sentAt) {
		return true
	}
	c, now := e.current, e.judged.SkewSeconds
	if c == nil || now == nil || c.ClockedInVerdict.SkewSeconds == nil || c.ClockedInDeviceID == nil || *c.ClockedInDeviceID != e.me.DeviceID {
		return false
	}
	changed := time.Duration(*now-*c.ClockedInVerdict.SkewSeconds) * time.Second
	return changed.Abs() >= offlineAfter
}
