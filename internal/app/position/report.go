package position

import (
	"cmp"
	"context"
	"slices"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	entPosition "workforce/ent/position"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/scheduling"
	"workforce/internal/errs"
	"workforce/internal/geofence"
	"workforce/internal/scalar"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// maxPoints is how many points one report has at most.
const maxPoints = 500

// A reporting is what came of the points of a batch.
type reporting struct {
	*Service
	me      *viewer.Viewer
	fixes   []*Fix // those to be stored
	index   map[*Fix]int
	dropped []*model.DroppedCoordinate
}

// Report stores positions of the viewer's phone. VALIDATION_FAILED on points for none and
// for more than 500; no point refuses the others.
func (s *Service) Report(ctx context.Context, in model.ReportCoordinatesInput) (*model.ReportedCoordinates, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	var faults errs.Faults
	switch {
	case len(in.Points) == 0:
		faults.Add("points", errs.Required, nil)
	case len(in.Points) > maxPoints:
		faults.Add("points", errs.TooMany, errs.Meta{"max": maxPoints})
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	r := &reporting{Service: s, me: me, index: map[*Fix]int{}, dropped: []*model.DroppedCoordinate{}}
	r.read(in.Points)
	ctx = viewer.System(ctx) // people change no positions but through here
	if err := scheduling.Lock(ctx, me.CompanyID, []int{me.UserID}); err != nil {
		return nil, err
	}
	if err := r.drop(ctx); err != nil {
		return nil, err
	}
	if err := r.store(ctx); err != nil {
		return nil, err
	}
	slices.SortFunc(r.dropped, func(a, b *model.DroppedCoordinate) int { return cmp.Compare(a.Index, b.Index) })
	return &model.ReportedCoordinates{Accepted: len(in.Points) - len(r.dropped), Dropped: r.dropped}, nil
}

// read reads the points, and drops those that cannot be read.
func (r *reporting) read(points []*model.CoordinatePointInput) {
	for i, p := range points {
		if f := readFix(p); f != nil {
			r.index[f] = i
			r.fixes = append(r.fixes, f)
			continue
		}
		r.dropped = append(r.dropped, &model.DroppedCoordinate{Index: i, Reason: model.CoordinateDropReasonUnreadable})
	}
}

// readFix reads a point; nil where a member is missing or cannot be read.
func readFix(p *model.CoordinatePointInput) *Fix {
	if p == nil {
		return nil
	}
	lat, lng := readNumber(p.Latitude.Value()), readNumber(p.Longitude.Value())
	at, err := scalar.ReadTime(p.RecordedAt.Value())
	if lat == nil || lng == nil || err != nil {
		return nil
	}
	f := &Fix{At: at, Point: geofence.Point{Lat: *lat, Lng: *lng}}
	if sent := p.Accuracy.Value(); sent != nil {
		if f.Accuracy = readNumber(sent); f.Accuracy == nil {
			return nil
		}
	}
	return f
}

// readNumber reads text or a number; nil for anything else.
func readNumber(v any) *float64 {
	var c scalar.Coordinate
	if err := c.UnmarshalGQL(v); err != nil || !c.Valid {
		return nil
	}
	return &c.Degrees
}

// drop drops the points that may not be stored.
func (r *reporting) drop(ctx context.Context) error {
	if len(r.fixes) == 0 {
		return nil
	}
	duty, err := r.duty(ctx)
	if err != nil {
		return err
	}
	r.fixes = slices.DeleteFunc(r.fixes, func(f *Fix) bool {
		why := duty.Drop(f.At)
		if why != "" {
			r.dropped = append(r.dropped, &model.DroppedCoordinate{Index: r.index[f], Reason: model.CoordinateDropReason(why)})
		}
		return why != ""
	})
	return nil
}

// duty returns when positions of the viewer are stored, as far as it concerns the points.
func (r *reporting) duty(ctx context.Context) (Duty, error) {
	db, now := ent.FromContext(ctx), r.Now()
	duty := Duty{
		Earliest: now.Add(-time.Duration(setting.OfflineHours.Of(r.me.Settings)) * time.Hour),
		Latest:   now.Add(time.Duration(setting.AheadSeconds.Of(r.me.Settings)) * time.Second),
	}
	u, err := db.User.Query().Where(user.ID(r.me.UserID)).Select(user.FieldCoordinateConsentAt).Only(ctx)
	if err != nil || u.CoordinateConsentAt == nil {
		return duty, err
	}
	duty.Consent = true
	worked, err := db.Attendance.Query().
		Where(entAttendance.CompanyID(r.me.CompanyID), entAttendance.UserID(r.me.UserID), entAttendance.ClockedInAtLTE(duty.Latest),
			entAttendance.Or(entAttendance.OpenMarker(1), entAttendance.ClockedOutAtGTE(duty.Earliest))).
		Select(entAttendance.FieldClockedInAt, entAttendance.FieldClockedOutAt).All(ctx)
	for _, a := range worked {
		i := Interval{From: a.ClockedInAt}
		if a.ClockedOutAt != nil {
			i.To = *a.ClockedOutAt
		}
		duty.Worked = append(duty.Worked, i)
	}
	return duty, err
}

// store judges and inserts the points that are not stored yet.
func (r *reporting) store(ctx context.Context) error {
	if len(r.fixes) == 0 {
		return nil
	}
	stored, err := r.readStored(ctx)
	if err != nil {
		return err
	}
	reported, known := map[int64]bool{}, make([]Fix, len(stored))
	for i, c := range stored {
		known[i] = fixOf(c)
		if c.Source == entPosition.SourceReport {
			reported[c.RecordedAt.UnixMicro()] = true
		}
	}
	fresh := slices.DeleteFunc(r.fixes, func(f *Fix) bool {
		at := f.At.UnixMicro()
		repeated := reported[at]
		reported[at] = true
		return repeated
	})
	Limits{
		AccuracyMeters: setting.AccuracyMeters.Of(r.me.Settings), SpeedKmh: setting.SpeedKmh.Of(r.me.Settings),
	}.Judge(fresh, known)
	now := r.Now()
	return ent.FromContext(ctx).Position.MapCreateBulk(fresh, func(c *ent.PositionCreate, i int) {
		f := fresh[i]
		c.SetCompanyID(r.me.CompanyID).SetUserID(r.me.UserID).SetRecordedAt(f.At).SetReceivedAt(now).
			SetLatitude(f.Point.Lat).SetLongitude(f.Point.Lng).SetNillableAccuracy(f.Accuracy).SetSource(entPosition.SourceReport)
		if f.Hidden != "" {
			c.SetHidden(entPosition.Hidden(f.Hidden))
		}
	}).Exec(ctx)
}

// readStored reads the positions of the viewer from the first of the points to the last,
// and the last shown one before.
func (r *reporting) readStored(ctx context.Context) ([]*ent.Position, error) {
	byTime := func(a, b *Fix) int { return a.At.Compare(b.At) }
	first, last := slices.MinFunc(r.fixes, byTime).At, slices.MaxFunc(r.fixes, byTime).At
	query := ent.FromContext(ctx).Position.Query().Where(entPosition.CompanyID(r.me.CompanyID), entPosition.UserID(r.me.UserID))
	judged := []string{entPosition.FieldRecordedAt, entPosition.FieldLatitude, entPosition.FieldLongitude,
		entPosition.FieldAccuracy, entPosition.FieldSource, entPosition.FieldHidden}
	before, err := query.Clone().Where(entPosition.RecordedAtLT(first), entPosition.HiddenIsNil()).
		Order(ent.Desc(entPosition.FieldRecordedAt, entPosition.FieldID)).Limit(1).Select(judged...).All(ctx)
	if err != nil {
		return nil, err
	}
	around, err := query.Where(entPosition.RecordedAtGTE(first), entPosition.RecordedAtLTE(last)).
		Order(ent.Asc(entPosition.FieldRecordedAt, entPosition.FieldID)).Select(judged...).All(ctx)
	return append(before, around...), err
}

// fixOf returns what a stored position is judged as.
func fixOf(c *ent.Position) Fix {
	f := Fix{At: c.RecordedAt, Point: geofence.Point{Lat: c.Latitude, Lng: c.Longitude}, Accuracy: c.Accuracy}
	if c.Hidden != nil {
		f.Hidden = Hidden(*c.Hidden)
	}
	return f
}
