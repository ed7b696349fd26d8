package attendance

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	"workforce/internal/app/locks"
	"workforce/internal/errs"
	"workforce/internal/face"
	"workforce/internal/geofence"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/verdict"
)

// The policies by which the events are judged.
var (
	inPolicies = []setting.Key[string]{
		setting.GeofenceIn, setting.Accuracy, setting.Mock, setting.Speed, setting.Device, setting.Face,
	}
	outPolicies = []setting.Key[string]{setting.GeofenceOut, setting.Accuracy, setting.Mock, setting.Speed}
)

// judgeBy finds out what an event is judged by.
func judgeBy(e *clockEvent, policies []setting.Key[string]) {
	e.judged.Policies = make(map[string]string, len(policies))
	for _, of := range policies {
		e.judged.Policies[of.Name] = policyOf(e, of)
	}
	e.judged.Exempt = e.exempt
	e.judged.AccuracyMeters, e.judged.SpeedLimitKmh = setting.AccuracyMeters.Of(e.me.Settings), setting.SpeedKmh.Of(e.me.Settings)
}

// policyOf returns the policy that holds for an event: off where the person is exempt
// from the rule, else the person's, else the site's, else the company's.
func policyOf(e *clockEvent, of setting.Key[string]) string {
	rule := strings.TrimSuffix(strings.TrimSuffix(of.Name, "In"), "Out") // geofence has a policy for each end
	if slices.Contains(e.exempt, rule) {
		return setting.Off
	}
	return e.me.Settings.Policy(of, e.person.Policies, e.site.Policies)
}

// judge treats what breaks a rule by its policy: it returns the refusal, or adds the
// flag, or accepts it.
func judge(e *clockEvent, policy setting.Key[string], flag string, refusal error) error {
	switch policyOf(e, policy) {
	case setting.Block:
		return refusal
	case setting.Flag:
		e.flags = append(e.flags, flag)
	}
	return nil
}

// flagOnce adds a flag that the event may have already.
func flagOnce(e *clockEvent, flag string) {
	if !slices.Contains(e.flags, flag) {
		e.flags = append(e.flags, flag)
	}
}

// checkClockIn applies the rules of a clock-in to what was loaded, and collects its
// flags.
func (e *clockEvent) checkClockIn() error {
	if !e.site.Active || !e.places.allow() {
		return errs.Field(errs.LocationNotAllowed, "addressId", nil)
	}
	if err := checkRecordedAt(e); err != nil {
		return err
	}
	if e.person == nil {
		return errs.New(errs.NotFound, nil)
	}
	judgeBy(e, inPolicies)
	checkClock(e)
	if !employedOn(e.person, e.occurrence.Date) {
		return errs.New(errs.Forbidden, nil)
	}
	if err := checkLock(e, e.occurrence.Date); err != nil {
		return err
	}
	if err := checkWindow(e.occurrence, e.at); err != nil {
		return err
	}
	if e.overlaps {
		return errs.Field(errs.Conflict, "recordedAt", nil)
	}
	if err := e.locate(setting.GeofenceIn); err != nil {
		return err
	}
	if e.holiday {
		e.flags = append(e.flags, verdict.Holiday)
	}
	if e.onLeave {
		if setting.LeaveBlocksClockIn.Of(e.me.Settings) {
			return errs.Field(errs.Conflict, "employeeShiftId", errs.Meta{"leaveOn": e.occurrence.Date})
		}
		e.flags = append(e.flags, verdict.OnLeave)
	}
	if e.shared {
		if err := judge(e, setting.Device, verdict.SharedDevice, errs.New(errs.DeviceNotAllowed, nil)); err != nil {
			return err
		}
	}
	return e.checkFace(e.hasFace || policyOf(e, setting.Face) == setting.Block)
}

// checkClockOut applies the rules of a clock-out to what was loaded, and collects
// its flags.
func (e *clockEvent) checkClockOut() error {
	c := e.current
	if c == nil || e.ended {
		if err := cmp.Or(checkRecordedAt(e), checkLock(e, e.occurrence.Date)); err != nil { // which NOT_CLOCKED_IN would have the app send again for ever
			return err
		}
	}
	if c == nil {
		return errs.New(errs.NotClockedIn, nil)
	}
	if e.ended { // it repeats, late, a clock-out before the open attendance began
		return errs.New(errs.NotClockedIn, sinceOf(c))
	}
	if e.site != nil && e.site.ID != c.AddressID && !e.places.allow() {
		return errs.Field(errs.LocationNotAllowed, "addressId", nil)
	}
	if err := cmp.Or(checkRecordedAt(e), checkLock(e, c.WorkDate)); err != nil {
		return err
	}
	if !e.at.After(c.ClockedInAt) { // recorded before its clock-in: the app sends it again
		return errs.New(errs.NotClockedIn, sinceOf(c))
	}
	if e.overlaps {
		return errs.Field(errs.Conflict, "recordedAt", nil)
	}
	if e.site == nil || e.person == nil {
		return errs.New(errs.NotFound, nil)
	}
	judgeBy(e, outPolicies)
	checkClock(e)
	if c.EmployeeShiftID != e.shiftID {
		e.flags = append(e.flags, verdict.OtherShift)
	}
	if err := e.locate(setting.GeofenceOut); err != nil {
		return err
	}
	return e.checkFace(false)
}

// setTime sets the time of the event, which the server received now: the server's,
// or the phone's for an event that was recorded offline.
func (e *clockEvent) setTime(now time.Time) {
	e.now, e.at, e.source = now, now, "app"
	if e.recordedAt != nil && now.Sub(*e.recordedAt) >= offlineAfter {
		e.at, e.source = *e.recordedAt, "offline"
		e.flags = append(e.flags, verdict.Offline)
	}
}

// checkRecordedAt refuses a recorded time that is older than the company allows, or as
// far in the future. The bounds are told in the zone of the occurrence.
func checkRecordedAt(e *clockEvent) error {
	recordedAt, zone := e.recordedAt, zoneOf(e.occurrence)
	earliest := e.now.Add(-time.Duration(setting.OfflineHours.Of(e.me.Settings)) * time.Hour)
	latest := e.now.Add(time.Duration(setting.AheadSeconds.Of(e.me.Settings)) * time.Second)
	if recordedAt == nil || !recordedAt.Before(earliest) && !recordedAt.After(latest) {
		return nil
	}
	return errs.Field(errs.RecordedAtOutOfRange, "recordedAt", errs.Meta{
		"earliest": errs.Time{Time: earliest.In(zone)}, "latest": errs.Time{Time: latest.In(zone)},
	})
}

// checkLock refuses what was recorded offline for a date that is locked by now.
func checkLock(e *clockEvent, date string) error {
	if e.source != "offline" {
		return nil
	}
	return locks.CheckOf(e.me, "attendance", nil, shift.DateOf(e.now, shift.ZoneNamed(e.me.Timezone)), "recordedAt", shift.Date(date))
}

// employedOn reports whether a date, 2006-01-02, is one from a user's first to their
// last day of work.
func employedOn(u *ent.User, date string) bool {
	return (u.JoinedOn == nil || date >= *u.JoinedOn) && (u.LeftOn == nil || date <= *u.LeftOn)
}

// checkWindow refuses a clock-in outside the window of its occurrence.
func checkWindow(o *ent.EmployeeShift, at time.Time) error {
	if windowOf(o).Open(at) {
		return nil
	}
	zone := zoneOf(o)
	return errs.Field(errs.ShiftWindowClosed, "employeeShiftId", errs.Meta{
		"clockInFrom": errs.Time{Time: o.ClockInFrom.In(zone)}, "clockInUntil": errs.Time{Time: o.ClockInUntil.In(zone)},
	})
}

// locate measures the distance to the nearest point of the work site, and treats a
// position outside of it, what the phone says of the position, and how fast one would have
// travelled there, by their policies.
func (e *clockEvent) locate(position setting.Key[string]) error {
	limit := e.judged.AccuracyMeters
	inaccurate := e.accuracy != nil && *e.accuracy > float64(limit)
	if inaccurate && policyOf(e, setting.Accuracy) == setting.Block {
		return errs.Field(errs.LowAccuracy, "accuracy", errs.Meta{"accuracyMeters": int(math.Ceil(*e.accuracy)), "limitMeters": limit})
	}
	if err := fence(e, policyOf(e, position)); err != nil {
		return err
	}
	if inaccurate && policyOf(e, setting.Accuracy) == setting.Flag {
		e.flags = append(e.flags, verdict.LowAccuracy)
	}
	if e.mocked != nil && *e.mocked {
		if err := judge(e, setting.Mock, verdict.Mock, errs.Field(errs.PositionMocked, "mocked", nil)); err != nil {
			return err
		}
	}
	return checkSpeed(e)
}

// fence measures the distance to the nearest point of the work site, and treats a
// position outside of it by a policy.
func fence(e *clockEvent, policy string) error {
	center := geofence.Nearest(e.here, geofence.Point{Lat: e.site.Latitude, Lng: e.site.Longitude}, e.site.Points...)
	metres := geofence.Distance(center, e.here)
	e.distance, e.judged.RadiusMeters = int(math.Round(metres)), e.site.Radius
	switch {
	case e.site.Radius == nil:
		e.geofence = "unlimited"
	case geofence.Contains(center, float64(*e.site.Radius), e.here):
		e.geofence = "inside"
	case policy == setting.Block:
		return e.outside(metres)
	case policy == setting.Off:
		e.geofence = "off"
	default:
		e.geofence = "outside"
		e.flags = append(e.flags, verdict.Outside)
	}
	return nil
}

// outside returns OUTSIDE_ALLOWED_LOCATION for a distance in metres, rounded up so
// that it is never shown equal to the limit.
func (e *clockEvent) outside(metres float64) error {
	far := errs.Meta{"distanceMeters": int(math.Ceil(metres)), "radiusMeters": *e.site.Radius}
	shown := maps.Clone(far)
	shown["address"] = e.site.Name
	return &errs.Error{Code: errs.OutsideLocation, Meta: far, Faults: []errs.Fault{{Field: "latitude", Code: errs.OutsideLocation, Meta: shown}}}
}

// checkFace refuses unusable face data, compares what is usable, and treats an event
// without a face where one is wanted by the policy.
func (e *clockEvent) checkFace(wanted bool) error {
	if len(e.points) > 0 {
		if err := face.Check(e.points); err != nil {
			return err
		}
		return compareFace(e)
	}
	if wanted {
		return judge(e, setting.Face, verdict.NoFace, errs.Field(errs.FaceRequired, "faceLandmark", nil))
	}
	return nil
}
