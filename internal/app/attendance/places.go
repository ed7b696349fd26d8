package attendance

import (
	"context"
	"math"
	"strings"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/graph/model"
	"workforce/internal/app/rows"
	"workforce/internal/geofence"
	"workforce/internal/scalar"
	"workforce/internal/setting"
	"workforce/internal/tree"
	"workforce/internal/verdict"
	"workforce/internal/viewer"
)

// placeSets say for each set of work sites that holds for a person whether a site is in it:
// "1" or "0", with commas between them; empty where no set holds. A set may be that of
// themselves, of the shift, of their designations, or of their business and those above it.
type placeSets string

// allow reports whether a person may clock in at the site: where it is in one of the
// sets, or there is none.
func (p placeSets) allow() bool { return p == "" || strings.Contains(string(p), "1") }

// aboveUser selects the business of a user and those above it.
var aboveUser = tree.Above("businesses", "SELECT w.business_id FROM users w WHERE w.id = ?")

// selectPlaces selects the placeSets of the viewer for the address site and the
// occurrence o, whoever may read the sets.
func selectPlaces(q *rows.Query, me *viewer.Viewer) {
	const has = "(SELECT MAX(s.address_id = site.id) FROM "
	q.Add("CONCAT_WS(',', "+has+"allowed_places s WHERE s.user_id = ?), ", me.UserID)
	q.Add(has + "allowed_places s WHERE s.shift_id = o.shift_id), ")
	q.Add(has+"user_designations d JOIN allowed_places s ON s.designation_id = d.designation_id WHERE d.user_id = ?), ", me.UserID)
	q.Add("CASE WHEN EXISTS (SELECT 1 FROM allowed_places s WHERE s.company_id = ? AND s.business_id > 0) THEN "+
		has+"allowed_places s WHERE s.business_id IN ("+aboveUser+")) END), ", me.CompanyID, me.UserID)
}

// AllowedLocations returns the work sites at which the viewer may clock in for one of
// today's occurrences, by name.
func (s *Service) AllowedLocations(ctx context.Context) ([]*model.AllowedLocation, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.roster(ctx, me)
	if err != nil {
		return nil, err
	}
	list, now, ids := []*model.AllowedLocation{}, s.Now(), []any{}
	for _, o := range found.occurrences {
		if isToday(o, now) {
			ids = append(ids, o.ID)
		}
	}
	err = eachPlace(ctx, me, ids, func(site *ent.Address, allowed bool) {
		known := len(list) > 0 && list[len(list)-1].AddressID == site.ID // for another occurrence
		if !known && allowed {
			list = append(list, location(site))
		}
	})
	return list, err
}

// matchSite puts the nearest allowed site whose radius has the position of a clock-in in the
// place of the one that is named, where the company wants that, and where that one is not
// allowed or does not have the position. One that is not listed stays named, to be refused.
func (e *clockEvent) matchSite(ctx context.Context) error {
	if !setting.NearestAddress.Of(e.me.Settings) {
		return nil
	}
	listed, stays, nearest, least := false, false, 0, math.Inf(1)
	err := eachPlace(ctx, e.me, []any{e.shiftID}, func(site *ent.Address, allowed bool) {
		center := geofence.Nearest(e.here, geofence.Point{Lat: site.Latitude, Lng: site.Longitude}, site.Points...)
		has := allowed && (site.Radius == nil || geofence.Contains(center, float64(*site.Radius), e.here))
		if site.ID == *e.addressID {
			listed, stays = true, has
		} else if far := geofence.Distance(center, e.here); has && site.Radius != nil && far < least {
			nearest, least = site.ID, far
		}
	})
	if listed && !stays && nearest != 0 {
		e.addressID, e.flags = &nearest, append(e.flags, verdict.OtherSite)
	}
	return err
}

// eachPlace calls a function with each active work site, by name, and whether the viewer may
// clock in there for an occurrence: once for each of some of theirs, or for none.
func eachPlace(ctx context.Context, me *viewer.Viewer, occurrences []any, visit func(site *ent.Address, allowed bool)) error {
	var site ent.Address
	var sets string
	into := append([]any{&sets, rows.Optional(&site.Address)}, rows.Into(siteColumns(&site))...)
	return placesQuery(ctx, me, occurrences).Each(func(scan rows.Scan) error {
		site = ent.Address{}
		if err := scan(into...); err != nil {
			return err
		}
		visit(&site, placeSets(sets).allow())
		return nil
	})
}

// placesQuery is the statement of eachPlace: each active work site, with the sets of each
// occurrence.
func placesQuery(ctx context.Context, me *viewer.Viewer, occurrences []any) *rows.Query {
	q := rows.New(ctx)
	marks := "NULL" + strings.Repeat(", ?", len(occurrences))
	q.Add("SELECT ")
	selectPlaces(q, me)
	q.Add("site."+address.FieldAddress+", "+siteColumns(&ent.Address{}).Of("site")+
		" FROM addresses site LEFT JOIN employee_shifts o ON o.id IN ("+marks+") AND o.user_id = ? WHERE site.active AND ", append(occurrences, me.UserID)...)
	q.WherePolicy(address.Policy, address.Table, "site")
	q.Add(" ORDER BY site." + address.FieldSortName + ", site." + address.FieldID)
	return q
}

// location returns a work site as it is answered.
func location(site *ent.Address) *model.AllowedLocation {
	return &model.AllowedLocation{
		AddressID: site.ID, Name: site.Name, Address: site.Address, Radius: site.Radius,
		Latitude: scalar.Coordinate{Degrees: site.Latitude, Valid: true}, Longitude: scalar.Coordinate{Degrees: site.Longitude, Valid: true},
	}
}
