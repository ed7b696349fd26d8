package attendance

import (
	"cmp"
	"context"
	"slices"
	"time"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/graph/model"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A day holds a user's occurrences and attendances of today.
type day struct {
	now         time.Time
	date        string
	zone        *time.Location
	open        *ent.Attendance           // nil when none is
	occurrences []*ent.EmployeeShift      // of today, and the open one's
	entries     []*ent.Attendance         // of the date
	listed      []*ent.Attendance         // of the date, and the open one
	all         map[int][]*ent.Attendance // of each occurrence
}

// today reads the viewer's day.
func (s *Service) today(ctx context.Context, me *viewer.Viewer) (*day, error) {
	now := s.Now()
	found, err := s.roster(ctx, me)
	if err != nil {
		return nil, err
	}
	return newDay(now, cmp.Or(found.zone, me.Timezone), found)
}

// newDay returns the day that a roster window makes now. Its date is the local one
// in the zone of the shift, else of the work site or the company; while an attendance is open and
// its window is not over, it is that one's.
func newDay(now time.Time, zone string, found *roster) (*day, error) {
	d, rows := &day{now: now}, found.attendances
	if i := slices.IndexFunc(rows, func(a *ent.Attendance) bool { return a.OpenMarker != nil }); i >= 0 {
		d.open = rows[i]
	}
	if err := d.setDate(zone, found.occurrences); err != nil {
		return nil, err
	}
	d.listOpen()
	d.all = map[int][]*ent.Attendance{}
	for _, a := range rows {
		d.all[a.EmployeeShiftID] = append(d.all[a.EmployeeShiftID], a)
		if a.WorkDate == d.date {
			d.entries = append(d.entries, a)
		}
		if a.WorkDate == d.date || a == d.open {
			d.listed = append(d.listed, a)
		}
	}
	return d, nil
}

// setDate decides which date is today, in which zone, and which occurrences are
// today's.
func (d *day) setDate(zone string, occurrences []*ent.EmployeeShift) error {
	if d.open != nil && !windowOf(d.open.Edges.EmployeeShift).Over(d.now) {
		o := d.open.Edges.EmployeeShift
		d.date, d.zone = o.Date, zoneOf(o)
		d.occurrences = slices.DeleteFunc(occurrences, func(o *ent.EmployeeShift) bool {
			return o.Date != d.date && !windowOf(o).Open(d.now)
		})
		return nil
	}
	d.occurrences = slices.DeleteFunc(occurrences, func(o *ent.EmployeeShift) bool { return !isToday(o, d.now) })
	if o := d.shift(); o != nil {
		d.zone = zoneOf(o)
	} else {
		var err error
		if d.zone, err = shift.Zone(zone); err != nil {
			return err
		}
	}
	d.date = string(shift.DateOf(d.now, d.zone))
	return nil
}

// listOpen adds the occurrence of the open attendance to those of the day, by start.
func (d *day) listOpen() {
	if d.open == nil {
		return
	}
	open := d.open.Edges.EmployeeShift
	if slices.ContainsFunc(d.occurrences, func(o *ent.EmployeeShift) bool { return o.ID == open.ID }) {
		return
	}
	at, _ := slices.BinarySearchFunc(d.occurrences, open.StartAt, func(o *ent.EmployeeShift, start time.Time) int { return o.StartAt.Compare(start) })
	d.occurrences = slices.Insert(d.occurrences, at, open)
}

// shift returns the open one, else the next not ended, else the last; nil for
// none.
func (d *day) shift() *ent.EmployeeShift {
	if d.open != nil {
		return d.open.Edges.EmployeeShift
	}
	for _, o := range d.occurrences {
		if d.now.Before(o.EndAt) {
			return o
		}
	}
	if n := len(d.occurrences); n > 0 {
		return d.occurrences[n-1]
	}
	return nil
}

// shifts returns the day as shiftToday has it.
func (d *day) shifts() []*model.ShiftToday {
	list := make([]*model.ShiftToday, len(d.occurrences))
	for i, o := range d.occurrences {
		list[i] = d.shiftToday(o)
	}
	return list
}

func (d *day) shiftToday(o *ent.EmployeeShift) *model.ShiftToday {
	zone, entries := zoneOf(o), d.all[o.ID]
	isOpen := d.open != nil && d.open.EmployeeShiftID == o.ID
	entered := isOpen || len(entries) > 0
	return &model.ShiftToday{
		EmployeeShiftID: o.ID, Name: o.Name, Date: o.Date, Timezone: o.Timezone, BreakSeconds: o.BreakSeconds,
		StartAt: o.StartAt.In(zone), EndAt: o.EndAt.In(zone),
		ClockInFrom: o.ClockInFrom.In(zone), ClockInUntil: o.ClockInUntil.In(zone),
		ClockedIn: entered, ClockedOut: entered && !isOpen,
	}
}

// attendance returns the day as attendanceToday has it: its times are those of the
// listed entries, its status and sums those of the date.
func (d *day) attendance() *model.AttendanceToday {
	out := &model.AttendanceToday{
		Date: d.date, Timezone: d.zone.String(), Status: d.status(), ClockedIn: d.open != nil,
		WorkedSeconds: d.worked(d.entries), ClosedSeconds: d.worked(closed(d.entries)), Entries: []*model.AttendanceEntry{},
	}
	out.LateSeconds, out.EarlySeconds = d.lateAndEarly()
	if n := len(d.listed); n > 0 {
		first, last := d.listed[0], d.listed[n-1]
		out.ClockInAt = d.local(&first.ClockedInAt)
		if d.open == nil {
			out.ClockOutAt = d.local(last.ClockedOutAt)
		}
	}
	if s := d.shift(); s != nil {
		out.Shift = d.shiftToday(s)
	}
	for _, a := range d.listed {
		out.Entries = append(out.Entries, &model.AttendanceEntry{
			ID: a.ID, EmployeeShiftID: a.EmployeeShiftID, AddressID: a.AddressID,
			ClockInAt: *d.local(&a.ClockedInAt), ClockOutAt: d.local(a.ClockedOutAt),
			Status: d.entryStatus(a), FaceMatched: a.FaceMatched,
		})
	}
	return out
}

func (d *day) local(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	there := t.In(d.zone)
	return &there
}

// status returns the status of the day: that of its occurrences which ranks first.
func (d *day) status() model.DayStatus {
	best := model.DayStatusNone
	for _, entries := range d.byOccurrence(d.entries) {
		status := d.statusOf(entries)
		if best == model.DayStatusNone || slices.Index(ranked, status) < slices.Index(ranked, best) {
			best = status
		}
	}
	return best
}

// ranked lists the statuses of attendance, the one that is shown of several first.
var ranked = []model.DayStatus{
	model.DayStatusNeedsConfirmation, model.DayStatusPresent, model.DayStatusHalfDay, model.DayStatusAbsent,
}

// statusOf returns what the entries of one occurrence count as.
func (d *day) statusOf(entries []*ent.Attendance) model.DayStatus {
	if slices.ContainsFunc(entries, func(a *ent.Attendance) bool { return a.NeedsConfirmation }) {
		return model.DayStatusNeedsConfirmation
	}
	return d.verdict(entries)
}

// entryStatus returns what one entry counts as: its whole occurrence's verdict,
// unless it is still to be confirmed.
func (d *day) entryStatus(a *ent.Attendance) model.DayStatus {
	if a.NeedsConfirmation {
		return model.DayStatusNeedsConfirmation
	}
	return d.verdict(d.all[a.EmployeeShiftID])
}

// verdict returns what the hours of one occurrence count as; while an entry is
// open, it is present.
func (d *day) verdict(entries []*ent.Attendance) model.DayStatus {
	if slices.ContainsFunc(entries, func(a *ent.Attendance) bool { return a.ClockedOutAt == nil }) {
		return model.DayStatusPresent
	}
	o := entries[0].Edges.EmployeeShift
	return model.DayStatus(timesheet.VerdictOf(d.workedFor(entries), o.HalfDayBelowMinutes, o.AbsentBelowMinutes))
}

// byOccurrence parts entries by their occurrence, in order.
func (d *day) byOccurrence(entries []*ent.Attendance) (parts [][]*ent.Attendance) {
	place := map[int]int{}
	for _, a := range entries {
		i, known := place[a.EmployeeShiftID]
		if !known {
			i = len(parts)
			place[a.EmployeeShiftID] = i
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], a)
	}
	return parts
}

func closed(entries []*ent.Attendance) []*ent.Attendance {
	return slices.DeleteFunc(slices.Clone(entries), func(a *ent.Attendance) bool { return a.ClockedOutAt == nil })
}

// worked returns the seconds worked in entries, breaks of their occurrences not
// counted.
func (d *day) worked(entries []*ent.Attendance) int {
	var sum time.Duration
	for _, part := range d.byOccurrence(entries) {
		sum += d.workedFor(part)
	}
	return int(sum.Seconds())
}

// workedFor returns the time worked in entries of one occurrence, as its shift
// counts it.
func (d *day) workedFor(entries []*ent.Attendance) time.Duration {
	o, present := entries[0].Edges.EmployeeShift, intervals(entries, d.now)
	if o.WorkingHours == employeeshift.WorkingHoursFirstLast {
		present = timesheet.Span(present)
	}
	worked := timesheet.Worked(present, breaksOf(o))
	return worked - timesheet.DueBreak(worked, o.BreakMinutes, o.BreakAfterMinutes)
}

// lateAndEarly returns the seconds by which the day's occurrences began late and
// ended early, each by its own graces.
func (d *day) lateAndEarly() (late, early int) {
	for _, entries := range d.byOccurrence(d.entries) {
		o, first, last := entries[0].Edges.EmployeeShift, entries[0], entries[len(entries)-1]
		late += int(timesheet.Late(o.StartAt, first.ClockedInAt, o.LateGraceMinutes).Seconds())
		if last.ClockedOutAt != nil {
			early += int(timesheet.Early(o.EndAt, *last.ClockedOutAt, o.EarlyGraceMinutes).Seconds())
		}
	}
	return late, early
}
