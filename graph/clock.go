package graph

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/attendance"
	"workforce/ent/clockstate"
	"workforce/ent/employeeshift"
	"workforce/ent/facetemplate"
	"workforce/ent/predicate"
	"workforce/ent/session"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/errs"
	"workforce/internal/face"
	"workforce/internal/geofence"
	"workforce/internal/scalar"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
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
	points     []*face.Point
	accuracy   *float64
	mocked     *bool
	note       *string
	recordedAt *time.Time

	// as it was found
	site       *ent.Address
	occurrence *ent.EmployeeShift
	current    *ent.Attendance // the open one; nil for none

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
		Resolver: r, me: me, addressID: in.AddressID.Value(), points: in.FaceLandmark.Value(), accuracy: in.Accuracy.Value(),
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
		ok, err := r.occursToday(ctx, me.UserID)
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
		Resolver: r, me: me, addressID: in.AddressID.Value(), points: in.FaceLandmark.Value(), accuracy: in.Accuracy.Value(),
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
func (e *clockEvent) begin(ctx context.Context) error {
	db := ent.FromContext(ctx)
	n, err := db.ClockState.Update().Where(clockstate.UserID(e.me.UserID)).AddEvents(1).Save(ctx)
	if err != nil {
		return err
	}
	if n == 0 {
		if err := db.ClockState.Create().SetCompanyID(e.me.CompanyID).SetUserID(e.me.UserID).SetEvents(1).Exec(ctx); err != nil {
			return err
		}
	}
	if e.addressID != nil {
		e.site, err = db.Address.Query().Where(address.ID(*e.addressID)).Only(ctx)
		if err := referred("addressId", !ent.IsNotFound(err), ignoreNotFound(err)); err != nil {
			return err
		}
	}
	e.occurrence, err = db.EmployeeShift.Query().Where(employeeshift.ID(e.shiftID), employeeshift.UserID(e.me.UserID)).Only(ctx)
	if err := referred("employeeShiftId", !ent.IsNotFound(err), ignoreNotFound(err)); err != nil {
		return err
	}
	e.current, err = openOf(ctx, e.me.UserID)
	return err
}

// ignoreNotFound drops the error that says that a row is not there.
func ignoreNotFound(err error) error {
	if ent.IsNotFound(err) {
		return nil
	}
	return err
}

// repeatsClockIn reports whether the event was taken already: for the same
// occurrence within 120 seconds, or recorded at the same instant.
func (e *clockEvent) repeatsClockIn(ctx context.Context) (bool, error) {
	if c := e.current; c != nil && c.EmployeeShiftID == e.shiftID && e.Now().Sub(c.ClockedInReceivedAt) <= repeatWithin {
		return true, nil
	}
	if e.recordedAt == nil {
		return false, nil
	}
	return e.entries(ctx).Where(attendance.ClockedInRecordedAt(*e.recordedAt)).Exist(ctx)
}

// repeatsClockOut reports whether the event was taken already, as
// repeatsClockIn does.
func (e *clockEvent) repeatsClockOut(ctx context.Context) (bool, error) {
	again := attendance.ClockedOutReceivedAtGTE(e.Now().Add(-repeatWithin))
	if e.recordedAt != nil {
		again = attendance.Or(again, attendance.ClockedOutRecordedAt(*e.recordedAt))
	}
	if e.current != nil && e.current.EmployeeShiftID == e.shiftID { // a younger entry is open: only the same recording repeats
		if e.recordedAt == nil {
			return false, nil
		}
		again = attendance.ClockedOutRecordedAt(*e.recordedAt)
	}
	byUser := attendance.ClockedOutSourceNEQ(attendance.ClockedOutSourceAuto) // what the rules closed was no clock-out
	return e.entries(ctx).Where(byUser, again).Exist(ctx)
}

// entries are those of the event's occurrence.
func (e *clockEvent) entries(ctx context.Context) *ent.AttendanceQuery {
	return ent.FromContext(ctx).Attendance.Query().
		Where(attendance.UserID(e.me.UserID), attendance.EmployeeShiftID(e.shiftID))
}

// closeForgotten closes an open attendance whose window has ended, to be
// confirmed. Any other open one is ALREADY_CLOCKED_IN.
func (e *clockEvent) closeForgotten(ctx context.Context) error {
	c := e.current
	if c == nil {
		return nil
	}
	o := c.Edges.EmployeeShift
	if !windowOf(o).Over(e.Now()) {
		since := c.ClockedInAt.In(zoneOf(o)).Format(time.RFC3339)
		return errs.New(errs.AlreadyClockedIn, errs.Meta{"since": since, "employeeShiftId": strconv.Itoa(c.EmployeeShiftID)})
	}
	before, err := e.workedBefore(ctx, c)
	if err != nil {
		return err
	}
	expected := o.EndAt.Sub(o.StartAt) - time.Duration(o.BreakSeconds)*time.Second
	out := e.notAfter(c, timesheet.CloseAt(c.ClockedInAt, expected, before, breaksOf(o)))
	local := out.In(zoneOf(o))
	_, offset := local.Zone()
	return c.Update().ClearOpenMarker().SetNeedsConfirmation(true).
		SetClockedOutAt(out).SetClockedOutReceivedAt(e.Now()).SetClockedOutSource(attendance.ClockedOutSourceAuto).
		SetClockedOutLocal(local.Format(wall)).SetClockedOutOffset(offset).SetClockedOutZone(o.Timezone).Exec(ctx)
}

// notAfter returns when a forgotten attendance ended that by rule would have
// ended at out: no later than now, nor than the clock-in that came after it.
func (e *clockEvent) notAfter(c *ent.Attendance, out time.Time) time.Time {
	next := e.Now()
	if e.recordedAt != nil && e.recordedAt.Before(next) && e.recordedAt.After(c.ClockedInAt) {
		next = *e.recordedAt
	}
	if out.After(next) {
		return next
	}
	return out
}

// wall is how wall times are kept.
const wall = "2006-01-02T15:04:05"

// workedBefore returns what was worked in closed entries of the same occurrence.
func (e *clockEvent) workedBefore(ctx context.Context, c *ent.Attendance) (time.Duration, error) {
	rows, err := ent.FromContext(ctx).Attendance.Query().
		Where(attendance.UserID(e.me.UserID), attendance.EmployeeShiftID(c.EmployeeShiftID), attendance.ClockedOutAtNotNil()).All(ctx)
	return timesheet.Worked(stays(rows, e.Now()), breaksOf(c.Edges.EmployeeShift)), err
}

// stays returns the time of attendances, an open one to now.
func stays(rows []*ent.Attendance, now time.Time) []shift.Interval {
	out := make([]shift.Interval, len(rows))
	for i, a := range rows {
		out[i] = shift.Interval{Start: a.ClockedInAt, End: now}
		if a.ClockedOutAt != nil {
			out[i].End = *a.ClockedOutAt
		}
	}
	return out
}

// judge applies the rules of a clock-in, in the order in which they are told.
func (e *clockEvent) judge(ctx context.Context, block, flag bool) error {
	if err := e.settleTime(); err != nil {
		return err
	}
	if err := e.employed(ctx); err != nil {
		return err
	}
	if !windowOf(e.occurrence).Open(e.at) {
		zone := zoneOf(e.occurrence)
		return errs.Field(errs.ShiftWindowClosed, "employeeShiftId", errs.Meta{
			"clockInFrom":  e.occurrence.ClockInFrom.In(zone).Format(time.RFC3339),
			"clockInUntil": e.occurrence.ClockInUntil.In(zone).Format(time.RFC3339),
		})
	}
	if err := e.disjoint(ctx, attendance.ClockedInAtLTE(e.at), attendance.ClockedOutAtGT(e.at)); err != nil {
		return err
	}
	if err := e.locate(block, flag); err != nil {
		return err
	}
	shared, err := e.sharesDevice(ctx)
	if err != nil {
		return err
	}
	if shared {
		e.flags = append(e.flags, flagShared)
	}
	return e.judgeFace()
}

// sharesDevice reports whether somebody else of the company clocked in or out
// with the caller's device on the same date. Whoever did has signed in on it.
func (e *clockEvent) sharesDevice(ctx context.Context) (bool, error) {
	ctx = system(ctx)
	db := ent.FromContext(ctx)
	others, err := db.Session.Query().
		Where(session.CompanyID(e.me.CompanyID), session.DeviceID(e.me.DeviceID), session.UserIDNEQ(e.me.UserID)).
		Unique(true).Select(session.FieldUserID).Ints(ctx)
	if err != nil || len(others) == 0 {
		return false, err
	}
	return db.Attendance.Query().Where(
		attendance.CompanyID(e.me.CompanyID), attendance.UserIDIn(others...), attendance.WorkDate(e.occurrence.Date),
		attendance.Or(attendance.ClockedInDeviceID(e.me.DeviceID), attendance.ClockedOutDeviceID(e.me.DeviceID))).Exist(ctx)
}

// judgeOut applies the rules of a clock-out.
func (e *clockEvent) judgeOut(ctx context.Context) error {
	c := e.current
	if c == nil || c.EmployeeShiftID != e.shiftID {
		return errs.New(errs.NotClockedIn, nil)
	}
	if err := e.settleTime(); err != nil {
		return err
	}
	if !e.at.After(c.ClockedInAt) { // an out before its in: the app sends it again
		return errs.New(errs.NotClockedIn, nil)
	}
	if err := e.disjoint(ctx, attendance.IDNEQ(c.ID), attendance.ClockedInAtLT(e.at), attendance.ClockedOutAtGT(c.ClockedInAt)); err != nil {
		return err
	}
	if e.site == nil {
		site, err := ent.FromContext(ctx).Address.Get(ctx, c.AddressID)
		if err != nil {
			return err
		}
		e.site = site
	}
	policy := e.site.GeofenceOut
	if err := e.locate(policy == address.GeofenceOutBlock, policy != address.GeofenceOutOff); err != nil {
		return err
	}
	return e.judgeFace()
}

// disjoint refuses an event that would make two attendances overlap.
func (e *clockEvent) disjoint(ctx context.Context, overlapping ...predicate.Attendance) error {
	clash, err := ent.FromContext(ctx).Attendance.Query().
		Where(attendance.UserID(e.me.UserID)).Where(overlapping...).Exist(ctx)
	if err == nil && clash {
		return errs.Field(errs.Conflict, "recordedAt", nil)
	}
	return err
}

// settleTime decides when the event was: the server's time, or for an event
// that was kept while offline, the phone's.
func (e *clockEvent) settleTime() error {
	now := e.Now()
	e.at, e.source = now, "app"
	if e.recordedAt == nil {
		return nil
	}
	earliest, latest := now.Add(-oldestClaim), now.Add(latestClaim)
	switch {
	case e.recordedAt.Before(earliest), e.recordedAt.After(latest):
		zone := zoneOf(e.occurrence)
		return errs.Field(errs.RecordedAtOutOfRange, "recordedAt", errs.Meta{
			"earliest": earliest.In(zone).Format(time.RFC3339), "latest": latest.In(zone).Format(time.RFC3339),
		})
	case now.Sub(*e.recordedAt) >= serverTime:
		e.at, e.source = *e.recordedAt, "offline"
		e.flags = append(e.flags, flagOffline)
	}
	return nil
}

// employed refuses people before their first and after their last day.
func (e *clockEvent) employed(ctx context.Context) error {
	u, err := ent.FromContext(ctx).User.Query().Where(user.ID(e.me.UserID)).
		Select(user.FieldJoinedOn, user.FieldLeftOn).Only(ctx)
	if err != nil {
		return err
	}
	if u.JoinedOn != nil && e.occurrence.Date < *u.JoinedOn || u.LeftOn != nil && e.occurrence.Date > *u.LeftOn {
		return errs.New(errs.Forbidden, nil)
	}
	return nil
}

// locate measures the position against the work site, and refuses or flags what
// is not right.
func (e *clockEvent) locate(block, flag bool) error {
	center := geofence.Point{Lat: e.site.Latitude, Lng: e.site.Longitude}
	metres := geofence.Distance(center, e.here)
	e.distance = int(math.Round(metres))
	switch {
	case e.site.Radius == nil:
		e.geofence = "unlimited"
	case geofence.Contains(center, float64(*e.site.Radius), e.here):
		e.geofence = "inside"
	case block:
		return e.outside(metres)
	case flag:
		e.geofence = "outside"
		e.flags = append(e.flags, flagOutside)
	default:
		e.geofence = "off"
	}
	if e.accuracy != nil && *e.accuracy > maxInaccuracy {
		e.flags = append(e.flags, flagLowAccuracy)
	}
	if e.mocked != nil && *e.mocked {
		e.flags = append(e.flags, flagMock)
	}
	return nil
}

// outside refuses a position that is so many metres from the work site. The
// distance is rounded up, so that it never reads like the limit.
func (e *clockEvent) outside(metres float64) error {
	far := errs.Meta{"distanceMeters": int(math.Ceil(metres)), "radiusMeters": *e.site.Radius}
	worded := maps.Clone(far)
	worded["address"] = e.site.Name
	return &errs.Error{Code: errs.OutsideLocation, Meta: far, Faults: []errs.Fault{{Field: "latitude", Code: errs.OutsideLocation, Meta: worded}}}
}

// judgeFace refuses face data that is unusable, and flags that there is none.
func (e *clockEvent) judgeFace() error {
	if len(e.points) == 0 {
		e.flags = append(e.flags, flagNoFace)
		return nil
	}
	return face.Check(e.landmarks())
}

func (e *clockEvent) landmarks() []face.Point {
	out := make([]face.Point, len(e.points))
	for i, p := range e.points {
		out[i] = *p
	}
	return out
}

// open writes the attendance that a clock-in opens, and registers the face.
func (e *clockEvent) open(ctx context.Context) (*ent.Attendance, error) {
	local := e.at.In(zoneOf(e.occurrence))
	_, offset := local.Zone()
	create := ent.FromContext(ctx).Attendance.Create().
		SetCompanyID(e.me.CompanyID).SetUserID(e.me.UserID).SetEmployeeShiftID(e.shiftID).SetAddressID(e.site.ID).
		SetWorkDate(e.occurrence.Date).
		SetClockedInAt(e.at).SetClockedInLocal(local.Format(wall)).SetClockedInOffset(offset).SetClockedInZone(e.occurrence.Timezone).
		SetClockedInReceivedAt(e.Now()).SetNillableClockedInRecordedAt(e.recordedAt).SetClockedInSource(attendance.ClockedInSource(e.source)).
		SetClockedInLatitude(e.here.Lat).SetClockedInLongitude(e.here.Lng).SetNillableClockedInAccuracy(e.accuracy).
		SetNillableClockedInMocked(e.mocked).SetClockedInDistance(e.distance).SetClockedInGeofence(attendance.ClockedInGeofence(e.geofence)).
		SetNillableClockedInNote(e.note).SetClockedInFlags(e.flags).SetClockedInDeviceID(e.me.DeviceID)
	if len(e.points) > 0 {
		verdict, err := e.registerFace(ctx)
		if err != nil {
			return nil, err
		}
		digest := face.Digest(e.keys.faces, e.landmarks())
		create.SetFaceVerdict(verdict).SetFaceDigest(digest[:])
	}
	a, err := create.Save(ctx)
	if ent.IsConstraintError(err) {
		return nil, errs.New(errs.AlreadyClockedIn, errs.Meta{"since": local.Format(time.RFC3339)})
	}
	return a, err
}

// registerFace keeps the face of a user who has none, as they sent it and
// sealed; provisionally where something else was noticed.
func (e *clockEvent) registerFace(ctx context.Context) (attendance.FaceVerdict, error) {
	db := ent.FromContext(ctx)
	mine := db.FaceTemplate.Query().Where(facetemplate.UserID(e.me.UserID))
	if known, err := mine.Clone().Where(facetemplate.InForceNotNil()).Exist(ctx); err != nil || known {
		return attendance.FaceVerdictUnchecked, err
	}
	versions, err := mine.Count(ctx)
	if err != nil {
		return "", err
	}
	plain, err := json.Marshal(e.points)
	if err != nil {
		return "", err
	}
	text, err := e.faces.Seal(plain, strconv.Itoa(e.me.CompanyID), strconv.Itoa(e.me.UserID))
	if err != nil {
		return "", err
	}
	provisional := len(e.flags) > 0
	err = db.FaceTemplate.Create().SetCompanyID(e.me.CompanyID).SetUserID(e.me.UserID).SetVersion(versions + 1).
		SetProvisional(provisional).SetPoints(len(e.points)).SetSealed(text).SetCreatedAt(e.Now()).Exec(ctx)
	if err == nil {
		err = e.tellFace(ctx, e.me.UserID)
	}
	if provisional {
		return attendance.FaceVerdictProvisional, err
	}
	return attendance.FaceVerdictRegistered, err
}

// close writes the end of the open attendance.
func (e *clockEvent) close(ctx context.Context) error {
	local := e.at.In(zoneOf(e.occurrence))
	_, offset := local.Zone()
	return e.current.Update().ClearOpenMarker().
		SetClockedOutAt(e.at).SetClockedOutLocal(local.Format(wall)).SetClockedOutOffset(offset).SetClockedOutZone(e.occurrence.Timezone).
		SetClockedOutReceivedAt(e.Now()).SetNillableClockedOutRecordedAt(e.recordedAt).SetClockedOutSource(attendance.ClockedOutSource(e.source)).
		SetClockedOutLatitude(e.here.Lat).SetClockedOutLongitude(e.here.Lng).SetNillableClockedOutAccuracy(e.accuracy).
		SetNillableClockedOutMocked(e.mocked).SetClockedOutDistance(e.distance).SetClockedOutGeofence(attendance.ClockedOutGeofence(e.geofence)).
		SetNillableClockedOutNote(e.note).SetClockedOutFlags(e.flags).SetClockedOutDeviceID(e.me.DeviceID).Exec(ctx)
}
