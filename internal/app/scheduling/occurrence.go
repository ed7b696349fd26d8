package scheduling

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/clockstate"
	entCorrection "workforce/ent/correction"
	"workforce/ent/employeeshift"
	"workforce/ent/user"
	"workforce/internal/app/job"
	"workforce/internal/app/policysql"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

const (
	// making is the kind of jobs that make occurrences when something changed.
	making = "make_occurrences"
	// batch is of how many people a job makes occurrences in one transaction, which holds
	// SQLite's writer.
	batch = 100
	// Written is how many occurrences one statement names.
	Written = 500
	// rowsAtOnce is how many one statement writes, which is short enough to be kept prepared.
	rowsAtOnce = 100
)

// reach returns the dates for which occurrences are made now: from yesterday until 14
// days after today, in whichever zone.
func (s *Planner) reach() (first, last shift.Date) {
	return s.Today(time.UTC).AddDays(-2), Last(s.Now())
}

// Last returns the last date for which occurrences are made at an instant.
func Last(now time.Time) shift.Date { return shift.DateOf(now, time.UTC).AddDays(1 + ahead) }

// Until returns the date until which a person's occurrences must have been made, for
// their day to be known: the day after tomorrow in UTC, tomorrow in any zone.
func Until(now time.Time) shift.Date { return shift.DateOf(now, time.UTC).AddDays(2) }

// Ensure makes the occurrences of a person of a company, unless that was done.
func (s *Planner) Ensure(ctx context.Context, company, userID int) error {
	return s.inTransaction(viewer.System(ctx), func(ctx context.Context) error {
		return s.makeMissing(ctx, company, []int{userID})
	})
}

// daily is the periodic job that makes the occurrences of everybody.
func (s *Planner) daily() job.Kind {
	return job.Kind{Name: "occurrences", Every: time.Hour, Run: func(ctx context.Context, r *job.Run) error {
		return s.makeDue(ctx, r, 0)
	}}
}

// making are the jobs that make the occurrences of people of a company for whom
// something changed.
func (s *Planner) making() job.Kind {
	return job.Kind{Name: making, Run: func(ctx context.Context, r *job.Run) error { return s.makeDue(ctx, r, r.Company) }}
}

// makeDue makes the occurrences of all active people who lack any, of one company or, with
// 0, of all.
func (s *Planner) makeDue(ctx context.Context, r *job.Run, company int) error {
	for {
		more := false
		err := r.Commit(ctx, func(ctx context.Context) error {
			_, last := s.reach()
			of, ids, err := due(ctx, company, last)
			if err != nil || len(ids) == 0 {
				return err
			}
			more = true
			return s.makeMissing(ctx, of, ids)
		})
		if err != nil || !more {
			return err
		}
	}
}

// due returns the next active people, all of one company, whose occurrences are not made
// until a date: of a company or, with 0, of any.
func due(ctx context.Context, company int, last shift.Date) (of int, ids []int, err error) {
	q := policysql.New(ctx)
	q.Add("SELECT c.company_id, c.user_id FROM clock_states c WHERE (c.planned_until IS NULL OR c.planned_until < ?)", string(last))
	if company != 0 {
		q.Add(" AND c.company_id = ?", company)
	}
	q.Add(" AND EXISTS (SELECT 1 FROM users u WHERE u.id = c.user_id AND u.active) ORDER BY c.company_id, c.user_id LIMIT ?", batch)
	err = q.Each(func(scan policysql.Scan) error {
		company, id := 0, 0
		if err := scan(&company, &id); err != nil {
			return err
		}
		if len(ids) == 0 {
			of = company
		}
		if company == of {
			ids = append(ids, id)
		}
		return nil
	})
	return of, ids, err
}

// makeMissing creates the missing occurrences of people of a company, and locks their rows. ctx must
// hold a transaction and the system's viewer. People for whom that was done are skipped.
func (s *Planner) makeMissing(ctx context.Context, company int, ids []int) error {
	if err := Lock(ctx, company, ids); err != nil {
		return err
	}
	first, last := s.reach()
	ids, err := ent.FromContext(ctx).ClockState.Query().
		Where(clockstate.UserIDIn(ids...), clockstate.Or(clockstate.PlannedUntilIsNil(), clockstate.PlannedUntilLT(string(last)))).
		Order(ent.Asc(clockstate.FieldUserID)).QueryUser().Where(user.Active(true)).IDs(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	people, table, err := Load(ctx, company, ids, first.AddDays(-1))
	if err != nil {
		return err
	}
	stored, err := ReadStored(ctx, ids, first.AddDays(-1), last.AddDays(1))
	if err != nil {
		return err
	}
	var made []*ent.EmployeeShift
	var drop []int
	zones := map[string][]int{}
	for _, id := range ids {
		p := people[id]
		write, gone := Follow(p, table, stored[id], first, last, s.Now())
		drop = append(drop, gone...)
		for _, o := range write {
			made = append(made, table.Occurrence(company, p, o))
		}
		zones[p.Zone] = append(zones[p.Zone], id)
	}
	if err := Store(ctx, made, drop); err != nil {
		return err
	}
	for zone, ids := range zones {
		update := ent.FromContext(ctx).ClockState.Update().Where(clockstate.UserIDIn(ids...)).SetPlannedUntil(string(last))
		if zone == "" {
			update.ClearTimezone()
		} else {
			update.SetTimezone(zone)
		}
		if err := update.Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Store writes occurrences, in the place of those that there are, and removes others.
func Store(ctx context.Context, made []*ent.EmployeeShift, drop []int) (err error) {
	defer errs.Step(&err, "scheduling: store occurrences")
	for part := range slices.Chunk(drop, Written) {
		if _, err := ent.FromContext(ctx).EmployeeShift.Delete().Where(employeeshift.IDIn(part...)).Exec(ctx); err != nil {
			return err
		}
	}
	for part := range slices.Chunk(made, rowsAtOnce) {
		cells := make([]any, 0, len(part)*len(Columns))
		for _, o := range part {
			cells = AppendCells(cells, o)
		}
		if err := occurrenceUpsert.Exec(ctx, ent.FromContext(ctx), cells...); err != nil {
			return err
		}
	}
	return nil
}

// occurrenceUpsert writes occurrences, or changes those of the same user, date and shift.
var occurrenceUpsert = database.Upsert{
	Table: employeeshift.Table, Columns: Columns, Replace: Columns[4:],
	Key: []string{employeeshift.FieldUserID, employeeshift.FieldDate, employeeshift.FieldShiftID},
}

// Columns are those of an occurrence but its id, which the database gives, first those
// that never change.
var Columns = []string{
	employeeshift.FieldCompanyID, employeeshift.FieldUserID, employeeshift.FieldDate, employeeshift.FieldShiftID,
	employeeshift.FieldAssignmentID, employeeshift.FieldShiftVersion, employeeshift.FieldOrigin, employeeshift.FieldName, employeeshift.FieldTimezone,
	employeeshift.FieldStartAt, employeeshift.FieldEndAt, employeeshift.FieldClockInFrom, employeeshift.FieldClockInUntil,
	employeeshift.FieldBreaks, employeeshift.FieldBreakSeconds, employeeshift.FieldBreakMinutes, employeeshift.FieldBreakAfterMinutes,
	employeeshift.FieldLateGraceMinutes, employeeshift.FieldEarlyGraceMinutes, employeeshift.FieldHalfDayBelowMinutes,
	employeeshift.FieldAbsentBelowMinutes, employeeshift.FieldWorkingHours, employeeshift.FieldEvaluatedAt,
}

// AppendCells appends what an occurrence has in Columns.
func AppendCells(cells []any, o *ent.EmployeeShift) []any {
	breaks, _ := json.Marshal(o.Breaks) // of strings
	return append(cells,
		o.CompanyID, o.UserID, o.Date, o.ShiftID,
		o.AssignmentID, o.ShiftVersion, string(o.Origin), o.Name, o.Timezone,
		o.StartAt, o.EndAt, o.ClockInFrom, o.ClockInUntil,
		breaks, o.BreakSeconds, o.BreakMinutes, o.BreakAfterMinutes,
		o.LateGraceMinutes, o.EarlyGraceMinutes, o.HalfDayBelowMinutes,
		o.AbsentBelowMinutes, string(o.WorkingHours), o.EvaluatedAt)
}

// A Stored is an occurrence that exists.
type Stored struct {
	*ent.EmployeeShift
	Attended bool // it has an attendance
	Named    bool // a correction names it, so that it cannot go
}

// ReadStored reads the occurrences of people of a company, by start.
func ReadStored(ctx context.Context, ids []int, first, last shift.Date) (_ map[int][]Stored, err error) {
	defer errs.Step(&err, "scheduling: read occurrences")
	list, err := ent.FromContext(ctx).EmployeeShift.Query().
		Where(employeeshift.UserIDIn(ids...), employeeshift.DateGTE(string(first)), employeeshift.DateLTE(string(last))).
		Order(ent.Asc(employeeshift.FieldStartAt, employeeshift.FieldID)).All(ctx)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	company := list[0].CompanyID
	var attended []struct {
		EmployeeShiftID int `json:"employee_shift_id"`
	}
	err = ent.FromContext(ctx).Attendance.Query().
		Where(entAttendance.CompanyID(company), entAttendance.UserIDIn(ids...), entAttendance.WorkDateGTE(string(first)), entAttendance.WorkDateLTE(string(last))).
		GroupBy(entAttendance.FieldEmployeeShiftID).Scan(ctx, &attended)
	if err != nil {
		return nil, err
	}
	named, err := ent.FromContext(ctx).Correction.Query().
		Where(entCorrection.CompanyID(company), entCorrection.UserIDIn(ids...), entCorrection.DateGTE(string(first)), entCorrection.DateLTE(string(last))).
		Select(entCorrection.FieldEmployeeShiftID).Ints(ctx)
	has, names := map[int]bool{}, map[int]bool{}
	for _, a := range attended {
		has[a.EmployeeShiftID] = true
	}
	for _, id := range named {
		names[id] = true
	}
	stored := map[int][]Stored{}
	for _, o := range list {
		stored[o.UserID] = append(stored[o.UserID], Stored{o, has[o.ID], names[o.ID]})
	}
	return stored, err
}

// A slot is an occurrence of one person: one that is planned, or a stored one that stays
// as it is.
type slot struct {
	shift.Planned
	fixed bool
}

// Follow returns which occurrences of a person to write, and which stored ones to remove,
// so that they follow the plan from first to last. What is past, what has an attendance and
// what has a result stays, and so does what is not planned any more but has a correction; of
// what it lacks, it gets a night that goes on. Windows are clipped by those of the neighbours
// (rules SH-07, SH-08).
func Follow(p *Person, t *Timetable, stored []Stored, first, last shift.Date, now time.Time) (write []shift.Planned, drop []int) {
	past := func(d shift.Date, zone *time.Location) bool { return d < shift.DateOf(now, zone) }
	var slots []slot
	old := map[Timed]Stored{}
	planned := p.Plan.Between(first.AddDays(-1), last.AddDays(1), t.At(p.Zone))
	for _, o := range stored {
		if o.Attended || o.EvaluatedAt != nil || past(shift.Date(o.Date), o.StartAt.In(shift.ZoneNamed(o.Timezone)).Location()) ||
			o.Named && !slices.ContainsFunc(planned, o.is) {
			slots = append(slots, o.slot())
		}
		old[Timed{Shift: o.ShiftID, Date: shift.Date(o.Date)}] = o
	}
	kept := slices.Clone(slots)
	for _, o := range planned {
		if slices.ContainsFunc(kept, func(k slot) bool { return k.Shift == o.Shift && k.Date == o.Date }) {
			continue
		}
		if isPast := past(o.Date, o.StartAt.Location()); !isPast {
			slots = append(slots, slot{o, false})
		} else if !slices.ContainsFunc(kept, func(k slot) bool { return k.Overlaps(o.Occurrence) }) {
			slots = append(slots, slot{o, o.Over(now)}) // one that is over is not made any more, but clips the next
		}
	}
	clip(slots)
	for _, s := range slots {
		key := Timed{Shift: s.Shift, Date: s.Date}
		o, exists := old[key]
		delete(old, key)
		if !s.fixed && first <= s.Date && s.Date <= last && !(exists && t.same(o, p, s.Planned)) {
			write = append(write, s.Planned)
		}
	}
	for _, o := range stored {
		if _, unplanned := old[Timed{Shift: o.ShiftID, Date: shift.Date(o.Date)}]; unplanned && shift.Date(o.Date) <= last && shift.Date(o.Date) >= first {
			drop = append(drop, o.ID)
		}
	}
	return write, drop
}

// Missing returns which occurrences of a date that is past a person's plan has and does
// not find stored, with windows clipped by those of the neighbours. What is stored stays as
// it is, whatever was edited since.
func Missing(p *Person, t *Timetable, stored []Stored, d shift.Date) (write []shift.Planned) {
	var slots []slot
	for _, o := range stored {
		slots = append(slots, o.slot())
	}
	for _, o := range p.Plan.Between(d, d, t.At(p.Zone)) {
		if !slices.ContainsFunc(stored, func(s Stored) bool { return s.is(o) }) {
			slots = append(slots, slot{o, false})
		}
	}
	clip(slots)
	for _, s := range slots {
		if !s.fixed {
			write = append(write, s.Planned)
		}
	}
	return write
}

// is reports whether o is a planned occurrence, whenever it takes place.
func (o Stored) is(planned shift.Planned) bool {
	return o.ShiftID == planned.Shift && shift.Date(o.Date) == planned.Date
}

// slot is the occurrence as it stays.
func (o Stored) slot() slot {
	return slot{shift.Planned{Entry: shift.Entry{Shift: o.ShiftID}, Occurrence: Stay(o)}, true}
}

// clip sorts slots by start and clips the windows of those that are not fixed.
func clip(slots []slot) {
	slices.SortStableFunc(slots, func(a, b slot) int { return a.StartAt.Compare(b.StartAt) })
	for i := 1; i < len(slots); i++ {
		before, after := &slots[i-1], &slots[i]
		if before.Overlaps(after.Occurrence) {
			continue
		}
		earlier, later := shift.Clip(before.Occurrence, after.Occurrence)
		if !before.fixed {
			before.Occurrence = earlier
		}
		if !after.fixed {
			after.Occurrence = later
		}
	}
}

// Stay returns the times of a stored occurrence.
func Stay(o Stored) shift.Occurrence {
	return shift.Occurrence{
		Date: shift.Date(o.Date), StartAt: o.StartAt, EndAt: o.EndAt, ClockInFrom: o.ClockInFrom, ClockInUntil: o.ClockInUntil, BreakSeconds: o.BreakSeconds,
	}
}

// same reports whether a stored occurrence is what is planned.
func (t *Timetable) same(o Stored, p *Person, planned shift.Planned) bool {
	v := t.Version(planned.Shift, planned.Date)
	assignment := 0
	if o.AssignmentID != nil {
		assignment = *o.AssignmentID
	}
	return o.ShiftVersion == v.Number && o.Name == t.Shifts[planned.Shift].Name && assignment == planned.Assignment &&
		o.Origin == employeeshift.Origin(planned.Origin) && o.Timezone == planned.StartAt.Location().String() &&
		o.StartAt.Equal(planned.StartAt) && o.EndAt.Equal(planned.EndAt) &&
		o.ClockInFrom.Equal(planned.ClockInFrom) && o.ClockInUntil.Equal(planned.ClockInUntil)
}

// Occurrence returns an occurrence of a person. It copies what its version of the shift
// says, so that an edit of the shift moves nothing by itself.
func (t *Timetable) Occurrence(company int, p *Person, planned shift.Planned) *ent.EmployeeShift {
	o := occurrenceOf(t.Shifts[planned.Shift], t.Version(planned.Shift, planned.Date), planned.Occurrence)
	o.CompanyID, o.UserID, o.Origin = company, p.ID, employeeshift.Origin(planned.Origin)
	if planned.Assignment != 0 {
		o.AssignmentID = &planned.Assignment
	}
	return o
}

// NewOccurrence returns an assignment's occurrence on a date, with the working time that
// its shift shows, and a window that is not clipped.
func NewOccurrence(a *ent.ShiftAssignment, s *ent.Shift, zone *time.Location, d shift.Date) *ent.EmployeeShift {
	v := Present(s)
	o := occurrenceOf(s, v, v.Time(zone).On(d))
	o.CompanyID, o.UserID, o.Origin, o.AssignmentID = a.CompanyID, a.UserID, employeeshift.OriginAssignment, &a.ID
	return o
}

// occurrenceOf returns what a version of a shift says of an occurrence.
func occurrenceOf(s *ent.Shift, v Version, o shift.Occurrence) *ent.EmployeeShift {
	return &ent.EmployeeShift{
		ShiftID: s.ID, ShiftVersion: v.Number, Name: s.Name, Date: string(o.Date), Timezone: o.StartAt.Location().String(),
		StartAt: o.StartAt.UTC(), EndAt: o.EndAt.UTC(), ClockInFrom: o.ClockInFrom.UTC(), ClockInUntil: o.ClockInUntil.UTC(),
		Breaks: v.Breaks, BreakSeconds: o.BreakSeconds, BreakMinutes: v.BreakMinutes, BreakAfterMinutes: v.BreaksDue,
		LateGraceMinutes: v.Late, EarlyGraceMinutes: v.Early,
		HalfDayBelowMinutes: v.HalfDay, AbsentBelowMinutes: v.Absent, WorkingHours: employeeshift.WorkingHours(v.Hours),
	}
}
