package graph

import (
	"context"
	"math"
	"time"
	"unicode/utf8"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/errs"
	"workforce/internal/face"
	"workforce/internal/geofence"
	"workforce/internal/scalar"
	"workforce/internal/viewer"
)

// What bounds clock events (contract.md, Attendances).
const (
	repeatWithin  = 120 * time.Second // the same event again
	serverTime    = 180 * time.Second // a claim younger than this is the server's time
	oldestClaim   = 72 * time.Hour
	latestClaim   = 120 * time.Second
	maxNote       = 250 // characters
	maxInaccuracy = 150 // metres; more is flagged
)

// What is noticed about a clock event and kept with it.
const (
	flagOutside     = "outside"
	flagLowAccuracy = "low_accuracy"
	flagMock        = "mock"
	flagOffline     = "offline"
	flagNoFace      = "no_face"
	flagShared      = "shared_device"
)

// A clockEvent is one clock-in or clock-out on its way through the rules.
type clockEvent struct {
	*Resolver
	me *viewer.Viewer

	// as it was sent
	addressID  *int // nil: that of the clock-in
	shiftID    int
	here       geofence.Point
	points     []face.Point
	accuracy   *float64
	mocked     *bool
	note       *string
	recordedAt *time.Time

	// as it was found; nil for what there is not, or what the caller does not see
	site       *ent.Address
	occurrence *ent.EmployeeShift
	current    *ent.Attendance // the open one
	person     *ent.User       // the caller's first and last day
	clashes    bool            // with another attendance
	shared     bool            // somebody else used the device on the same date
	known      bool            // a face is in force

	// as it was judged
	at       time.Time
	source   string
	distance int
	geofence string
	flags    []string
}

// readClockIn checks the members of a clock-in, all of them.
func (r *Resolver) readClockIn(ctx context.Context, me *viewer.Viewer, in model.ClockInInput) (*clockEvent, error) {
	e := &clockEvent{
		Resolver: r, me: me, addressID: in.AddressID.Value(), points: landmarks(in.FaceLandmark.Value()), accuracy: in.Accuracy.Value(),
		mocked: in.Mocked.Value(), note: in.Note.Value(), recordedAt: in.RecordedAt.Value(),
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
		ok, err := r.occursToday(ctx, me)
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

// readClockOut checks the members of a clock-out, all of them.
func (r *Resolver) readClockOut(me *viewer.Viewer, in model.ClockOutInput) (*clockEvent, error) {
	e := &clockEvent{
		Resolver: r, me: me, addressID: in.AddressID.Value(), points: landmarks(in.FaceLandmark.Value()), accuracy: in.Accuracy.Value(),
		mocked: in.Mocked.Value(), note: in.Note.Value(), recordedAt: in.RecordedAt.Value(),
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

// landmarks returns the face that came with an event.
func landmarks(sent []*scalar.Landmark) []face.Point {
	out := make([]face.Point, len(sent))
	for i, l := range sent {
		out[i] = l.Point
	}
	return out
}

// check notes what is wrong with the members that both ends share.
func (e *clockEvent) check(faults *errs.Faults, lat, lng *scalar.Coordinate) {
	read := func(field string, c *scalar.Coordinate, most float64) float64 {
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
	before := len(*faults)
	e.here = geofence.Point{Lat: read("latitude", lat, 90), Lng: read("longitude", lng, 180)}
	if len(*faults) == before && e.here.IsZero() { // what phones send that know no position
		faults.Add("latitude", errs.Required, nil)
		faults.Add("longitude", errs.Required, nil)
	}
	if e.accuracy != nil && (*e.accuracy < 0 || math.IsInf(*e.accuracy, 0) || math.IsNaN(*e.accuracy)) {
		faults.Add("accuracy", errs.OutOfRange, errs.Meta{"min": 0, "max": math.MaxInt32})
	}
	if e.note != nil && utf8.RuneCountInString(*e.note) > maxNote {
		faults.Add("note", errs.TooLong, errs.Meta{"max": maxNote})
	}
}

// begin takes the user's turn, so that their clock events come one after the
// other, and finds what the event refers to.
func (e *clockEvent) begin(ctx context.Context, end clockEnd) error {
	db := ent.FromContext(ctx)
	taken, err := db.ExecContext(ctx, "UPDATE clock_states SET events = events + 1 WHERE user_id = ?", e.me.UserID)
	if err != nil {
		return err
	}
	if n, err := taken.RowsAffected(); err != nil || n == 0 {
		if err != nil {
			return err
		}
		if err := db.ClockState.Create().SetCompanyID(e.me.CompanyID).SetUserID(e.me.UserID).SetEvents(1).Exec(ctx); err != nil {
			return err
		}
	}
	e.settleTime()
	if err := e.look(ctx, end); err != nil {
		return err
	}
	if err := referred("addressId", e.addressID == nil || e.site != nil, nil); err != nil {
		return err
	}
	return referred("employeeShiftId", e.occurrence != nil, nil)
}

// ignoreNotFound drops the error that says that a row is not there.
func ignoreNotFound(err error) error {
	if ent.IsNotFound(err) {
		return nil
	}
	return err
}
