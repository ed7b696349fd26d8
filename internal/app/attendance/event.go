package attendance

import (
	"context"
	"time"
	"unicode/utf8"

	"workforce/ent"
	"workforce/ent/clockstate"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/face"
	"workforce/internal/geofence"
	"workforce/internal/scalar"
	"workforce/internal/verdict"
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

// A clockEvent is a clock-in or clock-out: what was sent, what it refers to, and
// what the rules decided.
type clockEvent struct {
	*Service
	me *viewer.Viewer

	// as sent
	addressID  *int // nil: that of the clock-in
	shiftID    int
	here       geofence.Point
	points     []face.Point
	accuracy   *float64
	mocked     *bool
	note       *string
	recordedAt *time.Time
	sentAt     *time.Time

	// as loaded; nil for a row that the viewer does not see
	site       *ent.Address
	occurrence *ent.EmployeeShift
	current    *ent.Attendance // the open one
	previous   *ent.Attendance // of a clock-in: the last one that ended before it somewhere
	person     *ent.User       // the viewer's first and last day of work
	overlaps   bool            // another attendance
	ended      bool            // the occurrence that a clock-out names was clocked out before the open one began
	shared     bool            // somebody else used the device on the same date
	holiday    bool            // the date of a clock-in is a whole holiday at the site
	onLeave    bool            // the date of a clock-in is one of whole leave
	overtime   bool            // overtime of dates near the event was decided
	timers     int             // of the viewer that run
	hasFace    bool            // a face template is in force
	places     placeSets       // whether the site is one of those allowed
	exempt     []string        // rules from which the person is exempt
	face       storedFace

	// as decided
	now      time.Time // when the server received it
	at       time.Time // when it happened
	source   string
	distance int
	geofence string
	flags    []string
	judged   verdict.Judged
	seen     seenFace
}

// readClockIn reads a clock-in, or fails with all faults of its members.
func (s *Service) readClockIn(ctx context.Context, me *viewer.Viewer, in model.ClockInInput) (*clockEvent, error) {
	e := &clockEvent{
		Service: s, me: me, addressID: in.AddressID.Value(), points: in.FaceLandmark.Value(), accuracy: in.Accuracy.Value(),
		mocked: in.Mocked.Value(), note: in.Note.Value(), recordedAt: in.RecordedAt.Value(), sentAt: in.SentAt.Value(),
	}
	var faults errs.Faults
	if e.addressID == nil {
		faults.Add("addressId", errs.Required, nil)
	}
	e.check(&faults, in.Latitude.Value(), in.Longitude.Value())
	if id := in.EmployeeShiftID.Value(); id != nil {
		e.shiftID = *id
		return e, faults.Err()
	}
	if len(faults) == 0 {
		ok, err := s.occursToday(ctx, me)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, errs.Field(errs.NoShift, "employeeShiftId", nil)
		}
	}
	faults.Add("employeeShiftId", errs.Required, nil)
	return nil, faults.Err()
}

// readClockOut reads a clock-out, or fails with all faults of its members.
func (s *Service) readClockOut(ctx context.Context, me *viewer.Viewer, in model.ClockOutInput) (*clockEvent, error) {
	e := &clockEvent{
		Service: s, me: me, addressID: in.AddressID.Value(), points: in.FaceLandmark.Value(), accuracy: in.Accuracy.Value(),
		mocked: in.Mocked.Value(), note: in.Note.Value(), recordedAt: in.RecordedAt.Value(), sentAt: in.SentAt.Value(),
	}
	var faults errs.Faults
	if id := in.EmployeeShiftID.Value(); id != nil {
		e.shiftID = *id
	} else {
		faults.Add("employeeShiftId", errs.Required, nil)
	}
	e.check(&faults, in.Latitude.Value(), in.Longitude.Value())
	return e, faults.Err()
}

// check adds the faults of the members that both events have.
func (e *clockEvent) check(faults *errs.Faults, lat, lng *scalar.Coordinate) {
	e.here = input.Position(faults, "", lat, lng)
	if e.accuracy != nil && !(*e.accuracy >= 0 && *e.accuracy <= maxAccuracy) { // nor is NaN
		faults.Add("accuracy", errs.OutOfRange, errs.Meta{"min": 0, "max": maxAccuracy})
	}
	if e.note != nil && utf8.RuneCountInString(*e.note) > maxNote {
		faults.Add("note", errs.TooLong, errs.Meta{"max": maxNote})
	}
}

// begin locks the user's row, so that their clock events run one after the other,
// and loads what the event refers to.
func (e *clockEvent) begin(ctx context.Context, kind clockKind) error {
	if err := e.lock(ctx); err != nil {
		return err
	}
	e.setTime(e.Now())
	if err := e.load(ctx, kind); err != nil {
		return err
	}
	if err := input.Referenced("addressId", e.addressID == nil || e.site != nil, nil); err != nil {
		return err
	}
	return input.Referenced("employeeShiftId", e.occurrence != nil, nil)
}

// lock locks the row of the user's clock events until the transaction ends. A user
// without one gets it: requests that insert it at the same time wait for one another.
func (e *clockEvent) lock(ctx context.Context) error {
	db := ent.FromContext(ctx)
	locked, err := db.ExecContext(ctx, lockRow, e.me.UserID)
	if err != nil {
		return err
	}
	if n, err := locked.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return database.Upsert{
		Table: clockstate.Table, Columns: []string{clockstate.FieldCompanyID, clockstate.FieldUserID, clockstate.FieldEvents},
		Key: []string{clockstate.FieldUserID}, Add: []string{clockstate.FieldEvents},
	}.Exec(ctx, db, e.me.CompanyID, e.me.UserID, 1)
}
