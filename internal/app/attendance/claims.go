package attendance

import (
	"math"
	"time"

	entAttendance "workforce/ent/attendance"
	"workforce/internal/errs"
	"workforce/internal/geofence"
	"workforce/internal/setting"
	"workforce/internal/verdict"
)

// lastFix returns where the person was before the event: at the clock-in of the open attendance,
// unless a correction moved it, else at the last clock-out; nil if there is none.
func (j *judgement) lastFix() *fix {
	o, moved := j.open, string(entAttendance.ClockedInSourceCorrection)
	if o != nil && !o.ClockedInAt.After(j.at()) && o.Source != moved {
		return &fix{Latitude: o.Latitude, Longitude: o.Longitude, Accuracy: o.Accuracy, At: o.ClockedInAt}
	}
	return j.last
}

// checkSpeed applies its policy to a position that is farther from the last one than anybody
// travels. Both positions may be as far off as they say; those that say nothing, as the company
// accepts.
func (j *judgement) checkSpeed() error {
	last := j.lastFix()
	if last == nil {
		return nil
	}
	slack := 0.0
	for _, accuracy := range []*float64{last.Accuracy, j.accuracy} {
		if accuracy == nil {
			slack += float64(j.judged.AccuracyMeters)
		} else {
			slack += *accuracy
		}
	}
	from := geofence.Point{Lat: last.Latitude, Lng: last.Longitude}
	kmh, limit := int(math.Ceil(geofence.Speed(from, j.position, slack, j.at().Sub(last.At)))), j.judged.SpeedLimitKmh
	j.judged.SpeedKmh = &kmh
	if kmh <= limit {
		return nil
	}
	refusal := errs.Field(errs.PositionImplausible, "latitude", errs.Meta{"speedKmh": kmh, "limitKmh": limit})
	return j.apply(setting.Speed, verdict.Speed, refusal)
}

// checkClock flags an event of a phone whose clock is minutes off the server's, and one of a phone
// that contradicts itself.
func (j *judgement) checkClock() {
	skew := j.skew()
	if skew != nil {
		j.judged.SkewSeconds = new(int(max(-math.MaxInt32, min(skew.Seconds(), math.MaxInt32))))
	}
	if skew != nil && skew.Abs() >= offlineAfter {
		j.flag(verdict.ClockSkew)
	}
	if j.contradicts() {
		j.flag(verdict.ClockUntrusted)
	}
}

// skew returns by how much the phone's clock was ahead of the server's; nil if the phone does not
// say.
func (r *request) skew() *time.Duration {
	said := r.sentAt
	if said == nil && !r.offline() {
		said = r.recordedAt // just now
	}
	if said == nil {
		return nil
	}
	return new(said.Sub(r.receivedAt))
}

// contradicts reports whether the phone says that it recorded the event after it sent it, or its
// clock was changed since the clock-in that the event ends.
func (j *judgement) contradicts() bool {
	if j.sentAt != nil && j.recordedAt != nil && j.recordedAt.After(*j.sentAt) {
		return true
	}
	o, now := j.open, j.judged.SkewSeconds
	if o == nil || now == nil || o.Verdict.SkewSeconds == nil || o.DeviceID == nil || *o.DeviceID != j.me.DeviceID {
		return false
	}
	changed := time.Duration(*now-*o.Verdict.SkewSeconds) * time.Second
	return changed.Abs() >= offlineAfter
}
