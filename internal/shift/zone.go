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
