package correction

import (
	"context"
	"slices"

	"workforce/ent"
	"workforce/ent/address"
	entAttendance "workforce/ent/attendance"
	entCorrection "workforce/ent/correction"
	"workforce/graph/model"
	"workforce/internal/app/approval"
	"workforce/internal/app/audit"
	"workforce/internal/app/input"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/revision"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A decision is what somebody says about requests.
type decision struct {
	approve bool
	note    string
}

// Decide approves or refuses one request.
func (s *Service) Decide(ctx context.Context, id int, in model.DecideInput) error {
	var faults errs.Faults
	d := decision{in.Approve, input.Line(&faults, "note", in.Note.Value(), tx.MaxNote)}
	if err := faults.Err(); err != nil {
		return err
	}
	b, err := s.load(ctx, []int{id}, d)
	if err == nil {
		err = s.decideOne(ctx, b, id, d)
	}
	if err != nil {
		return err
	}
	return s.attendanceChanged(ctx, b.changed)
}

// DecideMany approves or refuses many requests, and answers for each. What it reads does not grow
// with their number; what it writes does.
func (s *Service) DecideMany(
	ctx context.Context, in model.DecideCorrectionsInput,
) (out []*model.Decided, err error) {
	b, d := &batch{}, decision{approve: in.Approve}
	out, err = tx.EachOf(ctx, in.Ids, in.Note.Value(), func(ctx context.Context, ids []int) (err error) {
		d.note = input.Line(new(errs.Faults), "note", in.Note.Value(), tx.MaxNote) // which is short enough
		b, err = s.load(ctx, ids, d)
		return err
	}, func(ctx context.Context, id int) error {
		return s.decideOne(ctx, b, id, d)
	})
	if err != nil {
		return nil, err
	}
	return out, s.attendanceChanged(ctx, b.changed)
}

// A batch is the requests of a decision with the rows that they refer to.
type batch struct {
	requests    map[int]*ent.Correction
	people      map[int]*ent.User
	attendances []*ent.Attendance // of the people, that may overlap
	sites       map[int]*ent.Address
	refused     map[int]error
	changed     []corrected // by what was approved
}

// load reads requests and what they refer to, and locks the rows of their people.
func (s *Service) load(ctx context.Context, ids []int, d decision) (*batch, error) {
	if _, err := viewer.Require(ctx); err != nil {
		return nil, err
	}
	b := &batch{requests: map[int]*ent.Correction{}, refused: map[int]error{}, sites: map[int]*ent.Address{}}
	found, err := ent.FromContext(ctx).Correction.Query().Where(entCorrection.IDIn(ids...)).All(ctx)
	if err != nil {
		return nil, err
	}
	var people []int
	for _, c := range found {
		b.requests[c.ID] = c
		people = append(people, c.UserID)
	}
	if b.people, _, err = approval.Decided(ctx, people, resource); err != nil {
		return nil, err
	}
	people = nil
	for _, id := range ids {
		switch c := b.requests[id]; {
		case c == nil:
			b.refused[id] = errs.New(errs.NotFound, nil)
		case b.people[c.UserID] == nil:
			b.refused[id] = errs.New(errs.Forbidden, nil)
		default:
			people = append(people, c.UserID)
		}
	}
	if people = scheduling.Sorted(people...); len(people) == 0 {
		return b, nil
	}
	company := viewer.From(ctx).CompanyID
	if err := scheduling.Lock(viewer.System(ctx), company, people); err != nil {
		return nil, err
	}
	return b, s.loadLocked(ctx, b, company, ids, people, d)
}

// loadLocked reads again what may have changed before the rows of the people were locked.
func (s *Service) loadLocked(ctx context.Context, b *batch, company int, ids, people []int, d decision) error {
	found, err := ent.FromContext(ctx).Correction.Query().Where(entCorrection.IDIn(ids...), entCorrection.UserIDIn(people...)).WithEmployeeShift().All(viewer.System(ctx))
	if err != nil || !d.approve {
		for _, c := range found {
			b.requests[c.ID] = c
		}
		return err
	}
	var covers shift.Interval
	var sites []int
	for _, c := range found {
		b.requests[c.ID] = c
		if covers.Start.IsZero() || c.CoversFrom.Before(covers.Start) {
			covers.Start = c.CoversFrom
		}
		if c.CoversUntil.After(covers.End) {
			covers.End = c.CoversUntil
		}
		if c.AddressID != nil {
			sites = append(sites, *c.AddressID)
		}
	}
	covers.Start, covers.End = covers.Start.Add(-2*timesheet.Longest), covers.End.Add(2*timesheet.Longest) // whatever it was before
	if b.attendances, err = s.attendancesOf(ctx, company, people, covers); err != nil || len(sites) == 0 {
		return err
	}
	all, err := ent.FromContext(ctx).Address.Query().Where(address.IDIn(scheduling.Sorted(sites...)...)).All(viewer.System(ctx))
	for _, a := range all {
		b.sites[a.ID] = a
	}
	return err
}

// of returns the attendances of a person.
func (b *batch) of(user int) (list []*ent.Attendance) {
	for _, a := range b.attendances {
		if a.UserID == user {
			list = append(list, a)
		}
	}
	return list
}

// decideOne decides about one request of a batch. What the batch has of attendances stays as it was
// where that is refused.
func (s *Service) decideOne(ctx context.Context, b *batch, id int, d decision) error {
	if err := b.refused[id]; err != nil {
		return err
	}
	c, before := b.requests[id], slices.Clone(b.attendances)
	if err := s.writeDecision(ctx, b, c, d); err != nil {
		b.attendances = before
		return err
	}
	if d.approve {
		b.changed = append(b.changed, corrected{c.UserID, c.EmployeeShiftID, c.Date})
	}
	return nil
}

// writeDecision writes a decision about a request of a batch, and tells who asked.
func (s *Service) writeDecision(ctx context.Context, b *batch, c *ent.Correction, d decision) error {
	if err := s.Desk.Past(string(c.State), c.ExpiresAt); err != nil {
		return err
	}
	if err := s.unlocked(ctx, b.people[c.UserID], c); err != nil {
		return err
	}
	update := ent.FromContext(ctx).Correction.Update()
	state, kind := entCorrection.StateRefused, message.CorrectionRefused
	if d.approve {
		state, kind = entCorrection.StateApproved, message.CorrectionApproved
		if err := s.approve(ctx, b, c, update); err != nil {
			return err
		}
	}
	if d.note != "" {
		update.SetDecisionNote(d.note)
	}
	n, err := update.Where(entCorrection.ID(c.ID), entCorrection.StateEQ(entCorrection.StatePending)).SetState(state).
		SetDecidedBy(viewer.From(ctx).UserID).SetDecidedAt(s.Now()).Save(viewer.System(ctx))
	if err != nil {
		return err
	}
	if n == 0 { // nobody can: the row of the person is locked
		return &errs.Error{Code: errs.Internal}
	}
	return s.Desk.Tell(ctx, kind, c.UserID, c.Date, d.note)
}

// unlocked refuses a request about a date that is locked.
func (s *Service) unlocked(ctx context.Context, u *ent.User, c *ent.Correction) error {
	today := s.Desk.Plans.Today(shift.ZoneNamed(viewer.From(ctx).Timezone))
	return approval.CheckLock(ctx, resource, u, today, "", shift.Date(c.Date))
}

// approve changes or adds the attendance of a request, and keeps both versions.
func (s *Service) approve(ctx context.Context, b *batch, c *ent.Correction, update *ent.CorrectionUpdate) error {
	i := slices.IndexFunc(b.attendances, func(a *ent.Attendance) bool { return c.AttendanceID != nil && a.ID == *c.AttendanceID })
	var before revision.Version
	zone := ""
	if i >= 0 {
		before, zone = versionOf(b.attendances[i]), b.attendances[i].ClockedInZone
	} else {
		if !c.Adds {
			return errs.Conflicts(errs.ChangedMeanwhile, "", nil)
		}
		zone = c.Edges.EmployeeShift.Timezone
	}
	after := revision.Change{In: c.ClockInAt, Out: c.ClockOutAt, AddressID: c.AddressID}.Apply(before, shift.ZoneNamed(zone), s.Now())
	late := after.Out != nil && (!after.Out.At.After(after.In.At) || after.Out.At.Sub(after.In.At) > timesheet.Longest)
	if late { // the attendance is another than when this was asked
		return errs.Conflicts(errs.ChangedMeanwhile, "", nil)
	}
	if err := checkOverlap(b.of(c.UserID), c.AttendanceID, after, ""); err != nil {
		return err
	}
	a, err := s.write(ctx, b, c, i, after)
	if err != nil {
		return err
	}
	update.SetAttendanceID(a.ID).SetBefore(before).SetAfter(after)
	return s.record(ctx, audit.AttendanceCorrected, a.ID, c, before, after)
}

// write writes the version of an attendance, that of a batch at i, or a new one for -1.
func (s *Service) write(ctx context.Context, b *batch, c *ent.Correction, i int, v revision.Version) (*ent.Attendance, error) {
	if i < 0 {
		a, err := s.add(ctx, c, b.sites[v.AddressID], v)
		if err == nil {
			a.OpenMarker = nil
			b.attendances = append(b.attendances, a)
		}
		return a, err
	}
	a, err := change(ctx, b.attendances[i], v)
	if err == nil {
		b.attendances[i] = a
	}
	return a, err
}

// change makes an attendance what a version says. CONFLICT where it would be open while
// another one is.
func change(ctx context.Context, a *ent.Attendance, v revision.Version) (*ent.Attendance, error) {
	ctx = viewer.System(ctx)
	update := ent.FromContext(ctx).Attendance.UpdateOneID(a.ID)
	setVersion(update.Mutation(), v)
	a, err := update.Save(ctx)
	if ent.IsConstraintError(err) {
		err = errs.Conflicts(errs.Overlap, "", nil)
	}
	return a, err
}

// record records in the audit how an attendance changed, and tells who listens.
func (s *Service) record(ctx context.Context, action string, id int, c *ent.Correction, before, after revision.Version) error {
	s.Live.AttendanceChanged(ctx, c.CompanyID, id, c.UserID)
	return s.Audit.Record(ctx, audit.Event{
		Action: action, Company: c.CompanyID, Subject: ent.TypeAttendance, ID: id, Actor: viewer.From(ctx).UserID,
		Facts: map[string]any{"correctionId": c.ID, "before": before, "after": after},
	})
}

// Cancel takes a request back: one that waits, or one that was approved, whose attendance
// becomes what it was before.
func (s *Service) Cancel(ctx context.Context, id int) error {
	me, err := viewer.Require(ctx)
	if err != nil {
		return err
	}
	c, err := ent.FromContext(ctx).Correction.Query().Where(entCorrection.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	var u *ent.User
	if c.UserID != me.UserID {
		if u, err = approval.One(ctx, c.UserID, resource); err != nil {
			return err
		}
	}
	if err := scheduling.Lock(viewer.System(ctx), me.CompanyID, []int{c.UserID}); err != nil {
		return err
	}
	if c, err = ent.FromContext(ctx).Correction.Query().Where(entCorrection.ID(id)).Only(ctx); err != nil {
		return err
	}
	if c.State == entCorrection.StatePending && u != nil { // who decides refuses it
		return errs.New(errs.Forbidden, nil)
	}
	if c.State != entCorrection.StateApproved {
		if err := s.Desk.Past(string(c.State), c.ExpiresAt); err != nil {
			return err
		}
	}
	if err := s.unlocked(ctx, u, c); err != nil {
		return err
	}
	if c.State == entCorrection.StateApproved {
		if err := s.revert(ctx, c); err != nil {
			return err
		}
	}
	return ent.FromContext(ctx).Correction.UpdateOneID(id).SetState(entCorrection.StateCancelled).SetDecidedBy(me.UserID).SetDecidedAt(s.Now()).Exec(viewer.System(ctx))
}

// revert makes the attendance of an approved request what it was before, unless it has
// changed since.
func (s *Service) revert(ctx context.Context, c *ent.Correction) error {
	list, err := s.attendancesOf(ctx, c.CompanyID, []int{c.UserID}, wide(c))
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(a *ent.Attendance) bool { return c.AttendanceID != nil && a.ID == *c.AttendanceID })
	if i < 0 || !versionOf(list[i]).Equal(c.After) {
		return errs.Conflicts(errs.ChangedMeanwhile, "", nil)
	}
	id := list[i].ID
	if c.Adds {
		err = s.remove(ctx, id)
	} else if err = checkOverlap(list, &id, c.Before, ""); err == nil {
		_, err = change(ctx, list[i], c.Before)
	}
	if err != nil {
		return err
	}
	if err := s.record(ctx, audit.CorrectionReverted, id, c, c.After, c.Before); err != nil {
		return err
	}
	return s.attendanceChanged(ctx, []corrected{{c.UserID, c.EmployeeShiftID, c.Date}})
}

// wide returns the time that both versions of a correction cover.
func wide(c *ent.Correction) shift.Interval {
	out := c.After.Covers(timesheet.Longest)
	if !c.Before.Exists() {
		return out
	}
	before := c.Before.Covers(timesheet.Longest)
	if before.Start.Before(out.Start) {
		out.Start = before.Start
	}
	if before.End.After(out.End) {
		out.End = before.End
	}
	return out
}

// remove deletes an attendance that a correction added. CONFLICT while another request
// about it waits.
func (s *Service) remove(ctx context.Context, id int) error {
	ctx = viewer.System(ctx)
	db := ent.FromContext(ctx)
	waits, err := db.Correction.Query().Where(entCorrection.AttendanceID(id), entCorrection.StateEQ(entCorrection.StatePending), entCorrection.ExpiresAtGT(s.Now())).Exist(ctx)
	if err != nil {
		return err
	}
	if waits {
		return errs.Conflicts(errs.AlreadyRequested, "", nil)
	}
	if err := db.Correction.Update().Where(entCorrection.AttendanceID(id)).ClearAttendanceID().Exec(ctx); err != nil {
		return err
	}
	_, err = db.Attendance.Delete().Where(entAttendance.ID(id)).Exec(ctx)
	return err
}
