package timeentry

import (
	"context"
	"slices"
	"strconv"
	"time"

	"entgo.io/ent/dialect/sql/sqlgraph"

	"workforce/ent"
	entPosition "workforce/ent/position"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/graph/model"
	"workforce/internal/app/approval"
	"workforce/internal/app/input"
	"workforce/internal/app/policysql"
	"workforce/internal/booking"
	"workforce/internal/errs"
	"workforce/internal/geofence"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A draft is an entry that is to be booked: with both ends, a start alone, which runs, or
// neither.
type draft struct {
	start, end *time.Time // in whole seconds
	note       string
	tags       []string
	place      *geofence.Point
}

// Create books time, and returns the entry.
func (s *Service) Create(ctx context.Context, in model.CreateTimeEntryInput) (*ent.TimeEntry, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	var faults errs.Faults
	w, d := readCreateInput(&faults, in)
	id, err := input.Person(me, "userId", in.UserID.Value())
	if err != nil {
		return nil, err
	}
	return s.create(ctx, me, id, faults, w, d)
}

// readCreateInput returns what an entry is asked to be, and adds its faults but those of its instants.
func readCreateInput(faults *errs.Faults, in model.CreateTimeEntryInput) (work, draft) {
	w := work{taskID: in.TaskID.Value(), projectID: in.ProjectID.Value(), categoryID: in.CategoryID.Value()}
	w.check(faults, in.Title.Value())
	return w, draft{
		start: whole(in.StartAt.Value()), end: whole(in.EndAt.Value()),
		note: input.Text(faults, "note", in.Note.Value(), maxNote), tags: tagsOf(faults, in.Tags.Value()),
		place: input.OptionalPosition(faults, in.Latitude.Value(), in.Longitude.Value()),
	}
}

// create books time of a person, unless there are faults.
func (s *Service) create(ctx context.Context, me *viewer.Viewer, userID int, faults errs.Faults, w work, d draft) (*ent.TimeEntry, error) {
	if len(faults) > 0 { // all that is wrong is told at once
		(&change{Service: s, me: me, rules: booking.RulesOf(me.Settings), now: s.Now().Truncate(time.Second)}).checkTimes(&faults, d.start, d.end)
		return nil, faults.Err()
	}
	other, err := changeable(ctx, me, "userId", userID)
	if err != nil {
		return nil, err
	}
	c, err := s.begin(ctx, me, userID, other)
	if err != nil {
		return nil, err
	}
	c.checkTimes(&faults, d.start, d.end)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return c.book(ctx, w, d)
}

// checkTimes adds the faults of an entry's instants.
func (c *change) checkTimes(faults *errs.Faults, start, end *time.Time) {
	c.rules.Check(faults, start, end, c.now)
	c.checkNow(faults, start, end)
}

// checkNow adds the faults of instants that are set: where people book by timers alone, those who
// do not write the time of others name no other instants than now.
func (c *change) checkNow(faults *errs.Faults, start, end *time.Time) {
	if !c.rules.Timers || c.me.Scope(resource, "write") > viewer.Own {
		return
	}
	const off = 2 * time.Minute // of phones
	for i, at := range []*time.Time{start, end} {
		if at != nil && at.Before(c.now.Add(-off)) {
			faults.Add([]string{"startAt", "endAt"}[i], errs.OutOfRange, errs.Meta{"min": c.now.Add(-off).Format(time.RFC3339), "max": c.now.Format(time.RFC3339)})
		}
	}
}

// book writes a new entry with what follows from it, and returns it with its task. NOT_CLOCKED_IN for
// a timer of who is not, where the company has people clock in first.
func (c *change) book(ctx context.Context, w work, d draft) (*ent.TimeEntry, error) {
	if err := w.checkNamed(ctx); err != nil {
		return nil, err
	}
	if w.taskID == nil {
		t, err := c.taskOf(ctx, w)
		if err != nil {
			return nil, err
		}
		w.taskID = &t.ID
	}
	e := &ent.TimeEntry{
		CompanyID: c.me.CompanyID, UserID: c.user, Timezone: c.zone, Kind: entTimeEntry.KindBooked, Tags: d.tags, CreatedAt: c.now, UpdatedAt: c.now,
	}
	c.setTimes(e, d.start, d.end)
	dates := c.datesOf(e)
	g, err := c.readGround(ctx, e, *w.taskID, w.projectID, dates)
	if err != nil {
		return nil, err
	}
	t, err := w.on(g.task)
	if err != nil {
		return nil, err
	}
	e.TaskID, e.ProjectID, e.CategoryID = t.task.ID, t.projectID, t.categoryID
	if err := c.run(ctx, e); err != nil {
		return nil, err
	}
	if err := g.bookable(e.ProjectID, dates); err != nil {
		return nil, err
	}
	if err := c.checkPeriods("", dates); err != nil {
		return nil, err
	}
	if err := checkWeek("", g.week); err != nil {
		return nil, err
	}
	if err := c.checkOverlap(ctx, e); err != nil {
		return nil, err
	}
	if e.AddressID = g.site; e.Slot != nil {
		e.Kind = entTimeEntry.KindTimer
		if g.site == nil && c.rules.OnDuty {
			return nil, errs.New(errs.NotClockedIn, nil)
		}
	}
	if d.note != "" {
		e.Note = &d.note
	}
	if d.place != nil {
		e.Latitude, e.Longitude = &d.place.Lat, &d.place.Lng
		if err := keepPosition(ctx, c, *d.place); err != nil {
			return nil, err
		}
	}
	if err := insert(ctx, e); err != nil {
		return nil, err
	}
	if e.Slot != nil {
		c.running = append(c.running, e)
	}
	c.audited(nil, e)
	c.sums.add(e, 1)
	c.sums.tasks[t.task.ID].addTo(t.task)
	e.Edges.Task = t.task
	return ent.FromContext(ctx).TimeEntry.Own(e), c.finish(ctx)
}

// setTimes sets when an entry was worked, and what follows from it but the slot of one that begins
// to run.
func (c *change) setTimes(e *ent.TimeEntry, start, end *time.Time) {
	e.StartedAt, e.EndedAt = start, end
	if start == nil {
		e.Slot, e.Seconds = nil, 0
		if e.Date == "" {
			e.Date = string(timesheet.DateOf(c.now, shift.ZoneNamed(e.Timezone)))
		}
		e.LastDate = e.Date
		return
	}
	e.Date = string(timesheet.DateOf(*start, shift.ZoneNamed(e.Timezone)))
	e.LastDate = string(lastDate(*start, end, e.Timezone))
	if end != nil {
		e.Slot, e.Seconds = nil, SpanOf(e).Seconds(c.now)
		return
	}
	e.Seconds = 0
}

// run gives an entry that begins to run its slot, and stops others.
func (c *change) run(ctx context.Context, e *ent.TimeEntry) error {
	if e.StartedAt == nil || e.EndedAt != nil || e.Slot != nil {
		return nil
	}
	slot, err := c.makeRoom(ctx, *e.StartedAt)
	e.Slot = &slot
	return err
}

// checkOverlap returns CONFLICT with another entry of the person that covers time of an entry,
// where the company has none overlap.
func (c *change) checkOverlap(ctx context.Context, e *ent.TimeEntry) error {
	if c.rules.Overlap || e.StartedAt == nil {
		return nil
	}
	p := c.datesOf(e)
	near, err := ent.FromContext(ctx).TimeEntry.Query().
		Where(entTimeEntry.CompanyID(c.me.CompanyID), entTimeEntry.UserID(c.user), entTimeEntry.DateLTE(string(p.To)), entTimeEntry.LastDateGTE(string(p.From)), entTimeEntry.StartedAtNotNil()).
		All(viewer.System(ctx))
	if err != nil {
		return err
	}
	other, found := booking.Overlapping(SpanOf(e), spans(near), c.now)
	if !found {
		return nil
	}
	return errs.Conflicts(errs.Overlap, "startAt", errs.Meta{"timeEntry": strconv.Itoa(other.ID)})
}

// keepPosition adds where time was booked to the person's positions, as clock events do. Another
// of the same instant was kept already.
func keepPosition(ctx context.Context, c *change, at geofence.Point) error {
	_, err := policysql.Insert(ctx, entPosition.Table,
		policysql.Set(entPosition.FieldCompanyID, c.me.CompanyID), policysql.Set(entPosition.FieldUserID, c.user),
		policysql.Set(entPosition.FieldRecordedAt, c.now), policysql.Set(entPosition.FieldReceivedAt, c.now),
		policysql.Set(entPosition.FieldLatitude, at.Lat), policysql.Set(entPosition.FieldLongitude, at.Lng),
		policysql.Set(entPosition.FieldSource, string(entPosition.SourceTask)),
	)
	if sqlgraph.IsUniqueConstraintError(err) {
		return nil
	}
	return err
}

// Delete removes an entry.
func (s *Service) Delete(ctx context.Context, id int) error {
	c, e, err := s.open(ctx, id)
	if err != nil {
		return err
	}
	if err := c.checkLocks(ctx, "", c.datesOf(e)); err != nil {
		return err
	}
	needed, err := undeletable(ctx, e)
	if err != nil {
		return err
	}
	if needed[0] {
		return errs.Conflicts(errs.Corrected, "", errs.Meta{"state": "corrected"})
	}
	if _, err := ent.FromContext(ctx).TimeEntry.Delete().Where(entTimeEntry.ID(id)).Exec(viewer.System(ctx)); err != nil {
		return err
	}
	c.drop(e)
	c.sums.add(e, -1)
	return c.finish(ctx)
}

// maxDeleted is how many entries are deleted at once.
const maxDeleted = 100

// DeleteAll removes entries, and answers for each.
func (s *Service) DeleteAll(ctx context.Context, ids []int) ([]*model.DeletedTimeEntry, error) {
	if _, err := viewer.Require(ctx); err != nil {
		return nil, err
	}
	switch {
	case len(ids) == 0:
		return nil, errs.Because("ids", errs.Required, nil)
	case len(ids) > maxDeleted:
		return nil, errs.Because("ids", errs.TooMany, errs.Meta{"max": maxDeleted})
	}
	code, err := s.deleteOf(ctx, ids)
	out := make([]*model.DeletedTimeEntry, len(ids))
	for i, id := range ids {
		out[i] = &model.DeletedTimeEntry{ID: id, Deleted: code[id] == ""}
		if code[id] != "" {
			out[i].Code = new(code[id].String())
		}
	}
	return out, err
}

// deleteOf removes those of some entries that the viewer may, and returns the codes of the
// others. Its statements grow with the people, tasks and projects of the entries, not with the
// entries.
func (s *Service) deleteOf(ctx context.Context, ids []int) (map[int]errs.Code, error) {
	code, of := map[int]errs.Code{}, map[int][]int{}
	for _, id := range ids {
		code[id] = errs.NotFound
	}
	seen, err := ent.FromContext(ctx).TimeEntry.Query().Where(entTimeEntry.IDIn(ids...)).Order(ent.Asc(entTimeEntry.FieldUserID, entTimeEntry.FieldID)).All(ctx)
	if err != nil {
		return nil, err
	}
	var people []int
	for _, e := range seen {
		if of[e.UserID] == nil {
			people = append(people, e.UserID)
		}
		of[e.UserID] = append(of[e.UserID], e.ID)
	}
	me := viewer.From(ctx)
	for _, user := range people {
		other, err := changeable(ctx, me, "ids", user)
		if refusal := errs.CodeOf(err); err != nil && (refusal == errs.Forbidden || refusal == errs.NotFound) {
			for _, id := range of[user] {
				code[id] = refusal
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		c, err := s.begin(ctx, me, user, other)
		if err != nil {
			return nil, err
		}
		if err := c.deleteAll(ctx, of[user], code); err != nil {
			return nil, err
		}
	}
	return code, nil
}

// deleteAll removes those of a person's entries that are neither locked nor needed, and sets the
// codes of all.
func (c *change) deleteAll(ctx context.Context, ids []int, code map[int]errs.Code) error {
	list, err := ent.FromContext(ctx).TimeEntry.Query().Where(entTimeEntry.IDIn(ids...)).All(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	needed, err := undeletable(ctx, list...)
	if err != nil {
		return err
	}
	kept, err := locked(ctx, c, list)
	if err != nil {
		return err
	}
	var free []int
	for i, e := range list {
		if kept[i] || needed[i] {
			code[e.ID] = errs.Conflict
			continue
		}
		delete(code, e.ID)
		free = append(free, e.ID)
		c.drop(e)
		c.sums.add(e, -1)
	}
	if _, err := ent.FromContext(ctx).TimeEntry.Delete().Where(entTimeEntry.IDIn(free...)).Exec(viewer.System(ctx)); err != nil {
		return err
	}
	return c.finish(ctx)
}

// locked returns which entries of the person have a locked date.
func locked(ctx context.Context, c *change, list []*ent.TimeEntry) ([]bool, error) {
	periods, out := make([]timesheet.Period, len(list)), make([]bool, len(list))
	for i, e := range list {
		periods[i] = c.datesOf(e)
		out[i] = approval.CheckLockOf(c.me, resource, c.other, c.today(), "", periods[i].Dates()...) != nil
	}
	weeks, err := weeksOf(ctx, c, periods)
	for i, p := range periods {
		out[i] = out[i] || slices.ContainsFunc(weeks, func(w *ent.TimeWeek) bool { return periodOf(w).Overlaps(p) })
	}
	return out, err
}

// Correct corrects a locked entry by another one, and returns the id of that.
func (s *Service) Correct(ctx context.Context, id int, in model.CorrectTimeEntryInput) (int, error) {
	var faults errs.Faults
	note := input.Text(&faults, "note", &in.Note, maxNote)
	if note == "" {
		faults.Add("note", errs.Required, nil)
	}
	if in.Seconds == 0 {
		faults.Add("seconds", errs.Required, nil)
	}
	if err := faults.Err(); err != nil {
		return 0, err
	}
	c, e, err := s.open(ctx, id)
	if err != nil {
		return 0, err
	}
	if err := correctable(ctx, c, e, in.Seconds); err != nil {
		return 0, err
	}
	date := timesheet.DateOf(c.now, shift.ZoneNamed(c.zone))
	if d := in.Date.Value(); d != nil {
		if shift.Date(*d) > date {
			return 0, errs.Because("date", errs.OutOfRange, errs.Meta{"min": "1000-01-01", "max": string(date)})
		}
		date = shift.Date(*d)
	}
	if err := c.checkLocks(ctx, "date", timesheet.Period{From: date, To: date}); err != nil {
		return 0, err
	}
	made, err := ent.FromContext(ctx).TimeEntry.Create().SetCompanyID(c.me.CompanyID).SetUserID(c.user).SetTaskID(e.TaskID).
		SetNillableProjectID(e.ProjectID).SetNillableCategoryID(e.CategoryID).SetNillableAddressID(e.AddressID).
		SetKind(entTimeEntry.KindCorrection).SetSeconds(in.Seconds).SetDate(string(date)).SetLastDate(string(date)).SetTimezone(c.zone).
		SetTags(e.Tags).SetNote(note).SetCorrectsID(e.ID).SetCreatedAt(c.now).SetUpdatedAt(c.now).Save(viewer.System(ctx))
	if err != nil {
		return 0, err
	}
	c.sums.add(made, 1)
	return made.ID, c.finish(ctx)
}

// correctable returns an error for an entry that is not corrected by so many seconds: CONFLICT
// unless it has ended and is locked.
func correctable(ctx context.Context, c *change, e *ent.TimeEntry, seconds int) error {
	if e.Kind == entTimeEntry.KindCorrection || e.EndedAt == nil {
		return errs.Conflicts(errs.State, "", errs.Meta{"state": "open"})
	}
	switch err := c.checkLocks(ctx, "", c.datesOf(e)); {
	case err == nil:
		return errs.Conflicts(errs.NotLocked, "", errs.Meta{"state": "open"})
	case !errs.Is(err, errs.Conflict):
		return err
	}
	left, _, err := remainingSeconds(ctx, e)
	if err != nil {
		return err
	}
	if least, most := booking.Correction(left[e.ID]); seconds < least || seconds > most {
		return errs.Because("seconds", errs.OutOfRange, errs.Meta{"min": least, "max": most})
	}
	return nil
}

// corrects returns the entry that an entry corrects, or its own id.
func corrects(e *ent.TimeEntry) int {
	if e.CorrectsID != nil {
		return *e.CorrectsID
	}
	return e.ID
}

// remainingSeconds returns, by the id of the corrected entry, the seconds of entries with all their
// corrections, and whether they have any.
func remainingSeconds(ctx context.Context, list ...*ent.TimeEntry) (
	seconds map[int]int, corrected map[int]bool, err error,
) {
	ids := make([]int, len(list))
	for i, e := range list {
		ids[i] = corrects(e)
	}
	all, err := ent.FromContext(ctx).TimeEntry.Query().Where(entTimeEntry.Or(entTimeEntry.IDIn(ids...), entTimeEntry.CorrectsIDIn(ids...))).
		Select(entTimeEntry.FieldID, entTimeEntry.FieldCorrectsID, entTimeEntry.FieldSeconds).All(viewer.System(ctx))
	seconds, corrected = map[int]int{}, map[int]bool{}
	for _, e := range all {
		seconds[corrects(e)] += e.Seconds
		corrected[corrects(e)] = corrected[corrects(e)] || e.CorrectsID != nil
	}
	return seconds, corrected, err
}

// undeletable reports, for each entry, whether its deletion is refused: it has corrections, or without
// it the seconds of its entry would be negative.
func undeletable(ctx context.Context, list ...*ent.TimeEntry) ([]bool, error) {
	remaining, corrected, err := remainingSeconds(ctx, list...)
	out := make([]bool, len(list))
	for i, e := range list {
		rest := remaining[corrects(e)] - e.Seconds
		if e.CorrectsID == nil {
			out[i] = corrected[e.ID]
		} else if out[i] = rest < 0; !out[i] {
			remaining[*e.CorrectsID] = rest
		}
	}
	return out, err
}

// isSet reports whether a member is given, null or not.
func isSet[T any](o input.Omittable[T]) bool {
	_, ok := o.ValueOK()
	return ok
}
