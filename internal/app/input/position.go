package input

import (
	"math"

	"workforce/internal/errs"
	"workforce/internal/geofence"
	"workforce/internal/scalar"
)

// Position returns a position, and adds a fault to latitude or longitude, whose names
// begin with at, where one is missing, no number, or not on Earth. 0,0 is what phones
// send that know no position: it counts as missing.
func Position(faults *errs.Faults, at string, lat, lng *scalar.Coordinate) geofence.Point {
	before := len(*faults)
	p := geofence.Point{Lat: degrees(faults, at+"latitude", lat, 90), Lng: degrees(faults, at+"longitude", lng, 180)}
	if len(*faults) == before && p.IsZero() {
		faults.Add(at+"latitude", errs.Required, nil)
		faults.Add(at+"longitude", errs.Required, nil)
	}
	return p
}

// OptionalPosition returns a position; nil where neither coordinate is given.
func OptionalPosition(faults *errs.Faults, lat, lng *scalar.Coordinate) *geofence.Point {
	if lat == nil && lng == nil {
		return nil
	}
	return new(Position(faults, "", lat, lng))
}

func degrees(faults *errs.Faults, field string, c *scalar.Coordinate, most float64) float64 {
	switch {
	case c == nil:
		faults.Add(field, errs.Required, nil)
	case !c.Valid:
		faults.Add(field, errs.BadFormat, errs.Meta{"expected": "-6.200000"})
	case math.Abs(c.Degrees) > most:
		faults.Add(field, errs.OutOfRange, errs.Meta{"min": -most, "max": most})
	default:
		return c.Degrees
	}
	return 0
}
