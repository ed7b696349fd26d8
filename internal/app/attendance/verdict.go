package attendance

import (
	"slices"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/graph/model"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/verdict"
)

// ClockInVerdict returns what the clock-in of an attendance was judged by.
func ClockInVerdict(a *ent.Attendance) *model.ClockVerdict {
	v := newVerdict(a.ClockedInVerdict, setting.GeofenceIn, a.ClockedInFlags)
	v.Geofence.Verdict, v.Geofence.DistanceMeters = new(string(a.ClockedInGeofence)), a.ClockedInDistance
	v.Accuracy.Meters, v.Mock.Mocked, v.Device.DeviceID = a.ClockedInAccuracy, a.ClockedInMocked, a.ClockedInDeviceID
	v.Face.Verdict, v.Face.Matched = new(string(a.FaceVerdict)), a.FaceMatched
	v.Face.Distance, v.Face.Version = a.FaceDistance, a.FaceVersion
	v.Time.Source, v.Time.ReceivedAt = string(a.ClockedInSource), *localTime(&a.ClockedInReceivedAt, a.ClockedInZone)
	v.Time.RecordedAt = localTime(a.ClockedInRecordedAt, a.ClockedInZone)
	return v
}

// ClockOutVerdict returns what the clock-out of an attendance was judged by;
// nil while it is open.
func ClockOutVerdict(a *ent.Attendance) *model.ClockVerdict {
	if a.ClockedOutAt == nil {
		return nil
	}
	zone := *a.ClockedOutZone
	v := newVerdict(a.ClockedOutVerdict, setting.GeofenceOut, a.ClockedOutFlags)
	if a.ClockedOutGeofence != nil { // a rule looks at no position
		v.Geofence.Verdict = new(string(*a.ClockedOutGeofence))
	}
	v.Geofence.DistanceMeters = a.ClockedOutDistance
	v.Accuracy.Meters, v.Mock.Mocked, v.Device.DeviceID = a.ClockedOutAccuracy, a.ClockedOutMocked, a.ClockedOutDeviceID
	v.Face.Verdict = new(string(a.ClockedOutFaceVerdict))
	v.Face.Distance, v.Face.Version = a.ClockedOutFaceDistance, a.ClockedOutFaceVersion
	switch a.ClockedOutFaceVerdict {
	case entAttendance.ClockedOutFaceVerdictMatch, entAttendance.ClockedOutFaceVerdictDoubtful,
		entAttendance.ClockedOutFaceVerdictMismatch:
		v.Face.Matched = new(a.ClockedOutFaceVerdict == entAttendance.ClockedOutFaceVerdictMatch)
	}
	if p := a.ClockedOutFacePolicy; p != nil { // a clock-out needs no face
		v.Face.Policy = new(model.PolicyAction(*p))
	}
	v.Time.Source, v.Time.ReceivedAt = string(*a.ClockedOutSource), *localTime(a.ClockedOutReceivedAt, zone)
	v.Time.RecordedAt = localTime(a.ClockedOutRecordedAt, zone)
	for _, u := range a.ClockedOutVerdict.Unpaired {
		event := &model.UnpairedEvent{End: model.ClockEnd(u.End), At: *localTime(&u.At, zone)}
		v.Time.Unpaired = append(v.Time.Unpaired, event)
	}
	return v
}

// newVerdict returns the stored judgement without measurements.
func newVerdict(j verdict.Judged, position setting.Key[string], flags []string) *model.ClockVerdict {
	policy := func(key setting.Key[string]) *model.PolicyAction {
		if p, ok := j.Policies[key.Name]; ok {
			return new(model.PolicyAction(p))
		}
		return nil
	}
	v := &model.ClockVerdict{
		Geofence: &model.GeofenceVerdict{Policy: policy(position), RadiusMeters: j.RadiusMeters},
		Accuracy: &model.AccuracyVerdict{Policy: policy(setting.Accuracy)},
		Mock:     &model.MockVerdict{Policy: policy(setting.Mock)},
		Speed:    &model.SpeedVerdict{Policy: policy(setting.Speed), Kmh: j.SpeedKmh},
		Device:   &model.DeviceVerdict{Policy: policy(setting.Device), Shared: slices.Contains(flags, verdict.SharedDevice)},
		Face:     &model.FaceVerdict{Policy: policy(setting.Face)},
		Time:     &model.TimeVerdict{SkewSeconds: j.SkewSeconds, Unpaired: []*model.UnpairedEvent{}},
		Exempt:   append([]string{}, j.Exempt...), Flags: append([]string{}, flags...),
	}
	if j.Policies != nil {
		v.Accuracy.LimitMeters, v.Speed.LimitKmh = new(j.AccuracyMeters), new(j.SpeedLimitKmh)
	}
	if f := j.Face; f != nil {
		v.Face.MatchLimit, v.Face.DoubtfulLimit, v.Face.ReplayLimit = &f.Match, &f.Doubtful, &f.Replay
	}
	return v
}

// localTime returns an instant in a zone; nil for none.
func localTime(t *time.Time, zone string) *time.Time {
	if t == nil {
		return nil
	}
	return new(t.In(shift.ZoneNamed(zone)))
}
