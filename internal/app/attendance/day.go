package attendance

import (
	"cmp"
	"context"
	"slices"
	"time"

	"workforce/ent"
	"workforce/graph/model"
	days "workforce/internal/app/day"
	"workforce/internal/app/dayoff"
	"workforce/internal/shift"
	"workforce/internal/timeoff"
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
	worked      []*ent.Attendance         // those that may have work on the date, and the listed ones
	zones       map[int]*time.Location    // of each occurrence that was judged
	all         map[int][]*ent.Attendance // of each occurrence
	results     map[int]timesheet.Result  // of each occurrence of worked, once judged
	free        *dayoff.Table             // holidays around the date
	leave       []timeoff.Leave           // approved, around the date
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
	d, rows := &day{now: now, leave: found.leave}, found.attendances
	if i := slices.IndexFunc(rows, func(a *ent.Attendance) bool { return a.OpenMarker != nil }); i >= 0 {
		d.open = rows[i]
	}
	if err := d.setDate(zone, found.occurrences); err != nil {
		return nil, err
	}
	d.free = dayoff.New(shift.Date(d.date), nil)
	for _, h := range found.holidays {
		d.free.Add(h)
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
		if a.WorkDate == d.date || a == d.open || a.ClockedOutAt != nil && string(shift.DateOf(*a.ClockedOutAt, zoneOf(a.Edges.EmployeeShift))) >= d.date {
			d.worked = append(d.worked, a)
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
	d.judge()
	out := &model.AttendanceToday{
		Date: d.date, Timezone: d.zone.String(), Status: d.status(), ClockedIn: d.open != nil,
		Entries: []*model.AttendanceEntry{},
	}
	d.sum(out)
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

// judge sets the results of the listed occurrences, and of others that were worked on the
// date: a night goes on after midnight.
func (d *day) judge() {
	d.results, d.zones = map[int]timesheet.Result{}, map[int]*time.Location{}
	for _, a := range d.worked {
		if _, known := d.results[a.EmployeeShiftID]; !known {
			d.zones[a.EmployeeShiftID] = zoneOf(a.Edges.EmployeeShift)
			o := days.WorkOf(a.Edges.EmployeeShift)
			d.results[a.EmployeeShiftID] = o.Judge(days.EntriesOf(d.all[a.EmployeeShiftID]), d.off(a), timesheet.Policy{}, d.now)
		}
	}
}

// off returns what frees the viewer from the work of the day of an attendance, with the
// holidays of where it was.
func (d *day) off(a *ent.Attendance) (off timesheet.Off) {
	off = d.free.On(shift.Date(a.WorkDate), a.AddressID)
	off.WeeklyOff = false // a shift is planned
	timeoff.Free(&off, d.leave, shift.Date(a.WorkDate), zoneOf(a.Edges.EmployeeShift))
	return off
}

// ofDate returns the results of the occurrences of the date that have entries.
func (d *day) ofDate() (list []timesheet.Result) {
	for i, a := range d.entries {
		same := func(b *ent.Attendance) bool { return b.EmployeeShiftID == a.EmployeeShiftID }
		if !slices.ContainsFunc(d.entries[:i], same) {
			list = append(list, d.results[a.EmployeeShiftID])
		}
	}
	return list
}

// status returns the status of the day: that of its occurrences which ranks first.
func (d *day) status() model.DayStatus {
	best := timesheet.NoStatus
	for _, r := range d.ofDate() {
		best = timesheet.Rank(best, r.Status)
	}
	return model.DayStatus(best)
}

// entryStatus returns what one entry counts as: its whole occurrence's status, unless it
// is still to be confirmed.
func (d *day) entryStatus(a *ent.Attendance) model.DayStatus {
	if a.NeedsConfirmation {
		return model.DayStatusNeedsConfirmation
	}
	return model.DayStatus(d.results[a.EmployeeShiftID].Confirmed)
}

// sum adds up the day, in seconds: lateness of its occurrences, and work that lies between
// its midnights, whichever occurrence it is of.
func (d *day) sum(out *model.AttendanceToday) {
	for _, r := range d.ofDate() {
		out.LateSeconds += seconds(r.Late)
		out.EarlySeconds += seconds(r.Early)
	}
	var worked, closed time.Duration
	for id, r := range d.results {
		worked += d.part(r.Worked, d.zones[id])
		closed += d.part(r.Closed, d.zones[id])
	}
	out.WorkedSeconds, out.ClosedSeconds = seconds(worked), seconds(closed)
}

// part returns how much of a union lies on the date.
func (d *day) part(union []shift.Interval, zone *time.Location) (sum time.Duration) {
	for date, part := range timesheet.Split(union, zone) {
		if string(date) == d.date {
			sum += part.End.Sub(part.Start)
		}
	}
	return sum
}

// seconds returns whole seconds.
func seconds(d time.Duration) int { return int(d / time.Second) }
