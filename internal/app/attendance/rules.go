package attendance

import (
	"maps"
	"math"
	"time"

	"workforce/ent/address"
	"workforce/internal/errs"
	"workforce/internal/face"
	"workforce/internal/geofence"
)

// checkClockIn applies the rules of a clock-in. block and flag are the work site's
// policy for positions outside its radius.
func (e *clockEvent) checkClockIn(block, flag bool) error {
	if err := e.checkRecordedAt(); err != nil {
		return err
	}
	if err := e.checkEmployment(); err != nil {
		return err
	}
	if !windowOf(e.occurrence).Open(e.at) {
		zone := zoneOf(e.occurrence)
		return errs.Field(errs.ShiftWindowClosed, "employeeShiftId", errs.Meta{
			"clockInFrom":  e.occurrence.ClockInFrom.In(zone).Format(time.RFC3339),
			"clockInUntil": e.occurrence.ClockInUntil.In(zone).Format(time.RFC3339),
		})
	}
	if err := e.checkOverlap(); err != nil {
		return err
	}
	if err := e.locate(block, flag); err != nil {
		return err
	}
	if e.shared {
		e.flags = append(e.flags, flagShared)
	}
	return e.checkFace()
}

// checkClockOut applies the rules of a clock-out.
func (e *clockEvent) checkClockOut() error {
	c := e.current
	if c == nil || c.EmployeeShiftID != e.shiftID {
		return errs.New(errs.NotClockedIn, nil)
	}
	if err := e.checkRecordedAt(); err != nil {
		return err
	}
	if !e.at.After(c.ClockedInAt) { // recorded before its clock-in: the app sends it again
		return errs.New(errs.NotClockedIn, nil)
	}
	if err := e.checkOverlap(); err != nil {
		return err
	}
	if e.site == nil {
		return errs.New(errs.NotFound, nil)
	}
	policy := e.site.GeofenceOut
	if err := e.locate(policy == address.GeofenceOutBlock, policy != address.GeofenceOutOff); err != nil {
		return err
	}
	return e.checkFace()
}

// checkOverlap refuses an event that would make two attendances overlap.
func (e *clockEvent) checkOverlap() error {
	if e.overlaps {
		return errs.Field(errs.Conflict, "recordedAt", nil)
	}
	return nil
}

// resolveTime sets the time of the event: the server's, or the phone's for an event
// that was recorded offline.
func (e *clockEvent) resolveTime() {
	e.at, e.source = e.Now(), "app"
	if e.recordedAt != nil && e.at.Sub(*e.recordedAt) >= offlineAfter {
		e.at, e.source = *e.recordedAt, "offline"
		e.flags = append(e.flags, flagOffline)
	}
}

// checkRecordedAt refuses a recorded time that is too old or in the future.
func (e *clockEvent) checkRecordedAt() error {
	earliest, latest := e.Now().Add(-oldestRecordedAt), e.Now().Add(latestRecordedAt)
	if e.recordedAt == nil || !e.recordedAt.Before(earliest) && !e.recordedAt.After(latest) {
		return nil
	}
	zone := zoneOf(e.occurrence)
	return errs.Field(errs.RecordedAtOutOfRange, "recordedAt", errs.Meta{
		"earliest": earliest.In(zone).Format(time.RFC3339), "latest": latest.In(zone).Format(time.RFC3339),
	})
}

// checkEmployment refuses people before their first and after their last day.
func (e *clockEvent) checkEmployment() error {
	u := e.person
	if u == nil {
		return errs.New(errs.NotFound, nil)
	}
	if u.JoinedOn != nil && e.occurrence.Date < *u.JoinedOn || u.LeftOn != nil && e.occurrence.Date > *u.LeftOn {
		return errs.New(errs.Forbidden, nil)
	}
	return nil
}

// locate measures the distance to the work site, and refuses or flags a position
// outside of it.
func (e *clockEvent) locate(block, flag bool) error {
	center := geofence.Point{Lat: e.site.Latitude, Lng: e.site.Longitude}
	metres := geofence.Distance(center, e.here)
	e.distance = int(math.Round(metres))
	switch {
	case e.site.Radius == nil:
		e.geofence = "unlimited"
	case geofence.Contains(center, float64(*e.site.Radius), e.here):
		e.geofence = "inside"
	case block:
		return e.outside(metres)
	case flag:
		e.geofence = "outside"
		e.flags = append(e.flags, flagOutside)
	default:
		e.geofence = "off"
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

// checkFace refuses unusable face data, and flags an event without a face.
func (e *clockEvent) checkFace() error {
	if len(e.points) == 0 {
		e.flags = append(e.flags, flagNoFace)
		return nil
	}
	return face.Check(e.points)
}
