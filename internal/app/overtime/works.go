package overtime

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/ent/employeeshift"
	"workforce/ent/holiday"
	"workforce/internal/app/day"
	"workforce/internal/app/leaves"
	"workforce/internal/shift"
	"workforce/internal/timeoff"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A worker is what somebody was to work on some dates, and worked.
type worker struct {
	works    []timesheet.Work
	sites    map[shift.Date]int // of the first attendance of a date
	zones    map[shift.Date]*time.Location
	leave    []timeoff.Leave
	holidays []*ent.Holiday
}

// readWorks reads what people were to work and worked on the dates of a period, in four
// statements.
func readWorks(ctx context.Context, me *viewer.Viewer, people []int, p timesheet.Period) (map[int]*worker, error) {
	ctx = viewer.System(ctx)
	db := ent.FromContext(ctx)
	holidays, err := db.Holiday.Query().Where(holiday.CompanyID(me.CompanyID), holiday.DateGTE(string(p.From)), holiday.DateLTE(string(p.To))).All(ctx)
	if err != nil {
		return nil, err
	}
	approved, err := leaves.Approved(ctx, me.CompanyID, people, p)
	if err != nil {
		return nil, err
	}
	occurrences, err := db.EmployeeShift.Query().
		Where(employeeshift.CompanyID(me.CompanyID), employeeshift.UserIDIn(people...), employeeshift.DateGTE(string(p.From)), employeeshift.DateLTE(string(p.To))).
		WithAttendances(func(q *ent.AttendanceQuery) { q.Order(ent.Asc(attendance.FieldClockedInAt)) }).
		Order(ent.Asc(employeeshift.FieldStartAt, employeeshift.FieldID)).All(ctx)
	if err != nil {
		return nil, err
	}
	found := map[int]*worker{}
	for _, id := range people {
		found[id] = &worker{sites: map[shift.Date]int{}, zones: map[shift.Date]*time.Location{}, leave: approved[id], holidays: holidays}
	}
	for _, o := range occurrences {
		found[o.UserID].add(o)
	}
	return found, nil
}

// add adds an occurrence with its attendances.
func (w *worker) add(o *ent.EmployeeShift) {
	date, work := shift.Date(o.Date), timesheet.Work{Occurrence: day.WorkOf(o)}
	work.Entries = day.EntriesOf(o.Edges.Attendances)
	for _, a := range o.Edges.Attendances {
		if w.sites[date] == 0 {
			w.sites[date] = a.AddressID
		}
	}
	if w.zones[date] == nil {
		w.zones[date] = work.Zone
	}
	w.works = append(w.works, work)
}

// off returns what frees the person from the work of a date.
func (w *worker) off(d shift.Date) (off timesheet.Off) {
	for _, h := range w.holidays {
		switch {
		case h.Date != string(d) || h.Place != 0 && h.Place != w.sites[d]:
		case h.Half:
			off.Holiday = max(off.Holiday, timesheet.Half)
		default:
			off.Holiday = timesheet.Whole
		}
	}
	zone := w.zones[d]
	if zone == nil {
		zone = time.UTC // no shift is planned, from which hours could be free
	}
	timeoff.Free(&off, w.leave, d, zone)
	return off
}

// overtime returns the seconds of overtime of a date; ended is false while an attendance of
// the date is open or needs confirmation.
func (w *worker) overtime(d shift.Date, p timesheet.Policy, now time.Time) (seconds int, ended bool) {
	period := p.Affected(d)
	var works []timesheet.Work
	ended = true
	for _, work := range w.works {
		if work.Date < period.From.AddDays(-1) || work.Date > period.To {
			continue
		}
		works = append(works, work)
		for _, e := range work.Entries {
			if work.Date == d && (e.Out.IsZero() || e.NeedsConfirmation) {
				ended = false
			}
		}
	}
	for _, of := range timesheet.Sheet(period, works, w.off, p, now) {
		if of.Date == d {
			seconds = int(of.Overtime / time.Second)
		}
	}
	return seconds, ended
}
