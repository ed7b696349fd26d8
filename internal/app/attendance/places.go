package attendance

import (
	"context"
	"fmt"

	"workforce/graph/model"
	"workforce/internal/geofence"
	"workforce/internal/scalar"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// allow reports whether a person may clock in at the site: it is in one of the sets, or there is
// none.
func (s siteSets) allow() bool {
	none := true
	for _, in := range []*bool{s.Person, s.Shift, s.Designation, s.Business} {
		if in != nil && *in {
			return true
		}
		none = none && in == nil
	}
	return none
}

// AllowedLocations returns the work sites at which the viewer may clock in for one of today's
// occurrences, by name.
func (s *Service) AllowedLocations(ctx context.Context) ([]*model.AllowedLocation, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	today, err := s.Work.OccurrencesToday(ctx)
	if err != nil {
		return nil, err
	}
	sites, err := readPlaces(ctx, me, today...)
	if err != nil {
		return nil, fmt.Errorf("read the work sites: %w", err)
	}
	list := []*model.AllowedLocation{}
	for i := range sites {
		p := &sites[i]
		listed := len(list) > 0 && list[len(list)-1].AddressID == p.ID // for another occurrence
		if !listed && p.Allowed.allow() {
			list = append(list, p.location())
		}
	}
	return list, nil
}

// matchSite replaces the named site by the nearest allowed one that contains the position, if the
// setting nearestAddress is on and the named one is not allowed or does not contain it.
func (s *Service) matchSite(ctx context.Context, r *request) error {
	if !setting.NearestAddress.Of(r.me.Settings) {
		return nil
	}
	sites, err := readPlaces(ctx, r.me, r.shiftID)
	if err != nil {
		return fmt.Errorf("read the work sites: %w", err)
	}
	if id := nearestSite(sites, *r.addressID, r.position); id != 0 {
		r.addressID, r.otherSite = &id, true
	}
	return nil
}

// nearestSite returns the id of the nearest allowed site with a radius that contains a position;
// 0 if the named site is allowed and contains it, or is not among the sites, or if there is none.
func nearestSite(sites []place, named int, position geofence.Point) int {
	listed, nearest, distance := false, 0, 0.0
	for i := range sites {
		p := &sites[i]
		center := p.nearest(position)
		contains := p.Allowed.allow() && (p.Radius == nil || geofence.Contains(center, float64(*p.Radius), position))
		if p.ID == named {
			listed = true
			if contains {
				return 0
			}
			continue
		}
		if d := geofence.Distance(center, position); contains && p.Radius != nil && (nearest == 0 || d < distance) {
			nearest, distance = p.ID, d
		}
	}
	if !listed {
		return 0
	}
	return nearest
}

// location returns a work site as it is answered.
func (p *place) location() *model.AllowedLocation {
	return &model.AllowedLocation{
		AddressID: p.ID, Name: p.Name, Address: p.Address, Radius: p.Radius,
		Latitude:  scalar.Coordinate{Degrees: p.Latitude, Valid: true},
		Longitude: scalar.Coordinate{Degrees: p.Longitude, Valid: true},
	}
}
