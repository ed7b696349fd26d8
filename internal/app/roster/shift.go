package roster

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"workforce/ent"
	"workforce/ent/allowedplace"
	"workforce/ent/employeeshift"
	"workforce/ent/fallbackshift"
	"workforce/ent/plannedday"
	"workforce/ent/rotation"
	"workforce/ent/rotationassignment"
	entShift "workforce/ent/shift"
	"workforce/ent/shiftassignment"
	"workforce/ent/shiftswap"
	"workforce/ent/shiftversion"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/organization"
	"workforce/internal/app/scheduling"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// The bounds of a shift.
const (
	maxBreaks = 10
	maxGrace  = 1439 // minutes
)

// CreateShift adds a shift of the viewer's company.
func (s *Service) CreateShift(ctx context.Context, in model.CreateShiftInput) (*ent.Shift, error) {
	if err := mayDefine(ctx); err != nil {
		return nil, err
	}
	c := shiftChange{UpdateShiftInput: model.UpdateShiftInput{
		Name: input.Given(&in.Name), StartTime: input.Given(&in.StartTime), EndTime: input.Given(&in.EndTime), Timezone: in.Timezone,
		OpensBeforeMinutes: input.DropNull(in.OpensBeforeMinutes), ClosesAfterMinutes: input.DropNull(in.ClosesAfterMinutes),
		LateGraceMinutes: in.LateGraceMinutes, EarlyGraceMinutes: in.EarlyGraceMinutes,
		HalfDayBelowMinutes: input.DropNull(in.HalfDayBelowMinutes), AbsentBelowMinutes: input.DropNull(in.AbsentBelowMinutes),
		Breaks: input.DropNullList(in.Breaks), BreakMinutes: input.DropNull(in.BreakMinutes), BreakAfterMinutes: input.DropNull(in.BreakAfterMinutes),
		WorkingHours: input.DropNull(in.WorkingHours), Colour: in.Colour,
	}, isNew: true, next: scheduling.Version{Opens: 60, Closes: 60, Late: new(0), Early: new(0), Number: 1, Hours: string(entShift.WorkingHoursFirstLast)}}
	if err := c.check(ctx).Err(); err != nil {
		return nil, err
	}
	create := ent.FromContext(ctx).Shift.Create().SetCompanyID(viewer.From(ctx).CompanyID)
	c.set(create.Mutation())
	return create.Save(ctx)
}

// UpdateShift changes a shift, its working time from a date on.
func (s *Service) UpdateShift(ctx context.Context, id int, in model.UpdateShiftInput) error {
	was, err := lockedShift(ctx, id)
	if err != nil {
		return err
	}
	today, err := s.Plans.CompanyToday(ctx)
	if err != nil {
		return err
	}
	c := shiftChange{UpdateShiftInput: in, next: scheduling.Present(was)}
	faults := c.check(ctx)
	from := today
	if in.From.Value() != nil {
		from = shift.Date(*in.From.Value())
	}
	if last := today.AddDays(scheduling.Looked); from < today || from > last {
		faults.Add("from", errs.OutOfRange, errs.Meta{"min": string(today), "max": string(last)})
	}
	if err := faults.Err(); err != nil {
		return err
	}
	if c.retimes {
		if err := s.keepVersion(ctx, was, from); err != nil {
			return err
		}
		c.next.From, c.next.Number = from, was.Version+1
	}
	update := was.Update()
	c.set(update.Mutation())
	if err := update.Exec(ctx); err != nil {
		return err
	}
	if active := in.Active.Value(); active != nil && *active != was.Active {
		if err := followFallbacks(ctx, s.Plans, was); err != nil {
			return err
		}
	}
	if !c.retimes && !in.Name.IsSet() {
		return nil
	}
	return s.followShift(ctx, was, today, c.timed())
}

// followFallbacks has occurrences made anew where a shift is a fallback, which it is no
// longer while it is archived.
func followFallbacks(ctx context.Context, plans *scheduling.Planner, of *ent.Shift) error {
	used, err := ent.FromContext(ctx).FallbackShift.Query().Where(fallbackshift.ShiftID(of.ID)).Exist(viewer.System(ctx))
	if err != nil || !used {
		return err
	}
	return plans.OutdateCompany(ctx, of.CompanyID)
}

// keepVersion stores what a shift was before a date as a former version. Versions that
// were to begin on the date or later never hold.
func (s *Service) keepVersion(ctx context.Context, was *ent.Shift, from shift.Date) error {
	db, sys := ent.FromContext(ctx).ShiftVersion, viewer.System(ctx)
	if _, err := db.Delete().Where(shiftversion.ShiftID(was.ID), shiftversion.AppliesFromGTE(string(from))).Exec(sys); err != nil {
		return err
	}
	if was.AppliesFrom >= string(from) {
		return nil
	}
	return db.Create().SetCompanyID(was.CompanyID).SetShiftID(was.ID).SetVersion(was.Version).SetAppliesFrom(was.AppliesFrom).
		SetStartTime(was.StartTime).SetEndTime(was.EndTime).SetNillableTimezone(was.Timezone).
		SetOpensBeforeMinutes(was.OpensBeforeMinutes).SetClosesAfterMinutes(was.ClosesAfterMinutes).
		SetNillableLateGraceMinutes(was.LateGraceMinutes).SetNillableEarlyGraceMinutes(was.EarlyGraceMinutes).
		SetHalfDayBelowMinutes(was.HalfDayBelowMinutes).SetAbsentBelowMinutes(was.AbsentBelowMinutes).
		SetBreaks(was.Breaks).SetBreakMinutes(was.BreakMinutes).SetBreakAfterMinutes(was.BreakAfterMinutes).
		SetWorkingHours(shiftversion.WorkingHours(was.WorkingHours)).Exec(sys)
}

// followShift has the occurrences of people who have a shift follow its change, which is
// CONFLICT on a field where it makes shifts of somebody overlap.
func (s *Service) followShift(ctx context.Context, of *ent.Shift, today shift.Date, field string) error {
	ids, err := holders(viewer.System(ctx), of, today)
	if err != nil {
		return err
	}
	return s.Plans.Change(ctx, of.CompanyID, ids, today, field, func(o shift.Planned) bool { return o.Shift == of.ID })
}

// holders returns the ids of the people who have a shift on a date or later.
func holders(ctx context.Context, of *ent.Shift, from shift.Date) ([]int, error) {
	db := ent.FromContext(ctx)
	assigned, err := db.ShiftAssignment.Query().
		Where(shiftassignment.ShiftID(of.ID), shiftassignment.Or(shiftassignment.EndsOnIsNil(), shiftassignment.EndsOnGTE(string(from)))).
		QueryUser().IDs(ctx)
	if err != nil {
		return nil, err
	}
	planned, err := db.EmployeeShift.Query().Where(employeeshift.ShiftID(of.ID), employeeshift.DateGTE(string(from.AddDays(-1)))).
		QueryUser().IDs(ctx)
	if err != nil {
		return nil, err
	}
	days, err := db.PlannedDay.Query().Where(plannedday.CompanyID(of.CompanyID), plannedday.DateGTE(string(from.AddDays(-1)))).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range days {
		if slices.Contains(d.ShiftIds, of.ID) {
			planned = append(planned, d.UserID)
		}
	}
	rotations, err := rotationsWith(ctx, of)
	if err != nil || len(rotations) == 0 {
		return scheduling.Sorted(append(assigned, planned...)...), err
	}
	rotated, err := db.RotationAssignment.Query().
		Where(rotationassignment.RotationIDIn(rotations...), rotationassignment.Or(rotationassignment.EndsOnIsNil(), rotationassignment.EndsOnGTE(string(from)))).
		QueryUser().IDs(ctx)
	return scheduling.Sorted(append(append(assigned, planned...), rotated...)...), err
}

// rotationsWith returns the ids of the rotations that have a shift.
func rotationsWith(ctx context.Context, of *ent.Shift) (ids []int, err error) {
	rows, err := ent.FromContext(ctx).Rotation.Query().Where(rotation.CompanyID(of.CompanyID)).All(ctx)
	for _, r := range rows {
		for _, id := range r.Days {
			if id == of.ID {
				ids = append(ids, r.ID)
				break
			}
		}
	}
	return ids, err
}

// DeleteShift deletes a shift that nothing uses.
func (s *Service) DeleteShift(ctx context.Context, id int) error {
	of, err := lockedShift(ctx, id)
	if err != nil {
		return err
	}
	db := ent.FromContext(ctx)
	sys := viewer.System(ctx)
	uses := errs.Meta{}
	rotations, err := rotationsWith(sys, of)
	if err != nil {
		return err
	}
	if len(rotations) > 0 {
		uses["rotations"] = len(rotations)
	}
	for name, count := range map[string]func(context.Context) (int, error){
		"assignments": db.ShiftAssignment.Query().Where(shiftassignment.ShiftID(id)).Count,
		"occurrences": db.EmployeeShift.Query().Where(employeeshift.ShiftID(id)).Count,
		"fallbacks":   db.FallbackShift.Query().Where(fallbackshift.ShiftID(id)).Count,
		"swaps":       db.ShiftSwap.Query().Where(shiftswap.Or(shiftswap.ShiftID(id), shiftswap.WantedShiftID(id))).Count,
	} {
		n, err := count(sys)
		if err != nil {
			return err
		}
		if n > 0 {
			uses[name] = n
		}
	}
	if n, err := plannedWith(sys, of); err != nil {
		return err
	} else if n > 0 {
		uses["plannedDays"] = n
	}
	if len(uses) > 0 {
		return errs.Conflicts(errs.InUse, "", uses)
	}
	if _, err := db.ShiftVersion.Delete().Where(shiftversion.ShiftID(id)).Exec(sys); err != nil {
		return err
	}
	if _, err := db.AllowedPlace.Delete().Where(allowedplace.ShiftID(id)).Exec(sys); err != nil {
		return err
	}
	err = db.Shift.DeleteOne(of).Exec(ctx)
	if ent.IsConstraintError(err) { // somebody used it meanwhile
		err = errs.Conflicts(errs.InUse, "", nil)
	}
	return err
}

// plannedWith returns how many planned days name a shift.
func plannedWith(ctx context.Context, of *ent.Shift) (n int, err error) {
	rows, err := ent.FromContext(ctx).PlannedDay.Query().
		Where(plannedday.CompanyID(of.CompanyID)).Select(plannedday.FieldShiftIds).Strings(ctx)
	number := regexp.MustCompile(`\b` + fmt.Sprint(of.ID) + `\b`)
	for _, ids := range rows {
		if number.MatchString(ids) {
			n++
		}
	}
	return n, err
}

// mayDefine refuses a viewer who may not change the company's shifts.
func mayDefine(ctx context.Context) error {
	me, err := viewer.Require(ctx)
	if err == nil && me.Scope("shift", "write") < viewer.All {
		err = errs.New(errs.Forbidden, nil)
	}
	return err
}

// lockDefinitions refuses a viewer who may not change the company's shifts, and keeps
// others from changing them until the transaction ends.
func lockDefinitions(ctx context.Context) error {
	if err := mayDefine(ctx); err != nil {
		return err
	}
	return organization.Lock(ctx)
}

// lockedShift returns a shift that nobody else changes until the transaction ends.
func lockedShift(ctx context.Context, id int) (*ent.Shift, error) {
	shifts := ent.FromContext(ctx).Shift.Query().Where(entShift.ID(id))
	if _, err := shifts.Clone().OnlyID(ctx); err != nil {
		return nil, err
	}
	if err := lockDefinitions(ctx); err != nil {
		return nil, err
	}
	return shifts.Only(ctx)
}

// A shiftChange holds the given members of a shift, and the version that they make.
type shiftChange struct {
	model.UpdateShiftInput
	next    scheduling.Version
	retimes bool // a member of the working time is given
	isNew   bool // margins that are not given are at most what the day has left
}

var colour = regexp.MustCompile(`^#[0-9A-Fa-f]{6}$`)

// check applies the given members to the version and returns its faults.
func (c *shiftChange) check(ctx context.Context) errs.Faults {
	var faults errs.Faults
	if name, given := c.Name.ValueOK(); given {
		c.Name = input.Given(new(input.Name(&faults, "name", name)))
	}
	if text := c.Colour.Value(); text != nil && !colour.MatchString(*text) {
		faults.Add("colour", errs.BadFormat, errs.Meta{"expected": "#1F77B4"})
	}
	if active, given := c.Active.ValueOK(); given && active == nil {
		faults.Add("active", errs.Required, nil)
	}
	c.clock(&faults, "startTime", c.StartTime, &c.next.Start)
	c.clock(&faults, "endTime", c.EndTime, &c.next.End)
	c.minutes(&faults, "opensBeforeMinutes", c.OpensBeforeMinutes, &c.next.Opens)
	c.minutes(&faults, "closesAfterMinutes", c.ClosesAfterMinutes, &c.next.Closes)
	c.minutes(&faults, "halfDayBelowMinutes", c.HalfDayBelowMinutes, &c.next.HalfDay)
	c.minutes(&faults, "absentBelowMinutes", c.AbsentBelowMinutes, &c.next.Absent)
	c.minutes(&faults, "breakMinutes", c.BreakMinutes, &c.next.BreakMinutes)
	c.minutes(&faults, "breakAfterMinutes", c.BreakAfterMinutes, &c.next.BreaksDue)
	c.grace(&faults, "lateGraceMinutes", c.LateGraceMinutes, &c.next.Late)
	c.grace(&faults, "earlyGraceMinutes", c.EarlyGraceMinutes, &c.next.Early)
	c.zone(&faults)
	c.breaks(&faults)
	if hours, given := c.WorkingHours.ValueOK(); given && hours == nil {
		faults.Add("workingHours", errs.Required, nil)
	} else if given {
		c.next.Hours, c.retimes = string(*hours), true
	}
	if len(faults) == 0 && c.isNew {
		c.fitMargins()
	}
	if len(faults) == 0 && c.retimes {
		c.checkWhole(&faults)
	}
	return faults
}

// fitMargins shortens the margins that are not given to what is left of 24 hours.
func (c *shiftChange) fitMargins() {
	v := &c.next
	left := v.Time(nil).Room()
	if !c.OpensBeforeMinutes.IsSet() {
		given := 0
		if c.ClosesAfterMinutes.IsSet() {
			given = v.Closes
		}
		v.Opens = max(0, min(v.Opens, left-given))
	}
	if !c.ClosesAfterMinutes.IsSet() {
		v.Closes = max(0, min(v.Closes, left-v.Opens))
	}
}

// checkWhole adds the faults of the version as a whole.
func (c *shiftChange) checkWhole(faults *errs.Faults) {
	v := c.next
	v.Time(nil).Check(faults)
	if v.HalfDay > 0 && v.Absent > v.HalfDay {
		faults.Add("absentBelowMinutes", errs.OutOfRange, errs.Meta{"min": 0, "max": v.HalfDay})
	}
	switch length := v.Time(nil).Minutes(); {
	case v.BreakMinutes > 0 && len(v.Breaks) > 0:
		faults.Add("breakMinutes", errs.Excludes, errs.Meta{"other": "breaks"})
	case length > 0 && v.BreakMinutes >= length:
		faults.Add("breakMinutes", errs.OutOfRange, errs.Meta{"min": 0, "max": length - 1})
	}
}

// timed names the given member that may make shifts overlap.
func (c *shiftChange) timed() string {
	switch {
	case c.StartTime.IsSet():
		return "startTime"
	case c.EndTime.IsSet():
		return "endTime"
	}
	return "timezone"
}

// clock reads a wall time.
func (c *shiftChange) clock(faults *errs.Faults, field string, member input.Omittable[*string], into *string) {
	text, given := member.ValueOK()
	if !given {
		return
	}
	if text == nil {
		faults.Add(field, errs.Required, nil)
		return
	}
	at, ok := shift.ParseClock(*text)
	if !ok {
		faults.Add(field, errs.BadFormat, errs.Meta{"expected": "08:00"})
		return
	}
	*into, c.retimes = string(at), true
}

// minutes reads a number of minutes within a day.
func (c *shiftChange) minutes(faults *errs.Faults, field string, member input.Omittable[*int], into *int) {
	n, given := member.ValueOK()
	switch {
	case !given:
		return
	case n == nil:
		faults.Add(field, errs.Required, nil)
	case *n < 0 || *n > maxGrace:
		faults.Add(field, errs.OutOfRange, errs.Meta{"min": 0, "max": maxGrace})
	default:
		*into, c.retimes = *n, true
	}
}

// grace reads a number of minutes, or null for never judged.
func (c *shiftChange) grace(faults *errs.Faults, field string, member input.Omittable[*int], into **int) {
	n, given := member.ValueOK()
	if !given {
		return
	}
	if n != nil && (*n < 0 || *n > maxGrace) {
		faults.Add(field, errs.OutOfRange, errs.Meta{"min": 0, "max": maxGrace})
		return
	}
	*into, c.retimes = n, true
}

func (c *shiftChange) zone(faults *errs.Faults) {
	name, given := c.Timezone.ValueOK()
	if !given {
		return
	}
	if name != nil {
		organization.CheckZone(faults, name)
	}
	c.next.Zone, c.retimes = name, true
}

// breaks reads the breaks.
func (c *shiftChange) breaks(faults *errs.Faults) {
	list, given := c.Breaks.ValueOK()
	if !given {
		return
	}
	if len(list) > maxBreaks {
		faults.Add("breaks", errs.TooMany, errs.Meta{"max": maxBreaks})
		return
	}
	c.next.Breaks, c.retimes = nil, true
	for i, b := range list {
		for name, text := range map[string]string{"start": b.Start, "end": b.End} {
			if _, ok := shift.ParseClock(text); !ok {
				faults.Add(fmt.Sprintf("breaks.%d.%s", i, name), errs.BadFormat, errs.Meta{"expected": "12:00"})
			}
		}
		c.next.Breaks = append(c.next.Breaks, b.Start+"-"+b.End)
	}
}

// set applies the change to a mutation of the shift.
func (c *shiftChange) set(m *ent.ShiftMutation) {
	input.Set(c.Name, m.SetName, nil)
	input.Set(c.Colour, m.SetColour, m.ClearColour)
	input.Set(c.Active, m.SetActive, nil)
	v := c.next
	if !c.retimes {
		return
	}
	if v.From != "" {
		m.SetAppliesFrom(string(v.From))
	}
	m.SetVersion(v.Number)
	m.SetStartTime(v.Start)
	m.SetEndTime(v.End)
	setOr(v.Zone, m.SetTimezone, m.ClearTimezone)
	m.SetOpensBeforeMinutes(v.Opens)
	m.SetClosesAfterMinutes(v.Closes)
	setOr(v.Late, m.SetLateGraceMinutes, m.ClearLateGraceMinutes)
	setOr(v.Early, m.SetEarlyGraceMinutes, m.ClearEarlyGraceMinutes)
	m.SetHalfDayBelowMinutes(v.HalfDay)
	m.SetAbsentBelowMinutes(v.Absent)
	m.SetBreaks(v.Breaks)
	m.SetBreakMinutes(v.BreakMinutes)
	m.SetBreakAfterMinutes(v.BreaksDue)
	m.SetWorkingHours(entShift.WorkingHours(v.Hours))
}

// setOr sets a value, or clears it where there is none.
func setOr[T any](v *T, set func(T), clear func()) {
	if v != nil {
		set(*v)
	} else {
		clear()
	}
}

// ShownBreaks returns stored breaks as GraphQL shows them.
func ShownBreaks(stored []string) []*model.ShiftBreak {
	list := []*model.ShiftBreak{}
	for _, b := range scheduling.Breaks(stored) {
		list = append(list, &model.ShiftBreak{Start: string(b.Start), End: string(b.End)})
	}
	return list
}

// FormerVersions returns what a shift was before, the latest first.
func FormerVersions(ctx context.Context, of *ent.Shift) ([]*ent.ShiftVersion, error) {
	return ent.FromContext(ctx).ShiftVersion.Query().Where(shiftversion.ShiftID(of.ID)).Order(ent.Desc(shiftversion.FieldAppliesFrom)).All(ctx)
}
