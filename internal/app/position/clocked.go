package position

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/database"
	"workforce/internal/request"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// Sight says of whom the viewer reads the positions of clock events, and since when.
type Sight struct {
	me    *viewer.Viewer
	scope viewer.Scope
	team  map[int]bool // whom scope team covers
	since time.Time    // positions from before are deleted
}

// Sight returns that of the viewer, in a statement where that takes their team.
func (s *Service) Sight(ctx context.Context) (*Sight, error) {
	me := viewer.From(ctx)
	sight := &Sight{
		me: me, scope: ent.Facts[ent.TypePosition].Access.Reads(me), team: map[int]bool{},
		since: s.Now().AddDate(0, 0, -setting.CoordinateDays.Of(me.Settings)),
	}
	if sight.scope != viewer.Team || len(me.Businesses) == 0 {
		return sight, nil
	}
	ids, err := ent.FromContext(ctx).User.Query().Where(database.OneOf(user.FieldBusinessID, me.Businesses)).IDs(ctx)
	for _, id := range ids {
		sight.team[id] = true
	}
	return sight, err
}

// reads reports whether positions of a person at an instant are shown.
func (s *Sight) reads(id int, at time.Time) bool {
	within := s.scope == viewer.All || s.scope >= viewer.Own && id == s.me.Self() || s.team[id]
	return within && !at.Before(s.since)
}

// ClockIn returns where the phone was at the clock-in of an attendance; nil where it is not shown,
// and where nobody clocked in.
func (s *Sight) ClockIn(ctx context.Context, a *ent.Attendance) *model.AttendancePosition {
	at, lat, lng := a.ClockedInAt, a.ClockedInLatitude, a.ClockedInLongitude
	return s.show(ctx, a.UserID, &at, &lat, &lng, a.ClockedInAccuracy, a.ClockedInDistance)
}

// ClockOut is ClockIn of the clock-out.
func (s *Sight) ClockOut(ctx context.Context, a *ent.Attendance) *model.AttendancePosition {
	at, lat, lng := a.ClockedOutAt, a.ClockedOutLatitude, a.ClockedOutLongitude
	return s.show(ctx, a.UserID, at, lat, lng, a.ClockedOutAccuracy, a.ClockedOutDistance)
}

// show returns the position of a clock event, and has it recorded that it was looked at. What no
// phone measured has no distance, and neither has that of somebody who was erased.
func (s *Sight) show(
	ctx context.Context, id int, at *time.Time, lat, lng, accuracy *float64, distance *int,
) *model.AttendancePosition {
	if at == nil || lat == nil || lng == nil || distance == nil || !s.reads(id, *at) {
		return nil
	}
	if id != s.me.Self() {
		request.From(ctx).Looks.Add(id)
	}
	return &model.AttendancePosition{Latitude: degrees(*lat), Longitude: degrees(*lng), Accuracy: accuracy}
}
