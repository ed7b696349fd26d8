package attendance

import (
	"cmp"
	"context"
	"slices"
	"time"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/app/dayoff"
	"workforce/internal/app/works"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A day holds a user's occurrences and attendances of today.
type day struct {
	user        int
	policy      timesheet.Policy
	bounds      timesheet.Bounds
	now         time.Time
	date        string
	zone        *time.Location
	open        *ent.Attendance           // nil when none is
	occurrences []*ent.EmployeeShift      // of today, and the open one's
	around      []*ent.EmployeeShift      // of the roster window, and the open one's, by start
	entries     []*ent.Attendance         // of the date
	listed      []*ent.Attendance         // of the date, and the open one
	all         map[int][]*ent.Attendance // of each occurrence
	stored      map[int]*timesheet.Assessment
	free        *dayoff.Table // what frees the user from the work of the date
}

// today reads the viewer's day.
func (s *Service) today(ctx context.Context) (*day, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	now := s.Now()
	found, err := s.roster(ctx, me)
	if err != nil {
		return nil, err
	}
	d, err := newDay(now, cmp.Or(found.zone, me.Timezone), found)
	if err == nil {
		d.user, d.policy = me.UserID, timesheet.PolicyOf(me.Settings)
		d.free.Leave(me.UserID, found.leave)
	}
	return d, err
}

// newDay returns the day that a roster window makes now. Its date is the local one
// in the zone of the shift, else of the work site or the company; while an attendance is open and
// its window is not over, it is that one's.
func newDay(now time.Time, zone string, found *roster) (*day, error) {
	d, rows := &day{now: now, policy: timesheet.Defaults(), bounds: found.bounds}, found.attendances
	if i := slices.IndexFunc(rows, func(a *ent.Attendance) bool { return a.OpenMarker != nil }); i >= 0 {
		d.open = rows[i]
	}
	d.around = slices.Clone(found.occurrences)
	if err := d.setDate(zone, found.occurrences); err != nil {
		return nil, err
	}
	d.free = dayoff.New(shift.Date(d.date).AddDays(-2), nil)
	for _, h := range found.holidays {
		d.free.Add(h)
	}
	if d.open != nil {
		d.occurrences = withOccurrence(d.occurrences, d.open.Edges.EmployeeShift)
		d.around = withOccurrence(d.around, d.open.Edges.EmployeeShift)
	}
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

// withOccurrence returns occurrences by start, with one that may be among them.
func withOccurrence(list []*ent.EmployeeShift, o *ent.EmployeeShift) []*ent.EmployeeShift {
	if slices.ContainsFunc(list, func(other *ent.EmployeeShift) bool { return other.ID == o.ID }) {
		return list
	}
	at, _ := slices.BinarySearchFunc(list, o.StartAt, func(o *ent.EmployeeShift, start time.Time) int { return o.StartAt.Compare(start) })
	return slices.Insert(list, at, o)
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
// listed entries, its status and sums those that the timesheet of its date has.
func (d *day) attendance() *model.AttendanceToday {
	date := shift.Date(d.date)
	records := d.records()
	sheet := timesheet.NewSheets(timesheet.Rounding{}, timesheet.Period{From: date, To: date}, d.policy, d.now)
	of := sheet.Of(records, func(shift.Date) timesheet.Off { return d.off(date, d.site(date), d.zone) })[0]
	out := &model.AttendanceToday{
		Date: d.date, Timezone: d.zone.String(), Status: model.DayStatus(of.Status), ClockedIn: d.open != nil,
		WorkedSeconds: seconds(of.Worked), ClosedSeconds: seconds(of.Closed), LateSeconds: seconds(of.Late), EarlySeconds: seconds(of.Early),
		Entries: []*model.AttendanceEntry{},
	}
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

// records returns what is judged of the date: its occurrences, and others around it that were
// worked, since a night goes on after midnight.
func (d *day) records() (list []timesheet.Record) {
	for _, o := range d.around {
		date, entries := shift.Date(o.Date), d.all[o.ID]
		if len(entries) == 0 && (o.Date != d.date || d.stored[o.ID] == nil && !d.bounds.Contain(date)) {
			continue
		}
		list = append(list, d.record(o))
	}
	return list
}

// record returns an occurrence with its entries, and what frees the user from it.
func (d *day) record(o *ent.EmployeeShift) timesheet.Record {
	date, entries := shift.Date(o.Date), d.all[o.ID]
	site := d.site(date)
	if len(entries) > 0 {
		site = entries[0].AddressID
	}
	return timesheet.Record{
		Work: timesheet.Work{Occurrence: works.OccurrenceOf(o), Entries: works.EntriesOf(entries)}, Stored: d.stored[o.ID], Off: d.off(date, site, zoneOf(o)),
	}
}

// off returns what frees the user from the work of a date, with the holidays of a site.
func (d *day) off(date shift.Date, site int, zone *time.Location) timesheet.Off {
	off := d.free.Of(d.user, date, site, zone)
	off.NotEmployed = !d.bounds.Contain(date)
	return off
}

// site returns the site of the last occurrence until a date that was worked.
func (d *day) site(date shift.Date) int {
	site := d.free.Site(d.user)
	for _, o := range d.around {
		if entries := d.all[o.ID]; shift.Date(o.Date) <= date && len(entries) > 0 {
			site = entries[0].AddressID
		}
	}
	return site
}

// entryStatus returns what one entry counts as: its whole occurrence's status, unless it
// is still to be confirmed.
func (d *day) entryStatus(a *ent.Attendance) model.DayStatus {
	if a.NeedsConfirmation {
		return model.DayStatusNeedsConfirmation
	}
	r := d.record(a.Edges.EmployeeShift)
	return model.DayStatus(r.Judge(r.Entries, r.Off, d.policy, d.now).Confirmed)
}

// seconds returns whole seconds.
func seconds(d time.Duration) int { return int(d / time.Second) }
