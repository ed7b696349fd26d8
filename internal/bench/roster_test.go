package bench

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"workforce/internal/shift"
)

// rosterQuery asks for the week of 200 people, as a screen of shifts does.
const rosterQuery = `query Roster {
  roster(limit: 200) {
    startsOn endsOn totalCount
    people { userId name shifts { employeeShiftId shiftId name colour date startAt endAt origin clashes } }
  }
}`

type rosterJSON struct {
	StartsOn   string              `json:"startsOn"`
	EndsOn     string              `json:"endsOn"`
	TotalCount int                 `json:"totalCount"`
	People     []*rosterPersonJSON `json:"people"`
}

type rosterPersonJSON struct {
	UserID int               `json:"userId,string"`
	Name   string            `json:"name"`
	Shifts []rosterShiftJSON `json:"shifts"`

	joined, left *string
	ends         time.Time // of the shift before
}

type rosterShiftJSON struct {
	EmployeeShiftID int      `json:"employeeShiftId,string"`
	ShiftID         int      `json:"shiftId,string"`
	Name            string   `json:"name"`
	Colour          *string  `json:"colour"`
	Date            string   `json:"date"`
	StartAt         string   `json:"startAt"`
	EndAt           string   `json:"endAt"`
	Origin          string   `json:"origin"`
	Clashes         []string `json:"clashes"`
}

// A weekReader reads a roster straightforwardly: a few statements of a join each.
type weekReader struct {
	db                             *sql.DB
	zone, count, people, free, due *sql.Stmt
}

func newWeekReader(db *sql.DB) (s weekReader, err error) {
	s.db = db
	err = prepareAll(db, map[**sql.Stmt]string{
		&s.zone:   "SELECT timezone FROM companies WHERE id = ?",
		&s.count:  "SELECT COUNT(*) FROM users WHERE company_id = ? AND active = 1",
		&s.people: "SELECT id, name, joined_on, left_on FROM users WHERE company_id = ? AND active = 1 ORDER BY sort_name, id LIMIT 200",
		&s.free:   "SELECT date FROM holidays WHERE company_id = ? AND place = 0 AND half = 0 AND date BETWEEN ? AND ?",
		&s.due:    "SELECT COUNT(*) FROM clock_states WHERE company_id = ? AND (planned_until IS NULL OR planned_until <= ?)",
	})
	return s, err
}

// read reads the week of today.
func (s weekReader) read(ctx context.Context, c handCaller) (*rosterJSON, error) {
	var zone string
	if err := s.zone.QueryRowContext(ctx, c.company).Scan(&zone); err != nil {
		return nil, err
	}
	first := shift.DateOf(time.Now(), handZone(zone)).WeekFrom(1)
	out := &rosterJSON{StartsOn: string(first), EndsOn: string(first.AddDays(6)), People: []*rosterPersonJSON{}}
	if err := s.count.QueryRowContext(ctx, c.company).Scan(&out.TotalCount); err != nil {
		return nil, err
	}
	var due int
	if err := s.due.QueryRowContext(ctx, c.company, out.EndsOn).Scan(&due); err != nil {
		return nil, err
	}
	if due > 0 {
		return nil, errUnmade
	}
	if err := out.readPeople(s.people.QueryContext(ctx, c.company)); err != nil {
		return nil, err
	}
	free, err := s.holidays(ctx, c, out)
	if err != nil {
		return nil, err
	}
	return out, s.readShifts(ctx, out, free)
}

func (out *rosterJSON) readPeople(rows *sql.Rows, err error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		p := &rosterPersonJSON{Shifts: []rosterShiftJSON{}}
		if err := rows.Scan(&p.UserID, &p.Name, &p.joined, &p.left); err != nil {
			return err
		}
		out.People = append(out.People, p)
	}
	return rows.Err()
}

func (s weekReader) holidays(ctx context.Context, c handCaller, out *rosterJSON) (map[string]bool, error) {
	rows, err := s.free.QueryContext(ctx, c.company, out.StartsOn, out.EndsOn)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	free := map[string]bool{}
	for rows.Next() {
		var date string
		if err := rows.Scan(&date); err != nil {
			return nil, err
		}
		free[date] = true
	}
	return free, rows.Err()
}

// readShifts adds the shifts of the week. Those of the days around it clash too.
func (s weekReader) readShifts(ctx context.Context, out *rosterJSON, free map[string]bool) error {
	byID, args := map[int]*rosterPersonJSON{}, []any{}
	for _, p := range out.People {
		byID[p.UserID] = p
		args = append(args, p.UserID)
	}
	before, after := shift.Date(out.StartsOn).AddDays(-1), shift.Date(out.EndsOn).AddDays(1)
	rows, err := s.db.QueryContext(ctx, "SELECT o.id, o.user_id, o.shift_id, s.name, s.colour, o.date, o.start_at, o.end_at, o.timezone, o.origin "+
		"FROM employee_shifts o JOIN shifts s ON s.id = o.shift_id WHERE o.user_id IN ("+strings.Repeat(", ?", len(args))[2:]+
		") AND o.date BETWEEN ? AND ? ORDER BY o.start_at", append(args, string(before), string(after))...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		r := rosterShiftJSON{Clashes: []string{}}
		var user int
		var start, end time.Time
		var zone string
		if err := rows.Scan(&r.EmployeeShiftID, &user, &r.ShiftID, &r.Name, &r.Colour, &r.Date, &start, &end, &zone, &r.Origin); err != nil {
			return err
		}
		p := byID[user]
		if start.Before(p.ends) {
			return errUnmade // nobody here has shifts that overlap
		}
		p.ends = end
		if r.Date < out.StartsOn || r.Date > out.EndsOn {
			continue
		}
		if p.joined != nil && r.Date < *p.joined || p.left != nil && r.Date > *p.left {
			r.Clashes = append(r.Clashes, "employment")
		}
		if free[r.Date] {
			r.Clashes = append(r.Clashes, "holiday")
		}
		r.StartAt, r.EndAt = start.In(handZone(zone)).Format(time.RFC3339), end.In(handZone(zone)).Format(time.RFC3339)
		p.Shifts = append(p.Shifts, r)
	}
	return rows.Err()
}
