package report

import (
	"context"

	"workforce/ent"
	entLeave "workforce/ent/leave"
	"workforce/internal/app/input"
	"workforce/internal/report"
	"workforce/internal/shift"
)

// pageSize is how many rows are read at once.
const pageSize = 500

// leaveShape has a row for each request whose dates reach into the period, by its first date.
var leaveShape = shape{
	columns: []report.Column{
		column("name", report.Text, 26), column("type", report.Text, 20), column("from", report.Date, 12), column("to", report.Date, 12),
		column("half", report.Text, 14), column("days", report.Number, 8), column("status", report.Text, 14),
		column("reason", report.Text, 30), column("note", report.Text, 30),
	},
	each: leaveRows,
}

func leaveRows(ctx context.Context, b *building) (report.Summary, error) {
	byType, states, done := newSeries(), newSeries(), 0
	q := ent.FromContext(ctx).Leave.Query().Where(entLeave.StartsOnLTE(string(b.period.To)), entLeave.EndsOnGTE(string(b.period.From)))
	if b.subject != nil {
		q.Where(entLeave.UserID(*b.subject))
	}
	all, err := q.Clone().Count(ctx)
	if err != nil {
		return report.Summary{}, err
	}
	var last *ent.Leave
	for {
		next := q.Clone().WithUser().WithLeaveType().Order(ent.Asc(entLeave.FieldStartsOn, entLeave.FieldID)).Limit(pageSize)
		if last != nil {
			next.Where(entLeave.Or(entLeave.StartsOnGT(last.StartsOn), entLeave.And(entLeave.StartsOn(last.StartsOn), entLeave.IDGT(last.ID))))
		}
		list, err := next.All(ctx)
		if err != nil {
			return report.Summary{}, err
		}
		for _, l := range list {
			days := b.within(l.Dates)
			state := b.words.of("state." + string(l.State))
			states.declare(string(l.State), state)
			states.sums[string(l.State)]++
			if l.State == entLeave.StateApproved {
				name := l.Edges.LeaveType.Name
				byType.declare(name, name)
				byType.sums[name] += days
			}
			err := b.row(report.Of(l.Edges.User.Name), report.Of(l.Edges.LeaveType.Name), report.On(shift.Date(l.StartsOn)), report.On(shift.Date(l.EndsOn)),
				report.Of(b.part(l)), report.Count(days), report.Of(state), report.Of(l.Reason), report.Of(input.Value(l.DecisionNote)))
			if err != nil {
				return report.Summary{}, err
			}
			last = l
		}
		if done += len(list); len(list) < pageSize {
			break
		}
		if err := b.progress(done, all); err != nil {
			return report.Summary{}, err
		}
	}
	return report.Summary{Totals: states.bars(report.Number, false), Chart: report.Chart{
		Title: b.words.of("daysByType"), Type: report.Number, Bars: byType.bars(report.Number, false),
	}}, nil
}

// within returns how many dates lie in the period.
func (b *building) within(dates []string) (n int) {
	for _, d := range dates {
		if b.period.Contains(shift.Date(d)) {
			n++
		}
	}
	return n
}

// part returns which part of each date a leave takes; "" for all of it.
func (b *building) part(l *ent.Leave) string {
	switch {
	case l.FromTime != nil && l.ToTime != nil:
		return *l.FromTime + "\u2013" + *l.ToTime
	case l.Half:
		return b.words.of("half_day_leave")
	}
	return ""
}
