package worktime

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	entAttendance "workforce/ent/attendance"
	"workforce/internal/app/policysql"
	"workforce/internal/app/scheduling"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A window is a user's roster window: their occurrences and attendances from two days ago until
// in two days, since no zone is more than a day away.
type window struct {
	from        shift.Date       // the first date
	occurrences []*occurrence    // by start; since the open attendance if that is older than the window
	bounds      timesheet.Bounds // first and last day of work
	until       shift.Date       // the last date for which occurrences were made; "" for none
	zone        string           // of the user's work site, an IANA name; "" for the company's
}

// An occurrence is an occurrence of the window with its attendances.
type occurrence struct {
	ID           int       `sql:"id"`
	Name         string    `sql:"name"`
	Date         string    `sql:"date"`
	StartAt      time.Time `sql:"start_at"`
	EndAt        time.Time `sql:"end_at"`
	ClockInFrom  time.Time `sql:"clock_in_from"`
	ClockInUntil time.Time `sql:"clock_in_until"`
	BreakSeconds int       `sql:"break_seconds"`
	terms
	entries []*entry              // by clock-in
	stored  *timesheet.Assessment // nil for none, or one that is outdated
}

// An entry is an attendance of the window.
type entry struct {
	ID                int        `sql:"id"`
	AddressID         int        `sql:"address_id"`
	Open              bool       `sql:"open"`
	NeedsConfirmation bool       `sql:"needs_confirmation"`
	FaceMatched       *bool      `sql:"face_matched"`
	ClockedInAt       time.Time  `sql:"clocked_in_at"`
	ClockedOutAt      *time.Time `sql:"clocked_out_at"`
	shift             *occurrence
}

// times returns the times and the clock-in window of the occurrence.
func (o *occurrence) times() shift.Occurrence {
	return shift.Occurrence{StartAt: o.StartAt, EndAt: o.EndAt, ClockInFrom: o.ClockInFrom, ClockInUntil: o.ClockInUntil}
}

// zone returns the zone of the occurrence.
func (o *occurrence) zone() *time.Location { return shift.ZoneNamed(o.Timezone) }

// isToday reports whether the occurrence starts on the local date, or may be clocked in for now.
func (o *occurrence) isToday(now time.Time) bool {
	return o.Date == string(shift.DateOf(now, o.zone())) || o.times().Open(now)
}

// window reads a user's roster window. Occurrences that are planned for yesterday, today and
// tomorrow are made first.
func (s *Service) window(ctx context.Context, me *viewer.Viewer) (*window, error) {
	w, err := s.readWindow(ctx, me)
	if err != nil || w.until >= scheduling.Until(s.Now()) {
		return w, err
	}
	if err := s.Plans.Ensure(ctx, me.CompanyID, me.UserID); err != nil {
		return nil, fmt.Errorf("make occurrences: %w", err)
	}
	return s.readWindow(ctx, me)
}

// windowRow is a row of the statement roster: the user, with an occurrence and one of its
// attendances if there are any.
type windowRow struct {
	Joined     string     `sql:"joined_on"`
	Left       string     `sql:"left_on"`
	Until      string     `sql:"planned_until"`
	Zone       string     `sql:"zone"`
	Occurrence occurrence `sql:"shift_"`
	Entry      entry      `sql:"entry_"`
	Result     result     `sql:"result_"`
}

// roster reads a user's roster window. An attendance has the date of its occurrence. Attendances are
// within the policy, occurrences of one's own are not. The indexes are named, since MariaDB weighs the
// others for longer than it reads the rows.
var roster = policysql.Parse(`
SELECT u.joined_on, u.left_on, t.planned_until, t.timezone AS zone,
  o.id AS shift_id, o.name AS shift_name, o.date AS shift_date, o.timezone AS shift_timezone,
  o.start_at AS shift_start_at, o.end_at AS shift_end_at,
  o.clock_in_from AS shift_clock_in_from, o.clock_in_until AS shift_clock_in_until,
  o.breaks AS shift_breaks, o.break_seconds AS shift_break_seconds,
  o.break_minutes AS shift_break_minutes, o.break_after_minutes AS shift_break_after_minutes,
  o.late_grace_minutes AS shift_late_grace_minutes, o.early_grace_minutes AS shift_early_grace_minutes,
  o.half_day_below_minutes AS shift_half_day_below_minutes, o.absent_below_minutes AS shift_absent_below_minutes,
  a.id AS entry_id, a.address_id AS entry_address_id, a.open_marker = 1 AS entry_open,
  a.needs_confirmation AS entry_needs_confirmation, a.face_matched AS entry_face_matched,
  a.clocked_in_at AS entry_clocked_in_at, a.clocked_out_at AS entry_clocked_out_at,
  r.status AS result_status, r.off AS result_off, r.late_seconds AS result_late_seconds,
  r.early_seconds AS result_early_seconds, r.expected_seconds AS result_expected_seconds
FROM users u
  LEFT JOIN clock_states t ON t.user_id = u.id
  LEFT JOIN employee_shifts o /*! FORCE INDEX (employeeshift_company_id_user_id_date) */
    ON o.company_id = :company AND o.user_id = :me AND o.date <= :to AND o.date >= COALESCE(
    (SELECT x.work_date FROM attendances x WHERE x.user_id = :me AND x.open_marker = 1 AND x.work_date < :from), :from)
  LEFT JOIN attendances a /*! FORCE INDEX (attendance_employee_shift_id_user_id_clocked_in_recorded_at) */
    ON a.employee_shift_id = o.id AND a.user_id = :me AND policy(a)
  LEFT JOIN shift_results r ON r.employee_shift_id = o.id AND o.evaluated_at IS NOT NULL
WHERE u.id = :me`)

// readWindow reads a user's roster window as it is stored.
func (s *Service) readWindow(ctx context.Context, me *viewer.Viewer) (*window, error) {
	near := shift.DateOf(s.Now(), time.UTC)
	w := &window{from: near.AddDays(-2)}
	list, err := policysql.Select[windowRow](ctx, roster,
		policysql.Args{"me": me.UserID, "company": me.CompanyID, "from": string(w.from), "to": string(near.AddDays(2))},
		policysql.Policies{"a": {Policy: entAttendance.Policy, Table: entAttendance.Table}})
	if err != nil {
		return nil, fmt.Errorf("read the roster window: %w", err)
	}
	slices.SortFunc(list, windowRow.compare)
	var last *occurrence
	for i := range list {
		r := &list[i]
		w.bounds = timesheet.Bounds{Joined: shift.Date(r.Joined), Left: shift.Date(r.Left)}
		w.until, w.zone = shift.Date(r.Until), r.Zone
		if r.Occurrence.ID == 0 {
			continue
		}
		if last == nil || last.ID != r.Occurrence.ID {
			last = &r.Occurrence
			last.stored = r.Result.assessment()
			w.occurrences = append(w.occurrences, last)
		}
		if r.Entry.ID != 0 {
			r.Entry.shift = last
			last.entries = append(last.entries, &r.Entry)
		}
	}
	return w, nil
}

// compare compares rows by start and clock-in. MariaDB would sort them in a table on disk.
func (r windowRow) compare(other windowRow) int {
	o, later := &r.Occurrence, &other.Occurrence
	return cmp.Or(o.StartAt.Compare(later.StartAt), o.ID-later.ID, r.Entry.compare(&other.Entry))
}

// compare compares attendances by clock-in.
func (e *entry) compare(other *entry) int {
	return cmp.Or(e.ClockedInAt.Compare(other.ClockedInAt), e.ID-other.ID)
}

// entries returns the attendances of the window by clock-in.
func (w *window) entries() (list []*entry) {
	for _, o := range w.occurrences {
		list = append(list, o.entries...)
	}
	slices.SortFunc(list, (*entry).compare)
	return list
}
