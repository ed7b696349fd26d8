package attendance

import (
	"context"
	"time"
	"unicode/utf8"

	"workforce/ent"
	"workforce/ent/clockstate"
	"workforce/graph/model"
	"workforce/internal/app/approval"
	"workforce/internal/app/input"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/face"
	"workforce/internal/geofence"
	"workforce/internal/scalar"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// The bounds of clock events.
const (
	offlineAfter = 180 * time.Second // a recorded time that is older is taken, else the server's
	maxNote      = 250               // characters
	maxAccuracy  = 100_000           // metres; more is refused
)

// A clockKind is one of the two clock events.
type clockKind bool

// The clock events.
const (
	clockIn  clockKind = true
	clockOut clockKind = false
)

// A request is a clock event as it was sent.
type request struct {
	me         *viewer.Viewer
	kind       clockKind
	receivedAt time.Time // by the server; zero until the event is begun
	addressID  *int      // nil: that of the clock-in
	otherSite  bool      // addressID is that of the nearest site, in place of the one that was named
	shiftID    int
	position   geofence.Point
	accuracy   *float64 // metres
	mocked     *bool
	landmarks  []face.Point // of a face; nil for none
	digests    [][]byte     // of the landmarks, under each secret key; the one to store first
	note       *string
	recordedAt *time.Time // by the phone
	sentAt     *time.Time // by the phone
}

// offline reports whether the phone recorded the event so long ago that it counts at its
// recorded time.
func (r *request) offline() bool {
	return r.recordedAt != nil && r.receivedAt.Sub(*r.recordedAt) >= offlineAfter
}

// at returns when the event happened: when the server received it, or when the phone recorded it
// offline.
func (r *request) at() time.Time {
	if r.offline() {
		return *r.recordedAt
	}
	return r.receivedAt
}

// source returns where the time of the event comes from.
func (r *request) source() string {
	if r.offline() {
		return "offline"
	}
	return "app"
}

// readClockIn reads a clock-in. It fails with all faults of the members, or with NO_SHIFT if
// no shift is named and there is none today.
func (s *Service) readClockIn(ctx context.Context, me *viewer.Viewer, in model.ClockInInput) (*request, error) {
	r := &request{
		me: me, kind: clockIn, addressID: in.AddressID.Value(), accuracy: in.Accuracy.Value(), mocked: in.Mocked.Value(),
		note: in.Note.Value(), recordedAt: in.RecordedAt.Value(), sentAt: in.SentAt.Value(),
	}
	var faults errs.Faults
	if r.addressID == nil {
		faults.Add("addressId", errs.Required, nil)
	}
	s.readPosition(&faults, r, in.Latitude.Value(), in.Longitude.Value(), in.FaceLandmark.Value())
	if id := in.EmployeeShiftID.Value(); id != nil {
		r.shiftID = *id
		return r, faults.Err()
	}
	if len(faults) == 0 {
		today, err := s.Work.OccurrencesToday(ctx)
		if err != nil {
			return nil, err
		}
		if len(today) == 0 {
			return nil, errs.Field(errs.NoShift, "employeeShiftId", nil)
		}
	}
	faults.Add("employeeShiftId", errs.Required, nil)
	return nil, faults.Err()
}

// readClockOut reads a clock-out, or fails with all faults of its members.
func (s *Service) readClockOut(ctx context.Context, me *viewer.Viewer, in model.ClockOutInput) (*request, error) {
	r := &request{
		me: me, kind: clockOut, addressID: in.AddressID.Value(), accuracy: in.Accuracy.Value(), mocked: in.Mocked.Value(),
		note: in.Note.Value(), recordedAt: in.RecordedAt.Value(), sentAt: in.SentAt.Value(),
	}
	var faults errs.Faults
	if id := in.EmployeeShiftID.Value(); id != nil {
		r.shiftID = *id
	} else {
		faults.Add("employeeShiftId", errs.Required, nil)
	}
	s.readPosition(&faults, r, in.Latitude.Value(), in.Longitude.Value(), in.FaceLandmark.Value())
	return r, faults.Err()
}

// readPosition reads the position and the face, and adds the faults of the members that both
// events have.
func (s *Service) readPosition(faults *errs.Faults, r *request, lat, lng *scalar.Coordinate, landmarks []face.Point) {
	r.position = input.Position(faults, "", lat, lng)
	if r.accuracy != nil && !(*r.accuracy >= 0 && *r.accuracy <= maxAccuracy) { // nor is NaN
		faults.Add("accuracy", errs.OutOfRange, errs.Meta{"min": 0, "max": maxAccuracy})
	}
	checkNote(faults, r.note)
	if len(landmarks) > 0 {
		for _, key := range s.FaceKey.Keys() {
			sum := face.Digest(key, landmarks)
			r.digests = append(r.digests, sum[:])
		}
		r.landmarks = landmarks
	}
}

// checkNote adds a fault for a note of too many characters.
func checkNote(faults *errs.Faults, note *string) {
	if note != nil && utf8.RuneCountInString(*note) > maxNote {
		faults.Add("note", errs.TooLong, errs.Meta{"max": maxNote})
	}
}

// checkRecordedAt refuses a recorded time that is older than the company allows, or as far in
// the future. The bounds are told in a zone.
func (r *request) checkRecordedAt(zone *time.Location) error {
	earliest := r.receivedAt.Add(-time.Duration(setting.OfflineHours.Of(r.me.Settings)) * time.Hour)
	latest := r.receivedAt.Add(time.Duration(setting.AheadSeconds.Of(r.me.Settings)) * time.Second)
	if r.recordedAt == nil || !r.recordedAt.Before(earliest) && !r.recordedAt.After(latest) {
		return nil
	}
	return errs.Field(errs.RecordedAtOutOfRange, "recordedAt", errs.Meta{
		"earliest": errs.Time{Time: earliest.In(zone)}, "latest": errs.Time{Time: latest.In(zone)},
	})
}

// checkLock refuses what was recorded offline for a date that is locked by now.
func (r *request) checkLock(date string) error {
	if !r.offline() {
		return nil
	}
	today := shift.DateOf(r.receivedAt, shift.ZoneNamed(r.me.Timezone))
	return approval.CheckLockOf(r.me, "attendance", nil, today, "recordedAt", shift.Date(date))
}

// lock locks the row of the user's clock events until the transaction ends. A user
// without one gets it: requests that insert it at the same time wait for one another.
func lock(ctx context.Context, me *viewer.Viewer) error {
	db := ent.FromContext(ctx)
	locked, err := db.ExecContext(ctx, lockRow, me.UserID)
	if err != nil {
		return err
	}
	if n, err := locked.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return database.Upsert{
		Table:   clockstate.Table,
		Columns: []string{clockstate.FieldCompanyID, clockstate.FieldUserID, clockstate.FieldEvents},
		Key:     []string{clockstate.FieldUserID}, Add: []string{clockstate.FieldEvents},
	}.Exec(ctx, db, me.CompanyID, me.UserID, 1)
}
