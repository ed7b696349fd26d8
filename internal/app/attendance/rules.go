package attendance

import (
	"maps"
	"math"
	"time"

	"workforce/ent"
	"workforce/internal/errs"
	"workforce/internal/face"
	"workforce/internal/geofence"
)

// A geofencePolicy says what happens to a position outside the radius of a work
// site, as in Address.geofence_in and Address.geofence_out.
type geofencePolicy string

// The policies.
const (
	geofenceBlock geofencePolicy = "block" // refused
	geofenceFlag  geofencePolicy = "flag"  // flagged
	geofenceOff   geofencePolicy = "off"   // accepted
)

// checkClockIn applies the rules of a clock-in to what was loaded, and collects its
// flags.
func (e *clockEvent) checkClockIn() error {
	if err := checkRecordedAt(e.now, e.recordedAt, zoneOf(e.occurrence)); err != nil {
		return err
	}
	if e.person == nil {
		return errs.New(errs.NotFound, nil)
	}
	if !employedOn(e.person, e.occurrence.Date) {
		return errs.New(errs.Forbidden, nil)
	}
	if err := checkWindow(e.occurrence, e.at); err != nil {
		return err
	}
	if err := e.checkOverlap(); err != nil {
		return err
	}
	if err := e.locate(geofencePolicy(e.site.GeofenceIn)); err != nil {
		return err
	}
	if e.shared {
		e.flags = append(e.flags, flagShared)
	}
	return e.checkFace(e.hasFace)
}

// checkClockOut applies the rules of a clock-out to what was loaded, and collects
// its flags.
func (e *clockEvent) checkClockOut() error {
	c := e.current
	if c == nil {
		return errs.New(errs.NotClockedIn, nil)
	}
	if e.ended { // it repeats, late, a clock-out before the open attendance began
		return errs.New(errs.NotClockedIn, sinceOf(c))
	}
	if err := checkRecordedAt(e.now, e.recordedAt, zoneOf(e.occurrence)); err != nil {
		return err
	}
	if !e.at.After(c.ClockedInAt) { // recorded before its clock-in: the app sends it again
		return errs.New(errs.NotClockedIn, sinceOf(c))
	}
	if err := e.checkOverlap(); err != nil {
		return err
	}
	if e.site == nil {
		return errs.New(errs.NotFound, nil)
	}
	if c.EmployeeShiftID != e.shiftID {
		e.flags = append(e.flags, flagOtherShift)
	}
	if err := e.locate(geofencePolicy(e.site.GeofenceOut)); err != nil {
		return err
	}
	return e.checkFace(false)
}

// checkOverlap refuses an event that would make two attendances overlap.
func (e *clockEvent) checkOverlap() error {
	if e.overlaps {
		return errs.Field(errs.Conflict, "recordedAt", nil)
	}
	return nil
}

// setTime sets the time of the event, which the server received now: the server's,
// or the phone's for an event that was recorded offline.
func (e *clockEvent) setTime(now time.Time) {
	e.now, e.at, e.source = now, now, "app"
	if e.recordedAt != nil && now.Sub(*e.recordedAt) >= offlineAfter {
		e.at, e.source = *e.recordedAt, "offline"
		e.flags = append(e.flags, flagOffline)
	}
}

// checkRecordedAt refuses a recorded time that is too old or in the future; nil is
// none. The bounds are told in zone.
func checkRecordedAt(now time.Time, recordedAt *time.Time, zone *time.Location) error {
	earliest, latest := now.Add(-oldestRecordedAt), now.Add(latestRecordedAt)
	if recordedAt == nil || !recordedAt.Before(earliest) && !recordedAt.After(latest) {
		return nil
	}
	return errs.Field(errs.RecordedAtOutOfRange, "recordedAt", errs.Meta{
		"earliest": errs.Time{Time: earliest.In(zone)}, "latest": errs.Time{Time: latest.In(zone)},
	})
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

// locate measures the distance to the work site, and treats a position outside of
// it by the site's policy. What the phone says of the position is flagged.
func (e *clockEvent) locate(policy geofencePolicy) error {
	center := geofence.Point{Lat: e.site.Latitude, Lng: e.site.Longitude}
	metres := geofence.Distance(center, e.here)
	e.distance = int(math.Round(metres))
	switch {
	case e.site.Radius == nil:
		e.geofence = "unlimited"
	case geofence.Contains(center, float64(*e.site.Radius), e.here):
		e.geofence = "inside"
	case policy == geofenceBlock:
		return e.outside(metres)
	case policy == geofenceOff:
		e.geofence = "off"
	default:
		e.geofence = "outside"
		e.flags = append(e.flags, flagOutside)
	}
	if e.accuracy != nil && *e.accuracy > maxInaccuracy {
		e.flags = append(e.flags, flagLowAccuracy)
	}
	if e.mocked != nil && *e.mocked {
		e.flags = append(e.flags, flagMock)
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

// checkFace refuses unusable face data, and flags an event without a face where one is
// wanted.
func (e *clockEvent) checkFace(wanted bool) error {
	if len(e.points) > 0 {
		return face.Check(e.points)
	}
	if wanted {
		e.flags = append(e.flags, flagNoFace)
	}
	return nil
}
