package worktime

import (
	"slices"
	"time"

	"workforce/graph/model"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// A day holds a user's occurrences and attendances of today.
type day struct {
	user        int
	policy      timesheet.Policy
	bounds      timesheet.Bounds
	now         time.Time
	date        shift.Date
	zone        *time.Location
	open        *entry        // nil when none is
	occurrences []*occurrence // of today, and the open one's
	around      []*occurrence // of the roster window, and the open one's, by start
	listed      []*entry      // of the date, and the open one, by clock-in
	off         *DaysOff
}

// newDay returns the day that a roster window makes now. Its date is the local one in the zone
// of the shift, else of the work site or the company; while an attendance is open and its window
// is not over, it is that one's. Nothing frees the user from its work.
func newDay(now time.Time, zone string, w *window) (*day, error) {
	d := &day{now: now, policy: timesheet.Defaults(), bounds: w.bounds}
	entries := w.entries()
	if i := slices.IndexFunc(entries, func(e *entry) bool { return e.Open }); i >= 0 {
		d.open = entries[i]
	}
	for _, o := range w.occurrences {
		if o.Date >= string(w.from) || d.isOpen(o) {
			d.around = append(d.around, o)
		}
	}
	if err := d.setDate(zone); err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.shift.Date == string(d.date) || e.Open {
			d.listed = append(d.listed, e)
		}
	}
	d.off = NewDaysOff(d.date, nil)
	return d, nil
}

// setDate decides which date is today, in which zone, and which occurrences are today's.
func (d *day) setDate(zone string) error {
	worked := d.open != nil && !d.open.shift.times().Over(d.now) // its date is today
	for _, o := range d.around {
		today := o.isToday(d.now)
		if worked {
			today = o.Date == d.open.shift.Date || o.times().Open(d.now)
		}
		if today || d.isOpen(o) {
			d.occurrences = append(d.occurrences, o)
		}
	}
	if worked {
		d.date, d.zone = shift.Date(d.open.shift.Date), d.open.shift.zone()
		return nil
	}
	if o := d.todaysShift(); o != nil {
		d.zone = o.zone()
	} else {
		var err error
		if d.zone, err = shift.Zone(zone); err != nil {
			return err
		}
	}
	d.date = shift.DateOf(d.now, d.zone)
	return nil
}

// isOpen reports whether an occurrence is that of the open attendance.
func (d *day) isOpen(o *occurrence) bool { return d.open != nil && d.open.shift == o }

// todaysShift returns the open one, else the next not ended, else the last; nil for none.
func (d *day) todaysShift() *occurrence {
	if d.open != nil {
		return d.open.shift
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

func (d *day) shiftToday(o *occurrence) *model.ShiftToday {
	zone, clockedIn := o.zone(), len(o.entries) > 0
	return &model.ShiftToday{
		EmployeeShiftID: o.ID, Name: o.Name, Date: o.Date, Timezone: o.Timezone, BreakSeconds: o.BreakSeconds,
		StartAt: o.StartAt.In(zone), EndAt: o.EndAt.In(zone),
		ClockInFrom: o.ClockInFrom.In(zone), ClockInUntil: o.ClockInUntil.In(zone),
		ClockedIn: clockedIn, ClockedOut: clockedIn && !d.isOpen(o),
	}
}

// attendance returns the day as attendanceToday has it: its times are those of the listed
// entries, its status and sums those that the timesheet of its date has.
func (d *day) attendance() *model.AttendanceToday {
	sheets := timesheet.NewSheets(timesheet.Rounding{}, timesheet.Period{From: d.date, To: d.date}, d.policy, d.now)
	free := func(shift.Date) timesheet.Off { return d.offFor(d.date, d.siteOn(d.date), d.zone) }
	sheet := sheets.Of(d.records(), free)[0]
	out := &model.AttendanceToday{
		Date: string(d.date), Timezone: d.zone.String(), Status: model.DayStatus(sheet.Status), ClockedIn: d.open != nil,
		WorkedSeconds: seconds(sheet.Worked), ClosedSeconds: seconds(sheet.Closed),
		LateSeconds: seconds(sheet.Late), EarlySeconds: seconds(sheet.Early),
		Entries: []*model.AttendanceEntry{},
	}
	if n := len(d.listed); n > 0 {
		first, last := d.listed[0], d.listed[n-1]
		out.ClockInAt = d.local(&first.ClockedInAt)
		if d.open == nil {
			out.ClockOutAt = d.local(last.ClockedOutAt)
		}
	}
	if o := d.todaysShift(); o != nil {
		out.Shift = d.shiftToday(o)
	}
	for _, e := range d.listed {
		out.Entries = append(out.Entries, &model.AttendanceEntry{
			ID: e.ID, EmployeeShiftID: e.shift.ID, AddressID: e.AddressID,
			ClockInAt: *d.local(&e.ClockedInAt), ClockOutAt: d.local(e.ClockedOutAt),
			Status: d.entryStatus(e), FaceMatched: e.FaceMatched,
		})
	}
	return out
}

// local returns an instant in the zone of the day; nil for none.
func (d *day) local(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	return new(t.In(d.zone))
}

// records returns what is judged of the date: its occurrences, and others around it that were
// worked, since a night goes on after midnight.
func (d *day) records() (list []timesheet.Record) {
	for _, o := range d.around {
		today := o.Date == string(d.date)
		if len(o.entries) > 0 || today && (o.stored != nil || d.bounds.Contain(d.date)) {
			list = append(list, d.record(o))
		}
	}
	return list
}

// record returns an occurrence with its entries, and what frees the user from it. The stored
// result counts on its date alone.
func (d *day) record(o *occurrence) timesheet.Record {
	date := shift.Date(o.Date)
	site := d.siteOn(date)
	if len(o.entries) > 0 {
		site = o.entries[0].AddressID
	}
	r := timesheet.Record{Off: d.offFor(date, site, o.zone())}
	r.Occurrence = o.occurrence(date, o.StartAt, o.EndAt, o.ClockInUntil)
	if date == d.date {
		r.Stored = o.stored
	}
	for _, e := range o.entries {
		worked := timesheet.Entry{In: e.ClockedInAt, NeedsConfirmation: e.NeedsConfirmation}
		if e.ClockedOutAt != nil {
			worked.Out = *e.ClockedOutAt
		}
		r.Entries = append(r.Entries, worked)
	}
	return r
}

// offFor returns what frees the user from the work of a date, with the holidays of a site.
func (d *day) offFor(date shift.Date, site int, zone *time.Location) timesheet.Off {
	off := d.off.For(d.user, date, site, zone)
	off.NotEmployed = !d.bounds.Contain(date)
	return off
}

// siteOn returns the site of the last occurrence until a date that was worked; 0 if unknown.
func (d *day) siteOn(date shift.Date) int {
	site := d.off.Site(d.user)
	for _, o := range d.around {
		if shift.Date(o.Date) <= date && len(o.entries) > 0 {
			site = o.entries[0].AddressID
		}
	}
	return site
}

// entryStatus returns what one entry counts as: its whole occurrence's status, unless it is
// still to be confirmed.
func (d *day) entryStatus(e *entry) model.DayStatus {
	if e.NeedsConfirmation {
		return model.DayStatusNeedsConfirmation
	}
	r := d.record(e.shift)
	return model.DayStatus(r.Judge(r.Entries, r.Off, d.policy, d.now).Confirmed)
}

// seconds returns whole seconds.
func seconds(d time.Duration) int { return int(d / time.Second) }
