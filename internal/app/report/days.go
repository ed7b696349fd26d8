package report

import (
	"context"
	"time"

	"workforce/ent"
	entOvertimeApproval "workforce/ent/overtimeapproval"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/timesheets"
	"workforce/internal/report"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// attendanceShape has a row for each date on which somebody was to work, worked, or was off.
var attendanceShape = shape{
	columns: []report.Column{
		column("name", report.Text, 24), column("employeeNumber", report.Text, 14), column("date", report.Date, 11),
		column("shiftStart", report.Instant, 19), column("shiftEnd", report.Instant, 19),
		column("clockIn", report.Instant, 19), column("clockOut", report.Instant, 19), column("status", report.Text, 16),
		column("expected", report.Duration, 10), column("worked", report.Duration, 10), column("late", report.Duration, 10),
		column("early", report.Duration, 10), column("overtimeTime", report.Duration, 10),
	},
	each: attendanceRows,
}

func attendanceRows(ctx context.Context, b *building) (report.Summary, error) {
	sum, byStatus := &model.TimesheetPart{}, newSeries()
	for _, s := range timesheet.Statuses() {
		byStatus.declare(string(s), b.status(s))
	}
	err := b.sheets(ctx, func(_ []timesheets.Sheet, s timesheets.Sheet) error {
		byDate := recordsOf(s.Records)
		for _, d := range s.Days {
			worked := byDate[d.Date]
			if d.Status == timesheet.NoStatus && len(worked) == 0 && d.Worked == 0 {
				continue
			}
			timesheets.Add(sum, d)
			byStatus.sums[string(d.Status)]++
			t := timesOf(worked)
			err := b.row(report.Of(s.Name), b.number(s.EmployeeNumber), report.On(d.Date),
				report.At(t.start), report.At(t.end), report.At(t.in), report.At(t.out), report.Of(b.status(d.Status)),
				duration(d.Expected), duration(d.Worked), duration(d.Late), duration(d.Early), duration(d.Overtime))
			if err != nil {
				return err
			}
		}
		return nil
	})
	totals := append(b.sums(sum), byStatus.bars(report.Number, false)...)
	return report.Summary{Totals: totals, Chart: report.Chart{
		Title: b.words.of("daysByStatus"), Type: report.Number, Bars: byStatus.bars(report.Number, false),
	}}, err
}

// sheets calls show for each person, by name, with those who were read together.
func (b *building) sheets(ctx context.Context, show func(some []timesheets.Sheet, s timesheets.Sheet) error) error {
	done := 0
	return b.Sheets.Stream(ctx, b.subject, b.period, func(all int, some []timesheets.Sheet) error {
		for _, s := range some {
			if err := show(some, s); err != nil {
				return err
			}
		}
		done += len(some)
		return b.progress(done, all)
	})
}

// status returns the words of a status.
func (b *building) status(s timesheet.Status) string { return b.words.of("status." + string(s)) }

// number returns an employee number, for viewers who read that of everybody whom
// the report shows.
func (b *building) number(n *string) cell {
	if ent.Facts[ent.TypeUser].Access.Details(b.me) < scopeOf(b.me, b.kind) {
		return cell{}
	}
	return report.Of(input.Value(n))
}

// sums returns the totals of working time.
func (b *building) sums(p *model.TimesheetPart) []report.Line {
	line := func(key string, v cell) report.Line { return report.Line{Label: b.words.of(key), Value: v} }
	return []report.Line{
		line("expected", report.Seconds(p.ExpectedSeconds)), line("worked", report.Seconds(p.WorkedSeconds)),
		line("overtimeTime", report.Seconds(p.OvertimeSeconds)), line("late", report.Seconds(p.LateSeconds)),
		line("lateDays", report.Count(p.LateDays)), line("early", report.Seconds(p.EarlySeconds)), line("earlyDays", report.Count(p.EarlyDays)),
	}
}

// recordsOf returns records by the dates of their shifts.
func recordsOf(all []timesheet.Record) map[shift.Date][]timesheet.Record {
	byDate := make(map[shift.Date][]timesheet.Record, len(all))
	for _, r := range all {
		byDate[r.Date] = append(byDate[r.Date], r)
	}
	return byDate
}

// times are those of the shifts of one date: from the first start to the last end, and from
// the first clock-in to the last clock-out, which is zero while somebody is in.
type times struct{ start, end, in, out time.Time }

func timesOf(records []timesheet.Record) (t times) {
	open := false
	for _, r := range records {
		if t.start.IsZero() || r.Start.Before(t.start) {
			t.start = r.Start
		}
		if r.End.After(t.end) {
			t.end = r.End
		}
		for _, e := range r.Entries {
			if t.in.IsZero() || e.In.Before(t.in) {
				t.in = e.In
			}
			if e.Out.After(t.out) {
				t.out = e.Out
			}
			open = open || e.Out.IsZero()
		}
	}
	if open {
		t.out = time.Time{}
	}
	return t
}

// timesheetShape has a row for each person.
var timesheetShape = shape{
	columns: []report.Column{
		column("name", report.Text, 26), column("employeeNumber", report.Text, 15), column("days", report.Number, 7),
		column("expected", report.Duration, 11), column("worked", report.Duration, 11), signed("balance", 11),
		column("overtimeTime", report.Duration, 11), column("night", report.Duration, 11),
		column("late", report.Duration, 10), column("lateDays", report.Number, 10), column("early", report.Duration, 10), column("earlyDays", report.Number, 10),
		column("status.absent", report.Number, 9), column("status.on_leave", report.Number, 9),
		column("halfLeaveDays", report.Number, 9), column("leaveTime", report.Duration, 11),
	},
	each: timesheetRows,
}

func timesheetRows(ctx context.Context, b *building) (report.Summary, error) {
	all, byDate := &model.TimesheetPart{}, b.calendar()
	err := b.sheets(ctx, func(_ []timesheets.Sheet, s timesheets.Sheet) error {
		p, halves := &model.TimesheetPart{}, 0
		for _, d := range s.Days {
			timesheets.Add(p, d)
			timesheets.Add(all, d)
			byDate.add(d.Date, d.Worked)
			if d.Leave == timesheet.Half {
				halves++
			}
		}
		return b.row(report.Of(s.Name), b.number(s.EmployeeNumber), report.Count(p.PresentDays+p.WorkFromHomeDays+p.HalfDays),
			report.Seconds(p.ExpectedSeconds), report.Seconds(p.WorkedSeconds), report.Seconds(p.BalanceSeconds),
			report.Seconds(p.OvertimeSeconds), report.Seconds(p.NightSeconds),
			report.Seconds(p.LateSeconds), report.Count(p.LateDays), report.Seconds(p.EarlySeconds), report.Count(p.EarlyDays),
			report.Count(p.AbsentDays), report.Count(p.LeaveDays), report.Count(halves), report.Seconds(p.LeaveSeconds))
	})
	return report.Summary{Totals: b.sums(all), Chart: b.chart("worked", byDate)}, err
}

// chart returns the chart of working time by date, week or month.
func (b *building) chart(what string, c *calendarSeries) report.Chart {
	return report.Chart{Title: b.words.of(what + "By." + c.unit), Type: report.Duration, Bars: c.bars(report.Duration, true)}
}

// overtimeShape has a row for each date on which somebody worked overtime, or on which theirs
// was decided.
var overtimeShape = shape{
	columns: []report.Column{
		column("name", report.Text, 26), column("employeeNumber", report.Text, 15), column("date", report.Date, 12),
		column("expected", report.Duration, 11), column("worked", report.Duration, 11), column("overtimeTime", report.Duration, 11),
		column("decision", report.Text, 14), column("approvedTime", report.Duration, 12), column("note", report.Text, 30),
	},
	each: overtimeRows,
}

// A personDate is a date of a person.
type personDate struct {
	user int
	date shift.Date
}

func overtimeRows(ctx context.Context, b *building) (report.Summary, error) {
	byDate, overtime, approved := b.calendar(), 0, 0
	var decisions map[personDate]*ent.OvertimeApproval
	first := 0
	err := b.sheets(ctx, func(some []timesheets.Sheet, s timesheets.Sheet) (err error) {
		if first != some[0].ID {
			first = some[0].ID
			if decisions, err = b.decisions(ctx, some); err != nil {
				return err
			}
		}
		for _, d := range s.Days {
			decided := decisions[personDate{s.ID, d.Date}]
			if d.Overtime == 0 && decided == nil {
				continue
			}
			cells := []cell{report.Of(s.Name), b.number(s.EmployeeNumber), report.On(d.Date), duration(d.Expected), duration(d.Worked), duration(d.Overtime)}
			if decided == nil {
				cells = append(cells, report.Of(b.words.of("state.pending")), cell{}, cell{})
			} else {
				state := "state.refused"
				if decided.Approved {
					state, approved = "state.approved", approved+decided.Seconds
				}
				cells = append(cells, report.Of(b.words.of(state)), report.Seconds(decided.Seconds), report.Of(input.Value(decided.Note)))
			}
			overtime += int(d.Overtime / time.Second)
			byDate.add(d.Date, d.Overtime)
			if err := b.row(cells...); err != nil {
				return err
			}
		}
		return nil
	})
	return report.Summary{Totals: []report.Line{
		{Label: b.words.of("overtimeTime"), Value: report.Seconds(overtime)}, {Label: b.words.of("approvedTime"), Value: report.Seconds(approved)},
	}, Chart: b.chart("overtime", byDate)}, err
}

// decisions returns what was decided about the overtime of some people.
func (b *building) decisions(ctx context.Context, some []timesheets.Sheet) (map[personDate]*ent.OvertimeApproval, error) {
	ids, out := make([]int, len(some)), map[personDate]*ent.OvertimeApproval{}
	for i, s := range some {
		ids[i] = s.ID
	}
	list, err := ent.FromContext(ctx).OvertimeApproval.Query().Where(entOvertimeApproval.UserIDIn(ids...),
		entOvertimeApproval.DateGTE(string(b.period.From)), entOvertimeApproval.DateLTE(string(b.period.To))).All(ctx)
	for _, a := range list {
		out[personDate{a.UserID, shift.Date(a.Date)}] = a
	}
	return out, err
}
