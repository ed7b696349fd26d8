package shift

import (
	"sync"
	"time"
)

// zones are those that were loaded, by name: reading one from its file costs
// more than a query. There are no more of them than the system knows.
var zones sync.Map

// Zone returns the time zone of an IANA name. The error is that of
// time.LoadLocation.
func Zone(name string) (*time.Location, error) {
	if zone, ok := zones.Load(name); ok {
		return zone.(*time.Location), nil
	}
	zone, err := time.LoadLocation(name)
	if err == nil {
		zones.Store(name, zone)
	}
	return zone, err
}

// ZoneNamed returns the zone of a name that was valid when it was stored; UTC where the
// system does not know it any more.
func ZoneNamed(name string) *time.Location {
	zone, err := Zone(name)
	if err != nil {
		return time.UTC
	}
	return zone
}

// Wall returns the wall time of an instant in a zone, as 2006-01-02T15:04:05, and
// its offset in seconds east of UTC.
func Wall(t time.Time, zone *time.Location) (local string, offset int) {
	t = t.In(zone)
	_, offset = t.Zone()
	return t.Format("2006-01-02T15:04:05"), offset
}
