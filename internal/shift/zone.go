package shift

import (
	"log/slog"
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

// unknown are names of zones that were logged.
var unknown sync.Map

// ZoneNamed returns the zone of the first of some names, which were valid when they were
// stored, that the system still knows; UTC for none. Empty names stand for nothing. A name
// that it does not know any more is logged once.
func ZoneNamed(names ...string) *time.Location {
	for _, name := range names {
		if name == "" {
			continue
		}
		zone, err := Zone(name)
		if err == nil {
			return zone
		}
		if _, logged := unknown.LoadOrStore(name, true); !logged {
			slog.Warn("unknown time zone", "name", name, "err", err)
		}
	}
	return time.UTC
}

// Wall returns the wall time of an instant in a zone, as 2006-01-02T15:04:05, and
// its offset in seconds east of UTC.
func Wall(t time.Time, zone *time.Location) (local string, offset int) {
	t = t.In(zone)
	_, offset = t.Zone()
	return t.Format("2006-01-02T15:04:05"), offset
}
