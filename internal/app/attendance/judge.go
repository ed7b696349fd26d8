package attendance

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"workforce/internal/errs"
	"workforce/internal/face"
	"workforce/internal/geofence"
	"workforce/internal/setting"
	"workforce/internal/verdict"
)

// The policies by which the events are judged.
var (
	inPolicies = []setting.Key[string]{
		setting.GeofenceIn, setting.Accuracy, setting.Mock, setting.Speed, setting.Device, setting.Face,
	}
	outPolicies = []setting.Key[string]{setting.GeofenceOut, setting.Accuracy, setting.Mock, setting.Speed}
)

// A decision is what the rules decided about a clock event that they accept.
type decision struct {
	flags    []string
	review   bool // somebody must decide about the flags
	distance int  // metres to the nearest point of the site
	geofence string
	judged   verdict.Judged
	compared comparedFace
}

// A judgement applies the rules to a clock event, and collects its decision.
type judgement struct {
	*request
	*facts
	decision
}

// judgeClockIn returns what the rules decide about a clock-in, or the refusal of the first rule
// that it breaks.
func judgeClockIn(r *request, f *facts) (decision, error) {
	j := newJudgement(r, f)
	if err := j.checkClockIn(); err != nil {
		return decision{}, err
	}
	return j.decide(), nil
}

// judgeClockOut returns what the rules decide about a clock-out, or the refusal of the first rule
// that it breaks.
func judgeClockOut(r *request, f *facts) (decision, error) {
	j := newJudgement(r, f)
	if err := j.checkClockOut(); err != nil {
		return decision{}, err
	}
	return j.decide(), nil
}

// newJudgement returns a judgement before any rule.
func newJudgement(r *request, f *facts) *judgement {
	j := &judgement{request: r, facts: f}
	if r.otherSite {
		j.flag(verdict.OtherSite)
	}
	if r.offline() {
		j.flag(verdict.Offline)
	}
	return j
}

// decide returns the decision of a judgement without refusal.
func (j *judgement) decide() decision {
	j.review = verdict.NeedsReview(j.flags, setting.OfflineApproval.Of(j.me.Settings))
	return j.decision
}

// flag adds a flag, once.
func (j *judgement) flag(flag string) {
	if !slices.Contains(j.flags, flag) {
		j.flags = append(j.flags, flag)
	}
}

// judgeBy stores what an event of a date is judged by.
func (j *judgement) judgeBy(policies []setting.Key[string], date string) {
	for _, x := range j.exemptions {
		if x.EndsOn >= date {
			j.judged.Exempt = append(j.judged.Exempt, x.Rule)
		}
	}
	slices.Sort(j.judged.Exempt)
	j.judged.Policies = make(map[string]string, len(policies))
	for _, key := range policies {
		j.judged.Policies[key.Name] = j.policy(key)
	}
	j.judged.AccuracyMeters = setting.AccuracyMeters.Of(j.me.Settings)
	j.judged.SpeedLimitKmh = setting.SpeedKmh.Of(j.me.Settings)
}

// policy returns the policy that holds for an event: off if the person is exempt from the rule,
// else the person's, else the site's, else the company's.
func (j *judgement) policy(key setting.Key[string]) string {
	rule := strings.TrimSuffix(strings.TrimSuffix(key.Name, "In"), "Out") // geofence has a policy for each end
	if slices.Contains(j.judged.Exempt, rule) {
		return setting.Off
	}
	return j.me.Settings.Policy(key, j.person.Policies, j.site.Policies)
}

// apply treats what breaks a rule by its policy: it returns the refusal, or adds the flag, or
// accepts it.
func (j *judgement) apply(policy setting.Key[string], flag string, refusal error) error {
	switch j.policy(policy) {
	case setting.Block:
		return refusal
	case setting.Flag:
		j.flag(flag)
	}
	return nil
}

// checkClockIn applies the rules of a clock-in, in the order in which they refuse.
func (j *judgement) checkClockIn() error {
	if !j.site.Active || !j.allowed.allow() {
		return errs.Field(errs.LocationNotAllowed, "addressId", nil)
	}
	if err := j.checkRecordedAt(j.occurrence.zone()); err != nil {
		return err
	}
	if j.person == nil {
		return errs.New(errs.NotFound, nil)
	}
	date := j.occurrence.Date
	j.judgeBy(inPolicies, date)
	j.checkClock()
	if !j.person.employedOn(date) {
		return errs.New(errs.Forbidden, nil)
	}
	if err := j.checkLock(date); err != nil {
		return err
	}
	if err := j.occurrence.checkWindow(j.at()); err != nil {
		return err
	}
	if j.overlaps {
		return errs.Conflicts(errs.Overlap, "recordedAt", nil)
	}
	if err := j.locate(setting.GeofenceIn); err != nil {
		return err
	}
	if j.holiday {
		j.flag(verdict.Holiday)
	}
	if j.onLeave {
		if setting.LeaveBlocksClockIn.Of(j.me.Settings) {
			return errs.Conflicts(errs.OnLeave, "employeeShiftId", errs.Meta{"leaveOn": date})
		}
		j.flag(verdict.OnLeave)
	}
	if j.shared {
		if err := j.apply(setting.Device, verdict.SharedDevice, errs.New(errs.DeviceNotAllowed, nil)); err != nil {
			return err
		}
	}
	return j.checkFace(j.hasFace || j.policy(setting.Face) == setting.Block)
}

// checkClockOut applies the rules of a clock-out, in the order in which they refuse.
func (j *judgement) checkClockOut() error {
	zone, open := j.occurrence.zone(), j.open
	if open == nil || j.ended {
		// else NOT_CLOCKED_IN would have the app send it again for ever
		if err := cmp.Or(j.checkRecordedAt(zone), j.checkLock(j.occurrence.Date)); err != nil {
			return err
		}
	}
	if open == nil {
		return errs.New(errs.NotClockedIn, nil)
	}
	if j.ended { // it repeats, late, a clock-out before the open attendance began
		return errs.New(errs.NotClockedIn, open.since())
	}
	if j.site != nil && j.site.ID != open.AddressID && !j.allowed.allow() {
		return errs.Field(errs.LocationNotAllowed, "addressId", nil)
	}
	if err := cmp.Or(j.checkRecordedAt(zone), j.checkLock(open.WorkDate)); err != nil {
		return err
	}
	if !j.at().After(open.ClockedInAt) { // recorded before its clock-in: the app sends it again
		return errs.New(errs.NotClockedIn, open.since())
	}
	if j.overlaps {
		return errs.Conflicts(errs.Overlap, "recordedAt", nil)
	}
	if j.site == nil || j.person == nil {
		return errs.New(errs.NotFound, nil)
	}
	j.judgeBy(outPolicies, open.WorkDate)
	j.checkClock()
	if open.ShiftID != j.shiftID {
		j.flag(verdict.OtherShift)
	}
	if err := j.locate(setting.GeofenceOut); err != nil {
		return err
	}
	return j.checkFace(false)
}

// checkWindow refuses a clock-in outside the window of its occurrence.
func (o *occurrence) checkWindow(at time.Time) error {
	if o.window().Open(at) {
		return nil
	}
	zone := o.zone()
	return errs.Field(errs.ShiftWindowClosed, "employeeShiftId", errs.Meta{
		"clockInFrom": errs.Time{Time: o.ClockInFrom.In(zone)}, "clockInUntil": errs.Time{Time: o.ClockInUntil.In(zone)},
	})
}

// locate measures the distance to the nearest point of the work site. It applies the policies to
// a position outside of it, to what the phone says of the position, and to how fast one would
// have travelled there.
func (j *judgement) locate(position setting.Key[string]) error {
	limit := j.judged.AccuracyMeters
	inaccurate := j.accuracy != nil && *j.accuracy > float64(limit)
	if inaccurate && j.policy(setting.Accuracy) == setting.Block {
		metres := int(math.Ceil(*j.accuracy))
		return errs.Field(errs.LowAccuracy, "accuracy", errs.Meta{"accuracyMeters": metres, "limitMeters": limit})
	}
	if err := j.fence(j.policy(position)); err != nil {
		return err
	}
	if inaccurate && j.policy(setting.Accuracy) == setting.Flag {
		j.flag(verdict.LowAccuracy)
	}
	if j.mocked != nil && *j.mocked {
		if err := j.apply(setting.Mock, verdict.Mock, errs.Field(errs.PositionMocked, "mocked", nil)); err != nil {
			return err
		}
	}
	return j.checkSpeed()
}

// fence measures the distance to the nearest point of the work site, and applies a policy to a
// position outside of it.
func (j *judgement) fence(policy string) error {
	center := j.site.nearest(j.position)
	metres := geofence.Distance(center, j.position)
	j.distance, j.judged.RadiusMeters = int(math.Round(metres)), j.site.Radius
	switch {
	case j.site.Radius == nil:
		j.geofence = "unlimited"
	case geofence.Contains(center, float64(*j.site.Radius), j.position):
		j.geofence = "inside"
	case policy == setting.Block:
		return j.site.outside(metres)
	case policy == setting.Off:
		j.geofence = "off"
	default:
		j.geofence = "outside"
		j.flag(verdict.Outside)
	}
	return nil
}

// outside returns OUTSIDE_ALLOWED_LOCATION for a distance in metres, rounded up so that it is
// never shown equal to the limit.
func (s *site) outside(metres float64) error {
	far := errs.Meta{"distanceMeters": int(math.Ceil(metres)), "radiusMeters": *s.Radius}
	shown := maps.Clone(far)
	shown["address"] = s.Name
	fault := errs.Fault{Field: "latitude", Code: errs.OutsideLocation, Meta: shown}
	return &errs.Error{Code: errs.OutsideLocation, Meta: far, Faults: []errs.Fault{fault}}
}

// checkFace refuses an unusable face, compares a usable one, and applies the policy to an event
// without a face if one is wanted.
func (j *judgement) checkFace(wanted bool) error {
	if len(j.landmarks) > 0 {
		if err := face.Check(j.landmarks); err != nil {
			return err
		}
		return j.compareFace()
	}
	if wanted {
		return j.apply(setting.Face, verdict.NoFace, errs.Field(errs.FaceRequired, "faceLandmark", nil))
	}
	return nil
}
