package graph

import (
	"maps"
	"math"
	"time"

	"workforce/ent/address"
	"workforce/internal/errs"
	"workforce/internal/face"
	"workforce/internal/geofence"
)

// judge applies the rules of a clock-in, in the order in which they are told.
func (e *clockEvent) judge(block, flag bool) error {
	if err := e.claimable(); err != nil {
		return err
	}
	if err := e.employed(); err != nil {
		return err
	}
	if !windowOf(e.occurrence).Open(e.at) {
		zone := zoneOf(e.occurrence)
		return errs.Field(errs.ShiftWindowClosed, "employeeShiftId", errs.Meta{
			"clockInFrom":  e.occurrence.ClockInFrom.In(zone).Format(time.RFC3339),
			"clockInUntil": e.occurrence.ClockInUntil.In(zone).Format(time.RFC3339),
		})
	}
	if err := e.disjoint(); err != nil {
		return err
	}
	if err := e.locate(block, flag); err != nil {
		return err
	}
	if e.shared {
		e.flags = append(e.flags, flagShared)
	}
	return e.judgeFace()
}

// judgeOut applies the rules of a clock-out.
func (e *clockEvent) judgeOut() error {
	c := e.current
	if c == nil || c.EmployeeShiftID != e.shiftID {
		return errs.New(errs.NotClockedIn, nil)
	}
	if err := e.claimable(); err != nil {
		return err
	}
	if !e.at.After(c.ClockedInAt) { // an out before its in: the app sends it again
		return errs.New(errs.NotClockedIn, nil)
	}
	if err := e.disjoint(); err != nil {
		return err
	}
	if e.site == nil {
		return errs.New(errs.NotFound, nil)
	}
	policy := e.site.GeofenceOut
	if err := e.locate(policy == address.GeofenceOutBlock, policy != address.GeofenceOutOff); err != nil {
		return err
	}
	return e.judgeFace()
}

// disjoint refuses an event that would make two attendances overlap.
func (e *clockEvent) disjoint() error {
	if e.clashes {
		return errs.Field(errs.Conflict, "recordedAt", nil)
	}
	return nil
}

// settleTime decides when the event was: the server's time, or for an event
// that was kept while offline, the phone's.
func (e *clockEvent) settleTime() {
	e.at, e.source = e.Now(), "app"
	if e.recordedAt != nil && e.at.Sub(*e.recordedAt) >= serverTime {
		e.at, e.source = *e.recordedAt, "offline"
		e.flags = append(e.flags, flagOffline)
	}
}

// claimable refuses a time of the phone's that is too long ago, or to come.
func (e *clockEvent) claimable() error {
	earliest, latest := e.Now().Add(-oldestClaim), e.Now().Add(latestClaim)
	if e.recordedAt == nil || !e.recordedAt.Before(earliest) && !e.recordedAt.After(latest) {
		return nil
	}
	zone := zoneOf(e.occurrence)
	return errs.Field(errs.RecordedAtOutOfRange, "recordedAt", errs.Meta{
		"earliest": earliest.In(zone).Format(time.RFC3339), "latest": latest.In(zone).Format(time.RFC3339),
	})
}

// employed refuses people before their first and after their last day.
func (e *clockEvent) employed() error {
	u := e.person
	if u == nil {
		return errs.New(errs.NotFound, nil)
	}
	if u.JoinedOn != nil && e.occurrence.Date < *u.JoinedOn || u.LeftOn != nil && e.occurrence.Date > *u.LeftOn {
		return errs.New(errs.Forbidden, nil)
	}
	return nil
}

// locate measures the position against the work site, and refuses or flags what
// is not right.
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

// outside refuses a position that is so many metres from the work site. The
// distance is rounded up, so that it never reads like the limit.
func (e *clockEvent) outside(metres float64) error {
	far := errs.Meta{"distanceMeters": int(math.Ceil(metres)), "radiusMeters": *e.site.Radius}
	worded := maps.Clone(far)
	worded["address"] = e.site.Name
	return &errs.Error{Code: errs.OutsideLocation, Meta: far, Faults: []errs.Fault{{Field: "latitude", Code: errs.OutsideLocation, Meta: worded}}}
}

// judgeFace refuses face data that is unusable, and flags that there is none.
func (e *clockEvent) judgeFace() error {
	if len(e.points) == 0 {
		e.flags = append(e.flags, flagNoFace)
		return nil
	}
	return face.Check(e.points)
}
