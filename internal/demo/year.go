package demo

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/clockstate"
	"workforce/ent/employeeshift"
	"workforce/ent/shiftresult"
	"workforce/internal/app/policysql"
	"workforce/internal/app/scheduling"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// A yearWriter writes what the people of the large company worked, many rows with each
// statement, in one transaction.
type yearWriter struct {
	*filler
	policy      timesheet.Policy
	days        map[shiftDate]*shiftDay
	occurrences *bulk
	attendances *bulk
	results     *bulk
	events      []int // that count in the clock state of each person
	booked      []booking
}

// A shiftDate names a shift and a date.
type shiftDate struct {
	shift string
	date  shift.Date
}

// A shiftDay is what the occurrences of a shift on a date have in common.
type shiftDay struct {
	occurrence *ent.EmployeeShift
	timesheet.Occurrence
}

// A stint is somebody's occurrence and what became of it.
type stint struct {
	entry
	person int
	came   bool
	result *timesheet.Assessment // nil while it is not known
	known  time.Time             // when the result was found
}

// resultColumns are the columns of a result.
var resultColumns = []string{
	shiftresult.FieldEmployeeShiftID, shiftresult.FieldCompanyID, shiftresult.FieldUserID, shiftresult.FieldDate,
	shiftresult.FieldStatus, shiftresult.FieldOff, shiftresult.FieldLateSeconds, shiftresult.FieldEarlySeconds,
	shiftresult.FieldWorkedSeconds, shiftresult.FieldExpectedSeconds, shiftresult.FieldOvertimeSeconds, shiftresult.FieldEvaluatedAt,
}

// addWork adds the occurrences of everybody from a date up to another, which is not included,
// and what they worked and came to until now. It is the same whatever was added before.
func addWork(ctx context.Context, f *filler, from, until shift.Date) error {
	w := &yearWriter{
		filler: f, policy: timesheet.PolicyOf(f.company.Settings), days: map[shiftDate]*shiftDay{},
		occurrences: &bulk{table: employeeshift.Table, columns: scheduling.Columns}, attendances: &bulk{table: entAttendance.Table},
		results: &bulk{table: shiftresult.Table, columns: resultColumns}, events: make([]int, len(f.people)),
	}
	for week := from; week < until; week = week.AddDays(7) {
		dates := timesheet.Period{From: week, To: min(week, until.AddDays(-7)).AddDays(6)}.Dates()
		for first := 0; first < len(f.people); first += teamSize {
			if err := w.addTeam(ctx, first, dates); err != nil {
				return err
			}
		}
	}
	for _, b := range []*bulk{w.attendances, w.results} {
		if err := b.flush(ctx); err != nil {
			return err
		}
	}
	if err := w.countEvents(ctx); err != nil {
		return err
	}
	return w.addBookings(ctx, from, until)
}

// addTeam adds the work of the people of one business on dates of one week.
func (w *yearWriter) addTeam(ctx context.Context, first int, dates []shift.Date) error {
	var stints []stint
	for i := first; i < first+teamSize; i++ {
		a := w.assignments[w.users[i].ID]
		rule := shift.Assignment{StartsOn: shift.Date(a.StartsOn), Weekdays: a.Weekdays, EveryWeeks: a.EveryWeeks}
		for _, d := range dates {
			if !rule.Covers(d) {
				continue
			}
			s, day := w.stint(i, d), w.day(a, w.people[i].shift, d)
			w.assess(&s, day.Occurrence)
			if err := w.addOccurrence(ctx, s, day, a); err != nil {
				return err
			}
			stints = append(stints, s)
		}
	}
	if len(stints) == 0 {
		return nil
	}
	if err := w.occurrences.flush(ctx); err != nil {
		return err
	}
	ids, err := w.readIDs(ctx, w.users[first:first+teamSize], dates)
	if err != nil {
		return err
	}
	for _, s := range stints {
		s.occurrence.ID = ids[userDate{s.occurrence.UserID, s.occurrence.Date}]
		if err := w.addOutcome(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// stint returns when a person came and went on a date: one in twelve did not come, and
// nobody is there yet or still.
func (w *yearWriter) stint(person int, d shift.Date) stint {
	w.random = rand.New(rand.NewPCG(w.seed, uint64(person)<<32|uint64(d.Days("2000-01-01"))))
	s := stint{entry: entry{occurrence: &ent.EmployeeShift{UserID: w.users[person].ID, Date: string(d)}}, person: person}
	if d < w.today() {
		s.entry = w.entry(w.people[person], s.occurrence)
		s.came = w.random.IntN(12) > 0 && !s.out.After(w.now)
	}
	return s
}

// day returns what the occurrences of a shift on a date have in common.
func (w *yearWriter) day(a *ent.ShiftAssignment, name string, d shift.Date) *shiftDay {
	key := shiftDate{name, d}
	if day := w.days[key]; day != nil {
		return day
	}
	hours := w.pattern(name).hours
	o := hours.On(d)
	day := &shiftDay{Occurrence: timesheet.Occurrence{
		Date: d, Zone: w.zone, Start: o.StartAt, End: o.EndAt, Until: o.ClockInUntil, Breaks: hours.BreaksOn(d),
		LateGrace: w.shifts[name].LateGraceMinutes, EarlyGrace: w.shifts[name].EarlyGraceMinutes,
	}}
	day.occurrence = scheduling.NewOccurrence(a, w.shifts[name], w.zone, d)
	w.days[key] = day
	return day
}

// assess finds the result of a stint when the server would have: when the window of the
// occurrence is over, and for an absence after the wait for offline events too.
func (w *yearWriter) assess(s *stint, o timesheet.Occurrence) {
	due, work := o.Until.Add(time.Minute), timesheet.Work{Occurrence: o}
	if s.came {
		work.Entries = []timesheet.Entry{{In: s.in, Out: s.out}}
	} else {
		due = due.Add(w.policy.OfflineWait)
	}
	if due.After(w.now) {
		return
	}
	const every = 5 * time.Minute
	if s.known = due.Add(every - 1).Truncate(every).UTC(); s.known.After(w.now) {
		s.known = w.now
	}
	if a := timesheet.Assess([]timesheet.Work{work}, []timesheet.Off{{}}, w.policy, s.known); a[0].Ready {
		s.result = &a[0]
	}
}

func (w *yearWriter) addOccurrence(ctx context.Context, s stint, day *shiftDay, a *ent.ShiftAssignment) error {
	o := *day.occurrence
	o.UserID, o.AssignmentID = a.UserID, &a.ID
	if s.result != nil {
		o.EvaluatedAt = &s.known
	}
	return w.occurrences.add(ctx, scheduling.AppendCells(nil, &o))
}

// A userDate names an occurrence of somebody who has one a day.
type userDate struct {
	user int
	date string
}

// readIDs reads the ids of the occurrences of people on dates.
func (w *yearWriter) readIDs(ctx context.Context, users []*ent.User, dates []shift.Date) (map[userDate]int, error) {
	of := make([]int, len(users))
	for i, u := range users {
		of[i] = u.ID
	}
	q, ids := policysql.New(ctx), make(map[userDate]int, len(users)*len(dates))
	q.Add("SELECT id, user_id, date FROM "+employeeshift.Table+" WHERE date BETWEEN ? AND ? AND ", string(dates[0]), string(dates[len(dates)-1]))
	q.In(employeeshift.FieldUserID, of)
	err := q.Each(func(scan policysql.Scan) error {
		id, key := 0, userDate{}
		err := scan(&id, &key.user, &key.date)
		ids[key] = id
		return err
	})
	return ids, err
}

// addOutcome adds the attendance and the result of a stint, as far as there are any.
func (w *yearWriter) addOutcome(ctx context.Context, s stint) error {
	if s.came {
		a := w.db.Attendance.Create()
		w.describe(a, s.entry)
		if w.attendances.columns == nil {
			w.attendances.columns = append(a.Mutation().Fields(), entAttendance.FieldOpenMarker) // null: it is closed
		}
		if err := w.attendances.add(ctx, cellsOf(a.Mutation(), w.attendances.columns)); err != nil {
			return err
		}
		w.events[s.person] += 2
		w.book(s)
	}
	r := s.result
	if r == nil {
		return nil
	}
	w.events[s.person]++
	return w.results.add(ctx, []any{
		s.occurrence.ID, w.company.ID, s.occurrence.UserID, s.occurrence.Date, string(r.Status), r.Off,
		seconds(r.Late), seconds(r.Early), seconds(r.Worked), seconds(r.Expected), seconds(r.Overtime), s.known,
	})
}

func seconds(d time.Duration) int { return int(d / time.Second) }

// countEvents adds to the clock states what changed them.
func (w *yearWriter) countEvents(ctx context.Context) error {
	by := map[int][]int{}
	for i, n := range w.events {
		by[n] = append(by[n], w.users[i].ID)
	}
	for n, users := range by {
		for part := range slices.Chunk(users, scheduling.Written) {
			if err := w.db.ClockState.Update().Where(clockstate.UserIDIn(part...)).AddEvents(n).Exec(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// A bulk collects rows of a table and inserts many with each statement.
type bulk struct {
	table   string
	columns []string
	cells   []any
}

// bulkCells is how many cells one statement inserts at most: its text is short enough to be
// prepared.
const bulkCells = 3000

// add adds a row, whose cells are those of the columns.
func (b *bulk) add(ctx context.Context, cells []any) error {
	b.cells = append(b.cells, cells...)
	if len(b.cells)+len(b.columns) <= bulkCells {
		return nil
	}
	return b.flush(ctx)
}

// flush inserts the rows that are left.
func (b *bulk) flush(ctx context.Context) error {
	if len(b.cells) == 0 {
		return nil
	}
	err := policysql.InsertAll(ctx, b.table, b.columns, b.cells)
	b.cells = b.cells[:0]
	return err
}

// cellsOf returns what a creation writes into columns; nil where it sets nothing.
func cellsOf(m ent.Mutation, columns []string) []any {
	cells := make([]any, len(columns))
	for i, column := range columns {
		value, ok := m.Field(column)
		if list, isList := value.([]string); isList {
			value, _ = json.Marshal(list) // of strings
		}
		if ok {
			cells[i] = value
		}
	}
	return cells
}
