package position

import (
	"context"
	"math"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/auditevent"
	entPosition "workforce/ent/position"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/input"
	"workforce/internal/app/worktime"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/geofence"
	"workforce/internal/period"
	"workforce/internal/request"
	"workforce/internal/scalar"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// maxDays is how many days a history has at most.
const maxDays = 31

// A HistoryFilter selects positions; nil members stand for the viewer and this week.
type HistoryFilter struct {
	UserID   *int
	From, To *period.Bound
}

// most is how many positions a history has at most.
const most = 10_000

// History returns a query of the shown positions of a person in a period, and records
// who looks at those of somebody else. Of more than 10,000 it has those that show the same
// way. VALIDATION_FAILED on from or to, NOT_FOUND on userId.
func (s *Service) History(ctx context.Context, f HistoryFilter) (*ent.PositionQuery, error) {
	q, _, err := s.history(ctx, f)
	if err != nil {
		return nil, err
	}
	n, err := q.Clone().Count(database.Unprepared(ctx))
	if err != nil || n <= most {
		return q, err
	}
	track, err := readMarks(ctx, q)
	var ids []int
	for _, m := range Simplify(track, most) {
		ids = append(ids, m.ID)
	}
	return ent.FromContext(ctx).Position.Query().Where(func(sel *sql.Selector) {
		sel.Where(database.In(sel.C(entPosition.FieldID), ids))
	}), err
}

// history is History without a bound, and returns the period.
func (s *Service) history(ctx context.Context, f HistoryFilter) (*ent.PositionQuery, period.Period, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, period.Period{}, err
	}
	zone, err := shift.Zone(me.Timezone)
	if err != nil {
		return nil, period.Period{}, err
	}
	var faults errs.Faults
	p := period.Rules{Now: s.Now(), Zone: zone, FirstWeekday: setting.FirstWeekday.Of(me.Settings), Days: maxDays}.Read(&faults, f.From, f.To)
	if err := faults.Err(); err != nil {
		return nil, p, err
	}
	id, err := readable(ctx, me, f.UserID)
	if err == nil {
		err = s.recordRead(ctx, me, id)
	}
	if err != nil {
		return nil, p, err
	}
	return ent.FromContext(ctx).Position.Query().Where(entPosition.CompanyID(me.CompanyID), entPosition.UserID(id),
		entPosition.RecordedAtGTE(p.From), entPosition.RecordedAtLT(p.To), entPosition.HiddenIsNil()), p, nil
}

// readMarks reads a track, by time.
func readMarks(ctx context.Context, q *ent.PositionQuery) ([]Mark, error) {
	list, err := q.Clone().Order(ent.Asc(entPosition.FieldRecordedAt, entPosition.FieldID)).
		Select(entPosition.FieldRecordedAt, entPosition.FieldLatitude, entPosition.FieldLongitude, entPosition.FieldSource).All(ctx)
	track := make([]Mark, len(list))
	for i, p := range list {
		track[i] = Mark{
			ID: p.ID, At: p.RecordedAt, Point: geofence.Point{Lat: p.Latitude, Lng: p.Longitude}, Keep: p.Source != entPosition.SourceReport,
		}
	}
	return track, err
}

// Summary returns what the shown positions of a person in a period come to, all of them, and
// records who looks at somebody else's. It fails as History does.
func (s *Service) Summary(ctx context.Context, f HistoryFilter) (*model.CoordinateSummary, error) {
	q, p, err := s.history(ctx, f)
	if err != nil {
		return nil, err
	}
	track, err := readMarks(ctx, q)
	if err != nil {
		return nil, err
	}
	sum := Summarize(track)
	out := &model.CoordinateSummary{
		From: p.From.UTC(), To: p.To.UTC(), PositionCount: len(track), DistanceMeters: int(math.Round(sum.Meters)),
		MovingSeconds: int(sum.Moving / time.Second), StandingSeconds: int(sum.Standing / time.Second), Stops: []*model.CoordinateStop{},
	}
	for _, stop := range sum.Stops {
		out.Stops = append(out.Stops, &model.CoordinateStop{
			Latitude: degrees(stop.Point.Lat), Longitude: degrees(stop.Point.Lng), From: stop.From, To: stop.To,
			Seconds: int(stop.To.Sub(stop.From) / time.Second),
		})
	}
	return out, nil
}

func degrees(d float64) scalar.Coordinate { return scalar.Coordinate{Degrees: d, Valid: true} }

// RecordRead records that the viewer looks at the positions of a collection.
func (s *Service) RecordRead(ctx context.Context, shown *ent.PositionConnection) error {
	me := viewer.From(ctx)
	ids := make([]int, 0, len(shown.Edges))
	for _, e := range shown.Edges {
		ids = append(ids, e.Node.ID)
	}
	if len(ids) == 0 || ent.Facts[ent.TypePosition].Access.Reads(me) <= viewer.Own {
		return nil
	}
	people, err := ent.FromContext(ctx).Position.Query().Where(entPosition.IDIn(ids...), entPosition.UserIDNEQ(me.Self())).
		Unique(true).Select(entPosition.FieldUserID).Ints(ctx)
	if err != nil {
		return err
	}
	slices.Sort(people)
	return s.recordRead(ctx, me, people...)
}

// recordRead records that the viewer looks at positions of people, but for themselves.
func (s *Service) recordRead(ctx context.Context, me *viewer.Viewer, people ...int) error {
	var events []audit.Event
	for _, id := range people {
		if id != me.Self() {
			events = append(events, audit.Event{Action: audit.CoordinatesRead, Company: me.CompanyID, Subject: ent.TypeUser, ID: id})
		}
	}
	if len(events) == 0 {
		return nil
	}
	if err := s.Audit.Record(ctx, events...); err != nil {
		return err
	}
	request.From(ctx).Looks.Recorded(people...)
	return nil
}

// Reads returns a query of the events of who looked at a person's positions, as a system
// job sees them. NOT_FOUND on userId.
func (s *Service) Reads(ctx context.Context, userID *int) (*ent.AuditEventQuery, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	id, err := readable(ctx, me, userID)
	if err != nil {
		return nil, err
	}
	return ent.FromContext(ctx).AuditEvent.Query().Where(auditevent.CompanyID(me.CompanyID),
		auditevent.SubjectType(ent.TypeUser), auditevent.SubjectID(id), auditevent.Action(audit.CoordinatesRead)), nil
}

// Readers returns the people behind events whom the viewer sees, by id.
func (s *Service) Readers(ctx context.Context, events []*ent.AuditEvent) (map[int]*ent.User, error) {
	var ids []int
	for _, e := range events {
		if e.ActorID != nil {
			ids = append(ids, *e.ActorID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := ent.FromContext(ctx).User.Query().Where(user.IDIn(ids...)).All(ctx)
	people := make(map[int]*ent.User, len(list))
	for _, u := range list {
		people[u.ID] = u
	}
	return people, err
}

// readable returns the id of a person whose positions the viewer may read, the viewer for
// nil; else NOT_FOUND on userId.
func readable(ctx context.Context, me *viewer.Viewer, userID *int) (int, error) {
	id, err := input.Person(me, "userId", userID)
	if err != nil || id == me.Self() {
		return id, err
	}
	scope := ent.Facts[ent.TypePosition].Access.Reads(me)
	reads, err := ent.FromContext(ctx).User.Query().Where(user.ID(id), worktime.InScope(me, scope)).Exist(ctx)
	if err == nil && !reads {
		err = errs.Field(errs.NotFound, "userId", nil)
	}
	return id, err
}
