package bench

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"time"

	"workforce/internal/shift"
)

// The documents of managers and payroll: the month of 1,000 people by day, and where 1,000
// people are now.
const (
	monthQuery = `query Month($from: DateOrTime, $to: DateOrTime) {
  timesheet(from: $from, to: $to, limit: 1000) {
    from to totalCount
    people {
      userId name
      total { workedSeconds expectedSeconds balanceSeconds overtimeSeconds nightSeconds lateDays earlyDays absentDays }
      parts { from status workedSeconds closedSeconds expectedSeconds lateSeconds earlySeconds overtimeSeconds nightSeconds }
    }
  }
}`
	summaryQuery = `query Summary {
  attendanceSummary(limit: 50) {
    date totalCount
    groups { name count people { userId name image status startAt endAt clockInAt clockOutAt lateSeconds } }
  }
}`
)

// monthOf returns the body that asks for a month that is over, and whose absences are known.
func monthOf(now time.Time, zone string) string {
	to := shift.DateOf(now, handZone(zone)).AddDays(-5)
	body, _ := json.Marshal(map[string]any{ // text
		"operationName": "Month", "query": monthQuery, "variables": map[string]any{"from": to.AddDays(-30), "to": to},
	})
	return string(body)
}

type monthJSON struct {
	From       string             `json:"from"`
	To         string             `json:"to"`
	TotalCount int                `json:"totalCount"`
	People     []*monthPersonJSON `json:"people"`
}

type monthPersonJSON struct {
	UserID int            `json:"userId,string"`
	Name   string         `json:"name"`
	Total  monthTotalJSON `json:"total"`
	Parts  []monthDayJSON `json:"parts"`
}

type monthTotalJSON struct {
	WorkedSeconds   int `json:"workedSeconds"`
	ExpectedSeconds int `json:"expectedSeconds"`
	BalanceSeconds  int `json:"balanceSeconds"`
	OvertimeSeconds int `json:"overtimeSeconds"`
	NightSeconds    int `json:"nightSeconds"`
	LateDays        int `json:"lateDays"`
	EarlyDays       int `json:"earlyDays"`
	AbsentDays      int `json:"absentDays"`
}

type monthDayJSON struct {
	From            string `json:"from"`
	Status          string `json:"status"`
	WorkedSeconds   int    `json:"workedSeconds"`
	ClosedSeconds   int    `json:"closedSeconds"`
	ExpectedSeconds int    `json:"expectedSeconds"`
	LateSeconds     int    `json:"lateSeconds"`
	EarlySeconds    int    `json:"earlySeconds"`
	OvertimeSeconds int    `json:"overtimeSeconds"`
	NightSeconds    int    `json:"nightSeconds"`
}

type summaryJSON struct {
	Date       string              `json:"date"`
	TotalCount int                 `json:"totalCount"`
	Groups     []*summaryGroupJSON `json:"groups"`
}

type summaryGroupJSON struct {
	Name   string              `json:"name"`
	Count  int                 `json:"count"`
	People []summaryPersonJSON `json:"people"`
}

type summaryPersonJSON struct {
	UserID      int     `json:"userId,string"`
	Name        string  `json:"name"`
	Image       string  `json:"image"`
	Status      string  `json:"status"`
	StartAt     *string `json:"startAt"`
	EndAt       *string `json:"endAt"`
	ClockInAt   *string `json:"clockInAt"`
	ClockOutAt  *string `json:"clockOutAt"`
	LateSeconds int     `json:"lateSeconds"`
}

// A sheetReader reads timesheets and summaries straightforwardly: who there is, what is free,
// and their occurrences with attendances and results, joined. Nobody here has two shifts or
// two attendances on a date, and none of the days of a month is a holiday or still to be
// judged.
type sheetReader struct {
	company, count, people, free, leave *sql.Stmt
	offs, month, actives, present       *sql.Stmt
}

func newSheetReader(db *sql.DB) (s sheetReader, err error) {
	const works = "SELECT o.user_id, o.date, o.start_at, o.end_at, o.breaks, o.break_minutes, o.break_after_minutes, o.late_grace_minutes, " +
		"o.early_grace_minutes, o.timezone, a.clocked_in_at, a.clocked_out_at, a.needs_confirmation, a.address_id, "
	const joined = " FROM employee_shifts o LEFT JOIN attendances a ON a.user_id = o.user_id AND a.employee_shift_id = o.id "
	err = prepareAll(db, map[**sql.Stmt]string{
		&s.company: "SELECT timezone, settings FROM companies WHERE id = ?",
		&s.count:   "SELECT COUNT(*) FROM users WHERE company_id = ? AND active = 1",
		&s.people:  "SELECT id, name FROM users WHERE company_id = ? AND active = 1 ORDER BY sort_name, id LIMIT 1000",
		&s.actives: "SELECT id, name, image FROM users WHERE company_id = ? AND active = 1 ORDER BY sort_name, id",
		&s.free:    "SELECT COUNT(*) FROM holidays WHERE company_id = ? AND date BETWEEN ? AND ?",
		&s.leave:   "SELECT COUNT(*) FROM leaves WHERE company_id = ? AND state = 'approved' AND starts_on <= ? AND ends_on >= ?",
		&s.offs:    "SELECT COUNT(*) FROM addresses WHERE company_id = ? AND weekly_offs IS NOT NULL AND weekly_offs <> 'null'",
		&s.month: works + "r.status, r.late_seconds, r.early_seconds, r.expected_seconds" + joined +
			"LEFT JOIN shift_results r ON r.employee_shift_id = o.id WHERE o.company_id = ? AND o.date BETWEEN ? AND ?",
		&s.present: works + "r.status, r.late_seconds, r.early_seconds, r.expected_seconds" + joined +
			"LEFT JOIN shift_results r ON r.employee_shift_id = o.id WHERE o.user_id IN (SELECT id FROM users WHERE company_id = ? AND active = 1) AND o.date = ?",
	})
	return s, err
}

// answer answers either operation.
func (s sheetReader) answer(ctx context.Context, c handCaller, a asked) (map[string]any, error) {
	if a.OperationName == "Summary" {
		summary, err := s.readSummary(ctx, c)
		return map[string]any{"attendanceSummary": summary}, err
	}
	month, err := s.readMonth(ctx, c, a.Variables["from"], a.Variables["to"])
	return map[string]any{"timesheet": month}, err
}

// A handWork is a row of the statements of works.
type handWork struct {
	user                  int
	date, zone            string
	start, end            time.Time
	breaks                []byte
	breakMinutes, after   int
	grace, earlyGrace     *int
	in, out               *time.Time
	unconfirmed           *bool
	site                  *int
	status                *string
	late, early, expected *int
}

func (w *handWork) scan(rows *sql.Rows) error {
	err := rows.Scan(&w.user, &w.date, &w.start, &w.end, &w.breaks, &w.breakMinutes, &w.after, &w.grace, &w.earlyGrace, &w.zone, &w.in, &w.out,
		&w.unconfirmed, &w.site, &w.status, &w.late, &w.early, &w.expected)
	if err == nil && (w.breakMinutes > 0 || w.unconfirmed != nil && *w.unconfirmed) {
		err = errUnmade
	}
	return err
}

// ordinary fails where somebody has a day off.
func (s sheetReader) ordinary(ctx context.Context, c handCaller, from, to string) error {
	for stmt, args := range map[*sql.Stmt][]any{s.free: {c.company, from, to}, s.leave: {c.company, to, from}, s.offs: {c.company}} {
		var n int
		if err := stmt.QueryRowContext(ctx, args...).Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			return errUnmade
		}
	}
	return nil
}

// readMonth reads the timesheet of a period by day.
func (s sheetReader) readMonth(ctx context.Context, c handCaller, from, to string) (*monthJSON, error) {
	out := &monthJSON{From: from, To: to}
	if err := s.count.QueryRowContext(ctx, c.company).Scan(&out.TotalCount); err != nil {
		return nil, err
	}
	if err := s.ordinary(ctx, c, from, to); err != nil {
		return nil, err
	}
	byID := map[int]*monthPersonJSON{}
	rows, err := s.people.QueryContext(ctx, c.company)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		p := &monthPersonJSON{}
		if err := rows.Scan(&p.UserID, &p.Name); err != nil {
			return nil, err
		}
		for d := shift.Date(from); d <= shift.Date(to); d = d.AddDays(1) {
			p.Parts = append(p.Parts, monthDayJSON{From: string(d), Status: "none"})
		}
		out.People, byID[p.UserID] = append(out.People, p), p
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if err := s.addDays(ctx, c, out, byID); err != nil {
		return nil, err
	}
	for _, p := range out.People {
		p.sum()
	}
	return out, nil
}

// addDays adds what was worked in the period, and on the two days before it, whose nights
// may go on into it.
func (s sheetReader) addDays(ctx context.Context, c handCaller, out *monthJSON, byID map[int]*monthPersonJSON) error {
	first := shift.Date(out.From)
	rows, err := s.month.QueryContext(ctx, c.company, string(first.AddDays(-2)), out.To)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var w handWork
		if err := w.scan(rows); err != nil {
			return err
		}
		p := byID[w.user]
		if p == nil {
			continue
		}
		at := shift.Date(w.date).Days(first)
		if at < 0 && (w.out == nil || shift.DateOf(*w.out, handZone(w.zone)) < first) {
			continue
		}
		if at < 0 || w.status == nil {
			return errUnmade
		}
		if err := p.add(at, &w); err != nil {
			return err
		}
	}
	return rows.Err()
}

// add adds a work of a day, which ends on it.
func (p *monthPersonJSON) add(at int, w *handWork) error {
	d := &p.Parts[at]
	d.Status, d.ExpectedSeconds, d.LateSeconds, d.EarlySeconds = *w.status, *w.expected, *w.late, *w.early
	if w.in == nil {
		return nil
	}
	zone := handZone(w.zone)
	in, out := w.in.Truncate(time.Second), w.out.Truncate(time.Second)
	midnight := shift.Date(w.date).AddDays(1).In(zone)
	if out.After(midnight) {
		return errUnmade
	}
	pieces, err := w.withoutBreaks(in, out)
	if err != nil {
		return err
	}
	morning, evening := midnight.Add(-18*time.Hour), midnight.Add(-2*time.Hour)
	var worked, night time.Duration
	for _, i := range pieces {
		worked += i.End.Sub(i.Start)
		night += overlap(i, shift.Interval{Start: morning.Add(-6 * time.Hour), End: morning}) + overlap(i, shift.Interval{Start: evening, End: midnight})
	}
	d.WorkedSeconds = int(worked / time.Second)
	d.ClosedSeconds, d.NightSeconds = d.WorkedSeconds, int(night/time.Second)
	d.OvertimeSeconds = max(0, d.WorkedSeconds-d.ExpectedSeconds)
	return nil
}

// withoutBreaks returns a stay without the breaks of the shift.
func (w *handWork) withoutBreaks(in, out time.Time) ([]shift.Interval, error) {
	var texts []string
	if err := json.Unmarshal(w.breaks, &texts); err != nil {
		return nil, err
	}
	zone, left := handZone(w.zone), []shift.Interval{{Start: in, End: out}}
	clock := func(t time.Time) shift.Clock { return shift.Clock(t.In(zone).Format("15:04")) }
	s := shift.Shift{Start: clock(w.start), End: clock(w.end), Zone: zone}
	for _, text := range texts {
		from, to, _ := strings.Cut(text, "-")
		s.Breaks = append(s.Breaks, shift.Break{Start: shift.Clock(from), End: shift.Clock(to)})
	}
	for _, b := range s.BreaksOn(shift.Date(w.date)) {
		var kept []shift.Interval
		for _, i := range left {
			if overlap(i, b) == 0 {
				kept = append(kept, i)
				continue
			}
			if i.Start.Before(b.Start) {
				kept = append(kept, shift.Interval{Start: i.Start, End: b.Start})
			}
			if b.End.Before(i.End) {
				kept = append(kept, shift.Interval{Start: b.End, End: i.End})
			}
		}
		left = kept
	}
	return left, nil
}

// overlap returns how long two intervals last both.
func overlap(a, b shift.Interval) time.Duration {
	if b.Start.After(a.Start) {
		a.Start = b.Start
	}
	if b.End.Before(a.End) {
		a.End = b.End
	}
	return max(0, a.End.Sub(a.Start))
}

func (p *monthPersonJSON) sum() {
	t := &p.Total
	for _, d := range p.Parts {
		t.WorkedSeconds += d.WorkedSeconds
		t.ExpectedSeconds += d.ExpectedSeconds
		if d.Status != "none" {
			t.BalanceSeconds += d.ClosedSeconds - d.ExpectedSeconds
		}
		t.OvertimeSeconds += d.OvertimeSeconds
		t.NightSeconds += d.NightSeconds
		if d.LateSeconds > 0 {
			t.LateDays++
		}
		if d.EarlySeconds > 0 {
			t.EarlyDays++
		}
		if d.Status == "absent" {
			t.AbsentDays++
		}
	}
}

// readSummary reads where people are today. Nobody's result of today is known yet.
func (s sheetReader) readSummary(ctx context.Context, c handCaller) (*summaryJSON, error) {
	var zone string
	var settings any
	if err := s.company.QueryRowContext(ctx, c.company).Scan(&zone, &settings); err != nil {
		return nil, err
	}
	now := time.Now()
	out := &summaryJSON{Date: string(shift.DateOf(now, handZone(zone)))}
	groups := map[string]*summaryGroupJSON{}
	for _, name := range []string{"in", "done", "missing", "not_due", "absent", "on_leave", "work_from_home", "off", "late"} {
		groups[name] = &summaryGroupJSON{Name: name, People: []summaryPersonJSON{}}
		out.Groups = append(out.Groups, groups[name])
	}
	if err := s.ordinary(ctx, c, out.Date, out.Date); err != nil {
		return nil, err
	}
	works, err := s.worksOf(ctx, c, out.Date)
	if err != nil {
		return nil, err
	}
	rows, err := s.actives.QueryContext(ctx, c.company)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		p := summaryPersonJSON{Status: "none"}
		if err := rows.Scan(&p.UserID, &p.Name, &p.Image); err != nil {
			return nil, err
		}
		out.TotalCount++
		name := p.fill(works[p.UserID], now)
		groups[name].add(p)
		if p.LateSeconds > 0 {
			groups["late"].add(p)
		}
	}
	return out, rows.Err()
}

func (g *summaryGroupJSON) add(p summaryPersonJSON) {
	if g.Count++; g.Count <= 50 {
		g.People = append(g.People, p)
	}
}

// worksOf returns the works of a date by person.
func (s sheetReader) worksOf(ctx context.Context, c handCaller, date string) (map[int]*handWork, error) {
	rows, err := s.present.QueryContext(ctx, c.company, date)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	works := map[int]*handWork{}
	for rows.Next() {
		w := &handWork{}
		if err := w.scan(rows); err != nil {
			return nil, err
		}
		if works[w.user] != nil || w.status != nil {
			return nil, errUnmade
		}
		works[w.user] = w
	}
	return works, rows.Err()
}

// fill fills in the day of somebody, and returns where they are.
func (p *summaryPersonJSON) fill(w *handWork, now time.Time) string {
	if w == nil {
		return "off"
	}
	zone := handZone(w.zone)
	text := func(t time.Time) *string {
		s := t.In(zone).Format(time.RFC3339)
		return &s
	}
	p.StartAt, p.EndAt = text(w.start), text(w.end)
	if w.in == nil {
		if w.grace != nil && now.After(w.start.Add(time.Duration(*w.grace)*time.Minute)) {
			return "missing"
		}
		return "not_due"
	}
	p.ClockInAt, p.Status = text(*w.in), "present"
	if late := w.in.Truncate(time.Second).Sub(w.start); w.grace != nil && late > time.Duration(*w.grace)*time.Minute {
		p.LateSeconds = int(late / time.Second)
	}
	if w.out == nil {
		return "in"
	}
	p.ClockOutAt = text(*w.out)
	return "done"
}
