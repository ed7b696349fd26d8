package bench

import (
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// handZones keeps the zones that both servers written by hand have loaded.
var handZones sync.Map

func handZone(name string) *time.Location {
	if z, ok := handZones.Load(name); ok {
		return z.(*time.Location)
	}
	z, err := time.LoadLocation(name)
	if err != nil {
		z = time.UTC
	}
	handZones.Store(name, z)
	return z
}

// A handOccurrence is a row of employee_shifts.
type handOccurrence struct {
	id                          int
	name, date, zone, hours     string
	startAt, endAt, from, until time.Time
	breaks                      []byte // JSON
	breakSeconds                int
	lateGrace, earlyGrace       *int
	halfDayBelow, absentBelow   int
}

const handOccurrenceColumns = "o.id, o.name, o.date, o.timezone, o.working_hours, o.start_at, o.end_at, o.clock_in_from, " +
	"o.clock_in_until, o.breaks, o.break_seconds, o.late_grace_minutes, o.early_grace_minutes, o.half_day_below_minutes, o.absent_below_minutes"

func (o *handOccurrence) fields() []any {
	return []any{
		&o.id, &o.name, &o.date, &o.zone, &o.hours, &o.startAt, &o.endAt, &o.from, &o.until,
		&o.breaks, &o.breakSeconds, &o.lateGrace, &o.earlyGrace, &o.halfDayBelow, &o.absentBelow,
	}
}

func (o *handOccurrence) window() shift.Occurrence {
	return shift.Occurrence{ClockInFrom: o.from, ClockInUntil: o.until}
}

// breakTimes returns the breaks as instants.
func (o *handOccurrence) breakTimes() ([]shift.Interval, error) {
	var texts []string
	if err := json.Unmarshal(o.breaks, &texts); err != nil {
		return nil, err
	}
	zone := handZone(o.zone)
	s := shift.Shift{Start: shift.Clock(o.startAt.In(zone).Format("15:04")), End: shift.Clock(o.endAt.In(zone).Format("15:04")), Zone: zone}
	for _, text := range texts {
		from, to, _ := strings.Cut(text, "-")
		s.Breaks = append(s.Breaks, shift.Break{Start: shift.Clock(from), End: shift.Clock(to)})
	}
	return s.BreaksOn(shift.Date(o.date)), nil
}

// A handEntry is a row of attendances.
type handEntry struct {
	id, address int
	occurrence  int
	date        string
	in          time.Time
	out         *time.Time
	open        *int
	confirm     bool
	matched     *bool
}

const handEntryColumns = "a.id, a.address_id, a.employee_shift_id, a.work_date, a.clocked_in_at, a.clocked_out_at, a.open_marker, " +
	"a.needs_confirmation, a.face_matched"

func (e *handEntry) fields() []any {
	return []any{&e.id, &e.address, &e.occurrence, &e.date, &e.in, &e.out, &e.open, &e.confirm, &e.matched}
}

// handPlanned reads until when the occurrences of a user are made.
const handPlanned = "SELECT planned_until FROM clock_states WHERE user_id = ?"

var errUnmade = errors.New("an occurrence is to be made")

type todayJSON struct {
	Date          string      `json:"date"`
	Timezone      string      `json:"timezone"`
	Status        string      `json:"status"`
	ClockedIn     bool        `json:"clockedIn"`
	ClockInAt     *string     `json:"clockInAt"`
	ClockOutAt    *string     `json:"clockOutAt"`
	WorkedSeconds int         `json:"workedSeconds"`
	ClosedSeconds int         `json:"closedSeconds"`
	LateSeconds   int         `json:"lateSeconds"`
	EarlySeconds  int         `json:"earlySeconds"`
	Shift         *shiftJSON  `json:"shift"`
	Entries       []entryJSON `json:"entries"`
}

type shiftJSON struct {
	EmployeeShiftID int    `json:"employeeShiftId,string"`
	Name            string `json:"name"`
	Date            string `json:"date"`
	StartAt         string `json:"startAt"`
	EndAt           string `json:"endAt"`
	ClockInFrom     string `json:"clockInFrom"`
	ClockInUntil    string `json:"clockInUntil"`
	BreakSeconds    int    `json:"breakSeconds"`
	Timezone        string `json:"timezone"`
	ClockedIn       bool   `json:"clockedIn"`
	ClockedOut      bool   `json:"clockedOut"`
}

type entryJSON struct {
	ID              int     `json:"id,string"`
	EmployeeShiftID int     `json:"employeeShiftId,string"`
	AddressID       int     `json:"addressId,string"`
	ClockInAt       string  `json:"clockInAt"`
	ClockOutAt      *string `json:"clockOutAt"`
	Status          string  `json:"status"`
	FaceMatched     *bool   `json:"faceMatched"`
}

// A handDay is what is known of a user's today.
type handDay struct {
	now         time.Time
	zone        *time.Location
	occurrences []*handOccurrence // around now, by start
	all         map[int][]*handEntry
}

// sum sums today up.
func (d *handDay) sum() (*todayJSON, error) {
	o := d.current()
	if o == nil {
		return nil, errors.New("nobody here is without a shift")
	}
	d.zone = handZone(o.zone)
	out := &todayJSON{
		Date: string(shift.DateOf(d.now, d.zone)), Timezone: o.zone, Status: "none", Entries: []entryJSON{},
	}
	for _, o := range d.occurrences {
		entries := d.all[o.id]
		if len(entries) == 0 {
			continue
		}
		last := entries[len(entries)-1]
		if last.out != nil && string(shift.DateOf(*last.out, handZone(o.zone))) < out.Date {
			continue // worked before
		}
		if err := d.add(out, o, entries); err != nil {
			return nil, err
		}
	}
	out.Shift = d.shift(o, d.all[o.id])
	return out, nil
}

// current returns the occurrence of today that is open, else the next not
// ended, else the last.
func (d *handDay) current() (last *handOccurrence) {
	for _, o := range d.occurrences {
		entries := d.all[o.id]
		if n := len(entries); n > 0 && entries[n-1].open != nil {
			return o
		}
	}
	for _, o := range d.occurrences {
		if o.date != string(shift.DateOf(d.now, handZone(o.zone))) && !o.window().Open(d.now) {
			continue
		}
		if d.now.Before(o.endAt) {
			return o
		}
		last = o
	}
	return last
}

// dayStatuses lists what a day may count as, what is shown of several first.
var dayStatuses = []string{"needs_confirmation", "present", "half_day", "absent", "none"}

// add adds the entries of one occurrence.
func (d *handDay) add(out *todayJSON, o *handOccurrence, entries []*handEntry) error {
	breaks, err := o.breakTimes()
	if err != nil {
		return err
	}
	var all, ended []shift.Interval
	for _, e := range entries {
		stay := shift.Interval{Start: e.in.Truncate(time.Second), End: d.now.Truncate(time.Second)}
		if e.out != nil {
			stay.End = e.out.Truncate(time.Second)
			ended = append(ended, stay)
		}
		all = append(all, stay)
	}
	counted := timesheet.Subtract(all, breaks)
	out.WorkedSeconds += handPart(counted, o.zone, out.Date)
	out.ClosedSeconds += handPart(timesheet.Subtract(ended, breaks), o.zone, out.Date)
	if o.date != out.Date {
		return nil // a night that goes on after midnight
	}
	worked := timesheet.Sum(counted)
	verdict, first, last := "present", entries[0], entries[len(entries)-1]
	if last.out != nil {
		verdict = string(timesheet.VerdictOf(worked, time.Duration(o.halfDayBelow)*time.Minute, time.Duration(o.absentBelow)*time.Minute))
		out.EarlySeconds += int(timesheet.Early(o.endAt, last.out.Truncate(time.Second), o.earlyGrace).Seconds())
	}
	out.LateSeconds += int(timesheet.Late(o.startAt, first.in.Truncate(time.Second), o.lateGrace).Seconds())
	for _, e := range entries {
		d.addEntry(out, e, verdict)
	}
	return nil
}

// handPart returns the seconds of a union that lie on a date.
func handPart(union []shift.Interval, zone, date string) (seconds int) {
	for on, part := range timesheet.Split(union, handZone(zone)) {
		if string(on) == date {
			seconds += int(part.End.Sub(part.Start).Seconds())
		}
	}
	return seconds
}

func (d *handDay) addEntry(out *todayJSON, e *handEntry, status string) {
	if e.confirm {
		status = dayStatuses[0]
	}
	in := d.local(e.in)
	if out.ClockInAt == nil {
		out.ClockInAt = &in
	}
	out.ClockedIn, out.ClockOutAt = e.open != nil, nil
	if e.out != nil {
		text := d.local(*e.out)
		out.ClockOutAt = &text
	}
	for _, s := range dayStatuses {
		if s == status || s == out.Status {
			out.Status = s
			break
		}
	}
	out.Entries = append(out.Entries, entryJSON{e.id, e.occurrence, e.address, in, out.ClockOutAt, status, e.matched})
}

func (d *handDay) shift(o *handOccurrence, entries []*handEntry) *shiftJSON {
	n := len(entries)
	return &shiftJSON{
		EmployeeShiftID: o.id, Name: o.name, Date: o.date, StartAt: d.local(o.startAt), EndAt: d.local(o.endAt),
		ClockInFrom: d.local(o.from), ClockInUntil: d.local(o.until), BreakSeconds: o.breakSeconds, Timezone: o.zone,
		ClockedIn: n > 0, ClockedOut: n > 0 && entries[n-1].open == nil,
	}
}

func (d *handDay) local(t time.Time) string { return t.In(d.zone).Format(time.RFC3339) }

// The plus keeps SQLite, which has no statistics, from walking all attendances of
// the company in this order.
const (
	handOccurrences = "SELECT " + handOccurrenceColumns + " FROM employee_shifts o " +
		"WHERE o.user_id = ? AND o.date >= ? AND o.date <= ? AND o.company_id = ? ORDER BY o.start_at, o.id"
	handEntries = "SELECT " + handEntryColumns + " FROM attendances a " +
		"WHERE a.user_id = ? AND a.company_id = ? AND (a.work_date >= ? OR a.open_marker = 1) ORDER BY +a.clocked_in_at, a.id"
)

// daysAround returns the dates between which occurrences may be today's.
func daysAround(now time.Time) (from, to string) {
	near := shift.DateOf(now, time.UTC)
	return string(near.AddDays(-2)), string(near.AddDays(2))
}

// A dayReader reads a user's today, straightforwardly: five statements of a few
// rows leave nothing to make leaner.
type dayReader struct{ occurrences, planned, entries, free, leave *sql.Stmt }

func newDayReader(db *sql.DB) (d dayReader, err error) {
	err = prepareAll(db, map[**sql.Stmt]string{
		&d.occurrences: handOccurrences, &d.planned: handPlanned, &d.entries: handEntries,
		&d.free:  "SELECT COUNT(*) FROM holidays WHERE company_id = ? AND date BETWEEN ? AND ?",
		&d.leave: "SELECT COUNT(*) FROM leaves WHERE company_id = ? AND user_id = ? AND state = 'approved' AND ends_on >= ? AND starts_on <= ?",
	})
	return d, err
}

func (s dayReader) show(w http.ResponseWriter, r *http.Request, c handCaller) error {
	ctx := r.Context()
	d := &handDay{now: time.Now().UTC(), all: map[int][]*handEntry{}}
	from, to := daysAround(d.now)
	if err := d.readOccurrences(s.occurrences.QueryContext(ctx, c.user, from, to, c.company)); err != nil {
		return err
	}
	var planned string
	if err := s.planned.QueryRowContext(ctx, c.user).Scan(&planned); err != nil {
		return err
	}
	if planned < to {
		return errUnmade
	}
	if err := d.readEntries(s.entries.QueryContext(ctx, c.user, c.company, from)); err != nil {
		return err
	}
	var holidays int
	if err := s.free.QueryRowContext(ctx, c.company, from, to).Scan(&holidays); err != nil {
		return err
	}
	var absences int
	if err := s.leave.QueryRowContext(ctx, c.company, c.user, from, to).Scan(&absences); err != nil {
		return err
	}
	if holidays+absences > 0 {
		return errors.New("nobody here has holidays or leave")
	}
	today, err := d.sum()
	if err != nil {
		return err
	}
	return sendJSON(w, today)
}

func (d *handDay) readOccurrences(rows *sql.Rows, err error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		o := &handOccurrence{}
		if err := rows.Scan(o.fields()...); err != nil {
			return err
		}
		d.occurrences = append(d.occurrences, o)
	}
	return rows.Err()
}

func (d *handDay) readEntries(rows *sql.Rows, err error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		e := &handEntry{}
		if err := rows.Scan(e.fields()...); err != nil {
			return err
		}
		d.all[e.occurrence] = append(d.all[e.occurrence], e)
	}
	return rows.Err()
}
